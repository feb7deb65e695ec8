/* A token goes round and counts its hops, also with many more ranks than cores: waiting ranks
 * must leave the cores to the working one. Prints the time of a hop. */
/* ranks: 2 4 8 16 */
#include "harness.h"

enum { HOPS = 4000, SECONDS_MAX = 20 };

int main(int argc, char **argv)
{
    long token = 0;
    test_start(&argc, &argv);
    int next = (test_rank + 1) % test_size, prev = (test_rank + test_size - 1) % test_size;
    int rounds = HOPS / test_size;
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    double begin = MPI_Wtime();
    for (int round = 0; round < rounds; round++) {
        if (test_rank > 0)
            TRY(MPI_Recv(&token, 1, MPI_LONG, prev, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        token++;
        TRY(MPI_Send(&token, 1, MPI_LONG, next, 1, MPI_COMM_WORLD));
        if (test_rank == 0)
            TRY(MPI_Recv(&token, 1, MPI_LONG, prev, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    double seconds = MPI_Wtime() - begin;
    if (test_rank == 0) {
        CHECK(token == (long)rounds * test_size, "the token counts %ld hops of %d", token,
              rounds * test_size);
        CHECK(seconds < SECONDS_MAX, "%d hops took %.1f s; limit %d s", rounds * test_size, seconds,
              SECONDS_MAX);
        printf("%.2f us per hop\n", seconds * 1e6 / (rounds * test_size));
    }
    test_finish();
    return 0;
}
