/* Targets that come and go: each rank computes, waits in MPI, or operates on the others, in turns
 * drawn from a seed. Short operations on memory that is not mapped are messages while the target
 * is in MPI, and the origin takes them back when it is not: each must be done once, those of one
 * origin in its order, and what was fetched must be there after a flush.
 *
 * SEED=N repeats a run. */
/* ranks: 1 2 3 4 8 */
/* timeout: 120 */
#include "window_kinds.h"

enum { TURNS = 1500, OPERATIONS_MAX = 40, COMPUTE_US_MAX = 60, BLOCK = 2048 };
enum { TICKETS_MAX = TURNS * OPERATIONS_MAX };
/* Elements of a part: three counters, then what each origin has for itself. */
enum { TICKETS, SUM, SWAPS, OWN };
enum { OWN_WORD = BLOCK, OWN_COUNTED, OWN_SUMS, OWN_ELEMENTS = OWN_SUMS + BLOCK };

static struct window w;
static int64_t block[BLOCK], seen[BLOCK], put_last[64], replaced_last[64], counted[64];
static int64_t added[64][BLOCK];
static int64_t sums, swaps;
static int64_t *tickets, ticket_count;
static const int LENGTHS[] = {1, 3, 64, 128, 512, BLOCK};

static MPI_Aint own(int target, MPI_Aint i)
{
    return window_place(&w, target, OWN + (MPI_Aint)w.rank * OWN_ELEMENTS + i);
}

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* Without a call of MPI. */
static void compute(double us)
{
    for (double until = now_us() + us; now_us() < until;) {
    }
}

static void wait_in_mpi(double us)
{
    int flag;
    for (double until = now_us() + us; now_us() < until;)
        TRY(MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
}

static int length(void)
{
    return LENGTHS[window_random(sizeof LENGTHS / sizeof *LENGTHS)];
}

static void flush(int target)
{
    switch (window_random(3)) {
    case 0: TRY(MPI_Win_flush_all(w.win)); break;
    default: TRY(MPI_Win_flush(target, w.win)); break;
    }
}

/* What was put is there after a flush, and a get brings it. */
static void put_and_get(int target)
{
    int n = length();
    int64_t number = ++put_last[target];
    for (int i = 0; i < n; i++) block[i] = number * BLOCK + i;
    TRY(MPI_Put(block, n, MPI_INT64_T, target, own(target, 0), n, MPI_INT64_T, w.win));
    flush(target);
    TRY(MPI_Get(seen, n, MPI_INT64_T, target, own(target, 0), n, MPI_INT64_T, w.win));
    if (window_random(2))
        TRY(MPI_Win_flush_local(target, w.win));
    else
        flush(target);
    for (int i = 0; i < n; i++)
        CHECK(seen[i] == block[i], "seed %lu: element %d of %d is %lld, not %lld", window_seed, i,
              n, (long long)seen[i], (long long)block[i]);
}

/* Accumulates of one origin on one word are in its order without a flush. */
static void replace_and_read(int target)
{
    int64_t value = 0, last = replaced_last[target], next = last + 1;
    MPI_Aint at = own(target, OWN_WORD);
    TRY(MPI_Accumulate(&next, 1, MPI_INT64_T, target, at, 1, MPI_INT64_T, MPI_REPLACE, w.win));
    replaced_last[target] = next;
    TRY(MPI_Fetch_and_op(NULL, &value, MPI_INT64_T, target, at, MPI_NO_OP, w.win));
    flush(target);
    CHECK(value == next, "seed %lu: %lld after %lld was replaced by %lld", window_seed,
          (long long)value, (long long)last, (long long)next);
}

static void take_tickets(int target)
{
    int64_t one = 1, got[OPERATIONS_MAX];
    int n = 1 + (int)window_random(OPERATIONS_MAX);
    for (int i = 0; i < n; i++)
        TRY(MPI_Fetch_and_op(&one, &got[i], MPI_INT64_T, target, window_place(&w, target, TICKETS),
                             MPI_SUM, w.win));
    flush(target);
    if (target != 0)
        return;
    for (int i = 0; i < n; i++) {
        CHECK(i == 0 || got[i] > got[i - 1], "seed %lu: ticket %lld after %lld", window_seed,
              (long long)got[i], (long long)got[i - 1]);
        CHECK(ticket_count < TICKETS_MAX, "too many tickets");
        tickets[ticket_count++] = got[i];
    }
}

static void add(int target)
{
    int n = length();
    int64_t ones[OPERATIONS_MAX];
    for (int i = 0; i < OPERATIONS_MAX; i++) ones[i] = 1;
    for (int i = 0; i < BLOCK; i++) block[i] = 0;
    int times = 1 + (int)window_random(OPERATIONS_MAX);
    for (int i = 0; i < times; i++)
        TRY(MPI_Accumulate(&ones[i], 1, MPI_INT64_T, 0, window_place(&w, 0, SUM), 1, MPI_INT64_T,
                           MPI_SUM, w.win));
    sums += times;
    TRY(MPI_Accumulate(ones, 1, MPI_INT64_T, target, own(target, OWN_COUNTED), 1, MPI_INT64_T,
                       MPI_SUM, w.win));
    counted[target]++;
    /* Of zeros: it changes nothing, but goes its way. */
    TRY(MPI_Get_accumulate(block, n, MPI_INT64_T, seen, n, MPI_INT64_T, target, own(target, 0), n,
                           MPI_INT64_T, MPI_SUM, w.win));
    flush(target);
    flush(0);
}

/* The buffer of an accumulate may be used again after a local flush, or when its request is
 * complete. */
static void add_block(int target)
{
    int n = length(), times = 1 + (int)window_random(3);
    MPI_Aint at = own(target, OWN_SUMS);
    for (int t = 0; t < times; t++) {
        for (int i = 0; i < n; i++) added[target][i] += block[i] = (int)window_random(100);
        if (window_random(2)) {
            MPI_Request request;
            TRY(MPI_Raccumulate(block, n, MPI_INT64_T, target, at, n, MPI_INT64_T, MPI_SUM, w.win,
                                &request));
            TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
        } else {
            TRY(MPI_Accumulate(block, n, MPI_INT64_T, target, at, n, MPI_INT64_T, MPI_SUM, w.win));
            TRY(MPI_Win_flush_local(target, w.win));
        }
    }
    flush(target);
    TRY(MPI_Get(seen, BLOCK, MPI_INT64_T, target, at, BLOCK, MPI_INT64_T, w.win));
    flush(target);
    for (int i = 0; i < BLOCK; i++)
        CHECK(seen[i] == added[target][i], "seed %lu: sum %d of %d is %lld, not %lld", window_seed,
              i, n, (long long)seen[i], (long long)added[target][i]);
}

static void swap(void)
{
    int64_t expected = 0, found, next;
    for (;;) {
        next = expected + 1;
        TRY(MPI_Compare_and_swap(&next, &expected, &found, MPI_INT64_T, 0,
                                 window_place(&w, 0, SWAPS), w.win));
        flush(0);
        if (found == expected)
            break;
        expected = found;
    }
    swaps++;
}

static void operate(int target)
{
    switch (window_random(6)) {
    case 0: put_and_get(target); break;
    case 1: replace_and_read(target); break;
    case 2: take_tickets(target); break;
    case 3: add(target); break;
    case 4: add_block(target); break;
    default: swap(); break;
    }
}

static void check_tickets(void)
{
    int counts[64], starts[64], count = (int)ticket_count, all = 0;
    TRY(MPI_Gather(&count, 1, MPI_INT, counts, 1, MPI_INT, 0, MPI_COMM_WORLD));
    for (int i = 0; test_rank == 0 && i < test_size; i++) {
        starts[i] = all;
        all += counts[i];
    }
    int64_t *taken = test_rank == 0 ? test_alloc(sizeof *taken * (size_t)(all + 1)) : NULL;
    bool *has = test_rank == 0 ? calloc((size_t)all + 1, sizeof *has) : NULL;
    TRY(MPI_Gatherv(tickets, count, MPI_INT64_T, taken, counts, starts, MPI_INT64_T, 0,
                    MPI_COMM_WORLD));
    for (int i = 0; i < all; i++) {
        CHECK(taken[i] >= 0 && taken[i] < all && !has[taken[i]],
              "seed %lu: ticket %lld of %d was taken twice, or does not exist", window_seed,
              (long long)taken[i], all);
        has[taken[i]] = true;
    }
    free(taken);
    free(has);
}

/* The counters of this rank's part are what all ranks have added. */
static void check_counters(void)
{
    int64_t mine[2] = {sums, swaps}, all[2], of_me[64];
    TRY(MPI_Allreduce(mine, all, 2, MPI_INT64_T, MPI_SUM, w.comm));
    TRY(MPI_Alltoall(counted, 1, MPI_INT64_T, of_me, 1, MPI_INT64_T, w.comm));
    TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, w.rank, 0, w.win));
    const int64_t *memory = w.memory;
    if (w.rank == 0)
        CHECK(memory[SUM] == all[0] && memory[SWAPS] == all[1],
              "seed %lu: sum %lld of %lld, swaps %lld of %lld", window_seed,
              (long long)memory[SUM], (long long)all[0], (long long)memory[SWAPS],
              (long long)all[1]);
    for (int i = 0; i < w.size; i++) {
        int64_t found = memory[OWN + i * OWN_ELEMENTS + OWN_COUNTED];
        CHECK(found == of_me[i], "seed %lu: %lld of %lld from rank %d", window_seed,
              (long long)found, (long long)of_me[i], i);
    }
    TRY(MPI_Win_unlock(w.rank, w.win));
}

static void run(enum window_kind kind)
{
    window_make(&w, kind, OWN + (MPI_Aint)test_size * OWN_ELEMENTS, sizeof *block);
    sums = swaps = ticket_count = 0;
    memset(put_last, 0, sizeof put_last);
    memset(replaced_last, 0, sizeof replaced_last);
    memset(counted, 0, sizeof counted);
    memset(added, 0, sizeof added);
    TRY(MPI_Win_lock_all(0, w.win));
    for (int turn = 0; turn < TURNS; turn++) {
        switch (window_random(4)) {
        case 0: compute(window_random(COMPUTE_US_MAX)); break;
        case 1: wait_in_mpi(window_random(COMPUTE_US_MAX)); break;
        default: operate((int)window_random((unsigned)w.size)); break;
        }
    }
    TRY(MPI_Win_unlock_all(w.win));
    TRY(MPI_Barrier(w.comm));
    check_counters();
    check_tickets();
    window_free(&w);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    window_start_random();
    CHECK(test_size <= 64, "at most 64 ranks");
    tickets = test_alloc(sizeof *tickets * TICKETS_MAX);
    static const enum window_kind KINDS[] = {WINDOW_CREATED, WINDOW_DYNAMIC, WINDOW_ALLOCATED};
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) run(KINDS[i]);
    free(tickets);
    test_finish();
}
