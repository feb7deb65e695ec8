/* Wrong arguments give the right error class with MPI_ERRORS_RETURN, and the library remains
 * usable. */
/* ranks: 1 2 */
#include "harness.h"

enum { TAG = 20 };

static int value = 1, other = 0;
static MPI_Request request;
static MPI_Status status;

static void wrong_ranks(void)
{
    MPI_Comm world = MPI_COMM_WORLD;
    EXPECT_ERROR(MPI_ERR_RANK, MPI_Send(&value, 1, MPI_INT, test_size, TAG, world));
    EXPECT_ERROR(MPI_ERR_RANK, MPI_Send(&value, 1, MPI_INT, -77, TAG, world));
    EXPECT_ERROR(MPI_ERR_RANK, MPI_Send(&value, 1, MPI_INT, MPI_ANY_SOURCE, TAG, world));
    EXPECT_ERROR(MPI_ERR_RANK, MPI_Isend(&value, 1, MPI_INT, test_size, TAG, world, &request));
    EXPECT_ERROR(MPI_ERR_RANK, MPI_Recv(&value, 1, MPI_INT, test_size, TAG, world, &status));
    EXPECT_ERROR(MPI_ERR_RANK, MPI_Irecv(&value, 1, MPI_INT, 1 << 30, TAG, world, &request));
    EXPECT_ERROR(MPI_ERR_RANK, MPI_Send_init(&value, 1, MPI_INT, test_size, TAG, world, &request));
    EXPECT_ERROR(MPI_ERR_RANK, MPI_Probe(test_size, TAG, world, &status));
    EXPECT_ERROR(MPI_ERR_RANK, MPI_Sendrecv(&value, 1, MPI_INT, test_size, TAG, &other, 1, MPI_INT,
                                            0, TAG, world, &status));
    /* Nothing is sent then: `still_usable` would receive it. */
    value = -1;
    EXPECT_ERROR(MPI_ERR_RANK, MPI_Sendrecv(&value, 1, MPI_INT, (test_rank + 1) % test_size, TAG,
                                            &other, 1, MPI_INT, test_size, TAG, world, &status));
}

static void wrong_tags(void)
{
    MPI_Comm world = MPI_COMM_WORLD;
    EXPECT_ERROR(MPI_ERR_TAG, MPI_Send(&value, 1, MPI_INT, 0, -100, world));
    EXPECT_ERROR(MPI_ERR_TAG, MPI_Send(&value, 1, MPI_INT, 0, MPI_ANY_TAG, world));
    EXPECT_ERROR(MPI_ERR_TAG, MPI_Recv(&value, 1, MPI_INT, 0, -100, world, &status));
    EXPECT_ERROR(MPI_ERR_TAG, MPI_Irecv(&value, 1, MPI_INT, 0, -100, world, &request));
}

static void wrong_counts_and_types(void)
{
    MPI_Comm world = MPI_COMM_WORLD;
    EXPECT_ERROR(MPI_ERR_COUNT, MPI_Send(&value, -3, MPI_INT, 0, TAG, world));
    EXPECT_ERROR(MPI_ERR_COUNT, MPI_Recv(&value, -3, MPI_INT, 0, TAG, world, &status));
    EXPECT_ERROR(MPI_ERR_COUNT, MPI_Isend(&value, -3, MPI_INT, 0, TAG, world, &request));
    EXPECT_ERROR(MPI_ERR_COUNT, MPI_Bcast(&value, -3, MPI_INT, 0, world));
    EXPECT_ERROR(MPI_ERR_TYPE, MPI_Send(&value, 1, MPI_DATATYPE_NULL, 0, TAG, world));
    EXPECT_ERROR(MPI_ERR_TYPE, MPI_Recv(&value, 1, MPI_DATATYPE_NULL, 0, TAG, world, &status));
}

static void wrong_communicators(void)
{
    MPI_Comm null = MPI_COMM_NULL, copy;
    int size;
    TRY(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    EXPECT_ERROR(MPI_ERR_COMM, MPI_Send(&value, 1, MPI_INT, 0, TAG, null));
    EXPECT_ERROR(MPI_ERR_COMM, MPI_Recv(&value, 1, MPI_INT, 0, TAG, null, &status));
    EXPECT_ERROR(MPI_ERR_COMM, MPI_Comm_size(null, &size));
    EXPECT_ERROR(MPI_ERR_COMM, MPI_Comm_rank(null, &size));
    EXPECT_ERROR(MPI_ERR_COMM, MPI_Comm_dup(null, &copy));
    EXPECT_ERROR(MPI_ERR_COMM, MPI_Comm_free(&null));
    EXPECT_ERROR(MPI_ERR_COMM, MPI_Barrier(null));
}

static void wrong_collectives(void)
{
    MPI_Comm world = MPI_COMM_WORLD;
    EXPECT_ERROR(MPI_ERR_ROOT, MPI_Bcast(&value, 1, MPI_INT, test_size, world));
    EXPECT_ERROR(MPI_ERR_ROOT, MPI_Bcast(&value, 1, MPI_INT, -5, world));
    EXPECT_ERROR(MPI_ERR_ROOT, MPI_Reduce(&value, &other, 1, MPI_INT, MPI_SUM, test_size, world));
    EXPECT_ERROR(MPI_ERR_OP, MPI_Allreduce(&value, &other, 1, MPI_INT, MPI_OP_NULL, world));
    EXPECT_ERROR(MPI_ERR_OP, MPI_Allreduce(&value, &other, 1, MPI_DOUBLE, MPI_BAND, world));
}

static void wrong_requests_and_keys(void)
{
    MPI_Request null = MPI_REQUEST_NULL;
    MPI_Group group;
    int ranks[1] = {test_size};
    EXPECT_ERROR(MPI_ERR_REQUEST, MPI_Start(&null));
    EXPECT_ERROR(MPI_ERR_REQUEST, MPI_Request_free(&null));
    TRY(MPI_Comm_group(MPI_COMM_WORLD, &group));
    MPI_Group part;
    EXPECT_ERROR(MPI_ERR_RANK, MPI_Group_incl(group, 1, ranks, &part));
    TRY(MPI_Group_free(&group));
}

static void texts(void)
{
    char text[MPI_MAX_ERROR_STRING];
    int length = -1, class = -1;
    for (int code = MPI_SUCCESS; code <= MPI_ERR_RMA_SHARED; code++) {
        TRY(MPI_Error_class(code, &class));
        TRY(MPI_Error_string(code, text, &length));
        CHECK(class == code, "class %d has class %d", code, class);
        CHECK(length > 0 && length == (int)strlen(text), "class %d: length %d of '%s'", code,
              length, text);
    }
}

/* Afterwards, messages still work. */
static void still_usable(void)
{
    int in = -1, out = test_rank, prev = (test_rank + test_size - 1) % test_size;
    TRY(MPI_Sendrecv(&out, 1, MPI_INT, (test_rank + 1) % test_size, TAG, &in, 1, MPI_INT, prev, TAG,
                     MPI_COMM_WORLD, &status));
    CHECK(in == prev, "received %d from %d", in, prev);
    TRY(MPI_Barrier(MPI_COMM_WORLD));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    TRY(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    wrong_ranks();
    wrong_tags();
    wrong_counts_and_types();
    wrong_communicators();
    wrong_collectives();
    wrong_requests_and_keys();
    texts();
    still_usable();
    test_finish();
    return 0;
}
