/* Wait and test, one, any, some and all: which requests they complete, and what they return for
 * null and inactive requests. */
/* ranks: 2 3 */
#include "harness.h"

enum { COUNT = 12, GO = 1000, BIG_INTS = 30000 };

static int values[COUNT][BIG_INTS];

/* Messages 0.. of alternating size; the tag is the number. */
static int ints_of(int number)
{
    return number % 2 ? BIG_INTS : 1 + number;
}

static void send_number(int number)
{
    int ints = ints_of(number);
    for (int i = 0; i < ints; i++)
        values[number][i] = number * 1000 + i;
    TRY(MPI_Send(values[number], ints, MPI_INT, 0, number, MPI_COMM_WORLD));
}

static void check_number(int number, const MPI_Status *status, const char *what)
{
    int ints = ints_of(number);
    test_status(status, 1, number, 4 * ints, what);
    for (int i = 0; i < ints; i++)
        CHECK(values[number][i] == number * 1000 + i, "%s: message %d has %d at %d", what, number,
              values[number][i], i);
}

static void post_all(MPI_Request *requests)
{
    memset(values, 0, sizeof values);
    for (int i = 0; i < COUNT; i++)
        TRY(MPI_Irecv(values[i], BIG_INTS, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]));
}

static void check_null(MPI_Request request, int number)
{
    CHECK(request == MPI_REQUEST_NULL, "completed request %d is not MPI_REQUEST_NULL", number);
}

static void wait_each(MPI_Request *requests)
{
    for (int i = COUNT - 1; i >= 0; i--) {
        MPI_Status status;
        TRY(MPI_Wait(&requests[i], &status));
        check_number(i, &status, "MPI_Wait");
        check_null(requests[i], i);
    }
}

static void test_each(MPI_Request *requests)
{
    for (int i = 0; i < COUNT; i++) {
        MPI_Status status;
        int done = 0;
        while (!done)
            TRY(MPI_Test(&requests[i], &done, &status));
        check_number(i, &status, "MPI_Test");
        check_null(requests[i], i);
    }
}

static void wait_any(MPI_Request *requests)
{
    MPI_Status status;
    bool seen[COUNT] = {false};
    int index = -1;
    for (int i = 0; i < COUNT; i++) {
        TRY(MPI_Waitany(COUNT, requests, &index, &status));
        CHECK(index >= 0 && index < COUNT && !seen[index], "MPI_Waitany gives index %d", index);
        seen[index] = true;
        check_number(index, &status, "MPI_Waitany");
        check_null(requests[index], index);
    }
    TRY(MPI_Waitany(COUNT, requests, &index, &status));
    CHECK(index == MPI_UNDEFINED, "MPI_Waitany over null requests gives index %d", index);
    test_empty_status(&status, "MPI_Waitany over null requests");
}

static void test_any(MPI_Request *requests)
{
    MPI_Status status;
    int index = -1, flag = 0;
    for (int left = COUNT; left > 0; left -= flag) {
        TRY(MPI_Testany(COUNT, requests, &index, &flag, &status));
        if (flag) {
            check_number(index, &status, "MPI_Testany");
            check_null(requests[index], index);
        } else {
            CHECK(index == MPI_UNDEFINED, "MPI_Testany gives index %d without a flag", index);
        }
    }
    TRY(MPI_Testany(COUNT, requests, &index, &flag, &status));
    CHECK(flag && index == MPI_UNDEFINED, "MPI_Testany over null requests: flag %d, index %d",
          flag, index);
    test_empty_status(&status, "MPI_Testany over null requests");
}

typedef int some_function(int, MPI_Request *, int *, int *, MPI_Status *);

static void complete_some(some_function *some, bool waits, MPI_Request *requests, const char *what)
{
    MPI_Status statuses[COUNT];
    int indices[COUNT], count = 0;
    for (int left = COUNT; left > 0; left -= count) {
        TRY(some(COUNT, requests, &count, indices, statuses));
        CHECK(count >= waits && count <= left, "%s gives count %d of %d", what, count, left);
        for (int i = 0; i < count; i++) {
            check_number(indices[i], &statuses[i], what);
            check_null(requests[indices[i]], indices[i]);
        }
    }
    TRY(some(COUNT, requests, &count, indices, statuses));
    CHECK(count == MPI_UNDEFINED, "%s over null requests gives count %d", what, count);
}

static void wait_some(MPI_Request *requests)
{
    complete_some(MPI_Waitsome, true, requests, "MPI_Waitsome");
}

static void test_some(MPI_Request *requests)
{
    complete_some(MPI_Testsome, false, requests, "MPI_Testsome");
}

static void check_all(MPI_Request *requests, MPI_Status *statuses, const char *what)
{
    for (int i = 0; i < COUNT; i++) {
        check_number(i, &statuses[i], what);
        check_null(requests[i], i);
    }
}

static void wait_all(MPI_Request *requests)
{
    MPI_Status statuses[COUNT];
    TRY(MPI_Waitall(COUNT, requests, statuses));
    check_all(requests, statuses, "MPI_Waitall");
    TRY(MPI_Waitall(COUNT, requests, statuses));
    test_empty_status(&statuses[COUNT - 1], "MPI_Waitall over null requests");
    TRY(MPI_Waitall(0, NULL, NULL));
}

static void test_all(MPI_Request *requests)
{
    MPI_Status statuses[COUNT];
    int flag = 0;
    while (!flag) {
        TRY(MPI_Testall(COUNT, requests, &flag, statuses));
        for (int i = 0; i < COUNT && !flag; i++)
            CHECK(requests[i] != MPI_REQUEST_NULL,
                  "MPI_Testall without a flag completes request %d", i);
    }
    check_all(requests, statuses, "MPI_Testall");
}

static void statuses_can_be_ignored(MPI_Request *requests)
{
    int index, flag = 0, count, indices[COUNT];
    TRY(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    TRY(MPI_Waitany(COUNT, requests, &index, MPI_STATUS_IGNORE));
    TRY(MPI_Waitsome(COUNT, requests, &count, indices, MPI_STATUSES_IGNORE));
    while (!flag)
        TRY(MPI_Testall(COUNT, requests, &flag, MPI_STATUSES_IGNORE));
    TRY(MPI_Waitall(COUNT, requests, MPI_STATUSES_IGNORE));
}

static void null_requests(void)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    int flag = 0;
    TRY(MPI_Wait(&request, &status));
    test_empty_status(&status, "MPI_Wait on MPI_REQUEST_NULL");
    TRY(MPI_Test(&request, &flag, &status));
    CHECK(flag, "MPI_Test on MPI_REQUEST_NULL gives no flag");
    test_empty_status(&status, "MPI_Test on MPI_REQUEST_NULL");
}

/* Nothing was sent yet: tests must return false and leave the requests unchanged. */
static void nothing_is_there(MPI_Request *requests)
{
    MPI_Status statuses[COUNT];
    int flag = 1, index, count, indices[COUNT];
    TRY(MPI_Test(&requests[0], &flag, &statuses[0]));
    CHECK(!flag, "MPI_Test completes a receive before the send");
    TRY(MPI_Testany(COUNT, requests, &index, &flag, &statuses[0]));
    CHECK(!flag && index == MPI_UNDEFINED, "MPI_Testany before any send: flag %d, index %d", flag,
          index);
    TRY(MPI_Testsome(COUNT, requests, &count, indices, statuses));
    CHECK(count == 0, "MPI_Testsome before any send: %d", count);
    TRY(MPI_Testall(COUNT, requests, &flag, statuses));
    CHECK(!flag, "MPI_Testall before any send gives a flag");
}

/* A freed send still arrives. */
static void freed_sends_arrive(void)
{
    static int value = 77;
    MPI_Request request;
    if (test_rank == 1) {
        TRY(MPI_Isend(&value, 1, MPI_INT, 0, GO + 1, MPI_COMM_WORLD, &request));
        TRY(MPI_Request_free(&request));
        check_null(request, 0);
    } else if (test_rank == 0) {
        int got = 0;
        TRY(MPI_Recv(&got, 1, MPI_INT, 1, GO + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(got == 77, "a freed send delivers %d", got);
    }
}

int main(int argc, char **argv)
{
    void (*const completions[])(MPI_Request *) = {
        wait_each, test_each, wait_any, test_any,  wait_some,
        test_some, wait_all,  test_all, statuses_can_be_ignored};
    test_start(&argc, &argv);
    test_need_ranks(2);
    null_requests();
    for (size_t c = 0; c < sizeof completions / sizeof *completions; c++) {
        if (test_rank == 0) {
            MPI_Request requests[COUNT];
            post_all(requests);
            if (c == 0)
                nothing_is_there(requests);
            test_signal(1, GO);
            completions[c](requests);
        } else if (test_rank == 1) {
            test_await(0, GO);
            for (int i = 0; i < COUNT; i++)
                send_number((i * 5 + 3) % COUNT);
        }
    }
    freed_sends_arrive();
    test_finish();
    return 0;
}
