/* A table in the memory of all ranks, into which each puts keys by compare-and-swap, and a queue of
 * tasks that each draws by fetch-and-add: every key and every task exactly once. */
/* ranks: 1 2 3 4 8 */
#include "harness.h"

enum { PLACES = 200, KEYS = 100, TASKS = 500 };

/* Puts a key at the first free place from its own on, in the part of the rank it belongs to. */
static void insert(MPI_Win win, long key)
{
    long none = 0, seen = -1;
    int owner = (int)(key % test_size);
    for (long place = key * 31 % PLACES; seen != 0; place = (place + 1) % PLACES) {
        TRY(MPI_Compare_and_swap(&key, &none, &seen, MPI_LONG, owner, place, win));
        TRY(MPI_Win_flush(owner, win));
        CHECK(seen != key, "key %ld was there already", key);
    }
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    long *table, *drawn, one = 1, task, found = 0, sum = 0, all[2], mine[2];
    MPI_Win win, queue;
    TRY(MPI_Win_allocate(PLACES * sizeof *table, sizeof *table, MPI_INFO_NULL, MPI_COMM_WORLD,
                         &table, &win));
    TRY(MPI_Win_allocate(sizeof *drawn, sizeof *drawn, MPI_INFO_NULL, MPI_COMM_WORLD, &drawn,
                         &queue));
    memset(table, 0, PLACES * sizeof *table);
    *drawn = 0;
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    TRY(MPI_Win_lock_all(0, win));
    TRY(MPI_Win_lock_all(0, queue));
    for (long i = 0; i < KEYS; i++)
        insert(win, 1 + test_rank + i * test_size);
    mine[0] = mine[1] = 0;
    for (;;) {
        TRY(MPI_Fetch_and_op(&one, &task, MPI_LONG, 0, 0, MPI_SUM, queue));
        TRY(MPI_Win_flush(0, queue));
        if (task >= TASKS)
            break;
        mine[0]++;
        mine[1] += task;
    }
    TRY(MPI_Win_unlock_all(queue));
    TRY(MPI_Win_unlock_all(win));
    TRY(MPI_Allreduce(mine, all, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    CHECK(all[0] == TASKS, "%ld tasks were done", all[0]);
    CHECK(all[1] == (long)TASKS * (TASKS - 1) / 2, "the tasks' numbers add up to %ld", all[1]);
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < PLACES; i++) {
        CHECK(table[i] == 0 || table[i] % test_size == test_rank, "key %ld is not ours", table[i]);
        found += table[i] != 0;
        sum += table[i];
    }
    mine[0] = found;
    mine[1] = sum;
    TRY(MPI_Allreduce(mine, all, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    long keys = (long)KEYS * test_size;
    CHECK(all[0] == keys, "the table has %ld keys, not %ld", all[0], keys);
    CHECK(all[1] == keys * (keys + 1) / 2, "the keys add up to %ld", all[1]);
    TRY(MPI_Win_free(&queue));
    TRY(MPI_Win_free(&win));
    test_finish();
}
