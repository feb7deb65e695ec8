/* A session's buffer for buffered sends on the communicators created from it. */
/* ranks: 2 */
#include "harness.h"

enum { BYTES = 50000, COUNT = 6, TAG = 8 };

static unsigned char data[BYTES];

static void send_all(MPI_Comm comm)
{
    for (unsigned i = 0; i < COUNT; i++) {
        test_fill(data, BYTES, i);
        TRY(MPI_Bsend(data, BYTES, MPI_BYTE, 1, TAG, comm));
    }
}

static void receive_all(MPI_Comm comm, const char *what)
{
    MPI_Status status;
    for (unsigned i = 0; i < COUNT; i++) {
        memset(data, 0, BYTES);
        TRY(MPI_Recv(data, BYTES, MPI_BYTE, 0, TAG, comm, &status));
        test_status(&status, 0, TAG, BYTES, what);
        CHECK_FILLED(data, BYTES, i, what);
    }
}

/* If neither the communicator nor its session has a buffer, the process's is used: a library
 * that creates its communicators from a session leaves buffers to the program. */
static void of_process(MPI_Comm comm, void *space, int bytes)
{
    void *detached;
    int size = -1;
    if (test_rank == 1) {
        receive_all(comm, "the process's buffer");
        return;
    }
    EXPECT_ERROR(MPI_ERR_BUFFER, MPI_Bsend(data, BYTES, MPI_BYTE, 1, TAG, comm));
    TRY(MPI_Buffer_attach(space, bytes));
    send_all(comm);
    TRY(MPI_Buffer_detach(&detached, &size));
    CHECK(detached == space && size == bytes, "detached %p, %d bytes; attached %p, %d", detached,
          size, space, bytes);
}

static void of_session(void *space, int bytes)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    void *detached;
    int size = -1;
    TRY(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    TRY(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    TRY(MPI_Comm_create_from_group(group, "buffers", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    TRY(MPI_Group_free(&group));
    if (test_rank == 1) {
        receive_all(comm, "session buffer");
    } else {
        TRY(MPI_Session_attach_buffer(session, space, bytes));
        send_all(comm);
        TRY(MPI_Session_flush_buffer(session));
        TRY(MPI_Session_detach_buffer(session, &detached, &size));
        CHECK(detached == space && size == bytes, "detached %p, %d bytes; attached %p, %d",
              detached, size, space, bytes);
    }
    of_process(comm, space, bytes);
    TRY(MPI_Comm_free(&comm));
    TRY(MPI_Session_finalize(&session));
}

int main(int argc, char **argv)
{
    int bytes = COUNT * (BYTES + MPI_BSEND_OVERHEAD);
    void *space = test_alloc((size_t)bytes);
    test_start(&argc, &argv);
    test_need_ranks(2);
    of_session(space, bytes);
    free(space);
    test_finish();
    return 0;
}
