/* Buffers for buffered sends: of the process and of a communicator, and the automatic one; flush
 * and detach; the error when a buffer is too small. */
/* ranks: 2 */
#include "harness.h"

enum { BYTES = 50000, COUNT = 6, TAG = 8, GO = 9 };

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

static void of_process(void *space, int bytes)
{
    MPI_Request request;
    void *detached;
    int size = -1;
    if (test_rank == 1) {
        for (int round = 0; round < 2; round++)
            receive_all(MPI_COMM_WORLD, "process buffer");
        test_await(0, GO);
        receive_all(MPI_COMM_WORLD, "automatic process buffer");
        return;
    }
    TRY(MPI_Buffer_attach(space, bytes));
    send_all(MPI_COMM_WORLD);
    TRY(MPI_Buffer_flush());
    send_all(MPI_COMM_WORLD); /* fits again, because the flush emptied the buffer */
    TRY(MPI_Buffer_iflush(&request));
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    TRY(MPI_Buffer_detach(&detached, &size));
    CHECK(detached == space && size == bytes, "detached %p, %d bytes; attached %p, %d", detached,
          size, space, bytes);
    TRY(MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0));
    send_all(MPI_COMM_WORLD);
    test_signal(1, GO);
    TRY(MPI_Buffer_detach(&detached, &size));
    CHECK(detached == MPI_BUFFER_AUTOMATIC && size == 0,
          "detaching the automatic buffer gives %p, %d bytes", detached, size);
}

static void of_communicator(void *space, int bytes)
{
    MPI_Comm comm;
    MPI_Request request;
    void *detached;
    int size = -1;
    TRY(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    if (test_rank == 1) {
        for (int round = 0; round < 3; round++)
            receive_all(comm, "communicator buffer");
    } else {
        TRY(MPI_Comm_attach_buffer(comm, space, bytes));
        send_all(comm);
        TRY(MPI_Comm_flush_buffer(comm));
        send_all(comm);
        TRY(MPI_Comm_iflush_buffer(comm, &request));
        TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
        TRY(MPI_Comm_detach_buffer(comm, &detached, &size));
        CHECK(detached == space && size == bytes, "detached %p, %d bytes; attached %p, %d",
              detached, size, space, bytes);
        TRY(MPI_Comm_attach_buffer(comm, MPI_BUFFER_AUTOMATIC, 0));
        send_all(comm);
        TRY(MPI_Comm_detach_buffer(comm, &detached, &size));
        CHECK(detached == MPI_BUFFER_AUTOMATIC, "detaching the automatic buffer gives %p",
              detached);
    }
    TRY(MPI_Comm_free(&comm));
}

static void too_small(void *space)
{
    void *detached;
    int size;
    if (test_rank != 0)
        return;
    TRY(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    EXPECT_ERROR(MPI_ERR_BUFFER, MPI_Bsend(data, 100, MPI_BYTE, 1, TAG, MPI_COMM_WORLD));
    TRY(MPI_Buffer_attach(space, 1000 + MPI_BSEND_OVERHEAD));
    EXPECT_ERROR(MPI_ERR_BUFFER, MPI_Bsend(data, BYTES, MPI_BYTE, 1, TAG, MPI_COMM_WORLD));
    TRY(MPI_Buffer_detach(&detached, &size));
    TRY(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

int main(int argc, char **argv)
{
    int bytes = COUNT * (BYTES + MPI_BSEND_OVERHEAD);
    void *space = test_alloc((size_t)bytes);
    test_start(&argc, &argv);
    test_need_ranks(2);
    of_process(space, bytes);
    of_communicator(space, bytes);
    too_small(space);
    free(space);
    test_finish();
    return 0;
}
