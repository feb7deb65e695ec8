/* A rank holds the lock of a window for ever, and two others wait for it: to look at the stall
 * report. The rank that holds it is the first argument; the lock is that of the last rank. Runs
 * until it is stopped. */
/* kind: manual */
#include "harness.h"

#include <unistd.h>

int main(int argc, char **argv)
{
    int holder, target, *memory, seen;
    MPI_Win win;
    test_start(&argc, &argv);
    CHECK(argc > 1 && test_size > 3, "the holder is the first argument, of four ranks");
    holder = atoi(argv[1]), target = test_size - 1;
    TRY(MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                         &win));
    TRY(MPI_Win_set_name(win, "table"));
    if (test_rank == holder) {
        TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win));
        TRY(MPI_Get(&seen, 1, MPI_INT, target, 0, 1, MPI_INT, win));
        TRY(MPI_Win_flush(target, win));
    }
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    while (test_rank == holder || test_rank == target)
        pause();
    TRY(MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win));
    TRY(MPI_Win_unlock(target, win));
    test_fail(__FILE__, __LINE__, "rank %d was let in", test_rank);
    return 1;
}
