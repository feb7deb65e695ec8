/* One message each way between two ranks: begun, then a computation as long as the exchange alone
 * takes, then completed. Says how much of the exchange went on while both computed.
 *
 * With `--mode one-core` both ranks compute on one core, one after the other, and threads
 * of a library have the others: that is a node with a core to spare where there are but two. */
#include "bench_compute.h"
#include "bench_mpi.h"

enum { TAG = 1 };

static const struct bench_column COLUMNS[] = {
    {"pure_us", "Pure (us)", 3},       {"overall_us", "Overall (us)", 3},
    {"compute_us", "Compute (us)", 3}, {"overlap_percent", "Overlap %", 1}, {NULL, NULL, 0},
};

struct exchange {
    const struct bench_options *o;
    char *out, *in;
    size_t stride;
    int partner, count;
    long compute_turns;
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
    if (x->compute_turns > 0) bench_compute(x->compute_turns);
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

/* The time of one exchange of many in a row. */
static double each_us(struct exchange *x, long iterations)
{
    MPI_Barrier(MPI_COMM_WORLD);
    uint64_t begun_ns = bench_now_ns();
    for (long i = 0; i < iterations; i++) exchange_once(x, i);
    return (double)(bench_now_ns() - begun_ns) / 1000.0 / (double)iterations;
}

/* What a turn of bench_compute takes, whoever shares the core. */
static double turn_us(void)
{
    enum { TRIAL_TURNS = 1000000 };
    struct timespec begun, ended;
    bench_compute(TRIAL_TURNS);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begun);
    bench_compute(TRIAL_TURNS);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ended);
    double ns = (double)(ended.tv_sec - begun.tv_sec) * 1e9 +
                (double)(ended.tv_nsec - begun.tv_nsec);
    return ns / 1000.0 / TRIAL_TURNS;
}

/* This thread computes on the first core of these, and other threads of its process, which may be
 * pinned by now, have all. */
static void share_first_core(const cpu_set_t *all)
{
    cpu_set_t first;
    CPU_ZERO(&first);
    for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&first) == 0; core++)
        if (CPU_ISSET(core, all)) CPU_SET(core, &first);
    bench_pin_threads(all);
    sched_setaffinity(0, sizeof first, &first);
}

static void measure_on_one_core(const struct bench_options *o, struct exchange *x, int rank)
{
    double turn = turn_us();
    MPI_Bcast(&turn, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < o->size_count; i++) {
        x->count = bench_count(o->sizes[i]);
        x->compute_turns = 0;
        double pure_us = each_us(x, bench_warm(o, exchange_once, x));
        MPI_Bcast(&pure_us, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        x->compute_turns = (long)(pure_us / turn) + 1;
        double overall_us = each_us(x, bench_warm(o, exchange_once, x));
        double compute_us = 2.0 * turn * (double)x->compute_turns;
        if (rank == 0)
            bench_row(o, COLUMNS, o->sizes[i],
                      (double[]){pure_us, overall_us, compute_us,
                                 bench_hidden_percent(pure_us, overall_us, compute_us)});
    }
}

int main(int argc, char **argv)
{
    cpu_set_t usable;
    bool known = sched_getaffinity(0, sizeof usable, &usable) == 0;
    struct bench_options o = {
        .name = "overlap", .about = "an exchange of messages behind a computation",
        .bytes_min = 8, .bytes_max = 4 << 20, .iterations = 5000, .warmup = 10, .budget_ms = 200,
        .window = 1, .rotate = 1, .mode = "own-cores"};
    struct bench_world w = bench_init(&o, argc, argv, 2);
    struct exchange x = {.o = &o, .stride = bench_stride(o.bytes_max),
                         .partner = w.rank < 2 ? 1 - w.rank : MPI_PROC_NULL};
    x.out = bench_alloc(x.stride * (size_t)o.rotate);
    x.in = bench_alloc(x.stride * (size_t)o.rotate);
    double *took_us = bench_samples(o.iterations), *computed_us = bench_samples(o.iterations);
    bool one_core = strcmp(o.mode, "one-core") == 0;
    if (!one_core && strcmp(o.mode, "own-cores") != 0)
        bench_die("--mode is `%s`; it must be own-cores or one-core", o.mode);
    if (w.rank == 0) bench_header(&o, COLUMNS);
    if (one_core) {
        if (known) share_first_core(&usable);
        measure_on_one_core(&o, &x, w.rank);
        MPI_Finalize();
        return 0;
    }
    for (int i = 0; i < o.size_count; i++) {
        x.count = bench_count(o.sizes[i]);
        x.compute_turns = 0;
        long n = bench_warm(&o, exchange_once, &x);
        double pure_us = measure(&x, n, took_us, computed_us).took_us;
        MPI_Bcast(&pure_us, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        x.compute_turns = bench_turns_for(pure_us);
        n = bench_warm(&o, exchange_once, &x);
        struct times t = measure(&x, n, took_us, computed_us);
        if (w.rank == 0)
            bench_row(&o, COLUMNS, o.sizes[i],
                      (double[]){pure_us, t.took_us, t.computed_us,
                                 bench_hidden_percent(pure_us, t.took_us, t.computed_us)});
    }
    MPI_Finalize();
    return 0;
}
