/* Messages of a rank to itself: of all sizes, receive first and send first, in every mode, on
 * MPI_COMM_WORLD and on MPI_COMM_SELF. */
/* ranks: 1 2 3 */
#include "harness.h"

enum { BYTES_MAX = 8 << 20, TAG = 4 };

static const int sizes[] = {0, 1, 65, 3000, 65537, 1 << 20, BYTES_MAX};
enum { SIZES = sizeof sizes / sizeof *sizes };
static unsigned char *out, *in;

typedef int isend_function(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static void exchange(isend_function *isend, int bytes, MPI_Comm comm, int self, bool receive_first)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];
    test_fill(out, (size_t)bytes, (unsigned)bytes);
    memset(in, 0, (size_t)bytes);
    if (receive_first)
        TRY(MPI_Irecv(in, bytes, MPI_BYTE, self, TAG, comm, &requests[1]));
    TRY(isend(out, bytes, MPI_BYTE, self, TAG, comm, &requests[0]));
    if (!receive_first)
        TRY(MPI_Irecv(in, bytes, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &requests[1]));
    TRY(MPI_Waitall(2, requests, statuses));
    test_status(&statuses[1], self, TAG, bytes, "a message to oneself");
    CHECK_FILLED(in, bytes, (unsigned)bytes, "a message to oneself");
}

static void all_sizes(MPI_Comm comm)
{
    int self = -1;
    TRY(MPI_Comm_rank(comm, &self));
    for (int i = 0; i < SIZES; i++) {
        exchange(MPI_Isend, sizes[i], comm, self, true);
        exchange(MPI_Isend, sizes[i], comm, self, false);
        exchange(MPI_Issend, sizes[i], comm, self, true);
        exchange(MPI_Issend, sizes[i], comm, self, false);
        exchange(MPI_Irsend, sizes[i], comm, self, true);
    }
}

static void a_small_blocking_send_to_oneself_is_received_later(void)
{
    void *buffer = test_alloc(1000 + MPI_BSEND_OVERHEAD), *detached;
    int value = 17, got = 0, size;
    TRY(MPI_Buffer_attach(buffer, 1000 + MPI_BSEND_OVERHEAD));
    TRY(MPI_Bsend(&value, 1, MPI_INT, test_rank, TAG, MPI_COMM_WORLD));
    value = 0;
    TRY(MPI_Recv(&got, 1, MPI_INT, test_rank, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(got == 17, "a buffered message to oneself delivers %d", got);
    TRY(MPI_Buffer_detach(&detached, &size));
    free(buffer);
}

static void a_synchronous_send_to_oneself_waits(void)
{
    int value = 5, got = 0, flag = 1;
    MPI_Request request;
    TRY(MPI_Issend(&value, 1, MPI_INT, 0, TAG, MPI_COMM_SELF, &request));
    for (int i = 0; i < 10; i++) {
        TRY(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
        CHECK(!flag, "a synchronous send to oneself ends before its receive");
    }
    TRY(MPI_Recv(&got, 1, MPI_INT, 0, TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(got == 5, "a synchronous message to oneself delivers %d", got);
}

static void order_is_kept(void)
{
    enum { COUNT = 200 };
    int values[COUNT], got = -1;
    MPI_Request requests[COUNT];
    for (int i = 0; i < COUNT; i++) {
        values[i] = i;
        TRY(MPI_Isend(&values[i], 1, MPI_INT, 0, i % 3, MPI_COMM_SELF, &requests[i]));
    }
    for (int i = 0; i < COUNT; i++) {
        TRY(MPI_Recv(&got, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE));
        CHECK(got == i, "message %d to oneself arrives as number %d", got, i);
    }
    TRY(MPI_Waitall(COUNT, requests, MPI_STATUSES_IGNORE));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    out = test_alloc(BYTES_MAX);
    in = test_alloc(BYTES_MAX);
    all_sizes(MPI_COMM_SELF);
    all_sizes(MPI_COMM_WORLD);
    a_small_blocking_send_to_oneself_is_received_later();
    a_synchronous_send_to_oneself_waits();
    order_is_kept();
    free(out);
    free(in);
    test_finish();
    return 0;
}
