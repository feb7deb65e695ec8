/* What a rank has begun goes on while it computes, under DUNLIN_PROGRESS=thread: the data is there
 * before the program calls MPI again. So it is under DUNLIN_PROGRESS=overlap, for long messages and
 * collectives, once the program has been seen to compute. The program's own functions run in its
 * own threads. */
/* ranks: 2 4 */
/* args: cma */
/* args: off */
/* args: threads */
/* args: overlap */
/* args: again */
/* timeout: 300 */
#include "harness.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MIB = 1 << 20, TAG = 7, SUMS = 1 << 18, BLOCK = 1 << 17, ROUNDS = 2 };

/* So long a rank computes at most: many times what the transfers take on a machine that is busy. */
static const double LIMIT_S = 60.0;

static pthread_t main_thread;

static void compute(void)
{
    for (volatile int i = 0; i < 50000; i++)
        continue;
    /* Other threads may have written. */
    atomic_thread_fence(memory_order_acquire);
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Computes until `is_there(data)`. */
static void compute_until(const char *what, bool (*is_there)(const void *), const void *data)
{
    for (double end = now_s() + LIMIT_S; !is_there(data); compute())
        CHECK(now_s() < end, "%s has not come in %.0f s of computing", what, LIMIT_S);
}

struct bytes {
    unsigned char *start;
    size_t count;
    unsigned seed;
};

static struct bytes new_bytes(size_t count, unsigned seed)
{
    struct bytes bytes = {test_alloc(count), count, seed};
    memset(bytes.start, 0, count);
    return bytes;
}

static bool bytes_are_there(const void *data)
{
    const struct bytes *bytes = data;
    for (size_t i = bytes->count; i-- > 0;)
        if (bytes->start[i] != test_byte(i, bytes->seed))
            return false;
    return true;
}

/* Sends to the right, and receives from the left. */
static void check_messages(size_t count, unsigned seed, bool synchronous)
{
    const int right = (test_rank + 1) % test_size, left = (test_rank + test_size - 1) % test_size;
    struct bytes out = new_bytes(count, seed + (unsigned)test_rank);
    struct bytes in = new_bytes(count, seed + (unsigned)left);
    MPI_Request requests[2];
    test_fill(out.start, count, out.seed);
    TRY(MPI_Irecv(in.start, (int)count, MPI_BYTE, left, TAG, MPI_COMM_WORLD, &requests[0]));
    if (synchronous)
        TRY(MPI_Issend(out.start, (int)count, MPI_BYTE, right, TAG, MPI_COMM_WORLD, &requests[1]));
    else
        TRY(MPI_Isend(out.start, (int)count, MPI_BYTE, right, TAG, MPI_COMM_WORLD, &requests[1]));
    compute_until("a message", bytes_are_there, &in);
    TRY(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    free(out.start);
    free(in.start);
}

static bool sums_are_there(const void *data)
{
    const double *sums = data;
    for (int i = SUMS; i-- > 0;)
        if (sums[i] != test_size * (test_size + 1) / 2 + (double)test_size * i)
            return false;
    return true;
}

static bool one_sum_is_there(const void *data)
{
    return *(const double *)data == test_size;
}

static void check_allreduce(void)
{
    double *in = test_alloc(SUMS * sizeof *in), *sums = test_alloc(SUMS * sizeof *sums);
    double one = 1, all = 0;
    MPI_Request request;
    for (int i = 0; i < SUMS; i++) {
        in[i] = i + test_rank + 1;
        sums[i] = -1;
    }
    TRY(MPI_Iallreduce(in, sums, SUMS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request));
    compute_until("the sums of an MPI_Iallreduce", sums_are_there, sums);
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    TRY(MPI_Iallreduce(&one, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request));
    compute_until("the sum of a short MPI_Iallreduce", one_sum_is_there, &all);
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    free(in);
    free(sums);
}

static void check_bcast(void)
{
    struct bytes data = new_bytes(MIB, 3);
    MPI_Request request;
    if (test_rank == 1)
        test_fill(data.start, data.count, data.seed);
    TRY(MPI_Ibcast(data.start, (int)data.count, MPI_BYTE, 1, MPI_COMM_WORLD, &request));
    compute_until("the data of an MPI_Ibcast", bytes_are_there, &data);
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    free(data.start);
}

static bool blocks_are_there(const void *data)
{
    for (int from = 0; from < test_size; from++) {
        const unsigned seed = (unsigned)(from * test_size + test_rank);
        struct bytes block = {(unsigned char *)data + (size_t)from * BLOCK, BLOCK, seed};
        if (!bytes_are_there(&block))
            return false;
    }
    return true;
}

static void check_alltoall(void)
{
    const size_t bytes = (size_t)test_size * BLOCK;
    unsigned char *out = test_alloc(bytes), *in = test_alloc(bytes);
    MPI_Request request;
    memset(in, 0, bytes);
    for (int to = 0; to < test_size; to++)
        test_fill(out + (size_t)to * BLOCK, BLOCK, (unsigned)(test_rank * test_size + to));
    TRY(MPI_Ialltoall(out, BLOCK, MPI_BYTE, in, BLOCK, MPI_BYTE, MPI_COMM_WORLD, &request));
    compute_until("the blocks of an MPI_Ialltoall", blocks_are_there, in);
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    free(out);
    free(in);
}

static void add_in_main_thread(void *in, void *inout, int *count, MPI_Datatype *type)
{
    CHECK(pthread_equal(pthread_self(), main_thread), "an operator runs in another thread");
    CHECK(*type == MPI_INT, "the operator is for MPI_INT");
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

/* The program's operator waits for the program. */
static void check_own_operator(void)
{
    int one = 1, all = 0;
    MPI_Op op;
    MPI_Request request;
    TRY(MPI_Op_create(add_in_main_thread, 1, &op));
    TRY(MPI_Iallreduce(&one, &all, 1, MPI_INT, op, MPI_COMM_WORLD, &request));
    for (double end = now_s() + 0.02; now_s() < end;)
        compute();
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(all == test_size, "the sum is %d; it must be %d", all, test_size);
    TRY(MPI_Op_free(&op));
}

/* A process that a rank forks has no such thread, and leaves the parent's alone. */
static void check_fork(void)
{
    unsigned char *data = test_alloc(MIB);
    MPI_Request request;
    const int peer = test_rank ^ 1;
    const bool sends = test_rank % 2 == 0;
    struct bytes in = {data, MIB, 9};
    if (sends)
        test_fill(data, MIB, 9);
    else
        memset(data, 0, MIB);
    if (!sends)
        TRY(MPI_Irecv(data, MIB, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request));
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    CHECK(child > 0 && waitpid(child, NULL, 0) == child, "no process could be forked");
    if (sends)
        TRY(MPI_Isend(data, MIB, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request));
    compute_until("a message to a rank that has forked", bytes_are_there, &in);
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    free(data);
}

static bool is_on_one_node(void)
{
    MPI_Comm node;
    int size;
    TRY(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    TRY(MPI_Comm_size(node, &size));
    TRY(MPI_Comm_free(&node));
    return size == test_size;
}

/* Exchanges behind which this rank computes for a moment. */
static void show_that_it_computes(void)
{
    enum { EXCHANGES = 40, LENGTH = 1 << 16 };
    unsigned char *out = test_alloc(LENGTH), *in = test_alloc(LENGTH);
    const int right = (test_rank + 1) % test_size, left = (test_rank + test_size - 1) % test_size;
    for (unsigned i = 0; i < EXCHANGES; i++) {
        MPI_Request both[2];
        test_fill(out, LENGTH, i + (unsigned)test_rank);
        TRY(MPI_Irecv(in, LENGTH, MPI_BYTE, left, TAG, MPI_COMM_WORLD, &both[0]));
        TRY(MPI_Isend(out, LENGTH, MPI_BYTE, right, TAG, MPI_COMM_WORLD, &both[1]));
        compute();
        TRY(MPI_Waitall(2, both, MPI_STATUSES_IGNORE));
        const struct bytes got = {in, LENGTH, i + (unsigned)left};
        CHECK(bytes_are_there(&got), "exchange %u has brought something else", i);
    }
    free(out);
    free(in);
}

/* MPI begins and ends, and the progress thread sees that it has ended. */
static void begin_and_end(void)
{
    const struct timespec a_while = {0, 50000000};
    MPI_Session session;
    TRY(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session));
    TRY(MPI_Session_finalize(&session));
    nanosleep(&a_while, NULL);
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "cma";
    int provided;
    const bool overlaps = strcmp(way, "overlap") == 0;
    setenv("DUNLIN_PROGRESS", overlaps ? "overlap" : "thread", 1);
    if (strcmp(way, "off") == 0)
        setenv("DUNLIN_CMA", "off", 1);
    if (strcmp(way, "again") == 0)
        begin_and_end();
    const bool threads = strcmp(way, "threads") == 0;
    const int level = threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
    TRY(MPI_Init_thread(&argc, &argv, level, &provided));
    test_know_ranks();
    test_need_ranks(2);
    main_thread = pthread_self();
    if (overlaps && !is_on_one_node()) {
        test_finish();
        return 0;
    }
    if (overlaps)
        show_that_it_computes();
    for (int round = 0; round < ROUNDS; round++) {
        check_messages(MIB, 1, false);
        check_messages(4 * MIB, 2, false);
        if (!overlaps)
            check_messages(100, 5, true);
        check_allreduce();
        check_bcast();
        check_alltoall();
        check_own_operator();
    }
    check_fork();
    test_finish();
}
