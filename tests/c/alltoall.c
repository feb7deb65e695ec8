/* Alltoall of all sizes, in place and not. */
/* ranks: 1 2 3 4 5 6 7 8 */
#include "coll.h"

static int *out, *in;

/* The value that rank `from` sends to rank `to`. */
static int pair(int from, int to)
{
    return from * 64 + to;
}

static void fill(int *data, int count)
{
    for (int to = 0; to < test_size; to++)
        coll_fill(data + (size_t)to * count, count, pair(test_rank, to), count);
}

static void check(int count, const char *what)
{
    for (int from = 0; from < test_size; from++)
        coll_check(in + (size_t)from * count, count, pair(from, test_rank), count, what);
    coll_check_untouched(in + (size_t)test_size * count, 1, what);
}

static void two_buffers(int count)
{
    fill(out, count);
    coll_clear(in, (size_t)test_size * count + 1);
    TRY(MPI_Alltoall(out, count, MPI_INT, in, count, MPI_INT, MPI_COMM_WORLD));
    check(count, "MPI_Alltoall");
    for (int to = 0; to < test_size; to++)
        coll_check(out + (size_t)to * count, count, pair(test_rank, to), count,
                   "the send buffer of MPI_Alltoall");
}

static void in_place(int count)
{
    coll_clear(in, (size_t)test_size * count + 1);
    fill(in, count);
    TRY(MPI_Alltoall(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, in, count, MPI_INT, MPI_COMM_WORLD));
    check(count, "MPI_Alltoall in place");
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    out = coll_alloc((size_t)COLL_BLOCK_MAX * test_size);
    in = coll_alloc((size_t)COLL_BLOCK_MAX * test_size + 1);
    for (int s = 0; s < COLL_SIZES && coll_counts[s] <= COLL_BLOCK_MAX; s++) {
        two_buffers(coll_counts[s]);
        in_place(coll_counts[s]);
    }
    two_buffers(COLL_BLOCK_MAX);
    in_place(COLL_BLOCK_MAX);
    for (int i = 0; i < 300; i++)
        two_buffers(i % 12);
    free(out);
    free(in);
    test_finish();
    return 0;
}
