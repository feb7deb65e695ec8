/* A message longer than its receive: MPI_ERR_TRUNCATE, a status with the bytes received, no byte
 * written past the end, and the next message is intact. Posted and unexpected receives, blocking
 * and not, short and long. */
/* ranks: 2 */
#include "harness.h"

enum { BYTES_MAX = 600000, TAG = 2, GO = 3 };

static const int sizes[] = {1, 100, 5000, 70000, BYTES_MAX};
enum { SIZES = sizeof sizes / sizeof *sizes };
static unsigned char data[BYTES_MAX];

static void send_long_and_good(int bytes, bool late)
{
    if (late)
        test_await(0, GO);
    test_fill(data, (size_t)bytes, 1);
    TRY(MPI_Send(data, bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD));
    test_fill(data, (size_t)bytes, 2);
    TRY(MPI_Send(data, bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD));
}

static void check_rest(int room, int bytes)
{
    MPI_Status status;
    for (int i = room; i < bytes; i++)
        CHECK(data[i] == 0xdd, "a receive of %d bytes writes byte %d", room, i);
    TRY(MPI_Recv(data, bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &status));
    test_status(&status, 1, TAG, bytes, "the message after a truncated one");
    CHECK_FILLED(data, bytes, 2, "the message after a truncated one");
}

static void expected(int bytes, int room)
{
    MPI_Request request;
    MPI_Status status;
    memset(data, 0xdd, sizeof data);
    TRY(MPI_Irecv(data, room, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &request));
    test_signal(1, GO);
    EXPECT_ERROR(MPI_ERR_TRUNCATE, MPI_Wait(&request, &status));
    test_status(&status, 1, TAG, room, "MPI_Wait for a truncated message");
    CHECK(request == MPI_REQUEST_NULL, "a failed receive leaves its request");
    check_rest(room, bytes);
}

static void in_waitall(int bytes, int room)
{
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status statuses[2];
    static unsigned char second[BYTES_MAX];
    memset(data, 0xdd, sizeof data);
    TRY(MPI_Irecv(data, room, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &requests[0]));
    TRY(MPI_Irecv(second, bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &requests[1]));
    test_signal(1, GO);
    int class = test_class(MPI_Waitall(2, requests, statuses));
    CHECK(class == MPI_ERR_IN_STATUS, "MPI_Waitall gives class %d; must be MPI_ERR_IN_STATUS",
          class);
    CHECK(test_class(statuses[0].MPI_ERROR) == MPI_ERR_TRUNCATE,
          "the first status says class %d; must be MPI_ERR_TRUNCATE",
          test_class(statuses[0].MPI_ERROR));
    if (statuses[1].MPI_ERROR == MPI_ERR_PENDING)
        TRY(MPI_Wait(&requests[1], &statuses[1]));
    CHECK_FILLED(second, bytes, 2, "the good message beside a truncated one");
}

static void unexpected(int bytes, int room)
{
    MPI_Status status;
    memset(data, 0xdd, sizeof data);
    TRY(MPI_Probe(1, TAG, MPI_COMM_WORLD, &status));
    EXPECT_ERROR(MPI_ERR_TRUNCATE,
                 MPI_Recv(data, room, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                          &status));
    test_status(&status, 1, TAG, room, "a truncated MPI_Recv");
    check_rest(room, bytes);
}

/* To itself: the status is that of the receive. */
static void in_sendrecv(void)
{
    MPI_Status status;
    EXPECT_ERROR(MPI_ERR_TRUNCATE,
                 MPI_Sendrecv(data, 100, MPI_BYTE, 0, TAG, data + 200, 50, MPI_BYTE, 0,
                              MPI_ANY_TAG, MPI_COMM_SELF, &status));
    test_status(&status, 0, TAG, 50, "a truncated MPI_Sendrecv");
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    test_need_ranks(2);
    TRY(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    TRY(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    in_sendrecv();
    for (int i = 0; i < SIZES; i++) {
        const int rooms[] = {0, sizes[i] / 2, sizes[i] - 1};
        for (int j = 0; j < 3; j++) {
            if (test_rank == 1) {
                send_long_and_good(sizes[i], true);
                send_long_and_good(sizes[i], true);
                send_long_and_good(sizes[i], false);
            } else {
                expected(sizes[i], rooms[j]);
                in_waitall(sizes[i], rooms[j]);
                unexpected(sizes[i], rooms[j]);
            }
        }
    }
    test_finish();
    return 0;
}
