/* Ranks that are late, so that others wait long enough to sleep: in turns in collectives, in
 * receives from any source and from one. The awaited rank must wake each of them, on the same
 * host or not. */
/* ranks: 2 4 8 */
#include "harness.h"

enum { STEPS = 300, KINDS = 4, DAWDLERS = 8, NANOSECONDS_MAX = 300000, LONG_INTS = 1 << 15 };

static unsigned draw(unsigned *state)
{
    *state = *state * 1103515245u + 12345u;
    return *state >> 16;
}

/* At each step, one in DAWDLERS ranks is late. */
static void dawdle(unsigned *state)
{
    struct timespec nap = {0, (long)(draw(state) * 5) % NANOSECONDS_MAX};
    if (draw(state) % DAWDLERS == 0)
        nanosleep(&nap, NULL);
}

static void all_together(int step)
{
    int mine = test_rank + step, sum = 0;
    TRY(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    int expected = test_size * (test_size - 1) / 2 + test_size * step;
    CHECK(sum == expected, "step %d: the sum is %d, it must be %d", step, sum, expected);
}

static void round_the_ring(int step, int distance, int ints)
{
    static int mine[LONG_INTS], theirs[LONG_INTS];
    int to = (test_rank + distance) % test_size;
    int from = (test_rank + test_size - distance) % test_size;
    mine[ints - 1] = test_rank + step;
    TRY(MPI_Sendrecv(mine, ints, MPI_INT, to, 1, theirs, ints, MPI_INT, from, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE));
    CHECK(theirs[ints - 1] == from + step, "step %d: %d came from rank %d", step, theirs[ints - 1],
          from);
}

static void all_to_one(int step, int root)
{
    int mine = test_rank + step, theirs;
    if (test_rank != root) {
        TRY(MPI_Ssend(&mine, 1, MPI_INT, root, 2, MPI_COMM_WORLD));
        return;
    }
    for (int i = 1; i < test_size; i++) {
        MPI_Status status;
        TRY(MPI_Recv(&theirs, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status));
        CHECK(theirs == status.MPI_SOURCE + step, "step %d: %d came from rank %d", step, theirs,
              status.MPI_SOURCE);
    }
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    unsigned common = 1, own = 100 + (unsigned)test_rank;
    for (int step = 0; step < STEPS; step++) {
        dawdle(&own);
        int kind = (int)(draw(&common) % KINDS), other = (int)draw(&common);
        int distance = 1 + other % (test_size - 1);
        if (kind == 0)
            all_together(step);
        else if (kind == 1)
            round_the_ring(step, distance, 1);
        else if (kind == 2)
            round_the_ring(step, distance, LONG_INTS);
        else {
            all_to_one(step, other % test_size);
            /* The next step's receives from any source must not match this step's messages. */
            TRY(MPI_Barrier(MPI_COMM_WORLD));
        }
    }
    test_finish();
    return 0;
}
