/* What the tests of collectives over shared memory have in common: each runs the same calls with
 * every way in which Dunlin's ranks can show each other data, which the first argument names. The
 * settings mean nothing to other libraries. */
#ifndef DUNLIN_TEST_SHOWN_H
#define DUNLIN_TEST_SHOWN_H

#include "coll.h"

enum {
    /* A communicator's first collectives go by messages. */
    SHOWN_AFTER = 3,
    /* Longer ones are run with some roots only. */
    SHOWN_SHORT = 4096,
};

struct shown_way {
    const char *name, *algorithms;
};

static const struct shown_way shown_ways[] = {
    {"default", ""},
    {"posted", "barrier=posted,bcast=posted,gather=posted,scatter=posted,allgather=posted,"
               "alltoall=posted,reduce=posted,allreduce=posted,reduce_scatter=posted,"
               "reduce_scatter_block=posted,scan=posted,exscan=posted,allgatherv=posted,"
               "gatherv=linear,scatterv=linear,alltoallv=linear"},
    {"parts", "barrier=posted_tree,reduce=posted_parts,allreduce=posted_parts"},
    {"lent", "bcast=lent,gather=lent,scatter=lent,allgather=lent,alltoall=lent,"
             "reduce=lent_parts,allreduce=lent_parts,reduce_scatter=lent,"
             "reduce_scatter_block=lent,scan=lent_parts,exscan=lent_parts,allgatherv=lent,"
             "gatherv=lent,scatterv=lent,alltoallv=lent"},
    {"pieces", "bcast=posted_pieces,allgather=posted_pieces,reduce=posted_pieces,"
               "allreduce=posted_pieces"},
    {"chains", "bcast=posted_pieces,reduce=posted_chains,allreduce=posted_chains"},
    {"given", "bcast=lent_given,allgather=lent_given,reduce=lent,allreduce=lent"},
};

/* Forces the algorithms of the way that the first argument names; the second, if there is one, says
 * how memory of another process is read. To be called before MPI_Init. */
static inline void shown_settings(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "default";
    const char *algorithms = NULL;
    for (size_t i = 0; i < sizeof shown_ways / sizeof *shown_ways; i++)
        if (!strcmp(way, shown_ways[i].name))
            algorithms = shown_ways[i].algorithms;
    CHECK(algorithms, "there is no way called '%s'", way);
    if (*algorithms)
        setenv("DUNLIN_ALGORITHM", algorithms, 1);
    if (argc > 2)
        setenv("DUNLIN_CMA", argv[2], 1);
}

/* Collectives enough for a communicator to be given shared memory. */
static inline void shown_begin(MPI_Comm comm)
{
    for (int i = 0; i < SHOWN_AFTER; i++)
        TRY(MPI_Barrier(comm));
}

/* The root after `root`: all in turn, or, where the data is long, the first and the last two. */
static inline int shown_next_root(int root, int count)
{
    return count > SHOWN_SHORT && root == 0 && test_size > 2 ? test_size - 2 : root + 1;
}

#endif
