/* Long puts and gets, each awaited, on a target that does not call MPI before they are done: it
 * looks at its own memory alone. Without a device that does them this never ends. */
#include "../../c/harness.h"

enum { CELLS = 1 << 14, ROUNDS = 100 };

static int64_t there[CELLS], here[CELLS];

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    test_need_ranks(2);
    MPI_Win win;
    TRY(MPI_Win_create(there, sizeof there, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    TRY(MPI_Win_lock_all(0, win));
    /* A device lets only those in that it knows: the target has answered once. */
    if (test_rank == 0) {
        TRY(MPI_Put(here, 1, MPI_INT64_T, 1, 0, 1, MPI_INT64_T, win));
        TRY(MPI_Win_flush(1, win));
    }
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    for (int64_t round = 1; test_rank == 0 && round <= ROUNDS; round++) {
        for (int i = 0; i < CELLS; i++) here[i] = round + i;
        TRY(MPI_Put(here, CELLS, MPI_INT64_T, 1, 0, CELLS, MPI_INT64_T, win));
        TRY(MPI_Win_flush(1, win));
        memset(here, 0, sizeof here);
        TRY(MPI_Get(here, CELLS, MPI_INT64_T, 1, 0, CELLS, MPI_INT64_T, win));
        TRY(MPI_Win_flush(1, win));
        CHECK(here[0] == round && here[CELLS - 1] == round + CELLS - 1, "round %d", (int)round);
    }
    while (test_rank == 1 && __atomic_load_n(&there[0], __ATOMIC_ACQUIRE) < ROUNDS) continue;
    TRY(MPI_Win_unlock_all(win));
    TRY(MPI_Win_free(&win));
    test_finish();
}
