/* Requests of every kind that are freed while in progress: their operations complete. */
/* ranks: 2 3 4 */
#include "harness.h"
#include <malloc.h>

enum { BYTES = 1 << 20, ROUNDS = 20, TAG = 3 };

static unsigned char out[BYTES], in[BYTES], more[BYTES];
static int next, prev;

static void freed(MPI_Request *request, const char *what)
{
    TRY(MPI_Request_free(request));
    CHECK(*request == MPI_REQUEST_NULL, "%s: the handle is %p", what, (void *)*request);
}

/* A freed receive is complete when a later message of the same sender has arrived. */
static void after(void)
{
    int mine = test_rank, theirs = -1;
    TRY(MPI_Sendrecv(&mine, 1, MPI_INT, next, TAG + 1, &theirs, 1, MPI_INT, prev, TAG + 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(theirs == prev, "rank %d came after", theirs);
    TRY(MPI_Barrier(MPI_COMM_WORLD));
}

static void replaced(int round)
{
    MPI_Request request;
    test_fill(in, BYTES, (unsigned)(test_rank + round));
    TRY(MPI_Isendrecv_replace(in, BYTES, MPI_BYTE, next, TAG, prev, TAG, MPI_COMM_WORLD, &request));
    freed(&request, "MPI_Isendrecv_replace");
    /* No call tells when the message has arrived; calls make progress. */
    while (test_first_wrong(in, BYTES, (unsigned)(prev + round)) < BYTES) {
        int flag;
        TRY(MPI_Iprobe(MPI_ANY_SOURCE, TAG + 2, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    }
    after();
    CHECK_FILLED(in, BYTES, (unsigned)(prev + round), "MPI_Isendrecv_replace, freed");
}

static void persistent(int round)
{
    MPI_Request send, receive;
    test_fill(out, BYTES, (unsigned)(test_rank + round));
    TRY(MPI_Send_init(out, BYTES, MPI_BYTE, next, TAG, MPI_COMM_WORLD, &send));
    TRY(MPI_Irecv(more, BYTES, MPI_BYTE, prev, TAG, MPI_COMM_WORLD, &receive));
    TRY(MPI_Start(&send));
    freed(&send, "MPI_Send_init");
    TRY(MPI_Wait(&receive, MPI_STATUS_IGNORE));
    CHECK_FILLED(more, BYTES, (unsigned)(prev + round), "MPI_Send_init, freed");
    after();
}

/* Without the request the program cannot know when the duplicate is usable; it may free it. */
static void duplicated(void)
{
    MPI_Request request;
    MPI_Comm dup;
    TRY(MPI_Comm_idup(MPI_COMM_WORLD, &dup, &request));
    freed(&request, "MPI_Comm_idup");
    after();
    TRY(MPI_Comm_free(&dup));
}

static void flushed(void)
{
    enum { ROOM = 4096 };
    static char room[ROOM + MPI_BSEND_OVERHEAD];
    MPI_Request request;
    void *given;
    int size, got = -1;
    TRY(MPI_Buffer_attach(room, sizeof room));
    TRY(MPI_Bsend(&test_rank, 1, MPI_INT, next, TAG, MPI_COMM_WORLD));
    TRY(MPI_Buffer_iflush(&request));
    freed(&request, "MPI_Buffer_iflush");
    TRY(MPI_Recv(&got, 1, MPI_INT, prev, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(got == prev, "the buffered message says %d", got);
    TRY(MPI_Buffer_detach(&given, &size));
}

/* What is complete by then is gone at once, not when some later call makes progress. */
static void complete_already(void)
{
    enum { TIMES = 1000, BYTES_MOST = 50 * TIMES };
    size_t before = 0, after;
    MPI_Request request;
    for (int i = 0; i < 2 * TIMES; i++) {
        TRY(MPI_Isendrecv(out, 1, MPI_BYTE, MPI_PROC_NULL, TAG, in, 1, MPI_BYTE, MPI_PROC_NULL,
                          TAG, MPI_COMM_WORLD, &request));
        freed(&request, "MPI_Isendrecv without a peer");
        if (i == TIMES)
            before = mallinfo2().uordblks;
    }
    after = mallinfo2().uordblks;
    CHECK(after <= before + BYTES_MOST, "%d complete requests keep %zu bytes", TIMES,
          after - before);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    next = (test_rank + 1) % test_size;
    prev = (test_rank + test_size - 1) % test_size;
    for (int round = 1; round <= ROUNDS; round++) {
        replaced(round);
        persistent(round);
        duplicated();
        flushed();
    }
    complete_already();
    test_finish();
    return 0;
}
