/* Send and receive in one call, with two buffers and with one, blocking and not, around a ring,
 * with the rank itself and with MPI_PROC_NULL. */
/* ranks: 1 2 3 4 */
#include "harness.h"

enum { BYTES_MAX = 1 << 20, TAG = 6 };

static const int sizes[] = {0, 1, 100, 10000, 100000, BYTES_MAX};
enum { SIZES = sizeof sizes / sizeof *sizes };
static unsigned char out[BYTES_MAX], in[BYTES_MAX];
static int next, prev;

static void check(const void *buffer, const MPI_Status *status, int bytes, const char *what)
{
    test_status(status, prev, TAG + prev, bytes, what);
    CHECK_FILLED(buffer, bytes, (unsigned)prev, what);
}

static void two_buffers(int bytes)
{
    MPI_Request request;
    MPI_Status status;
    int tag = TAG + test_rank, tag_in = TAG + prev;
    test_fill(out, (size_t)bytes, (unsigned)test_rank);
    memset(in, 0, sizeof in);
    TRY(MPI_Sendrecv(out, bytes, MPI_BYTE, next, tag, in, BYTES_MAX, MPI_BYTE, prev, tag_in,
                     MPI_COMM_WORLD, &status));
    check(in, &status, bytes, "MPI_Sendrecv");
    memset(in, 0, sizeof in);
    TRY(MPI_Isendrecv(out, bytes, MPI_BYTE, next, tag, in, BYTES_MAX, MPI_BYTE, prev, tag_in,
                      MPI_COMM_WORLD, &request));
    TRY(MPI_Wait(&request, &status));
    check(in, &status, bytes, "MPI_Isendrecv");
    CHECK_FILLED(out, bytes, (unsigned)test_rank, "the send buffer of MPI_Isendrecv");
}

static void one_buffer(int bytes)
{
    MPI_Request request;
    MPI_Status status;
    int tag = TAG + test_rank, tag_in = TAG + prev;
    test_fill(in, (size_t)bytes, (unsigned)test_rank);
    TRY(MPI_Sendrecv_replace(in, bytes, MPI_BYTE, next, tag, prev, tag_in, MPI_COMM_WORLD,
                             &status));
    check(in, &status, bytes, "MPI_Sendrecv_replace");
    test_fill(in, (size_t)bytes, (unsigned)test_rank);
    TRY(MPI_Isendrecv_replace(in, bytes, MPI_BYTE, next, tag, prev, tag_in, MPI_COMM_WORLD,
                              &request));
    TRY(MPI_Wait(&request, &status));
    check(in, &status, bytes, "MPI_Isendrecv_replace");
}

static void unequal_sizes(void)
{
    MPI_Status status;
    int mine = 10 + 1000 * test_rank, theirs = 10 + 1000 * prev;
    test_fill(out, (size_t)mine, (unsigned)test_rank);
    TRY(MPI_Sendrecv(out, mine, MPI_BYTE, next, TAG + test_rank, in, BYTES_MAX, MPI_BYTE,
                     MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
    check(in, &status, theirs, "MPI_Sendrecv from any source");
}

static void with_nobody(void)
{
    MPI_Request request;
    MPI_Status status;
    test_fill(in, 100, 5);
    TRY(MPI_Sendrecv(out, 100, MPI_BYTE, MPI_PROC_NULL, TAG, in, 100, MPI_BYTE, MPI_PROC_NULL, TAG,
                     MPI_COMM_WORLD, &status));
    test_null_status(&status, "MPI_Sendrecv with MPI_PROC_NULL");
    TRY(MPI_Sendrecv_replace(in, 100, MPI_BYTE, MPI_PROC_NULL, TAG, MPI_PROC_NULL, TAG,
                             MPI_COMM_WORLD, &status));
    test_null_status(&status, "MPI_Sendrecv_replace with MPI_PROC_NULL");
    TRY(MPI_Isendrecv_replace(in, 100, MPI_BYTE, MPI_PROC_NULL, TAG, MPI_PROC_NULL, TAG,
                              MPI_COMM_WORLD, &request));
    TRY(MPI_Wait(&request, &status));
    test_null_status(&status, "MPI_Isendrecv_replace with MPI_PROC_NULL");
    CHECK_FILLED(in, 100, 5, "a buffer exchanged with MPI_PROC_NULL");
}

/* A line, not a ring: the ends have MPI_PROC_NULL on one side. */
static void along_a_line(void)
{
    int right = test_rank + 1 < test_size ? test_rank + 1 : MPI_PROC_NULL;
    int left = test_rank > 0 ? test_rank - 1 : MPI_PROC_NULL;
    int sent = test_rank, got = -5;
    MPI_Status status;
    TRY(MPI_Sendrecv(&sent, 1, MPI_INT, right, TAG, &got, 1, MPI_INT, left, TAG, MPI_COMM_WORLD,
                     &status));
    if (left == MPI_PROC_NULL) {
        test_null_status(&status, "the end of a line");
        CHECK(got == -5, "a receive from MPI_PROC_NULL writes %d", got);
    } else {
        CHECK(got == left, "received %d from %d", got, left);
    }
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    next = (test_rank + 1) % test_size;
    prev = (test_rank + test_size - 1) % test_size;
    for (int i = 0; i < SIZES; i++) {
        two_buffers(sizes[i]);
        one_buffer(sizes[i]);
    }
    unequal_sizes();
    with_nobody();
    along_a_line();
    test_finish();
    return 0;
}
