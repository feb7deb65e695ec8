/* Collectives of a communicator of one process, which take a way of their own: each against what
 * the standard says, with every kind of buffer, in place, and with mistakes. */
/* ranks: 1 2 */
#include "harness.h"

enum { N = 5 };

static int from[N], into[N];

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        from[i] = 10 * test_rank + i + 1;
        into[i] = -1;
    }
}

static void expect(const char *what, int copied)
{
    for (int i = 0; i < N; i++) {
        int there = i < copied ? from[i] : -1;
        CHECK(into[i] == there, "%s: element %d is %d, not %d", what, i, into[i], there);
        CHECK(from[i] == 10 * test_rank + i + 1, "%s: element %d of its input is %d", what, i,
              from[i]);
    }
    fill();
}

static void equal_blocks(MPI_Comm comm)
{
    TRY(MPI_Barrier(comm));
    TRY(MPI_Bcast(from, N, MPI_INT, 0, comm));
    expect("bcast", 0);
    TRY(MPI_Gather(from, N, MPI_INT, into, N, MPI_INT, 0, comm));
    expect("gather", N);
    TRY(MPI_Gather(MPI_IN_PLACE, 0, MPI_INT, into, N, MPI_INT, 0, comm));
    expect("gather in place", 0);
    TRY(MPI_Scatter(from, N, MPI_INT, into, N, MPI_INT, 0, comm));
    expect("scatter", N);
    TRY(MPI_Scatter(from, N, MPI_INT, MPI_IN_PLACE, 0, MPI_INT, 0, comm));
    expect("scatter in place", 0);
    TRY(MPI_Allgather(from, N, MPI_INT, into, N, MPI_INT, comm));
    expect("allgather", N);
    TRY(MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, into, N, MPI_INT, comm));
    expect("allgather in place", 0);
    TRY(MPI_Alltoall(from, N, MPI_INT, into, N, MPI_INT, comm));
    expect("alltoall", N);
    TRY(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, into, N, MPI_INT, comm));
    expect("alltoall in place", 0);
    /* The same bytes as other types. */
    TRY(MPI_Gather(from, N, MPI_INT, into, N * (int)sizeof(int), MPI_BYTE, 0, comm));
    expect("gather of bytes", N);
    TRY(MPI_Allgather(from, 0, MPI_INT, into, 0, MPI_INT, comm));
    expect("allgather of nothing", 0);
}

static void reductions(MPI_Comm comm)
{
    const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_BAND, MPI_BXOR};
    int counts[1] = {N};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        TRY(MPI_Reduce(from, into, N, MPI_INT, ops[i], 0, comm));
        expect("reduce", N);
        TRY(MPI_Allreduce(from, into, N, MPI_INT, ops[i], comm));
        expect("allreduce", N);
        TRY(MPI_Allreduce(MPI_IN_PLACE, into, N, MPI_INT, ops[i], comm));
        expect("allreduce in place", 0);
        TRY(MPI_Scan(from, into, N, MPI_INT, ops[i], comm));
        expect("scan", N);
        TRY(MPI_Exscan(from, into, N, MPI_INT, ops[i], comm));
        expect("exscan", 0);
        TRY(MPI_Reduce_scatter_block(from, into, N, MPI_INT, ops[i], comm));
        expect("reduce_scatter_block", N);
        TRY(MPI_Reduce_scatter(from, into, counts, MPI_INT, ops[i], comm));
        expect("reduce_scatter", N);
    }
    struct {
        double value;
        int place;
    } pair = {3.5, 7}, found = {0, 0};
    TRY(MPI_Allreduce(&pair, &found, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm));
    CHECK(found.value == 3.5 && found.place == 7, "maxloc gave %g %d", found.value, found.place);
}

static void blocks_of_lengths(MPI_Comm comm)
{
    int counts[1] = {2}, at[1] = {3}, begin[1] = {0};
    TRY(MPI_Gatherv(from, 2, MPI_INT, into, counts, begin, MPI_INT, 0, comm));
    expect("gatherv", 2);
    TRY(MPI_Scatterv(from, counts, begin, MPI_INT, into, 2, MPI_INT, 0, comm));
    expect("scatterv", 2);
    TRY(MPI_Allgatherv(from, 2, MPI_INT, into, counts, begin, MPI_INT, comm));
    expect("allgatherv", 2);
    TRY(MPI_Alltoallv(from, counts, begin, MPI_INT, into, counts, begin, MPI_INT, comm));
    expect("alltoallv", 2);
    TRY(MPI_Alltoallv(from, counts, begin, MPI_INT, into, counts, at, MPI_INT, comm));
    CHECK(into[3] == from[0] && into[4] == from[1] && into[0] == -1, "a displacement was lost");
    fill();
    TRY(MPI_Scatterv(from, counts, at, MPI_INT, into, 2, MPI_INT, 0, comm));
    CHECK(into[0] == from[3] && into[1] == from[4] && into[2] == -1, "a displacement was lost");
    fill();
}

static void mistakes(MPI_Comm comm)
{
    MPI_Datatype open;
    TRY(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    EXPECT_ERROR(MPI_ERR_ROOT, MPI_Bcast(from, N, MPI_INT, 1, comm));
    EXPECT_ERROR(MPI_ERR_ROOT, MPI_Gather(from, N, MPI_INT, into, N, MPI_INT, -1, comm));
    EXPECT_ERROR(MPI_ERR_COUNT, MPI_Allreduce(from, into, -1, MPI_INT, MPI_SUM, comm));
    EXPECT_ERROR(MPI_ERR_OP, MPI_Allreduce(from, into, N, MPI_INT, MPI_MAXLOC, comm));
    EXPECT_ERROR(MPI_ERR_OP, MPI_Scan(from, into, N, MPI_INT, MPI_REPLACE, comm));
    EXPECT_ERROR(MPI_ERR_BUFFER, MPI_Allreduce(from, from, N, MPI_INT, MPI_SUM, comm));
    TRY(MPI_Type_contiguous(2, MPI_INT, &open));
    EXPECT_ERROR(MPI_ERR_TYPE, MPI_Bcast(from, 1, open, 0, comm));
    TRY(MPI_Type_free(&open));
    fill();
}

/* Into buffers that are too short: an error, and nothing is written. Shorter data than the buffer
 * is no error, nor is a buffer without elements, which other libraries accept. */
static void lengths(MPI_Comm comm)
{
    MPI_Request request;
    MPI_Datatype types[1] = {MPI_INT}, pair;
    int longer[1] = {3}, counts[1] = {2}, zero[1] = {0};
    TRY(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    EXPECT_ERROR(MPI_ERR_TRUNCATE, MPI_Gather(from, 3, MPI_INT, into, 2, MPI_INT, 0, comm));
    EXPECT_ERROR(MPI_ERR_TRUNCATE, MPI_Scatter(from, 3, MPI_INT, into, 2, MPI_INT, 0, comm));
    EXPECT_ERROR(MPI_ERR_TRUNCATE, MPI_Allgather(from, 3, MPI_INT, into, 2, MPI_INT, comm));
    EXPECT_ERROR(MPI_ERR_TRUNCATE, MPI_Alltoall(from, 3, MPI_INT, into, 2, MPI_INT, comm));
    EXPECT_ERROR(MPI_ERR_TRUNCATE,
                 MPI_Gatherv(from, 3, MPI_INT, into, counts, zero, MPI_INT, 0, comm));
    EXPECT_ERROR(MPI_ERR_TRUNCATE,
                 MPI_Scatterv(from, longer, zero, MPI_INT, into, 2, MPI_INT, 0, comm));
    EXPECT_ERROR(MPI_ERR_TRUNCATE,
                 MPI_Allgatherv(from, 3, MPI_INT, into, counts, zero, MPI_INT, comm));
    EXPECT_ERROR(MPI_ERR_TRUNCATE, MPI_Alltoallv(from, longer, zero, MPI_INT, into, counts, zero,
                                                 MPI_INT, comm));
    EXPECT_ERROR(MPI_ERR_TRUNCATE, MPI_Alltoallw(from, longer, zero, types, into, counts, zero,
                                                 types, comm));
    TRY(MPI_Type_vector(2, 1, 2, MPI_INT, &pair));
    TRY(MPI_Type_commit(&pair));
    EXPECT_ERROR(MPI_ERR_TRUNCATE, MPI_Allgather(from, 3, MPI_INT, into, 1, pair, comm));
    TRY(MPI_Type_free(&pair));
    /* The error comes when it is begun or when it is completed. */
    int code = MPI_Iallgather(from, 3, MPI_INT, into, 2, MPI_INT, comm, &request);
    if (code == MPI_SUCCESS)
        code = MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT_ERROR(MPI_ERR_TRUNCATE, code);
    expect("data that was too long", 0);
    TRY(MPI_Allgather(from, 3, MPI_INT, into, 0, MPI_INT, comm));
    TRY(MPI_Scatter(from, 3, MPI_INT, into, 0, MPI_INT, 0, comm));
    TRY(MPI_Gather(from, 3, MPI_INT, into, 0, MPI_INT, 0, comm));
    TRY(MPI_Alltoall(from, 3, MPI_INT, into, 0, MPI_INT, comm));
    TRY(MPI_Gatherv(from, 3, MPI_INT, into, zero, zero, MPI_INT, 0, comm));
    TRY(MPI_Scatterv(from, longer, zero, MPI_INT, into, 0, MPI_INT, 0, comm));
    TRY(MPI_Allgatherv(from, 3, MPI_INT, into, zero, zero, MPI_INT, comm));
    TRY(MPI_Alltoallv(from, longer, zero, MPI_INT, into, zero, zero, MPI_INT, comm));
    expect("data of which nothing is received", 0);
    TRY(MPI_Allgather(from, 2, MPI_INT, into, 3, MPI_INT, comm));
    expect("allgather of less than there is room for", 2);
    TRY(MPI_Gatherv(from, 1, MPI_INT, into, counts, zero, MPI_INT, 0, comm));
    expect("gatherv of less than there is room for", 1);
}

static void derived(MPI_Comm comm)
{
    MPI_Datatype every_second;
    TRY(MPI_Type_vector(2, 1, 2, MPI_INT, &every_second));
    TRY(MPI_Type_commit(&every_second));
    TRY(MPI_Alltoall(from, 1, every_second, into, 2, MPI_INT, comm));
    CHECK(into[0] == from[0] && into[1] == from[2] && into[2] == -1, "a vector came wrong");
    TRY(MPI_Type_free(&every_second));
    fill();
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    MPI_Comm alone, self;
    TRY(MPI_Comm_split(MPI_COMM_WORLD, test_rank, 0, &alone));
    TRY(MPI_Comm_dup(MPI_COMM_SELF, &self));
    MPI_Comm comms[] = {alone, self, MPI_COMM_SELF};
    fill();
    for (int i = 0; i < 3; i++) {
        equal_blocks(comms[i]);
        reductions(comms[i]);
        blocks_of_lengths(comms[i]);
        derived(comms[i]);
        lengths(comms[i]);
        mistakes(comms[i]);
    }
    TRY(MPI_Comm_free(&alone));
    TRY(MPI_Comm_free(&self));
    test_finish();
}
