/* Threads that make, use and free windows at the same time, each from a communicator of its own. */
/* ranks: 1 2 4 */
/* timeout: 120 */
#include "threads.h"

enum { THREADS = 6, ROUNDS = 12, ELEMENTS = 16 };

struct job {
    int thread;
    MPI_Comm comm;
};

static void use_window(MPI_Win win, int *memory, int thread, int round)
{
    int to = (test_rank + 1) % test_size, from = (test_rank + test_size - 1) % test_size;
    int value = test_rank * 1000 + thread * 100 + round, one = 1, before = -1;
    for (int i = 0; i < ELEMENTS; i++)
        memory[i] = 0;
    TRY(MPI_Win_fence(0, win));
    TRY(MPI_Put(&value, 1, MPI_INT, to, 0, 1, MPI_INT, win));
    TRY(MPI_Win_fence(0, win));
    CHECK(memory[0] == from * 1000 + thread * 100 + round, "thread %d, round %d: %d was put",
          thread, round, memory[0]);
    TRY(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    TRY(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    TRY(MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 1, MPI_SUM, win));
    TRY(MPI_Win_unlock(0, win));
    CHECK(before >= 0 && before < test_size, "thread %d fetched %d", thread, before);
}

static void *make_windows(void *argument)
{
    struct job *job = argument;
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Aint bytes = ELEMENTS * sizeof(int);
        int own[ELEMENTS], *memory = own;
        MPI_Win win;
        if (round % 2)
            TRY(MPI_Win_create(own, bytes, sizeof(int), MPI_INFO_NULL, job->comm, &win));
        else
            TRY(MPI_Win_allocate(bytes, sizeof(int), MPI_INFO_NULL, job->comm, &memory, &win));
        use_window(win, memory, job->thread, round);
        TRY(MPI_Win_free(&win));
    }
    return NULL;
}

int main(int argc, char **argv)
{
    struct job jobs[THREADS];
    threads_start(&argc, &argv);
    for (int t = 0; t < THREADS; t++) {
        jobs[t].thread = t;
        TRY(MPI_Comm_dup(MPI_COMM_WORLD, &jobs[t].comm));
    }
    threads_run(THREADS, make_windows, jobs, sizeof *jobs);
    for (int t = 0; t < THREADS; t++)
        TRY(MPI_Comm_free(&jobs[t].comm));
    test_finish();
    return 0;
}
