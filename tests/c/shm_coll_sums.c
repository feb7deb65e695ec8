/* Collectives with an operator, over every kind of shared memory: vectors of many lengths, a
 * noncommutative operator, elements with gaps, every root, and in place; the results are
 * compared with a plain loop over the ranks. */
/* ranks: 2 3 4 7 */
/* args: cico */
/* args: partitioned */
/* args: pipelined */
/* args: chains */
/* args: tree */
/* args: levels */
/* args: single_copy */
/* args: put */
/* args: default off */
/* args: single_copy receiver */
#include "shm_coll.h"

enum { PRIME = 65521, WORDS_MAX = 3 };

/* Elements in a vector: 2048 ints or 1024 pairs are 8 KiB. */
static const int counts[] = {0, 1, 5, 12, 999, 2048, 2049, 10240, 76800};
enum { COUNTS = sizeof counts / sizeof *counts, COUNT_MAX = 76800, PAIRS_MAX = 20000 };

/* x -> a * x + b modulo a prime: the composition of two is associative and noncommutative. */
struct value {
    uint32_t a, b;
};

/* A kind of element: its number of 32-bit words in memory, and its operator. */
struct kind {
    const char *name;
    MPI_Datatype type;
    MPI_Op op;
    int words;
    bool is_pair;
};

enum { INTS, PAIRS, GAPPED, KINDS };
static struct kind kinds[KINDS];
static uint32_t *mine, *result;
static int *blocks;

static struct value combine(const struct kind *k, struct value first, struct value then)
{
    struct value sum = {first.a + then.a, 0};
    struct value both = {(uint32_t)((uint64_t)first.a * then.a % PRIME),
                         (uint32_t)(((uint64_t)first.b * then.a + then.b) % PRIME)};
    return k->is_pair ? both : sum;
}

static struct value get(const struct kind *k, const uint32_t *from, int i)
{
    const uint32_t *at = from + (size_t)i * (size_t)k->words;
    struct value v = {at[0], k->is_pair ? at[1] : 0};
    return v;
}

static void set(const struct kind *k, uint32_t *to, int i, struct value v)
{
    uint32_t *at = to + (size_t)i * (size_t)k->words;
    at[0] = v.a;
    if (k->is_pair)
        at[1] = v.b;
}

static void compose(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const struct kind *k = &kinds[*type == MPI_UINT64_T ? PAIRS : GAPPED];
    CHECK(*type == k->type, "the operator is given a datatype it does not know");
    for (int i = 0; i < *count; i++)
        set(k, inout, i, combine(k, get(k, in, i), get(k, inout, i)));
}

static void make_kinds(void)
{
    MPI_Op op;
    MPI_Datatype pair, gapped;
    TRY(MPI_Op_create(compose, 0, &op));
    TRY(MPI_Type_contiguous(2, MPI_UINT32_T, &pair));
    TRY(MPI_Type_create_resized(pair, 0, 3 * sizeof(uint32_t), &gapped));
    TRY(MPI_Type_commit(&gapped));
    TRY(MPI_Type_free(&pair));
    kinds[INTS] = (struct kind){"ints", MPI_UINT32_T, MPI_SUM, 1, false};
    kinds[PAIRS] = (struct kind){"pairs", MPI_UINT64_T, op, 2, true};
    kinds[GAPPED] = (struct kind){"pairs with gaps", gapped, op, 3, true};
}

static struct value own(int rank, int i)
{
    struct value v = {(uint32_t)(2 + rank * 3 + i % 100), (uint32_t)((rank * 1001 + i) % PRIME)};
    return v;
}

static void fill(const struct kind *k, uint32_t *to, int count)
{
    for (int i = 0; i < count; i++) {
        if (k == &kinds[GAPPED])
            to[i * k->words + 2] = (uint32_t)COLL_UNTOUCHED;
        set(k, to, i, own(test_rank, i));
    }
}

/* The combined operands of ranks `0..end` must be at `at`, from element `first` on. */
static void check(const struct kind *k, const uint32_t *at, int first, int count, int end,
                  const char *what)
{
    for (int i = 0; i < count; i++) {
        struct value wanted = own(0, first + i), have = get(k, at, i);
        for (int r = 1; r < end; r++)
            wanted = combine(k, wanted, own(r, first + i));
        CHECK(have.a == wanted.a && (!k->is_pair || have.b == wanted.b),
              "%s of %d %s: (%u, %u) at %d; must be (%u, %u)", what, count, k->name, have.a, have.b,
              i, wanted.a, wanted.b);
        CHECK(k != &kinds[GAPPED] || at[i * k->words + 2] == (uint32_t)COLL_UNTOUCHED,
              "%s of %d %s writes into a gap", what, count, k->name);
    }
}

/* Fills `mine` with the operand; returns the result buffer, which is `mine` if in place. */
static uint32_t *prepare(const struct kind *k, int count, bool in_place)
{
    fill(k, mine, count);
    coll_clear((int *)result, (size_t)count * (size_t)k->words);
    return in_place ? mine : result;
}

static void reduce(const struct kind *k, int count, int root, bool in_place)
{
    bool here = test_rank == root;
    uint32_t *to = prepare(k, count, in_place);
    TRY(MPI_Reduce(here && in_place ? MPI_IN_PLACE : mine, here ? to : NULL, count, k->type, k->op,
                   root, MPI_COMM_WORLD));
    if (here)
        check(k, to, 0, count, test_size, "MPI_Reduce");
    for (int i = 0; !here && i < count; i++)
        CHECK(get(k, mine, i).a == own(test_rank, i).a, "MPI_Reduce changes its operand at %d", i);
}

static void allreduce(const struct kind *k, int count, bool in_place)
{
    uint32_t *to = prepare(k, count, in_place);
    TRY(MPI_Allreduce(in_place ? MPI_IN_PLACE : mine, to, count, k->type, k->op, MPI_COMM_WORLD));
    check(k, to, 0, count, test_size, "MPI_Allreduce");
}

static void reduce_scatter_block(const struct kind *k, int count, bool in_place)
{
    int block = count / test_size;
    uint32_t *to = prepare(k, block * test_size, in_place);
    TRY(MPI_Reduce_scatter_block(in_place ? MPI_IN_PLACE : mine, to, block, k->type, k->op,
                                 MPI_COMM_WORLD));
    check(k, to, test_rank * block, block, test_size, "MPI_Reduce_scatter_block");
}

/* Block lengths differ; the first block is empty, and the last one takes the rest. */
static void reduce_scatter(const struct kind *k, int count, bool in_place)
{
    int first = 0, left = count;
    for (int r = 0; r < test_size; r++) {
        blocks[r] = r == test_size - 1 ? left : r * left / (2 * test_size);
        left -= blocks[r];
        first += r < test_rank ? blocks[r] : 0;
    }
    uint32_t *to = prepare(k, count, in_place);
    TRY(MPI_Reduce_scatter(in_place ? MPI_IN_PLACE : mine, to, blocks, k->type, k->op,
                           MPI_COMM_WORLD));
    check(k, to, first, blocks[test_rank], test_size, "MPI_Reduce_scatter");
}

static void scans(const struct kind *k, int count, bool in_place)
{
    uint32_t *to = prepare(k, count, in_place);
    TRY(MPI_Scan(in_place ? MPI_IN_PLACE : mine, to, count, k->type, k->op, MPI_COMM_WORLD));
    check(k, to, 0, count, test_rank + 1, "MPI_Scan");
    to = prepare(k, count, in_place);
    TRY(MPI_Exscan(in_place ? MPI_IN_PLACE : mine, to, count, k->type, k->op, MPI_COMM_WORLD));
    if (test_rank > 0)
        check(k, to, 0, count, test_rank, "MPI_Exscan");
}

static void run(const struct kind *k, int count)
{
    for (int in_place = 0; in_place < 2; in_place++) {
        for (int root = 0; root < test_size; root = shm_coll_next_root(root, count))
            reduce(k, count, root, in_place);
        allreduce(k, count, in_place);
        reduce_scatter_block(k, count, in_place);
        reduce_scatter(k, count, in_place);
        scans(k, count, in_place);
    }
}

int main(int argc, char **argv)
{
    shm_coll_settings(argc, argv);
    test_start(&argc, &argv);
    mine = test_alloc(sizeof(uint32_t) * WORDS_MAX * COUNT_MAX);
    result = test_alloc(sizeof(uint32_t) * WORDS_MAX * COUNT_MAX);
    blocks = coll_alloc((size_t)test_size);
    make_kinds();
    shm_coll_begin(MPI_COMM_WORLD);
    for (int c = 0; c < COUNTS; c++)
        for (int kind = 0; kind < KINDS; kind++)
            if (kind == INTS || counts[c] <= PAIRS_MAX)
                run(&kinds[kind], counts[c]);
    TRY(MPI_Op_free(&kinds[PAIRS].op));
    TRY(MPI_Type_free(&kinds[GAPPED].type));
    free(mine);
    free(result);
    free(blocks);
    test_finish();
    return 0;
}
