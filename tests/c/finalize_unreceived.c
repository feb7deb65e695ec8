/* Messages that nobody receives do not keep MPI_Finalize waiting, in either mode and of any length,
 * to other ranks and to the process itself; those that are received late arrive, although their
 * sender has been in MPI_Finalize for long. */
/* ranks: 1 2 3 5 */
#include "harness.h"

enum { TAG = 4, LATE = 5, MANY = 3000 };

static const int lengths[] = {0, 8, 4000, 20000, 100000, 4 << 20};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

static void send_in_vain(const char *data, int to)
{
    MPI_Request request;
    for (int i = 0; i < LENGTHS; i++) {
        TRY(MPI_Isend(data, lengths[i], MPI_CHAR, to, TAG, MPI_COMM_WORLD, &request));
        if (i % 2)
            TRY(MPI_Request_free(&request));
        TRY(MPI_Issend(data, lengths[i], MPI_CHAR, to, TAG, MPI_COMM_WORLD, &request));
    }
    for (int i = 0; i < MANY; i++)
        TRY(MPI_Isend(data, 64, MPI_CHAR, to, TAG, MPI_COMM_WORLD, &request));
}

int main(int argc, char **argv)
{
    enum { BYTES = 4 << 20 };
    test_start(&argc, &argv);
    char *data = test_alloc(BYTES), *late = test_alloc(BYTES);
    const int right = (test_rank + 1) % test_size;
    const int last = test_size - 1;
    test_fill(data, BYTES, 1);
    send_in_vain(data, right);
    if (test_rank != last) {
        MPI_Request request;
        TRY(MPI_Isend(data, BYTES, MPI_CHAR, last, LATE, MPI_COMM_WORLD, &request));
        TRY(MPI_Request_free(&request));
    } else {
        /* Meanwhile the others are in MPI_Finalize. */
        struct timespec pause = {.tv_nsec = 300000000};
        nanosleep(&pause, NULL);
    }
    for (int from = 0; from < last && test_rank == last; from++) {
        memset(late, 0, BYTES);
        TRY(MPI_Recv(late, BYTES, MPI_CHAR, from, LATE, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(memcmp(late, data, BYTES) == 0, "the message of rank %d is damaged", from);
    }
    test_finish();
    free(late);
    free(data);
    return 0;
}
