/* One message each way between two ranks: begun, then a computation as long as the exchange alone
 * takes, then completed. Says how much of the exchange went on while both computed.
 *
 * With `--mode spare-core` a message goes one way; its receiver computes, and its sender sleeps
 * outside MPI meanwhile: where two ranks have two cores, threads of a library find one free. */
#include "bench_compute.h"
#include "bench_mpi.h"
#include <math.h>

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
    double compute_us;
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

static void sleep_us(double us)
{
    struct timespec time = {.tv_sec = (time_t)(us / 1e6), .tv_nsec = (long)fmod(us * 1e3, 1e9)};
    nanosleep(&time, NULL);
}

/* One way, from the second rank to the first. */
static void receive_once(void *context, long i)
{
    struct exchange *x = context;
    size_t at = (size_t)(i % x->o->rotate) * x->stride;
    MPI_Request request;
    MPI_Barrier(MPI_COMM_WORLD);
    if (x->partner == MPI_PROC_NULL) return;
    uint64_t begun_ns = bench_now_ns(), started_ns, computed_ns;
    if (x->partner == 1) {
        MPI_Irecv(x->in + at, x->count, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &request);
        started_ns = bench_now_ns();
        if (x->compute_turns > 0) bench_compute(x->compute_turns);
        computed_ns = bench_now_ns();
    } else {
        MPI_Isend(x->out + at, x->count, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, &request);
        started_ns = bench_now_ns();
        if (x->compute_turns > 0) sleep_us(2.0 * x->compute_us);
        computed_ns = bench_now_ns();
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    x->took_us = (double)(bench_now_ns() - begun_ns) / 1000.0;
    x->computed_us = (double)(computed_ns - started_ns) / 1000.0;
}

/* Both medians, of this rank. */
struct times {
    double took_us, computed_us;
};

static struct times measure(struct exchange *x, void (*once)(void *, long), long iterations,
                            double *took_us, double *computed_us)
{
    MPI_Barrier(MPI_COMM_WORLD);
    for (long i = 0; i < iterations; i++) {
        once(x, i);
        took_us[i] = x->took_us;
        computed_us[i] = x->computed_us;
    }
    return (struct times){bench_summary(took_us, iterations).median,
                          bench_summary(computed_us, iterations).median};
}

/* Threads of a library may use all cores of these, and this thread the one that it has. */
static void leave_cores_to_threads(const cpu_set_t *all)
{
    cpu_set_t own;
    if (sched_getaffinity(0, sizeof own, &own) != 0) return;
    bench_pin_threads(all);
    sched_setaffinity(0, sizeof own, &own);
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
    bool spare_core = strcmp(o.mode, "spare-core") == 0;
    if (!spare_core && strcmp(o.mode, "own-cores") != 0)
        bench_die("--mode is `%s`; it must be own-cores or spare-core", o.mode);
    if (spare_core && known) leave_cores_to_threads(&usable);
    void (*once)(void *, long) = spare_core ? receive_once : exchange_once;
    if (w.rank == 0) bench_header(&o, COLUMNS);
    for (int i = 0; i < o.size_count; i++) {
        x.count = bench_count(o.sizes[i]);
        x.compute_turns = 0;
        long n = bench_warm(&o, once, &x);
        double pure_us = measure(&x, once, n, took_us, computed_us).took_us;
        MPI_Bcast(&pure_us, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        x.compute_us = pure_us;
        x.compute_turns = bench_turns_for(pure_us);
        n = bench_warm(&o, once, &x);
        struct times t = measure(&x, once, n, took_us, computed_us);
        if (w.rank == 0)
            bench_row(&o, COLUMNS, o.sizes[i],
                      (double[]){pure_us, t.took_us, t.computed_us,
                                 bench_hidden_percent(pure_us, t.took_us, t.computed_us)});
    }
    MPI_Finalize();
    return 0;
}
