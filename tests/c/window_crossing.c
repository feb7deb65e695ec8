/* Long gets and puts of two processes on each other at the same time, of equal and of different
 * lengths, and locks behind several of them: everybody gets what belongs to it. */
/* ranks: 2 3 */
#include "harness.h"

enum { ELEMENTS = 40000, LENGTH = 10000, ROUNDS = 12 };

static int32_t *memory, *sent, *got;
static MPI_Win win;

static int32_t number(int rank, int part, int i, int round)
{
    return rank * 1000003 + part * 100019 + i * 7 + round * 31;
}

static void fill(int32_t *into, int rank, int part, int round)
{
    for (int i = 0; i < ELEMENTS; i++) into[i] = number(rank, part, i, round);
}

static void check(const int32_t *seen, int count, int rank, int part, int round, const char *what)
{
    for (int i = 0; i < count; i++)
        CHECK(seen[i] == number(rank, part, i, round), "%s: element %d of %d is %d, not %d, in "
              "round %d", what, i, count, seen[i], number(rank, part, i, round), round);
}

/* Even ranks get from part 0 of the next, odd ones put to its part 1, then both the other way. */
static void cross(int next, int before, int round)
{
    int longer = round % 3, count = longer == 1 ? ELEMENTS / 8 : ELEMENTS;
    for (int turn = 0; turn < 2; turn++) {
        bool gets = (test_rank + turn) % 2 == 0;
        bool was_put = (before + turn) % 2 != 0;
        int mine = gets && longer == 2 ? ELEMENTS / 2 : count;
        fill(memory, test_rank, 0, round);
        fill(memory + ELEMENTS, test_rank, 1, round);
        fill(sent, test_rank, 2, round);
        TRY(MPI_Win_fence(0, win));
        if (gets) TRY(MPI_Get(got, mine, MPI_INT32_T, next, 0, mine, MPI_INT32_T, win));
        else TRY(MPI_Put(sent, mine, MPI_INT32_T, next, ELEMENTS, mine, MPI_INT32_T, win));
        TRY(MPI_Win_fence(0, win));
        if (gets) check(got, mine, next, 0, round, "a get");
        if (was_put) check(memory + ELEMENTS, count, before, 2, round, "a put");
        TRY(MPI_Barrier(MPI_COMM_WORLD));
    }
}

/* Behind gets that may end together, a lock that is not free at once. */
static void lock_behind_gets(int target, int round)
{
    fill(memory + 3 * ELEMENTS, test_rank, 3, round);
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    if (test_rank == target) {
        TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win));
        fill(memory, target, 0, round);
    }
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    if (test_rank == target) {
        for (int i = 0; i < 200; i++) TRY(MPI_Win_sync(win));
        check(memory, ELEMENTS, target, 0, round, "memory under a lock");
        TRY(MPI_Win_unlock(target, win));
    } else {
        TRY(MPI_Win_lock_all(MPI_MODE_NOCHECK, win));
        for (int at = 0; at < ELEMENTS; at += LENGTH)
            TRY(MPI_Get(got + at, LENGTH, MPI_INT32_T, target, 3 * ELEMENTS + at, LENGTH,
                        MPI_INT32_T, win));
        TRY(MPI_Win_unlock_all(win));
        check(got, ELEMENTS, target, 3, round, "gets before a lock");
        sent[0] = -test_rank - round;
        TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win));
        TRY(MPI_Put(sent, 1, MPI_INT32_T, target, test_rank, 1, MPI_INT32_T, win));
        TRY(MPI_Win_unlock(target, win));
    }
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    for (int rank = 0; test_rank == target && rank < test_size; rank++)
        CHECK(rank == target || memory[rank] == -rank - round, "rank %d has put %d in round %d",
              rank, memory[rank], round);
}

/* More than may be under way at once, to a target that calls nothing meanwhile. */
static void many(int round)
{
    enum { COUNT = 2500, SHORT = 2500 };
    fill(memory, test_rank, 0, round);
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    if (test_rank == 0) {
        TRY(MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win));
        for (int i = 0; i < COUNT; i++) {
            int at = i % (ELEMENTS / SHORT) * SHORT;
            TRY(MPI_Get(got + at, SHORT, MPI_INT32_T, 1, at, SHORT, MPI_INT32_T, win));
        }
        TRY(MPI_Win_unlock(1, win));
        check(got, ELEMENTS, 1, 0, round, "many gets");
    } else {
        struct timespec pause = {0, 50000000};
        nanosleep(&pause, NULL);
    }
    TRY(MPI_Barrier(MPI_COMM_WORLD));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    size_t bytes = sizeof *memory * ELEMENTS;
    memory = test_alloc(4 * bytes), sent = test_alloc(bytes), got = test_alloc(bytes);
    int next = (test_rank + 1) % test_size, before = (test_rank + test_size - 1) % test_size;
    TRY(MPI_Win_create(memory, 4 * (MPI_Aint)bytes, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD,
                       &win));
    for (int round = 0; round < ROUNDS; round++) cross(next, before, round);
    for (int round = 0; round < ROUNDS; round++) lock_behind_gets(round % test_size, round);
    many(ROUNDS);
    TRY(MPI_Win_free(&win));
    free(memory), free(sent), free(got);
    test_finish();
}
