/* Broadcasts vectors that the table of hpc7g cuts in two and the built-in rules send whole: how
 * many packets rank 1 answers with shows by which of them. */
#include <mpi.h>
#include <stdlib.h>

enum { BYTES = 131072, TIMES = 100 };

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    char *vector = calloc(BYTES, 1);
    for (int i = 0; i < TIMES; i++) {
        MPI_Bcast(vector, BYTES, MPI_CHAR, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    free(vector);
    MPI_Finalize();
    return 0;
}
