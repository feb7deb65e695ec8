/* Every size from 0 to 300 bytes, and powers of two and their neighbours up to 8 MiB, with each
 * byte checked: in one direction with blocking calls, then in both directions at once. */
/* ranks: 2 4 */
/* timeout: 120 */
#include "harness.h"

enum { EVERY_SIZE_UP_TO = 300, BYTES_MAX = 8 << 20, GUARD = 64 };

static unsigned char *out, *in;
static int peer;

static void clear(size_t bytes)
{
    memset(in, 0xee, bytes + GUARD);
}

static void check_received(const MPI_Status *status, size_t bytes, unsigned seed, const char *what)
{
    test_status(status, peer, (int)(bytes % 30000), (int)bytes, what);
    CHECK_FILLED(in, bytes, seed, what);
    for (size_t i = bytes; i < bytes + GUARD; i++)
        CHECK(in[i] == 0xee, "%s of %zu bytes writes %zu bytes too far", what, bytes,
              i - bytes + 1);
}

static void one_way(size_t bytes, bool sends)
{
    int tag = (int)(bytes % 30000);
    MPI_Status status;
    if (sends) {
        test_fill(out, bytes, (unsigned)bytes);
        TRY(MPI_Send(out, (int)bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD));
        return;
    }
    clear(bytes);
    TRY(MPI_Recv(in, (int)bytes + 1, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &status));
    check_received(&status, bytes, (unsigned)bytes, "one way");
}

static void both_ways(size_t bytes)
{
    int tag = (int)(bytes % 30000);
    unsigned seed = (unsigned)test_rank + 3;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    clear(bytes);
    test_fill(out, bytes, seed);
    TRY(MPI_Isend(out, (int)bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &requests[0]));
    TRY(MPI_Irecv(in, (int)bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &requests[1]));
    TRY(MPI_Waitall(2, requests, statuses));
    check_received(&statuses[1], bytes, (unsigned)peer + 3, "both ways");
}

static void try_size(size_t bytes)
{
    one_way(bytes, test_rank % 2 == 0);
    one_way(bytes, test_rank % 2 == 1);
    both_ways(bytes);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    CHECK(test_size % 2 == 0, "%d ranks; they must form pairs", test_size);
    peer = test_rank ^ 1;
    out = test_alloc(BYTES_MAX + 1);
    in = test_alloc(BYTES_MAX + 1 + GUARD);
    for (size_t bytes = 0; bytes <= EVERY_SIZE_UP_TO; bytes++)
        try_size(bytes);
    for (size_t power = 512; power <= BYTES_MAX; power *= 2)
        for (size_t bytes = power - 1; bytes <= power + 1; bytes++)
            try_size(bytes);
    free(out);
    free(in);
    test_finish();
    return 0;
}
