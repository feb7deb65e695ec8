/* Consecutive messages without replies, of sizes near those that networks send in one packet,
 * mixed with short ones: each byte is right and none beyond is touched, with receives posted
 * before and after, contiguous or with gaps. */
/* ranks: 2 4 */
#include "harness.h"

enum { MESSAGES = 24, BYTES_MAX = 140 << 10, SHORT_BYTES = 100, GUARD = 64, TAG = 9 };

static const int SIZES[] = {40000, 62000, 65000, 65085, 65086, 65100, 65536,
                            65600, 66400, 66486, 66487, 67000, 131072};

enum way { POSTED, LATE, WITH_GAPS, WAYS };

static unsigned char *out, *in;

static unsigned char *at(unsigned char *all, int message)
{
    return all + (size_t)message * (2 * BYTES_MAX + GUARD);
}

static int bytes_of(int size, int message)
{
    return message % 5 == 3 ? SHORT_BYTES : size;
}

static void send_all(int size, int to)
{
    MPI_Request requests[MESSAGES];
    for (int i = 0; i < MESSAGES; i++) {
        int bytes = bytes_of(size, i);
        test_fill(at(out, i), (size_t)bytes, (unsigned)(size + i));
        TRY(MPI_Isend(at(out, i), bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &requests[i]));
    }
    TRY(MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE));
}

/* A byte and a gap of one byte, repeated. */
static MPI_Datatype with_gaps(int bytes)
{
    MPI_Datatype type;
    TRY(MPI_Type_vector(bytes, 1, 2, MPI_BYTE, &type));
    TRY(MPI_Type_commit(&type));
    return type;
}

static void check(int size, int message, enum way way)
{
    int bytes = bytes_of(size, message), step = way == WITH_GAPS ? 2 : 1;
    unsigned char *data = at(in, message);
    for (int i = 1; step == 2 && i < 2 * bytes; i += 2)
        CHECK(data[i] == 0xee, "message %d of %d bytes fills the gap at %d", message, bytes, i);
    for (int i = 1; step == 2 && i < bytes; i++)
        data[i] = data[2 * i];
    CHECK_FILLED(data, (size_t)bytes, (unsigned)(size + message), "a message of a stream");
    for (int i = step * bytes; i < step * bytes + GUARD; i++)
        CHECK(data[i] == 0xee, "message %d of %d bytes writes at %d", message, bytes, i);
}

static void receive_all(int size, int from, enum way way)
{
    MPI_Request requests[MESSAGES];
    memset(in, 0xee, (size_t)(at(in, MESSAGES) - in));
    if (way == LATE)
        TRY(MPI_Probe(from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (int i = 0; i < MESSAGES; i++) {
        int bytes = bytes_of(size, i);
        MPI_Datatype type = way == WITH_GAPS ? with_gaps(bytes) : MPI_BYTE;
        int count = way == WITH_GAPS ? 1 : bytes;
        TRY(MPI_Irecv(at(in, i), count, type, from, TAG, MPI_COMM_WORLD, &requests[i]));
        if (way == WITH_GAPS)
            TRY(MPI_Type_free(&type));
    }
    TRY(MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < MESSAGES; i++)
        check(size, i, way);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    test_need_ranks(2);
    size_t all = (size_t)MESSAGES * (2 * BYTES_MAX + GUARD);
    out = test_alloc(all);
    in = test_alloc(all);
    int half = test_size / 2;
    for (int n = 0; n < (int)(sizeof SIZES / sizeof *SIZES); n++)
        for (int way = POSTED; way < WAYS; way++) {
            if (test_rank < half)
                send_all(SIZES[n], test_rank + half);
            else if (test_rank < 2 * half)
                receive_all(SIZES[n], test_rank - half, (enum way)way);
        }
    free(out);
    free(in);
    test_finish();
    return 0;
}
