/* Operations of the user: commutative and noncommutative ones, for which the order of ranks
 * matters; on a predefined and on a derived datatype; with every root and in place. */
/* ranks: 1 2 3 4 5 6 7 8 */
#include "harness.h"

enum { COUNT_MAX = 20000, PRIME = 65521 };

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

static void compose_words(void *in, void *inout, int *count, MPI_Datatype *type)
{
    struct line *left = in, *right = inout;
    CHECK(*type == MPI_UINT64_T, "a user's operation is told another datatype");
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

static void check(const struct line *data, int count, const char *what)
{
    for (int i = 0; i < count; i++) {
        struct line wanted = line_of(0, i);
        for (int r = 1; r < test_size; r++)
            wanted = compose(wanted, line_of(r, i));
        CHECK(data[i].a == wanted.a && data[i].b == wanted.b,
              "%s of %d: (%u, %u) at %d; must be (%u, %u)", what, count, data[i].a, data[i].b, i,
              wanted.a, wanted.b);
    }
}

static void in_order(MPI_Op op, int count)
{
    static struct line mine[COUNT_MAX], result[COUNT_MAX];
    for (int root = 0; root < test_size; root++) {
        bool here = test_rank == root;
        fill(mine, count);
        TRY(MPI_Reduce(mine, here ? result : NULL, count, MPI_UINT64_T, op, root, MPI_COMM_WORLD));
        if (here)
            check(result, count, "MPI_Reduce");
        TRY(MPI_Reduce(here ? MPI_IN_PLACE : mine, here ? mine : NULL, count, MPI_UINT64_T, op,
                       root, MPI_COMM_WORLD));
        if (here)
            check(mine, count, "MPI_Reduce in place");
    }
    fill(mine, count);
    TRY(MPI_Allreduce(mine, result, count, MPI_UINT64_T, op, MPI_COMM_WORLD));
    check(result, count, "MPI_Allreduce");
    TRY(MPI_Allreduce(MPI_IN_PLACE, mine, count, MPI_UINT64_T, op, MPI_COMM_WORLD));
    check(mine, count, "MPI_Allreduce in place");
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

static void applied_here(MPI_Op op)
{
    struct line in = {3, 4}, inout = {5, 6}, wanted = compose(in, inout);
    TRY(MPI_Reduce_local(&in, &inout, 1, MPI_UINT64_T, op));
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
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        in_order(words, counts[c]);
    commuting(sum);
    applied_here(words);
    TRY(MPI_Op_free(&words));
    TRY(MPI_Op_free(&sum));
    CHECK(sum == MPI_OP_NULL, "MPI_Op_free leaves a handle");
    test_finish();
    return 0;
}
