/* A send buffer that is the receive buffer, or this rank's block of it: MPI_ERR_BUFFER at every
 * rank, no data moves, and the next collectives match. The program should pass MPI_IN_PLACE. */
/* ranks: 1 2 3 */
#include "harness.h"

enum { N = 4096 };

static int data[N], more[N], counts[16], places[16];
static MPI_Datatype types[16];
static MPI_Comm world;

#define ALIASED(call) EXPECT_ERROR(MPI_ERR_BUFFER, call)

static void reductions(int n)
{
    bool root = test_rank == 0;
    ALIASED(MPI_Allreduce(data, data, n, MPI_INT, MPI_SUM, world));
    ALIASED(MPI_Scan(data, data, n, MPI_INT, MPI_SUM, world));
    ALIASED(MPI_Exscan(data, data, n, MPI_INT, MPI_SUM, world));
    ALIASED(MPI_Reduce_scatter_block(data, data, n, MPI_INT, MPI_SUM, world));
    ALIASED(MPI_Reduce_scatter(data, data, counts, MPI_INT, MPI_SUM, world));
    if (test_size == 1)
        ALIASED(MPI_Reduce(data, data, n, MPI_INT, MPI_SUM, 0, world));
    /* At other ranks the receive buffer is not significant. */
    TRY(MPI_Reduce(data, root ? more : data, n, MPI_INT, MPI_SUM, 0, world));
}

static void blocks(int n)
{
    int *mine = data + test_rank * n;
    ALIASED(MPI_Allgather(mine, n, MPI_INT, data, n, MPI_INT, world));
    ALIASED(MPI_Allgatherv(mine, counts[test_rank], MPI_INT, data, counts, places, MPI_INT, world));
    ALIASED(MPI_Alltoall(data, n, MPI_INT, data, n, MPI_INT, world));
    ALIASED(MPI_Alltoallv(data, counts, places, MPI_INT, data, counts, places, MPI_INT, world));
    ALIASED(MPI_Alltoallw(data, counts, places, types, data, counts, places, types, world));
    if (test_size == 1) {
        ALIASED(MPI_Gather(data, n, MPI_INT, data, n, MPI_INT, 0, world));
        ALIASED(MPI_Gatherv(data, counts[0], MPI_INT, data, counts, places, MPI_INT, 0, world));
        ALIASED(MPI_Scatter(data, n, MPI_INT, data, n, MPI_INT, 0, world));
        ALIASED(MPI_Scatterv(data, counts, places, MPI_INT, data, counts[0], MPI_INT, 0, world));
    }
}

static void nonblocking(int n)
{
    MPI_Request request;
    ALIASED(MPI_Iallreduce(data, data, n, MPI_INT, MPI_SUM, world, &request));
    ALIASED(MPI_Iscan(data, data, n, MPI_INT, MPI_SUM, world, &request));
    ALIASED(MPI_Ialltoall(data, n, MPI_INT, data, n, MPI_INT, world, &request));
    ALIASED(MPI_Allreduce_init(data, data, n, MPI_INT, MPI_SUM, world, MPI_INFO_NULL, &request));
}

/* Buffers without elements do not overlap. */
static void empty(void)
{
    TRY(MPI_Allreduce(data, data, 0, MPI_INT, MPI_SUM, world));
    TRY(MPI_Alltoall(data, 0, MPI_INT, data, 0, MPI_INT, world));
    TRY(MPI_Allgather(data, 0, MPI_INT, data, 0, MPI_INT, world));
    TRY(MPI_Reduce_local(data, data, 0, MPI_INT, MPI_SUM));
}

static void local(int n)
{
    ALIASED(MPI_Reduce_local(data, data, n, MPI_INT, MPI_SUM));
    ALIASED(MPI_Reduce_local(MPI_IN_PLACE, data, n, MPI_INT, MPI_SUM));
    ALIASED(MPI_Reduce_local(data, MPI_IN_PLACE, n, MPI_INT, MPI_SUM));
}

int main(int argc, char **argv)
{
    int one = 1, sum = 0;
    test_start(&argc, &argv);
    world = MPI_COMM_WORLD;
    TRY(MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN));
    TRY(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    for (int n = 1; n <= 1000; n *= 1000) {
        for (int i = 0; i < test_size; i++) {
            counts[i] = n;
            places[i] = i * n;
            types[i] = MPI_INT;
        }
        reductions(n);
        blocks(n);
        nonblocking(n);
        local(n);
    }
    empty();
    TRY(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, world));
    CHECK(sum == test_size, "the sum is %d", sum);
    test_finish();
    return 0;
}
