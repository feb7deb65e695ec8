/* Collectives that move data, over every kind of shared memory: blocks of many lengths,
 * datatypes with gaps and out of order that differ between ranks, every root, and in place. */
/* ranks: 2 3 4 7 */
/* args: cico */
/* args: partitioned */
/* args: pipelined */
/* args: tree */
/* args: single_copy */
/* args: put */
/* args: default off */
/* args: single_copy receiver */
#include "shm_coll.h"

/* Ints in a block: none, few, odd, 8 KiB and one more, 40 KB, 300 KB. */
static const int counts[] = {0, 1, 5, 12, 999, 2048, 2049, 10240, 76800};
enum { COUNTS = sizeof counts / sizeof *counts, COUNT_MAX = 76800, EXTENT_MAX = 2, AHEAD = 60 };

/* A layout of ints in memory: `ints` of them in an element of `extent` ints, at these positions. */
struct layout {
    MPI_Datatype type;
    int ints, extent, at[3];
};

enum { PLAIN, GAPPED, DISORDERED, LAYOUTS };
static struct layout layouts[LAYOUTS];
static int *out, *in, *elements_of, *places_of;

static void make_layouts(void)
{
    const int places[] = {4, 0, 2};
    MPI_Datatype disordered;
    layouts[PLAIN] = (struct layout){MPI_INT, 1, 1, {0}};
    layouts[GAPPED] = (struct layout){MPI_DATATYPE_NULL, 1, 2, {0}};
    TRY(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &layouts[GAPPED].type));
    TRY(MPI_Type_create_indexed_block(3, 1, places, MPI_INT, &disordered));
    layouts[DISORDERED] = (struct layout){MPI_DATATYPE_NULL, 3, 6, {4, 0, 2}};
    TRY(MPI_Type_create_resized(disordered, 0, 6 * sizeof(int), &layouts[DISORDERED].type));
    TRY(MPI_Type_free(&disordered));
    TRY(MPI_Type_commit(&layouts[GAPPED].type));
    TRY(MPI_Type_commit(&layouts[DISORDERED].type));
}

/* A layout for `count` ints at this rank: the same for all ranks, or a different one for each. */
static const struct layout *layout(int count, int variant)
{
    int which = variant == 0 ? PLAIN : (test_rank + variant) % LAYOUTS;
    return &layouts[count % layouts[which].ints ? GAPPED : which];
}

static int elements(const struct layout *l, int count)
{
    return count / l->ints;
}

/* The ints of memory that `count` ints of data span. */
static size_t span(const struct layout *l, int count)
{
    return (size_t)elements(l, count) * (size_t)l->extent;
}

static size_t place(const struct layout *l, int i)
{
    return (size_t)(i / l->ints) * (size_t)l->extent + (size_t)l->at[i % l->ints];
}

/* Writes the data of block `block` of rank `rank`. */
static void put(const struct layout *l, int *to, int count, int rank, int block)
{
    for (int i = 0; i < count; i++)
        to[place(l, i)] = coll_value(rank, i, block);
}

/* Checks that the same data is there, and that gaps are untouched. */
static void check(const struct layout *l, const int *at, int count, int rank, int block,
                  const char *what)
{
    size_t written = 0, touched = 0, ints = span(l, count);
    for (int i = 0; i < count; i++, written++)
        CHECK(at[place(l, i)] == coll_value(rank, i, block),
              "%s of %d ints: %d is number %d of rank %d, block %d; must be %d", what, count,
              at[place(l, i)], i, rank, block, coll_value(rank, i, block));
    for (size_t i = 0; i < ints; i++)
        touched += at[i] != COLL_UNTOUCHED;
    CHECK(touched == written, "%s of %d ints writes %zu ints", what, count, touched);
}

static void bcast(int count, int variant, int root)
{
    const struct layout *l = layout(count, variant);
    coll_clear(in, span(l, count));
    if (test_rank == root)
        put(l, in, count, root, 1);
    TRY(MPI_Bcast(in, elements(l, count), l->type, root, MPI_COMM_WORLD));
    check(l, in, count, root, 1, "MPI_Bcast");
}

static void gather(int count, int variant, int root, bool in_place)
{
    const struct layout *from = layout(count, variant), *to = layout(count, 2 * variant);
    bool here = test_rank == root, mine_is_there = here && in_place;
    coll_clear(in, here ? span(to, count) * (size_t)test_size : 0);
    if (mine_is_there)
        put(to, in + span(to, count) * (size_t)root, count, root, 2);
    else
        put(from, out, count, test_rank, 2);
    TRY(MPI_Gather(mine_is_there ? MPI_IN_PLACE : out, elements(from, count), from->type,
                   here ? in : NULL, elements(to, count), to->type, root, MPI_COMM_WORLD));
    for (int r = 0; here && r < test_size; r++)
        check(to, in + span(to, count) * (size_t)r, count, r, 2, "MPI_Gather");
}

static void scatter(int count, int variant, int root, bool in_place)
{
    const struct layout *from = layout(count, variant), *to = layout(count, 2 * variant);
    bool here = test_rank == root, stays = here && in_place;
    for (int r = 0; here && r < test_size; r++)
        put(from, out + span(from, count) * (size_t)r, count, root, r);
    coll_clear(in, span(to, count));
    TRY(MPI_Scatter(here ? out : NULL, elements(from, count), from->type,
                    stays ? MPI_IN_PLACE : in, elements(to, count), to->type, root,
                    MPI_COMM_WORLD));
    if (!stays)
        check(to, in, count, root, test_rank, "MPI_Scatter");
}

static void allgather(int count, int variant, bool in_place)
{
    const struct layout *from = layout(count, variant), *to = layout(count, 2 * variant);
    coll_clear(in, span(to, count) * (size_t)test_size);
    if (in_place)
        put(to, in + span(to, count) * (size_t)test_rank, count, test_rank, 3);
    else
        put(from, out, count, test_rank, 3);
    TRY(MPI_Allgather(in_place ? MPI_IN_PLACE : out, elements(from, count), from->type, in,
                      elements(to, count), to->type, MPI_COMM_WORLD));
    for (int r = 0; r < test_size; r++)
        check(to, in + span(to, count) * (size_t)r, count, r, 3, "MPI_Allgather");
}

static void alltoall(int count, int variant, bool in_place)
{
    const struct layout *to = layout(count, 2 * variant);
    const struct layout *from = in_place ? to : layout(count, variant);
    coll_clear(in, span(to, count) * (size_t)test_size);
    for (int r = 0; r < test_size; r++)
        put(from, (in_place ? in : out) + span(from, count) * (size_t)r, count, test_rank, r);
    TRY(MPI_Alltoall(in_place ? MPI_IN_PLACE : out, elements(from, count), from->type, in,
                     elements(to, count), to->type, MPI_COMM_WORLD));
    for (int r = 0; r < test_size; r++)
        check(to, in + span(to, count) * (size_t)r, count, r, test_rank, "MPI_Alltoall");
}

/* The ints in the block of rank `rank`: half, all, or none. */
static int block_of(int count, int rank)
{
    return count * ((rank + 1) % 3) / 2;
}

/* A layout for blocks of any of these lengths. */
static const struct layout *block_layout(int count, int variant)
{
    return layout(count % 6 ? 1 : count, variant);
}

/* Lays out blocks in reverse order, an element apart; fills only block `own`. */
static void lay_out(const struct layout *l, int count, int own, int salt)
{
    int at = 1;
    for (int r = test_size - 1; r >= 0; r--) {
        elements_of[r] = elements(l, block_of(count, r));
        places_of[r] = at;
        at += elements_of[r] + 1;
    }
    coll_clear(in, (size_t)at * (size_t)l->extent);
    if (own >= 0)
        put(l, in + places_of[own] * l->extent, block_of(count, own), own, salt);
}

static void check_blocks(const struct layout *l, int count, int salt, const char *what)
{
    coll_check_untouched(in, l->extent, what);
    for (int r = 0; r < test_size; r++) {
        const int *block = in + places_of[r] * l->extent;
        check(l, block, block_of(count, r), r, salt, what);
        coll_check_untouched(block + elements_of[r] * l->extent, l->extent, what);
    }
}

static void gatherv(int count, int variant, int root, bool in_place)
{
    const struct layout *from = block_layout(count, variant);
    const struct layout *to = block_layout(count, 2 * variant);
    bool here = test_rank == root, mine_is_there = here && in_place;
    int mine = block_of(count, test_rank);
    lay_out(to, count, mine_is_there ? root : -1, 5);
    put(from, out, mine, test_rank, 5);
    TRY(MPI_Gatherv(mine_is_there ? MPI_IN_PLACE : out, elements(from, mine), from->type,
                    here ? in : NULL, elements_of, places_of, to->type, root, MPI_COMM_WORLD));
    if (here)
        check_blocks(to, count, 5, "MPI_Gatherv");
}

static void scatterv(int count, int variant, int root, bool in_place)
{
    const struct layout *from = block_layout(count, variant);
    const struct layout *to = block_layout(count, 2 * variant);
    bool here = test_rank == root, stays = here && in_place;
    int mine = block_of(count, test_rank);
    lay_out(from, count, -1, 7);
    for (int r = 0; here && r < test_size; r++)
        put(from, in + places_of[r] * from->extent, block_of(count, r), root, r);
    coll_clear(out, span(to, mine) + 1);
    TRY(MPI_Scatterv(here ? in : NULL, elements_of, places_of, from->type,
                     stays ? MPI_IN_PLACE : out, elements(to, mine), to->type, root,
                     MPI_COMM_WORLD));
    if (!stays)
        check(to, out, mine, root, test_rank, "MPI_Scatterv");
    coll_check_untouched(out + (stays ? 0 : span(to, mine)), 1, "MPI_Scatterv");
}

static void allgatherv(int count, int variant, bool in_place)
{
    const struct layout *from = block_layout(count, variant);
    const struct layout *to = block_layout(count, 2 * variant);
    int mine = block_of(count, test_rank);
    lay_out(to, count, in_place ? test_rank : -1, 6);
    put(from, out, mine, test_rank, 6);
    TRY(MPI_Allgatherv(in_place ? MPI_IN_PLACE : out, elements(from, mine), from->type, in,
                       elements_of, places_of, to->type, MPI_COMM_WORLD));
    check_blocks(to, count, 6, "MPI_Allgatherv");
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* No rank may leave before the last has entered; ranks on one node share a clock. */
static void barrier(int late)
{
    double *entered = test_alloc((size_t)test_size * sizeof(double));
    if (test_rank == late)
        test_sleep_ms(1);
    double mine = now();
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    double left = now();
    TRY(MPI_Allgather(&mine, 1, MPI_DOUBLE, entered, 1, MPI_DOUBLE, MPI_COMM_WORLD));
    for (int r = 0; r < test_size; r++)
        CHECK(left >= entered[r], "left the barrier %g s before rank %d had entered it",
              entered[r] - left, r);
    free(entered);
}

/* A root that sends runs ahead of the others, a root that receives falls behind. */
static void ahead(int count)
{
    for (int i = 0; i < AHEAD; i++) {
        int root = i < AHEAD / 2 ? 0 : i % test_size;
        coll_fill(out, count, test_rank, i);
        if (test_rank == root)
            coll_fill(in, count, root, i);
        TRY(MPI_Bcast(in, count, MPI_INT, root, MPI_COMM_WORLD));
        coll_check(in, count, root, i, "one MPI_Bcast of many");
        TRY(MPI_Gather(out, count, MPI_INT, in, count, MPI_INT, root, MPI_COMM_WORLD));
        for (int r = 0; test_rank == root && r < test_size; r++)
            coll_check(in + r * count, count, r, i, "one MPI_Gather of many");
    }
}

static void run(int count, int variant)
{
    for (int in_place = 0; in_place < 2; in_place++) {
        for (int root = 0; root < test_size; root = shm_coll_next_root(root, count)) {
            gather(count, variant, root, in_place);
            scatter(count, variant, root, in_place);
            gatherv(count, variant, root, in_place);
            scatterv(count, variant, root, in_place);
        }
        allgather(count, variant, in_place);
        allgatherv(count, variant, in_place);
        alltoall(count, variant, in_place);
    }
    for (int root = 0; root < test_size; root = shm_coll_next_root(root, count))
        bcast(count, variant, root);
}

int main(int argc, char **argv)
{
    shm_coll_settings(argc, argv);
    test_start(&argc, &argv);
    size_t ints = (size_t)EXTENT_MAX * COUNT_MAX * (size_t)test_size;
    out = coll_alloc(ints);
    in = coll_alloc(ints);
    elements_of = coll_alloc((size_t)test_size);
    places_of = coll_alloc((size_t)test_size);
    make_layouts();
    shm_coll_begin(MPI_COMM_WORLD);
    for (int c = 0; c < COUNTS; c++)
        for (int variant = 0; variant < 2; variant++)
            run(counts[c], variant);
    for (int late = 0; late < test_size; late++)
        barrier(late);
    ahead(1);
    ahead(2048);
    TRY(MPI_Type_free(&layouts[GAPPED].type));
    TRY(MPI_Type_free(&layouts[DISORDERED].type));
    free(out);
    free(in);
    free(elements_of);
    free(places_of);
    test_finish();
    return 0;
}
