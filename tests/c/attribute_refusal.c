/* An object remains if its delete function fails: the release fails and can be repeated. */
/* ranks: 1 */
#include "harness.h"

static bool refuse;
static int calls;

static int delete_comm(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    calls++;
    return refuse ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int delete_type(MPI_Datatype type, int key, void *value, void *extra)
{
    (void)type, (void)key, (void)value, (void)extra;
    calls++;
    return refuse ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void communicator(void)
{
    MPI_Comm comm;
    int key, size = 0;
    TRY(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_comm, &key, NULL));
    TRY(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    TRY(MPI_Comm_set_attr(comm, key, &size));
    refuse = true;
    EXPECT_ERROR(MPI_ERR_OTHER, MPI_Comm_free(&comm));
    TRY(MPI_Comm_size(comm, &size));
    refuse = false;
    TRY(MPI_Comm_free(&comm));
    CHECK(comm == MPI_COMM_NULL && calls == 2, "two releases call the function %d times", calls);
}

static void datatype(void)
{
    MPI_Datatype type;
    int key, size = 0;
    calls = 0;
    TRY(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, delete_type, &key, NULL));
    TRY(MPI_Type_contiguous(2, MPI_INT, &type));
    TRY(MPI_Type_set_attr(type, key, &size));
    refuse = true;
    EXPECT_ERROR(MPI_ERR_OTHER, MPI_Type_free(&type));
    TRY(MPI_Type_size(type, &size));
    refuse = false;
    TRY(MPI_Type_free(&type));
    CHECK(type == MPI_DATATYPE_NULL && calls == 2, "two releases call the function %d times",
          calls);
}

/* Keys for other objects, freed keys, and keys whose values a program cannot set. */
static void wrong_keys(void)
{
    MPI_Datatype type;
    int key, freed, flag, *value;
    TRY(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL));
    EXPECT_ERROR(MPI_ERR_KEYVAL, MPI_Comm_set_attr(MPI_COMM_SELF, key, &flag));
    EXPECT_ERROR(MPI_ERR_KEYVAL, MPI_Comm_get_attr(MPI_COMM_SELF, key, &value, &flag));
    TRY(MPI_Type_dup(MPI_INT, &type));
    TRY(MPI_Type_delete_attr(type, key)); /* no error, as in MPICH and Intel MPI */
    freed = key;
    TRY(MPI_Type_free_keyval(&key));
    EXPECT_ERROR(MPI_ERR_KEYVAL, MPI_Type_set_attr(type, freed, &flag));
    EXPECT_ERROR(MPI_ERR_KEYVAL, MPI_Type_free_keyval(&key));
    EXPECT_ERROR(MPI_ERR_KEYVAL, MPI_Comm_set_attr(MPI_COMM_SELF, MPI_TAG_UB, &flag));
    EXPECT_ERROR(MPI_ERR_KEYVAL, MPI_Comm_delete_attr(MPI_COMM_WORLD, MPI_APPNUM));
    TRY(MPI_Type_free(&type));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    TRY(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    TRY(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    communicator();
    datatype();
    wrong_keys();
    test_finish();
    return 0;
}
