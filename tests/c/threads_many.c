/* 64 threads of each rank: all exchange messages at once, all wait at once and are served in
 * another order, and all take messages from one queue, each of which exactly one of them gets. */
/* ranks: 1 2 3 */
/* timeout: 120 */
#include "threads.h"
#include <stdatomic.h>

enum { THREADS = 64, ROUNDS = 10, IN_FLIGHT = 4, LENGTH_MAX = 20000, WORK = 300 };
enum { TAG_WORK = 1000, TAG_LATE = 2000, END = -1 };

static int left, right;
static atomic_int taken;
static atomic_llong sum;

/* Some messages take rendezvous. */
static int length_of(int thread, int round)
{
    return (thread + round) % 16 == 0 ? LENGTH_MAX : (thread * 7 + round * 13) % 300;
}

static unsigned seed_of(int rank, int thread, int round)
{
    return (unsigned)(rank * 10000 + thread * 100 + round);
}

/* A ring of the threads of one number, with one message at a time. */
static void *pass_on(void *argument)
{
    int thread = *(int *)argument;
    unsigned char *out = test_alloc(LENGTH_MAX), *in = test_alloc(LENGTH_MAX);
    MPI_Status status;
    for (int round = 0; round < ROUNDS; round++) {
        int bytes = length_of(thread, round);
        test_fill(out, (size_t)bytes, seed_of(test_rank, thread, round));
        TRY(MPI_Sendrecv(out, bytes, MPI_BYTE, right, thread, in, LENGTH_MAX, MPI_BYTE, left,
                         thread, MPI_COMM_WORLD, &status));
        test_status(&status, left, thread, bytes, "a message of one of many threads");
        CHECK_FILLED(in, bytes, seed_of(left, thread, round), "a message of one of many threads");
    }
    free(out);
    free(in);
    return NULL;
}

/* The same with several in flight, which MPI_Waitsome completes. */
static void *pass_several_on(void *argument)
{
    int thread = *(int *)argument, in[IN_FLIGHT], out[IN_FLIGHT];
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Request requests[2 * IN_FLIGHT];
        for (int i = 0; i < IN_FLIGHT; i++) {
            in[i] = -1, out[i] = (test_rank * THREADS + thread) * IN_FLIGHT + i;
            TRY(MPI_Irecv(&in[i], 1, MPI_INT, left, thread, MPI_COMM_WORLD, &requests[2 * i]));
            TRY(MPI_Isend(&out[i], 1, MPI_INT, right, thread, MPI_COMM_WORLD,
                          &requests[2 * i + 1]));
        }
        for (int open = 2 * IN_FLIGHT; open > 0;) {
            int done = 0, which[2 * IN_FLIGHT];
            TRY(MPI_Waitsome(2 * IN_FLIGHT, requests, &done, which, MPI_STATUSES_IGNORE));
            CHECK(done > 0 && done <= open, "MPI_Waitsome says %d of %d are done", done, open);
            open -= done;
        }
        for (int i = 0; i < IN_FLIGHT; i++) {
            int wanted = (left * THREADS + thread) * IN_FLIGHT + i;
            CHECK(in[i] == wanted, "thread %d, round %d, message %d says %d; it must say %d",
                  thread, round, i, in[i], wanted);
        }
    }
    return NULL;
}

static void *wait_for_late_message(void *argument)
{
    int thread = *(int *)argument, word = -1;
    TRY(MPI_Recv(&word, 1, MPI_INT, left, TAG_LATE + thread, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(word == left * THREADS + thread, "the late message of thread %d says %d", thread, word);
    return NULL;
}

/* The message of the thread that has waited longest comes last. */
static void all_wait(int *numbers)
{
    struct threads threads;
    threads_begin(&threads, THREADS, wait_for_late_message, numbers, sizeof *numbers);
    test_sleep_ms(50);
    for (int t = THREADS - 1; t >= 0; t--) {
        int word = test_rank * THREADS + t;
        TRY(MPI_Send(&word, 1, MPI_INT, right, TAG_LATE + t, MPI_COMM_WORLD));
    }
    threads_join(&threads);
}

/* Between the two calls the message is this thread's, whatever the others do. */
static void *take_work(void *unused)
{
    for (;;) {
        int words[2] = {0, 0}, count = -1;
        MPI_Message message;
        MPI_Status status;
        TRY(MPI_Mprobe(MPI_ANY_SOURCE, TAG_WORK, MPI_COMM_WORLD, &message, &status));
        TRY(MPI_Get_count(&status, MPI_INT, &count));
        CHECK(count == 1 || count == 2, "a message of work has %d elements", count);
        TRY(MPI_Mrecv(words, count, MPI_INT, &message, &status));
        if (words[0] == END)
            return unused;
        CHECK(count == 1 + words[0] % 2, "message %d has %d elements", words[0], count);
        atomic_fetch_add(&sum, words[0]);
        atomic_fetch_add(&taken, 1);
    }
}

static void all_take_work(int *numbers)
{
    struct threads threads;
    long long wanted = (long long)test_size * WORK * (WORK - 1) / 2;
    int end = END;
    threads_begin(&threads, THREADS, take_work, numbers, sizeof *numbers);
    for (int i = 0; i < WORK; i++)
        for (int to = 0; to < test_size; to++) {
            int words[2] = {i, i};
            TRY(MPI_Send(words, 1 + i % 2, MPI_INT, to, TAG_WORK, MPI_COMM_WORLD));
        }
    while (atomic_load(&taken) < WORK * test_size)
        test_sleep_ms(1);
    for (int t = 0; t < THREADS; t++)
        TRY(MPI_Send(&end, 1, MPI_INT, test_rank, TAG_WORK, MPI_COMM_WORLD));
    threads_join(&threads);
    CHECK(atomic_load(&sum) == wanted, "the sum of the work is %lld; it must be %lld",
          (long long)atomic_load(&sum), wanted);
}

int main(int argc, char **argv)
{
    int numbers[THREADS];
    threads_start(&argc, &argv);
    right = (test_rank + 1) % test_size;
    left = (test_rank + test_size - 1) % test_size;
    for (int t = 0; t < THREADS; t++)
        numbers[t] = t;
    threads_run(THREADS, pass_on, numbers, sizeof *numbers);
    threads_run(THREADS, pass_several_on, numbers, sizeof *numbers);
    all_wait(numbers);
    all_take_work(numbers);
    test_finish();
    return 0;
}
