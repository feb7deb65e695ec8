/* A rank that waits for a change of a neighbour's memory, and calls nothing but gets and flushes,
 * makes progress in them: a third rank sends it a long message, and only then is that changed. */
/* ranks: 3 4 */
#include "harness.h"

enum { BYTES = 1 << 20, ROUNDS = 5, TAG = 3 };

static MPI_Win win;

static void wait_for(int round)
{
    int seen = -1;
    while (seen < round) {
        TRY(MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win));
        TRY(MPI_Win_flush(1, win));
    }
}

static void change_own(int round)
{
    TRY(MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win));
    TRY(MPI_Accumulate(&round, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win));
    TRY(MPI_Win_unlock(1, win));
}

int main(int argc, char **argv)
{
    static int changes;
    test_start(&argc, &argv);
    test_need_ranks(3);
    unsigned char *data = test_alloc(BYTES);
    const int sender = test_size - 1;
    TRY(MPI_Win_create(&changes, sizeof changes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    if (test_rank == 0)
        TRY(MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win));
    for (int round = 1; round <= ROUNDS; round++) {
        MPI_Request request = MPI_REQUEST_NULL;
        if (test_rank == 0)
            TRY(MPI_Irecv(data, BYTES, MPI_BYTE, sender, TAG, MPI_COMM_WORLD, &request));
        TRY(MPI_Barrier(MPI_COMM_WORLD));
        if (test_rank == 0)
            wait_for(round);
        if (test_rank == sender) {
            test_fill(data, BYTES, (unsigned)round);
            TRY(MPI_Ssend(data, BYTES, MPI_BYTE, 0, TAG, MPI_COMM_WORLD));
            TRY(MPI_Send(NULL, 0, MPI_BYTE, 1, TAG, MPI_COMM_WORLD));
        }
        if (test_rank == 1) {
            TRY(MPI_Recv(NULL, 0, MPI_BYTE, sender, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            change_own(round);
        }
        TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
        if (test_rank == 0)
            for (int i = 0; i < BYTES; i++)
                CHECK(data[i] == test_byte((size_t)i, (unsigned)round), "byte %d is wrong", i);
    }
    if (test_rank == 0)
        TRY(MPI_Win_unlock(1, win));
    TRY(MPI_Win_free(&win));
    free(data);
    test_finish();
}
