/* Loads and stores of shared windows beside operations on the same memory: what one rank stores,
 * another gets, and what one puts, all load, once they have synchronised. Parts of no bytes,
 * MPI_PROC_NULL in MPI_Win_shared_query, and flags in shared memory for which ranks wait with
 * MPI_Win_sync alone. */
/* ranks: 1 2 3 4 8 */
/* timeout: 120 */
#include "harness.h"

#include <sched.h>
#include <stdatomic.h>

enum { ROUNDS = 50, LENGTH = 100, PASSES = 20 };

static MPI_Comm node;
static int rank, size;

static int value_of(int round, int from, int i)
{
    return (round * 16 + from) * 1000 + i;
}

static int *part_of(MPI_Win win, int of)
{
    MPI_Aint bytes;
    int unit, *start;
    TRY(MPI_Win_shared_query(win, of, &bytes, &unit, &start));
    return start;
}

/* After a store, a synchronisation of memory and a barrier, everybody sees it. */
static void meet(MPI_Win win)
{
    TRY(MPI_Win_sync(win));
    TRY(MPI_Barrier(node));
    TRY(MPI_Win_sync(win));
}

static void check(const int *seen, int round, int from, const char *how)
{
    for (int i = 0; i < LENGTH; i++)
        CHECK(seen[i] == value_of(round, from, i), "%s of what rank %d wrote in round %d: %d at %d",
              how, from, round, seen[i], i);
}

/* Stores are got by operations and by loads. */
static void stores(MPI_Win win, int round)
{
    int got[LENGTH], next = (rank + 1) % size, *mine = part_of(win, rank);
    for (int i = 0; i < LENGTH; i++)
        mine[i] = value_of(round, rank, i);
    meet(win);
    TRY(MPI_Get(got, LENGTH, MPI_INT, next, 0, LENGTH, MPI_INT, win));
    TRY(MPI_Win_flush(next, win));
    check(got, round, next, "a get");
    TRY(MPI_Get_accumulate(NULL, 0, MPI_INT, got, LENGTH, MPI_INT, next, 0, LENGTH, MPI_INT,
                           MPI_NO_OP, win));
    TRY(MPI_Win_flush(next, win));
    check(got, round, next, "a get-accumulate");
    for (int other = 0; other < size; other++)
        check(part_of(win, other), round, other, "a load");
    meet(win);
}

/* Puts and accumulates are loaded, by the target and by others. */
static void put_all(MPI_Win win, int round)
{
    int data[LENGTH], next = (rank + 1) % size;
    for (int i = 0; i < LENGTH; i++)
        data[i] = value_of(round, next, i);
    if (round % 4 == 1)
        TRY(MPI_Put(data, LENGTH, MPI_INT, next, 0, LENGTH, MPI_INT, win));
    else
        TRY(MPI_Accumulate(data, LENGTH, MPI_INT, next, 0, LENGTH, MPI_INT, MPI_REPLACE, win));
    TRY(MPI_Win_flush(next, win));
    meet(win);
    for (int other = 0; other < size; other++)
        check(part_of(win, other), round, other, "a load");
    meet(win);
}

static void mixed(bool is_contiguous)
{
    MPI_Win win;
    MPI_Info info;
    int *mine;
    TRY(MPI_Info_create(&info));
    if (!is_contiguous)
        TRY(MPI_Info_set(info, "alloc_shared_noncontig", "true"));
    TRY(MPI_Win_allocate_shared(LENGTH * sizeof(int), sizeof(int), info, node, &mine, &win));
    TRY(MPI_Info_free(&info));
    CHECK(part_of(win, rank) == mine, "the own part has two addresses");
    TRY(MPI_Win_lock_all(MPI_MODE_NOCHECK, win));
    for (int round = 0; round < ROUNDS; round++) {
        if (round % 2)
            put_all(win, round);
        else
            stores(win, round);
    }
    TRY(MPI_Win_unlock_all(win));
    TRY(MPI_Win_free(&win));
}

static void wait_for(MPI_Win win, int *flag, int value)
{
    while (atomic_load_explicit((_Atomic int *)flag, memory_order_relaxed) < value) {
        TRY(MPI_Win_sync(win));
        sched_yield();
    }
    TRY(MPI_Win_sync(win));
}

/* A token goes round in shared memory; waiting ranks call MPI_Win_sync and nothing else of MPI.
 * Data that is stored before the token is there after it. */
static void token(void)
{
    MPI_Win win;
    int *mine;
    TRY(MPI_Win_allocate_shared(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, node, &mine, &win));
    TRY(MPI_Win_lock_all(MPI_MODE_NOCHECK, win));
    mine[0] = mine[1] = 0;
    meet(win);
    int *next = part_of(win, (rank + 1) % size);
    for (int pass = 1; pass <= PASSES; pass++) {
        if (rank > 0)
            wait_for(win, &mine[1], pass);
        CHECK(rank == 0 || mine[0] == 100 * pass, "pass %d: the token came before its data, %d",
              pass, mine[0]);
        next[0] = 100 * pass;
        TRY(MPI_Win_sync(win));
        atomic_store_explicit((_Atomic int *)&next[1], pass, memory_order_relaxed);
        if (rank == 0)
            wait_for(win, &mine[1], pass);
    }
    TRY(MPI_Win_unlock_all(win));
    TRY(MPI_Win_free(&win));
}

/* Only ranks with odd numbers have memory; MPI_PROC_NULL asks for the first that has. The others'
 * parts begin nowhere, unless all parts follow one another. */
static void empty_parts(bool is_contiguous)
{
    MPI_Win win;
    MPI_Info info;
    MPI_Aint bytes = rank % 2 ? (rank + 1) * (MPI_Aint)sizeof(int) : 0, seen;
    int *mine, *start, unit, first = size > 1 ? 1 : 0;
    TRY(MPI_Info_create(&info));
    if (!is_contiguous)
        TRY(MPI_Info_set(info, "alloc_shared_noncontig", "true"));
    TRY(MPI_Win_allocate_shared(bytes, sizeof(int), info, node, &mine, &win));
    TRY(MPI_Info_free(&info));
    for (int other = 0; other < size; other++) {
        MPI_Aint right = other % 2 ? (other + 1) * (MPI_Aint)sizeof(int) : 0;
        TRY(MPI_Win_shared_query(win, other, &seen, &unit, &start));
        CHECK(seen == right && unit == sizeof(int), "rank %d has %ld bytes", other, (long)seen);
        CHECK((start == NULL) == (right == 0 && !is_contiguous), "rank %d's part begins at %p",
              other, (void *)start);
    }
    TRY(MPI_Win_shared_query(win, MPI_PROC_NULL, &seen, &unit, &start));
    CHECK(size == 1 || (seen == 2 * (MPI_Aint)sizeof(int) && start == part_of(win, first)),
          "the first part has %ld bytes", (long)seen);
    TRY(MPI_Win_fence(0, win));
    if (rank % 2)
        mine[rank] = rank;
    TRY(MPI_Win_fence(0, win));
    for (int other = 1; other < size; other += 2)
        CHECK(part_of(win, other)[other] == other, "rank %d shows %d", other,
              part_of(win, other)[other]);
    TRY(MPI_Win_fence(0, win));
    TRY(MPI_Win_free(&win));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    TRY(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -test_rank, MPI_INFO_NULL,
                            &node));
    TRY(MPI_Comm_rank(node, &rank));
    TRY(MPI_Comm_size(node, &size));
    mixed(true);
    mixed(false);
    token();
    empty_parts(true);
    empty_parts(false);
    TRY(MPI_Comm_free(&node));
    test_finish();
}
