/* Shared by the tests of collectives over shared memory: each runs the same calls with every way
 * in which Dunlin's ranks share data, which the first argument names. Other libraries ignore the
 * settings. */
#ifndef DUNLIN_TEST_SHM_COLL_H
#define DUNLIN_TEST_SHM_COLL_H

#include "coll.h"

enum {
    /* The first collectives of a communicator use messages. */
    SHM_COLL_AFTER = 3,
    /* Longer ones are tested with some roots only. */
    SHM_COLL_SHORT = 4096,
};

struct shm_coll_way {
    const char *name, *algorithms;
};

static const struct shm_coll_way shm_coll_ways[] = {
    {"default", ""},
    {"cico", "barrier=cico,bcast=cico,gather=cico,scatter=cico,"
              "allgather=cico,"
               "alltoall=cico,reduce=cico,allreduce=cico,reduce_scatter=cico,"
               "reduce_scatter_block=cico,scan=cico,exscan=cico,"
              "allgatherv=cico,"
               "gatherv=linear,scatterv=linear,alltoallv=linear"},
    {"partitioned", "barrier=cico_tree,reduce=cico_partitioned,"
              "allreduce=cico_partitioned"},
    {"single_copy", "bcast=single_copy,gather=single_copy,scatter=single_copy,"
              "allgather=single_copy,alltoall=single_copy,"
             "reduce=single_copy_partitioned,allreduce=single_copy_partitioned,"
              "reduce_scatter=single_copy,"
             "reduce_scatter_block=single_copy,scan=single_copy_partitioned,"
              "exscan=single_copy_partitioned,allgatherv=single_copy,"
             "gatherv=single_copy,scatterv=single_copy,alltoallv=single_copy"},
    {"pipelined", "bcast=cico_pipelined,allgather=cico_pipelined,"
              "gather=cico_pipelined,scatter=cico_pipelined,"
              "gatherv=cico_pipelined,scatterv=cico_pipelined,"
              "reduce=cico_pipelined,"
               "allreduce=cico_pipelined"},
    {"chains", "bcast=cico_pipelined,reduce=cico_chains,allreduce=cico_chains,"
              "scan=cico_linear,exscan=cico_linear"},
    {"tree", "barrier=cico_tree,bcast=cico_tree,"
              "reduce=cico_tree,allreduce=cico_tree"},
    {"levels", "barrier=cico_tree,allreduce=cico_levels"},
    {"put", "bcast=single_copy_put,allgather=single_copy_put,"
              "reduce=single_copy,allreduce=single_copy"},
};

/* Forces the algorithms of the way that the first argument names; the optional second one
 * selects how memory of another process is read. Must be called before MPI_Init. */
static inline void shm_coll_settings(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "default";
    const char *algorithms = NULL;
    for (size_t i = 0; i < sizeof shm_coll_ways / sizeof *shm_coll_ways; i++)
        if (!strcmp(way, shm_coll_ways[i].name))
            algorithms = shm_coll_ways[i].algorithms;
    CHECK(algorithms, "there is no way called '%s'", way);
    if (*algorithms)
        setenv("DUNLIN_COLL_ALGORITHM", algorithms, 1);
    /* Three levels on a machine that has none. */
    if (!strcmp(way, "tree") || !strcmp(way, "levels"))
        setenv("DUNLIN_DOMAINS", "2,4,6", 1);
    if (argc > 2)
        setenv("DUNLIN_CMA", argv[2], 1);
}

/* Enough collectives for the communicator to get shared memory. */
static inline void shm_coll_begin(MPI_Comm comm)
{
    for (int i = 0; i < SHM_COLL_AFTER; i++)
        TRY(MPI_Barrier(comm));
}

/* The root after `root`: all in turn, or, for long data, the first and the last two. */
static inline int shm_coll_next_root(int root, int count)
{
    return count > SHM_COLL_SHORT && root == 0 && test_size > 2 ? test_size - 2 : root + 1;
}

#endif
