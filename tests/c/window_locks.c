/* Locks keep others out: what ranks do under exclusive locks by gets and puts is not atomic, and
 * still nothing is lost and nobody sees it half done. Locks of several targets and windows at once,
 * a rank's own lock with plain loads and stores, and MPI_MODE_NOCHECK. SEED=N repeats a run. */
/* ranks: 1 2 3 4 8 */
/* timeout: 180 */
#include "window_kinds.h"

enum { SECTIONS = 2000, TRANSFERS = 60, TURNS = 40, START = 1000 };

/* The elements of a window. */
enum { COUNTER, SHADOW, ACCOUNT, TURN, FIELDS };

static struct window window;

static int64_t get(int target, int field)
{
    int64_t value = -1;
    TRY(MPI_Get(&value, 1, MPI_INT64_T, target, window_place(&window, target, field), 1,
                MPI_INT64_T, window.win));
    TRY(MPI_Win_flush_local(target, window.win));
    return value;
}

static void put(int target, int field, const int64_t *value)
{
    TRY(MPI_Put(value, 1, MPI_INT64_T, target, window_place(&window, target, field), 1,
                MPI_INT64_T, window.win));
}

/* The total of an element over all ranks. */
static int64_t total(int field)
{
    int64_t mine, all;
    TRY(MPI_Barrier(window.comm));
    TRY(MPI_Win_lock(MPI_LOCK_SHARED, window.rank, 0, window.win));
    mine = ((int64_t *)window.memory)[field];
    TRY(MPI_Win_unlock(window.rank, window.win));
    TRY(MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, window.comm));
    return all;
}

static int sections(void)
{
    return SECTIONS / window.size / 4;
}

/* Counts up, and the shadow after it; both by a get, a flush and a put. */
static void increment(int target)
{
    int64_t next, shadow;
    TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, window.win));
    next = get(target, COUNTER) + 1;
    put(target, COUNTER, &next);
    if (window_random(2))
        TRY(MPI_Win_flush(target, window.win));
    shadow = get(target, SHADOW) + 1;
    CHECK(next == shadow, "%s, SEED=%lu: the counter of rank %d will be %lld, its shadow %lld",
          window_kind_names[window.kind], window_seed, target, (long long)next,
          (long long)shadow);
    put(target, SHADOW, &shadow);
    TRY(MPI_Win_unlock(target, window.win));
}

/* Counts up this rank's own elements by loads and stores, which its lock allows. */
static void increment_own(void)
{
    volatile int64_t *mine = window.memory;
    TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, window.rank, 0, window.win));
    CHECK(mine[COUNTER] == mine[SHADOW], "%s, SEED=%lu: the own counter is %lld, its shadow %lld",
          window_kind_names[window.kind], window_seed, (long long)mine[COUNTER],
          (long long)mine[SHADOW]);
    mine[COUNTER]++;
    mine[SHADOW]++;
    TRY(MPI_Win_unlock(window.rank, window.win));
}

/* A reader: nobody changes the two while it looks. */
static void look(int target)
{
    TRY(MPI_Win_lock(MPI_LOCK_SHARED, target, 0, window.win));
    int64_t counter = get(target, COUNTER), shadow = get(target, SHADOW);
    CHECK(counter == shadow, "%s, SEED=%lu: a reader sees %lld and %lld at rank %d",
          window_kind_names[window.kind], window_seed, (long long)counter, (long long)shadow,
          target);
    TRY(MPI_Win_unlock(target, window.win));
}

static void critical_sections(void)
{
    int64_t done = 0, all;
    for (int i = 0; i < sections(); i++) {
        int target = window_random(2) ? 0 : (int)window_random((unsigned)window.size);
        switch (window_random(4)) {
        case 0:
            look(target);
            break;
        case 1:
            increment_own();
            done++;
            break;
        default:
            increment(target);
            done++;
        }
    }
    TRY(MPI_Allreduce(&done, &all, 1, MPI_INT64_T, MPI_SUM, window.comm));
    int64_t counted = total(COUNTER), shadows = total(SHADOW);
    CHECK(counted == all && shadows == all, "%s, SEED=%lu: %lld increments made %lld and %lld",
          window_kind_names[window.kind], window_seed, (long long)all, (long long)counted,
          (long long)shadows);
}

/* Moves an amount between the accounts of two ranks, whose locks it holds both. */
static void transfer(int from, int to, int64_t amount)
{
    int low = from < to ? from : to, high = from < to ? to : from;
    TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, low, 0, window.win));
    TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, high, 0, window.win));
    int64_t source = get(from, ACCOUNT) - amount, sink = get(to, ACCOUNT) + amount;
    put(from, ACCOUNT, &source);
    put(to, ACCOUNT, &sink);
    TRY(MPI_Win_unlock(low, window.win));
    TRY(MPI_Win_unlock(high, window.win));
}

static void accounts(void)
{
    int64_t start = START;
    TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, window.rank, 0, window.win));
    put(window.rank, ACCOUNT, &start);
    TRY(MPI_Win_unlock(window.rank, window.win));
    TRY(MPI_Barrier(window.comm));
    for (int i = 0; i < TRANSFERS / window.size && window.size > 1; i++) {
        int from = (int)window_random((unsigned)window.size);
        int to = (from + 1 + (int)window_random((unsigned)window.size - 1)) % window.size;
        transfer(from, to, 1 + window_random(50));
    }
    int64_t sum = total(ACCOUNT);
    CHECK(sum == (int64_t)START * window.size, "%s, SEED=%lu: the accounts add up to %lld",
          window_kind_names[window.kind], window_seed, (long long)sum);
}

/* Ranks take turns by messages, so that locks need not be asked for. */
static void promised_turns(void)
{
    int next = (window.rank + 1) % window.size;
    int before = (window.rank + window.size - 1) % window.size;
    for (int i = 0; i < TURNS; i++) {
        if (window.size > 1 && (i > 0 || window.rank > 0))
            TRY(MPI_Recv(NULL, 0, MPI_BYTE, before, 5, window.comm, MPI_STATUS_IGNORE));
        TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, MPI_MODE_NOCHECK, window.win));
        int64_t turn = get(0, TURN);
        CHECK(turn == (int64_t)i * window.size + window.rank, "%s: turn %d of rank %d finds %lld",
              window_kind_names[window.kind], i, window.rank, (long long)turn);
        turn++;
        put(0, TURN, &turn);
        TRY(MPI_Win_unlock(0, window.win));
        if (window.size > 1 && (i < TURNS - 1 || window.rank < window.size - 1))
            TRY(MPI_Send(NULL, 0, MPI_BYTE, next, 5, window.comm));
    }
    int64_t turns = total(TURN);
    CHECK(turns == (int64_t)TURNS * window.size, "%s: %lld turns",
          window_kind_names[window.kind], (long long)turns);
}

/* Sections under the lock of one window change the memory of another, which is always open. */
static void lock_of_another(enum window_kind kind)
{
    struct window other;
    int64_t next;
    window_make(&other, kind, 1, sizeof(int64_t));
    TRY(MPI_Win_lock_all(0, other.win));
    for (int i = 0; i < sections() / 2; i++) {
        TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window.win));
        TRY(MPI_Get(&next, 1, MPI_INT64_T, 0, window_place(&other, 0, 0), 1, MPI_INT64_T,
                    other.win));
        TRY(MPI_Win_flush(0, other.win));
        next++;
        TRY(MPI_Put(&next, 1, MPI_INT64_T, 0, window_place(&other, 0, 0), 1, MPI_INT64_T,
                    other.win));
        TRY(MPI_Win_flush(0, other.win));
        TRY(MPI_Win_unlock(0, window.win));
    }
    TRY(MPI_Barrier(other.comm));
    TRY(MPI_Get(&next, 1, MPI_INT64_T, 0, window_place(&other, 0, 0), 1, MPI_INT64_T, other.win));
    TRY(MPI_Win_unlock_all(other.win));
    CHECK(next == (int64_t)(sections() / 2) * other.size, "%s: %lld sections were counted",
          window_kind_names[kind], (long long)next);
    window_free(&other);
}

/* Shared locks of lock_all and exclusive ones keep each other out too. */
static void all_or_one(void)
{
    TRY(MPI_Barrier(window.comm));
    for (int i = 0; i < TURNS / 2; i++) {
        if (window_random(2)) {
            increment((int)window_random((unsigned)window.size));
            continue;
        }
        TRY(MPI_Win_lock_all(0, window.win));
        for (int target = 0; target < window.size; target++) {
            int64_t counter = get(target, COUNTER), shadow = get(target, SHADOW);
            CHECK(counter == shadow, "%s, SEED=%lu: lock_all sees %lld and %lld at rank %d",
                  window_kind_names[window.kind], window_seed, (long long)counter,
                  (long long)shadow, target);
        }
        TRY(MPI_Win_unlock_all(window.win));
    }
    TRY(MPI_Barrier(window.comm));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    window_start_random();
    for (int kind = 0; kind < WINDOW_KINDS; kind++) {
        window_make(&window, kind, FIELDS, sizeof(int64_t));
        critical_sections();
        accounts();
        promised_turns();
        all_or_one();
        lock_of_another(kind);
        window_free(&window);
    }
    test_finish();
}
