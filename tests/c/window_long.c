/* Long operations, which go in pieces or by way of another buffer where the memory is not mapped:
 * every byte comes where it belongs, epoch after epoch, whatever the unit of displacement. */
/* ranks: 2 3 4 */
#include "harness.h"

enum { ELEMENTS = (1 << 18) + 77, GUARD = 32, EPOCHS = 6 };

#define WRONG "%d elements of %d are wrong after %s in epoch %d, synchronised in way %d"

static int32_t *memory, *sent, *got;
static MPI_Win win;
static int next, before;

static int32_t number(int rank, int i, int epoch)
{
    return rank * 1000003 + i * 7 + epoch * 31;
}

static void fill(int32_t *into, int rank, int epoch)
{
    for (int i = 0; i < ELEMENTS; i++) into[i] = number(rank, i, epoch);
}

static void open_epoch(int how, MPI_Group from, MPI_Group to)
{
    if (how == 0) TRY(MPI_Win_fence(0, win));
    if (how == 1) {
        TRY(MPI_Win_post(from, 0, win));
        TRY(MPI_Win_start(to, 0, win));
    }
    if (how == 2) TRY(MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win));
}

static void close_epoch(int how)
{
    if (how == 0) TRY(MPI_Win_fence(0, win));
    if (how == 1) {
        TRY(MPI_Win_complete(win));
        TRY(MPI_Win_wait(win));
    }
    if (how == 2) TRY(MPI_Win_unlock(next, win));
    TRY(MPI_Barrier(MPI_COMM_WORLD));
}

/* Puts, adds twice, fetches while it adds, gets: one epoch each. `at` elements are left free. */
static void round_trip(int how, int count, MPI_Aint at, MPI_Group from, MPI_Group to, int epoch)
{
    int wrong = 0;
    fill(memory, -1, 0);
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    fill(sent, test_rank, epoch);
    open_epoch(how, from, to);
    TRY(MPI_Put(sent, count, MPI_INT32_T, next, at, count, MPI_INT32_T, win));
    close_epoch(how);
    for (int i = 0; i < ELEMENTS; i++) {
        int inside = i >= GUARD && i < GUARD + count;
        wrong += memory[i] != (inside ? number(before, i - GUARD, epoch) : number(-1, i, 0));
    }
    CHECK(wrong == 0, WRONG, wrong, count, "a put", epoch, how);
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    open_epoch(how, from, to);
    for (int n = 0; n < 2; n++)
        TRY(MPI_Accumulate(sent, count, MPI_INT32_T, next, at, count, MPI_INT32_T, MPI_SUM, win));
    close_epoch(how);
    open_epoch(how, from, to);
    TRY(MPI_Get_accumulate(sent, count, MPI_INT32_T, got, count, MPI_INT32_T, next, at, count,
                           MPI_INT32_T, MPI_SUM, win));
    close_epoch(how);
    for (int i = 0; i < count; i++) wrong += got[i] != 3 * number(test_rank, i, epoch);
    CHECK(wrong == 0, WRONG, wrong, count, "a fetch", epoch, how);
    fill(got, -2, 0);
    open_epoch(how, from, to);
    TRY(MPI_Get(got, count, MPI_INT32_T, next, at, count, MPI_INT32_T, win));
    close_epoch(how);
    for (int i = 0; i < ELEMENTS; i++)
        wrong += got[i] != (i < count ? 4 * number(test_rank, i, epoch) : number(-2, i, 0));
    CHECK(wrong == 0, WRONG, wrong, count, "a get", epoch, how);
}

static void all(MPI_Aint at)
{
    static const int COUNTS[] = {2049, 32768, 32769, 262144};
    MPI_Group world, from, to;
    TRY(MPI_Comm_group(MPI_COMM_WORLD, &world));
    TRY(MPI_Group_incl(world, 1, &before, &from));
    TRY(MPI_Group_incl(world, 1, &next, &to));
    for (int how = 0; how < 3; how++)
        for (int epoch = 0; epoch < EPOCHS; epoch++)
            round_trip(how, COUNTS[epoch % 4], at, from, to, epoch);
    MPI_Group_free(&from);
    MPI_Group_free(&to);
    MPI_Group_free(&world);
    TRY(MPI_Win_free(&win));
}

int main(int argc, char **argv)
{
    static const int UNITS[] = {1, 4, 32};
    test_start(&argc, &argv);
    size_t bytes = sizeof *memory * ELEMENTS;
    memory = test_alloc(bytes), sent = test_alloc(bytes), got = test_alloc(bytes);
    next = (test_rank + 1) % test_size, before = (test_rank + test_size - 1) % test_size;
    for (int i = 0; i < 3; i++) {
        TRY(MPI_Win_create(memory, (MPI_Aint)bytes, UNITS[i], MPI_INFO_NULL, MPI_COMM_WORLD, &win));
        all(GUARD * (MPI_Aint)sizeof *memory / UNITS[i]);
    }
    TRY(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    TRY(MPI_Win_attach(win, memory, (MPI_Aint)bytes));
    MPI_Aint mine, there;
    TRY(MPI_Get_address(memory + GUARD, &mine));
    TRY(MPI_Sendrecv(&mine, 1, MPI_AINT, before, 0, &there, 1, MPI_AINT, next, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE));
    all(there);
    free(memory), free(sent), free(got);
    test_finish();
}
