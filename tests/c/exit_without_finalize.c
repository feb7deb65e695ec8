/* A rank that exits without MPI_Finalize while others wait for it: the job ends and fails. */
/* ranks: 2 4 */
/* expect: exit=nonzero */
#include "harness.h"

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    if (test_rank == 1)
        exit(0);
    test_await(1, 1);
    TRY(MPI_Finalize());
    return 0;
}
