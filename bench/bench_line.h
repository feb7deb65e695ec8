/* The cache line that two processes bounce: the least a message between two cores can cost. */
#ifndef DUNLIN_BENCH_LINE_H
#define DUNLIN_BENCH_LINE_H

#include "bench.h"

/* One cache line that two processes bounce. The neighbours' prefetcher works in pairs of lines, so
 * the word has two lines to itself. */
struct bench_line {
    _Alignas(128) uint64_t turn;
};

/* Spins before the core is offered to others: two processes that share one core still finish. */
enum { BENCH_SPINS_BEFORE_YIELD = 20000 };

static inline void bench_line_wait(struct bench_line *line, uint64_t turn)
{
    for (long spins = 0;
         __atomic_load_n(&line->turn, __ATOMIC_ACQUIRE) != turn; spins++) {
        if (spins > BENCH_SPINS_BEFORE_YIELD) sched_yield();
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
}

/* `rounds` round trips of the line, as side 0 or 1; `start` is the turn both sides agree on.
 * Returns nanoseconds per half round trip. */
static inline double bench_line_pingpong(struct bench_line *line, int side, long rounds,
                                         uint64_t start)
{
    uint64_t began_ns = bench_now_ns();
    for (long i = 0; i < rounds; i++) {
        uint64_t ping = start + 2 * (uint64_t)i + 1;
        if (side == 1) bench_line_wait(line, ping);
        __atomic_store_n(&line->turn, side == 0 ? ping : ping + 1, __ATOMIC_RELEASE);
        if (side == 0) bench_line_wait(line, ping + 1);
    }
    return (double)(bench_now_ns() - began_ns) / (double)rounds / 2.0;
}

#endif
