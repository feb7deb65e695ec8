/* MPI_Abort of one rank ends all ranks, including those that wait, with the given exit code. */
/* ranks: 1 2 4 */
/* expect: exit=7 */
#include "harness.h"

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    if (test_rank == test_size - 1)
        MPI_Abort(MPI_COMM_WORLD, 7);
    test_await(MPI_ANY_SOURCE, 1);
    return 0;
}
