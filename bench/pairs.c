/* Half round trip between the two ranks of a pair while all pairs do the same. With more ranks than
 * cores it shows what a core takes to give itself to the next of so many, and how much longer
 * copies take while all cores are at work. That of rank 0 is told; pairs that end before it leave
 * the last iterations to fewer. With two ranks this is `latency`. */
#include "bench_mpi.h"

enum { TAG = 1 };

static const struct bench_column COLUMNS[] = {
    {"ranks", "Ranks", 0},     {"median_us", "Median (us)", 3}, {"min_us", "Min (us)", 3},
    {"p99_us", "p99 (us)", 3}, {"mean_us", "Mean (us)", 3},     {NULL, NULL, 0},
};

struct pair {
    char *send, *recv;
    int partner; /* the rank half of all away; none for an odd one at the end */
    bool begins;
    int count;
};

static void exchange(void *context, long i)
{
    (void)i;
    const struct pair *p = context;
    int other = p->partner;
    if (other < 0) return;
    if (p->begins) MPI_Send(p->send, p->count, MPI_BYTE, other, TAG, MPI_COMM_WORLD);
    MPI_Recv(p->recv, p->count, MPI_BYTE, other, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!p->begins) MPI_Send(p->send, p->count, MPI_BYTE, other, TAG, MPI_COMM_WORLD);
}

static struct pair meet(struct bench_world w, size_t bytes)
{
    int half = w.size / 2, rank = w.rank;
    struct pair p = {.send = bench_alloc(bytes), .recv = bench_alloc(bytes), .partner = -1};
    p.begins = rank < half;
    if (rank < 2 * half) p.partner = p.begins ? rank + half : rank - half;
    return p;
}

int main(int argc, char **argv)
{
    struct bench_options o = {.name = "pairs", .about = "half round trips of all pairs at once",
                              .bytes_min = 8, .bytes_max = 64 << 10, .iterations = 2000,
                              .warmup = 100, .budget_ms = 100, .window = 1, .rotate = 1};
    struct bench_world w = bench_init(&o, argc, argv, 2);
    struct pair p = meet(w, o.bytes_max);
    double *samples_us = bench_samples(o.iterations);
    if (w.rank == 0) bench_header(&o, COLUMNS);
    for (int i = 0; i < o.size_count; i++) {
        p.count = bench_count(o.sizes[i]);
        long iterations = bench_warm(&o, exchange, &p);
        uint64_t before_ns = bench_now_ns();
        for (long at = 0; at < iterations; at++) {
            exchange(&p, at);
            uint64_t after_ns = bench_now_ns();
            samples_us[at] = (double)(after_ns - before_ns) / 2000.0;
            before_ns = after_ns;
        }
        MPI_Barrier(MPI_COMM_WORLD);
        if (w.rank != 0) continue;
        struct bench_stats s = bench_summary(samples_us, iterations);
        bench_values(&o, o.sizes[i], "local", samples_us, iterations);
        bench_row(&o, COLUMNS, o.sizes[i],
                  (double[]){w.size, s.median, s.min, s.p99, s.mean});
    }
    free(p.send);
    free(p.recv);
    free(samples_us);
    MPI_Finalize();
    return 0;
}
