/* Other ways to create communicators: from groups, split by node, duplicated without blocking;
 * and the comparison of communicators. */
/* ranks: 1 2 3 4 8 */
#include "harness.h"

enum { TAG = 18 };

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

static void expect_compare(MPI_Comm a, MPI_Comm b, int wanted, const char *what)
{
    int result = -1;
    TRY(MPI_Comm_compare(a, b, &result));
    CHECK(result == wanted, "%s compare as %d; must be %d", what, result, wanted);
}

/* Passes values around the ring of `comm`; values differ by `salt`. */
static void ring(MPI_Comm comm, int salt)
{
    int rank = rank_in(comm), size = size_of(comm), in = -1, out = salt * 1000 + rank;
    int next = (rank + 1) % size, prev = (rank + size - 1) % size;
    TRY(MPI_Sendrecv(&out, 1, MPI_INT, next, TAG, &in, 1, MPI_INT, prev, TAG, comm,
                     MPI_STATUS_IGNORE));
    CHECK(in == salt * 1000 + prev, "ring %d: received %d from %d", salt, in, prev);
    TRY(MPI_Barrier(comm));
}

static void duplicates_are_congruent(void)
{
    MPI_Comm copy;
    TRY(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    expect_compare(MPI_COMM_WORLD, copy, MPI_CONGRUENT, "a communicator and its duplicate");
    expect_compare(copy, copy, MPI_IDENT, "a communicator and itself");
    expect_compare(MPI_COMM_WORLD, MPI_COMM_SELF, test_size > 1 ? MPI_UNEQUAL : MPI_CONGRUENT,
                   "the world and oneself");
    TRY(MPI_Comm_free(&copy));
}

static void equal_keys_keep_the_old_order(void)
{
    MPI_Comm comm;
    TRY(MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comm));
    expect_compare(comm, MPI_COMM_WORLD, MPI_CONGRUENT, "the world and its split with equal keys");
    TRY(MPI_Comm_free(&comm));
    TRY(MPI_Comm_split(MPI_COMM_WORLD, 0, -test_rank, &comm));
    expect_compare(comm, MPI_COMM_WORLD, test_size > 1 ? MPI_SIMILAR : MPI_CONGRUENT,
                   "the world and its reverse");
    TRY(MPI_Comm_free(&comm));
}

/* A rank's node contains exactly the ranks with the same processor name: across hosts
 * (tests/cluster/across.py), a node contains more than one rank and not all. */
static void expect_same_names(MPI_Comm node)
{
    char mine[MPI_MAX_PROCESSOR_NAME] = "", *names = test_alloc((size_t)test_size * sizeof mine);
    int *all = test_alloc((size_t)test_size * sizeof *all);
    int *there = test_alloc((size_t)test_size * sizeof *there), length;
    MPI_Group world, local;
    TRY(MPI_Get_processor_name(mine, &length));
    TRY(MPI_Allgather(mine, sizeof mine, MPI_CHAR, names, sizeof mine, MPI_CHAR, MPI_COMM_WORLD));
    for (int rank = 0; rank < test_size; rank++) all[rank] = rank;
    TRY(MPI_Comm_group(MPI_COMM_WORLD, &world));
    TRY(MPI_Comm_group(node, &local));
    TRY(MPI_Group_translate_ranks(world, test_size, all, local, there));
    for (int rank = 0; rank < test_size; rank++) {
        const char *name = names + (size_t)rank * sizeof mine;
        bool is_named_so = strcmp(name, mine) == 0, is_in_node = there[rank] != MPI_UNDEFINED;
        CHECK(is_named_so == is_in_node, "rank %d on %s is %sin the node of rank %d on %s", rank,
              name, is_in_node ? "" : "not ", test_rank, mine);
    }
    TRY(MPI_Group_free(&local));
    TRY(MPI_Group_free(&world));
    free(there);
    free(all);
    free(names);
}

static void split_by_node(void)
{
    MPI_Comm node;
    TRY(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    CHECK(size_of(node) >= 1 && size_of(node) <= test_size, "%d ranks in a node", size_of(node));
    expect_same_names(node);
    ring(node, 7);
    TRY(MPI_Comm_free(&node));
}

static void created_from_groups(void)
{
    MPI_Group world, evens, reversed;
    MPI_Comm comm;
    int range[1][3] = {{0, (test_size - 1) / 2 * 2, 2}}, rank = -1, ranks[1] = {0}, there[1];
    int back[1][3] = {{test_size - 1, 0, -1}};
    TRY(MPI_Comm_group(MPI_COMM_WORLD, &world));
    TRY(MPI_Group_range_incl(world, 1, range, &evens));
    TRY(MPI_Comm_create(MPI_COMM_WORLD, evens, &comm));
    CHECK((comm == MPI_COMM_NULL) == (test_rank % 2 == 1), "MPI_Comm_create on rank %d", test_rank);
    if (comm != MPI_COMM_NULL) {
        CHECK(rank_in(comm) == test_rank / 2, "rank %d among the even", rank_in(comm));
        ring(comm, 8);
        TRY(MPI_Comm_free(&comm));
        TRY(MPI_Comm_create_group(MPI_COMM_WORLD, evens, 3, &comm));
        ring(comm, 9);
        TRY(MPI_Comm_free(&comm));
    }
    TRY(MPI_Group_range_incl(world, 1, back, &reversed));
    TRY(MPI_Group_rank(reversed, &rank));
    CHECK(rank == test_size - 1 - test_rank, "rank %d in the reversed group", rank);
    TRY(MPI_Group_translate_ranks(world, 1, ranks, reversed, there));
    CHECK(there[0] == test_size - 1, "rank 0 is %d in the reversed group", there[0]);
    TRY(MPI_Comm_create(MPI_COMM_WORLD, reversed, &comm));
    ring(comm, 10);
    TRY(MPI_Comm_free(&comm));
    TRY(MPI_Group_free(&reversed));
    TRY(MPI_Group_free(&evens));
    TRY(MPI_Group_free(&world));
    CHECK(world == MPI_GROUP_NULL, "MPI_Group_free leaves a handle");
}

static void duplicated_without_waiting(void)
{
    MPI_Comm comm;
    MPI_Request request;
    TRY(MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request));
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    ring(comm, 11);
    TRY(MPI_Comm_free(&comm));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    duplicates_are_congruent();
    equal_keys_keep_the_old_order();
    split_by_node();
    created_from_groups();
    duplicated_without_waiting();
    test_finish();
    return 0;
}
