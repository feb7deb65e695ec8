/* Neighbourhood collectives on grids, rings of one and two, graphs with several edges between
 * two ranks and from a rank to itself: every block arrives at the right place, in all three
 * forms. */
/* ranks: 1 2 3 4 5 8 */
#include "coll.h"

enum { NEIGHBOURS_MAX = 32, BLOCK = 3 };

/* A process's neighbours; for each source, the index of this process among its destinations. */
struct around {
    MPI_Comm comm;
    const char *what;
    int sources, destinations;
    int source[NEIGHBOURS_MAX], slot[NEIGHBOURS_MAX], destination[NEIGHBOURS_MAX];
};

/* The value at index `i` that rank `from` sends to its destination number `slot`. */
static int value(int from, int slot, int i)
{
    return from * 10000 + slot * 100 + i;
}

static void expect(const struct around *a, int k, const int *block, int length, int slot,
                   const char *call)
{
    for (int i = 0; i < length; i++) {
        int wanted = a->source[k] == MPI_PROC_NULL ? COLL_UNTOUCHED
                                                   : value(a->source[k], slot, i);
        CHECK(block[i] == wanted, "%s, %s: %d at %d of source %d; must be %d", a->what, call,
              block[i], i, k, wanted);
    }
}

static void allgather(const struct around *a, int form)
{
    int own[BLOCK], all[NEIGHBOURS_MAX * BLOCK];
    for (int i = 0; i < BLOCK; i++)
        own[i] = value(test_rank, 0, i);
    coll_clear(all, NEIGHBOURS_MAX * BLOCK);
    IN_FORM(form,
            MPI_Neighbor_allgather(own, BLOCK, MPI_INT, all, BLOCK, MPI_INT, a->comm),
            MPI_Ineighbor_allgather(own, BLOCK, MPI_INT, all, BLOCK, MPI_INT, a->comm, &request),
            MPI_Neighbor_allgather_init(own, BLOCK, MPI_INT, all, BLOCK, MPI_INT, a->comm,
                                        MPI_INFO_NULL, &request));
    for (int k = 0; k < a->sources; k++)
        expect(a, k, all + k * BLOCK, BLOCK, 0, "allgather");
}

static void allgatherv(const struct around *a, int form)
{
    int own[BLOCK], all[NEIGHBOURS_MAX * (BLOCK + 1)], counts[NEIGHBOURS_MAX],
        displs[NEIGHBOURS_MAX];
    for (int i = 0; i < BLOCK; i++)
        own[i] = value(test_rank, 0, i);
    coll_clear(all, NEIGHBOURS_MAX * (BLOCK + 1));
    /* From the end of the buffer backwards, with gaps. */
    int *end = all + NEIGHBOURS_MAX * (BLOCK + 1);
    for (int k = 0; k < a->sources; k++) {
        counts[k] = BLOCK;
        displs[k] = -(k + 1) * (BLOCK + 1);
    }
    IN_FORM(form,
            MPI_Neighbor_allgatherv(own, BLOCK, MPI_INT, end, counts, displs, MPI_INT, a->comm),
            MPI_Ineighbor_allgatherv(own, BLOCK, MPI_INT, end, counts, displs, MPI_INT, a->comm,
                                     &request),
            MPI_Neighbor_allgatherv_init(own, BLOCK, MPI_INT, end, counts, displs, MPI_INT,
                                         a->comm, MPI_INFO_NULL, &request));
    for (int k = 0; k < a->sources; k++)
        expect(a, k, end + displs[k], BLOCK, 0, "allgatherv");
}

static void fill(const struct around *a, int *out)
{
    for (int j = 0; j < a->destinations; j++)
        for (int i = 0; i < BLOCK; i++)
            out[j * BLOCK + i] = value(test_rank, j, i);
}

static void alltoall(const struct around *a, int form)
{
    int out[NEIGHBOURS_MAX * BLOCK], in[NEIGHBOURS_MAX * BLOCK];
    fill(a, out);
    coll_clear(in, NEIGHBOURS_MAX * BLOCK);
    IN_FORM(form,
            MPI_Neighbor_alltoall(out, BLOCK, MPI_INT, in, BLOCK, MPI_INT, a->comm),
            MPI_Ineighbor_alltoall(out, BLOCK, MPI_INT, in, BLOCK, MPI_INT, a->comm, &request),
            MPI_Neighbor_alltoall_init(out, BLOCK, MPI_INT, in, BLOCK, MPI_INT, a->comm,
                                       MPI_INFO_NULL, &request));
    for (int k = 0; k < a->sources; k++)
        expect(a, k, in + k * BLOCK, BLOCK, a->slot[k], "alltoall");
}

/* The length of the block that rank `from` sends to its destination number `slot`; some are
 * empty. */
static int length(int from, int slot)
{
    return from == MPI_PROC_NULL ? 0 : (from + slot) % (BLOCK + 1);
}

static void alltoallv(const struct around *a, int form)
{
    int out[NEIGHBOURS_MAX * BLOCK], in[NEIGHBOURS_MAX * BLOCK];
    int scounts[NEIGHBOURS_MAX], rcounts[NEIGHBOURS_MAX], displs[NEIGHBOURS_MAX];
    fill(a, out);
    coll_clear(in, NEIGHBOURS_MAX * BLOCK);
    for (int k = 0; k < NEIGHBOURS_MAX; k++) {
        displs[k] = k * BLOCK;
        scounts[k] = k < a->destinations ? length(test_rank, k) : 0;
        rcounts[k] = k < a->sources ? length(a->source[k], a->slot[k]) : 0;
    }
    IN_FORM(form,
            MPI_Neighbor_alltoallv(out, scounts, displs, MPI_INT, in, rcounts, displs, MPI_INT,
                                   a->comm),
            MPI_Ineighbor_alltoallv(out, scounts, displs, MPI_INT, in, rcounts, displs, MPI_INT,
                                    a->comm, &request),
            MPI_Neighbor_alltoallv_init(out, scounts, displs, MPI_INT, in, rcounts, displs,
                                        MPI_INT, a->comm, MPI_INFO_NULL, &request));
    for (int k = 0; k < a->sources; k++)
        if (a->source[k] != MPI_PROC_NULL)
            expect(a, k, in + displs[k], rcounts[k], a->slot[k], "alltoallv");
}

static void alltoallw(const struct around *a, int form)
{
    int out[NEIGHBOURS_MAX * BLOCK], in[NEIGHBOURS_MAX * BLOCK], one[NEIGHBOURS_MAX];
    int ints[NEIGHBOURS_MAX];
    MPI_Aint displs[NEIGHBOURS_MAX];
    MPI_Datatype whole, blocks[NEIGHBOURS_MAX], plain[NEIGHBOURS_MAX];
    TRY(MPI_Type_contiguous(BLOCK, MPI_INT, &whole));
    TRY(MPI_Type_commit(&whole));
    fill(a, out);
    coll_clear(in, NEIGHBOURS_MAX * BLOCK);
    for (int k = 0; k < NEIGHBOURS_MAX; k++) {
        displs[k] = k * BLOCK * (MPI_Aint)sizeof(int);
        blocks[k] = whole;
        plain[k] = MPI_INT;
        one[k] = 1;
        ints[k] = BLOCK;
    }
    IN_FORM(form,
            MPI_Neighbor_alltoallw(out, one, displs, blocks, in, ints, displs, plain, a->comm),
            MPI_Ineighbor_alltoallw(out, one, displs, blocks, in, ints, displs, plain, a->comm,
                                    &request),
            MPI_Neighbor_alltoallw_init(out, one, displs, blocks, in, ints, displs, plain, a->comm,
                                        MPI_INFO_NULL, &request));
    TRY(MPI_Type_free(&whole));
    for (int k = 0; k < a->sources; k++)
        expect(a, k, in + k * BLOCK, BLOCK, a->slot[k], "alltoallw");
}

static void all_calls(struct around *a)
{
    /* Blocking ones once more: after the first few they may go another way. */
    for (int round = 0; round < 2 * COLL_FORMS; round++) {
        int form = round % COLL_FORMS;
        allgather(a, form);
        allgatherv(a, form);
        alltoall(a, form);
        alltoallv(a, form);
        alltoallw(a, form);
    }
    TRY(MPI_Comm_free(&a->comm));
}

/* In a grid, a block sent down arrives from above, and vice versa. */
static void grid(int dimensions, bool periodic, const char *what)
{
    struct around a = {.what = what, .sources = 2 * dimensions, .destinations = 2 * dimensions};
    int dims[3] = {0}, periods[3] = {periodic, periodic, periodic};
    TRY(MPI_Dims_create(test_size, dimensions, dims));
    TRY(MPI_Cart_create(MPI_COMM_WORLD, dimensions, dims, periods, 0, &a.comm));
    for (int d = 0; d < dimensions; d++) {
        TRY(MPI_Cart_shift(a.comm, d, 1, &a.source[2 * d], &a.source[2 * d + 1]));
        a.slot[2 * d] = 2 * d + 1;
        a.slot[2 * d + 1] = 2 * d;
    }
    all_calls(&a);
}

/* Each rank sends twice to the right, once to itself, and once to rank 0. */
enum { OUT = 4 };
static void destinations(int rank, int *to)
{
    to[0] = (rank + 1) % test_size;
    to[1] = rank;
    to[2] = (rank + 1) % test_size;
    to[3] = 0;
}

/* Sources in descending order of ranks; several edges from one rank in the order of its
 * destinations. */
static void graph_with_many_edges(void)
{
    struct around a = {.what = "graph", .destinations = OUT};
    destinations(test_rank, a.destination);
    for (int from = test_size - 1; from >= 0; from--) {
        int to[OUT];
        destinations(from, to);
        for (int j = 0; j < OUT; j++)
            if (to[j] == test_rank) {
                a.source[a.sources] = from;
                a.slot[a.sources++] = j;
            }
    }
    TRY(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, a.sources, a.source, MPI_UNWEIGHTED,
                                       a.destinations, a.destination, MPI_UNWEIGHTED,
                                       MPI_INFO_NULL, 0, &a.comm));
    all_calls(&a);
}

static void no_topology_is_an_error(void)
{
    int in[BLOCK], out[BLOCK] = {0};
    MPI_Comm plain;
    TRY(MPI_Comm_dup(MPI_COMM_WORLD, &plain));
    TRY(MPI_Comm_set_errhandler(plain, MPI_ERRORS_RETURN));
    EXPECT_ERROR(MPI_ERR_TOPOLOGY,
                 MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, plain));
    TRY(MPI_Comm_free(&plain));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    grid(1, true, "ring");
    grid(1, false, "line");
    grid(2, true, "torus");
    grid(3, false, "box");
    graph_with_many_edges();
    no_topology_is_an_error();
    test_finish();
}
