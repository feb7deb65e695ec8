/* Messages and cancelled sends on communicators that the peer has never used: it hears of them
 * where it waits, in a barrier of another communicator. */
/* ranks: 2 */
#include "threads.h"

enum { COMMS = 4, MESSAGES = 2000, BYTES = 4 << 20, TAG = 3 };

static MPI_Comm comms[COMMS];

/* More than a ring holds. */
static void send_many(MPI_Comm comm)
{
    int bytes = MESSAGES * ((int)sizeof(int) + MPI_BSEND_OVERHEAD);
    void *space = malloc((size_t)bytes);
    CHECK(space != NULL, "no memory for %d bytes", bytes);
    TRY(MPI_Buffer_attach(space, bytes));
    for (int i = 0; i < MESSAGES; i++)
        TRY(MPI_Bsend(&i, 1, MPI_INT, 1, TAG, comm));
    TRY(MPI_Buffer_detach(&space, &bytes));
    free(space);
}

static void receive_many(MPI_Comm comm)
{
    for (int i = 0; i < MESSAGES; i++) {
        int in = -1;
        TRY(MPI_Recv(&in, 1, MPI_INT, 0, TAG, comm, MPI_STATUS_IGNORE));
        CHECK(in == i, "message %d holds %d", i, in);
    }
}

static void cancel(MPI_Comm comm, int which)
{
    char *data = calloc(BYTES, 1);
    int flag = -1;
    MPI_Request request;
    MPI_Status status;
    CHECK(data != NULL, "no memory for %d bytes", BYTES);
    TRY(MPI_Isend(data, BYTES, MPI_CHAR, 1, TAG, comm, &request));
    TRY(MPI_Cancel(&request));
    TRY(MPI_Wait(&request, &status));
    TRY(MPI_Test_cancelled(&status, &flag));
    CHECK(flag == 1, "the send on communicator %d, which nobody gets, was not cancelled", which);
    free(data);
}

int main(int argc, char **argv)
{
    threads_start(&argc, &argv);
    for (int i = 0; i < COMMS; i++) {
        TRY(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
        if (test_rank == 0)
            cancel(comms[i], i);
        TRY(MPI_Barrier(MPI_COMM_WORLD));
    }
    for (int i = 0; i < COMMS; i++) {
        TRY(MPI_Comm_free(&comms[i]));
        TRY(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
    }
    if (test_rank == 0)
        for (int i = 0; i < COMMS; i++)
            send_many(comms[i]);
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    if (test_rank == 1)
        for (int i = 0; i < COMMS; i++)
            receive_many(comms[i]);
    for (int i = 0; i < COMMS; i++)
        TRY(MPI_Comm_free(&comms[i]));
    test_finish();
    return 0;
}
