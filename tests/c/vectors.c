/* Collectives with blocks of different sizes: gatherv, scatterv, allgatherv, alltoallv,
 * alltoallw; with empty blocks, gaps between blocks, every root, and in place. */
/* ranks: 1 2 3 4 5 8 10 */
#include "coll.h"

enum { UNIT_COUNTS = 4, GAP = 3 };

static const int units[UNIT_COUNTS] = {1, 10, 500, 6000};
static int *mine, *all, *counts, *offsets;

/* Rank 1 contributes nothing, the others more the higher their rank. */
static int block_of(int rank, int unit)
{
    return rank == 1 ? 0 : (rank + 1) * unit;
}

/* Lays out blocks in reverse order with gaps between them; returns the ints that they span. */
static int lay_out(int unit)
{
    int at = GAP;
    for (int r = test_size - 1; r >= 0; r--) {
        counts[r] = block_of(r, unit);
        offsets[r] = at;
        at += counts[r] + GAP;
    }
    return at;
}

static void check_blocks(int salt, const char *what)
{
    coll_check_untouched(all, GAP, what);
    for (int r = 0; r < test_size; r++) {
        coll_check(all + offsets[r], counts[r], r, salt, what);
        coll_check_untouched(all + offsets[r] + counts[r], GAP, what);
    }
}

static void gatherv(int unit, int root, bool in_place)
{
    size_t total = (size_t)lay_out(unit);
    bool here = test_rank == root;
    coll_clear(all, total);
    coll_fill(here && in_place ? all + offsets[root] : mine, counts[test_rank], test_rank, root);
    TRY(MPI_Gatherv(here && in_place ? MPI_IN_PLACE : mine, counts[test_rank], MPI_INT,
                    here ? all : NULL, here ? counts : NULL, here ? offsets : NULL, MPI_INT, root,
                    MPI_COMM_WORLD));
    if (here)
        check_blocks(root, "MPI_Gatherv");
}

static void scatterv(int unit, int root, bool in_place)
{
    lay_out(unit);
    bool here = test_rank == root;
    for (int r = 0; r < test_size && here; r++)
        coll_fill(all + offsets[r], counts[r], r, root);
    coll_clear(mine, (size_t)counts[test_rank] + 1);
    TRY(MPI_Scatterv(here ? all : NULL, here ? counts : NULL, here ? offsets : NULL, MPI_INT,
                     here && in_place ? MPI_IN_PLACE : mine, counts[test_rank], MPI_INT, root,
                     MPI_COMM_WORLD));
    if (here && in_place)
        coll_check_untouched(mine, 1, "MPI_Scatterv in place");
    else
        coll_check(mine, counts[test_rank], test_rank, root, "MPI_Scatterv");
}

static void allgatherv(int unit, bool in_place)
{
    coll_clear(all, (size_t)lay_out(unit));
    coll_fill(in_place ? all + offsets[test_rank] : mine, counts[test_rank], test_rank, unit);
    TRY(MPI_Allgatherv(in_place ? MPI_IN_PLACE : mine, counts[test_rank], MPI_INT, all, counts,
                       offsets, MPI_INT, MPI_COMM_WORLD));
    check_blocks(unit, "MPI_Allgatherv");
}

/* Rank `from` sends (from + 2 * to) % 5 units to rank `to`. */
static int amount(int from, int to, int unit)
{
    return (from + 2 * to) % 5 * unit;
}

struct exchange {
    int *out, *in, *out_counts, *in_counts, *out_at, *in_at;
};

static struct exchange make_exchange(int unit)
{
    size_t n = (size_t)test_size, ints = n * 4 * (size_t)unit + 1;
    struct exchange x = {coll_alloc(ints), coll_alloc(ints), coll_alloc(n),
                         coll_alloc(n),    coll_alloc(n),    coll_alloc(n)};
    int out_at = 0, in_at = 0;
    for (int r = 0; r < test_size; r++) {
        x.out_counts[r] = amount(test_rank, r, unit);
        x.in_counts[r] = amount(r, test_rank, unit);
        x.out_at[r] = out_at;
        x.in_at[r] = in_at;
        out_at += x.out_counts[r];
        in_at += x.in_counts[r];
        coll_fill(x.out + x.out_at[r], x.out_counts[r], test_rank * 64 + r, unit);
    }
    coll_clear(x.in, (size_t)in_at + 1);
    return x;
}

static void check_exchange(struct exchange *x, int unit, const char *what)
{
    int end = 0;
    for (int r = 0; r < test_size; r++) {
        coll_check(x->in + x->in_at[r], x->in_counts[r], r * 64 + test_rank, unit, what);
        end = x->in_at[r] + x->in_counts[r];
    }
    coll_check_untouched(x->in + end, 1, what);
}

static void free_exchange(struct exchange *x)
{
    free(x->out);
    free(x->in);
    free(x->out_counts);
    free(x->in_counts);
    free(x->out_at);
    free(x->in_at);
}

static void alltoallv(int unit)
{
    struct exchange x = make_exchange(unit);
    TRY(MPI_Alltoallv(x.out, x.out_counts, x.out_at, MPI_INT, x.in, x.in_counts, x.in_at, MPI_INT,
                      MPI_COMM_WORLD));
    check_exchange(&x, unit, "MPI_Alltoallv");
    free_exchange(&x);
}

/* Displacements are in bytes, and every block has its own type. */
static void alltoallw(int unit)
{
    struct exchange x = make_exchange(unit);
    MPI_Datatype *types = test_alloc((size_t)test_size * sizeof *types);
    for (int r = 0; r < test_size; r++) {
        types[r] = MPI_INT;
        x.out_at[r] *= (int)sizeof(int);
        x.in_at[r] *= (int)sizeof(int);
    }
    TRY(MPI_Alltoallw(x.out, x.out_counts, x.out_at, types, x.in, x.in_counts, x.in_at, types,
                      MPI_COMM_WORLD));
    for (int r = 0; r < test_size; r++)
        x.in_at[r] /= (int)sizeof(int);
    check_exchange(&x, unit, "MPI_Alltoallw");
    free(types);
    free_exchange(&x);
}

/* In place, the blocks that two ranks exchange must have equal lengths. */
static void alltoallv_in_place(int unit)
{
    coll_clear(all, (size_t)test_size * (size_t)(test_size + 1) * (size_t)unit);
    for (int r = 0, at = 0; r < test_size; r++) {
        counts[r] = (test_rank + r) % 3 * unit;
        offsets[r] = at;
        at += counts[r];
        coll_fill(all + offsets[r], counts[r], test_rank * 64 + r, unit);
    }
    TRY(MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, all, counts, offsets, MPI_INT,
                      MPI_COMM_WORLD));
    for (int r = 0; r < test_size; r++)
        coll_check(all + offsets[r], counts[r], r * 64 + test_rank, unit, "MPI_Alltoallv in place");
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    size_t n = (size_t)test_size, unit_max = (size_t)units[UNIT_COUNTS - 1];
    mine = coll_alloc(n * unit_max + 1);
    all = coll_alloc((n + 1) * n * unit_max + GAP * (n + 1));
    counts = coll_alloc(n);
    offsets = coll_alloc(n);
    for (int u = 0; u < UNIT_COUNTS; u++) {
        for (int root = 0; root < test_size; root++)
            for (int in_place = 0; in_place < 2; in_place++) {
                gatherv(units[u], root, in_place);
                scatterv(units[u], root, in_place);
            }
        allgatherv(units[u], false);
        allgatherv(units[u], true);
        alltoallv(units[u]);
        alltoallv_in_place(units[u]);
        alltoallw(units[u]);
    }
    free(mine);
    free(all);
    free(counts);
    free(offsets);
    test_finish();
    return 0;
}
