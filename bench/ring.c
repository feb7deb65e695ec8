/* A token goes round all ranks: microseconds per hop. With more ranks than cores this shows how a
 * library waits: pure spinning costs milliseconds per hop there. */
#include "bench_mpi.h"

enum { TAG = 1 };

static const struct bench_column COLUMNS[] = {
    {"ranks", "Ranks", 0},           {"median_us_per_hop", "Median us/hop", 3},
    {"min_us_per_hop", "Min us/hop", 3}, {"p99_us_per_hop", "p99 us/hop", 3},
    {NULL, NULL, 0},
};

struct circle {
    struct bench_world w;
    char *token;
    int count;
};

static void lap(void *context, long i)
{
    (void)i;
    const struct circle *c = context;
    struct bench_world w = c->w;
    char *token = c->token;
    int count = c->count;
    int next = (w.rank + 1) % w.size, previous = (w.rank + w.size - 1) % w.size;
    if (w.rank == 0) MPI_Send(token, count, MPI_BYTE, next, TAG, MPI_COMM_WORLD);
    MPI_Recv(token, count, MPI_BYTE, previous, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (w.rank != 0) MPI_Send(token, count, MPI_BYTE, next, TAG, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    struct bench_options o = {.name = "ring", .about = "a token round all ranks",
                              .bytes_min = 8, .bytes_max = 8, .iterations = 200, .warmup = 20,
                              .budget_ms = 1000, .window = 1, .rotate = 1};
    struct bench_world w = bench_init(&o, argc, argv, 2);
    struct circle c = {.w = w, .token = bench_alloc(o.bytes_max)};
    double *samples_us = bench_samples(o.iterations);
    if (w.rank == 0) bench_header(&o, COLUMNS);
    for (int i = 0; i < o.size_count; i++) {
        c.count = bench_count(o.sizes[i]);
        long laps = bench_warm(&o, lap, &c);
        for (long l = 0; l < laps; l++) {
            uint64_t before_ns = bench_now_ns();
            lap(&c, l);
            samples_us[l] = (double)(bench_now_ns() - before_ns) / 1000.0 / w.size;
        }
        if (w.rank != 0) continue;
        bench_values(&o, o.sizes[i], "local", samples_us, laps);
        struct bench_stats s = bench_summary(samples_us, laps);
        bench_row(&o, COLUMNS, o.sizes[i], (double[]){w.size, s.median, s.min, s.p99});
    }
    free(c.token);
    free(samples_us);
    MPI_Finalize();
    return 0;
}
