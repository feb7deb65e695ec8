/* Requests that one thread begins and another ends: waits, tests, cancellation, MPI_Request_free,
 * persistent ones that a third starts, and nonblocking collectives. */
/* ranks: 1 2 3 */
/* timeout: 120 */
#include "threads.h"

enum { PAIRS = 4, ROUNDS = 40, SET = 6, BIG_BYTES = 70000 };
enum { TAG_SET = 100, TAG_CANCEL = 200, TAG_FREE = 300, TAG_PERSISTENT = 400 };

static int left, right;

/* What one thread hands to the next; each barrier is passed by both. */
struct pair {
    pthread_barrier_t turn;
    int number;
    MPI_Comm comm;
    MPI_Request requests[2 * SET];
    int in[SET], out[SET];
};

static void hand_over(struct pair *pair)
{
    pthread_barrier_wait(&pair->turn);
}

/* Runs `first` and `second` in two threads for each pair, all at once. */
static void run_pairs(struct pair *pairs, void *(*first)(void *), void *(*second)(void *))
{
    struct threads ones, others;
    threads_begin(&ones, PAIRS, first, pairs, sizeof *pairs);
    threads_begin(&others, PAIRS, second, pairs, sizeof *pairs);
    threads_join(&ones);
    threads_join(&others);
    TRY(MPI_Barrier(MPI_COMM_WORLD));
}

static void *begin_sets(void *argument)
{
    struct pair *pair = argument;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < SET; i++) {
            pair->in[i] = -1, pair->out[i] = test_rank * 1000 + round * SET + i;
            TRY(MPI_Irecv(&pair->in[i], 1, MPI_INT, left, TAG_SET + pair->number, MPI_COMM_WORLD,
                          &pair->requests[i]));
        }
        for (int i = 0; i < SET; i++)
            TRY(MPI_Isend(&pair->out[i], 1, MPI_INT, right, TAG_SET + pair->number, MPI_COMM_WORLD,
                          &pair->requests[SET + i]));
        hand_over(pair);
        hand_over(pair);
    }
    return NULL;
}

/* Ends all of a set, in another way in each round. */
static void end_set(MPI_Request *requests, int round)
{
    int done = 0, flag = 0, which[2 * SET];
    for (int open = 2 * SET; round % 4 == 0 && open > 0; open--) {
        TRY(MPI_Waitany(2 * SET, requests, &which[0], MPI_STATUS_IGNORE));
        CHECK(which[0] >= 0 && which[0] < 2 * SET, "MPI_Waitany says %d", which[0]);
    }
    for (int open = 2 * SET; round % 4 == 1 && open > 0; open -= done)
        TRY(MPI_Testsome(2 * SET, requests, &done, which, MPI_STATUSES_IGNORE));
    while (round % 4 == 2 && !flag)
        TRY(MPI_Testall(2 * SET, requests, &flag, MPI_STATUSES_IGNORE));
    for (int open = 2 * SET; round % 4 == 3 && open > 0; open -= flag)
        TRY(MPI_Testany(2 * SET, requests, &which[0], &flag, MPI_STATUS_IGNORE));
    for (int i = 0; i < 2 * SET; i++)
        CHECK(requests[i] == MPI_REQUEST_NULL, "round %d: request %d is still there", round, i);
}

static void *end_sets(void *argument)
{
    struct pair *pair = argument;
    for (int round = 0; round < ROUNDS; round++) {
        hand_over(pair);
        end_set(pair->requests, round);
        for (int i = 0; i < SET; i++) {
            int wanted = left * 1000 + round * SET + i;
            CHECK(pair->in[i] == wanted, "pair %d, round %d: message %d says %d; it must say %d",
                  pair->number, round, i, pair->in[i], wanted);
        }
        hand_over(pair);
    }
    return NULL;
}

/* Begins a receive of a message that nobody sends and waits for it, or leaves that to the other. */
static void *begin_receives(void *argument)
{
    struct pair *pair = argument;
    for (int round = 0; round < ROUNDS; round++) {
        int cancelled = 0;
        MPI_Request mine;
        MPI_Status status;
        TRY(MPI_Irecv(pair->in, 1, MPI_INT, left, TAG_CANCEL + pair->number, MPI_COMM_WORLD,
                      &mine));
        pair->requests[0] = mine;
        hand_over(pair);
        if (round % 2 == 0) {
            TRY(MPI_Wait(&mine, &status));
            TRY(MPI_Test_cancelled(&status, &cancelled));
            CHECK(cancelled, "round %d: a receive that another thread cancelled is not", round);
        }
        hand_over(pair);
    }
    return NULL;
}

static void *cancel_receives(void *argument)
{
    struct pair *pair = argument;
    for (int round = 0; round < ROUNDS; round++) {
        int cancelled = 0;
        MPI_Status status;
        hand_over(pair);
        TRY(MPI_Cancel(&pair->requests[0]));
        if (round % 4 == 1) {
            TRY(MPI_Wait(&pair->requests[0], &status));
            TRY(MPI_Test_cancelled(&status, &cancelled));
            CHECK(cancelled, "round %d: a receive of another thread is not cancelled", round);
        } else if (round % 4 == 3) {
            TRY(MPI_Request_free(&pair->requests[0]));
        }
        hand_over(pair);
    }
    return NULL;
}

/* Sends whose requests another thread frees; the messages arrive nonetheless. */
static void *begin_sends(void *argument)
{
    struct pair *pair = argument;
    unsigned char *out = test_alloc(BIG_BYTES), *in = test_alloc(BIG_BYTES);
    for (int round = 0; round < ROUNDS; round++) {
        int bytes = round % 2 ? BIG_BYTES : round, tag = TAG_FREE + pair->number;
        test_fill(out, (size_t)bytes, (unsigned)(test_rank + round));
        TRY(MPI_Isend(out, bytes, MPI_BYTE, right, tag, MPI_COMM_WORLD, &pair->requests[0]));
        hand_over(pair);
        TRY(MPI_Recv(in, BIG_BYTES, MPI_BYTE, left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_FILLED(in, bytes, (unsigned)(left + round), "a send whose request was freed");
        /* The neighbour has what is in `out`, which may change then. That is heard on the same
         * communicator: ThreadSanitizer sees locks here, not what the neighbour did in between. */
        TRY(MPI_Sendrecv(NULL, 0, MPI_BYTE, left, tag + PAIRS, NULL, 0, MPI_BYTE, right,
                         tag + PAIRS, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        hand_over(pair);
    }
    free(out);
    free(in);
    return NULL;
}

static void *free_requests(void *argument)
{
    struct pair *pair = argument;
    for (int round = 0; round < ROUNDS; round++) {
        hand_over(pair);
        TRY(MPI_Request_free(&pair->requests[0]));
        CHECK(pair->requests[0] == MPI_REQUEST_NULL, "a freed request is not null");
        hand_over(pair);
    }
    return NULL;
}

/* Persistent requests that the main thread has made: one thread starts them, another waits. */
static void *start_persistent(void *argument)
{
    struct pair *pair = argument;
    for (int round = 0; round < ROUNDS; round++) {
        pair->out[0] = test_rank * 1000 + round, pair->in[0] = -1;
        TRY(MPI_Startall(2, pair->requests));
        hand_over(pair);
        hand_over(pair);
    }
    return NULL;
}

static void *wait_for_persistent(void *argument)
{
    struct pair *pair = argument;
    for (int round = 0; round < ROUNDS; round++) {
        hand_over(pair);
        TRY(MPI_Waitall(2, pair->requests, MPI_STATUSES_IGNORE));
        CHECK(pair->in[0] == left * 1000 + round, "round %d: a persistent receive got %d", round,
              pair->in[0]);
        hand_over(pair);
    }
    TRY(MPI_Request_free(&pair->requests[0]));
    TRY(MPI_Request_free(&pair->requests[1]));
    return NULL;
}

static void persistent(struct pair *pairs)
{
    for (struct pair *pair = pairs; pair < pairs + PAIRS; pair++) {
        int tag = TAG_PERSISTENT + pair->number;
        TRY(MPI_Recv_init(pair->in, 1, MPI_INT, left, tag, MPI_COMM_WORLD, &pair->requests[0]));
        TRY(MPI_Send_init(pair->out, 1, MPI_INT, right, tag, MPI_COMM_WORLD, &pair->requests[1]));
    }
    run_pairs(pairs, start_persistent, wait_for_persistent);
}

static void *begin_collectives(void *argument)
{
    struct pair *pair = argument;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < 2; i++) {
            pair->out[i] = test_rank + round + i;
            TRY(MPI_Iallreduce(&pair->out[i], &pair->in[i], 1, MPI_INT, MPI_SUM, pair->comm,
                               &pair->requests[i]));
        }
        hand_over(pair);
        hand_over(pair);
    }
    return NULL;
}

static void *end_collectives(void *argument)
{
    struct pair *pair = argument;
    for (int round = 0; round < ROUNDS; round++) {
        hand_over(pair);
        TRY(MPI_Waitall(2, pair->requests, MPI_STATUSES_IGNORE));
        for (int i = 0; i < 2; i++) {
            int wanted = test_size * (test_size - 1) / 2 + test_size * (round + i);
            CHECK(pair->in[i] == wanted, "round %d: the sum is %d; it must be %d", round,
                  pair->in[i], wanted);
        }
        hand_over(pair);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    static struct pair pairs[PAIRS];
    threads_start(&argc, &argv);
    right = (test_rank + 1) % test_size;
    left = (test_rank + test_size - 1) % test_size;
    for (int i = 0; i < PAIRS; i++) {
        pairs[i].number = i;
        pthread_barrier_init(&pairs[i].turn, NULL, 2);
        TRY(MPI_Comm_dup(MPI_COMM_WORLD, &pairs[i].comm));
    }
    run_pairs(pairs, begin_sets, end_sets);
    run_pairs(pairs, begin_receives, cancel_receives);
    run_pairs(pairs, begin_sends, free_requests);
    persistent(pairs);
    run_pairs(pairs, begin_collectives, end_collectives);
    for (int i = 0; i < PAIRS; i++) {
        TRY(MPI_Comm_free(&pairs[i].comm));
        pthread_barrier_destroy(&pairs[i].turn);
    }
    test_finish();
    return 0;
}
