/* Benchmarks sum MPI_CHAR by default, on buffers of one letter, with every reduction. */
/* ranks: 1 2 3 4 */
#include "harness.h"

enum { MOST = 4096 };

static char mine[4 * MOST], sums[4 * MOST];
static int counts[64];

/* Each rank contributes 1: the sum is the number of ranks, in a scan the number of ranks so far. */
static void expect(const char *call, int count, int sum)
{
    for (int i = 0; i < count; i++)
        CHECK(sums[i] == sum, "%s of %d: element %d is %d, not %d", call, count, i, sums[i], sum);
    memset(sums, 0, sizeof sums);
}

static void sum(int count)
{
    MPI_Request request;
    TRY(MPI_Allreduce(mine, sums, count, MPI_CHAR, MPI_SUM, MPI_COMM_WORLD));
    expect("MPI_Allreduce", count, test_size);
    TRY(MPI_Reduce(mine, sums, count, MPI_CHAR, MPI_SUM, 0, MPI_COMM_WORLD));
    expect("MPI_Reduce", test_rank == 0 ? count : 0, test_size);
    TRY(MPI_Scan(mine, sums, count, MPI_CHAR, MPI_SUM, MPI_COMM_WORLD));
    expect("MPI_Scan", count, test_rank + 1);
    TRY(MPI_Iallreduce(mine, sums, count, MPI_CHAR, MPI_SUM, MPI_COMM_WORLD, &request));
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    expect("MPI_Iallreduce", count, test_size);
    TRY(MPI_Reduce_scatter_block(mine, sums, count, MPI_CHAR, MPI_SUM, MPI_COMM_WORLD));
    expect("MPI_Reduce_scatter_block", count, test_size);
    for (int i = 0; i < test_size; i++)
        counts[i] = count;
    TRY(MPI_Reduce_scatter(mine, sums, counts, MPI_CHAR, MPI_SUM, MPI_COMM_WORLD));
    expect("MPI_Reduce_scatter", count, test_size);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    memset(mine, 1, sizeof mine);
    for (int count = 1; count <= MOST; count *= 2)
        sum(count);
    test_finish();
    return 0;
}
