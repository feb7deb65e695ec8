/* What the MPI benchmarks share beyond bench.h: the beginning, and how many iterations fit into the
 * time that is given, on which all ranks agree. */
#ifndef DUNLIN_BENCH_MPI_H
#define DUNLIN_BENCH_MPI_H

#include "bench_output.h"
#include "bench_placement.h"
#include <mpi.h>

/* A median of fewer says nothing; also where one operation of a spinning library takes 20 ms. */
enum { BENCH_ITERATIONS_LEAST = 5 };
/* The part of the budget that the warm-up may take. */
enum { BENCH_WARMUP_PART = 4 };

struct bench_world {
    int rank, size;
};

/* After MPI_Init: a library that looks at its cores in MPI_Init sees what its launcher gave it. */
static inline struct bench_world bench_join(const struct bench_options *o, const char *program,
                                            int ranks_least)
{
    struct bench_world w;
    MPI_Comm_rank(MPI_COMM_WORLD, &w.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w.size);
    if (w.size < ranks_least) {
        fprintf(stderr, "%s: it has %d rank(s) and needs %d; start it as `mpirun -n %d %s`\n",
                o->name, w.size, ranks_least, ranks_least, program);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    int usable = bench_usable_cores();
    if (o->pin) bench_pin(bench_local_rank(w.rank, w.size));
    if (o->placement) bench_tell_placement(w.rank, w.size, usable);
    return w;
}

/* Starts MPI and ends the program, with a sentence, where there are fewer ranks than it needs. */
static inline struct bench_world bench_init(struct bench_options *o, int argc, char **argv,
                                            int ranks_least)
{
    bench_parse(o, argc, argv);
    MPI_Init(NULL, NULL);
    return bench_join(o, argv[0], ranks_least);
}

/* Counts are int in MPI's oldest calls, which are what programs use. */
static inline int bench_count(size_t bytes)
{
    if (bytes > INT_MAX)
        bench_die("a message of %zu bytes is over the limit of %d", bytes, INT_MAX);
    return (int)bytes;
}

/* Bytes between two buffers that are used in turn: whole pages, so that all lie alike. */
static inline size_t bench_stride(size_t bytes)
{
    return (bytes / BENCH_ALIGN + 1) * BENCH_ALIGN;
}

/* Iterations that fit into the budget when one takes `each_ns`. */
static inline long bench_fitting(const struct bench_options *o, double each_ns)
{
    if (o->budget_ms == 0) return o->iterations;
    double fitting = (double)o->budget_ms * 1e6 / (each_ns + 1.0);
    if (fitting < BENCH_ITERATIONS_LEAST) fitting = BENCH_ITERATIONS_LEAST;
    return fitting < (double)o->iterations ? (long)fitting : o->iterations;
}

/* Warms up with growing batches of `once`, and returns how many measured iterations fit into the
 * budget. All ranks call it and get the same answer: rank 0 looks at the clock and tells the
 * others. A batch ends with a barrier, or a rank that only sends would see its own part alone. */
static inline long bench_warm(const struct bench_options *o, void (*once)(void *, long),
                              void *context)
{
    double limit_ns = (double)o->budget_ms * 1e6 / BENCH_WARMUP_PART;
    uint64_t began_ns = bench_now_ns();
    long plan[2] = {1, o->iterations}; /* the next batch, and what fits */
    for (long done = 0; plan[0] > 0;) {
        uint64_t batch_ns = bench_now_ns();
        for (long i = 0; i < plan[0]; i++) once(context, done + i);
        MPI_Barrier(MPI_COMM_WORLD);
        uint64_t now_ns = bench_now_ns();
        done += plan[0];
        plan[1] = bench_fitting(o, (double)(now_ns - batch_ns) / (double)plan[0]);
        bool late = limit_ns > 0 && (double)(now_ns - began_ns) > limit_ns;
        plan[0] = late || done >= o->warmup ? 0 : done < o->warmup - done ? done : o->warmup - done;
        MPI_Bcast(plan, 2, MPI_LONG, 0, MPI_COMM_WORLD);
    }
    return plan[1];
}

#endif
