/* Statuses: counts of elements, the getters and setters of MPI 4.1, and MPI_Request_get_status. */
/* ranks: 2 */
#include "harness.h"

enum { TAG = 14, GO = 15 };

static void counts(void)
{
    struct pair {
        int i;
        double d;
    } pairs[4] = {{0, 0}};
    MPI_Status status;
    MPI_Count large = -1;
    int count = -1;
    if (test_rank == 1) {
        TRY(MPI_Send(pairs, 10, MPI_BYTE, 0, TAG, MPI_COMM_WORLD));
        TRY(MPI_Send(pairs, 2, MPI_DOUBLE_INT, 0, TAG, MPI_COMM_WORLD));
        return;
    }
    TRY(MPI_Recv(pairs, 16, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &status));
    TRY(MPI_Get_count(&status, MPI_BYTE, &count));
    CHECK(count == 10, "10 bytes are %d bytes", count);
    TRY(MPI_Get_count(&status, MPI_SHORT, &count));
    CHECK(count == 5, "10 bytes are %d shorts", count);
    TRY(MPI_Get_count(&status, MPI_INT, &count));
    CHECK(count == MPI_UNDEFINED, "10 bytes are %d ints; must be MPI_UNDEFINED", count);
    TRY(MPI_Get_count_c(&status, MPI_BYTE, &large));
    CHECK(large == 10, "10 bytes are %lld bytes by MPI_Get_count_c", (long long)large);
    TRY(MPI_Get_elements_c(&status, MPI_SHORT, &large));
    CHECK(large == 5, "10 bytes are %lld shorts by MPI_Get_elements_c", (long long)large);
    TRY(MPI_Recv(pairs, 4, MPI_DOUBLE_INT, 1, TAG, MPI_COMM_WORLD, &status));
    TRY(MPI_Get_count(&status, MPI_DOUBLE_INT, &count));
    CHECK(count == 2, "2 pairs are %d pairs", count);
    TRY(MPI_Get_elements(&status, MPI_DOUBLE_INT, &count));
    CHECK(count == 4, "2 pairs are %d elements; must be 4", count);
}

static void setters(void)
{
    MPI_Status status;
    int value = -1, flag = -1;
    memset(&status, 0, sizeof status);
    TRY(MPI_Status_set_source(&status, 7));
    TRY(MPI_Status_set_tag(&status, 8));
    TRY(MPI_Status_set_error(&status, MPI_ERR_TRUNCATE));
    TRY(MPI_Status_set_cancelled(&status, 1));
    CHECK(status.MPI_SOURCE == 7 && status.MPI_TAG == 8 && status.MPI_ERROR == MPI_ERR_TRUNCATE,
          "set 7, 8, MPI_ERR_TRUNCATE; fields are %d, %d, %d", status.MPI_SOURCE, status.MPI_TAG,
          status.MPI_ERROR);
    TRY(MPI_Status_get_source(&status, &value));
    CHECK(value == 7, "MPI_Status_get_source gives %d", value);
    TRY(MPI_Status_get_tag(&status, &value));
    CHECK(value == 8, "MPI_Status_get_tag gives %d", value);
    TRY(MPI_Status_get_error(&status, &value));
    CHECK(value == MPI_ERR_TRUNCATE, "MPI_Status_get_error gives %d", value);
    TRY(MPI_Test_cancelled(&status, &flag));
    CHECK(flag, "MPI_Test_cancelled gives %d", flag);
    TRY(MPI_Status_set_cancelled(&status, 0));
    TRY(MPI_Test_cancelled(&status, &flag));
    CHECK(!flag, "MPI_Test_cancelled gives %d after it was taken back", flag);
}

static void wait_by_status(MPI_Request request, MPI_Status *status)
{
    int flag = 0;
    while (!flag)
        TRY(MPI_Request_get_status(request, &flag, status));
}

static void asking_does_not_complete(void)
{
    enum { COUNT = 4 };
    int values[COUNT], flag = 1, index, count, indices[COUNT];
    MPI_Request requests[COUNT], null = MPI_REQUEST_NULL;
    MPI_Status statuses[COUNT];
    if (test_rank == 1) {
        test_await(0, GO);
        for (int i = 0; i < COUNT; i++)
            TRY(MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_WORLD));
        return;
    }
    for (int i = 0; i < COUNT; i++)
        TRY(MPI_Irecv(&values[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]));
    TRY(MPI_Request_get_status(requests[0], &flag, &statuses[0]));
    CHECK(!flag, "a receive without a message is said to be complete");
    TRY(MPI_Request_get_status_all(COUNT, requests, &flag, statuses));
    CHECK(!flag, "receives without messages are said to be all complete");
    test_signal(1, GO);
    for (int i = 0; i < COUNT; i++)
        for (int twice = 0; twice < 2; twice++) {
            wait_by_status(requests[i], &statuses[i]);
            test_status(&statuses[i], 1, i, sizeof(int), "MPI_Request_get_status");
            CHECK(requests[i] != MPI_REQUEST_NULL && values[i] == i, "request %d, value %d", i,
                  values[i]);
        }
    TRY(MPI_Request_get_status_any(COUNT, requests, &index, &flag, &statuses[0]));
    CHECK(flag && index >= 0 && index < COUNT, "any: flag %d, index %d", flag, index);
    test_status(&statuses[0], 1, index, sizeof(int), "MPI_Request_get_status_any");
    TRY(MPI_Request_get_status_some(COUNT, requests, &count, indices, statuses));
    CHECK(count == COUNT, "some: %d of %d are complete", count, COUNT);
    TRY(MPI_Request_get_status_all(COUNT, requests, &flag, statuses));
    CHECK(flag, "all: no flag");
    test_status(&statuses[2], 1, 2, sizeof(int), "MPI_Request_get_status_all");
    TRY(MPI_Waitall(COUNT, requests, statuses));
    test_status(&statuses[3], 1, 3, sizeof(int), "MPI_Waitall after MPI_Request_get_status");
    TRY(MPI_Request_get_status(null, &flag, &statuses[0]));
    CHECK(flag, "MPI_REQUEST_NULL is said not to be complete");
    test_empty_status(&statuses[0], "MPI_Request_get_status of MPI_REQUEST_NULL");
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    test_need_ranks(2);
    counts();
    setters();
    asking_does_not_complete();
    test_finish();
    return 0;
}
