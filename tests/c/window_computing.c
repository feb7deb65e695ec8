/* A target that computes without a call of MPI does not hold up those who work on its window: it
 * computes until it sees in its own memory that all of them have finished. Where memory is not
 * mapped, as in created and dynamic windows, that needs a node whose kernel may copy. */
/* ranks: 2 3 4 */
/* timeout: 120 */
#include "window_kinds.h"

enum { ROUNDS = 200, SUM, LAST, COUNTS, DONE, WORDS };

static struct window w;

static MPI_Aint place(MPI_Aint word)
{
    return window_place(&w, 0, word);
}

/* Every second word of the target, which only the target can hand out in one message: what goes so
 * before must not keep later operations from being done without it. */
static void read_gaps(void)
{
    MPI_Datatype every_second;
    MPI_Request request;
    long seen[2];
    TRY(MPI_Type_vector(2, 1, 2, MPI_LONG, &every_second));
    TRY(MPI_Type_commit(&every_second));
    TRY(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w.win));
    TRY(MPI_Rget(seen, 2, MPI_LONG, 0, place(0), 1, every_second, w.win, &request));
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    TRY(MPI_Win_unlock(0, w.win));
    TRY(MPI_Type_free(&every_second));
}

/* What the others do to the window of rank 0. */
static void work(MPI_Win win)
{
    long one = 1, old = -1, before = -1;
    for (long i = 0; i < ROUNDS; i++) {
        TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
        TRY(MPI_Get(&old, 1, MPI_LONG, 0, place(COUNTS), 1, MPI_LONG, win));
        TRY(MPI_Win_flush(0, win));
        long next = old + 1;
        TRY(MPI_Put(&next, 1, MPI_LONG, 0, place(COUNTS), 1, MPI_LONG, win));
        TRY(MPI_Put(&i, 1, MPI_LONG, 0, place(LAST), 1, MPI_LONG, win));
        TRY(MPI_Win_unlock(0, win));
    }
    TRY(MPI_Win_lock_all(0, win));
    for (long i = 0; i < ROUNDS; i++) {
        TRY(MPI_Fetch_and_op(&one, &old, MPI_LONG, 0, place(SUM), MPI_SUM, win));
        TRY(MPI_Win_flush(0, win));
        CHECK(old > before, "the counter has gone from %ld to %ld", before, old);
        before = old;
    }
    TRY(MPI_Accumulate(&one, 1, MPI_LONG, 0, place(DONE), 1, MPI_LONG, MPI_SUM, win));
    TRY(MPI_Win_unlock_all(win));
}

/* A look at memory that others change meanwhile, which ThreadSanitizer would report. */
__attribute__((noinline, no_sanitize("thread"))) static bool all_done(const volatile long *memory)
{
    return memory[DONE] == test_size - 1;
}

static void run(enum window_kind kind)
{
    window_make(&w, kind, WORDS, sizeof(long));
    long *memory = w.memory;
    long others = test_size - 1, all = others * ROUNDS;
    if (w.rank > 0)
        read_gaps();
    TRY(MPI_Barrier(w.comm));
    if (w.rank > 0)
        work(w.win);
    else
        while (!all_done(memory)) {
        }
    TRY(MPI_Barrier(w.comm));
    if (w.rank == 0) {
        TRY(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w.win));
        CHECK(memory[SUM] == all, "%s: fetch-and-op has counted %ld of %ld",
              window_kind_names[kind], memory[SUM], all);
        CHECK(memory[COUNTS] == all, "%s: under the lock %ld of %ld were counted",
              window_kind_names[kind], memory[COUNTS], all);
        CHECK(memory[LAST] == ROUNDS - 1, "%s: the last number is %ld", window_kind_names[kind],
              memory[LAST]);
        TRY(MPI_Win_unlock(0, w.win));
    }
    window_free(&w);
}

static bool is_set(const char *name, const char *value)
{
    const char *set = getenv(name);
    return set && strcmp(set, value) == 0;
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    bool kernel_copies = !is_set("DUNLIN_CMA", "off") && !is_set("DUNLIN_RMA", "messages");
    run(WINDOW_ALLOCATED);
    if (kernel_copies && window_is_one_host()) {
        run(WINDOW_CREATED);
        run(WINDOW_DYNAMIC);
    }
    test_finish();
}
