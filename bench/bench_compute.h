/* A computation that stands for a program's own work, and how much of an operation it hid. */
#ifndef DUNLIN_BENCH_COMPUTE_H
#define DUNLIN_BENCH_COMPUTE_H

#include "bench.h"

#include <sys/prctl.h>

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

#define BENCH_IDLE_HELP                                                                            \
    "  --idle US      instead of computing, ranks sleep US longer than the operation takes\n"

/* What a rank does while an operation is under way. */
struct bench_work {
    long turns;     /* of bench_compute; 0: nothing */
    double idle_us; /* or so long it sleeps, if not 0 */
};

/* Work as long as an operation that takes `us`; or, if `idle_us` is not 0, a sleep so much longer,
 * which leaves this rank's core to whoever makes progress: as on a machine with more cores. */
static inline struct bench_work bench_work_for(double us, long idle_us)
{
    if (idle_us == 0) return (struct bench_work){.turns = bench_turns_for(us)};
    /* Sleeps are as long as they are asked to be. */
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    return (struct bench_work){.idle_us = us + (double)idle_us};
}

static inline void bench_do(struct bench_work work)
{
    if (work.turns > 0) bench_compute(work.turns);
    if (work.idle_us > 0) {
        long ns = (long)(work.idle_us * 1000.0);
        nanosleep(&(struct timespec){ns / 1000000000L, ns % 1000000000L}, NULL);
    }
}

/* The share of an operation, which alone takes `pure`, that went on while its rank computed. */
static inline double bench_hidden_percent(double pure, double overall, double computed)
{
    double percent = 100.0 * (1.0 - (overall - computed) / pure);
    return percent < 0 ? 0 : percent > 100 ? 100 : percent;
}

#endif
