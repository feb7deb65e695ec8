/* Every rank waits for a message that its left neighbour would only send later: a deadlock, to
 * look at the stall report. Runs until it is stopped. */
/* kind: manual */
#include "harness.h"

int main(int argc, char **argv)
{
    int value = 0;
    test_start(&argc, &argv);
    TRY(MPI_Recv(&value, 1, MPI_INT, (test_rank + test_size - 1) % test_size, 42, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE));
    TRY(MPI_Send(&value, 1, MPI_INT, (test_rank + 1) % test_size, 42, MPI_COMM_WORLD));
    test_finish();
    return 0;
}
