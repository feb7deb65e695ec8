/* The collective operations as a table: how each is called in its three modes (blocking,
 * nonblocking, persistent), and how much data it sends and receives. `bytes` is what the OSU
 * benchmarks mean by it: the whole vector of a broadcast or reduction, the block of one rank
 * otherwise. */
#ifndef DUNLIN_BENCH_COLLECTIVE_H
#define DUNLIN_BENCH_COLLECTIVE_H

#include "bench_layout.h"

enum { ROOT = 0 };

/* One call: buffers and counts are set once per size, the request while it runs. */
struct call {
    char *send, *recv;
    int count;            /* elements of a block */
    MPI_Datatype type;    /* of them */
    int doubles;          /* of a vector that is reduced */
    int pairs;            /* of a double and an int, in as many bytes */
    int *counts, *displs; /* of the v-operations, in elements; of reduce_scatter, in doubles */
    int *places;          /* of the blocks of alltoallw, in bytes */
    MPI_Datatype *types;  /* of them */
    MPI_Comm comm;
    MPI_Request request;
};

/* Who has how much: `one` block, one `each` rank, one per `neighbour` of a circle. */
enum amount { ONE, EACH, NEIGHBOUR };

struct operation {
    const char *name;
    enum amount sends, receives;
    void (*blocking)(struct call *);
    void (*start)(struct call *); /* nonblocking */
    void (*init)(struct call *);  /* persistent */
};

static void add_doubles(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const double *left = in;
    double *right = inout;
    (void)type;
    for (int i = 0; i < *count; i++) right[i] += left[i];
}

/* An operator that MPI does not know. */
static MPI_Op user_sum(void)
{
    static MPI_Op op = MPI_OP_NULL;
    if (op == MPI_OP_NULL) MPI_Op_create(add_doubles, 1, &op);
    return op;
}

/* The arguments before the communicator end with a comma, so that a barrier can have none. */
#define OPERATION_AS(own, name, Name, ...)                                                     \
    static void own##_blocking(struct call *c) { (void)c; MPI_##Name(__VA_ARGS__ c->comm); }   \
    static void own##_start(struct call *c)                                                    \
    {                                                                                          \
        MPI_I##name(__VA_ARGS__ c->comm, &c->request);                                         \
    }                                                                                          \
    static void own##_init(struct call *c)                                                     \
    {                                                                                          \
        MPI_##Name##_init(__VA_ARGS__ c->comm, MPI_INFO_NULL, &c->request);                    \
    }
#define OPERATION(name, Name, ...) OPERATION_AS(name, name, Name, __VA_ARGS__)

#define SEND c->send, c->count, c->type
#define RECV c->recv, c->count, c->type
#define SENDS c->send, c->counts, c->displs, c->type
#define RECVS c->recv, c->counts, c->displs, c->type

OPERATION(barrier, Barrier, )
OPERATION(bcast, Bcast, c->send, c->count, c->type, ROOT, )
OPERATION(reduce, Reduce, c->send, c->recv, c->doubles, MPI_DOUBLE, MPI_SUM, ROOT, )
OPERATION(allreduce, Allreduce, c->send, c->recv, c->doubles, MPI_DOUBLE, MPI_SUM, )
OPERATION_AS(allreduce_maxloc, allreduce, Allreduce, c->send, c->recv, c->pairs, MPI_DOUBLE_INT,
             MPI_MAXLOC, )
OPERATION_AS(allreduce_user_op, allreduce, Allreduce, c->send, c->recv, c->doubles, MPI_DOUBLE,
             user_sum(), )
OPERATION(allgather, Allgather, SEND, RECV, )
OPERATION(allgatherv, Allgatherv, SEND, RECVS, )
OPERATION(alltoall, Alltoall, SEND, RECV, )
OPERATION(alltoallv, Alltoallv, SENDS, RECVS, )
OPERATION(alltoallw, Alltoallw, c->send, c->counts, c->places, c->types, c->recv, c->counts,
          c->places, c->types, )
OPERATION(gather, Gather, SEND, RECV, ROOT, )
OPERATION(gatherv, Gatherv, SEND, RECVS, ROOT, )
OPERATION(scatter, Scatter, SEND, RECV, ROOT, )
OPERATION(scatterv, Scatterv, SENDS, RECV, ROOT, )
OPERATION(reduce_scatter, Reduce_scatter, c->send, c->recv, c->counts, MPI_DOUBLE, MPI_SUM, )
OPERATION(reduce_scatter_block, Reduce_scatter_block, c->send, c->recv, c->counts[0], MPI_DOUBLE,
          MPI_SUM, )
OPERATION(scan, Scan, c->send, c->recv, c->doubles, MPI_DOUBLE, MPI_SUM, )
OPERATION(exscan, Exscan, c->send, c->recv, c->doubles, MPI_DOUBLE, MPI_SUM, )
OPERATION(neighbor_allgather, Neighbor_allgather, SEND, RECV, )
OPERATION(neighbor_allgatherv, Neighbor_allgatherv, SEND, RECVS, )
OPERATION(neighbor_alltoall, Neighbor_alltoall, SEND, RECV, )
OPERATION(neighbor_alltoallv, Neighbor_alltoallv, SENDS, RECVS, )

#define ENTRY(name, sends, receives)                                                           \
    {                                                                                          \
        #name, sends, receives, name##_blocking, name##_start, name##_init                     \
    }

static const struct operation OPERATIONS[] = {
    ENTRY(barrier, ONE, ONE),
    ENTRY(bcast, ONE, ONE),
    ENTRY(reduce, ONE, ONE),
    ENTRY(allreduce, ONE, ONE),
    ENTRY(allreduce_maxloc, ONE, ONE),
    ENTRY(allreduce_user_op, ONE, ONE),
    ENTRY(allgather, ONE, EACH),
    ENTRY(allgatherv, ONE, EACH),
    ENTRY(alltoall, EACH, EACH),
    ENTRY(alltoallv, EACH, EACH),
    ENTRY(alltoallw, EACH, EACH),
    ENTRY(gather, ONE, EACH),
    ENTRY(gatherv, ONE, EACH),
    ENTRY(scatter, EACH, ONE),
    ENTRY(scatterv, EACH, ONE),
    ENTRY(reduce_scatter, ONE, ONE),
    ENTRY(reduce_scatter_block, ONE, ONE),
    ENTRY(scan, ONE, ONE),
    ENTRY(exscan, ONE, ONE),
    ENTRY(neighbor_allgather, ONE, NEIGHBOUR),
    ENTRY(neighbor_allgatherv, ONE, NEIGHBOUR),
    ENTRY(neighbor_alltoall, NEIGHBOUR, NEIGHBOUR),
    ENTRY(neighbor_alltoallv, NEIGHBOUR, NEIGHBOUR),
};
enum { OPERATION_COUNT = sizeof OPERATIONS / sizeof OPERATIONS[0] };

#endif
