/* Mistakes with windows: each has its error class, and the window stays usable. */
/* ranks: 1 2 */
#include "harness.h"

/* Nothing derived. */
static void refused_swaps(MPI_Win win)
{
    /* The last swap is complete when the epoch ends, after this function. */
    static int ints[3];
    MPI_Datatype derived;
    TRY(MPI_Type_dup(MPI_INT, &derived));
    EXPECT_ERROR(MPI_ERR_TYPE,
                 MPI_Compare_and_swap(&ints[0], &ints[1], &ints[2], derived, 0, 0, win));
    TRY(MPI_Type_free(&derived));
    TRY(MPI_Type_create_f90_integer(9, &derived));
    TRY(MPI_Compare_and_swap(&ints[0], &ints[1], &ints[2], derived, 0, 0, win));
}

/* The epoch that a fence may begin is over when one of another kind begins. */
static void epochs_after_a_fence(MPI_Win win)
{
    int value = 1;
    MPI_Group nobody = MPI_GROUP_EMPTY;
    TRY(MPI_Win_fence(0, win));
    TRY(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    TRY(MPI_Win_unlock(0, win));
    EXPECT_ERROR(MPI_ERR_RMA_SYNC, MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
    TRY(MPI_Win_fence(0, win));
    TRY(MPI_Win_lock_all(0, win));
    TRY(MPI_Win_unlock_all(win));
    EXPECT_ERROR(MPI_ERR_RMA_SYNC, MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
    TRY(MPI_Win_fence(0, win));
    TRY(MPI_Win_start(nobody, 0, win));
    TRY(MPI_Win_complete(win));
    EXPECT_ERROR(MPI_ERR_RMA_SYNC, MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
    TRY(MPI_Win_fence(0, win));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    int memory[4] = {0}, value = 1, flag;
    MPI_Win win, dynamic, none = MPI_WIN_NULL;
    TRY(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    TRY(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    EXPECT_ERROR(MPI_ERR_SIZE, MPI_Win_create(memory, -1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    EXPECT_ERROR(MPI_ERR_DISP, MPI_Win_create(memory, 4, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    TRY(MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    TRY(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));

    EXPECT_ERROR(MPI_ERR_WIN, MPI_Win_fence(0, none));
    EXPECT_ERROR(MPI_ERR_ASSERT, MPI_Win_fence(1 << 30, win));
    EXPECT_ERROR(MPI_ERR_RMA_SYNC, MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
    EXPECT_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_unlock(0, win));
    EXPECT_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_unlock_all(win));
    EXPECT_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_flush(0, win));
    EXPECT_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_complete(win));
    EXPECT_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_wait(win));
    EXPECT_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_test(win, &flag));
    EXPECT_ERROR(MPI_ERR_LOCKTYPE, MPI_Win_lock(0, 0, 0, win));
    EXPECT_ERROR(MPI_ERR_RANK, MPI_Win_lock(MPI_LOCK_SHARED, test_size, 0, win));

    TRY(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    EXPECT_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    EXPECT_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_free(&win));
    EXPECT_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_fence(0, win));
    EXPECT_ERROR(MPI_ERR_RMA_RANGE, MPI_Put(&value, 1, MPI_INT, 0, 4, 1, MPI_INT, win));
    EXPECT_ERROR(MPI_ERR_RMA_RANGE, MPI_Put(&value, 1, MPI_INT, 0, -1, 1, MPI_INT, win));
    EXPECT_ERROR(MPI_ERR_COUNT, MPI_Put(&value, -1, MPI_INT, 0, 0, 1, MPI_INT, win));
    EXPECT_ERROR(MPI_ERR_OP,
                 MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_MAXLOC, win));
    EXPECT_ERROR(MPI_ERR_OP,
                 MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_NO_OP, win));
    refused_swaps(win);
    TRY(MPI_Win_unlock(0, win));
    EXPECT_ERROR(MPI_ERR_RMA_FLAVOR, MPI_Win_attach(win, memory, sizeof memory));
    epochs_after_a_fence(win);
    TRY(MPI_Win_free(&win));

    TRY(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic));
    TRY(MPI_Win_set_errhandler(dynamic, MPI_ERRORS_RETURN));
    TRY(MPI_Win_attach(dynamic, memory, sizeof memory));
    EXPECT_ERROR(MPI_ERR_RMA_ATTACH, MPI_Win_attach(dynamic, memory + 1, sizeof(int)));
    EXPECT_ERROR(MPI_ERR_RMA_ATTACH, MPI_Win_detach(dynamic, memory + 1));
    TRY(MPI_Win_detach(dynamic, memory));
    MPI_Aint place;
    TRY(MPI_Get_address(memory, &place));
    TRY(MPI_Win_lock(MPI_LOCK_SHARED, test_rank, 0, dynamic));
    /* Who reaches the memory knows at once; others hear of it when they unlock. */
    int put = MPI_Put(&value, 1, MPI_INT, test_rank, place, 1, MPI_INT, dynamic);
    int unlock = MPI_Win_unlock(test_rank, dynamic), class;
    TRY(MPI_Error_class(put == MPI_SUCCESS ? unlock : put, &class));
    CHECK(class == MPI_ERR_RMA_RANGE, "put %d, unlock %d", put, unlock);
    CHECK(memory[0] == 0, "memory that is not attached was written");
    TRY(MPI_Win_free(&dynamic));
    test_finish();
}
