/* The calls that only ask: sizes of datatypes, ranks, counts of a status, attributes, the clock;
 * and those that have nobody to talk to: collectives of one process, a local reduction, messages
 * from and to nobody.
 * Programs and libraries make them in their innermost loops and expect them to cost nothing. One
 * process; nanoseconds per call. */
#include "bench_mpi.h"

enum { ROUND_CALLS = 1000 };

static const struct bench_column COLUMNS[] = {
    {"median_ns", "Median (ns)", 2}, {"min_ns", "Min (ns)", 2}, {NULL, NULL, 0},
};

/* What the calls ask about, and where the answers go. */
static struct {
    MPI_Datatype structure;
    MPI_Comm comm, grid;
    MPI_Group group;
    MPI_Status status;
    int keyval, type_keyval, attribute;
} it;

static int number, other, zero;
static MPI_Group made;
static MPI_Aint lb, extent;
static MPI_Count large, large_extent;
static void *value;
static double seconds, sent[2], received[2];
static MPI_Request request;
static char name_of_host[MPI_MAX_PROCESSOR_NAME];

/* A named round of calls. */
#define CALL(name, ...)                                                                        \
    static void name(void)                                                                     \
    {                                                                                          \
        for (int i = 0; i < ROUND_CALLS; i++) __VA_ARGS__;                                     \
    }

CALL(type_size, MPI_Type_size(MPI_DOUBLE, &number))
CALL(type_size_x, MPI_Type_size_x(MPI_DOUBLE, &large))
CALL(type_get_extent, MPI_Type_get_extent(MPI_DOUBLE, &lb, &extent))
CALL(type_get_extent_x, MPI_Type_get_extent_x(MPI_DOUBLE, &large, &large_extent))
CALL(type_get_true_extent, MPI_Type_get_true_extent(MPI_DOUBLE, &lb, &extent))
CALL(type_size_struct, MPI_Type_size(it.structure, &number))
CALL(type_size_x_struct, MPI_Type_size_x(it.structure, &large))
CALL(type_get_extent_struct, MPI_Type_get_extent(it.structure, &lb, &extent))
CALL(type_get_true_extent_struct, MPI_Type_get_true_extent(it.structure, &lb, &extent))
CALL(type_get_attr_struct, MPI_Type_get_attr(it.structure, it.type_keyval, &value, &other))
CALL(pack_size, MPI_Pack_size(3, MPI_DOUBLE, MPI_COMM_WORLD, &number))
CALL(pack_size_struct, MPI_Pack_size(3, it.structure, MPI_COMM_WORLD, &number))
CALL(get_count, MPI_Get_count(&it.status, MPI_DOUBLE, &number))
CALL(get_count_struct, MPI_Get_count(&it.status, it.structure, &number))
CALL(get_elements, MPI_Get_elements(&it.status, MPI_DOUBLE, &number))
CALL(get_elements_struct, MPI_Get_elements(&it.status, it.structure, &number))
CALL(comm_rank, MPI_Comm_rank(MPI_COMM_WORLD, &number))
CALL(comm_size, MPI_Comm_size(MPI_COMM_WORLD, &number))
CALL(comm_rank_dup, MPI_Comm_rank(it.comm, &number))
CALL(comm_size_dup, MPI_Comm_size(it.comm, &number))
CALL(comm_test_inter, MPI_Comm_test_inter(it.comm, &number))
CALL(comm_get_attr_tag_ub, MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &other))
CALL(comm_get_attr, MPI_Comm_get_attr(it.comm, it.keyval, &value, &other))
CALL(topo_test, MPI_Topo_test(it.comm, &number))
CALL(cart_shift, MPI_Cart_shift(it.grid, 0, 1, &number, &other))
CALL(cart_coords, MPI_Cart_coords(it.grid, 0, 1, &number))
CALL(cart_rank, MPI_Cart_rank(it.grid, &zero, &number))
CALL(comm_group, { MPI_Comm_group(it.comm, &made); MPI_Group_free(&made); })
CALL(group_size, MPI_Group_size(it.group, &number))
CALL(group_rank, MPI_Group_rank(it.group, &number))
CALL(initialized, MPI_Initialized(&number))
CALL(finalized, MPI_Finalized(&number))
CALL(query_thread, MPI_Query_thread(&number))
CALL(is_thread_main, MPI_Is_thread_main(&number))
CALL(get_address, MPI_Get_address(&it, &lb))
CALL(wtime, seconds = MPI_Wtime())
CALL(error_class, MPI_Error_class(MPI_ERR_TYPE, &number))
CALL(test_cancelled, MPI_Test_cancelled(&it.status, &number))

CALL(get_processor_name, MPI_Get_processor_name(name_of_host, &number))
CALL(self_barrier, MPI_Barrier(MPI_COMM_SELF))
CALL(self_bcast, MPI_Bcast(sent, 1, MPI_DOUBLE, 0, MPI_COMM_SELF))
CALL(self_allreduce, MPI_Allreduce(sent, received, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF))
CALL(self_gather, MPI_Gather(sent, 1, MPI_DOUBLE, received, 1, MPI_DOUBLE, 0, MPI_COMM_SELF))
CALL(self_alltoall, MPI_Alltoall(sent, 1, MPI_DOUBLE, received, 1, MPI_DOUBLE, MPI_COMM_SELF))
CALL(reduce_local, MPI_Reduce_local(sent, received, 1, MPI_DOUBLE, MPI_SUM))
CALL(reduce_local_maxloc, MPI_Reduce_local(sent, received, 1, MPI_DOUBLE_INT, MPI_MAXLOC))
CALL(self_sendrecv, MPI_Sendrecv(sent, 1, MPI_DOUBLE, 0, 0, received, 1, MPI_DOUBLE, 0, 0,
                                 MPI_COMM_SELF, &it.status))
CALL(null_send, MPI_Send(sent, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_SELF))
CALL(null_recv, MPI_Recv(received, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &it.status))
CALL(null_ssend, MPI_Ssend(sent, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_SELF))
CALL(null_sendrecv, MPI_Sendrecv(sent, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, received, 1, MPI_DOUBLE,
                                 MPI_PROC_NULL, 0, MPI_COMM_SELF, &it.status))
CALL(null_isend_wait, {
    MPI_Isend(sent, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request);
    MPI_Wait(&request, &it.status);
})
CALL(null_irecv_wait, {
    MPI_Irecv(received, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request);
    MPI_Wait(&request, &it.status);
})

CALL(cancelled_receive, {
    MPI_Irecv(received, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &it.status);
})

#define ENTRY(name) {#name, name}

static const struct {
    const char *name;
    void (*round)(void);
} CALLS[] = {
    ENTRY(type_size), ENTRY(type_size_x), ENTRY(type_get_extent), ENTRY(type_get_extent_x),
    ENTRY(type_get_true_extent), ENTRY(type_size_struct), ENTRY(type_size_x_struct),
    ENTRY(type_get_extent_struct), ENTRY(type_get_true_extent_struct),
    ENTRY(type_get_attr_struct), ENTRY(pack_size), ENTRY(pack_size_struct), ENTRY(get_count),
    ENTRY(get_count_struct), ENTRY(get_elements), ENTRY(get_elements_struct), ENTRY(comm_rank),
    ENTRY(comm_size), ENTRY(comm_rank_dup), ENTRY(comm_size_dup), ENTRY(comm_test_inter),
    ENTRY(comm_get_attr_tag_ub), ENTRY(comm_get_attr), ENTRY(topo_test), ENTRY(cart_shift),
    ENTRY(cart_coords), ENTRY(cart_rank), ENTRY(comm_group), ENTRY(group_size), ENTRY(group_rank),
    ENTRY(initialized), ENTRY(finalized), ENTRY(query_thread),
    ENTRY(is_thread_main), ENTRY(get_address), ENTRY(wtime), ENTRY(error_class),
    ENTRY(test_cancelled), ENTRY(get_processor_name), ENTRY(self_barrier), ENTRY(self_bcast),
    ENTRY(self_allreduce), ENTRY(self_gather), ENTRY(self_alltoall), ENTRY(reduce_local),
    ENTRY(reduce_local_maxloc), ENTRY(self_sendrecv), ENTRY(null_send), ENTRY(null_recv),
    ENTRY(null_ssend), ENTRY(null_sendrecv), ENTRY(null_isend_wait), ENTRY(null_irecv_wait),
    ENTRY(cancelled_receive),
};
enum { CALL_COUNT = sizeof CALLS / sizeof CALLS[0] };

static void prepare(void)
{
    int lengths[] = {4, 8};
    MPI_Aint places[] = {0, 16};
    MPI_Datatype parts[] = {MPI_INT, MPI_DOUBLE};
    MPI_Type_create_struct(2, lengths, places, parts, &it.structure);
    MPI_Type_commit(&it.structure);
    MPI_Comm_dup(MPI_COMM_WORLD, &it.comm);
    MPI_Comm_group(it.comm, &it.group);
    int ranks, periodic = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &it.grid);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &it.keyval, NULL);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &it.type_keyval, NULL);
    MPI_Comm_set_attr(it.comm, it.keyval, &it.attribute);
    MPI_Type_set_attr(it.structure, it.type_keyval, &it.attribute);
    MPI_Sendrecv(sent, 1, MPI_DOUBLE, 0, 0, received, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF,
                 &it.status);
}

static void forget(void)
{
    MPI_Comm_free_keyval(&it.keyval);
    MPI_Type_free_keyval(&it.type_keyval);
    MPI_Group_free(&it.group);
    MPI_Comm_free(&it.grid);
    MPI_Comm_free(&it.comm);
    MPI_Type_free(&it.structure);
}

int main(int argc, char **argv)
{
    struct bench_options o = {.name = "inquiries", .about = "calls that need nobody else",
                              .iterations = 200, .warmup = 20, .window = 1, .rotate = 1};
    bench_init(&o, argc, argv, 1);
    prepare();
    double *samples_ns = bench_samples(o.iterations);
    for (int call = 0; call < CALL_COUNT; call++) {
        o.name = o.about = CALLS[call].name;
        bench_header(&o, COLUMNS);
        for (long i = -o.warmup; i < o.iterations; i++) {
            uint64_t before_ns = bench_now_ns();
            CALLS[call].round();
            uint64_t spent_ns = bench_now_ns() - before_ns;
            if (i >= 0) samples_ns[i] = (double)spent_ns / ROUND_CALLS;
        }
        struct bench_stats s = bench_summary(samples_ns, o.iterations);
        bench_row(&o, COLUMNS, 0, (double[]){s.median, s.min});
    }
    free(samples_ns);
    forget();
    MPI_Finalize();
    return 0;
}
