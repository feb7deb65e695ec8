/* Every send and receive with MPI_PROC_NULL completes at once, moves no data, and has the right
 * status. */
/* ranks: 1 2 */
#include "harness.h"

static int value = 41;

static void receives(void)
{
    MPI_Request request;
    MPI_Status status;
    TRY(MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status));
    test_null_status(&status, "MPI_Recv");
    TRY(MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &request));
    TRY(MPI_Wait(&request, &status));
    test_null_status(&status, "MPI_Irecv");
    TRY(MPI_Recv_init(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request));
    for (int i = 0; i < 3; i++) {
        int flag = 0;
        TRY(MPI_Start(&request));
        while (!flag)
            TRY(MPI_Test(&request, &flag, &status));
        test_null_status(&status, "MPI_Recv_init");
    }
    TRY(MPI_Request_free(&request));
    CHECK(value == 41, "a receive from MPI_PROC_NULL writes %d", value);
}

static void sends(void)
{
    MPI_Request requests[4], persistent;
    MPI_Comm world = MPI_COMM_WORLD;
    TRY(MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 1, world));
    TRY(MPI_Ssend(&value, 1, MPI_INT, MPI_PROC_NULL, 1, world));
    TRY(MPI_Rsend(&value, 1, MPI_INT, MPI_PROC_NULL, 1, world));
    TRY(MPI_Bsend(&value, 1, MPI_INT, MPI_PROC_NULL, 1, world));
    TRY(MPI_Isend(&value, 1, MPI_INT, MPI_PROC_NULL, 1, world, &requests[0]));
    TRY(MPI_Issend(&value, 1, MPI_INT, MPI_PROC_NULL, 1, world, &requests[1]));
    TRY(MPI_Irsend(&value, 1, MPI_INT, MPI_PROC_NULL, 1, world, &requests[2]));
    TRY(MPI_Ibsend(&value, 1, MPI_INT, MPI_PROC_NULL, 1, world, &requests[3]));
    TRY(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
    TRY(MPI_Send_init(&value, 1, MPI_INT, MPI_PROC_NULL, 1, world, &persistent));
    TRY(MPI_Start(&persistent));
    TRY(MPI_Wait(&persistent, MPI_STATUS_IGNORE));
    TRY(MPI_Request_free(&persistent));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    receives();
    sends();
    test_finish();
    return 0;
}
