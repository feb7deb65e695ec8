/* Intercommunicators: two groups, each of which addresses the ranks of the other; created from
 * communicators and from groups, duplicated, split, reduced and merged. */
/* ranks: 1 2 3 4 5 */
#include "harness.h"

enum { TAG = 31, COLORS = 2 };

static int rank_in(MPI_Comm comm)
{
    int rank = -1;
    TRY(MPI_Comm_rank(comm, &rank));
    return rank;
}

static int size_of(MPI_Comm comm)
{
    int size = -1;
    TRY(MPI_Comm_size(comm, &size));
    return size;
}

static int remote_size(MPI_Comm comm)
{
    int size = -1;
    TRY(MPI_Comm_remote_size(comm, &size));
    return size;
}

/* The rank in MPI_COMM_WORLD of rank `rank` of the remote group. */
static int remote_world_rank(MPI_Comm inter, int rank)
{
    MPI_Group remote, world;
    int there = -1;
    TRY(MPI_Comm_remote_group(inter, &remote));
    TRY(MPI_Comm_group(MPI_COMM_WORLD, &world));
    TRY(MPI_Group_translate_ranks(remote, 1, &rank, world, &there));
    TRY(MPI_Group_free(&remote));
    TRY(MPI_Group_free(&world));
    return there;
}

/* Each rank sends to every rank of the remote group, and learns their ranks. */
static void greet(MPI_Comm inter, const char *what)
{
    int flag = 0, there = remote_size(inter), *in = test_alloc(sizeof *in * (size_t)there);
    MPI_Request *requests = test_alloc(sizeof *requests * (size_t)there);
    TRY(MPI_Comm_test_inter(inter, &flag));
    CHECK(flag, "%s: not an intercommunicator", what);
    for (int r = 0; r < there; r++)
        TRY(MPI_Irecv(&in[r], 1, MPI_INT, r, TAG, inter, &requests[r]));
    for (int r = 0; r < there; r++)
        TRY(MPI_Send(&test_rank, 1, MPI_INT, r, TAG, inter));
    TRY(MPI_Waitall(there, requests, MPI_STATUSES_IGNORE));
    for (int r = 0; r < there; r++)
        CHECK(in[r] == remote_world_rank(inter, r), "%s: rank %d is %d in the world", what, r,
              in[r]);
    free(requests);
    free(in);
}

static void any_source_is_of_the_other_side(MPI_Comm inter)
{
    MPI_Status status;
    int in = -1, there = remote_size(inter);
    for (int r = 0; r < there; r++)
        TRY(MPI_Send(&test_rank, 1, MPI_INT, r, TAG, inter));
    for (int r = 0; r < there; r++) {
        TRY(MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, TAG, inter, &status));
        CHECK(in == remote_world_rank(inter, status.MPI_SOURCE), "rank %d of the other side is %d",
              status.MPI_SOURCE, in);
    }
}

static void expect_compare(MPI_Comm a, MPI_Comm b, int wanted)
{
    int result = -1;
    TRY(MPI_Comm_compare(a, b, &result));
    CHECK(result == wanted, "two communicators compare as %d; must be %d", result, wanted);
}

static void duplicates(MPI_Comm inter)
{
    MPI_Comm copy;
    MPI_Request request;
    TRY(MPI_Comm_dup(inter, &copy));
    greet(copy, "a duplicate");
    expect_compare(inter, copy, MPI_CONGRUENT);
    TRY(MPI_Comm_free(&copy));
    TRY(MPI_Comm_idup(inter, &copy, &request));
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    greet(copy, "a duplicate made without waiting");
    TRY(MPI_Comm_free(&copy));
}

static void merges(MPI_Comm inter, int side)
{
    MPI_Comm all;
    int total = size_of(inter) + remote_size(inter), flag = 1, in = -1;
    for (int first = 0; first < 2; first++) {
        int high = side != first, offset = high ? remote_size(inter) : 0;
        TRY(MPI_Intercomm_merge(inter, high, &all));
        TRY(MPI_Comm_test_inter(all, &flag));
        CHECK(!flag && size_of(all) == total, "merged: %d ranks, intercommunicator %d",
              size_of(all), flag);
        CHECK(rank_in(all) == offset + rank_in(inter), "rank %d of the merged communicator",
              rank_in(all));
        TRY(MPI_Allreduce(&test_rank, &in, 1, MPI_INT, MPI_MAX, all));
        CHECK(in >= test_rank, "the largest world rank is %d", in);
        TRY(MPI_Comm_free(&all));
    }
    TRY(MPI_Intercomm_merge(inter, 0, &all)); /* both low: any order of the groups */
    CHECK(size_of(all) == total, "merged: %d ranks", size_of(all));
    TRY(MPI_Comm_free(&all));
}

/* Each group splits in two by parity; a color that only one group has gives MPI_COMM_NULL. */
static void splits(MPI_Comm inter)
{
    MPI_Comm part;
    int color = rank_in(inter) % COLORS, there = remote_size(inter), here = size_of(inter);
    int mates = (here + 1 - color) / COLORS, others = (there + 1 - color) / COLORS;
    TRY(MPI_Comm_split(inter, color, -rank_in(inter), &part));
    CHECK((part == MPI_COMM_NULL) == (others == 0), "color %d, %d on the other side", color,
          others);
    if (part != MPI_COMM_NULL) {
        CHECK(size_of(part) == mates && remote_size(part) == others, "split: %d and %d",
              size_of(part), remote_size(part));
        CHECK(rank_in(part) == mates - 1 - rank_in(inter) / COLORS, "rank %d of its part",
              rank_in(part));
        greet(part, "a part");
        TRY(MPI_Comm_free(&part));
    }
    TRY(MPI_Comm_split(inter, MPI_UNDEFINED, 0, &part));
    CHECK(part == MPI_COMM_NULL, "MPI_UNDEFINED gives a communicator");
}

/* Only the first process of each group. */
static void creates(MPI_Comm inter)
{
    MPI_Comm pair;
    MPI_Group group, first;
    int zero = 0;
    TRY(MPI_Comm_group(inter, &group));
    TRY(MPI_Group_incl(group, 1, &zero, &first));
    TRY(MPI_Comm_create(inter, first, &pair));
    CHECK((pair == MPI_COMM_NULL) == (rank_in(inter) != 0), "rank %d of its side", rank_in(inter));
    if (pair != MPI_COMM_NULL) {
        CHECK(size_of(pair) == 1 && remote_size(pair) == 1, "a pair of %d and %d", size_of(pair),
              remote_size(pair));
        greet(pair, "a pair");
        TRY(MPI_Comm_free(&pair));
    }
    TRY(MPI_Group_free(&first));
    TRY(MPI_Group_free(&group));
}

static void refusals(MPI_Comm inter)
{
    MPI_Comm made;
    int dims = 1, periods = 0;
    TRY(MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN));
    EXPECT_ERROR(MPI_ERR_COMM, MPI_Cart_create(inter, 1, &dims, &periods, 0, &made));
    EXPECT_ERROR(MPI_ERR_RANK, MPI_Send(&dims, 1, MPI_INT, remote_size(inter), TAG, inter));
}

static void from_groups(int side, int half)
{
    MPI_Group world, mine, theirs;
    MPI_Comm inter;
    int low[1][3] = {{0, half - 1, 1}}, high[1][3] = {{half, test_size - 1, 1}};
    TRY(MPI_Comm_group(MPI_COMM_WORLD, &world));
    TRY(MPI_Group_range_incl(world, 1, side ? high : low, &mine));
    TRY(MPI_Group_range_incl(world, 1, side ? low : high, &theirs));
    TRY(MPI_Intercomm_create_from_groups(mine, 0, theirs, 0, "two sides", MPI_INFO_NULL,
                                         MPI_ERRORS_ARE_FATAL, &inter));
    greet(inter, "made from groups");
    TRY(MPI_Comm_disconnect(&inter));
    CHECK(inter == MPI_COMM_NULL, "MPI_Comm_disconnect leaves a handle");
    TRY(MPI_Group_free(&mine));
    TRY(MPI_Group_free(&theirs));
    TRY(MPI_Group_free(&world));
}

int main(int argc, char **argv)
{
    int half, side, last;
    MPI_Comm local, inter;
    test_start(&argc, &argv);
    half = (test_size + 1) / 2;
    side = test_rank >= half;
    TRY(MPI_Comm_split(MPI_COMM_WORLD, side, 0, &local));
    if (test_size > 1) {
        last = size_of(local) - 1; /* the leaders are the last ranks of each group */
        TRY(MPI_Intercomm_create(local, last, MPI_COMM_WORLD, side ? half - 1 : test_size - 1,
                                 TAG, &inter));
        greet(inter, "made from communicators");
        any_source_is_of_the_other_side(inter);
        duplicates(inter);
        expect_compare(inter, local, MPI_UNEQUAL);
        merges(inter, side);
        splits(inter);
        creates(inter);
        refusals(inter);
        TRY(MPI_Comm_free(&inter));
        from_groups(side, half);
    }
    TRY(MPI_Comm_free(&local));
    test_finish();
    return 0;
}
