/* Cancelling a receive: it completes as cancelled or with its message, never both, and a
 * message meant for it goes to the next receive. */
/* ranks: 2 */
#include "harness.h"

enum { TAG = 12, GO = 13, COUNT = 100 };

static bool cancelled(const MPI_Status *status)
{
    int flag = -1;
    TRY(MPI_Test_cancelled(status, &flag));
    CHECK(flag == 0 || flag == 1, "MPI_Test_cancelled gives %d", flag);
    return flag;
}

static void the_message_goes_to_the_next_receive(void)
{
    int first = -1, second = -1, value = 8;
    MPI_Request request;
    MPI_Status status;
    if (test_rank == 1) {
        test_await(0, GO);
        TRY(MPI_Send(&value, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD));
        return;
    }
    TRY(MPI_Irecv(&first, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &request));
    TRY(MPI_Cancel(&request));
    TRY(MPI_Wait(&request, &status));
    CHECK(cancelled(&status), "a receive without a message could not be cancelled");
    CHECK(request == MPI_REQUEST_NULL, "a cancelled request is not null after MPI_Wait");
    test_signal(1, GO);
    TRY(MPI_Recv(&second, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &status));
    CHECK(!cancelled(&status), "an ordinary receive says it was cancelled");
    CHECK(first == -1 && second == 8, "the cancelled receive holds %d, the next one %d", first,
          second);
}

static void every_other_one(void)
{
    int values[COUNT];
    MPI_Request requests[COUNT];
    MPI_Status statuses[COUNT];
    if (test_rank == 1) {
        test_await(0, GO);
        for (int i = 0; i < COUNT / 2; i++)
            TRY(MPI_Send(&i, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD));
        return;
    }
    for (int i = 0; i < COUNT; i++) {
        values[i] = -1;
        TRY(MPI_Irecv(&values[i], 1, MPI_INT, i % 3 ? 1 : MPI_ANY_SOURCE, i % 5 ? TAG : MPI_ANY_TAG,
                      MPI_COMM_WORLD, &requests[i]));
    }
    for (int i = 0; i < COUNT; i += 2)
        TRY(MPI_Cancel(&requests[i]));
    test_signal(1, GO);
    TRY(MPI_Waitall(COUNT, requests, statuses));
    for (int i = 0; i < COUNT; i++) {
        CHECK(cancelled(&statuses[i]) == (i % 2 == 0), "receive %d: cancelled is %d", i,
              cancelled(&statuses[i]));
        CHECK(values[i] == (i % 2 ? i / 2 : -1), "receive %d holds %d", i, values[i]);
    }
}

static void a_receive_that_has_its_message_stays(void)
{
    int got = -1, value = 31;
    MPI_Request request;
    MPI_Status status;
    if (test_rank == 1) {
        TRY(MPI_Send(&value, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD));
        return;
    }
    TRY(MPI_Probe(1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    TRY(MPI_Irecv(&got, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &request));
    TRY(MPI_Cancel(&request));
    TRY(MPI_Wait(&request, &status));
    CHECK(!cancelled(&status) && got == 31, "a matched receive: cancelled %d, holds %d",
          cancelled(&status), got);
}

static void a_persistent_receive_lives_on(void)
{
    int got = -1, value = 52;
    MPI_Request request;
    MPI_Status status;
    if (test_rank == 1) {
        test_await(0, GO);
        TRY(MPI_Send(&value, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD));
        return;
    }
    TRY(MPI_Recv_init(&got, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &request));
    TRY(MPI_Start(&request));
    TRY(MPI_Cancel(&request));
    TRY(MPI_Wait(&request, &status));
    CHECK(cancelled(&status), "a started persistent receive could not be cancelled");
    TRY(MPI_Start(&request));
    test_signal(1, GO);
    TRY(MPI_Wait(&request, &status));
    CHECK(!cancelled(&status) && got == 52, "started again: cancelled %d, holds %d",
          cancelled(&status), got);
    TRY(MPI_Request_free(&request));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    test_need_ranks(2);
    the_message_goes_to_the_next_receive();
    every_other_one();
    a_receive_that_has_its_message_stays();
    a_persistent_receive_lives_on();
    test_finish();
    return 0;
}
