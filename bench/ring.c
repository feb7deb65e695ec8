/* A token goes round all ranks: microseconds per hop. With more ranks than cores this shows how a
 * library waits: pure spinning costs milliseconds per hop there. */
#include "bench_mpi.h"

enum { TAG = 1 };

static const struct bench_column COLUMNS[] = {
    {"ranks", "Ranks", 0},           {"median_us_per_hop", "Median us/hop", 3},
    {"min_us_per_hop", "Min us/hop", 3}, {"p99_us_per_hop", "p99 us/hop", 3},
    {NULL, NULL, 0},
};

static void lap(struct bench_world w, char *token, int count)
{
    int next = (w.rank + 1) % w.size, previous = (w.rank + w.size - 1) % w.size;
    if (w.rank == 0) MPI_Send(token, count, MPI_BYTE, next, TAG, MPI_COMM_WORLD);
    MPI_Recv(token, count, MPI_BYTE, previous, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (w.rank != 0) MPI_Send(token, count, MPI_BYTE, next, TAG, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    struct bench_options o = {.name = "ring", .about = "a token round all ranks",
                              .bytes_min = 8, .bytes_max = 8, .iterations = 200, .warmup = 20,
                              .window = 1, .rotate = 1, .pin = false};
    struct bench_world w = bench_init(&o, argc, argv, 2);
    char *token = bench_alloc(o.bytes_max);
    double *samples_us = bench_samples(o.iterations);
    if (w.rank == 0) bench_header(&o, COLUMNS);
    for (size_t bytes = o.bytes_min; bytes <= o.bytes_max; bytes = bench_next_size(bytes)) {
        int count = bench_count(bytes);
        for (long i = 0; i < o.warmup; i++) lap(w, token, count);
        for (long i = 0; i < o.iterations; i++) {
            uint64_t before_ns = bench_now_ns();
            lap(w, token, count);
            samples_us[i] = (double)(bench_now_ns() - before_ns) / 1000.0 / w.size;
        }
        if (w.rank != 0) continue;
        struct bench_stats s = bench_summary(samples_us, o.iterations);
        bench_row(&o, COLUMNS, bytes, (double[]){w.size, s.median, s.min, s.p99});
    }
    free(token);
    free(samples_us);
    MPI_Finalize();
    return 0;
}
