/* Operations of the user: commutative and noncommutative ones, for which the order of ranks
 * matters; on a predefined and on derived datatypes; with every root and in place; that ask MPI
 * about the datatype. */
/* ranks: 1 2 3 4 5 6 7 8 */
#include "harness.h"

enum { COUNT_MAX = 20000, PRIME = 65521, MAX_RANKS = 64 };

/* x -> a * x + b modulo a prime. The composition of two is associative and noncommutative. */
struct line {
    uint32_t a, b;
};

static struct line compose(struct line first, struct line then)
{
    struct line both = {(uint32_t)((uint64_t)first.a * then.a % PRIME),
                        (uint32_t)(((uint64_t)first.b * then.a + then.b) % PRIME)};
    return both;
}

/* The datatype of the elements. */
static MPI_Datatype words_type;

static void compose_words(void *in, void *inout, int *count, MPI_Datatype *type)
{
    struct line *left = in, *right = inout;
    int bytes = 0, rank = -1;
    CHECK(*type == words_type, "a user's operation is told another datatype");
    TRY(MPI_Type_size(*type, &bytes));
    TRY(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    CHECK(bytes == sizeof *left && rank == test_rank, "in an operation: %d bytes, rank %d", bytes,
          rank);
    for (int i = 0; i < *count; i++)
        right[i] = compose(left[i], right[i]);
}

static void add_ints(void *in, void *inout, int *count, MPI_Datatype *type)
{
    int *left = in, *right = inout;
    (void)type;
    for (int i = 0; i < *count; i++)
        right[i] += left[i];
}

static struct line line_of(int rank, int i)
{
    struct line l = {(uint32_t)(2 + rank * 3 + i % 100), (uint32_t)(rank * 1001 + i)};
    return l;
}

static void fill(struct line *data, int count)
{
    for (int i = 0; i < count; i++)
        data[i] = line_of(test_rank, i);
}

/* Elements from `start` on of what the first `ranks` have. */
static void check_of(int ranks, const struct line *data, int start, int count, const char *what)
{
    for (int i = 0; i < count; i++) {
        struct line wanted = line_of(0, start + i);
        for (int r = 1; r < ranks; r++)
            wanted = compose(wanted, line_of(r, start + i));
        CHECK(data[i].a == wanted.a && data[i].b == wanted.b,
              "%s of %d: (%u, %u) at %d; must be (%u, %u)", what, count, data[i].a, data[i].b, i,
              wanted.a, wanted.b);
    }
}

static void check(const struct line *data, int count, const char *what)
{
    check_of(test_size, data, 0, count, what);
}

static void in_order(MPI_Op op, int count)
{
    static struct line mine[COUNT_MAX], result[COUNT_MAX];
    for (int root = 0; root < test_size; root++) {
        bool here = test_rank == root;
        fill(mine, count);
        TRY(MPI_Reduce(mine, here ? result : NULL, count, words_type, op, root, MPI_COMM_WORLD));
        if (here)
            check(result, count, "MPI_Reduce");
        TRY(MPI_Reduce(here ? MPI_IN_PLACE : mine, here ? mine : NULL, count, words_type, op,
                       root, MPI_COMM_WORLD));
        if (here)
            check(mine, count, "MPI_Reduce in place");
    }
    fill(mine, count);
    TRY(MPI_Allreduce(mine, result, count, words_type, op, MPI_COMM_WORLD));
    check(result, count, "MPI_Allreduce");
    TRY(MPI_Allreduce(MPI_IN_PLACE, mine, count, words_type, op, MPI_COMM_WORLD));
    check(mine, count, "MPI_Allreduce in place");
    fill(mine, count);
    TRY(MPI_Scan(mine, result, count, words_type, op, MPI_COMM_WORLD));
    check_of(test_rank + 1, result, 0, count, "MPI_Scan");
    TRY(MPI_Exscan(mine, result, count, words_type, op, MPI_COMM_WORLD));
    if (test_rank > 0)
        check_of(test_rank, result, 0, count, "MPI_Exscan");
    int block = count / test_size, counts[MAX_RANKS];
    TRY(MPI_Reduce_scatter_block(mine, result, block, words_type, op, MPI_COMM_WORLD));
    check_of(test_size, result, test_rank * block, block, "MPI_Reduce_scatter_block");
    for (int rank = 0; rank < test_size; rank++)
        counts[rank] = rank == 0 ? count - (test_size - 1) * block : block;
    TRY(MPI_Reduce_scatter(mine, result, counts, words_type, op, MPI_COMM_WORLD));
    check_of(test_size, result, test_rank == 0 ? 0 : counts[0] + (test_rank - 1) * block,
             counts[test_rank], "MPI_Reduce_scatter");
}

static void commuting(MPI_Op op)
{
    int in[50], out[50];
    for (int i = 0; i < 50; i++)
        in[i] = test_rank + i;
    TRY(MPI_Allreduce(in, out, 50, MPI_INT, op, MPI_COMM_WORLD));
    for (int i = 0; i < 50; i++)
        CHECK(out[i] == test_size * (test_size - 1) / 2 + i * test_size, "a user's sum is %d at %d",
              out[i], i);
}

/* How many ints an element has. */
static int ints_in_element;

static void add_elements(void *in, void *inout, int *count, MPI_Datatype *type)
{
    int *left = in, *right = inout;
    (void)type;
    for (size_t i = 0; i < (size_t)*count * (size_t)ints_in_element; i++)
        right[i] += left[i];
}

/* Elements that are no power of two, or longer than what is copied in at once. */
static void elements_of(int ints, MPI_Op op)
{
    enum { ELEMENTS = 3 };
    MPI_Datatype type;
    size_t all = (size_t)ints * ELEMENTS;
    int *in = malloc(all * sizeof *in), *out = malloc(all * sizeof *out);
    ints_in_element = ints;
    TRY(MPI_Type_contiguous(ints, MPI_INT, &type));
    TRY(MPI_Type_commit(&type));
    for (int what = 0; what < 3; what++) {
        for (size_t i = 0; i < all; i++)
            in[i] = test_rank + (int)i, out[i] = -1;
        int ranks = what == 2 ? test_rank + 1 : test_size;
        if (what == 0)
            TRY(MPI_Allreduce(in, out, ELEMENTS, type, op, MPI_COMM_WORLD));
        if (what == 1)
            TRY(MPI_Reduce(in, out, ELEMENTS, type, op, 0, MPI_COMM_WORLD));
        if (what == 2)
            TRY(MPI_Scan(in, out, ELEMENTS, type, op, MPI_COMM_WORLD));
        for (size_t i = 0; i < all && (what != 1 || test_rank == 0); i++)
            CHECK(out[i] == ranks * (ranks - 1) / 2 + ranks * (int)i, "%d in place %zu of %d ints",
                  out[i], i, ints);
    }
    TRY(MPI_Type_free(&type));
    free(in);
    free(out);
}

static void applied_here(MPI_Op op)
{
    struct line in = {3, 4}, inout = {5, 6}, wanted = compose(in, inout);
    TRY(MPI_Reduce_local(&in, &inout, 1, words_type, op));
    CHECK(inout.a == wanted.a && inout.b == wanted.b, "MPI_Reduce_local gives (%u, %u)", inout.a,
          inout.b);
}

int main(int argc, char **argv)
{
    const int counts[] = {0, 1, 5, 64, 1000, COUNT_MAX};
    MPI_Op words, sum;
    int commutes = -1;
    test_start(&argc, &argv);
    TRY(MPI_Op_create(compose_words, 0, &words));
    TRY(MPI_Op_create(add_ints, 1, &sum));
    TRY(MPI_Op_commutative(words, &commutes));
    CHECK(!commutes, "an operation made with commute=0 is said to commute");
    TRY(MPI_Op_commutative(sum, &commutes));
    CHECK(commutes, "an operation made with commute=1 is said not to commute");
    MPI_Datatype types[] = {MPI_UINT64_T, MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
    TRY(MPI_Type_contiguous(2, MPI_UINT32_T, &types[1]));
    TRY(MPI_Type_dup(MPI_UINT64_T, &types[2]));
    for (int t = 0; t < 3; t++) {
        words_type = types[t];
        if (t > 0)
            TRY(MPI_Type_commit(&types[t]));
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            in_order(words, counts[c]);
        applied_here(words);
        if (t > 0)
            TRY(MPI_Type_free(&types[t]));
    }
    commuting(sum);
    const int lengths[] = {3, 1000, (70 << 10) / sizeof(int), (128 << 10) / sizeof(int)};
    for (int commute = 0; commute < 2; commute++) {
        MPI_Op elements;
        TRY(MPI_Op_create(add_elements, commute, &elements));
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
            elements_of(lengths[i], elements);
        TRY(MPI_Op_free(&elements));
    }
    TRY(MPI_Op_free(&words));
    TRY(MPI_Op_free(&sum));
    CHECK(sum == MPI_OP_NULL, "MPI_Op_free leaves a handle");
    test_finish();
    return 0;
}
