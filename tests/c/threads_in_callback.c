/* A session that asks for MPI_THREAD_MULTIPLE within a callback: the call that runs the callback
 * began without a lock, so the session may get less, and says so. */
/* ranks: 1 2 */
#include "harness.h"
#include <pthread.h>

enum { REQUESTS = 500000, CALLS = 500000 };

static MPI_Session session = MPI_SESSION_NULL;
static pthread_t thread;
static bool has_thread;

static int query(void *state, MPI_Status *status);

static int release(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state, (void)complete;
    return MPI_SUCCESS;
}

static void start(void *state, MPI_Request *request)
{
    TRY(MPI_Grequest_start(query, release, cancel, state, request));
    TRY(MPI_Grequest_complete(*request));
}

static void *call(void *unused)
{
    for (int i = 0; i < CALLS; i++) {
        MPI_Request request;
        start(NULL, &request);
        TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    return unused;
}

static void begin(void)
{
    MPI_Info asked, given;
    char level[32] = "";
    int found = 0, room = sizeof level;
    TRY(MPI_Info_create(&asked));
    TRY(MPI_Info_set(asked, "thread_level", "MPI_THREAD_MULTIPLE"));
    TRY(MPI_Session_init(asked, MPI_ERRORS_ARE_FATAL, &session));
    TRY(MPI_Info_free(&asked));
    TRY(MPI_Session_get_info(session, &given));
    TRY(MPI_Info_get_string(given, "thread_level", &room, level, &found));
    TRY(MPI_Info_free(&given));
    CHECK(found, "the session does not say its thread level");
    has_thread = strcmp(level, "MPI_THREAD_MULTIPLE") == 0;
    if (has_thread)
        CHECK(!pthread_create(&thread, NULL, call, NULL), "no thread");
}

static int query(void *state, MPI_Status *status)
{
    if (state && session == MPI_SESSION_NULL)
        begin();
    TRY(MPI_Status_set_elements(status, MPI_INT, 0));
    TRY(MPI_Status_set_cancelled(status, 0));
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    static MPI_Request requests[REQUESTS];
    test_start(&argc, &argv);
    for (int i = 0; i < REQUESTS; i++)
        start(requests, &requests[i]);
    TRY(MPI_Waitall(REQUESTS, requests, MPI_STATUSES_IGNORE));
    if (has_thread)
        CHECK(!pthread_join(thread, NULL), "the thread is lost");
    TRY(MPI_Session_finalize(&session));
    test_finish();
    return 0;
}
