/* A receive that fails ends MPI_Waitall at once where errors end the job, although another request
 * would wait for ever, whichever comes first in the array. */
/* ranks: 2 */
/* args: first */
/* args: last */
/* args: early */
/* expect: exit=nonzero */
/* output: MPI_Waitall.*MPI_ERR_TRUNCATE */
#include "harness.h"

enum { SHORT = 1, NEVER = 2, GO = 3 };

int main(int argc, char **argv)
{
    int into = 0, never = 0, data[64] = {0};
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &test_rank);
    const bool is_first = strcmp(argv[1], "first") == 0, is_early = strcmp(argv[1], "early") == 0;
    if (test_rank == 1) {
        if (is_early)
            MPI_Send(data, 64, MPI_INT, 0, SHORT, MPI_COMM_WORLD);
        MPI_Send(data, 1, MPI_INT, 0, GO, MPI_COMM_WORLD);
        struct timespec pause = {.tv_nsec = 50000000};
        nanosleep(&pause, NULL);
        if (!is_early)
            MPI_Send(data, 64, MPI_INT, 0, SHORT, MPI_COMM_WORLD);
    }
    if (test_rank == 0) {
        MPI_Recv(data, 1, MPI_INT, 1, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irecv(&into, 1, MPI_INT, 1, SHORT, MPI_COMM_WORLD, &requests[is_first ? 0 : 1]);
    }
    if (test_rank == 0)
        MPI_Irecv(&never, 1, MPI_INT, 1, NEVER, MPI_COMM_WORLD, &requests[is_first ? 1 : 0]);
    else
        MPI_Irecv(&never, 1, MPI_INT, 0, NEVER, MPI_COMM_WORLD, &requests[0]);
    MPI_Waitall(test_rank == 0 ? 2 : 1, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
