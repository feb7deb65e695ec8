/* By default an error ends the job, with a message that names the function. */
/* ranks: 1 2 */
/* expect: exit=nonzero */
/* output: MPI_Send */
#include "harness.h"

int main(int argc, char **argv)
{
    int value = 0;
    test_start(&argc, &argv);
    if (test_rank == 0)
        MPI_Send(&value, 1, MPI_INT, test_size + 5, 0, MPI_COMM_WORLD);
    else
        test_await(0, 1); /* never arrives: the error of rank 0 must end this rank too */
    printf("rank %d was still running after a fatal error\n", test_rank);
    MPI_Finalize();
    return 0;
}
