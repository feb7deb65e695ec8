/* Communicators: duplicated, split, created and freed; each a world of its own whose messages never
 * meet a receive of another, whatever rank and tag they bear. */
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

/* Passes values around the ring of `comm`; `salt` tells communicators apart. */
static void ring(MPI_Comm comm, int salt)
{
    int rank = rank_in(comm), size = size_of(comm), in = -1, out = salt * 1000 + rank;
    int next = (rank + 1) % size, prev = (rank + size - 1) % size;
    TRY(MPI_Sendrecv(&out, 1, MPI_INT, next, TAG, &in, 1, MPI_INT, prev, TAG, comm,
                     MPI_STATUS_IGNORE));
    CHECK(in == salt * 1000 + prev, "ring %d: received %d from %d", salt, in, prev);
    TRY(MPI_Barrier(comm));
}

/* Same peers, same tag, three communicators: receives posted in one order, sends in another. */
static void contexts_are_apart(void)
{
    enum { COMMS = 3 };
    MPI_Comm comms[COMMS] = {MPI_COMM_WORLD};
    MPI_Request requests[COMMS];
    int in[COMMS], out[COMMS], peer = test_rank ^ 1;
    for (int c = 1; c < COMMS; c++)
        TRY(MPI_Comm_dup(MPI_COMM_WORLD, &comms[c]));
    expect_compare(comms[0], comms[1], MPI_CONGRUENT, "a communicator and its duplicate");
    expect_compare(comms[1], comms[1], MPI_IDENT, "a communicator and itself");
    if (peer < test_size) {
        for (int c = 0; c < COMMS; c++)
            TRY(MPI_Irecv(&in[c], 1, MPI_INT, c ? MPI_ANY_SOURCE : peer, c ? MPI_ANY_TAG : TAG,
                          comms[c], &requests[c]));
        for (int c = COMMS - 1; c >= 0; c--) {
            out[c] = 10 * c + test_rank;
            TRY(MPI_Send(&out[c], 1, MPI_INT, peer, TAG, comms[c]));
        }
        TRY(MPI_Waitall(COMMS, requests, MPI_STATUSES_IGNORE));
        for (int c = 0; c < COMMS; c++)
            CHECK(in[c] == 10 * c + peer, "communicator %d receives %d", c, in[c]);
    }
    for (int c = 1; c < COMMS; c++) {
        TRY(MPI_Comm_free(&comms[c]));
        CHECK(comms[c] == MPI_COMM_NULL, "MPI_Comm_free leaves a handle");
    }
}

/* Collectives do not disturb messages of the same communicator. */
static void collectives_pass_by_messages(void)
{
    int in = -1, out = test_rank, sum = -1;
    int next = (test_rank + 1) % test_size, prev = (test_rank + test_size - 1) % test_size;
    MPI_Request requests[2];
    TRY(MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]));
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    TRY(MPI_Allreduce(&out, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(sum == test_size * (test_size - 1) / 2, "the sum of ranks is %d", sum);
    TRY(MPI_Isend(&out, 1, MPI_INT, next, TAG, MPI_COMM_WORLD, &requests[1]));
    TRY(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK(in == prev, "received %d; must be %d", in, prev);
}

static void split_by_colour_and_key(void)
{
    MPI_Comm half, reversed, some;
    TRY(MPI_Comm_split(MPI_COMM_WORLD, test_rank % 2, test_rank, &half));
    CHECK(rank_in(half) == test_rank / 2, "rank %d of its half", rank_in(half));
    CHECK(size_of(half) == (test_size + 1 - test_rank % 2) / 2, "%d in a half", size_of(half));
    ring(half, 1 + test_rank % 2);
    TRY(MPI_Comm_split(half, 0, -test_rank, &reversed));
    CHECK(rank_in(reversed) == size_of(half) - 1 - rank_in(half), "rank %d of the reversed half",
          rank_in(reversed));
    ring(reversed, 3 + test_rank % 2);
    TRY(MPI_Comm_split(MPI_COMM_WORLD, test_rank ? MPI_UNDEFINED : 5, 0, &some));
    CHECK((some == MPI_COMM_NULL) == (test_rank != 0), "MPI_UNDEFINED gives a communicator");
    if (some != MPI_COMM_NULL) {
        ring(some, 5);
        TRY(MPI_Comm_free(&some));
    }
    TRY(MPI_Comm_free(&half));
    ring(reversed, 6); /* lives on without its parent */
    TRY(MPI_Comm_free(&reversed));
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

static void split_by_node(void)
{
    MPI_Comm node;
    TRY(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    CHECK(size_of(node) >= 1 && size_of(node) <= test_size, "%d ranks in a node", size_of(node));
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

/* Context ids come back: thousands can be made one after the other. */
static void made_and_freed_many_times(void)
{
    for (int i = 0; i < 500; i++) {
        MPI_Comm comm;
        TRY(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
        if (i % 50 == 0)
            ring(comm, 12);
        TRY(MPI_Comm_free(&comm));
    }
}

/* A communicator freed while a receive is pending still delivers to it. */
static void freed_with_a_receive_pending(void)
{
    MPI_Comm comm;
    MPI_Request requests[2];
    int in = -1, out = 300 + test_rank;
    int next = (test_rank + 1) % test_size, prev = (test_rank + test_size - 1) % test_size;
    TRY(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    TRY(MPI_Irecv(&in, 1, MPI_INT, prev, TAG, comm, &requests[0]));
    TRY(MPI_Isend(&out, 1, MPI_INT, next, TAG, comm, &requests[1]));
    TRY(MPI_Comm_free(&comm));
    TRY(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK(in == 300 + prev, "received %d on a freed communicator", in);
}

static void names(void)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length = -1;
    MPI_Comm comm;
    TRY(MPI_Comm_get_name(MPI_COMM_WORLD, name, &length));
    CHECK(!strcmp(name, "MPI_COMM_WORLD"), "the world is called '%s'", name);
    TRY(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    TRY(MPI_Comm_set_name(comm, "ocean model"));
    TRY(MPI_Comm_get_name(comm, name, &length));
    CHECK(!strcmp(name, "ocean model") && length == 11, "a name of %d: '%s'", length, name);
    TRY(MPI_Comm_free(&comm));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    contexts_are_apart();
    collectives_pass_by_messages();
    split_by_colour_and_key();
    equal_keys_keep_the_old_order();
    split_by_node();
    created_from_groups();
    duplicated_without_waiting();
    made_and_freed_many_times();
    freed_with_a_receive_pending();
    names();
    test_finish();
    return 0;
}
