/* The last rank computes for so many seconds as the argument says, longer than a silent peer is
 * waited for, while rank 0 waits for it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { QUESTION = 1, ANSWER = 2 };

int main(int argc, char **argv)
{
    int rank, size, word = 7;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        MPI_Send(&word, 1, MPI_INT, size - 1, QUESTION, MPI_COMM_WORLD);
        MPI_Recv(&word, 1, MPI_INT, size - 1, ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == size - 1) {
        sleep((unsigned)atoi(argc > 1 ? argv[1] : "0"));
        MPI_Recv(&word, 1, MPI_INT, 0, QUESTION, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&word, 1, MPI_INT, 0, ANSWER, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    if (rank == 0)
        printf("ok busy\n");
    return 0;
}
