/* A computation that stands for a program's own work, and how much of an operation it hid. */
#ifndef DUNLIN_BENCH_COMPUTE_H
#define DUNLIN_BENCH_COMPUTE_H

#include "bench.h"

/* A chain of dependent additions: the same work on every call, in registers alone. */
static inline void bench_compute(long turns)
{
    volatile double keep = 0;
    double x = 1.0;
    for (long i = 0; i < turns; i++) x += 1e-9 * x;
    keep = x;
    (void)keep;
}

/* So many turns of bench_compute as take `us` here. */
static inline long bench_turns_for(double us)
{
    enum { TRIAL_TURNS = 100000 };
    bench_compute(TRIAL_TURNS);
    uint64_t began_ns = bench_now_ns();
    bench_compute(TRIAL_TURNS);
    double each_ns = (double)(bench_now_ns() - began_ns) / TRIAL_TURNS;
    return (long)(us * 1000.0 / each_ns) + 1;
}

/* The share of an operation, which alone takes `pure`, that went on while its rank computed. */
static inline double bench_hidden_percent(double pure, double overall, double computed)
{
    double percent = 100.0 * (1.0 - (overall - computed) / pure);
    return percent < 0 ? 0 : percent > 100 ? 100 : percent;
}

#endif
