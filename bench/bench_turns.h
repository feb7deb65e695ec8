/* Two ways to do the same, by the same processes in turns, so that whatever else the machine does
 * falls on both alike. */
#ifndef BENCH_TURNS_H
#define BENCH_TURNS_H
#include "bench_mpi.h"

/* So many calls; `side` sends first if it is 0. */
typedef void calls(int side, long count);

enum { CALLS_PER_BATCH = 1024 };

static double each_ns(calls *run, int side)
{
    uint64_t began_ns = bench_now_ns();
    run(side, CALLS_PER_BATCH);
    return (double)(bench_now_ns() - began_ns) / CALLS_PER_BATCH;
}

/* The columns are the medians of both, their ratio, and the ratio of the best. `per_call` is how
 * many results a call has: a round trip has two halves. */
static void compare(const struct bench_options *o, const struct bench_column *columns,
                    struct bench_world w, calls *one, calls *other, double per_call)
{
    double *by_one = bench_samples(o->iterations), *by_other = bench_samples(o->iterations);
    for (long b = -o->warmup; b < o->iterations; b++) {
        bool other_first = b % 2 != 0;
        double first = each_ns(other_first ? other : one, w.rank) / per_call;
        double second = each_ns(other_first ? one : other, w.rank) / per_call;
        if (b < 0) continue;
        by_one[b] = other_first ? second : first;
        by_other[b] = other_first ? first : second;
    }
    struct bench_stats f = bench_summary(by_one, o->iterations);
    struct bench_stats s = bench_summary(by_other, o->iterations);
    if (w.rank == 0)
        bench_row(o, columns, sizeof(double),
                  (double[]){f.median, s.median, f.median / s.median, f.min / s.min});
    free(by_one);
    free(by_other);
}
#endif
