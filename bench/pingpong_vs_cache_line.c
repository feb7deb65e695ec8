/* The price of MPI over the machine: the 8-byte MPI half round trip beside the half round trip of a
 * bare cache line between the same two processes, measured in turns, so that whatever else the
 * machine does falls on both alike. */
#include "bench_line.h"
#include "bench_shared.h"

enum { TAG = 1, DATA_BYTES = 64, ROUNDS_PER_BATCH = 1000 };

static const struct bench_column COLUMNS[] = {
    {"mpi_ns", "MPI (ns)", 1},           {"line_ns", "Line (ns)", 1},
    {"ratio", "Ratio", 2},               {"best_ratio", "Best ratio", 2},
    {NULL, NULL, 0},
};

static double mpi_pingpong(int side, long rounds, int count)
{
    char data[DATA_BYTES] = {0};
    uint64_t began_ns = bench_now_ns();
    for (long i = 0; i < rounds; i++) {
        if (side == 0) MPI_Send(data, count, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
        MPI_Recv(data, count, MPI_BYTE, 1 - side, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (side == 1) MPI_Send(data, count, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
    }
    return (double)(bench_now_ns() - began_ns) / (double)rounds / 2.0;
}

static void measure(const struct bench_options *o, struct bench_line *line, int side,
                    double *mpi_ns, double *line_ns)
{
    int count = bench_count(o->bytes_min);
    uint64_t turn = 0;
    for (long b = -o->warmup; b < o->iterations; b++) {
        double by_line = bench_line_pingpong(line, side, ROUNDS_PER_BATCH, turn);
        double by_mpi = mpi_pingpong(side, ROUNDS_PER_BATCH, count);
        turn += 2 * ROUNDS_PER_BATCH;
        if (b < 0) continue;
        line_ns[b] = by_line;
        mpi_ns[b] = by_mpi;
    }
}

int main(int argc, char **argv)
{
    struct bench_options o = {.name = "pingpong_vs_cache_line",
                              .about = "MPI_Send/MPI_Recv beside a bare cache line, in turns",
                              .bytes_min = 8, .bytes_max = 8, .iterations = 200, .warmup = 10,
                              .window = 1, .rotate = 1, .pin = true};
    struct bench_world w = bench_init(&o, argc, argv, 2);
    if (o.bytes_min > DATA_BYTES)
        bench_die("--min is %zu; this program sends at most %d bytes", o.bytes_min, DATA_BYTES);
    struct bench_line *line = bench_share(w.rank, sizeof *line);
    if (w.rank < 2) {
        double *mpi_ns = bench_samples(o.iterations), *line_ns = bench_samples(o.iterations);
        measure(&o, line, w.rank, mpi_ns, line_ns);
        if (w.rank == 0) {
            struct bench_stats m = bench_summary(mpi_ns, o.iterations);
            struct bench_stats l = bench_summary(line_ns, o.iterations);
            bench_header(&o, COLUMNS);
            bench_row(&o, COLUMNS, o.bytes_min, (double[]){m.median, l.median, m.median / l.median,
                                                           m.min / l.min});
        }
        free(mpi_ns);
        free(line_ns);
    }
    MPI_Finalize();
    return 0;
}
