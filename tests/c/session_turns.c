/* Sessions in turns, in which sends that nobody waits for are received late, while their senders
 * are in MPI_Session_finalize already: nothing of the next session is lost. */
/* ranks: 2 3 */
#include "harness.h"

enum { TURNS = 16, SHORT = 8, LONG = 200000, TAG = 1 };

static MPI_Comm all_of(MPI_Session session, int turn)
{
    char name[20];
    MPI_Group group;
    MPI_Comm comm;
    snprintf(name, sizeof name, "turn %d", turn);
    TRY(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    TRY(MPI_Comm_create_from_group(group, name, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm));
    TRY(MPI_Group_free(&group));
    TRY(MPI_Comm_rank(comm, &test_rank));
    TRY(MPI_Comm_size(comm, &test_size));
    return comm;
}

/* To everybody, and then from everybody, some of it late. */
static void exchange(MPI_Comm comm, int turn, char *out, char *in)
{
    const int bytes = turn % 2 ? SHORT : LONG;
    MPI_Request request;
    for (int to = 0; to < test_size; to++) {
        if (to == test_rank)
            continue;
        TRY(MPI_Issend(out, bytes, MPI_CHAR, to, TAG, comm, &request));
        TRY(MPI_Request_free(&request));
    }
    for (int from = 0; from < test_size; from++) {
        struct timespec pause = {.tv_nsec = 10000000L * ((turn * 5 + test_rank * 7 + from) % 9)};
        if (from == test_rank)
            continue;
        if ((turn + test_rank + from) % 3 == 0)
            nanosleep(&pause, NULL);
        memset(in, 0, LONG);
        TRY(MPI_Recv(in, LONG, MPI_CHAR, from, TAG, comm, MPI_STATUS_IGNORE));
        CHECK_FILLED(in, bytes, (unsigned)turn, "what came in this turn");
    }
}

int main(void)
{
    char *out = test_alloc(LONG), *in = test_alloc(LONG);
    for (int turn = 0; turn < TURNS; turn++) {
        MPI_Session session;
        TRY(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session));
        MPI_Comm comm = all_of(session, turn);
        test_fill(out, LONG, (unsigned)turn);
        exchange(comm, turn, out, in);
        TRY(MPI_Comm_free(&comm));
        TRY(MPI_Session_finalize(&session));
    }
    free(out);
    free(in);
    test_say_ok(__FILE__);
    return 0;
}
