/* Ranks that disagree on lengths: an error where a rank detects it, and at all ranks where data
 * is forwarded; no byte is written that was not sent, and no rank hangs. */
/* ranks: 2 3 5 */
/* args: auto */
/* args: sleep */
#include "harness.h"

enum { PLACE = 200000, CANARY = 0x5a, RANKS_MAX = 5 };

static unsigned char *out, *in;
static int counts[RANKS_MAX], places[RANKS_MAX];
static MPI_Comm world;
static bool on_one_node;

enum way { BLOCKING, NONBLOCKING, PERSISTENT, WAYS };

static void prepare(int len)
{
    memset(in, CANARY, (size_t)PLACE * (size_t)test_size);
    memset(out, test_rank + 1, (size_t)PLACE * (size_t)test_size);
    for (int i = 0; i < test_size; i++) {
        counts[i] = len;
        places[i] = i * PLACE;
    }
}

/* The place of `rank` contains bytes from `sender`, at most `most` of them. */
static void check_place(int rank, int sender, int most, const char *what)
{
    const unsigned char *at = in + (size_t)rank * PLACE;
    for (int i = 0; i < PLACE; i++) {
        bool is_sent = i < most && at[i] == sender + 1;
        CHECK(at[i] == CANARY || is_sent, "%s writes %#x as byte %d from rank %d", what, at[i], i,
              sender);
    }
}

/* Completes a nonblocking operation. */
static int waited(int code, MPI_Request *request)
{
    return code ? code : MPI_Wait(request, MPI_STATUS_IGNORE);
}

/* Starts a persistent operation twice, and completes it. Within a node it ends both times in the
 * same way; between nodes a rank whose own part is done hears of another's failure in the next
 * start. */
static int started(int code, MPI_Request *request)
{
    int codes[2];
    if (code)
        return code;
    for (int i = 0; i < 2; i++) {
        codes[i] = MPI_Start(request);
        if (codes[i] == MPI_SUCCESS)
            codes[i] = MPI_Wait(request, MPI_STATUS_IGNORE);
    }
    CHECK(!on_one_node || test_class(codes[0]) == test_class(codes[1]),
          "it ends with %d, then with %d", codes[0], codes[1]);
    TRY(MPI_Request_free(request));
    return codes[0];
}

static int allgatherv(int sent, enum way way)
{
    MPI_Request request;
    if (way == BLOCKING)
        return MPI_Allgatherv(out, sent, MPI_BYTE, in, counts, places, MPI_BYTE, world);
    if (way == PERSISTENT)
        return started(MPI_Allgatherv_init(out, sent, MPI_BYTE, in, counts, places, MPI_BYTE,
                                           world, MPI_INFO_NULL, &request), &request);
    return waited(MPI_Iallgatherv(out, sent, MPI_BYTE, in, counts, places, MPI_BYTE, world,
                                  &request), &request);
}

/* Rank 0's block is shorter or longer than expected: by all ranks, by itself, by the others. */
static void allgathervs(int len, enum way way)
{
    for (int other = 0; other <= 2 * len; other += 2 * len)
        for (int expected = 0; expected < 3; expected++) {
            bool expects_other = expected == 1 ? test_rank == 0 : expected == 2 && test_rank != 0;
            prepare(len);
            counts[0] = expects_other ? other : len;
            int sent = test_rank == 0 && expected < 1 ? other : len;
            int code = allgatherv(sent, way);
            bool is_wrong = sent != counts[test_rank] || (expected == 2 && test_rank);
            if (is_wrong)
                CHECK(code, "an allgatherv of %d bytes for %d has no error", other, len);
            for (int r = 0; r < test_size; r++)
                check_place(r, r, 2 * len, "an allgatherv");
            TRY(MPI_Barrier(world));
        }
}

static int allgather(int sent, int expected, enum way way)
{
    MPI_Request request;
    if (way == BLOCKING)
        return MPI_Allgather(out, sent, MPI_BYTE, in, expected, MPI_BYTE, world);
    if (way == PERSISTENT)
        return started(MPI_Allgather_init(out, sent, MPI_BYTE, in, expected, MPI_BYTE, world,
                                          MPI_INFO_NULL, &request), &request);
    return waited(MPI_Iallgather(out, sent, MPI_BYTE, in, expected, MPI_BYTE, world, &request),
                  &request);
}

static int alltoall(int sent, int expected, enum way way)
{
    MPI_Request request;
    if (way == BLOCKING)
        return MPI_Alltoall(out, sent, MPI_BYTE, in, expected, MPI_BYTE, world);
    if (way == PERSISTENT)
        return started(MPI_Alltoall_init(out, sent, MPI_BYTE, in, expected, MPI_BYTE, world,
                                         MPI_INFO_NULL, &request), &request);
    return waited(MPI_Ialltoall(out, sent, MPI_BYTE, in, expected, MPI_BYTE, world, &request),
                  &request);
}

/* Rank 0 sends nothing, and all ranks detect it. */
static void equal_blocks(int len, enum way way)
{
    int sent = test_rank == 0 ? 0 : len;
    prepare(len);
    int code = allgather(sent, PLACE, way);
    CHECK(code, "an allgather of %d bytes where %d are expected has no error", sent, PLACE);
    for (int r = 0; r < test_size; r++)
        check_place(r, r, len, "an allgather");
    TRY(MPI_Barrier(world));
    prepare(len);
    code = alltoall(sent, len, way);
    CHECK(code, "an alltoall of which rank 0 sends nothing has no error");
    for (int i = 0; i < len * test_size; i++)
        CHECK(in[i] == CANARY || in[i] == i / len + 1, "an alltoall writes %#x as byte %d", in[i],
              i);
    TRY(MPI_Barrier(world));
}

static int bcast(int len, enum way way)
{
    MPI_Request request;
    if (way == BLOCKING)
        return MPI_Bcast(in, len, MPI_BYTE, 0, world);
    if (way == PERSISTENT)
        return started(MPI_Bcast_init(in, len, MPI_BYTE, 0, world, MPI_INFO_NULL, &request),
                       &request);
    return waited(MPI_Ibcast(in, len, MPI_BYTE, 0, world, &request), &request);
}

static void bcasts(enum way way)
{
    static const int lengths[] = {0, 1, 10};
    enum { LENGTHS = sizeof lengths / sizeof *lengths };
    for (int root = 0; root < LENGTHS; root++)
        for (int other = 0; other < LENGTHS; other++) {
            prepare(0);
            if (test_rank == 0)
                memset(in, 1, PLACE);
            int code = bcast(lengths[test_rank == 0 ? root : other], way);
            if (root == other)
                CHECK(code == 0, "a bcast of %d bytes fails", lengths[root]);
            else if (lengths[other])
                /* A call without data waits for nobody, and so cannot tell. */
                CHECK(code || test_rank == 0, "a bcast of %d bytes to %d has no error",
                      lengths[root], lengths[other]);
            check_place(0, 0, PLACE, "a bcast");
            TRY(MPI_Barrier(world));
        }
}

/* A block of a rank to itself that is shorter than its receive buffer is no error, as with other
 * libraries, and the rest of the buffer is unchanged. A longer one is an error. */
static void own_blocks(int len)
{
    prepare(len);
    int code = MPI_Gatherv(out, test_rank == 0 ? 0 : len, MPI_BYTE, in, counts, places, MPI_BYTE, 0,
                           world);
    CHECK(code == 0, "MPI_Gatherv with nothing of the root fails: %s", test_error_text(code));
    for (int r = 0; r < test_size; r++)
        check_place(r, r, r ? len : 0, "MPI_Gatherv");
    prepare(len);
    code = MPI_Gatherv(out, test_rank == 0 ? 2 * len : len, MPI_BYTE, in, counts, places, MPI_BYTE,
                       0, world);
    if (test_rank == 0)
        CHECK(test_class(code) == MPI_ERR_TRUNCATE, "MPI_Gatherv with more gives %d", code);
    for (int r = 0; r < test_size; r++)
        check_place(r, r, len, "MPI_Gatherv");
    TRY(MPI_Barrier(world));
}

/* One rank's length is on the other side of a threshold between two algorithms. Afterwards all
 * ranks agree again. */
static void over_a_threshold(int odd, int length, int others)
{
    int len = test_rank == odd ? length : others, longs = len / (int)sizeof(long);
    for (int i = 0; i < 2; i++) {
        MPI_Bcast(in, len, MPI_BYTE, 0, world);
        TRY(MPI_Barrier(world));
        MPI_Reduce(out, in, longs, MPI_LONG, MPI_SUM, 0, world);
        TRY(MPI_Barrier(world));
        MPI_Allreduce(out, in, longs, MPI_LONG, MPI_SUM, world);
        TRY(MPI_Barrier(world));
        MPI_Scatter(out, len, MPI_BYTE, in, len, MPI_BYTE, 0, world);
        TRY(MPI_Barrier(world));
        /* Of more ranks, one may wait until another receives that has failed before. */
        if (test_size == 2)
            MPI_Alltoall(out, len, MPI_BYTE, in, len, MPI_BYTE, world);
        TRY(MPI_Barrier(world));
        MPI_Exscan(out, in, longs, MPI_LONG, MPI_SUM, world);
        TRY(MPI_Barrier(world));
    }
}

static bool all_ranks_are_here(void)
{
    int ranks_here = 0;
    MPI_Comm node;
    TRY(MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    TRY(MPI_Comm_size(node, &ranks_here));
    TRY(MPI_Comm_free(&node));
    return ranks_here == test_size;
}

/* Within a node: of ranks on several nodes, some may still wait for ever. */
static void over_thresholds(void)
{
    static const int pairs[][2] = {{16376, 16392}, {8, 40000}, {65528, 65544}, {8, PLACE}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0] && on_one_node; i++)
        for (int odd = 0; odd < 2; odd++) {
            over_a_threshold(odd, pairs[i][0], pairs[i][1]);
            over_a_threshold(odd, pairs[i][1], pairs[i][0]);
        }
}

int main(int argc, char **argv)
{
    int one = 1, sum = 0;
    /* A rank that sleeps looks rarely whether another has left a collective. */
    if (argc > 1)
        setenv("DUNLIN_WAIT", argv[1], 1);
    test_start(&argc, &argv);
    TRY(MPI_Comm_dup(MPI_COMM_WORLD, &world));
    TRY(MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN));
    on_one_node = all_ranks_are_here();
    in = test_alloc((size_t)PLACE * RANKS_MAX);
    out = test_alloc((size_t)PLACE * RANKS_MAX);
    for (int round = 0; round < 2 * WAYS; round++) {
        int len = 1;
        allgathervs(len, round % WAYS);
        equal_blocks(len, round % WAYS);
        own_blocks(len);
        bcasts(round % WAYS);
    }
    over_thresholds();
    TRY(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, world));
    CHECK(sum == test_size, "the sum is %d", sum);
    TRY(MPI_Comm_free(&world));
    test_finish();
    return 0;
}
