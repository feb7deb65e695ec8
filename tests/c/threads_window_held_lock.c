/* A thread waits for a lock which another process gives back only when this process's other thread
 * has done something: on another window, and by another lock of the same. What that thread flushes
 * is not the first one's lock. Who has a lock and has flushed it holds it. */
/* ranks: 3 */
#include "threads.h"

enum { ORIGIN, TARGET, HOLDER, TURNS = 20, ASKED = 5, DONE = 6 };
/* What the locked window holds. */
enum { COUNT, HELD_IN };

static MPI_Win locked, other;

/* Locks what another process has locked, and counts there. */
static void *wait_for_lock(void *turn)
{
    const int64_t one = 1, now = *(const int64_t *)turn;
    int64_t before, held_in = -1;
    TRY(MPI_Send(NULL, 0, MPI_BYTE, ORIGIN, ASKED, MPI_COMM_WORLD));
    TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, TARGET, 0, locked));
    TRY(MPI_Get(&held_in, 1, MPI_INT64_T, TARGET, HELD_IN, 1, MPI_INT64_T, locked));
    TRY(MPI_Fetch_and_op(&one, &before, MPI_INT64_T, TARGET, COUNT, MPI_SUM, locked));
    TRY(MPI_Win_flush(TARGET, locked));
    CHECK(before == now - 1, "turn %lld counts from %lld", (long long)now, (long long)before);
    CHECK(held_in == now, "turn %lld: the lock was held last in turn %lld", (long long)now,
          (long long)held_in);
    TRY(MPI_Win_unlock(TARGET, locked));
    return NULL;
}

/* Works beside that thread, then tells who holds the lock. */
static void work(int64_t turn)
{
    int64_t before;
    struct threads waiting;
    TRY(MPI_Win_lock(MPI_LOCK_SHARED, HOLDER, 0, locked));
    threads_begin(&waiting, 1, wait_for_lock, &turn, sizeof turn);
    TRY(MPI_Recv(NULL, 0, MPI_BYTE, ORIGIN, ASKED, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    /* So that the lock is asked for in most turns. */
    for (int i = 0; i < 20; i++) {
        TRY(MPI_Fetch_and_op(&turn, &before, MPI_INT64_T, TARGET, 0, MPI_REPLACE, other));
        TRY(MPI_Win_flush(TARGET, other));
        CHECK(before == (i == 0 ? turn - 1 : turn), "turn %lld finds %lld", (long long)turn,
              (long long)before);
        TRY(MPI_Put(&turn, 1, MPI_INT64_T, HOLDER, COUNT, 1, MPI_INT64_T, locked));
        TRY(MPI_Win_flush_all(locked));
    }
    TRY(MPI_Win_unlock(HOLDER, locked));
    TRY(MPI_Send(NULL, 0, MPI_BYTE, HOLDER, DONE, MPI_COMM_WORLD));
    threads_join(&waiting);
}

/* Holds the lock until the other process has worked. */
static void hold(int64_t turn)
{
    TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, TARGET, 0, locked));
    TRY(MPI_Win_flush(TARGET, locked));
    TRY(MPI_Send(NULL, 0, MPI_BYTE, ORIGIN, DONE, MPI_COMM_WORLD));
    TRY(MPI_Recv(NULL, 0, MPI_BYTE, ORIGIN, DONE, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    TRY(MPI_Put(&turn, 1, MPI_INT64_T, TARGET, HELD_IN, 1, MPI_INT64_T, locked));
    TRY(MPI_Win_unlock(TARGET, locked));
}

int main(int argc, char **argv)
{
    threads_start(&argc, &argv);
    test_need_ranks(3);
    int64_t *counted, *worked;
    TRY(MPI_Win_allocate(16, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &counted, &locked));
    TRY(MPI_Win_allocate(8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &worked, &other));
    counted[COUNT] = counted[HELD_IN] = *worked = 0;
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    TRY(MPI_Win_lock_all(0, other));
    for (int turn = 0; turn < TURNS; turn++) {
        TRY(MPI_Barrier(MPI_COMM_WORLD));
        if (test_rank == HOLDER) hold(turn + 1);
        if (test_rank == ORIGIN) {
            TRY(MPI_Recv(NULL, 0, MPI_BYTE, HOLDER, DONE, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            work(turn + 1);
        }
    }
    TRY(MPI_Win_unlock_all(other));
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    if (test_rank == HOLDER) {
        TRY(MPI_Win_lock(MPI_LOCK_SHARED, HOLDER, 0, locked));
        CHECK(counted[COUNT] == TURNS, "the last put is %lld", (long long)counted[COUNT]);
        TRY(MPI_Win_unlock(HOLDER, locked));
    }
    if (test_rank == TARGET) {
        TRY(MPI_Win_lock(MPI_LOCK_SHARED, TARGET, 0, locked));
        CHECK(counted[COUNT] == TURNS, "%lld of %d were counted", (long long)counted[COUNT], TURNS);
        CHECK(*worked == TURNS, "the last turn is %lld, not %d", (long long)*worked, TURNS);
        TRY(MPI_Win_unlock(TARGET, locked));
    }
    TRY(MPI_Win_free(&locked));
    TRY(MPI_Win_free(&other));
    test_finish();
}
