/* Operations with a root after barriers: the same ones again and again, so that ranks that share
 * cores leave the barriers in an order that suits them, and then others, with other roots and
 * lengths, late roots, other communicators, and barriers in a row. */
/* ranks: 2 4 8 */
#include "harness.h"

enum { ROUNDS = 120, REPEATS_MAX = 6, INTS_MAX = 3000, KINDS = 7, NAPS = 16, NAP_NS = 2000000 };

static int sent[INTS_MAX * 8], received[INTS_MAX * 8], counts[8], starts[8];

static unsigned draw(unsigned *state)
{
    *state = *state * 1103515245u + 12345u;
    return *state >> 16;
}

static void expect(const int *data, int ints, int first, const char *what)
{
    for (int i = 0; i < ints; i++)
        CHECK(data[i] == first + i, "%s: element %d of %d is %d, it must be %d", what, i, ints,
              data[i], first + i);
}

static void fill(int *data, int ints, int first)
{
    for (int i = 0; i < ints; i++) data[i] = first + i;
}

static void from_root(int kind, int root, int ints, int mark, MPI_Comm comm)
{
    memset(received, -1, sizeof received);
    if (test_rank == root)
        for (int r = 0; r < test_size; r++) fill(sent + r * ints, ints, mark + r);
    if (kind == 0) {
        int *data = test_rank == root ? sent : received;
        TRY(MPI_Bcast(data, ints, MPI_INT, root, comm));
        expect(data, ints, mark, "bcast");
    } else if (kind == 1) {
        TRY(MPI_Scatter(sent, ints, MPI_INT, received, ints, MPI_INT, root, comm));
        expect(received, ints, mark + test_rank, "scatter");
    } else {
        for (int r = 0; r < test_size; r++) counts[r] = r % 2 ? ints : 0, starts[r] = r * ints;
        TRY(MPI_Scatterv(sent, counts, starts, MPI_INT, received, counts[test_rank], MPI_INT, root,
                         comm));
        expect(received, counts[test_rank], mark + test_rank, "scatterv");
    }
}

static void to_root(int kind, int root, int ints, int mark, MPI_Comm comm)
{
    memset(received, -1, sizeof received);
    fill(sent, ints, mark + test_rank);
    if (kind == 3) {
        TRY(MPI_Gather(sent, ints, MPI_INT, received, ints, MPI_INT, root, comm));
    } else if (kind == 4) {
        for (int r = 0; r < test_size; r++) counts[r] = ints, starts[r] = r * ints;
        TRY(MPI_Gatherv(sent, ints, MPI_INT, received, counts, starts, MPI_INT, root, comm));
    } else {
        fill(sent, ints, mark);
        TRY(MPI_Reduce(sent, received, ints, MPI_INT, MPI_MAX, root, comm));
        if (test_rank == root) expect(received, ints, mark, "reduce");
        return;
    }
    for (int r = 0; test_rank == root && r < test_size; r++)
        expect(received + r * ints, ints, mark + r, kind == 3 ? "gather" : "gatherv");
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    CHECK(test_size <= 8, "%d ranks; 8 at most", test_size);
    MPI_Comm comms[2] = {MPI_COMM_WORLD, MPI_COMM_NULL};
    TRY(MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]));
    unsigned state = 7;
    for (int round = 0; round < ROUNDS; round++) {
        const int lengths[] = {0, 1, 2, 700, INTS_MAX};
        int kind = draw(&state) % KINDS, root = draw(&state) % test_size;
        int ints = lengths[draw(&state) % 5], barriers = draw(&state) % 3;
        int repeats = 1 + draw(&state) % REPEATS_MAX;
        for (int i = 0; i < repeats; i++) {
            MPI_Comm comm = comms[draw(&state) % 8 == 0];
            for (int b = 0; b < barriers; b++) TRY(MPI_Barrier(comm));
            struct timespec nap = {0, NAP_NS};
            if (draw(&state) % NAPS == 0 && test_rank == root) nanosleep(&nap, NULL);
            int mark = round * 10 + i, sum = -1;
            if (kind < 3) {
                from_root(kind, root, ints, mark, comm);
            } else if (kind < 6) {
                to_root(kind, root, ints, mark, comm);
            } else {
                TRY(MPI_Allreduce(&mark, &sum, 1, MPI_INT, MPI_SUM, comm));
                CHECK(sum == mark * test_size, "the sum is %d, it must be %d", sum,
                      mark * test_size);
            }
        }
    }
    TRY(MPI_Comm_free(&comms[1]));
    test_finish();
}
