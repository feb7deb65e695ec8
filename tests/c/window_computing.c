/* A target that computes without a call of MPI does not hold up those who work on its window: it
 * computes until it sees in its own memory that all of them have finished. */
/* ranks: 2 3 4 */
#include "harness.h"

enum { ROUNDS = 200, SUM, LAST, COUNTS, DONE, WORDS };

/* What the others do to the window of rank 0. */
static void work(MPI_Win win)
{
    long one = 1, old = -1, before = -1;
    for (long i = 0; i < ROUNDS; i++) {
        TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
        TRY(MPI_Get(&old, 1, MPI_LONG, 0, COUNTS, 1, MPI_LONG, win));
        TRY(MPI_Win_flush(0, win));
        long next = old + 1;
        TRY(MPI_Put(&next, 1, MPI_LONG, 0, COUNTS, 1, MPI_LONG, win));
        TRY(MPI_Put(&i, 1, MPI_LONG, 0, LAST, 1, MPI_LONG, win));
        TRY(MPI_Win_unlock(0, win));
    }
    TRY(MPI_Win_lock_all(0, win));
    for (long i = 0; i < ROUNDS; i++) {
        TRY(MPI_Fetch_and_op(&one, &old, MPI_LONG, 0, SUM, MPI_SUM, win));
        TRY(MPI_Win_flush(0, win));
        CHECK(old > before, "the counter has gone from %ld to %ld", before, old);
        before = old;
    }
    TRY(MPI_Accumulate(&one, 1, MPI_LONG, 0, DONE, 1, MPI_LONG, MPI_SUM, win));
    TRY(MPI_Win_unlock_all(win));
}

/* A look at memory that others change meanwhile, which ThreadSanitizer would report. */
__attribute__((noinline, no_sanitize("thread"))) static bool all_done(const volatile long *memory)
{
    return memory[DONE] == test_size - 1;
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    long *memory;
    MPI_Win win;
    TRY(MPI_Win_allocate(WORDS * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD,
                         &memory, &win));
    memset(memory, 0, WORDS * sizeof *memory);
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    long others = test_size - 1, all = others * ROUNDS;
    if (test_rank > 0)
        work(win);
    else
        while (!all_done(memory)) {
        }
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    if (test_rank == 0) {
        TRY(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
        CHECK(memory[SUM] == all, "fetch-and-op has counted %ld of %ld", memory[SUM], all);
        CHECK(memory[COUNTS] == all, "under the lock %ld of %ld were counted", memory[COUNTS], all);
        CHECK(memory[LAST] == ROUNDS - 1, "the last number is %ld", memory[LAST]);
        TRY(MPI_Win_unlock(0, win));
    }
    TRY(MPI_Win_free(&win));
    test_finish();
}
