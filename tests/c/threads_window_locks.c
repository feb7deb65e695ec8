/* Locks of several windows that threads take at the same time: who has the lock of a window alone
 * finds all of a long part as the last one left it. Where locks go with the next message, and the
 * network moves long data by itself, none may move without its lock. */
/* ranks: 4 */
#include "threads.h"
#include <stdatomic.h>

enum { CELLS = 1 << 14, TURNS = 120, OTHERS = 2, TARGET = 1, SLOT = 64 };

static MPI_Win counted, others[OTHERS];
static atomic_int is_over;

/* Short epochs on a window of its own. */
static void *distract(void *which)
{
    const int at = *(const int *)which;
    const char data[8] = {0};
    while (!atomic_load(&is_over)) {
        TRY(MPI_Win_lock(MPI_LOCK_SHARED, TARGET, 0, others[at]));
        TRY(MPI_Put(data, 8, MPI_BYTE, TARGET, test_rank * SLOT, 8, MPI_BYTE, others[at]));
        TRY(MPI_Win_unlock(TARGET, others[at]));
    }
    return NULL;
}

/* Counts in all cells, alone. */
static void count(void)
{
    static int64_t cells[CELLS];
    TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, TARGET, 0, counted));
    TRY(MPI_Get(cells, CELLS, MPI_INT64_T, TARGET, 0, CELLS, MPI_INT64_T, counted));
    TRY(MPI_Win_flush(TARGET, counted));
    for (int i = 1; i < CELLS; i++)
        CHECK(cells[i] == cells[0], "cell %d is %lld, the first %lld", i, (long long)cells[i],
              (long long)cells[0]);
    for (int i = 0; i < CELLS; i++) cells[i]++;
    TRY(MPI_Put(cells, CELLS, MPI_INT64_T, TARGET, 0, CELLS, MPI_INT64_T, counted));
    TRY(MPI_Win_unlock(TARGET, counted));
}

static int64_t first_cell(void)
{
    int64_t found;
    TRY(MPI_Win_lock(MPI_LOCK_SHARED, TARGET, 0, counted));
    TRY(MPI_Get(&found, 1, MPI_INT64_T, TARGET, 0, 1, MPI_INT64_T, counted));
    TRY(MPI_Win_unlock(TARGET, counted));
    return found;
}

int main(int argc, char **argv)
{
    threads_start(&argc, &argv);
    test_need_ranks(4);
    char *memory;
    for (int i = 0; i < OTHERS; i++) {
        TRY(MPI_Win_allocate(SLOT * test_size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                             &others[i]));
    }
    TRY(MPI_Win_allocate(CELLS * 8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &counted));
    memset(memory, 0, CELLS * 8);
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    /* The target has answered once. */
    CHECK(first_cell() == 0, "it is not zero before");
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    int which[OTHERS] = {0, 1};
    struct threads threads;
    if (test_rank == 0) threads_begin(&threads, OTHERS, distract, which, sizeof which[0]);
    for (int turn = 0; turn < TURNS && (test_rank == 0 || test_rank == 2); turn++) count();
    atomic_store(&is_over, 1);
    if (test_rank == 0) threads_join(&threads);
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    if (test_rank == 0) {
        int64_t found = first_cell();
        CHECK(found == 2 * TURNS, "%lld of %d were counted", (long long)found, 2 * TURNS);
    }
    TRY(MPI_Win_free(&counted));
    for (int i = 0; i < OTHERS; i++) TRY(MPI_Win_free(&others[i]));
    test_finish();
}
