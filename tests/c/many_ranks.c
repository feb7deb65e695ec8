/* Sixty-four ranks, more than most test machines have cores: every collective, with short and
 * long data, and some nonblocking ones. */
/* ranks: 64 */
#include "coll.h"

/* Ints: 8 bytes, 8 KiB, 64 KiB. Blocks have at most 8 KiB: those of all ranks together are 64
 * times as long. */
static const int counts[] = {2, 2048, 16384};
enum { COUNTS = sizeof counts / sizeof *counts, COUNT_MAX = 16384, BLOCK_MAX = 2048, ROUNDS = 3 };

static int *mine, *all, *out, *lengths, *places;

static void bcast_and_reduce(int count, int root)
{
    coll_clear(all, (size_t)count);
    if (test_rank == root)
        coll_fill(all, count, root, 1);
    TRY(MPI_Bcast(all, count, MPI_INT, root, MPI_COMM_WORLD));
    coll_check(all, count, root, 1, "MPI_Bcast");
    coll_fill(mine, count, test_rank, 2);
    coll_clear(all, (size_t)count);
    TRY(MPI_Reduce(mine, all, count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD));
    for (int i = 0; test_rank == root && i < count; i++)
        CHECK(all[i] == coll_sum(i, 2), "MPI_Reduce of %d: %d at %d", count, all[i], i);
}

/* The sum over ranks `0..end`. */
static void check_sum(const int *sums, int first, int count, int end, const char *what)
{
    for (int i = 0; i < count; i++) {
        unsigned wanted = 0;
        for (int r = 0; r < end; r++)
            wanted += (unsigned)coll_value(r, first + i, 3);
        CHECK(sums[i] == (int)wanted, "%s of %d: %d at %d; must be %d", what, count, sums[i], i,
              (int)wanted);
    }
}

static void sums(int count)
{
    int block = count / test_size;
    coll_fill(mine, count, test_rank, 3);
    TRY(MPI_Allreduce(mine, all, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    check_sum(all, 0, count, test_size, "MPI_Allreduce");
    TRY(MPI_Scan(mine, all, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    check_sum(all, 0, count, test_rank + 1, "MPI_Scan");
    TRY(MPI_Exscan(mine, all, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    check_sum(all, 0, test_rank > 0 ? count : 0, test_rank, "MPI_Exscan");
    TRY(MPI_Reduce_scatter_block(mine, all, block, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    check_sum(all, test_rank * block, block, test_size, "MPI_Reduce_scatter_block");
    for (int r = 0; r < test_size; r++)
        lengths[r] = r == test_size - 1 ? count : 0;
    TRY(MPI_Reduce_scatter(mine, all, lengths, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    check_sum(all, 0, lengths[test_rank], test_size, "MPI_Reduce_scatter");
}

static void rooted_blocks(int count, int root)
{
    coll_fill(mine, count, test_rank, 4);
    TRY(MPI_Gather(mine, count, MPI_INT, all, count, MPI_INT, root, MPI_COMM_WORLD));
    for (int r = 0; test_rank == root && r < test_size; r++)
        coll_check(all + r * count, count, r, 4, "MPI_Gather");
    for (int r = 0; test_rank == root && r < test_size; r++)
        coll_fill(all + r * count, count, r, 5);
    TRY(MPI_Scatter(all, count, MPI_INT, mine, count, MPI_INT, root, MPI_COMM_WORLD));
    coll_check(mine, count, test_rank, 5, "MPI_Scatter");
    for (int r = 0; r < test_size; r++) {
        lengths[r] = count;
        places[r] = r * count;
    }
    coll_fill(mine, count, test_rank, 9);
    TRY(MPI_Gatherv(mine, count, MPI_INT, all, lengths, places, MPI_INT, root, MPI_COMM_WORLD));
    for (int r = 0; test_rank == root && r < test_size; r++)
        coll_check(all + r * count, count, r, 9, "MPI_Gatherv");
    for (int r = 0; test_rank == root && r < test_size; r++)
        coll_fill(all + r * count, count, r, 10);
    TRY(MPI_Scatterv(all, lengths, places, MPI_INT, mine, count, MPI_INT, root, MPI_COMM_WORLD));
    coll_check(mine, count, test_rank, 10, "MPI_Scatterv");
}

static void blocks(int count)
{
    coll_fill(mine, count, test_rank, 6);
    TRY(MPI_Allgather(mine, count, MPI_INT, all, count, MPI_INT, MPI_COMM_WORLD));
    for (int r = 0; r < test_size; r++)
        coll_check(all + r * count, count, r, 6, "MPI_Allgather");
    for (int r = 0; r < test_size; r++)
        coll_fill(out + r * count, count, test_rank * 100 + r, 7);
    TRY(MPI_Alltoall(out, count, MPI_INT, all, count, MPI_INT, MPI_COMM_WORLD));
    for (int r = 0; r < test_size; r++)
        coll_check(all + r * count, count, r * 100 + test_rank, 7, "MPI_Alltoall");
}

/* These use messages, whatever the blocking ones use. */
static void begun(int count)
{
    MPI_Request requests[3];
    int *sum = out, *gathered = all, last = test_size - 1;
    coll_fill(mine, count, test_rank, 8);
    TRY(MPI_Iallreduce(mine, sum, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]));
    TRY(MPI_Igather(mine, count, MPI_INT, gathered, count, MPI_INT, last, MPI_COMM_WORLD,
                    &requests[1]));
    TRY(MPI_Ibarrier(MPI_COMM_WORLD, &requests[2]));
    TRY(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < count; i++)
        CHECK(sum[i] == coll_sum(i, 8), "MPI_Iallreduce of %d is wrong at %d", count, i);
    for (int r = 0; test_rank == last && r < test_size; r++)
        coll_check(gathered + r * count, count, r, 8, "MPI_Igather");
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    mine = coll_alloc(COUNT_MAX);
    all = coll_alloc((size_t)BLOCK_MAX * (size_t)test_size);
    out = coll_alloc((size_t)BLOCK_MAX * (size_t)test_size);
    lengths = coll_alloc((size_t)test_size);
    places = coll_alloc((size_t)test_size);
    for (int round = 0; round < ROUNDS; round++)
        for (int c = 0; c < COUNTS; c++) {
            int root = (round * 29 + c) % test_size;
            bcast_and_reduce(counts[c], root);
            sums(counts[c]);
            TRY(MPI_Barrier(MPI_COMM_WORLD));
            if (counts[c] > BLOCK_MAX)
                continue;
            rooted_blocks(counts[c], root);
            blocks(counts[c]);
            begun(counts[c]);
        }
    free(mine);
    free(all);
    free(out);
    free(lengths);
    free(places);
    test_finish();
    return 0;
}
