/* Error handlers: a user's handler is called with the communicator and the class; duplicates
 * inherit it; it can be removed. */
/* ranks: 1 2 */
#include "harness.h"

static int calls, last_class;
static MPI_Comm last_comm;

static void note(MPI_Comm *comm, int *code, ...)
{
    calls++;
    last_comm = *comm;
    last_class = test_class(*code);
}

static void expect_calls(int wanted, MPI_Comm comm, const char *what)
{
    CHECK(calls == wanted, "%s: the handler was called %d times; must be %d", what, calls, wanted);
    CHECK(last_comm == comm, "%s: the handler was told another communicator", what);
    CHECK(last_class == MPI_ERR_RANK, "%s: the handler was told class %d", what, last_class);
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler, seen;
    MPI_Comm comm, copy;
    int value = 0;
    test_start(&argc, &argv);
    TRY(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &seen));
    CHECK(seen == MPI_ERRORS_ARE_FATAL, "errors on the world are not fatal from the start");
    TRY(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    TRY(MPI_Comm_create_errhandler(note, &handler));
    TRY(MPI_Comm_set_errhandler(comm, handler));
    TRY(MPI_Errhandler_free(&handler));
    CHECK(handler == MPI_ERRHANDLER_NULL, "MPI_Errhandler_free leaves a handle");
    EXPECT_ERROR(MPI_ERR_RANK, MPI_Send(&value, 1, MPI_INT, test_size, 0, comm));
    expect_calls(1, comm, "the communicator");
    TRY(MPI_Comm_dup(comm, &copy));
    EXPECT_ERROR(MPI_ERR_RANK, MPI_Send(&value, 1, MPI_INT, test_size, 0, copy));
    expect_calls(2, copy, "its duplicate");
    TRY(MPI_Comm_call_errhandler(copy, MPI_ERR_RANK));
    expect_calls(3, copy, "MPI_Comm_call_errhandler");
    TRY(MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN));
    EXPECT_ERROR(MPI_ERR_RANK, MPI_Send(&value, 1, MPI_INT, test_size, 0, copy));
    expect_calls(3, copy, "after it was taken away");
    TRY(MPI_Comm_free(&copy));
    TRY(MPI_Comm_free(&comm));
    test_finish();
    return 0;
}
