/* Generalized requests: the program's functions are called when the standard says, their results
 * are returned, and the requests complete like those of MPI. */
/* ranks: 1 2 */
#include "harness.h"
#include <pthread.h>

/* The calls to the functions of one request. */
struct seen {
    int queries, frees, cancels, complete_at_cancel, free_code;
};

static int query(void *state, MPI_Status *status)
{
    struct seen *seen = state;
    int flag = 0;
    seen->queries++;
    status->MPI_SOURCE = 17;
    status->MPI_TAG = 18;
    TRY(MPI_Status_set_elements(status, MPI_INT, 5));
    TRY(MPI_Status_set_cancelled(status, seen->cancels > 0));
    TRY(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE));
    return MPI_SUCCESS;
}

static int release(void *state)
{
    struct seen *seen = state;
    seen->frees++;
    return seen->free_code;
}

static int cancel(void *state, int complete)
{
    struct seen *seen = state;
    seen->cancels++;
    seen->complete_at_cancel = complete;
    return MPI_SUCCESS;
}

static MPI_Request start(struct seen *seen)
{
    MPI_Request request;
    memset(seen, 0, sizeof *seen);
    TRY(MPI_Grequest_start(query, release, cancel, seen, &request));
    return request;
}

static void expect_calls(const struct seen *seen, int queries, int frees, int cancels)
{
    CHECK(seen->queries == queries && seen->frees == frees && seen->cancels == cancels,
          "%d queries, %d frees, %d cancels; must be %d, %d, %d", seen->queries, seen->frees,
          seen->cancels, queries, frees, cancels);
}

static void completed_then_waited_for(void)
{
    struct seen seen;
    MPI_Status status;
    MPI_Request request = start(&seen);
    int flag = -1, count = -1;
    TRY(MPI_Test(&request, &flag, &status));
    CHECK(!flag, "complete before MPI_Grequest_complete");
    expect_calls(&seen, 0, 0, 0);
    TRY(MPI_Grequest_complete(request));
    TRY(MPI_Request_get_status(request, &flag, &status));
    CHECK(flag, "not complete after MPI_Grequest_complete");
    expect_calls(&seen, 1, 0, 0);
    TRY(MPI_Wait(&request, &status));
    expect_calls(&seen, 2, 1, 0);
    TRY(MPI_Get_count(&status, MPI_INT, &count));
    TRY(MPI_Test_cancelled(&status, &flag));
    CHECK(status.MPI_SOURCE == 17 && status.MPI_TAG == 18 && count == 5 && !flag,
          "the status says %d, %d, %d ints, cancelled %d", status.MPI_SOURCE, status.MPI_TAG,
          count, flag);
    CHECK(request == MPI_REQUEST_NULL, "MPI_Wait leaves a handle");
}

static void cancelled(void)
{
    struct seen seen;
    MPI_Status status;
    MPI_Request request = start(&seen);
    int flag = 0;
    TRY(MPI_Cancel(&request));
    CHECK(seen.cancels == 1 && !seen.complete_at_cancel, "cancelled %d times, complete %d",
          seen.cancels, seen.complete_at_cancel);
    TRY(MPI_Grequest_complete(request));
    TRY(MPI_Wait(&request, &status));
    TRY(MPI_Test_cancelled(&status, &flag));
    CHECK(flag, "the status does not say cancelled");
    expect_calls(&seen, 1, 1, 1);
}

/* Freed before and after completion: the free function is called once, after both. */
static void given_up(void)
{
    struct seen seen;
    MPI_Request request = start(&seen), handle = request;
    TRY(MPI_Request_free(&request));
    expect_calls(&seen, 0, 0, 0);
    TRY(MPI_Grequest_complete(handle));
    expect_calls(&seen, 0, 1, 0);
    request = start(&seen);
    TRY(MPI_Grequest_complete(request));
    TRY(MPI_Request_free(&request));
    expect_calls(&seen, 0, 1, 0);
}

static void errors_of_functions_come_back(void)
{
    struct seen seen;
    MPI_Request request = start(&seen);
    int class = -1;
    TRY(MPI_Add_error_class(&class));
    seen.free_code = class;
    TRY(MPI_Grequest_complete(request));
    CHECK(test_class(MPI_Wait(&request, MPI_STATUS_IGNORE)) == class, "the code of free_fn");
    CHECK(request == MPI_REQUEST_NULL, "a failed wait leaves a handle");
    request = start(&seen);
    seen.free_code = class;
    TRY(MPI_Grequest_complete(request));
    CHECK(test_class(MPI_Request_free(&request)) == class, "the code of free_fn, freed");
    CHECK(request == MPI_REQUEST_NULL, "a failed MPI_Request_free leaves a handle");
    expect_calls(&seen, 0, 1, 0);
}

static void among_others(void)
{
    enum { COUNT = 3 };
    struct seen seen[2];
    MPI_Request requests[COUNT];
    MPI_Status statuses[COUNT];
    int in = -1, out = 9, index = -1;
    requests[0] = start(&seen[0]);
    TRY(MPI_Irecv(&in, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &requests[1]));
    requests[2] = start(&seen[1]);
    TRY(MPI_Grequest_complete(requests[2]));
    TRY(MPI_Waitany(COUNT, requests, &index, &statuses[0]));
    CHECK(index == 2 && statuses[0].MPI_TAG == 18, "request %d, tag %d", index,
          statuses[0].MPI_TAG);
    TRY(MPI_Grequest_complete(requests[0]));
    TRY(MPI_Send(&out, 1, MPI_INT, 0, 3, MPI_COMM_SELF));
    TRY(MPI_Waitall(COUNT, requests, statuses));
    CHECK(in == 9 && statuses[0].MPI_TAG == 18 && statuses[1].MPI_TAG == 3, "received %d, tags %d "
          "and %d", in, statuses[0].MPI_TAG, statuses[1].MPI_TAG);
    expect_calls(&seen[0], 1, 1, 0);
}

static void *complete_later(void *request)
{
    test_sleep_ms(50);
    TRY(MPI_Grequest_complete(*(MPI_Request *)request));
    return NULL;
}

static void completed_by_another_thread(void)
{
    struct seen seen;
    pthread_t thread;
    MPI_Request request = start(&seen), handle = request;
    CHECK(!pthread_create(&thread, NULL, complete_later, &handle), "no thread");
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(!pthread_join(thread, NULL), "the thread is lost");
    expect_calls(&seen, 1, 1, 0);
}

int main(int argc, char **argv)
{
    int provided = -1;
    TRY(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    test_know_ranks();
    TRY(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    TRY(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    completed_then_waited_for();
    cancelled();
    given_up();
    errors_of_functions_come_back();
    among_others();
    if (provided == MPI_THREAD_MULTIPLE)
        completed_by_another_thread();
    test_finish();
    return 0;
}
