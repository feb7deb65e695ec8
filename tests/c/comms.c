/* Communicators: duplicated, split and freed. Messages of one never match a receive of another,
 * whatever their rank and tag. */
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

/* Same peers and tag, three communicators: receives are posted in one order, sends in another. */
static void contexts_are_apart(void)
{
    enum { COMMS = 3 };
    MPI_Comm comms[COMMS] = {MPI_COMM_WORLD};
    MPI_Request requests[COMMS];
    int in[COMMS], out[COMMS], peer = test_rank ^ 1;
    for (int c = 1; c < COMMS; c++)
        TRY(MPI_Comm_dup(MPI_COMM_WORLD, &comms[c]));
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

/* Collectives do not disturb messages on the same communicator. */
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
    ring(reversed, 6); /* outlives its parent */
    TRY(MPI_Comm_free(&reversed));
}

/* Context ids are reused: thousands of communicators can be created one after another. */
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

/* A pending receive on a freed communicator still gets its message. */
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
    made_and_freed_many_times();
    freed_with_a_receive_pending();
    names();
    test_finish();
    return 0;
}
