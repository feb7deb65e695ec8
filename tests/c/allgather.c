/* Allgather of all sizes, in place and not. */
/* ranks: 1 2 3 4 5 6 7 8 */
#include "coll.h"

static int *mine, *all;

static void check(int count, const char *what)
{
    for (int r = 0; r < test_size; r++)
        coll_check(all + (size_t)r * count, count, r, count, what);
    coll_check_untouched(all + (size_t)test_size * count, 1, what);
}

static void two_buffers(int count)
{
    coll_fill(mine, count, test_rank, count);
    coll_clear(all, (size_t)test_size * count + 1);
    TRY(MPI_Allgather(mine, count, MPI_INT, all, count, MPI_INT, MPI_COMM_WORLD));
    check(count, "MPI_Allgather");
}

static void in_place(int count)
{
    coll_clear(all, (size_t)test_size * count + 1);
    coll_fill(all + (size_t)test_rank * count, count, test_rank, count);
    TRY(MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, count, MPI_INT, MPI_COMM_WORLD));
    check(count, "MPI_Allgather in place");
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    mine = coll_alloc(COLL_BLOCK_MAX);
    all = coll_alloc((size_t)COLL_BLOCK_MAX * test_size + 1);
    for (int s = 0; s < COLL_SIZES && coll_counts[s] <= COLL_BLOCK_MAX; s++) {
        two_buffers(coll_counts[s]);
        in_place(coll_counts[s]);
    }
    two_buffers(COLL_BLOCK_MAX);
    in_place(COLL_BLOCK_MAX);
    for (int i = 0; i < 300; i++)
        two_buffers(i % 12);
    free(mine);
    free(all);
    test_finish();
    return 0;
}
