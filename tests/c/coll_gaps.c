/* Collectives on datatypes with gaps, short and long: the data arrives, and no byte of a gap or of
 * a buffer that is only read is written. Pairs of a value and an index have gaps of their own. */
/* ranks: 1 2 3 4 */
#include "coll.h"

enum { BLOCKS_MAX = 3000, ROUNDS = 4, STRIDE = 3, PATTERN = 0x5a };

static const int block_counts[] = {1, 5, 100, 1000, BLOCKS_MAX};

/* Ints in the first two of every three places; in the third is a gap. */
static MPI_Datatype gapped;

static int *mine, *all, *kept;

static void set(int *data, int blocks, int rank, int salt)
{
    for (int i = 0; i < blocks * STRIDE; i++)
        data[i] = i % STRIDE == 2 ? COLL_UNTOUCHED : coll_value(rank, i, salt);
}

static void check(const int *data, int blocks, int rank, int salt, const char *what)
{
    for (int i = 0; i < blocks * STRIDE; i++) {
        int wanted = i % STRIDE == 2 ? COLL_UNTOUCHED : coll_value(rank, i, salt);
        CHECK(data[i] == wanted, "%s of %d blocks: %d at %d; must be %d", what, blocks, data[i], i,
              wanted);
    }
}

static int *place(int rank, int blocks)
{
    return all + (size_t)rank * (size_t)blocks * STRIDE;
}

static void moved(int n, int salt)
{
    int root = salt % test_size;
    set(mine, n, test_rank, salt);
    coll_clear(all, (size_t)test_size * (size_t)n * STRIDE);
    TRY(MPI_Allgather(mine, n, gapped, all, n, gapped, MPI_COMM_WORLD));
    for (int r = 0; r < test_size; r++)
        check(place(r, n), n, r, salt, "MPI_Allgather");
    TRY(MPI_Alltoall(all, n, gapped, kept, n, gapped, MPI_COMM_WORLD));
    for (int r = 0; r < test_size; r++)
        check(kept + (place(r, n) - all), n, test_rank, salt, "MPI_Alltoall");
    coll_clear(all, (size_t)test_size * (size_t)n * STRIDE);
    TRY(MPI_Gather(mine, n, gapped, all, n, gapped, root, MPI_COMM_WORLD));
    for (int r = 0; test_rank == root && r < test_size; r++)
        check(place(r, n), n, r, salt, "MPI_Gather");
    coll_clear(mine, (size_t)n * STRIDE);
    TRY(MPI_Scatter(all, n, gapped, mine, n, gapped, root, MPI_COMM_WORLD));
    check(mine, n, test_rank, salt, "MPI_Scatter");
    if (test_rank != root)
        coll_clear(mine, (size_t)n * STRIDE);
    TRY(MPI_Bcast(mine, n, gapped, root, MPI_COMM_WORLD));
    check(mine, n, root, salt, "MPI_Bcast");
    set(mine, n, test_rank, salt);
    coll_clear(all, (size_t)test_size * (size_t)n * STRIDE);
    set(place(test_rank, n), n, test_rank, salt + 1);
    TRY(MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, all, n, gapped, MPI_COMM_WORLD));
    for (int r = 0; r < test_size; r++)
        check(place(r, n), n, r, salt + 1, "MPI_Allgather in place");
    check(mine, n, test_rank, salt, "a buffer that nobody names");
}

/* Ranks describe the same data differently. */
static void described_differently(int n, int salt)
{
    int *packed = coll_alloc(2 * (size_t)n);
    set(mine, n, test_rank, salt);
    for (int i = 0; i < 2 * n; i++)
        packed[i] = mine[i / 2 * STRIDE + i % 2];
    coll_clear(all, (size_t)test_size * (size_t)n * STRIDE);
    if (test_rank % 2)
        TRY(MPI_Allgather(packed, 2 * n, MPI_INT, all, n, gapped, MPI_COMM_WORLD));
    else
        TRY(MPI_Allgather(mine, n, gapped, all, n, gapped, MPI_COMM_WORLD));
    for (int r = 0; r < test_size; r++)
        check(place(r, n), n, r, salt, "MPI_Allgather of ints");
    free(packed);
}

/* The columns of a matrix lie between one another: the last of each rank becomes a column of all,
 * and keeps its own place. */
static void interleaved(int n, int salt)
{
    int width = test_size + 1;
    int *matrix = coll_alloc((size_t)n * (size_t)width);
    MPI_Datatype column, stepped;
    TRY(MPI_Type_vector(n, 1, width, MPI_INT, &column));
    TRY(MPI_Type_create_resized(column, 0, sizeof(int), &stepped));
    TRY(MPI_Type_commit(&stepped));
    for (int i = 0; i < n * width; i++)
        matrix[i] = coll_value(test_rank, i / width, salt);
    TRY(MPI_Allgather(matrix + test_size, 1, stepped, matrix, 1, stepped, MPI_COMM_WORLD));
    for (int i = 0; i < n * width; i++) {
        int from = i % width == test_size ? test_rank : i % width;
        CHECK(matrix[i] == coll_value(from, i / width, salt), "a matrix has %d in row %d of %d, "
              "column %d", matrix[i], i / width, n, i % width);
    }
    TRY(MPI_Type_free(&column));
    TRY(MPI_Type_free(&stepped));
    free(matrix);
}

static void check_pattern(const void *start, const void *end, const char *type, const char *what)
{
    for (const unsigned char *b = start; b < (const unsigned char *)end; b++)
        CHECK(*b == PATTERN, "%s, %s writes where nothing belongs", type, what);
}

/* Pairs, whose padding is a pattern, in every reduction. */
#define PAIRS(name, Value, TYPE)                                                                  \
    struct name {                                                                                 \
        Value value;                                                                              \
        int index;                                                                                \
    };                                                                                            \
    static void name##_set(struct name *p, int n, int rank)                                       \
    {                                                                                             \
        memset(p, PATTERN, (size_t)n * sizeof *p);                                                \
        for (int i = 0; i < n; i++) {                                                             \
            p[i].value = (Value)((i + 2 * rank) % 5);                                             \
            p[i].index = 100 * i + rank;                                                          \
        }                                                                                         \
    }                                                                                             \
    /* The best of ranks `first` to `last`, the lowest index among equals. */                     \
    static void name##_check(const struct name *p, int at, int n, int first, int last,            \
                             const char *what)                                                    \
    {                                                                                             \
        for (int i = 0; i < n; i++) {                                                             \
            int best = first;                                                                     \
            for (int r = first; r <= last; r++)                                                   \
                if ((at + i + 2 * r) % 5 > (at + i + 2 * best) % 5)                               \
                    best = r;                                                                     \
            Value value = (Value)((at + i + 2 * best) % 5);                                       \
            int index = 100 * (at + i) + best;                                                    \
            CHECK(p[i].value == value && p[i].index == index,                                     \
                  #TYPE ", %s of %d: index %d at %d; must be %d", what, n, p[i].index, i, index); \
            check_pattern(&p[i].value + 1, &p[i].index, #TYPE, what);                             \
            check_pattern(&p[i].index + 1, p + i + 1, #TYPE, what);                               \
        }                                                                                         \
    }                                                                                             \
    static void name##_test(int n)                                                                \
    {                                                                                             \
        struct name *from = test_alloc((size_t)(n * test_size) * sizeof *from);                   \
        struct name *to = test_alloc((size_t)(n * test_size) * sizeof *to);                       \
        int last = test_size - 1;                                                                 \
        name##_set(from, n * test_size, test_rank);                                               \
        memset(to, PATTERN, (size_t)(n * test_size) * sizeof *to);                                \
        TRY(MPI_Allreduce(from, to, n, TYPE, MPI_MAXLOC, MPI_COMM_WORLD));                        \
        name##_check(to, 0, n, 0, last, "MPI_Allreduce");                                         \
        TRY(MPI_Scan(from, to, n, TYPE, MPI_MAXLOC, MPI_COMM_WORLD));                             \
        name##_check(to, 0, n, 0, test_rank, "MPI_Scan");                                         \
        memset(to, PATTERN, (size_t)(n * test_size) * sizeof *to);                                \
        TRY(MPI_Exscan(from, to, n, TYPE, MPI_MAXLOC, MPI_COMM_WORLD));                           \
        if (test_rank > 0)                                                                        \
            name##_check(to, 0, n, 0, test_rank - 1, "MPI_Exscan");                               \
        else                                                                                      \
            check_pattern(to, to + n, #TYPE, "MPI_Exscan at rank 0");                             \
        TRY(MPI_Reduce_scatter_block(from, to, n, TYPE, MPI_MAXLOC, MPI_COMM_WORLD));             \
        name##_check(to, n * test_rank, n, 0, last, "MPI_Reduce_scatter_block");                  \
        TRY(MPI_Reduce(from, to, n, TYPE, MPI_MAXLOC, last, MPI_COMM_WORLD));                     \
        if (test_rank == last)                                                                    \
            name##_check(to, 0, n, 0, last, "MPI_Reduce");                                        \
        name##_check(from, 0, n *test_size, test_rank, test_rank, "what is only read");           \
        TRY(MPI_Allreduce(MPI_IN_PLACE, from, n, TYPE, MPI_MAXLOC, MPI_COMM_WORLD));              \
        name##_check(from, 0, n, 0, last, "MPI_Allreduce in place");                              \
        free(from);                                                                               \
        free(to);                                                                                 \
    }

PAIRS(double_int, double, MPI_DOUBLE_INT)
PAIRS(long_int, long, MPI_LONG_INT)
PAIRS(short_int, short, MPI_SHORT_INT)
PAIRS(long_double_int, long double, MPI_LONG_DOUBLE_INT)
PAIRS(float_int, float, MPI_FLOAT_INT)
PAIRS(two_ints, int, MPI_2INT)

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    TRY(MPI_Type_vector(1, 2, STRIDE, MPI_INT, &gapped));
    MPI_Datatype block = gapped;
    TRY(MPI_Type_create_resized(block, 0, STRIDE * (MPI_Aint)sizeof(int), &gapped));
    TRY(MPI_Type_free(&block));
    TRY(MPI_Type_commit(&gapped));
    mine = coll_alloc(BLOCKS_MAX * STRIDE);
    all = coll_alloc((size_t)test_size * BLOCKS_MAX * STRIDE);
    kept = coll_alloc((size_t)test_size * BLOCKS_MAX * STRIDE);
    coll_clear(kept, (size_t)test_size * BLOCKS_MAX * STRIDE);
    for (int round = 0; round < ROUNDS; round++)
        for (size_t k = 0; k < sizeof block_counts / sizeof *block_counts; k++) {
            moved(block_counts[k], round + (int)k);
            described_differently(block_counts[k], round);
            interleaved(block_counts[k], round);
            double_int_test(block_counts[k]);
            long_int_test(block_counts[k]);
            short_int_test(block_counts[k]);
            long_double_int_test(block_counts[k]);
            float_int_test(block_counts[k]);
            two_ints_test(block_counts[k]);
        }
    TRY(MPI_Type_free(&gapped));
    free(mine);
    free(all);
    free(kept);
    test_finish();
}
