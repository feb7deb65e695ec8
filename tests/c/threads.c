/* MPI_THREAD_MULTIPLE: several threads of each rank exchange messages at the same time, on one
 * communicator and on one each, blocking and not; and one thread waits while others work. */
/* ranks: 2 4 */
/* timeout: 120 */
#include "harness.h"
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 300, BIG_EVERY = 50, BIG_BYTES = 100000, TAG = 100 };

struct job {
    int thread;
    MPI_Comm comm;
    unsigned char *out, *in;
};

static int peer;

static int bytes_of(int round, int thread)
{
    return round % BIG_EVERY == BIG_EVERY - 1 ? BIG_BYTES : (round * 7 + thread) % 500;
}

static void check(const struct job *job, const MPI_Status *status, int bytes, unsigned seed)
{
    test_status(status, peer, TAG + job->thread, bytes, "a message between threads");
    CHECK_FILLED(job->in, bytes, seed, "a message between threads");
}

static unsigned seed_of(int rank, int thread, int round)
{
    return (unsigned)(rank * 1000 + thread * 100 + round);
}

/* Ping-pong with the thread of the same number in the peer. */
static void *ping_pong(void *argument)
{
    struct job *job = argument;
    MPI_Status status;
    for (int round = 0; round < ROUNDS; round++) {
        int bytes = bytes_of(round, job->thread), tag = TAG + job->thread;
        test_fill(job->out, (size_t)bytes, seed_of(test_rank, job->thread, round));
        if (test_rank % 2 == 0)
            TRY(MPI_Send(job->out, bytes, MPI_BYTE, peer, tag, job->comm));
        TRY(MPI_Recv(job->in, BIG_BYTES, MPI_BYTE, peer, tag, job->comm, &status));
        if (test_rank % 2 == 1)
            TRY(MPI_Send(job->out, bytes, MPI_BYTE, peer, tag, job->comm));
        check(job, &status, bytes, seed_of(peer, job->thread, round));
    }
    return NULL;
}

/* Both directions at once, completed in different ways in turn. */
static void *exchange(void *argument)
{
    struct job *job = argument;
    for (int round = 0; round < ROUNDS; round++) {
        int bytes = bytes_of(round, job->thread), tag = TAG + job->thread, flag = 0;
        MPI_Request requests[2];
        MPI_Status statuses[2];
        test_fill(job->out, (size_t)bytes, seed_of(test_rank, job->thread, round));
        TRY(MPI_Irecv(job->in, BIG_BYTES, MPI_BYTE, peer, tag, job->comm, &requests[0]));
        TRY(MPI_Isend(job->out, bytes, MPI_BYTE, peer, tag, job->comm, &requests[1]));
        if (round % 3 == 0) {
            TRY(MPI_Waitall(2, requests, statuses));
        } else if (round % 3 == 1) {
            while (!flag)
                TRY(MPI_Testall(2, requests, &flag, statuses));
        } else {
            TRY(MPI_Wait(&requests[1], &statuses[1]));
            TRY(MPI_Wait(&requests[0], &statuses[0]));
        }
        check(job, &statuses[0], bytes, seed_of(peer, job->thread, round));
    }
    return NULL;
}

/* Collectives, one communicator per thread, all at the same time. */
static void *reduce(void *argument)
{
    struct job *job = argument;
    for (int round = 0; round < ROUNDS / 3; round++) {
        int mine = test_rank * (job->thread + 1) + round, sum = -1;
        int wanted = test_size * (test_size - 1) / 2 * (job->thread + 1) + round * test_size;
        TRY(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, job->comm));
        CHECK(sum == wanted, "thread %d, round %d: the sum is %d; must be %d", job->thread, round,
              sum, wanted);
    }
    return NULL;
}

static void run_threads(void *(*body)(void *), struct job *jobs)
{
    pthread_t threads[THREADS];
    for (int t = 0; t < THREADS; t++)
        CHECK(!pthread_create(&threads[t], NULL, body, &jobs[t]), "cannot start thread %d", t);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    TRY(MPI_Barrier(MPI_COMM_WORLD));
}

static void *wait_for_late_message(void *argument)
{
    TRY(MPI_Recv(argument, 1, MPI_INT, peer, TAG - 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    return NULL;
}

/* A thread blocks in a receive whose message is sent only after the main threads' exchange. */
static void a_waiting_thread_does_not_stop_the_others(void)
{
    int late = -1, word = test_rank, heard = -1;
    pthread_t waiter;
    CHECK(!pthread_create(&waiter, NULL, wait_for_late_message, &late), "no second thread");
    test_sleep_ms(20);
    for (int i = 0; i < 100; i++)
        TRY(MPI_Sendrecv(&word, 1, MPI_INT, peer, TAG, &heard, 1, MPI_INT, peer, TAG,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    TRY(MPI_Send(&heard, 1, MPI_INT, peer, TAG - 1, MPI_COMM_WORLD));
    pthread_join(waiter, NULL);
    CHECK(late == test_rank, "the late message says %d; must be %d", late, test_rank);
}

/* Threads of one rank exchange messages through MPI. */
static void *answer(void *argument)
{
    (void)argument;
    for (int i = 0; i < 200; i++) {
        int number = -1;
        TRY(MPI_Recv(&number, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE));
        number++;
        TRY(MPI_Send(&number, 1, MPI_INT, 0, 2, MPI_COMM_SELF));
    }
    return NULL;
}

static void threads_of_one_rank(void)
{
    pthread_t other;
    CHECK(!pthread_create(&other, NULL, answer, NULL), "no second thread");
    for (int i = 0; i < 200; i++) {
        int back = -1;
        TRY(MPI_Send(&i, 1, MPI_INT, 0, 1, MPI_COMM_SELF));
        TRY(MPI_Recv(&back, 1, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE));
        CHECK(back == i + 1, "%d comes back as %d", i, back);
    }
    pthread_join(other, NULL);
}

int main(int argc, char **argv)
{
    int provided = -1;
    struct job shared[THREADS], own[THREADS];
    TRY(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    test_know_ranks();
    CHECK(provided == MPI_THREAD_MULTIPLE, "MPI_THREAD_MULTIPLE is not provided, but %d", provided);
    CHECK(test_size % 2 == 0, "%d ranks; they must form pairs", test_size);
    peer = test_rank ^ 1;
    for (int t = 0; t < THREADS; t++) {
        shared[t] = (struct job){t, MPI_COMM_WORLD, test_alloc(BIG_BYTES), test_alloc(BIG_BYTES)};
        own[t] = shared[t];
        TRY(MPI_Comm_dup(MPI_COMM_WORLD, &own[t].comm));
    }
    run_threads(ping_pong, shared);
    run_threads(ping_pong, own);
    run_threads(exchange, shared);
    run_threads(exchange, own);
    run_threads(reduce, own);
    a_waiting_thread_does_not_stop_the_others();
    threads_of_one_rank();
    for (int t = 0; t < THREADS; t++) {
        TRY(MPI_Comm_free(&own[t].comm));
        free(shared[t].out);
        free(shared[t].in);
    }
    test_finish();
    return 0;
}
