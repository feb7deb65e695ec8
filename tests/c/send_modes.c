/* Standard, buffered, synchronous and ready sends, blocking and not. A synchronous send does not
 * complete before its receive has started; a buffered one does not wait for it. */
/* ranks: 2 */
#include "harness.h"

enum { BYTES_MAX = 1 << 20, TAG = 3, GO = 4, LOOKS = 25 };

static const int sizes[] = {0, 1, 64, 4096, 65536, 300000, BYTES_MAX};
enum { SIZES = sizeof sizes / sizeof *sizes };
static unsigned char *data;

static void receive(int bytes, unsigned seed, const char *what)
{
    MPI_Status status;
    memset(data, 0, (size_t)bytes);
    TRY(MPI_Recv(data, bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, &status));
    test_status(&status, 0, TAG, bytes, what);
    CHECK_FILLED(data, bytes, seed, what);
}

static void synchronous_waits_for_its_receive(int bytes)
{
    MPI_Request request;
    int done = 0;
    if (test_rank == 1) {
        test_await(0, GO);
        receive(bytes, 1, "synchronous");
        receive(bytes, 1, "blocking synchronous");
        return;
    }
    test_fill(data, (size_t)bytes, 1);
    TRY(MPI_Issend(data, bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &request));
    for (int look = 0; look < LOOKS; look++) {
        TRY(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
        CHECK(!done, "a synchronous send of %d bytes ends before its receive starts", bytes);
        test_sleep_ms(1);
    }
    test_signal(1, GO);
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    TRY(MPI_Ssend(data, bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD));
}

/* Messages of all sizes are sent before the receiver starts on the first. */
static void buffered_does_not_wait(void)
{
    if (test_rank == 1) {
        test_await(0, GO);
        for (int i = 0; i < SIZES; i++) {
            receive(sizes[i], (unsigned)i, "buffered");
            receive(sizes[i], (unsigned)i + 50, "nonblocking buffered");
        }
        return;
    }
    int need = 0, size = 0;
    for (int i = 0; i < SIZES; i++)
        need += 2 * (sizes[i] + MPI_BSEND_OVERHEAD);
    void *buffer = test_alloc((size_t)need), *detached = NULL;
    TRY(MPI_Buffer_attach(buffer, need));
    for (int i = 0; i < SIZES; i++) {
        MPI_Request request;
        test_fill(data, (size_t)sizes[i], (unsigned)i);
        TRY(MPI_Bsend(data, sizes[i], MPI_BYTE, 1, TAG, MPI_COMM_WORLD));
        test_fill(data, (size_t)sizes[i], (unsigned)i + 50);
        TRY(MPI_Ibsend(data, sizes[i], MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &request));
        TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    memset(data, 0x5a, BYTES_MAX);
    test_signal(1, GO);
    TRY(MPI_Buffer_detach(&detached, &size));
    CHECK(detached == buffer && size == need, "detached %p of %d bytes; %p of %d were attached",
          detached, size, buffer, need);
    free(buffer);
}

static void ready_meets_its_receive(int bytes)
{
    MPI_Request request;
    MPI_Status status;
    if (test_rank == 1) {
        memset(data, 0, (size_t)bytes);
        for (int i = 0; i < 2; i++) {
            TRY(MPI_Irecv(data, bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, &request));
            test_signal(0, GO);
            TRY(MPI_Wait(&request, &status));
            test_status(&status, 0, TAG, bytes, "ready");
            CHECK_FILLED(data, bytes, 9u + (unsigned)i, "ready");
        }
        return;
    }
    test_await(1, GO);
    test_fill(data, (size_t)bytes, 9);
    TRY(MPI_Rsend(data, bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD));
    test_await(1, GO);
    test_fill(data, (size_t)bytes, 10);
    TRY(MPI_Irsend(data, bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &request));
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

/* Messages of all modes and sizes from one rank arrive in order. */
static void modes_keep_their_order(void)
{
    enum { ROUNDS = 40 };
    static int values[ROUNDS][3], big[ROUNDS][20000];
    MPI_Request requests[ROUNDS * 3];
    for (int i = 0; i < ROUNDS; i++) {
        if (test_rank == 0) {
            values[i][0] = 3 * i;
            big[i][0] = 3 * i + 1;
            values[i][2] = 3 * i + 2;
            MPI_Request *r = &requests[3 * i];
            TRY(MPI_Isend(&values[i][0], 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &r[0]));
            TRY(MPI_Isend(big[i], 20000, MPI_INT, 1, TAG, MPI_COMM_WORLD, &r[1]));
            TRY(MPI_Issend(&values[i][2], 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &r[2]));
        }
    }
    if (test_rank == 0) {
        TRY(MPI_Waitall(ROUNDS * 3, requests, MPI_STATUSES_IGNORE));
        return;
    }
    for (int i = 0; i < ROUNDS * 3; i++) {
        TRY(MPI_Recv(big[0], 20000, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(big[0][0] == i, "message %d arrives as number %d", big[0][0], i);
    }
}

/* More short synchronous sends than a library may number in a byte. Each ends with its own receive,
 * whatever the order, and some are of scattered data. */
static void many_synchronous_sends(void)
{
    enum { MANY = 600 };
    static int values[2 * MANY + 2];
    MPI_Request requests[MANY];
    MPI_Datatype every_other;
    MPI_Comm world = MPI_COMM_WORLD;
    if (test_rank == 1) {
        test_await(0, GO);
        for (int i = MANY - 1; i >= 0; i--) {
            int got[2] = {-1, -1};
            MPI_Status status;
            if (i % 3 == 0)
                TRY(MPI_Probe(0, 100 + i, world, MPI_STATUS_IGNORE));
            TRY(MPI_Recv(got, 2, MPI_INT, 0, 100 + i, world, &status));
            test_status(&status, 0, 100 + i, (i % 2 + 1) * (int)sizeof(int), "of many");
            CHECK(got[0] == 2 * i && got[1] == (i % 2 ? 2 * i + 2 : -1),
                  "message %d holds %d and %d", i, got[0], got[1]);
            TRY(MPI_Send(NULL, 0, MPI_BYTE, 0, TAG, world));
            test_await(0, GO);
        }
        return;
    }
    TRY(MPI_Type_vector(2, 1, 2, MPI_INT, &every_other));
    TRY(MPI_Type_commit(&every_other));
    for (int i = 0; i < 2 * MANY + 2; i++)
        values[i] = i;
    for (int i = 0; i < MANY; i++)
        TRY(MPI_Issend(&values[2 * i], 1, i % 2 ? every_other : MPI_INT, 1, 100 + i, world,
                       &requests[i]));
    test_signal(1, GO);
    for (int i = MANY - 1; i >= 0; i--) {
        int done = 0;
        test_await(1, TAG);
        if (i > 0)
            TRY(MPI_Test(&requests[i - 1], &done, MPI_STATUS_IGNORE));
        CHECK(!done, "the synchronous send %d ends before its receive starts", i - 1);
        TRY(MPI_Wait(&requests[i], MPI_STATUS_IGNORE));
        test_signal(1, GO);
    }
    TRY(MPI_Type_free(&every_other));
}

/* Both ranks wait for the other's receive, which each has posted before. */
static void synchronous_exchange(int bytes)
{
    MPI_Request request;
    MPI_Status status;
    int peer = 1 - test_rank;
    unsigned char *into = test_alloc((size_t)bytes + 1);
    for (unsigned i = 0; i < 20; i++) {
        test_fill(data, (size_t)bytes, 2 * i + (unsigned)test_rank);
        TRY(MPI_Irecv(into, bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request));
        TRY(MPI_Ssend(data, bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD));
        TRY(MPI_Wait(&request, &status));
        test_status(&status, peer, TAG, bytes, "synchronous exchange");
        CHECK_FILLED(into, bytes, 2 * i + (unsigned)peer, "synchronous exchange");
    }
    free(into);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    test_need_ranks(2);
    data = test_alloc(BYTES_MAX);
    for (int i = 0; i < SIZES; i++) {
        synchronous_waits_for_its_receive(sizes[i]);
        ready_meets_its_receive(sizes[i]);
    }
    buffered_does_not_wait();
    modes_keep_their_order();
    many_synchronous_sends();
    for (int i = 0; i < SIZES; i++)
        synchronous_exchange(sizes[i]);
    free(data);
    test_finish();
    return 0;
}
