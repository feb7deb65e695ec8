/* Reduces long vectors: how many packets that takes shows by which algorithm. */
#include <mpi.h>
#include <stdlib.h>

enum { BYTES = 65536, TIMES = 100 };

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    char *from = calloc(BYTES, 1), *to = calloc(BYTES, 1);
    for (int i = 0; i < TIMES; i++) {
        MPI_Reduce(from, to, BYTES, MPI_CHAR, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    free(from);
    free(to);
    MPI_Finalize();
    return 0;
}
