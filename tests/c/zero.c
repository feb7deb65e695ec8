/* Messages without data: they match, keep order and synchronise; null buffers and counts of 0
 * are valid everywhere. */
/* ranks: 2 4 */
#include "harness.h"

enum { TAG = 16, COUNT = 1000 };

static void order_among_full_ones(void)
{
    int value = -1;
    MPI_Status status;
    for (int i = 0; i < COUNT && test_rank % 2 == 1; i++)
        TRY(MPI_Send(i % 2 ? &i : NULL, i % 2, MPI_INT, test_rank - 1, TAG, MPI_COMM_WORLD));
    for (int i = 0; i < COUNT && test_rank % 2 == 0; i++) {
        TRY(MPI_Recv(&value, 1, MPI_INT, test_rank + 1, TAG, MPI_COMM_WORLD, &status));
        test_status(&status, test_rank + 1, TAG, i % 2 ? (int)sizeof(int) : 0, "empty or full");
        CHECK(i % 2 == 0 || value == i, "message %d arrives as number %d", value, i);
    }
}

static void in_collectives(void)
{
    int untouched = 99;
    MPI_Comm world = MPI_COMM_WORLD;
    TRY(MPI_Bcast(NULL, 0, MPI_INT, 0, world));
    TRY(MPI_Reduce(NULL, NULL, 0, MPI_INT, MPI_SUM, test_size - 1, world));
    TRY(MPI_Allreduce(NULL, NULL, 0, MPI_DOUBLE, MPI_MAX, world));
    TRY(MPI_Gather(NULL, 0, MPI_INT, &untouched, 0, MPI_INT, 0, world));
    TRY(MPI_Allgather(NULL, 0, MPI_INT, &untouched, 0, MPI_INT, world));
    TRY(MPI_Scatter(NULL, 0, MPI_INT, &untouched, 0, MPI_INT, 1, world));
    TRY(MPI_Alltoall(NULL, 0, MPI_INT, &untouched, 0, MPI_INT, world));
    CHECK(untouched == 99, "a collective without data writes %d", untouched);
}

static void persistent_and_probed(void)
{
    int peer = test_rank ^ 1;
    MPI_Request requests[2];
    MPI_Status status;
    TRY(MPI_Send_init(NULL, 0, MPI_DOUBLE, peer, TAG, MPI_COMM_WORLD, &requests[0]));
    TRY(MPI_Start(&requests[0]));
    TRY(MPI_Probe(peer, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
    test_status(&status, peer, TAG, 0, "MPI_Probe of an empty message");
    TRY(MPI_Irecv(NULL, 0, MPI_DOUBLE, peer, TAG, MPI_COMM_WORLD, &requests[1]));
    TRY(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    TRY(MPI_Request_free(&requests[0]));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    CHECK(test_size % 2 == 0, "%d ranks; they must form pairs", test_size);
    order_among_full_ones();
    in_collectives();
    persistent_and_probed();
    test_finish();
    return 0;
}
