/* Windows of large messages among all ranks at once, with unaligned buffers: receives posted
 * before and after arrival, matching probes, and senders that make progress only now and then.
 * The argument is DUNLIN_CMA: which side copies. */
/* ranks: 2 3 4 */
/* args: auto */
/* args: on */
/* args: receiver */
/* args: off */
/* timeout: 120 */
#include "harness.h"

enum { WINDOW = 6, ROUNDS = 8, BYTES_MAX = 700000, GUARD = 64, SKEW = 97, RANKS_MAX = 4 };
enum { COUNT_MAX = WINDOW * (RANKS_MAX - 1) };

static unsigned char *out, *in;
static MPI_Request sends[COUNT_MAX];

/* Sizes near the limits of the protocols; the same on both sides. */
static int size_of(int from, int to, int round, int i)
{
    static const int sizes[] = {9000, 32767, 32768, 40000, 65536, 131073, 300001, BYTES_MAX};
    return sizes[(from + 3 * to + 5 * round + i) % 8];
}

static unsigned seed_of(int from, int to, int round, int i)
{
    return (unsigned)(((from * RANKS_MAX + to) * ROUNDS + round) * WINDOW + i);
}

static unsigned char *place(unsigned char *buffer, int slot)
{
    return buffer + (size_t)slot * (BYTES_MAX + GUARD + SKEW) + (size_t)(slot * SKEW % GUARD);
}

static int slot_of(int peer, int i)
{
    return ((peer - test_rank + test_size) % test_size - 1) * WINDOW + i;
}

static void send_all(int round)
{
    for (int peer = 0; peer < test_size; peer++) {
        for (int i = 0; peer != test_rank && i < WINDOW; i++) {
            int bytes = size_of(test_rank, peer, round, i), slot = slot_of(peer, i);
            test_fill(place(out, slot), (size_t)bytes, seed_of(test_rank, peer, round, i));
            TRY(MPI_Isend(place(out, slot), bytes, MPI_BYTE, peer, i, MPI_COMM_WORLD,
                          &sends[slot]));
        }
    }
}

static void check_all(int round)
{
    for (int peer = 0; peer < test_size; peer++) {
        for (int i = 0; peer != test_rank && i < WINDOW; i++) {
            size_t bytes = (size_t)size_of(peer, test_rank, round, i);
            unsigned char *data = place(in, slot_of(peer, i));
            CHECK_FILLED(data, bytes, seed_of(peer, test_rank, round, i), "a large message");
            for (size_t g = bytes; g < bytes + GUARD; g++)
                CHECK(data[g] == 0xee, "byte %zu behind a message of %zu", g - bytes, bytes);
        }
    }
}

static void receive_posted(int round, MPI_Request *requests)
{
    for (int peer = 0; peer < test_size; peer++)
        for (int i = WINDOW - 1; peer != test_rank && i >= 0; i--)
            TRY(MPI_Irecv(place(in, slot_of(peer, i)), size_of(peer, test_rank, round, i),
                          MPI_BYTE, peer, i, MPI_COMM_WORLD, &requests[slot_of(peer, i)]));
}

static void receive_probed(int count, MPI_Request *requests)
{
    for (int n = 0; n < count; n++) {
        MPI_Message message;
        MPI_Status status;
        int bytes;
        TRY(MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status));
        TRY(MPI_Get_count(&status, MPI_BYTE, &bytes));
        int slot = slot_of(status.MPI_SOURCE, status.MPI_TAG);
        TRY(MPI_Imrecv(place(in, slot), bytes, MPI_BYTE, &message, &requests[slot]));
    }
}

static void wait_lazily(int count)
{
    int done = 0;
    while (!done) {
        volatile double work = 1;
        for (int i = 0; i < 20000; i++) work = work * 1.000001;
        TRY(MPI_Testall(count, sends, &done, MPI_STATUSES_IGNORE));
    }
}

static void one_round(int round)
{
    MPI_Request requests[COUNT_MAX];
    int count = WINDOW * (test_size - 1);
    bool probes = round % 4 == 3, sends_first = probes || round % 2 == 1;
    memset(in, 0xee, (size_t)count * (BYTES_MAX + GUARD + SKEW) + GUARD);
    if (sends_first) send_all(round);
    if (probes) receive_probed(count, requests);
    else receive_posted(round, requests);
    if (!sends_first) send_all(round);
    if ((round + test_rank) % 3 == 0) {
        TRY(MPI_Waitall(count, requests, MPI_STATUSES_IGNORE));
        wait_lazily(count);
    } else {
        TRY(MPI_Waitall(count, sends, MPI_STATUSES_IGNORE));
        TRY(MPI_Waitall(count, requests, MPI_STATUSES_IGNORE));
    }
    check_all(round);
    TRY(MPI_Barrier(MPI_COMM_WORLD));
}

int main(int argc, char **argv)
{
    if (argc > 1) setenv("DUNLIN_CMA", argv[1], 1);
    test_start(&argc, &argv);
    CHECK(test_size <= RANKS_MAX, "%d ranks; at most %d", test_size, RANKS_MAX);
    size_t bytes = (size_t)COUNT_MAX * (BYTES_MAX + GUARD + SKEW) + GUARD;
    out = test_alloc(bytes);
    in = test_alloc(bytes);
    for (int round = 0; round < ROUNDS; round++) one_round(round);
    free(out);
    free(in);
    test_finish();
    return 0;
}
