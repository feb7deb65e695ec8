/* Long puts and gets in epochs of every kind, on created and allocated windows, with accumulates
 * and short operations between them: what was put is there after each synchronisation, and nothing
 * else. Nor does any come before its lock. Where the network does such operations by itself, they
 * overtake no message. */
/* ranks: 2 3 4 */
#include "harness.h"

enum { CELLS = 1 << 17, GUARDED = 1 << 14, ROUNDS = 12, TURNS = 40 };   /* cells of 8 bytes */
enum kind { LOCK, LOCK_ALL, FENCE, PSCW, KINDS };

static int next, before;
static enum kind kind;
static int64_t *memory, sent[CELLS], got[CELLS];
static MPI_Win win;
static MPI_Group neighbours;
static unsigned long seed;

static int below(int n)
{
    seed = seed * 6364136223846793005ul + 1442695040888963407ul;
    return (int)((seed >> 33) % (unsigned long)n);
}

static int64_t value(int origin, int round, int i)
{
    return ((int64_t)origin << 40) + ((int64_t)round << 28) + i;
}

static void begin(void)
{
    if (kind == LOCK) TRY(MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win));
    if (kind == LOCK_ALL) TRY(MPI_Win_lock_all(0, win));
    if (kind == FENCE) TRY(MPI_Win_fence(0, win));
    if (kind == PSCW) {
        TRY(MPI_Win_post(neighbours, 0, win));
        TRY(MPI_Win_start(neighbours, 0, win));
    }
}

static void end(void)
{
    if (kind == LOCK) TRY(MPI_Win_unlock(next, win));
    if (kind == LOCK_ALL) TRY(MPI_Win_unlock_all(win));
    if (kind == FENCE) TRY(MPI_Win_fence(0, win));
    if (kind == PSCW) {
        TRY(MPI_Win_complete(win));
        TRY(MPI_Win_wait(win));
    }
}

/* Between two operations that the second must see in order. */
static void synchronise(void)
{
    if (kind == LOCK || kind == LOCK_ALL) {
        TRY(MPI_Win_flush(next, win));
    } else {
        end();
        begin();
    }
}

static void check(int round, int cells, int changed, const char *what)
{
    for (int i = 0; i < cells; i++)
        CHECK(got[i] == value(test_rank, round, i) + (i == changed),
              "kind %d, round %d, %s: %lld at %d of %d", kind, round, what, (long long)got[i], i,
              cells);
}

/* Puts, adds to the middle, and gets all back. */
static void there_and_back(int round, int at, int cells)
{
    const int64_t one = 1;
    for (int i = 0; i < cells; i++) sent[i] = value(test_rank, round, i);
    begin();
    /* The short one may be on its way when the long one begins. */
    TRY(MPI_Put(sent, 1, MPI_INT64_T, next, at, 1, MPI_INT64_T, win));
    if (round % 2) synchronise();
    TRY(MPI_Put(sent + 1, cells - 1, MPI_INT64_T, next, at + 1, cells - 1, MPI_INT64_T, win));
    synchronise();
    TRY(MPI_Accumulate(&one, 1, MPI_INT64_T, next, at + cells / 2, 1, MPI_INT64_T, MPI_SUM, win));
    synchronise();
    TRY(MPI_Get(got, cells, MPI_INT64_T, next, at, cells, MPI_INT64_T, win));
    end();
    check(round, cells, cells / 2, "got back");
}

/* By requests: the buffer may be used again when they are complete. */
static void by_requests(int round, int at, int cells)
{
    MPI_Request request;
    begin();
    TRY(MPI_Rput(sent, cells, MPI_INT64_T, next, at, cells, MPI_INT64_T, win, &request));
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    memset(sent, 0xff, sizeof sent);
    synchronise();
    TRY(MPI_Rget(got, cells, MPI_INT64_T, next, at, cells, MPI_INT64_T, win, &request));
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    end();
    check(round, cells, -1, "got by request");
}

static void play(int is_allocated)
{
    const MPI_Aint bytes = (MPI_Aint)CELLS * 8;
    if (is_allocated) {
        TRY(MPI_Win_allocate(bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
    } else {
        memory = test_alloc((size_t)bytes);
        TRY(MPI_Win_create(memory, bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    }
    memset(memory, 0xff, (size_t)bytes);
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    for (int round = 0; round < ROUNDS; round++) {
        int cells = 2 + below(CELLS - 2), at = below(CELLS - cells + 1);
        there_and_back(round, at, cells);
        if (kind == LOCK || kind == LOCK_ALL) by_requests(round, at, cells);
    }
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    TRY(MPI_Win_lock(MPI_LOCK_SHARED, test_rank, 0, win));
    for (int i = 0; i < CELLS; i++)
        CHECK(memory[i] == -1 || memory[i] >> 40 == before, "kind %d: %lld at %d", kind,
              (long long)memory[i], i);
    TRY(MPI_Win_unlock(test_rank, win));
    TRY(MPI_Win_free(&win));
    if (!is_allocated) free(memory);
}

/* All ranks count in all cells of rank 0, each alone while it has the lock. */
static void take_turns(void)
{
    const MPI_Aint bytes = test_rank == 0 ? (MPI_Aint)GUARDED * 8 : 0;
    TRY(MPI_Win_allocate(bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
    if (test_rank == 0) memset(memory, 0, (size_t)bytes);
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    for (int turn = 0; turn <= TURNS; turn++) {
        TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
        TRY(MPI_Get(got, GUARDED, MPI_INT64_T, 0, 0, GUARDED, MPI_INT64_T, win));
        TRY(MPI_Win_flush(0, win));
        for (int i = 1; i < GUARDED; i++)
            CHECK(got[i] == got[0], "turn %d: %lld at %d, %lld before", turn, (long long)got[i], i,
                  (long long)got[0]);
        for (int i = 0; i < GUARDED && turn < TURNS; i++) sent[i] = got[0] + 1;
        if (turn < TURNS)
            TRY(MPI_Put(sent, GUARDED, MPI_INT64_T, 0, 0, GUARDED, MPI_INT64_T, win));
        TRY(MPI_Win_unlock(0, win));
        /* The last look is after all turns. */
        if (turn == TURNS - 1) TRY(MPI_Barrier(MPI_COMM_WORLD));
    }
    CHECK(got[0] == (int64_t)TURNS * test_size, "%lld turns were counted", (long long)got[0]);
    TRY(MPI_Win_free(&win));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    test_need_ranks(2);
    next = (test_rank + 1) % test_size;
    before = (test_rank + test_size - 1) % test_size;
    seed = (unsigned long)test_rank + 7;
    MPI_Group world;
    int ends[2] = {next, before};
    TRY(MPI_Comm_group(MPI_COMM_WORLD, &world));
    TRY(MPI_Group_incl(world, next == before ? 1 : 2, ends, &neighbours));
    TRY(MPI_Group_free(&world));
    for (kind = 0; kind < KINDS; kind++)
        for (int is_allocated = 0; is_allocated < 2; is_allocated++) play(is_allocated);
    TRY(MPI_Group_free(&neighbours));
    take_turns();
    test_finish();
}
