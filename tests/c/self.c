/* Messages of a rank to itself: of all sizes, receive first and send first, in every mode, on
 * MPI_COMM_WORLD and on MPI_COMM_SELF; those that wait for a receive beside others. */
/* ranks: 1 2 3 */
#include "harness.h"

enum { BYTES_MAX = 8 << 20, TAG = 4 };

static const int sizes[] = {0, 1, 65, 3000, 65536, 65537, 1 << 20, BYTES_MAX};
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

/* A receive by name, and by both wildcards, takes the first that fits of those that wait, while
 * receives of other messages are posted. */
static void what_waits_is_taken_beside_posted_receives(MPI_Comm comm, int self)
{
    enum { COUNT = 40 };
    int posted = -1, got = -1, flag = 0;
    MPI_Request request;
    MPI_Status status;
    TRY(MPI_Irecv(&posted, 1, MPI_INT, self, COUNT, comm, &request));
    for (int i = 0; i < COUNT; i++)
        TRY(MPI_Send(&i, 1, MPI_INT, self, i, comm));
    TRY(MPI_Recv(&got, 1, MPI_INT, self, COUNT - 1, comm, &status));
    CHECK(got == COUNT - 1, "the last message says %d", got);
    test_status(&status, self, COUNT - 1, sizeof got, "the last message that waits");
    for (int i = 0; i < COUNT - 1; i++) {
        TRY(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &status));
        CHECK(flag, "message %d is not found", i);
        test_status(&status, self, i, sizeof got, "a probe of what waits");
        TRY(MPI_Recv(&got, 1, MPI_INT, i % 2 ? self : MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status));
        CHECK(got == i, "message %d says %d", i, got);
        test_status(&status, self, i, sizeof got, "a message that waits");
    }
    TRY(MPI_Test(&request, &flag, &status));
    CHECK(!flag, "a receive got a message that was not its own");
    TRY(MPI_Send(&self, 1, MPI_INT, self, COUNT, comm));
    TRY(MPI_Wait(&request, &status));
    CHECK(posted == self, "the posted receive got %d", posted);
}

/* Of a receive that was complete as it began anything may be asked. */
static void a_receive_of_what_waits_is_a_request(MPI_Comm comm, int self)
{
    int got = -1, flag = 0;
    MPI_Request request;
    MPI_Status status;
    for (int round = 0; round < 4; round++) {
        TRY(MPI_Send(&round, 1, MPI_INT, self, TAG, comm));
        TRY(MPI_Irecv(&got, 1, MPI_INT, self, TAG, comm, &request));
        TRY(MPI_Request_get_status(request, &flag, &status));
        CHECK(flag && got == round, "round %d: complete %d, got %d", round, flag, got);
        test_status(&status, self, TAG, sizeof got, "a receive of what waits");
        if (round == 1)
            TRY(MPI_Cancel(&request));
        if (round == 2) {
            TRY(MPI_Request_free(&request));
        } else {
            TRY(MPI_Wait(&request, &status));
            TRY(MPI_Test_cancelled(&status, &flag));
            CHECK(!flag, "a complete receive was cancelled");
            test_status(&status, self, TAG, sizeof got, "a receive of what waits");
        }
    }
}

static void a_message_that_is_too_long_is_truncated(MPI_Comm comm, int self)
{
    int two[2] = {1, 2}, in[2] = {-1, -1};
    MPI_Request request;
    MPI_Status status;
    TRY(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    for (int round = 0; round < 3; round++) {
        if (round == 0)
            TRY(MPI_Irecv(in, 1, MPI_INT, self, TAG, comm, &request));
        TRY(MPI_Send(two, 2, MPI_INT, self, TAG, comm));
        if (round == 1)
            TRY(MPI_Irecv(in, 1, MPI_INT, self, TAG, comm, &request));
        if (round == 2)
            EXPECT_ERROR(MPI_ERR_TRUNCATE, MPI_Recv(in, 1, MPI_INT, self, TAG, comm, &status));
        else
            EXPECT_ERROR(MPI_ERR_TRUNCATE, MPI_Wait(&request, &status));
        CHECK(in[0] == 1 && in[1] == -1, "round %d: got %d and %d", round, in[0], in[1]);
        test_status(&status, self, TAG, sizeof(int), "a truncated message");
    }
    TRY(MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL));
}

/* Every second element, which no receive finds in one piece. */
static void a_message_goes_into_a_vector(MPI_Comm comm, int self)
{
    int out[3] = {1, 2, 3}, in[6] = {0};
    MPI_Datatype every_second;
    MPI_Request request;
    TRY(MPI_Type_vector(3, 1, 2, MPI_INT, &every_second));
    TRY(MPI_Type_commit(&every_second));
    for (int round = 0; round < 2; round++) {
        memset(in, 0, sizeof in);
        if (round == 0)
            TRY(MPI_Irecv(in, 1, every_second, self, TAG, comm, &request));
        TRY(MPI_Send(out, 3, MPI_INT, self, TAG, comm));
        if (round == 1)
            TRY(MPI_Irecv(in, 1, every_second, self, TAG, comm, &request));
        TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
        for (int i = 0; i < 6; i++)
            CHECK(in[i] == (i % 2 ? 0 : out[i / 2]), "round %d: element %d is %d", round, i, in[i]);
    }
    TRY(MPI_Type_free(&every_second));
}

static void exchanges(MPI_Comm comm, int self)
{
    int out = 3, in = 0;
    MPI_Status status;
    TRY(MPI_Sendrecv(&out, 1, MPI_INT, self, TAG, &in, 1, MPI_INT, self, TAG, comm, &status));
    CHECK(in == 3, "an exchange with oneself gets %d", in);
    test_status(&status, self, TAG, sizeof in, "an exchange with oneself");
    TRY(MPI_Sendrecv_replace(&in, 1, MPI_INT, self, TAG, self, MPI_ANY_TAG, comm, &status));
    CHECK(in == 3, "a replacing exchange with oneself gets %d", in);
}

static void beside_others(MPI_Comm comm)
{
    int self = -1;
    TRY(MPI_Comm_rank(comm, &self));
    what_waits_is_taken_beside_posted_receives(comm, self);
    a_receive_of_what_waits_is_a_request(comm, self);
    a_message_that_is_too_long_is_truncated(comm, self);
    a_message_goes_into_a_vector(comm, self);
    exchanges(comm, self);
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
    beside_others(MPI_COMM_SELF);
    beside_others(MPI_COMM_WORLD);
    free(out);
    free(in);
    test_finish();
    return 0;
}
