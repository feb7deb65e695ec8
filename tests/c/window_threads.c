/* Threads that use one window at once: sums of all threads are exact, requests of one thread do not
 * end those of another, and flushes of one do not lose the results of another. */
/* ranks: 1 2 3 4 */
/* timeout: 120 */
#include "window_kinds.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 100, LENGTH = 50 };

static struct window window;

/* The window: a counter, then a row for each thread of each rank. */
static MPI_Aint row_of(int target, int thread)
{
    return window_place(&window, target, 1 + (window.rank * THREADS + thread) * LENGTH);
}

static void put_and_get(int target, int thread, int round)
{
    int64_t data[LENGTH], got[LENGTH];
    MPI_Request request;
    for (int i = 0; i < LENGTH; i++)
        data[i] = (round * THREADS + thread) * 1000 + i, got[i] = -1;
    TRY(MPI_Put(data, LENGTH, MPI_INT64_T, target, row_of(target, thread), LENGTH, MPI_INT64_T,
                window.win));
    TRY(MPI_Win_flush(target, window.win));
    TRY(MPI_Rget(got, LENGTH, MPI_INT64_T, target, row_of(target, thread), LENGTH, MPI_INT64_T,
                 window.win, &request));
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (int i = 0; i < LENGTH; i++)
        CHECK(got[i] == data[i], "%s: thread %d, round %d: element %d is %lld; it must be %lld",
              window_kind_names[window.kind], thread, round, i, (long long)got[i],
              (long long)data[i]);
}

static void *work(void *number)
{
    int thread = *(int *)number;
    int64_t one = 1, before, last = -1;
    for (int round = 0; round < ROUNDS; round++) {
        TRY(MPI_Fetch_and_op(&one, &before, MPI_INT64_T, 0, window_place(&window, 0, 0), MPI_SUM,
                             window.win));
        TRY(MPI_Win_flush(0, window.win));
        CHECK(before > last && before < (int64_t)ROUNDS * THREADS * window.size,
              "%s: thread %d fetched %lld after %lld", window_kind_names[window.kind], thread,
              (long long)before, (long long)last);
        last = before;
        put_and_get((window.rank + thread + round) % window.size, thread, round);
    }
    return NULL;
}

static void run(enum window_kind kind)
{
    pthread_t threads[THREADS];
    int numbers[THREADS];
    window_make(&window, kind, 1 + test_size * THREADS * LENGTH, sizeof(int64_t));
    TRY(MPI_Win_lock_all(0, window.win));
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        CHECK(pthread_create(&threads[i], NULL, work, &numbers[i]) == 0, "no thread");
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    TRY(MPI_Win_unlock_all(window.win));
    TRY(MPI_Barrier(window.comm));
    int64_t sum = *(int64_t *)window.memory;
    CHECK(window.rank > 0 || sum == (int64_t)ROUNDS * THREADS * window.size, "%s: the sum is %lld",
          window_kind_names[kind], (long long)sum);
    window_free(&window);
}

int main(int argc, char **argv)
{
    int provided;
    TRY(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    test_know_ranks();
    CHECK(provided == MPI_THREAD_MULTIPLE, "the thread level is %d", provided);
    for (int kind = 0; kind < WINDOW_KINDS; kind++)
        run(kind);
    test_finish();
}
