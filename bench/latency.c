/* Half round trip of a message between ranks 0 and 1, every iteration recorded: the median is what
 * a program usually sees, the minimum what the machine can do, p99 what a user complains about. */
#include "bench_mpi.h"

enum { TAG = 1 };

static const struct bench_column COLUMNS[] = {
    {"median_us", "Median (us)", 3}, {"min_us", "Min (us)", 3}, {"p99_us", "p99 (us)", 3},
    {"mean_us", "Mean (us)", 3},     {NULL, NULL, 0},
};

struct buffers {
    char *send, *recv;
    size_t stride;
    long count;
};

static void exchange(const struct buffers *b, int side, long i, int count)
{
    char *send = b->send + (size_t)(i % b->count) * b->stride;
    char *recv = b->recv + (size_t)(i % b->count) * b->stride;
    if (side == 0) {
        MPI_Send(send, count, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
        MPI_Recv(recv, count, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(recv, count, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(send, count, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
    }
}

/* One clock reading per iteration: the end of one is the beginning of the next. */
static void measure(const struct bench_options *o, const struct buffers *b, int side, size_t bytes,
                    double *samples_us)
{
    int count = bench_count(bytes);
    for (long i = 0; i < o->warmup; i++) exchange(b, side, i, count);
    uint64_t before_ns = bench_now_ns();
    for (long i = 0; i < o->iterations; i++) {
        exchange(b, side, i, count);
        uint64_t after_ns = bench_now_ns();
        samples_us[i] = (double)(after_ns - before_ns) / 2000.0;
        before_ns = after_ns;
    }
}

int main(int argc, char **argv)
{
    struct bench_options o = {.name = "latency", .about = "half round trip between two ranks",
                              .bytes_min = 0, .bytes_max = 4 << 20, .iterations = 2000,
                              .warmup = 200, .window = 1, .rotate = 1, .pin = false};
    struct bench_world w = bench_init(&o, argc, argv, 2);
    size_t stride = (o.bytes_max / BENCH_ALIGN + 1) * BENCH_ALIGN;
    size_t total = stride * (size_t)o.rotate;
    struct buffers b = {bench_alloc(total), bench_alloc(total), stride, o.rotate};
    double *samples_us = bench_samples(o.iterations);
    if (w.rank == 0) bench_header(&o, COLUMNS);
    for (size_t bytes = o.bytes_min; bytes <= o.bytes_max; bytes = bench_next_size(bytes)) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (w.rank < 2) measure(&o, &b, w.rank, bytes, samples_us);
        if (w.rank != 0) continue;
        struct bench_stats s = bench_summary(samples_us, o.iterations);
        bench_row(&o, COLUMNS, bytes, (double[]){s.median, s.min, s.p99, s.mean});
    }
    free(b.send);
    free(b.recv);
    free(samples_us);
    MPI_Finalize();
    return 0;
}
