/* Nothing but the beginning and the end of MPI, and with an argument a barrier between them; the
 * time is taken around mpirun, from outside. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    (void)argv;
    MPI_Init(NULL, NULL);
    if (argc > 1)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
