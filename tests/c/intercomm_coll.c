/* Collectives between two groups: one group contributes, the other gets the result, in all three
 * forms; the root is in each group in turn. */
/* ranks: 2 3 4 5 8 */
#include "coll.h"

enum { COUNT = 3, LONG = 40000, TAG = 5, PEERS_MAX = 8 };

static MPI_Comm inter;
/* Side 0 has the lower ranks of MPI_COMM_WORLD. */
static int side, me, mine, theirs, first, their_first;
static int *in, *out;

static void split(void)
{
    MPI_Comm group;
    int low = (test_size + 1) / 2;
    side = test_rank >= low;
    first = side ? low : 0;
    their_first = side ? 0 : low;
    TRY(MPI_Comm_split(MPI_COMM_WORLD, side, test_rank, &group));
    TRY(MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, their_first, TAG, &inter));
    TRY(MPI_Comm_free(&group));
    TRY(MPI_Comm_rank(inter, &me));
    TRY(MPI_Comm_size(inter, &mine));
    TRY(MPI_Comm_remote_size(inter, &theirs));
}

/* The root argument for process `root` of side `root_side`. */
static int root_of(int root_side, int root)
{
    if (side != root_side)
        return root;
    return me == root ? MPI_ROOT : MPI_PROC_NULL;
}

/* The sum over a group of `coll_value`. */
static int sum_of(int from, int ranks, int i, int salt)
{
    unsigned sum = 0;
    for (int r = from; r < from + ranks; r++)
        sum += (unsigned)coll_value(r, i, salt);
    return (int)sum;
}

static void check_sums(int length, int start, int salt, const char *what)
{
    for (int i = 0; i < length; i++) {
        int wanted = sum_of(their_first, theirs, start + i, salt);
        CHECK(in[i] == wanted, "%s: %d at %d; must be %d", what, in[i], i, wanted);
    }
}

static void barrier(int form)
{
    IN_FORM(form, MPI_Barrier(inter), MPI_Ibarrier(inter, &request),
            MPI_Barrier_init(inter, MPI_INFO_NULL, &request));
}

static void bcast(int form, int root_side, int root, int count)
{
    int r = root_of(root_side, root), root_world = (root_side == side ? first : their_first) + root;
    coll_fill(in, count, test_rank, 1);
    IN_FORM(form, MPI_Bcast(in, count, MPI_INT, r, inter),
            MPI_Ibcast(in, count, MPI_INT, r, inter, &request),
            MPI_Bcast_init(in, count, MPI_INT, r, inter, MPI_INFO_NULL, &request));
    coll_check(in, count, side == root_side ? test_rank : root_world, 1, "bcast");
}

static void gather(int form, int root_side, int root)
{
    int r = root_of(root_side, root), counts[PEERS_MAX], displs[PEERS_MAX];
    coll_fill(out, COUNT, test_rank, 2);
    for (int k = 0; k < theirs; k++) {
        counts[k] = COUNT;
        displs[k] = (theirs - 1 - k) * COUNT;
    }
    coll_clear(in, (size_t)COUNT * theirs);
    IN_FORM(form, MPI_Gather(out, COUNT, MPI_INT, in, COUNT, MPI_INT, r, inter),
            MPI_Igather(out, COUNT, MPI_INT, in, COUNT, MPI_INT, r, inter, &request),
            MPI_Gather_init(out, COUNT, MPI_INT, in, COUNT, MPI_INT, r, inter, MPI_INFO_NULL,
                            &request));
    for (int k = 0; k < theirs && r == MPI_ROOT; k++)
        coll_check(in + k * COUNT, COUNT, their_first + k, 2, "gather");
    IN_FORM(form, MPI_Gatherv(out, COUNT, MPI_INT, in, counts, displs, MPI_INT, r, inter),
            MPI_Igatherv(out, COUNT, MPI_INT, in, counts, displs, MPI_INT, r, inter, &request),
            MPI_Gatherv_init(out, COUNT, MPI_INT, in, counts, displs, MPI_INT, r, inter,
                             MPI_INFO_NULL, &request));
    for (int k = 0; k < theirs && r == MPI_ROOT; k++)
        coll_check(in + displs[k], COUNT, their_first + k, 2, "gatherv");
    if (r != MPI_ROOT)
        coll_check_untouched(in, (size_t)COUNT * theirs, "gather");
}

static void scatter(int form, int root_side, int root)
{
    int r = root_of(root_side, root), counts[PEERS_MAX], displs[PEERS_MAX];
    int from = (root_side == side ? first : their_first) + root;
    for (int k = 0; k < theirs; k++) {
        coll_fill(out + k * COUNT, COUNT, test_rank, 3 + k);
        counts[k] = COUNT;
        displs[k] = k * COUNT;
    }
    coll_clear(in, COUNT);
    IN_FORM(form, MPI_Scatter(out, COUNT, MPI_INT, in, COUNT, MPI_INT, r, inter),
            MPI_Iscatter(out, COUNT, MPI_INT, in, COUNT, MPI_INT, r, inter, &request),
            MPI_Scatter_init(out, COUNT, MPI_INT, in, COUNT, MPI_INT, r, inter, MPI_INFO_NULL,
                             &request));
    if (side != root_side)
        coll_check(in, COUNT, from, 3 + me, "scatter");
    coll_clear(in, COUNT);
    IN_FORM(form, MPI_Scatterv(out, counts, displs, MPI_INT, in, COUNT, MPI_INT, r, inter),
            MPI_Iscatterv(out, counts, displs, MPI_INT, in, COUNT, MPI_INT, r, inter, &request),
            MPI_Scatterv_init(out, counts, displs, MPI_INT, in, COUNT, MPI_INT, r, inter,
                              MPI_INFO_NULL, &request));
    if (side != root_side)
        coll_check(in, COUNT, from, 3 + me, "scatterv");
}

/* The two groups send blocks of different lengths. */
static void allgather(int form)
{
    int send = COUNT + side, recv = COUNT + 1 - side, counts[PEERS_MAX], displs[PEERS_MAX];
    coll_fill(out, send, test_rank, 4);
    for (int k = 0; k < theirs; k++) {
        counts[k] = recv;
        displs[k] = k * recv;
    }
    coll_clear(in, (size_t)recv * theirs);
    IN_FORM(form, MPI_Allgather(out, send, MPI_INT, in, recv, MPI_INT, inter),
            MPI_Iallgather(out, send, MPI_INT, in, recv, MPI_INT, inter, &request),
            MPI_Allgather_init(out, send, MPI_INT, in, recv, MPI_INT, inter, MPI_INFO_NULL,
                               &request));
    for (int k = 0; k < theirs; k++)
        coll_check(in + k * recv, recv, their_first + k, 4, "allgather");
    coll_clear(in, (size_t)recv * theirs);
    IN_FORM(form, MPI_Allgatherv(out, send, MPI_INT, in, counts, displs, MPI_INT, inter),
            MPI_Iallgatherv(out, send, MPI_INT, in, counts, displs, MPI_INT, inter, &request),
            MPI_Allgatherv_init(out, send, MPI_INT, in, counts, displs, MPI_INT, inter,
                                MPI_INFO_NULL, &request));
    for (int k = 0; k < theirs; k++)
        coll_check(in + k * recv, recv, their_first + k, 4, "allgatherv");
}

static void check_exchanged(const char *what)
{
    for (int k = 0; k < theirs; k++)
        coll_check(in + k * COUNT, COUNT, their_first + k, 50 + me, what);
    coll_clear(in, (size_t)COUNT * theirs);
}

static void alltoall(int form)
{
    int counts[PEERS_MAX], displs[PEERS_MAX], bytes[PEERS_MAX];
    MPI_Datatype types[PEERS_MAX];
    for (int k = 0; k < theirs; k++) {
        coll_fill(out + k * COUNT, COUNT, test_rank, 50 + k);
        counts[k] = COUNT;
        displs[k] = k * COUNT;
        bytes[k] = displs[k] * (int)sizeof(int);
        types[k] = MPI_INT;
    }
    IN_FORM(form, MPI_Alltoall(out, COUNT, MPI_INT, in, COUNT, MPI_INT, inter),
            MPI_Ialltoall(out, COUNT, MPI_INT, in, COUNT, MPI_INT, inter, &request),
            MPI_Alltoall_init(out, COUNT, MPI_INT, in, COUNT, MPI_INT, inter, MPI_INFO_NULL,
                              &request));
    check_exchanged("alltoall");
    IN_FORM(form,
            MPI_Alltoallv(out, counts, displs, MPI_INT, in, counts, displs, MPI_INT, inter),
            MPI_Ialltoallv(out, counts, displs, MPI_INT, in, counts, displs, MPI_INT, inter,
                           &request),
            MPI_Alltoallv_init(out, counts, displs, MPI_INT, in, counts, displs, MPI_INT, inter,
                               MPI_INFO_NULL, &request));
    check_exchanged("alltoallv");
    IN_FORM(form, MPI_Alltoallw(out, counts, bytes, types, in, counts, bytes, types, inter),
            MPI_Ialltoallw(out, counts, bytes, types, in, counts, bytes, types, inter, &request),
            MPI_Alltoallw_init(out, counts, bytes, types, in, counts, bytes, types, inter,
                               MPI_INFO_NULL, &request));
    check_exchanged("alltoallw");
}

static void reduce(int form, int root_side, int root, int count)
{
    int r = root_of(root_side, root);
    coll_fill(out, count, test_rank, 6);
    coll_clear(in, (size_t)count);
    IN_FORM(form, MPI_Reduce(out, in, count, MPI_INT, MPI_SUM, r, inter),
            MPI_Ireduce(out, in, count, MPI_INT, MPI_SUM, r, inter, &request),
            MPI_Reduce_init(out, in, count, MPI_INT, MPI_SUM, r, inter, MPI_INFO_NULL, &request));
    if (r == MPI_ROOT)
        check_sums(count, 0, 6, "reduce");
    else
        coll_check_untouched(in, (size_t)count, "reduce");
}

static void allreduce(int form, int count)
{
    coll_fill(out, count, test_rank, 7);
    IN_FORM(form, MPI_Allreduce(out, in, count, MPI_INT, MPI_SUM, inter),
            MPI_Iallreduce(out, in, count, MPI_INT, MPI_SUM, inter, &request),
            MPI_Allreduce_init(out, in, count, MPI_INT, MPI_SUM, inter, MPI_INFO_NULL, &request));
    check_sums(count, 0, 7, "allreduce");
}

/* The vector has the same length for both groups: each divides it among its processes. */
static void reduce_scatter(int form)
{
    int total = COUNT * mine * theirs, block = total / mine, counts[PEERS_MAX];
    coll_fill(out, total, test_rank, 8);
    IN_FORM(form, MPI_Reduce_scatter_block(out, in, block, MPI_INT, MPI_SUM, inter),
            MPI_Ireduce_scatter_block(out, in, block, MPI_INT, MPI_SUM, inter, &request),
            MPI_Reduce_scatter_block_init(out, in, block, MPI_INT, MPI_SUM, inter, MPI_INFO_NULL,
                                          &request));
    check_sums(block, me * block, 8, "reduce_scatter_block");
    /* The first process gets all elements but one for each of the others. */
    for (int k = 0; k < mine; k++)
        counts[k] = k ? 1 : total - (mine - 1);
    int start = me ? total - mine + me : 0;
    IN_FORM(form, MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, inter),
            MPI_Ireduce_scatter(out, in, counts, MPI_INT, MPI_SUM, inter, &request),
            MPI_Reduce_scatter_init(out, in, counts, MPI_INT, MPI_SUM, inter, MPI_INFO_NULL,
                                    &request));
    check_sums(counts[me], start, 8, "reduce_scatter");
}

static void with_root(int form, int root_side, int root)
{
    bcast(form, root_side, root, COUNT);
    bcast(form, root_side, root, LONG);
    gather(form, root_side, root);
    scatter(form, root_side, root);
    reduce(form, root_side, root, COUNT);
    reduce(form, root_side, root, LONG);
}

static void refusals(void)
{
    TRY(MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN));
    EXPECT_ERROR(MPI_ERR_BUFFER, MPI_Allreduce(MPI_IN_PLACE, in, 1, MPI_INT, MPI_SUM, inter));
    EXPECT_ERROR(MPI_ERR_COMM, MPI_Scan(out, in, 1, MPI_INT, MPI_SUM, inter));
    EXPECT_ERROR(MPI_ERR_ROOT, MPI_Bcast(in, 1, MPI_INT, theirs, inter));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    split();
    in = coll_alloc(LONG);
    out = coll_alloc(LONG);
    for (int form = 0; form < COLL_FORMS; form++) {
        barrier(form);
        for (int s = 0; s < 2; s++)
            for (int root = 0; root < (s == side ? mine : theirs); root++)
                with_root(form, s, root);
        allgather(form);
        alltoall(form);
        allreduce(form, COUNT);
        allreduce(form, LONG);
        reduce_scatter(form);
    }
    refusals();
    TRY(MPI_Comm_free(&inter));
    free(in);
    free(out);
    test_finish();
}
