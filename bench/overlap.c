/* One message each way between two ranks: begun, then a computation as long as the exchange alone
 * takes, then completed. Says how much of the exchange went on while both computed. */
#include "bench_compute.h"
#include "bench_mpi.h"

enum { TAG = 1 };

static const struct bench_column COLUMNS[] = {
    {"pure_us", "Pure (us)", 3},       {"overall_us", "Overall (us)", 3},
    {"compute_us", "Compute (us)", 3}, {"exposed_us", "Exposed (us)", 3},
    {"overlap_percent", "Overlap %", 1}, {NULL, NULL, 0},
};

struct exchange {
    const struct bench_options *o;
    char *out, *in;
    size_t stride;
    int partner, count;
    struct bench_work work;
    double took_us, computed_us;
};

static void exchange_once(void *context, long i)
{
    struct exchange *x = context;
    if (x->partner == MPI_PROC_NULL) return;
    size_t at = (size_t)(i % x->o->rotate) * x->stride;
    MPI_Request both[2];
    uint64_t begun_ns = bench_now_ns();
    MPI_Irecv(x->in + at, x->count, MPI_BYTE, x->partner, TAG, MPI_COMM_WORLD, &both[0]);
    MPI_Isend(x->out + at, x->count, MPI_BYTE, x->partner, TAG, MPI_COMM_WORLD, &both[1]);
    uint64_t started_ns = bench_now_ns();
    bench_do(x->work);
    uint64_t computed_ns = bench_now_ns();
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    x->took_us = (double)(bench_now_ns() - begun_ns) / 1000.0;
    x->computed_us = (double)(computed_ns - started_ns) / 1000.0;
}

/* Both medians, of this rank. */
struct times {
    double took_us, computed_us;
};

static struct times measure(struct exchange *x, long iterations, double *took_us,
                            double *computed_us)
{
    MPI_Barrier(MPI_COMM_WORLD);
    for (long i = 0; i < iterations; i++) {
        exchange_once(x, i);
        took_us[i] = x->took_us;
        computed_us[i] = x->computed_us;
    }
    return (struct times){bench_summary(took_us, iterations).median,
                          bench_summary(computed_us, iterations).median};
}

int main(int argc, char **argv)
{
    struct bench_options o = {
        .name = "overlap", .about = "an exchange of messages behind a computation",
        .extra = BENCH_IDLE_HELP,
        .bytes_min = 8, .bytes_max = 4 << 20, .iterations = 5000, .warmup = 10, .budget_ms = 200,
        .window = 1, .rotate = 1};
    struct bench_world w = bench_init(&o, argc, argv, 2);
    struct exchange x = {.o = &o, .stride = bench_stride(o.bytes_max),
                         .partner = w.rank < 2 ? 1 - w.rank : MPI_PROC_NULL};
    x.out = bench_alloc(x.stride * (size_t)o.rotate);
    x.in = bench_alloc(x.stride * (size_t)o.rotate);
    double *took_us = bench_samples(o.iterations), *computed_us = bench_samples(o.iterations);
    if (w.rank == 0) bench_header(&o, COLUMNS);
    for (int i = 0; i < o.size_count; i++) {
        x.count = bench_count(o.sizes[i]);
        x.work = (struct bench_work){0};
        long n = bench_warm(&o, exchange_once, &x);
        double pure_us = measure(&x, n, took_us, computed_us).took_us;
        MPI_Bcast(&pure_us, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        x.work = bench_work_for(pure_us, o.idle_us);
        n = bench_warm(&o, exchange_once, &x);
        struct times t = measure(&x, n, took_us, computed_us);
        if (w.rank == 0)
            bench_row(&o, COLUMNS, o.sizes[i],
                      (double[]){pure_us, t.took_us, t.computed_us, t.took_us - t.computed_us,
                                 bench_hidden_percent(pure_us, t.took_us, t.computed_us)});
    }
    MPI_Finalize();
    return 0;
}
