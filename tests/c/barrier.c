/* No rank leaves a barrier before all have entered it. */
/* ranks: 1 2 3 4 5 7 8 16 */
#include "harness.h"

enum { ROUNDS = 40, TAG = 30, LATE_MS = 2 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The latest of all ranks' times. All ranks are on one node, so they share a clock. */
static double latest(double mine)
{
    double last = mine;
    for (int r = 1; r < test_size; r++) {
        double theirs = mine;
        TRY(MPI_Sendrecv(&mine, 1, MPI_DOUBLE, (test_rank + r) % test_size, TAG, &theirs, 1,
                         MPI_DOUBLE, (test_rank + test_size - r) % test_size, TAG, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE));
        last = theirs > last ? theirs : last;
    }
    return last;
}

/* Each rank in turn is late; no rank may leave before it has entered. */
static void the_late_one_is_waited_for(MPI_Comm comm, int late)
{
    if (test_rank == late)
        test_sleep_ms(LATE_MS);
    double entered = now();
    TRY(MPI_Barrier(comm));
    double left = now(), last_entered = latest(entered);
    CHECK(left >= last_entered, "rank %d is late: left the barrier %g s before all had entered it",
          late, last_entered - left);
}

int main(int argc, char **argv)
{
    MPI_Comm copy;
    test_start(&argc, &argv);
    TRY(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    for (int round = 0; round < ROUNDS; round++)
        the_late_one_is_waited_for(round % 2 ? copy : MPI_COMM_WORLD, round % test_size);
    for (int i = 0; i < 500; i++)
        TRY(MPI_Barrier(i % 2 ? copy : MPI_COMM_WORLD));
    TRY(MPI_Comm_free(&copy));
    test_finish();
    return 0;
}
