/* Many threads fill the partitions of one message at once and say so, one by one, by ranges and by
 * lists, while others wait for the request or ask for partitions; every partition that is said to
 * be there has its data. */
/* ranks: 1 2 */
/* args: 8 300 */
/* args: 64 40 */
/* timeout: 120 */
#include "harness.h"
#include <pthread.h>

enum { TAG = 71, PER_THREAD = 4, EACH = 700 };

static int threads, rounds, parts, next_rank, prev_rank;
static int *out, *in;
static MPI_Request pair[2];
static pthread_barrier_t gate;

static int value(int rank, int round, int i)
{
    return (rank * 31 + round * 7 + 1) * 100000 + i % 100000;
}

/* Partitions `thread`, `thread + threads`, ... of them, or a run of neighbours: by the round. */
static int part_of(int thread, int round, int i)
{
    return round % 2 == 0 ? thread + i * threads : thread * PER_THREAD + i;
}

static void mark(int thread, int round)
{
    int list[PER_THREAD];
    for (int i = 0; i < PER_THREAD; i++) {
        int part = list[i] = part_of(thread, round, i);
        for (int at = part * EACH; at < (part + 1) * EACH; at++)
            out[at] = value(test_rank, round, at);
        if (thread % 3 == 0) TRY(MPI_Pready(part, pair[0]));
    }
    if (thread % 3 == 0) return;
    if (round % 2 == 1 && thread % 3 == 1)
        TRY(MPI_Pready_range(list[0], list[PER_THREAD - 1], pair[0]));
    else
        TRY(MPI_Pready_list(PER_THREAD, list, pair[0]));
}

static void ask(int thread, int round)
{
    for (int i = 0; i < PER_THREAD; i++) {
        int part = part_of(thread, round, i);
        for (int flag = 0; !flag;) TRY(MPI_Parrived(pair[1], part, &flag));
        for (int at = part * EACH; at < (part + 1) * EACH; at++)
            CHECK(in[at] == value(prev_rank, round, at), "round %d, partition %d: element %d is %d",
                  round, part, at, in[at]);
    }
}

static void *work(void *context)
{
    int thread = (int)(intptr_t)context;
    for (int round = 0; round < rounds; round++) {
        pthread_barrier_wait(&gate);
        mark(thread, round);
        /* In every third round nobody asks, so that the wait is all that makes progress. */
        if (round % 3 != 2) ask(thread, round);
        pthread_barrier_wait(&gate);
    }
    return NULL;
}

static void run(void)
{
    pthread_t *team = calloc((size_t)threads, sizeof *team);
    for (int i = 0; i < threads; i++)
        CHECK(pthread_create(&team[i], NULL, work, (void *)(intptr_t)i) == 0, "thread %d", i);
    for (int round = 0; round < rounds; round++) {
        memset(in, 0, (size_t)parts * EACH * sizeof *in);
        TRY(MPI_Startall(2, pair));
        pthread_barrier_wait(&gate);
        /* The wait begins at once, or after all threads are through. */
        if (round % 5 != 4) TRY(MPI_Waitall(2, pair, MPI_STATUSES_IGNORE));
        pthread_barrier_wait(&gate);
        if (round % 5 == 4) TRY(MPI_Waitall(2, pair, MPI_STATUSES_IGNORE));
        for (int i = 0; i < parts * EACH; i++)
            CHECK(in[i] == value(prev_rank, round, i), "round %d: element %d is %d", round, i,
                  in[i]);
    }
    for (int i = 0; i < threads; i++) pthread_join(team[i], NULL);
    free(team);
}

int main(int argc, char **argv)
{
    int provided = 0;
    CHECK(argc == 3, "two arguments: threads and rounds");
    TRY(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    CHECK(provided == MPI_THREAD_MULTIPLE, "the library provides thread level %d", provided);
    TRY(MPI_Comm_rank(MPI_COMM_WORLD, &test_rank));
    TRY(MPI_Comm_size(MPI_COMM_WORLD, &test_size));
    threads = atoi(argv[1]);
    rounds = atoi(argv[2]);
    parts = threads * PER_THREAD;
    next_rank = (test_rank + 1) % test_size;
    prev_rank = (test_rank + test_size - 1) % test_size;
    out = calloc((size_t)parts * EACH, sizeof *out);
    in = calloc((size_t)parts * EACH, sizeof *in);
    pthread_barrier_init(&gate, NULL, (unsigned)threads + 1);
    TRY(MPI_Psend_init(out, parts, EACH, MPI_INT, next_rank, TAG, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &pair[0]));
    TRY(MPI_Precv_init(in, parts, EACH, MPI_INT, prev_rank, TAG, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &pair[1]));
    run();
    TRY(MPI_Request_free(&pair[0]));
    TRY(MPI_Request_free(&pair[1]));
    free(out);
    free(in);
    test_finish();
    return 0;
}
