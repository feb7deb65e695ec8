/* An error in receiving a message that a matching probe returned goes to the communicator of the
 * message, and to no other. The status is filled all the same. */
/* ranks: 2 */
#include "harness.h"

enum { TAG = 5, N = 8 };

static int heard, heard_wrong;
static MPI_Comm copy;

static void hear(MPI_Comm *comm, int *code, ...)
{
    CHECK(*comm == copy, "the handler is told of another communicator");
    CHECK(test_class(*code) == MPI_ERR_TRUNCATE || test_class(*code) == MPI_ERR_COUNT,
          "the handler is told of class %d", test_class(*code));
    heard++;
}

static void hear_wrong(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    heard_wrong++;
}

static void receiver(void)
{
    int data[N];
    MPI_Message message;
    MPI_Request request;
    MPI_Status status;
    MPI_Errhandler right, wrong;
    TRY(MPI_Comm_create_errhandler(hear, &right));
    TRY(MPI_Comm_create_errhandler(hear_wrong, &wrong));
    TRY(MPI_Comm_set_errhandler(copy, right));
    TRY(MPI_Comm_set_errhandler(MPI_COMM_SELF, wrong));
    TRY(MPI_Comm_set_errhandler(MPI_COMM_WORLD, wrong));
    TRY(MPI_Mprobe(0, TAG, copy, &message, &status));
    EXPECT_ERROR(MPI_ERR_COUNT, MPI_Mrecv(data, -1, MPI_INT, &message, &status));
    EXPECT_ERROR(MPI_ERR_TRUNCATE, MPI_Mrecv(data, N / 2, MPI_INT, &message, &status));
    test_status(&status, 0, TAG, N / 2 * (int)sizeof(int), "a truncated MPI_Mrecv");
    TRY(MPI_Mprobe(0, TAG, copy, &message, &status));
    EXPECT_ERROR(MPI_ERR_COUNT, MPI_Imrecv(data, -1, MPI_INT, &message, &request));
    TRY(MPI_Imrecv(data, N / 2, MPI_INT, &message, &request));
    EXPECT_ERROR(MPI_ERR_TRUNCATE, MPI_Wait(&request, &status));
    test_status(&status, 0, TAG, N / 2 * (int)sizeof(int), "a truncated MPI_Imrecv");
    CHECK(heard == 4 && heard_wrong == 0, "its handler heard %d times, another %d", heard,
          heard_wrong);
    TRY(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
    TRY(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    TRY(MPI_Errhandler_free(&right));
    TRY(MPI_Errhandler_free(&wrong));
}

int main(int argc, char **argv)
{
    int data[N] = {0};
    test_start(&argc, &argv);
    test_need_ranks(2);
    TRY(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    if (test_rank == 1) {
        receiver();
    } else {
        TRY(MPI_Send(data, N, MPI_INT, 1, TAG, copy));
        TRY(MPI_Send(data, N, MPI_INT, 1, TAG, copy));
    }
    TRY(MPI_Comm_free(&copy));
    test_finish();
    return 0;
}
