/* One-sided communication: every synchronisation, with puts, gets and accumulates of plain and of
 * derived datatypes. */
/* ranks: 1 2 3 4 */
#include "harness.h"

enum { N = 64, LARGE = 300000 };

static int right(void)
{
    return (test_rank + 1) % test_size;
}

static int left(void)
{
    return (test_rank + test_size - 1) % test_size;
}

static void fences(MPI_Win win, int *memory)
{
    for (int i = 0; i < N; i++)
        memory[i] = -1;
    TRY(MPI_Win_fence(MPI_MODE_NOPRECEDE, win));
    int mine[4];
    for (int i = 0; i < 4; i++)
        mine[i] = test_rank * 10 + i;
    TRY(MPI_Put(mine, 4, MPI_INT, right(), 8, 4, MPI_INT, win));
    TRY(MPI_Win_fence(0, win));
    for (int i = 0; i < 4; i++)
        CHECK(memory[8 + i] == left() * 10 + i, "element %d is %d", i, memory[8 + i]);
    int got[4] = {0};
    TRY(MPI_Get(got, 4, MPI_INT, right(), 8, 4, MPI_INT, win));
    TRY(MPI_Win_fence(0, win));
    CHECK(got[3] == test_rank * 10 + 3, "got %d", got[3]);
    memory[0] = 0;
    TRY(MPI_Win_fence(0, win));
    int one = test_rank + 1;
    for (int rank = 0; rank < test_size; rank++)
        TRY(MPI_Accumulate(&one, 1, MPI_INT, rank, 0, 1, MPI_INT, MPI_SUM, win));
    TRY(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    CHECK(memory[0] == test_size * (test_size + 1) / 2, "the sum is %d", memory[0]);
}

static void derived(MPI_Win win, int *memory)
{
    for (int i = 0; i < N; i++)
        memory[i] = i;
    MPI_Datatype every_third, pieces;
    TRY(MPI_Type_vector(5, 1, 3, MPI_INT, &every_third));
    TRY(MPI_Type_commit(&every_third));
    int lengths[3] = {2, 1, 2}, places[3] = {20, 3, 9};
    TRY(MPI_Type_indexed(3, lengths, places, MPI_INT, &pieces));
    TRY(MPI_Type_commit(&pieces));
    int five[5] = {100, 101, 102, 103, 104}, back[15] = {0};
    TRY(MPI_Win_fence(0, win));
    TRY(MPI_Put(five, 5, MPI_INT, right(), 1, 1, every_third, win));
    TRY(MPI_Win_fence(0, win));
    for (int i = 0; i < 5; i++)
        CHECK(memory[1 + 3 * i] == 100 + i && memory[2 + 3 * i] == 2 + 3 * i,
              "the vector lies at the wrong place: %d", memory[1 + 3 * i]);
    TRY(MPI_Get(back, 1, every_third, right(), 0, 1, pieces, win));
    TRY(MPI_Accumulate(five, 5, MPI_INT, right(), 30, 1, every_third, MPI_SUM, win));
    TRY(MPI_Win_fence(0, win));
    CHECK(back[0] == 20 && back[3] == 21 && back[6] == 3 && back[12] == 103,
          "got %d %d %d %d", back[0], back[3], back[6], back[12]);
    for (int i = 0; i < 5; i++)
        CHECK(memory[30 + 3 * i] == 30 + 3 * i + 100 + i, "the sum is %d", memory[30 + 3 * i]);
    TRY(MPI_Type_free(&every_third));
    TRY(MPI_Type_free(&pieces));
}

static void groups(MPI_Win win, int *memory)
{
    MPI_Group all, to, from;
    TRY(MPI_Win_get_group(win, &all));
    int next = right(), previous = left();
    TRY(MPI_Group_incl(all, 1, &next, &to));
    TRY(MPI_Group_incl(all, 1, &previous, &from));
    for (int round = 0; round < 20; round++) {
        int value = 1000 * round + test_rank, flag = 0, got = -1;
        memory[1] = test_rank;
        TRY(MPI_Win_post(from, 0, win));
        TRY(MPI_Win_start(to, 0, win));
        TRY(MPI_Put(&value, 1, MPI_INT, next, 0, 1, MPI_INT, win));
        TRY(MPI_Get(&got, 1, MPI_INT, next, 1, 1, MPI_INT, win));
        TRY(MPI_Win_complete(win));
        CHECK(got == next, "got %d from %d", got, next);
        if (round % 2)
            TRY(MPI_Win_wait(win));
        while (round % 2 == 0 && !flag)
            TRY(MPI_Win_test(win, &flag));
        CHECK(memory[0] == 1000 * round + previous, "round %d: %d", round, memory[0]);
    }
    TRY(MPI_Group_free(&all));
    TRY(MPI_Group_free(&to));
    TRY(MPI_Group_free(&from));
}

static void locks(MPI_Win win, int *memory)
{
    memory[0] = memory[1] = 0;
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < 100; i++) {
        int value, one = 1, old;
        TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
        TRY(MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
        TRY(MPI_Win_flush(0, win));
        value++;
        TRY(MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
        TRY(MPI_Win_unlock(0, win));
        TRY(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
        TRY(MPI_Fetch_and_op(&one, &old, MPI_INT, 0, 1, MPI_SUM, win));
        TRY(MPI_Win_flush_local(0, win));
        CHECK(old >= i && old < 100 * test_size, "fetched %d", old);
        TRY(MPI_Win_unlock(0, win));
    }
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    if (test_rank == 0) {
        int both[2];
        TRY(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
        TRY(MPI_Get(both, 2, MPI_INT, 0, 0, 2, MPI_INT, win));
        TRY(MPI_Win_unlock(0, win));
        CHECK(both[0] == 100 * test_size, "%d increments were lost", 100 * test_size - both[0]);
        CHECK(both[1] == 100 * test_size, "%d additions were lost", 100 * test_size - both[1]);
    }
    TRY(MPI_Barrier(MPI_COMM_WORLD));
}

static void lock_all(MPI_Win win, int *memory)
{
    memory[2] = -1;
    memory[3] = 5;
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    TRY(MPI_Win_lock_all(0, win));
    int free_mark = -1, mine = test_rank, seen = -2, winners = 0, won;
    TRY(MPI_Compare_and_swap(&mine, &free_mark, &seen, MPI_INT, 0, 2, win));
    TRY(MPI_Win_flush_all(win));
    won = seen == -1;
    TRY(MPI_Allreduce(&won, &winners, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(winners == 1, "%d ranks have won", winners);
    MPI_Request requests[4];
    int two = 2, old = 0, got = 0, put = 77;
    TRY(MPI_Rput(&put, 1, MPI_INT, right(), 4, 1, MPI_INT, win, &requests[0]));
    TRY(MPI_Raccumulate(&two, 1, MPI_INT, right(), 5, 1, MPI_INT, MPI_REPLACE, win, &requests[1]));
    TRY(MPI_Rget(&got, 1, MPI_INT, right(), 4, 1, MPI_INT, win, &requests[2]));
    TRY(MPI_Rget_accumulate(NULL, 0, MPI_INT, &old, 1, MPI_INT, right(), 5, 1, MPI_INT, MPI_NO_OP,
                            win, &requests[3]));
    TRY(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
    CHECK(got == 77 && old == 2, "got %d and %d", got, old);
    TRY(MPI_Put(&put, 1, MPI_INT, MPI_PROC_NULL, 4, 1, MPI_INT, win));
    TRY(MPI_Win_flush_local_all(win));
    TRY(MPI_Win_sync(win));
    TRY(MPI_Win_unlock_all(win));
    TRY(MPI_Barrier(MPI_COMM_WORLD));
}

/* Every predefined pair and a sum of complex numbers: elements with gaps, elements of two parts. */
static void kinds(void)
{
    struct {
        double value;
        int index;
    } *pairs, mine = {test_rank % 2, test_rank}, best = {-1, -1};
    MPI_Win win;
    TRY(MPI_Win_allocate(2 * sizeof *pairs, sizeof *pairs, MPI_INFO_NULL, MPI_COMM_WORLD, &pairs,
                         &win));
    pairs[0].value = pairs[1].value = -1;
    pairs[0].index = pairs[1].index = 1000;
    TRY(MPI_Win_fence(0, win));
    for (int rank = 0; rank < test_size; rank++)
        TRY(MPI_Accumulate(&mine, 1, MPI_DOUBLE_INT, rank, 1, 1, MPI_DOUBLE_INT, MPI_MAXLOC, win));
    TRY(MPI_Win_fence(0, win));
    best.value = test_size > 1;
    best.index = test_size > 1;
    CHECK(pairs[1].value == best.value && pairs[1].index == best.index, "best is %g at %d",
          pairs[1].value, pairs[1].index);
    CHECK(pairs[0].index == 1000, "the neighbour has changed");
    TRY(MPI_Win_free(&win));
    CHECK(win == MPI_WIN_NULL, "the handle was not reset");
}

static void large(void)
{
    double *memory, *mine = malloc(LARGE * sizeof *mine), *got = calloc(LARGE, sizeof *got);
    MPI_Win win;
    TRY(MPI_Win_allocate(LARGE * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD,
                         &memory, &win));
    for (int i = 0; i < LARGE; i++)
        mine[i] = test_rank + i;
    TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right(), 0, win));
    TRY(MPI_Put(mine, LARGE, MPI_DOUBLE, right(), 0, LARGE, MPI_DOUBLE, win));
    TRY(MPI_Accumulate(mine, LARGE, MPI_DOUBLE, right(), 0, LARGE, MPI_DOUBLE, MPI_SUM, win));
    TRY(MPI_Get(got, LARGE, MPI_DOUBLE, right(), 0, LARGE, MPI_DOUBLE, win));
    TRY(MPI_Win_unlock(right(), win));
    for (int i = 0; i < LARGE; i += 99)
        CHECK(got[i] == 2.0 * (test_rank + i), "element %d is %g", i, got[i]);
    TRY(MPI_Win_free(&win));
    free(mine);
    free(got);
}

static void shared(void)
{
    int *mine, *theirs, rank, size, unit;
    MPI_Comm node;
    MPI_Win win;
    MPI_Aint bytes;
    TRY(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    TRY(MPI_Comm_rank(node, &rank));
    TRY(MPI_Comm_size(node, &size));
    TRY(MPI_Win_allocate_shared((rank + 1) * sizeof(int), sizeof(int), MPI_INFO_NULL, node, &mine,
                                &win));
    TRY(MPI_Win_lock_all(MPI_MODE_NOCHECK, win));
    for (int i = 0; i <= rank; i++)
        mine[i] = 100 * rank + i;
    TRY(MPI_Win_sync(win));
    TRY(MPI_Barrier(node));
    TRY(MPI_Win_sync(win));
    for (int other = 0; other < size; other++) {
        TRY(MPI_Win_shared_query(win, other, &bytes, &unit, &theirs));
        CHECK(bytes == (MPI_Aint)((other + 1) * sizeof(int)) && unit == sizeof(int),
              "the size is %ld", (long)bytes);
        CHECK(theirs[other] == 100 * other + other, "rank %d shows %d", other, theirs[other]);
        CHECK(other != rank || theirs == mine, "the own part has two addresses");
    }
    CHECK(rank == size - 1 || mine[rank + 1] == 100 * (rank + 1), "parts have gaps");
    TRY(MPI_Win_unlock_all(win));
    TRY(MPI_Win_free(&win));
    TRY(MPI_Comm_free(&node));
}

static void dynamic(void)
{
    MPI_Win win;
    int memory[8] = {0}, other[4] = {0}, values[2] = {40 + test_rank, 50 + test_rank};
    MPI_Aint place, places[64];
    TRY(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    /* In two pieces that touch: an operation may cross from one into the other. */
    TRY(MPI_Win_attach(win, memory, 6 * sizeof *memory));
    TRY(MPI_Win_attach(win, memory + 6, 2 * sizeof *memory));
    TRY(MPI_Win_attach(win, other, sizeof other));
    TRY(MPI_Get_address(&memory[5], &place));
    TRY(MPI_Allgather(&place, 1, MPI_AINT, places, 1, MPI_AINT, MPI_COMM_WORLD));
    TRY(MPI_Win_fence(0, win));
    TRY(MPI_Put(values, 2, MPI_INT, right(), places[right()], 2, MPI_INT, win));
    TRY(MPI_Win_fence(0, win));
    CHECK(memory[5] == 40 + left() && memory[6] == 50 + left(), "memory has %d, %d", memory[5],
          memory[6]);
    TRY(MPI_Win_detach(win, memory));
    TRY(MPI_Win_detach(win, memory + 6));
    TRY(MPI_Win_detach(win, other));
    TRY(MPI_Win_free(&win));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    int memory[N];
    MPI_Win win;
    TRY(MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    fences(win, memory);
    derived(win, memory);
    groups(win, memory);
    TRY(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    locks(win, memory);
    lock_all(win, memory);
    TRY(MPI_Win_free(&win));
    kinds();
    large();
    shared();
    dynamic();
    test_finish();
}
