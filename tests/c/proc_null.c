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

/* Its requests end in every call that completes requests. */
static void requests_of_receives(void)
{
    enum { COUNT = 3 };
    MPI_Request requests[COUNT];
    MPI_Status statuses[COUNT];
    int flag = 0, index = -1;
    for (int i = 0; i < COUNT; i++)
        TRY(MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[i]));
    TRY(MPI_Request_get_status(requests[0], &flag, &statuses[0]));
    CHECK(flag, "MPI_Request_get_status does not say that it is complete");
    test_null_status(&statuses[0], "MPI_Request_get_status");
    TRY(MPI_Cancel(&requests[0]));
    TRY(MPI_Request_free(&requests[0]));
    TRY(MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[0]));
    TRY(MPI_Testany(COUNT, requests, &index, &flag, &statuses[0]));
    CHECK(flag && index >= 0 && index < COUNT, "MPI_Testany gives %d and %d", flag, index);
    test_null_status(&statuses[0], "MPI_Testany");
    TRY(MPI_Isend(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[index]));
    TRY(MPI_Waitall(COUNT, requests, statuses));
    for (int i = 0; i < COUNT; i++)
        if (i != index)
            test_null_status(&statuses[i], "MPI_Waitall");
}

/* At the ends of a chain of ranks, one half of an exchange goes nowhere. */
static void exchanges(void)
{
    MPI_Status status;
    MPI_Comm world = MPI_COMM_WORLD;
    int mine = test_rank, theirs = -1;
    TRY(MPI_Sendrecv(&mine, 1, MPI_INT, MPI_PROC_NULL, 1, &theirs, 1, MPI_INT, MPI_PROC_NULL,
                     MPI_ANY_TAG, world, &status));
    test_null_status(&status, "MPI_Sendrecv");
    TRY(MPI_Sendrecv_replace(&mine, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_PROC_NULL, 1, world,
                             &status));
    test_null_status(&status, "MPI_Sendrecv_replace");
    CHECK(mine == test_rank && theirs == -1, "exchanges with nobody give %d and %d", mine, theirs);
    int left = test_rank > 0 ? test_rank - 1 : MPI_PROC_NULL;
    int right = test_rank + 1 < test_size ? test_rank + 1 : MPI_PROC_NULL;
    for (int i = 0; i < 10; i++) {
        TRY(MPI_Sendrecv(&mine, 1, MPI_INT, right, i, &theirs, 1, MPI_INT, left, i, world,
                         &status));
        test_status(&status, left, left == MPI_PROC_NULL ? MPI_ANY_TAG : i,
                    left == MPI_PROC_NULL ? 0 : (int)sizeof theirs, "MPI_Sendrecv in a chain");
        CHECK(theirs == (left == MPI_PROC_NULL ? -1 : left), "rank %d has sent %d", left, theirs);
    }
}

/* The other arguments are checked all the same. */
static void wrong_tags(void)
{
    MPI_Request request;
    MPI_Comm world = MPI_COMM_WORLD;
    int none = MPI_PROC_NULL, wrong = -77;
    TRY(MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN));
    int codes[] = {
        MPI_Send(&value, 1, MPI_INT, none, wrong, world),
        MPI_Ssend(&value, 1, MPI_INT, none, wrong, world),
        MPI_Isend(&value, 1, MPI_INT, none, wrong, world, &request),
        MPI_Issend(&value, 1, MPI_INT, none, wrong, world, &request),
        MPI_Recv(&value, 1, MPI_INT, none, wrong, world, MPI_STATUS_IGNORE),
        MPI_Irecv(&value, 1, MPI_INT, none, wrong, world, &request),
        MPI_Sendrecv_replace(&value, 1, MPI_INT, none, wrong, none, 1, world, MPI_STATUS_IGNORE),
        MPI_Sendrecv_replace(&value, 1, MPI_INT, none, 1, none, wrong, world, MPI_STATUS_IGNORE),
    };
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        int error_class = -1;
        TRY(MPI_Error_class(codes[i], &error_class));
        CHECK(error_class == MPI_ERR_TAG, "call %zu with a wrong tag: class %d", i, error_class);
    }
    TRY(MPI_Comm_set_errhandler(world, MPI_ERRORS_ARE_FATAL));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    receives();
    sends();
    requests_of_receives();
    exchanges();
    wrong_tags();
    test_finish();
    return 0;
}
