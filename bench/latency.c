/* Half round trip of a message between ranks 0 and 1, every iteration recorded: the median is what
 * a program usually sees, the minimum what the machine can do, p99 what a user complains about. */
#include "bench_mpi.h"

enum { TAG = 1 };

static const struct bench_column COLUMNS[] = {
    {"median_us", "Median (us)", 3}, {"min_us", "Min (us)", 3}, {"p99_us", "p99 (us)", 3},
    {"mean_us", "Mean (us)", 3},     {NULL, NULL, 0},
};

struct pair {
    char *send, *recv;
    size_t stride; /* between buffers that are used in turn */
    long buffers;
    int side;      /* 0 or 1; more for ranks that only look on */
    int count;
};

static void exchange(void *context, long i)
{
    const struct pair *p = context;
    char *send = p->send + (size_t)(i % p->buffers) * p->stride;
    char *recv = p->recv + (size_t)(i % p->buffers) * p->stride;
    int count = p->count;
    if (p->side == 0) {
        MPI_Send(send, count, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
        MPI_Recv(recv, count, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (p->side == 1) {
        MPI_Recv(recv, count, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(send, count, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
    }
}

/* One clock reading per iteration: the end of one is the beginning of the next. */
static void measure(struct pair *p, long iterations, double *samples_us)
{
    uint64_t before_ns = bench_now_ns();
    for (long i = 0; i < iterations; i++) {
        exchange(p, i);
        uint64_t after_ns = bench_now_ns();
        samples_us[i] = (double)(after_ns - before_ns) / 2000.0;
        before_ns = after_ns;
    }
}

int main(int argc, char **argv)
{
    struct bench_options o = {.name = "latency", .about = "half round trip between two ranks",
                              .bytes_min = 0, .bytes_max = 4 << 20, .iterations = 10000,
                              .warmup = 200, .budget_ms = 200, .window = 1, .rotate = 1};
    struct bench_world w = bench_init(&o, argc, argv, 2);
    struct pair p = {.stride = bench_stride(o.bytes_max), .buffers = o.rotate, .side = w.rank};
    p.send = bench_alloc(p.stride * (size_t)o.rotate);
    p.recv = bench_alloc(p.stride * (size_t)o.rotate);
    double *samples_us = bench_samples(o.iterations);
    if (w.rank == 0) bench_header(&o, COLUMNS);
    for (int i = 0; i < o.size_count; i++) {
        p.count = bench_count(o.sizes[i]);
        long iterations = bench_warm(&o, exchange, &p);
        measure(&p, iterations, samples_us);
        if (w.rank != 0) continue;
        bench_values(&o, o.sizes[i], "local", samples_us, iterations);
        struct bench_stats s = bench_summary(samples_us, iterations);
        bench_row(&o, COLUMNS, o.sizes[i], (double[]){s.median, s.min, s.p99, s.mean});
    }
    free(p.send);
    free(p.recv);
    free(samples_us);
    MPI_Finalize();
    return 0;
}
