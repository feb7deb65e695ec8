/* Five thousand posted receives, matched in reverse order and completed in yet another; and as
 * many outstanding sends of long messages. */
/* ranks: 2 4 */
#include "harness.h"

enum { COUNT = 5000, LONG_COUNT = 60, LONG_BYTES = 200000, GO = 30000 };

static MPI_Request requests[COUNT];

static void short_ones(void)
{
    static int values[COUNT];
    int peer = test_rank ^ 1;
    if (test_rank % 2 == 0) {
        for (int tag = 0; tag < COUNT; tag++) {
            values[tag] = -1;
            TRY(MPI_Irecv(&values[tag], 1, MPI_INT, peer, tag, MPI_COMM_WORLD, &requests[tag]));
        }
        test_signal(peer, GO);
        for (int i = 0; i < COUNT; i++) {
            int tag = (i * 7 + 11) % COUNT;
            MPI_Status status;
            TRY(MPI_Wait(&requests[tag], &status));
            test_status(&status, peer, tag, sizeof(int), "one of many receives");
            CHECK(values[tag] == 3 * tag, "tag %d gets %d", tag, values[tag]);
        }
        return;
    }
    test_await(peer, GO);
    for (int tag = COUNT - 1; tag >= 0; tag--) {
        values[tag] = 3 * tag;
        TRY(MPI_Isend(&values[tag], 1, MPI_INT, peer, tag, MPI_COMM_WORLD, &requests[tag]));
    }
    TRY(MPI_Waitall(COUNT, requests, MPI_STATUSES_IGNORE));
}

static void long_ones(bool receives_posted_first)
{
    int peer = test_rank ^ 1;
    unsigned char *data = test_alloc((size_t)LONG_COUNT * LONG_BYTES);
    if (test_rank % 2 == 0) {
        if (!receives_posted_first)
            test_await(peer, GO);
        memset(data, 0, (size_t)LONG_COUNT * LONG_BYTES);
        for (int i = 0; i < LONG_COUNT; i++)
            TRY(MPI_Irecv(data + (size_t)i * LONG_BYTES, LONG_BYTES, MPI_BYTE, peer, i,
                          MPI_COMM_WORLD, &requests[i]));
        if (receives_posted_first)
            test_signal(peer, GO);
        TRY(MPI_Waitall(LONG_COUNT, requests, MPI_STATUSES_IGNORE));
        for (int i = 0; i < LONG_COUNT; i++)
            CHECK_FILLED(data + (size_t)i * LONG_BYTES, LONG_BYTES, (unsigned)i, "a long message");
    } else {
        if (receives_posted_first)
            test_await(peer, GO);
        for (int i = LONG_COUNT - 1; i >= 0; i--) {
            test_fill(data + (size_t)i * LONG_BYTES, LONG_BYTES, (unsigned)i);
            TRY(MPI_Isend(data + (size_t)i * LONG_BYTES, LONG_BYTES, MPI_BYTE, peer, i,
                          MPI_COMM_WORLD, &requests[i]));
        }
        if (!receives_posted_first)
            test_signal(peer, GO);
        TRY(MPI_Waitall(LONG_COUNT, requests, MPI_STATUSES_IGNORE));
    }
    free(data);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    CHECK(test_size % 2 == 0, "%d ranks; they must form pairs", test_size);
    short_ones();
    long_ones(true);
    long_ones(false);
    test_finish();
    return 0;
}
