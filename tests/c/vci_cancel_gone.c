/* Sends on several communicators to a rank that has finalized can be cancelled. */
/* ranks: 2 */
#include "threads.h"

enum { COMMS = 4, BYTES = 4 << 20, TAG = 3 };

int main(int argc, char **argv)
{
    threads_start(&argc, &argv);
    MPI_Comm comms[COMMS];
    MPI_Request requests[COMMS];
    char *data = calloc(BYTES, 1);
    CHECK(data != NULL, "no memory for %d bytes", BYTES);
    for (int i = 0; i < COMMS; i++)
        TRY(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
    for (int i = 0; i < COMMS && test_rank == 0; i++)
        TRY(MPI_Isend(data, BYTES, MPI_CHAR, 1, TAG, comms[i], &requests[i]));
    if (test_rank == 0) {
        /* The other rank is in MPI_Finalize, and then gone. */
        struct timespec pause = {.tv_nsec = 300000000};
        nanosleep(&pause, NULL);
    }
    for (int i = 0; i < COMMS && test_rank == 0; i++) {
        int flag = -1;
        MPI_Status status;
        TRY(MPI_Cancel(&requests[i]));
        TRY(MPI_Wait(&requests[i], &status));
        TRY(MPI_Test_cancelled(&status, &flag));
        CHECK(flag == 1, "the send on communicator %d was not cancelled", i);
    }
    test_finish();
    return 0;
}
