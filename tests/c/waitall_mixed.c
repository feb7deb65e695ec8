/* Requests of every kind in one MPI_Waitall, with and without an error among them; and receives
 * that match an unexpected message when they start, in every call that completes a request. */
/* ranks: 2 */
#include "harness.h"

enum { TAG = 4, OTHER_TAG = 5, GO = 6, LARGE = 300000, UNTOUCHED = -77, APART_MS = 20 };

static const MPI_Comm WORLD = MPI_COMM_WORLD;
static unsigned char large[LARGE];

/* Afterwards, rank 1's messages have arrived, but rank 0 has made no progress. */
static void let_messages_arrive(void)
{
    test_signal(1, GO);
    test_sleep_ms(APART_MS);
}

static void send_ints(int tag, int first, int count)
{
    for (int i = first; i < first + count; i++)
        TRY(MPI_Send(&i, 1, MPI_INT, 0, tag, WORLD));
}

static void check_null(const MPI_Request *requests, int count, const char *what)
{
    for (int i = 0; i < count; i++)
        CHECK(requests[i] == MPI_REQUEST_NULL, "%s: request %d is not null", what, i);
}

static void every_kind_at_once(void)
{
    enum { KINDS = 8 };
    MPI_Request requests[KINDS], persistent;
    MPI_Status statuses[KINDS];
    int here = -1, later = -1, again = -1, out = 9;
    if (test_rank == 1) {
        test_await(0, GO);
        send_ints(TAG, 1, 1);
        test_await(0, GO);
        MPI_Request barrier;
        TRY(MPI_Ibarrier(WORLD, &barrier));
        send_ints(TAG, 2, 2);
        TRY(MPI_Recv(&out, 1, MPI_INT, 0, TAG, WORLD, MPI_STATUS_IGNORE));
        TRY(MPI_Recv(large, LARGE, MPI_BYTE, 0, TAG, WORLD, MPI_STATUS_IGNORE));
        CHECK_FILLED(large, LARGE, 3, "a large message beside others");
        TRY(MPI_Wait(&barrier, MPI_STATUS_IGNORE));
        return;
    }
    let_messages_arrive();
    test_fill(large, LARGE, 3);
    TRY(MPI_Irecv(&here, 1, MPI_INT, 1, TAG, WORLD, &requests[0]));
    TRY(MPI_Isend(&out, 1, MPI_INT, 1, TAG, WORLD, &requests[1]));
    requests[2] = MPI_REQUEST_NULL;
    TRY(MPI_Irecv(&later, 1, MPI_INT, 1, TAG, WORLD, &requests[3]));
    TRY(MPI_Ibarrier(WORLD, &requests[4]));
    TRY(MPI_Isend(large, LARGE, MPI_BYTE, 1, TAG, WORLD, &requests[5]));
    TRY(MPI_Recv_init(&again, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &persistent));
    TRY(MPI_Start(&persistent));
    requests[6] = persistent;
    requests[7] = MPI_REQUEST_NULL;
    test_signal(1, GO);
    TRY(MPI_Waitall(KINDS, requests, statuses));
    CHECK(requests[6] == persistent, "MPI_Waitall takes a persistent request away");
    TRY(MPI_Request_free(&requests[6]));
    check_null(requests, KINDS, "every kind at once");
    test_status(&statuses[0], 1, TAG, sizeof here, "a receive whose message was there");
    test_empty_status(&statuses[2], "a null request among others");
    test_status(&statuses[3], 1, TAG, sizeof later, "a receive whose message came later");
    test_status(&statuses[6], 1, TAG, sizeof again, "a persistent receive");
    test_empty_status(&statuses[7], "a null request at the end");
    CHECK(here == 1 && later == 2 && again == 3, "%d, %d, %d came; 1, 2, 3 were sent", here, later,
          again);
}

/* Two messages that fit, one too long, two that fit: arrived before the receives, or `later`. */
static void an_error_in_the_middle(bool later)
{
    enum { COUNT = 5, BAD = 2 };
    MPI_Request requests[COUNT];
    MPI_Status statuses[COUNT];
    int values[COUNT] = {-1, -1, -1, -1, -1};
    if (test_rank == 1) {
        test_await(0, GO);
        send_ints(TAG, 0, COUNT);
        return;
    }
    if (!later)
        let_messages_arrive();
    for (int i = 0; i < COUNT; i++) {
        statuses[i].MPI_ERROR = UNTOUCHED;
        int room = i == BAD ? 2 : (int)sizeof(int);
        TRY(MPI_Irecv(&values[i], room, MPI_BYTE, 1, TAG, WORLD, &requests[i]));
    }
    if (later)
        test_signal(1, GO);
    EXPECT_ERROR(MPI_ERR_IN_STATUS, MPI_Waitall(COUNT, requests, statuses));
    for (int i = 0; i < COUNT; i++) {
        int class = test_class(statuses[i].MPI_ERROR), wanted = i == BAD ? MPI_ERR_TRUNCATE : 0;
        if (i > BAD && class == MPI_ERR_PENDING)
            TRY(MPI_Wait(&requests[i], &statuses[i]));
        else
            CHECK(class == wanted, "status %d says class %d; must be %d", i, class, wanted);
        CHECK(i == BAD || values[i] == i, "receive %d holds %d", i, values[i]);
        if (i != BAD)
            test_status(&statuses[i], 1, TAG, sizeof(int), "a good one beside an error");
    }
    check_null(requests, COUNT, "with an error in the middle");
}

/* A receive whose message has already arrived. */
static void begin(int *value, MPI_Request *request)
{
    *value = -1;
    TRY(MPI_Irecv(value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, request));
    CHECK(*request != MPI_REQUEST_NULL, "MPI_Irecv gives a null request");
}

static void check_end(int value, int wanted, const MPI_Status *status, bool found, const char *what)
{
    CHECK(found, "%s: it says another request", what);
    CHECK(value == wanted, "%s: %d was received; %d was sent", what, value, wanted);
    test_status(status, 1, TAG, sizeof(int), what);
}

static void looked_at_in_every_way(void)
{
    MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status status[2];
    int value, flag = -1, index = -1, count = -1, cancelled = -1;
    if (test_rank == 1) {
        test_await(0, GO);
        send_ints(TAG, 0, 8);
        return;
    }
    let_messages_arrive();
    begin(&value, request);
    for (int i = 0; i < 2; i++) {
        do
            TRY(MPI_Request_get_status(request[0], &flag, status));
        while (!flag);
        check_end(value, 0, status, flag, "MPI_Request_get_status");
    }
    TRY(MPI_Cancel(request));
    TRY(MPI_Wait(request, status));
    TRY(MPI_Test_cancelled(status, &cancelled));
    CHECK(!cancelled, "a receive that was complete says it was cancelled");
    check_end(value, 0, status, 1, "MPI_Wait after MPI_Cancel");
    begin(&value, request);
    do
        TRY(MPI_Test(request, &flag, status));
    while (!flag);
    check_end(value, 1, status, flag, "MPI_Test");
    begin(&value, request);
    TRY(MPI_Request_free(request));
    check_null(request, 2, "MPI_Request_free");
    begin(&value, &request[1]);
    do
        TRY(MPI_Testall(2, request, &flag, status));
    while (!flag);
    check_end(value, 3, &status[1], flag, "MPI_Testall");
    begin(&value, &request[1]);
    TRY(MPI_Waitany(2, request, &index, status));
    check_end(value, 4, status, index == 1, "MPI_Waitany");
    begin(&value, &request[1]);
    TRY(MPI_Waitsome(2, request, &count, &index, status));
    check_end(value, 5, status, count == 1 && index == 1, "MPI_Waitsome");
    begin(&value, &request[1]);
    do
        TRY(MPI_Testany(2, request, &index, &flag, status));
    while (!flag);
    check_end(value, 6, status, flag && index == 1, "MPI_Testany");
    begin(&value, request);
    do
        TRY(MPI_Testsome(2, request, &count, &index, status));
    while (count == 0);
    check_end(value, 7, status, count == 1 && index == 0, "MPI_Testsome");
    check_null(request, 2, "at the end");
}

/* The communicator may be freed before a complete receive is tested, and a copy of the handle
 * works like the handle. */
static void after_its_communicator_was_freed(void)
{
    MPI_Comm comm;
    MPI_Request request, copy;
    MPI_Status status;
    int value = -1, flag = 0;
    TRY(MPI_Comm_dup(WORLD, &comm));
    if (test_rank == 1) {
        test_await(0, GO);
        value = 6;
        TRY(MPI_Send(&value, 1, MPI_INT, 0, TAG, comm));
        TRY(MPI_Comm_free(&comm));
        return;
    }
    let_messages_arrive();
    TRY(MPI_Irecv(&value, 1, MPI_INT, 1, TAG, comm, &request));
    TRY(MPI_Comm_free(&comm));
    copy = request;
    do
        TRY(MPI_Request_get_status(request, &flag, &status));
    while (!flag);
    TRY(MPI_Wait(&copy, &status));
    check_end(value, 6, &status, copy == MPI_REQUEST_NULL, "after MPI_Comm_free");
}

/* The receive that was posted first gets the message that was sent first, even if it is tested
 * later: receives of any message and of one, short messages and a large rendezvous. */
static void receives_keep_their_order(int large_at)
{
    enum { COUNT = 4 };
    static unsigned char in[COUNT][LARGE];
    MPI_Request requests[COUNT];
    MPI_Status statuses[COUNT];
    if (test_rank == 1) {
        test_await(0, GO);
        for (int i = 0; i < COUNT; i++) {
            int bytes = i == large_at ? LARGE : 10 + i, tag = i % 2 ? OTHER_TAG : TAG;
            test_fill(in[i], (size_t)bytes, (unsigned)i);
            TRY(MPI_Isend(in[i], bytes, MPI_BYTE, 0, tag, WORLD, &requests[i]));
        }
        TRY(MPI_Waitall(COUNT, requests, MPI_STATUSES_IGNORE));
        return;
    }
    TRY(MPI_Irecv(in[0], LARGE, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &requests[0]));
    let_messages_arrive();
    TRY(MPI_Irecv(in[1], LARGE, MPI_BYTE, 1, OTHER_TAG, WORLD, &requests[1]));
    TRY(MPI_Irecv(in[3], LARGE, MPI_BYTE, 1, OTHER_TAG, WORLD, &requests[3]));
    TRY(MPI_Irecv(in[2], LARGE, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &requests[2]));
    TRY(MPI_Waitall(COUNT, requests, statuses));
    for (int i = 0; i < COUNT; i++) {
        int bytes = i == large_at ? LARGE : 10 + i;
        test_status(&statuses[i], 1, i % 2 ? OTHER_TAG : TAG, bytes, "receives in order");
        CHECK_FILLED(in[i], bytes, (unsigned)i, "receives in order");
    }
}

/* What is complete as it begins has no error handler: that of the request that fails hears. */
static void whose_handler(void)
{
    MPI_Comm comm;
    TRY(MPI_Comm_dup(WORLD, &comm));
    TRY(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    TRY(MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_ARE_FATAL));
    int out[2] = {1, 2}, in = 0, done = 0, code = MPI_SUCCESS, count, where[2];
    for (int way = 0; way < 2; way++) {
        MPI_Request requests[2];
        MPI_Status statuses[2];
        TRY(MPI_Isend(out, 1, MPI_INT, 1 - test_rank, OTHER_TAG, comm, &requests[0]));
        TRY(MPI_Send(out, 2, MPI_INT, 1 - test_rank, TAG, comm));
        TRY(MPI_Recv(&in, 1, MPI_INT, 1 - test_rank, OTHER_TAG, comm, MPI_STATUS_IGNORE));
        TRY(MPI_Irecv(&in, 1, MPI_INT, 1 - test_rank, TAG, comm, &requests[1]));
        for (done = 0; !done;) {
            if (way == 0) {
                code = MPI_Testall(2, requests, &done, statuses);
                done |= code != MPI_SUCCESS;
            } else {
                code = MPI_Waitsome(2, requests, &count, where, statuses);
                done = requests[1] == MPI_REQUEST_NULL;
            }
        }
        CHECK(test_class(code) == MPI_ERR_IN_STATUS, "way %d: class %d; MPI_ERR_IN_STATUS is %d",
              way, test_class(code), MPI_ERR_IN_STATUS);
    }
    TRY(MPI_Comm_free(&comm));
}

/* What these find of a generalized request. */
static int no_status(void *state, MPI_Status *status)
{
    (void)state;
    TRY(MPI_Status_set_elements(status, MPI_INT, 0));
    return MPI_Status_set_cancelled(status, 0);
}

static int nothing_to_free(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int no_cancel(void *state, int complete)
{
    (void)state;
    (void)complete;
    return MPI_SUCCESS;
}

typedef int some_function(int, MPI_Request *, int *, int *, MPI_Status *);

/* Calls that complete several tell of all that have completed: also of a receive that has failed,
 * and of a generalized request, while others go well each time. */
static void told_beside_others(some_function *some, bool fails, const char *what)
{
    int out[2] = {1, 2}, in = 0, beside = 0, count, where[2], code;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    if (fails) {
        TRY(MPI_Irecv(&in, 1, MPI_INT, test_rank, TAG, WORLD, &requests[0]));
        TRY(MPI_Send(out, 2, MPI_INT, test_rank, TAG, WORLD));
    } else {
        TRY(MPI_Grequest_start(no_status, nothing_to_free, no_cancel, NULL, &requests[0]));
        TRY(MPI_Grequest_complete(requests[0]));
    }
    TRY(MPI_Irecv(&beside, 1, MPI_INT, test_rank, OTHER_TAG, WORLD, &requests[1]));
    TRY(MPI_Send(out, 1, MPI_INT, test_rank, OTHER_TAG, WORLD));
    code = some(2, requests, &count, where, statuses);
    CHECK(count == 2, "%s tells of %d requests; 2 have completed", what, count);
    check_null(requests, 2, what);
    CHECK(test_class(code) == (fails ? MPI_ERR_IN_STATUS : MPI_SUCCESS), "%s gives class %d", what,
          test_class(code));
    for (int i = 0; i < 2; i++) {
        int class = where[i] == 0 && fails ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
        CHECK(!fails || test_class(statuses[i].MPI_ERROR) == class, "%s: request %d has class %d",
              what, where[i], test_class(statuses[i].MPI_ERROR));
    }
    CHECK(where[0] + where[1] == 1 && beside == 1, "%s tells of %d and %d; received %d", what,
          where[0], where[1], beside);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    TRY(MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN));
    every_kind_at_once();
    an_error_in_the_middle(false);
    an_error_in_the_middle(true);
    looked_at_in_every_way();
    after_its_communicator_was_freed();
    for (int large_at = -1; large_at < 4; large_at++)
        receives_keep_their_order(large_at);
    for (int fails = 0; fails < 2; fails++) {
        told_beside_others(MPI_Waitsome, fails, "MPI_Waitsome");
        told_beside_others(MPI_Testsome, fails, "MPI_Testsome");
    }
    whose_handler();
    test_finish();
    return 0;
}
