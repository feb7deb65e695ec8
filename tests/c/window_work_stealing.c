/* Work stealing: each rank has a deque of tasks in a window and takes from its end; a rank without
 * tasks steals from the beginning of another's. Tasks make further tasks, and every task is done
 * exactly once. The argument says what guards a deque: `lock` MPI_Win_lock, `swap` a word in the
 * window that MPI_Compare_and_swap changes. With `killed` as a further argument the last rank kills
 * itself within a guard. SEED=N repeats the choice of victims. */
/* ranks: 1 2 3 4 8 */
/* args: lock */
/* args: swap */
/* timeout: 120 */
#include "window_kinds.h"

#include <signal.h>

enum { TASKS = 400, CHILDREN_MAX = 3, LOOKS_BEFORE_DEATH = 5 };

/* The elements of a deque: its guard, the indices of its ends, and its tasks. */
enum { GUARD, FIRST, END, SLOTS };

static struct window deques, counts;
static bool is_by_lock, is_killed;
static int done_here, looks;

/* Operations on a deque are within the guard, so they need not be atomic. */
static int64_t get(int of, int64_t element)
{
    int64_t value = -1;
    TRY(MPI_Get(&value, 1, MPI_INT64_T, of, window_place(&deques, of, element), 1, MPI_INT64_T,
                deques.win));
    TRY(MPI_Win_flush(of, deques.win));
    return value;
}

static void put(int of, int64_t element, int64_t value)
{
    TRY(MPI_Put(&value, 1, MPI_INT64_T, of, window_place(&deques, of, element), 1, MPI_INT64_T,
                deques.win));
    TRY(MPI_Win_flush(of, deques.win));
}

static bool swap_guard(int of, int64_t before, int64_t after)
{
    int64_t seen = -1;
    TRY(MPI_Compare_and_swap(&after, &before, &seen, MPI_INT64_T, of,
                             window_place(&deques, of, GUARD), deques.win));
    TRY(MPI_Win_flush(of, deques.win));
    return seen == before;
}

static void enter(int of)
{
    if (is_by_lock)
        TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, of, 0, deques.win));
    else
        while (!swap_guard(of, 0, deques.rank + 1))
            ;
}

static void leave(int of)
{
    if (is_by_lock)
        TRY(MPI_Win_unlock(of, deques.win));
    else
        CHECK(swap_guard(of, deques.rank + 1, 0), "another rank has passed the guard of rank %d",
              of);
}

/* Takes a task from the end of the own deque or from the beginning of another; -1: it is empty. */
static int64_t take(int of)
{
    int64_t task = -1;
    enter(of);
    if (is_killed && test_rank == test_size - 1 && ++looks == LOOKS_BEFORE_DEATH)
        raise(SIGKILL);
    int64_t first = get(of, FIRST), end = get(of, END);
    if (first < end && of == deques.rank) {
        task = get(of, SLOTS + end - 1);
        put(of, END, end - 1);
    } else if (first < end) {
        task = get(of, SLOTS + first);
        put(of, FIRST, first + 1);
    }
    leave(of);
    CHECK(task >= -1 && task < TASKS, "task %lld in the deque of rank %d", (long long)task, of);
    return task;
}

static void append(int64_t task)
{
    int me = deques.rank;
    enter(me);
    int64_t end = get(me, END);
    CHECK(end < TASKS, "a deque of %lld tasks", (long long)end);
    put(me, SLOTS + end, task);
    put(me, END, end + 1);
    leave(me);
}

/* Adds to the number of open tasks; returns what it was before. */
static int64_t count_open(int64_t added)
{
    int64_t before;
    TRY(MPI_Fetch_and_op(&added, &before, MPI_INT64_T, 0, window_place(&counts, 0, TASKS),
                         added ? MPI_SUM : MPI_NO_OP, counts.win));
    TRY(MPI_Win_flush(0, counts.win));
    return before;
}

/* A task counts that it was done, and makes those whose numbers follow from its own. */
static void do_task(int64_t task)
{
    int64_t one = 1;
    int at = (int)(task % counts.size);
    TRY(MPI_Accumulate(&one, 1, MPI_INT64_T, at, window_place(&counts, at, task), 1, MPI_INT64_T,
                       MPI_SUM, counts.win));
    int64_t first = CHILDREN_MAX * task + 1, end = first + CHILDREN_MAX;
    end = end < TASKS ? end : TASKS;
    count_open((end > first ? end - first : 0) - 1);
    for (int64_t child = first; child < end; child++)
        append(child);
    done_here++;
}

static void work(void)
{
    while (count_open(0) > 0) {
        int64_t task = take(deques.rank);
        if (task < 0)
            task = take((int)window_random((unsigned)deques.size));
        if (task >= 0)
            do_task(task);
    }
}

static void check_counts(void)
{
    const int64_t *mine = counts.memory;
    for (int task = counts.rank; task < TASKS; task += counts.size)
        CHECK(mine[task] == 1, "%s, SEED=%lu: task %d was done %lld times",
              window_kind_names[counts.kind], window_seed, task, (long long)mine[task]);
    int all;
    TRY(MPI_Allreduce(&done_here, &all, 1, MPI_INT, MPI_SUM, counts.comm));
    CHECK(all == TASKS, "%s, SEED=%lu: %d tasks were done", window_kind_names[counts.kind],
          window_seed, all);
}

static void run(enum window_kind kind)
{
    window_make(&deques, kind, SLOTS + TASKS, sizeof(int64_t));
    window_make(&counts, kind, TASKS + 1, sizeof(int64_t));
    done_here = 0;
    if (counts.rank == 0)
        ((int64_t *)counts.memory)[TASKS] = 1;
    TRY(MPI_Barrier(counts.comm));
    TRY(MPI_Win_lock_all(0, counts.win));
    if (!is_by_lock)
        TRY(MPI_Win_lock_all(0, deques.win));
    if (deques.rank == 0)
        append(0);
    work();
    if (!is_by_lock)
        TRY(MPI_Win_unlock_all(deques.win));
    TRY(MPI_Win_unlock_all(counts.win));
    TRY(MPI_Barrier(counts.comm));
    check_counts();
    window_free(&counts);
    window_free(&deques);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    CHECK(argc > 1, "the argument is lock or swap");
    is_by_lock = strcmp(argv[1], "lock") == 0;
    is_killed = argc > 2;
    window_start_random();
    for (int kind = 0; kind < WINDOW_KINDS; kind++)
        run(kind);
    test_finish();
}
