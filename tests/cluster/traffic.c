/* Traffic that goes on until a file is there: each rank and its partner, half the ranks away, send
 * each other messages of all sizes at once, all of them add something up now and then, and every
 * byte is checked. Rank 0 says `round N` so that somebody outside sees that it goes on.
 *
 *     traffic FILE */
#define _GNU_SOURCE /* clocks */
#include "../c/harness.h"
#include <unistd.h>

enum { TAG = 5, ROUNDS_PER_SUM = 12, BYTES_MAX = 300000 };
static const double SECONDS_PER_LINE = 0.05;
static const int SIZES[] = {8, 100, 1000, 5000, 40000, BYTES_MAX};

static void exchange(long round, int partner, unsigned char *out, unsigned char *in)
{
    int bytes = SIZES[round % (long)(sizeof SIZES / sizeof *SIZES)];
    test_fill(out, (size_t)bytes, (unsigned)(round + test_rank));
    TRY(MPI_Sendrecv(out, bytes, MPI_BYTE, partner, TAG, in, bytes, MPI_BYTE, partner, TAG,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_FILLED(in, (size_t)bytes, (unsigned)(round + partner), "a message");
}

/* Whether the file is there, as rank 0 sees it; and the sum is right. */
static bool is_over(const char *file)
{
    int mine[2] = {1, test_rank == 0 && access(file, F_OK) == 0}, sum[2];
    TRY(MPI_Allreduce(mine, sum, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(sum[0] == test_size, "the sum is %d, not %d", sum[0], test_size);
    return sum[1] != 0;
}

int main(int argc, char **argv)
{
    double said_s = 0;
    test_start(&argc, &argv);
    test_need_ranks(2);
    CHECK(argc == 2, "%d arguments; it takes one, a file", argc - 1);
    int partner = (test_rank + test_size / 2) % test_size;
    unsigned char *out = test_alloc(BYTES_MAX), *in = test_alloc(BYTES_MAX);
    for (long round = 0; round % ROUNDS_PER_SUM != 0 || !is_over(argv[1]); round++) {
        exchange(round, partner, out, in);
        if (test_rank != 0 || MPI_Wtime() < said_s + SECONDS_PER_LINE) continue;
        said_s = MPI_Wtime();
        printf("round %ld\n", round);
        fflush(stdout);
    }
    free(out);
    free(in);
    test_finish();
    return 0;
}
