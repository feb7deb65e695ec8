/* Counts whose product with a size or an extent overflows, in every function that takes large
 * counts: an error with a fitting class, and nothing is sent, received, written or begun. The
 * argument selects the calls to make, all by default: then a fault of one does not hide others. */
/* ranks: 2 */
/* timeout: 120 */
#include "harness.h"

#define MANY ((MPI_Count)1 << 61)
#define HALF ((MPI_Count)1 << 60)

enum { TAG = 9, PLACES = 16 };

static double data[64], more[64];
static MPI_Comm world;
static MPI_Request request;
static MPI_Status status;
static MPI_Message message;
static MPI_Datatype pair, types[PLACES];
static MPI_Count many[PLACES], far_counts[PLACES];
static MPI_Aint near[PLACES], far[PLACES];
static MPI_Op op;
static int peer, failures;
static const char *only;

static void add(void *in, void *inout, MPI_Count *len, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)len, (void)type;
    CHECK(false, "an operator is called for elements that cannot be");
}

/* The call must fail, with an error class about a value that is too large. */
#define REFUSED(call)                                                                             \
    do {                                                                                          \
        if (only && strncmp(#call, only, strlen(only)))                                           \
            break;                                                                                \
        int test_seen = test_class(call);                                                         \
        if (test_seen != MPI_ERR_COUNT && test_seen != MPI_ERR_ARG &&                             \
            test_seen != MPI_ERR_VALUE_TOO_LARGE && test_seen != MPI_ERR_TYPE) {                  \
            failures++;                                                                           \
            printf("rank %d: %s gives class %d\n", test_rank, #call, test_seen);                  \
            fflush(stdout);                                                                       \
        }                                                                                         \
    } while (0)

static void sends(MPI_Count n, MPI_Datatype type)
{
    REFUSED(MPI_Send_c(data, n, type, peer, TAG, world));
    REFUSED(MPI_Ssend_c(data, n, type, peer, TAG, world));
    REFUSED(MPI_Rsend_c(data, n, type, peer, TAG, world));
    REFUSED(MPI_Bsend_c(data, n, type, peer, TAG, world));
    REFUSED(MPI_Isend_c(data, n, type, peer, TAG, world, &request));
    REFUSED(MPI_Issend_c(data, n, type, peer, TAG, world, &request));
    REFUSED(MPI_Irsend_c(data, n, type, peer, TAG, world, &request));
    REFUSED(MPI_Ibsend_c(data, n, type, peer, TAG, world, &request));
    REFUSED(MPI_Send_init_c(data, n, type, peer, TAG, world, &request));
    REFUSED(MPI_Ssend_init_c(data, n, type, peer, TAG, world, &request));
    REFUSED(MPI_Rsend_init_c(data, n, type, peer, TAG, world, &request));
    REFUSED(MPI_Bsend_init_c(data, n, type, peer, TAG, world, &request));
    REFUSED(MPI_Psend_init(data, 1, n, type, peer, TAG, world, MPI_INFO_NULL, &request));
    REFUSED(MPI_Psend_init(data, 1 << 30, 1ll << 33, type, peer, TAG, world, MPI_INFO_NULL,
                           &request));
}

static void receives(MPI_Count n, MPI_Datatype type)
{
    REFUSED(MPI_Recv_c(data, n, type, peer, TAG, world, &status));
    REFUSED(MPI_Irecv_c(data, n, type, peer, TAG, world, &request));
    REFUSED(MPI_Recv_init_c(data, n, type, peer, TAG, world, &request));
    REFUSED(MPI_Precv_init(data, 1, n, type, peer, TAG, world, MPI_INFO_NULL, &request));
    REFUSED(MPI_Sendrecv_c(data, n, type, peer, TAG, more, 1, type, peer, TAG, world, &status));
    REFUSED(MPI_Sendrecv_c(data, 1, type, peer, TAG, more, n, type, peer, TAG, world, &status));
    REFUSED(MPI_Sendrecv_replace_c(data, n, type, peer, TAG, peer, TAG, world, &status));
    REFUSED(MPI_Isendrecv_c(data, n, type, peer, TAG, more, 1, type, peer, TAG, world, &request));
    REFUSED(MPI_Isendrecv_c(data, 1, type, peer, TAG, more, n, type, peer, TAG, world, &request));
    REFUSED(MPI_Isendrecv_replace_c(data, n, type, peer, TAG, peer, TAG, world, &request));
    TRY(MPI_Send(data, 1, MPI_DOUBLE, 0, TAG, MPI_COMM_SELF));
    TRY(MPI_Mprobe(0, TAG, MPI_COMM_SELF, &message, &status));
    REFUSED(MPI_Mrecv_c(data, n, type, &message, &status));
    REFUSED(MPI_Imrecv_c(data, n, type, &message, &request));
    TRY(MPI_Mrecv(more, 1, MPI_DOUBLE, &message, &status));
}

/* A collective in its three forms. */
#define THREE(now, begin, init, ...)                                                              \
    do {                                                                                          \
        REFUSED(now(__VA_ARGS__, world));                                                         \
        REFUSED(begin(__VA_ARGS__, world, &request));                                             \
        REFUSED(init(__VA_ARGS__, world, MPI_INFO_NULL, &request));                               \
    } while (0)

static void whole(MPI_Count n, MPI_Datatype type, MPI_Op op)
{
    THREE(MPI_Reduce_c, MPI_Ireduce_c, MPI_Reduce_init_c, data, more, n, type, op, 0);
    THREE(MPI_Allreduce_c, MPI_Iallreduce_c, MPI_Allreduce_init_c, data, more, n, type, op);
    THREE(MPI_Allreduce_c, MPI_Iallreduce_c, MPI_Allreduce_init_c, MPI_IN_PLACE, more, n, type, op);
    THREE(MPI_Scan_c, MPI_Iscan_c, MPI_Scan_init_c, data, more, n, type, op);
    THREE(MPI_Exscan_c, MPI_Iexscan_c, MPI_Exscan_init_c, data, more, n, type, op);
    THREE(MPI_Reduce_scatter_block_c, MPI_Ireduce_scatter_block_c, MPI_Reduce_scatter_block_init_c,
          data, more, n, type, op);
    THREE(MPI_Reduce_scatter_c, MPI_Ireduce_scatter_c, MPI_Reduce_scatter_init_c, data, more, many,
          type, op);
    REFUSED(MPI_Reduce_local_c(data, more, n, type, op));
}

static void blocks(MPI_Count n, MPI_Datatype type)
{
    bool root = test_rank == 0;
    THREE(MPI_Bcast_c, MPI_Ibcast_c, MPI_Bcast_init_c, data, n, type, 0);
    if (root) {
        THREE(MPI_Gather_c, MPI_Igather_c, MPI_Gather_init_c, data, 1, type, more, n, type, 0);
        THREE(MPI_Scatter_c, MPI_Iscatter_c, MPI_Scatter_init_c, data, n, type, more, 1, type, 0);
    } else {
        THREE(MPI_Gather_c, MPI_Igather_c, MPI_Gather_init_c, data, n, type, more, 1, type, 0);
        THREE(MPI_Scatter_c, MPI_Iscatter_c, MPI_Scatter_init_c, data, 1, type, more, n, type, 0);
    }
    THREE(MPI_Allgather_c, MPI_Iallgather_c, MPI_Allgather_init_c, data, n, type, more, n, type);
    THREE(MPI_Allgather_c, MPI_Iallgather_c, MPI_Allgather_init_c, MPI_IN_PLACE, 0, type, more, n,
          type);
    THREE(MPI_Alltoall_c, MPI_Ialltoall_c, MPI_Alltoall_init_c, data, n, type, more, n, type);
    THREE(MPI_Neighbor_allgather_c, MPI_Ineighbor_allgather_c, MPI_Neighbor_allgather_init_c, data,
          n, type, more, n, type);
    THREE(MPI_Neighbor_alltoall_c, MPI_Ineighbor_alltoall_c, MPI_Neighbor_alltoall_init_c, data, n,
          type, more, n, type);
}

/* With counts and with displacements that are too large. */
static void irregular(const MPI_Count *n, const MPI_Aint *at, MPI_Datatype type)
{
    if (test_rank == 0) {
        THREE(MPI_Gatherv_c, MPI_Igatherv_c, MPI_Gatherv_init_c, data, 1, type, more, n, at, type,
              0);
        THREE(MPI_Scatterv_c, MPI_Iscatterv_c, MPI_Scatterv_init_c, data, n, at, type, more, 1,
              type, 0);
    }
    THREE(MPI_Allgatherv_c, MPI_Iallgatherv_c, MPI_Allgatherv_init_c, data, 1, type, more, n, at,
          type);
    THREE(MPI_Alltoallv_c, MPI_Ialltoallv_c, MPI_Alltoallv_init_c, data, n, at, type, more, n, at,
          type);
    THREE(MPI_Alltoallv_c, MPI_Ialltoallv_c, MPI_Alltoallv_init_c, MPI_IN_PLACE, n, at, type, more,
          n, at, type);
    THREE(MPI_Neighbor_allgatherv_c, MPI_Ineighbor_allgatherv_c, MPI_Neighbor_allgatherv_init_c,
          data, 1, type, more, n, at, type);
    THREE(MPI_Neighbor_alltoallv_c, MPI_Ineighbor_alltoallv_c, MPI_Neighbor_alltoallv_init_c, data,
          n, at, type, more, n, at, type);
}

static void varied(void)
{
    THREE(MPI_Alltoallw_c, MPI_Ialltoallw_c, MPI_Alltoallw_init_c, data, many, near, types, more,
          many, near, types);
    THREE(MPI_Alltoallw_c, MPI_Ialltoallw_c, MPI_Alltoallw_init_c, MPI_IN_PLACE, many, near, types,
          more, many, near, types);
    THREE(MPI_Neighbor_alltoallw_c, MPI_Ineighbor_alltoallw_c, MPI_Neighbor_alltoallw_init_c, data,
          many, near, types, more, many, near, types);
}

static void packing(MPI_Count n, MPI_Datatype type)
{
    MPI_Count at = 0;
    REFUSED(MPI_Pack_c(data, n, type, more, sizeof more, &at, world));
    REFUSED(MPI_Unpack_c(more, sizeof more, &at, data, n, type, world));
    REFUSED(MPI_Pack_external_c("external32", data, n, type, more, sizeof more, &at));
    REFUSED(MPI_Unpack_external_c("external32", more, sizeof more, &at, data, n, type));
    CHECK(at == 0, "the position is %lld", (long long)at);
}

/* A result that does not fit is MPI_UNDEFINED. */
static void sizes(void)
{
    MPI_Count size = 0;
    int small = 0;
    MPI_Datatype large;
    TRY(MPI_Pack_size_c(MANY, MPI_DOUBLE, world, &size));
    CHECK(size == MPI_UNDEFINED, "MPI_Pack_size_c gives %lld", (long long)size);
    TRY(MPI_Pack_external_size_c("external32", MANY, MPI_DOUBLE, &size));
    CHECK(size == MPI_UNDEFINED, "MPI_Pack_external_size_c gives %lld", (long long)size);
    TRY(MPI_Pack_size(INT32_MAX, MPI_DOUBLE, world, &small));
    CHECK(small == MPI_UNDEFINED, "MPI_Pack_size gives %d", small);
    TRY(MPI_Type_contiguous(INT32_MAX, MPI_DOUBLE, &large));
    TRY(MPI_Type_size(large, &small));
    CHECK(small == MPI_UNDEFINED, "MPI_Type_size of 2^34 bytes gives %d", small);
    TRY(MPI_Type_size_c(large, &size));
    CHECK(size == INT32_MAX * 8ll, "MPI_Type_size_c gives %lld", (long long)size);
    TRY(MPI_Type_size_x(large, &size));
    CHECK(size == INT32_MAX * 8ll, "MPI_Type_size_x gives %lld", (long long)size);
    TRY(MPI_Status_set_elements_c(&status, MPI_BYTE, 1ll << 40));
    TRY(MPI_Get_count(&status, MPI_BYTE, &small));
    CHECK(small == MPI_UNDEFINED, "MPI_Get_count of 2^40 gives %d", small);
    TRY(MPI_Get_elements(&status, MPI_BYTE, &small));
    CHECK(small == MPI_UNDEFINED, "MPI_Get_elements of 2^40 gives %d", small);
    TRY(MPI_Get_count_c(&status, MPI_BYTE, &size));
    CHECK(size == 1ll << 40, "MPI_Get_count_c gives %lld", (long long)size);
    REFUSED(MPI_Status_set_elements_c(&status, MPI_DOUBLE, MANY));
    REFUSED(MPI_Status_set_elements_x(&status, MPI_DOUBLE, MANY));
    REFUSED(MPI_Status_set_elements_c(&status, MPI_BYTE, -1));
    TRY(MPI_Type_free(&large));
}

static void constructors(void)
{
    const MPI_Count lengths[] = {MANY, 1}, at[] = {0, MANY}, ones[] = {1, 1}, all[] = {MANY, 2};
    const int blocked[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE};
    const int args[] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG}, grid[] = {1, 1};
    const MPI_Count zeros[] = {0, 0};
    MPI_Datatype made, d = MPI_DOUBLE;
    REFUSED(MPI_Type_contiguous_c(MANY, d, &made));
    REFUSED(MPI_Type_vector_c(MANY, 1, 1, d, &made));
    REFUSED(MPI_Type_vector_c(2, MANY, 1, d, &made));
    REFUSED(MPI_Type_vector_c(2, 1, MANY, d, &made));
    REFUSED(MPI_Type_create_hvector_c(MANY, 1, 8, d, &made));
    REFUSED(MPI_Type_create_hvector_c(4, 1, MANY, d, &made));
    REFUSED(MPI_Type_indexed_c(2, lengths, zeros, d, &made));
    REFUSED(MPI_Type_indexed_c(2, ones, at, d, &made));
    REFUSED(MPI_Type_create_hindexed_c(2, lengths, zeros, d, &made));
    REFUSED(MPI_Type_create_indexed_block_c(2, MANY, zeros, d, &made));
    REFUSED(MPI_Type_create_indexed_block_c(2, 1, at, d, &made));
    REFUSED(MPI_Type_create_hindexed_block_c(2, MANY, zeros, d, &made));
    REFUSED(MPI_Type_create_struct_c(2, lengths, zeros, types, &made));
    REFUSED(MPI_Type_create_subarray_c(2, all, all, zeros, MPI_ORDER_C, d, &made));
    REFUSED(MPI_Type_create_darray_c(1, 0, 2, all, blocked, args, grid, MPI_ORDER_C, d, &made));
    REFUSED(MPI_Type_create_resized_c(d, INT64_MAX, INT64_MAX, &made));
    REFUSED(MPI_Type_create_resized_c(d, INT64_MIN, INT64_MIN, &made));
}

/* The forms for large counts return sizes beyond an int exactly; the others never return a
 * smaller number. */
static void extents(void)
{
    const MPI_Count wide = 1ll << 40, count = 1ll << 33;
    MPI_Datatype type, large;
    MPI_Count lb = 0, extent = 0, elements = 0, integers = 0, addresses = 0, counts = 0, types = 0;
    int combiner = 0, ints = 0, aints = 0, kinds = 0;
    TRY(MPI_Type_create_resized_c(MPI_DOUBLE, -wide, 2 * wide, &type));
    TRY(MPI_Type_get_extent_c(type, &lb, &extent));
    CHECK(lb == -wide && extent == 2 * wide, "MPI_Type_get_extent_c gives %lld, %lld",
          (long long)lb, (long long)extent);
    TRY(MPI_Type_get_true_extent_c(type, &lb, &extent));
    CHECK(lb == 0 && extent == 8, "MPI_Type_get_true_extent_c gives %lld, %lld", (long long)lb,
          (long long)extent);
    REFUSED(MPI_Type_contiguous_c(INT64_MAX / wide, type, &large));
    TRY(MPI_Type_contiguous_c(count, MPI_CHAR, &large));
    TRY(MPI_Type_get_envelope_c(large, &integers, &addresses, &counts, &types, &combiner));
    CHECK(counts == 1, "MPI_Type_get_envelope_c gives %lld large counts", (long long)counts);
    REFUSED(MPI_Type_get_envelope(large, &ints, &aints, &kinds, &combiner));
    TRY(MPI_Status_set_elements_c(&status, MPI_DOUBLE, count));
    TRY(MPI_Get_elements_c(&status, MPI_DOUBLE, &elements));
    CHECK(elements == count, "MPI_Get_elements_c gives %lld", (long long)elements);
    TRY(MPI_Type_free(&large));
    TRY(MPI_Type_free(&type));
}

/* The buffers that are attached here are not used. */
static void spaces(void)
{
    static char space[4096];
    MPI_Session session;
    void *detached = NULL;
    MPI_Count size = 0;
    int small = 0;
    TRY(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    REFUSED(MPI_Comm_attach_buffer_c(world, space, -1));
    REFUSED(MPI_Session_attach_buffer_c(session, space, -1));
    REFUSED(MPI_Buffer_attach_c(space, INT64_MIN));
    TRY(MPI_Comm_attach_buffer_c(world, space, 1ll << 40));
    TRY(MPI_Comm_detach_buffer(world, &detached, &small));
    CHECK(detached == space && small == MPI_UNDEFINED, "MPI_Comm_detach_buffer gives %d", small);
    TRY(MPI_Session_attach_buffer_c(session, space, 1ll << 40));
    TRY(MPI_Session_detach_buffer_c(session, &detached, &size));
    CHECK(detached == space && size == 1ll << 40, "MPI_Session_detach_buffer_c gives %lld",
          (long long)size);
    TRY(MPI_Session_finalize(&session));
}

/* The failed calls have left no effect. */
static void nothing_happened(void)
{
    int flag = -1;
    double one = 1, sum = 0;
    TRY(MPI_Barrier(world));
    TRY(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, world, &flag, &status));
    CHECK(!flag, "a call that was refused has sent a message");
    TRY(MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, world));
    CHECK(sum == test_size, "the sum is %g", sum);
}

static void all_of(MPI_Count n, MPI_Datatype type)
{
    sends(n, type);
    receives(n, type);
    whole(n, type, type == MPI_DOUBLE ? MPI_SUM : op);
    blocks(n, type);
    packing(n, type);
}

int main(int argc, char **argv)
{
    static char space[4096];
    const int period = 1;
    test_start(&argc, &argv);
    test_need_ranks(2);
    only = argc > 1 ? argv[1] : NULL;
    peer = test_rank ^ 1;
    TRY(MPI_Cart_create(MPI_COMM_WORLD, 1, &test_size, &period, 0, &world));
    TRY(MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN));
    TRY(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    TRY(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    TRY(MPI_Op_create_c(add, 1, &op));
    TRY(MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &pair));
    TRY(MPI_Type_commit(&pair));
    TRY(MPI_Buffer_attach(space, sizeof space));
    for (int i = 0; i < PLACES; i++) {
        many[i] = MANY;
        far_counts[i] = 1;
        far[i] = (MPI_Aint)(i % 2 ? MANY : -MANY);
        types[i] = i % 2 ? MPI_DOUBLE : pair;
    }
    all_of(MANY, MPI_DOUBLE);
    all_of(HALF, MPI_DOUBLE);
    all_of(MANY, pair);
    all_of(HALF, pair);
    irregular(many, near, MPI_DOUBLE);
    irregular(many, near, pair);
    irregular(far_counts, far, MPI_DOUBLE);
    irregular(far_counts, far, pair);
    varied();
    sizes();
    constructors();
    extents();
    spaces();
    CHECK(!failures, "%d calls were not refused", failures);
    nothing_happened();
    int size;
    void *detached;
    TRY(MPI_Buffer_detach(&detached, &size));
    TRY(MPI_Type_free(&pair));
    TRY(MPI_Op_free(&op));
    TRY(MPI_Comm_free(&world));
    test_finish();
    return 0;
}
