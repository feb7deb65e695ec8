/* The job's exit status is that of the rank. */
/* ranks: 1 3 */
/* expect: exit=3 */
#include "harness.h"

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    TRY(MPI_Finalize());
    return test_rank == test_size - 1 ? 3 : 0;
}
