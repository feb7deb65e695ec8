/* What the MPI benchmarks share beyond bench.h. */
#ifndef DUNLIN_BENCH_MPI_H
#define DUNLIN_BENCH_MPI_H

#include "bench.h"
#include <mpi.h>

struct bench_world {
    int rank, size;
};

/* Starts MPI and ends the program, with a sentence, where there are fewer ranks than it needs. */
static inline struct bench_world bench_init(struct bench_options *o, int argc, char **argv,
                                            int ranks_least)
{
    struct bench_world w;
    bench_parse(o, argc, argv);
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &w.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w.size);
    if (w.size < ranks_least) {
        fprintf(stderr, "%s: it has %d rank(s) and needs %d; start it as `mpirun -n %d %s`\n",
                o->name, w.size, ranks_least, ranks_least, argv[0]);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return w;
}

/* Counts are int in MPI's oldest calls, which are what programs use. */
static inline int bench_count(size_t bytes)
{
    if (bytes > INT_MAX)
        bench_die("a message of %zu bytes is over the limit of %d", bytes, INT_MAX);
    return (int)bytes;
}

#endif
