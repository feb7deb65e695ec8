/* A process makes a communicator out of a group and begins to send on it while another member has
 * yet to begin MPI: it waits for nothing. Only where the launcher tells a process its rank by
 * DUNLIN_JOB_RANK; elsewhere all begin at once. */
/* ranks: 2 */
#include "harness.h"
#include <unistd.h>

enum { TAG = 3, SENT = 5 };

int main(int argc, char **argv)
{
    const char *rank = getenv("DUNLIN_JOB_RANK");
    char begun[4096];
    (void)argc;
    snprintf(begun, sizeof begun, "%s.begun", argv[0]);
    struct timespec pause = {.tv_nsec = 1000000};
    if (rank != NULL && atoi(rank) == 1)
        while (access(begun, F_OK) != 0)
            nanosleep(&pause, NULL);
    MPI_Session session;
    MPI_Info info;
    MPI_Group group;
    MPI_Comm comm;
    TRY(MPI_Info_create(&info));
    TRY(MPI_Info_set(info, "thread_level", "MPI_THREAD_MULTIPLE"));
    TRY(MPI_Session_init(info, MPI_ERRORS_ARE_FATAL, &session));
    TRY(MPI_Info_free(&info));
    TRY(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    TRY(MPI_Comm_create_from_group(group, "late", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm));
    TRY(MPI_Comm_rank(comm, &test_rank));
    if (test_rank == 0) {
        int out = SENT;
        MPI_Request request;
        TRY(MPI_Isend(&out, 1, MPI_INT, 1, TAG, comm, &request));
        FILE *file = fopen(begun, "w");
        CHECK(file != NULL, "%s cannot be made", begun);
        fclose(file);
        TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    } else {
        int in = 0;
        TRY(MPI_Recv(&in, 1, MPI_INT, 0, TAG, comm, MPI_STATUS_IGNORE));
        CHECK(in == SENT, "got %d, not %d", in, SENT);
        unlink(begun);
    }
    TRY(MPI_Comm_free(&comm));
    TRY(MPI_Group_free(&group));
    TRY(MPI_Session_finalize(&session));
    if (test_rank == 0)
        printf("ok vci_late\n");
    return 0;
}
