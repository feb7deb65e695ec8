/* A null pointer for the request: an error, and nothing has started. Otherwise a message would
 * be sent although the call failed. */
/* ranks: 2 */
#include "harness.h"

enum { TAG = 3, N = 4 };

static int data[N], more[N], counts[2] = {1, 1}, places[2] = {0, 1};
static MPI_Datatype types[2];
static MPI_Comm world;

#define REFUSED(call) EXPECT_ERROR(MPI_ERR_ARG, call)

static void sends(int to)
{
    REFUSED(MPI_Isend(data, 1, MPI_INT, to, TAG, world, NULL));
    REFUSED(MPI_Issend(data, 1, MPI_INT, to, TAG, world, NULL));
    REFUSED(MPI_Irsend(data, 1, MPI_INT, to, TAG, world, NULL));
    REFUSED(MPI_Ibsend(data, 1, MPI_INT, to, TAG, world, NULL));
    REFUSED(MPI_Send_init(data, 1, MPI_INT, to, TAG, world, NULL));
    REFUSED(MPI_Psend_init(data, 1, 1, MPI_INT, to, TAG, world, MPI_INFO_NULL, NULL));
    REFUSED(MPI_Isendrecv(data, 1, MPI_INT, to, TAG, more, 1, MPI_INT, to, TAG, world, NULL));
    REFUSED(MPI_Isendrecv_replace(data, 1, MPI_INT, to, TAG, to, TAG, world, NULL));
}

static void receives(int from)
{
    REFUSED(MPI_Irecv(more, 1, MPI_INT, from, MPI_ANY_TAG, world, NULL));
    REFUSED(MPI_Recv_init(more, 1, MPI_INT, from, TAG, world, NULL));
    REFUSED(MPI_Precv_init(more, 1, 1, MPI_INT, from, TAG, world, MPI_INFO_NULL, NULL));
}

static void collectives(void)
{
    REFUSED(MPI_Ibarrier(world, NULL));
    REFUSED(MPI_Ibcast(data, 1, MPI_INT, 0, world, NULL));
    REFUSED(MPI_Igather(data, 1, MPI_INT, more, 1, MPI_INT, 0, world, NULL));
    REFUSED(MPI_Igatherv(data, 1, MPI_INT, more, counts, places, MPI_INT, 0, world, NULL));
    REFUSED(MPI_Iscatter(data, 1, MPI_INT, more, 1, MPI_INT, 0, world, NULL));
    REFUSED(MPI_Iscatterv(data, counts, places, MPI_INT, more, 1, MPI_INT, 0, world, NULL));
    REFUSED(MPI_Iallgather(data, 1, MPI_INT, more, 1, MPI_INT, world, NULL));
    REFUSED(MPI_Iallgatherv(data, 1, MPI_INT, more, counts, places, MPI_INT, world, NULL));
    REFUSED(MPI_Ialltoall(data, 1, MPI_INT, more, 1, MPI_INT, world, NULL));
    REFUSED(MPI_Ialltoallv(data, counts, places, MPI_INT, more, counts, places, MPI_INT, world,
                           NULL));
    REFUSED(MPI_Ialltoallw(data, counts, places, types, more, counts, places, types, world, NULL));
    REFUSED(MPI_Ireduce(data, more, 1, MPI_INT, MPI_SUM, 0, world, NULL));
    REFUSED(MPI_Iallreduce(data, more, 1, MPI_INT, MPI_SUM, world, NULL));
    REFUSED(MPI_Ireduce_scatter(data, more, counts, MPI_INT, MPI_SUM, world, NULL));
    REFUSED(MPI_Ireduce_scatter_block(data, more, 1, MPI_INT, MPI_SUM, world, NULL));
    REFUSED(MPI_Iscan(data, more, 1, MPI_INT, MPI_SUM, world, NULL));
    REFUSED(MPI_Iexscan(data, more, 1, MPI_INT, MPI_SUM, world, NULL));
    REFUSED(MPI_Bcast_init(data, 1, MPI_INT, 0, world, MPI_INFO_NULL, NULL));
    REFUSED(MPI_Barrier_init(world, MPI_INFO_NULL, NULL));
}

static void others(void)
{
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Message message;
    int flag = 0;
    REFUSED(MPI_Comm_idup(world, &copy, NULL));
    REFUSED(MPI_Comm_idup_with_info(world, MPI_INFO_NULL, &copy, NULL));
    REFUSED(MPI_Buffer_iflush(NULL));
    REFUSED(MPI_Comm_iflush_buffer(world, NULL));
    REFUSED(MPI_Grequest_start(NULL, NULL, NULL, NULL, NULL));
    /* The program can still receive the message. */
    TRY(MPI_Send(data, 1, MPI_INT, 0, TAG, MPI_COMM_SELF));
    TRY(MPI_Mprobe(0, TAG, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE));
    REFUSED(MPI_Imrecv(more, 1, MPI_INT, &message, NULL));
    CHECK(message != MPI_MESSAGE_NULL, "a refused MPI_Imrecv takes the message");
    TRY(MPI_Mrecv(more, 1, MPI_INT, &message, MPI_STATUS_IGNORE));
    /* So it can after a probe that cannot return it. */
    TRY(MPI_Send(data, 1, MPI_INT, 0, TAG, MPI_COMM_SELF));
    REFUSED(MPI_Mprobe(0, TAG, MPI_COMM_SELF, NULL, MPI_STATUS_IGNORE));
    REFUSED(MPI_Improbe(0, TAG, MPI_COMM_SELF, &flag, NULL, MPI_STATUS_IGNORE));
    REFUSED(MPI_Improbe(0, TAG, MPI_COMM_SELF, NULL, &message, MPI_STATUS_IGNORE));
    TRY(MPI_Recv(more, 1, MPI_INT, 0, TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE));
}

/* Nothing was sent: the next message is one sent here, and the collectives match. */
static void nothing_was_sent(int peer)
{
    int flag = -1, sum = 0, value = 7;
    TRY(MPI_Barrier(world));
    TRY(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, world, &flag, MPI_STATUS_IGNORE));
    CHECK(!flag, "a refused call has sent a message");
    TRY(MPI_Barrier(world));
    TRY(MPI_Sendrecv(&value, 1, MPI_INT, peer, TAG, more, 1, MPI_INT, peer, TAG, world,
                     MPI_STATUS_IGNORE));
    CHECK(more[0] == 7, "received %d", more[0]);
    TRY(MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, world));
    CHECK(sum == 7 * test_size, "the sum is %d", sum);
}

int main(int argc, char **argv)
{
    char space[10000];
    void *detached;
    int size;
    test_start(&argc, &argv);
    test_need_ranks(2);
    world = MPI_COMM_WORLD;
    types[0] = types[1] = MPI_INT;
    TRY(MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN));
    TRY(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    TRY(MPI_Buffer_attach(space, sizeof space));
    if (test_rank < 2) {
        sends(1 - test_rank);
        receives(1 - test_rank);
    }
    /* Only one rank: the others have not started anything either. */
    if (test_rank == 0)
        collectives();
    others();
    nothing_was_sent(test_rank < 2 ? 1 - test_rank : MPI_PROC_NULL);
    TRY(MPI_Buffer_detach(&detached, &size));
    test_finish();
    return 0;
}
