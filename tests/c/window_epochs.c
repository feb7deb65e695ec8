/* Active epochs: fences with every assertion that holds, and post, start, complete and wait among
 * groups that are drawn anew for each round, so that ranks run ahead of one another. SEED=N repeats
 * a run. With the argument `promise` some rounds use MPI_MODE_NOCHECK. */
/* ranks: 1 2 3 4 8 */
/* args: ask */
/* args: promise */
/* timeout: 180 */
#include "window_kinds.h"

enum { ROUNDS = 60, RANKS_MAX = 16, FENCES = 20, LENGTH = 500 };

static struct window window;
static MPI_Group all;
static bool may_promise;

/* The window has a row of LENGTH for each origin, and one more that its owner writes. */
static int *row(int of)
{
    return (int *)window.memory + of * LENGTH;
}

static int value_of(int round, int origin, int target, int i)
{
    return ((round * 31 + origin) * 37 + target) * 41 + i;
}

/* Every rank draws the same graph: whether `origin` accesses `target` in a round. */
static bool accesses(int round, int origin, int target)
{
    uint64_t pair = (uint64_t)((round * 64 + origin) * 64 + target);
    uint64_t x = window_seed * 0x9e3779b97f4a7c15u + pair;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (x >> 40) % 3 != 0;
}

/* The ranks that this one accesses, or those that access it. */
static MPI_Group partners(int round, bool as_origin)
{
    int ranks[RANKS_MAX], count = 0;
    MPI_Group group;
    for (int peer = 0; peer < window.size; peer++)
        if (as_origin ? accesses(round, window.rank, peer) : accesses(round, peer, window.rank))
            ranks[count++] = peer;
    TRY(MPI_Group_incl(all, count, ranks, &group));
    return group;
}

/* Short and long puts; the owner's row comes back. */
static void access_all(int round, int *sent, int *got)
{
    for (int peer = 0; peer < window.size; peer++) {
        if (!accesses(round, window.rank, peer))
            continue;
        int count = (round + peer) % 3 ? LENGTH : 1;
        int *mine = sent + peer * LENGTH;
        for (int i = 0; i < count; i++)
            mine[i] = value_of(round, window.rank, peer, i);
        if (round % 2)
            TRY(MPI_Put(mine, count, MPI_INT, peer,
                        window_place(&window, peer, window.rank * LENGTH), count, MPI_INT,
                        window.win));
        else
            TRY(MPI_Accumulate(mine, count, MPI_INT, peer,
                               window_place(&window, peer, window.rank * LENGTH), count, MPI_INT,
                               MPI_REPLACE, window.win));
        TRY(MPI_Get(got + peer * LENGTH, LENGTH, MPI_INT, peer,
                    window_place(&window, peer, window.size * LENGTH), LENGTH, MPI_INT,
                    window.win));
    }
}

static void check_got(int round, const int *got)
{
    for (int peer = 0; peer < window.size; peer++)
        for (int i = 0; i < LENGTH && accesses(round, window.rank, peer); i++)
            CHECK(got[peer * LENGTH + i] == value_of(round, peer, peer, i),
                  "%s, SEED=%lu, round %d: element %d of rank %d is %d",
                  window_kind_names[window.kind], window_seed, round, i, peer,
                  got[peer * LENGTH + i]);
}

static void check_exposed(int round)
{
    for (int peer = 0; peer < window.size; peer++) {
        int count = (round + window.rank) % 3 ? LENGTH : 1;
        for (int i = 0; i < count && accesses(round, peer, window.rank); i++)
            CHECK(row(peer)[i] == value_of(round, peer, window.rank, i),
                  "%s, SEED=%lu, round %d: element %d from rank %d is %d",
                  window_kind_names[window.kind], window_seed, round, i, peer, row(peer)[i]);
    }
}

static void wait_for_origins(int round)
{
    int flag = 0;
    if (round % 3 == 0)
        TRY(MPI_Win_wait(window.win));
    while (round % 3 != 0 && !flag)
        TRY(MPI_Win_test(window.win, &flag));
}

/* Every third round is in step, and may promise that posts have come before the starts. */
static void one_round(int round, int *sent, int *got)
{
    MPI_Group to = partners(round, true), from = partners(round, false);
    bool in_step = round % 3 == 2, waits_first = window_random(2);
    int promise = in_step && may_promise ? MPI_MODE_NOCHECK : 0;
    for (int i = 0; i < LENGTH; i++)
        row(window.size)[i] = value_of(round, window.rank, window.rank, i);
    TRY(MPI_Win_post(from, promise, window.win));
    if (in_step)
        TRY(MPI_Barrier(window.comm));
    if (window_random(4) == 0)
        test_sleep_ms(1);
    TRY(MPI_Win_start(to, promise, window.win));
    access_all(round, sent, got);
    TRY(MPI_Win_complete(window.win));
    if (!waits_first)
        check_got(round, got);
    wait_for_origins(round);
    if (waits_first)
        check_got(round, got);
    check_exposed(round);
    TRY(MPI_Group_free(&to));
    TRY(MPI_Group_free(&from));
}

static void groups(void)
{
    size_t bytes = (size_t)(window.size * LENGTH) * sizeof(int);
    int *sent = test_alloc(bytes), *got = test_alloc(bytes);
    for (int round = 0; round < ROUNDS; round++)
        one_round(round, sent, got);
    free(sent);
    free(got);
}

/* Ranks with even numbers only expose, the others only access; the former expose twice, to
 * different origins, while an origin is still in the first epoch. */
static void one_sided_groups(void)
{
    if (window.size < 3)
        return;
    MPI_Group target, first, second;
    int zero = 0, one = 1, two = 2, value = 4711 + window.rank;
    TRY(MPI_Group_incl(all, 1, &zero, &target));
    TRY(MPI_Group_incl(all, 1, &one, &first));
    TRY(MPI_Group_incl(all, 1, &two, &second));
    for (int round = 0; round < 10; round++) {
        if (window.rank == 0) {
            TRY(MPI_Win_post(first, 0, window.win));
            TRY(MPI_Win_wait(window.win));
            CHECK(row(1)[0] == 4712 && (round > 0 || row(2)[0] != 4713),
                  "the first epoch has %d and %d", row(1)[0], row(2)[0]);
            TRY(MPI_Win_post(second, 0, window.win));
            TRY(MPI_Win_wait(window.win));
            CHECK(row(2)[0] == 4713, "the second epoch has %d", row(2)[0]);
        } else if (window.rank < 3) {
            TRY(MPI_Win_start(target, 0, window.win));
            TRY(MPI_Put(&value, 1, MPI_INT, 0, window_place(&window, 0, window.rank * LENGTH), 1,
                        MPI_INT, window.win));
            TRY(MPI_Win_complete(window.win));
        }
    }
    TRY(MPI_Group_free(&target));
    TRY(MPI_Group_free(&first));
    TRY(MPI_Group_free(&second));
    TRY(MPI_Barrier(window.comm));
}

/* Stores, puts and gets between fences, with the assertions that are true of each. */
static void fences(void)
{
    int next = (window.rank + 1) % window.size;
    int before = (window.rank + window.size - 1) % window.size, got = -1;
    TRY(MPI_Win_fence(MPI_MODE_NOPRECEDE, window.win));
    for (int i = 0; i < FENCES; i++) {
        int put = 100 * i + window.rank;
        TRY(MPI_Put(&put, 1, MPI_INT, next, window_place(&window, next, 0), 1, MPI_INT,
                    window.win));
        /* No stores were made, and the next epoch has gets only. */
        TRY(MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOPUT, window.win));
        CHECK(row(0)[0] == 100 * i + before, "%s: after fence %d memory has %d",
              window_kind_names[window.kind], i, row(0)[0]);
        TRY(MPI_Get(&got, 1, MPI_INT, next, window_place(&window, next, 0), 1, MPI_INT,
                    window.win));
        /* Loads and stores only until the next one. */
        TRY(MPI_Win_fence(MPI_MODE_NOSUCCEED | MPI_MODE_NOSTORE, window.win));
        CHECK(got == 100 * i + window.rank, "%s: fence %d: got %d",
              window_kind_names[window.kind], i, got);
        row(0)[1] = 7 * i + window.rank;
        TRY(MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOPUT, window.win));
        TRY(MPI_Get(&got, 1, MPI_INT, before, window_place(&window, before, 1), 1, MPI_INT,
                    window.win));
        TRY(MPI_Win_fence(0, window.win));
        CHECK(got == 7 * i + before, "%s: fence %d: got %d of a store",
              window_kind_names[window.kind], i, got);
    }
    TRY(MPI_Win_fence(MPI_MODE_NOSUCCEED, window.win));
}

/* Everybody adds to everybody between fences that follow at once. */
static void sums(void)
{
    int one = 1;
    memset(row(0), 0, LENGTH * sizeof(int));
    TRY(MPI_Win_fence(MPI_MODE_NOPRECEDE, window.win));
    for (int i = 1; i <= FENCES; i++) {
        for (int target = 0; target < window.size; target++)
            TRY(MPI_Accumulate(&one, 1, MPI_INT, target, window_place(&window, target, 2), 1,
                               MPI_INT, MPI_SUM, window.win));
        TRY(MPI_Win_fence(i == FENCES ? MPI_MODE_NOSUCCEED : 0, window.win));
        int sum = row(0)[2];
        CHECK(sum == i * window.size, "%s: the sum is %d after %d fences",
              window_kind_names[window.kind], sum, i);
        TRY(MPI_Win_fence(i == FENCES ? MPI_MODE_NOSUCCEED : 0, window.win));
    }
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    CHECK(test_size <= RANKS_MAX, "%d ranks; at most %d", test_size, RANKS_MAX);
    may_promise = argc > 1 && strcmp(argv[1], "promise") == 0;
    window_start_random();
    for (int kind = 0; kind < WINDOW_KINDS; kind++) {
        window_make(&window, kind, (MPI_Aint)(test_size + 1) * LENGTH, sizeof(int));
        TRY(MPI_Win_get_group(window.win, &all));
        one_sided_groups();
        groups();
        TRY(MPI_Barrier(window.comm));
        fences();
        sums();
        TRY(MPI_Group_free(&all));
        window_free(&window);
    }
    test_finish();
}
