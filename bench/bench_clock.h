/* One clock for ranks on several nodes, by messages: each rank finds out by how much rank 0's clock
 * is ahead of its own, and all agree on an instant to begin at. Ranks of one node have the system's
 * clock in common and need none of this. */
#ifndef DUNLIN_BENCH_CLOCK_H
#define DUNLIN_BENCH_CLOCK_H

#include "bench_mpi.h"

enum {
    BENCH_CLOCK_TAG = 77,
    /* The quickest of so many round trips counts: it was held up least, so the answer's instant
     * lies closest to the middle between question and reply. */
    BENCH_CLOCK_ROUNDS = 50,
    /* From rank 0's word to the instant at which all go: a broadcast must reach everybody before,
     * and does in less than so many of the slowest round trips. */
    BENCH_CLOCK_LEAD_TRIPS = 16,
};

struct bench_clock {
    int64_t ahead_ns; /* of rank 0's clock before this rank's own; 0 where the clock is shared */
    uint64_t lead_ns; /* from word to start; rank 0 only */
};

static inline uint64_t bench_clock_shared_ns(const struct bench_clock *c, uint64_t own_ns)
{
    return own_ns + (uint64_t)c->ahead_ns;
}

/* One rank asks rank 0 for its time; returns the shortest round trip. */
static inline uint64_t bench_clock_ask(struct bench_clock *c)
{
    uint64_t best_ns = UINT64_MAX, theirs_ns = 0;
    for (int i = 0; i < BENCH_CLOCK_ROUNDS; i++) {
        uint64_t asked_ns = bench_now_ns();
        MPI_Send(NULL, 0, MPI_BYTE, 0, BENCH_CLOCK_TAG, MPI_COMM_WORLD);
        MPI_Recv(&theirs_ns, 1, MPI_UINT64_T, 0, BENCH_CLOCK_TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        uint64_t took_ns = bench_now_ns() - asked_ns;
        if (took_ns >= best_ns) continue;
        best_ns = took_ns;
        c->ahead_ns = (int64_t)(theirs_ns - (asked_ns + took_ns / 2));
    }
    return best_ns;
}

static inline void bench_clock_answer(int rank)
{
    for (int i = 0; i < BENCH_CLOCK_ROUNDS; i++) {
        MPI_Recv(NULL, 0, MPI_BYTE, rank, BENCH_CLOCK_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        uint64_t now_ns = bench_now_ns();
        MPI_Send(&now_ns, 1, MPI_UINT64_T, rank, BENCH_CLOCK_TAG, MPI_COMM_WORLD);
    }
}

/* One rank after the other: a rank that waits for its turn disturbs nobody. Done before each size,
 * because clocks drift apart by microseconds each second. */
static inline void bench_clock_synchronise(struct bench_clock *c, struct bench_world w)
{
    uint64_t trip_ns = 0, longest_ns = 0;
    for (int rank = 1; rank < w.size; rank++) {
        if (w.rank == 0) bench_clock_answer(rank);
        if (w.rank == rank) trip_ns = bench_clock_ask(c);
    }
    MPI_Allreduce(&trip_ns, &longest_ns, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    c->lead_ns = longest_ns * BENCH_CLOCK_LEAD_TRIPS;
}

/* All ranks go at the instant that rank 0 names. One that hears of it late goes at once, and its
 * lateness counts: it is the same for every library. */
static inline void bench_clock_go(const struct bench_clock *c, int rank)
{
    uint64_t start_ns = rank == 0 ? bench_now_ns() + c->lead_ns : 0;
    MPI_Bcast(&start_ns, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    while (bench_clock_shared_ns(c, bench_now_ns()) < start_ns) {}
}

#endif
