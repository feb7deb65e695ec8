/* Cancelling a receive: it completes as cancelled or with its message, never both, and a message
 * that it would match goes to the next receive. Cancelling a send: its wait ends even if no
 * receive matches it, and then no rank receives it; or it is received. */
/* ranks: 2 */
#include "harness.h"

enum { TAG = 12, GO = 13, COUNT = 100 };

static bool cancelled(const MPI_Status *status)
{
    int flag = -1;
    TRY(MPI_Test_cancelled(status, &flag));
    CHECK(flag == 0 || flag == 1, "MPI_Test_cancelled gives %d", flag);
    return flag;
}

static void the_message_goes_to_the_next_receive(void)
{
    int first = -1, second = -1, value = 8;
    MPI_Request request;
    MPI_Status status;
    if (test_rank == 1) {
        test_await(0, GO);
        TRY(MPI_Send(&value, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD));
        return;
    }
    TRY(MPI_Irecv(&first, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &request));
    TRY(MPI_Cancel(&request));
    TRY(MPI_Wait(&request, &status));
    CHECK(cancelled(&status), "a receive without a message could not be cancelled");
    CHECK(request == MPI_REQUEST_NULL, "a cancelled request is not null after MPI_Wait");
    test_signal(1, GO);
    TRY(MPI_Recv(&second, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &status));
    CHECK(!cancelled(&status), "an ordinary receive says it was cancelled");
    CHECK(first == -1 && second == 8, "the cancelled receive holds %d, the next one %d", first,
          second);
}

static void every_other_one(void)
{
    int values[COUNT];
    MPI_Request requests[COUNT];
    MPI_Status statuses[COUNT];
    if (test_rank == 1) {
        test_await(0, GO);
        for (int i = 0; i < COUNT / 2; i++)
            TRY(MPI_Send(&i, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD));
        return;
    }
    for (int i = 0; i < COUNT; i++) {
        values[i] = -1;
        TRY(MPI_Irecv(&values[i], 1, MPI_INT, i % 3 ? 1 : MPI_ANY_SOURCE, i % 5 ? TAG : MPI_ANY_TAG,
                      MPI_COMM_WORLD, &requests[i]));
    }
    for (int i = 0; i < COUNT; i += 2)
        TRY(MPI_Cancel(&requests[i]));
    test_signal(1, GO);
    TRY(MPI_Waitall(COUNT, requests, statuses));
    for (int i = 0; i < COUNT; i++) {
        CHECK(cancelled(&statuses[i]) == (i % 2 == 0), "receive %d: cancelled is %d", i,
              cancelled(&statuses[i]));
        CHECK(values[i] == (i % 2 ? i / 2 : -1), "receive %d holds %d", i, values[i]);
    }
}

static void a_receive_that_has_its_message_stays(void)
{
    int got = -1, value = 31;
    MPI_Request request;
    MPI_Status status;
    if (test_rank == 1) {
        TRY(MPI_Send(&value, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD));
        return;
    }
    TRY(MPI_Probe(1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    TRY(MPI_Irecv(&got, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &request));
    TRY(MPI_Cancel(&request));
    TRY(MPI_Wait(&request, &status));
    CHECK(!cancelled(&status) && got == 31, "a matched receive: cancelled %d, holds %d",
          cancelled(&status), got);
}

static void a_persistent_receive_lives_on(void)
{
    int got = -1, value = 52;
    MPI_Request request;
    MPI_Status status;
    if (test_rank == 1) {
        test_await(0, GO);
        TRY(MPI_Send(&value, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD));
        return;
    }
    TRY(MPI_Recv_init(&got, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &request));
    TRY(MPI_Start(&request));
    TRY(MPI_Cancel(&request));
    TRY(MPI_Wait(&request, &status));
    CHECK(cancelled(&status), "a started persistent receive could not be cancelled");
    TRY(MPI_Start(&request));
    test_signal(1, GO);
    TRY(MPI_Wait(&request, &status));
    CHECK(!cancelled(&status) && got == 52, "started again: cancelled %d, holds %d",
          cancelled(&status), got);
    TRY(MPI_Request_free(&request));
}

enum { BYTES_MAX = 1 << 20 };

static unsigned char data[BYTES_MAX];

/* The message of the cancelled send never arrives; the next one does. */
static void a_send_without_receive(int bytes, bool synchronous, bool persistent)
{
    MPI_Request request;
    MPI_Status status;
    MPI_Comm world = MPI_COMM_WORLD;
    if (test_rank == 1) {
        int flag = -1;
        TRY(MPI_Recv(data, BYTES_MAX, MPI_BYTE, 0, GO, world, &status));
        test_status(&status, 0, GO, bytes, "the message after a cancelled one");
        TRY(MPI_Iprobe(0, TAG, world, &flag, MPI_STATUS_IGNORE));
        CHECK(!flag, "a cancelled message of %d bytes is there", bytes);
        test_signal(0, GO);
        return;
    }
    if (persistent) {
        TRY(MPI_Ssend_init(data, bytes, MPI_BYTE, 1, TAG, world, &request));
        TRY(MPI_Start(&request));
    } else if (synchronous) {
        TRY(MPI_Issend(data, bytes, MPI_BYTE, 1, TAG, world, &request));
    } else {
        TRY(MPI_Isend(data, bytes, MPI_BYTE, 1, TAG, world, &request));
    }
    TRY(MPI_Cancel(&request));
    if (bytes % 2)
        TRY(MPI_Cancel(&request));
    /* The peer waits for another message, and discards this one meanwhile. */
    TRY(MPI_Wait(&request, &status));
    CHECK(cancelled(&status), "a send of %d bytes that met no receive is not cancelled", bytes);
    if (persistent)
        TRY(MPI_Request_free(&request));
    TRY(MPI_Send(data, bytes, MPI_BYTE, 1, GO, world));
    test_await(1, GO);
}

/* A send that is cancelled while its receive starts is received or cancelled, and both sides
 * agree. */
static void a_send_that_may_be_received(int bytes)
{
    int by_receiver = 0, by_sender = 0;
    MPI_Request request;
    MPI_Status status;
    MPI_Comm world = MPI_COMM_WORLD;
    for (int i = 0; i < COUNT; i++) {
        if (test_rank == 0) {
            TRY(MPI_Issend(data, bytes, MPI_BYTE, 1, TAG, world, &request));
            if (i % 3 == 0)
                test_sleep_ms(i % 2);
            TRY(MPI_Cancel(&request));
            TRY(MPI_Wait(&request, &status));
            by_sender += !cancelled(&status);
            TRY(MPI_Send(NULL, 0, MPI_BYTE, 1, GO, world));
        } else {
            TRY(MPI_Recv(data, bytes, MPI_BYTE, 0, MPI_ANY_TAG, world, &status));
            if (status.MPI_TAG == TAG) {
                by_receiver++;
                TRY(MPI_Recv(NULL, 0, MPI_BYTE, 0, GO, world, MPI_STATUS_IGNORE));
            }
        }
    }
    if (test_rank == 1) {
        TRY(MPI_Send(&by_receiver, 1, MPI_INT, 0, TAG, world));
        return;
    }
    TRY(MPI_Recv(&by_receiver, 1, MPI_INT, 1, TAG, world, MPI_STATUS_IGNORE));
    CHECK(by_receiver == by_sender, "%d were received, %d of the cancels say so", by_receiver,
          by_sender);
}

static void a_send_to_itself(void)
{
    MPI_Request request;
    MPI_Status status;
    int flag = -1;
    TRY(MPI_Issend(data, 10, MPI_BYTE, 0, TAG, MPI_COMM_SELF, &request));
    TRY(MPI_Cancel(&request));
    TRY(MPI_Wait(&request, &status));
    CHECK(cancelled(&status), "a send to itself that met no receive is not cancelled");
    TRY(MPI_Iprobe(0, TAG, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE));
    CHECK(!flag, "a cancelled message to itself is there");
}

/* The peer calls only MPI_Finalize. */
static void a_send_to_a_peer_that_is_done(void)
{
    MPI_Request request;
    MPI_Status status;
    if (test_rank != 0)
        return;
    TRY(MPI_Issend(data, 10, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &request));
    test_sleep_ms(20);
    TRY(MPI_Cancel(&request));
    TRY(MPI_Wait(&request, &status));
    CHECK(cancelled(&status), "a send to a peer that has finalized is not cancelled");
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    test_need_ranks(2);
    the_message_goes_to_the_next_receive();
    every_other_one();
    a_receive_that_has_its_message_stays();
    a_persistent_receive_lives_on();
    for (int bytes = 0; bytes <= BYTES_MAX; bytes = bytes * 30 + 1) {
        a_send_without_receive(bytes, true, false);
        a_send_without_receive(bytes, true, true);
        a_send_that_may_be_received(bytes);
    }
    a_send_without_receive(BYTES_MAX, false, false);
    a_send_to_itself();
    a_send_to_a_peer_that_is_done();
    test_finish();
    return 0;
}
