/* A key that was freed while attributes use it: the attributes can still be deleted, read and
 * set with it (MPI 5.0, section 7.7.2: the key exists until the last of them is deleted). */
/* ranks: 1 */
#include "harness.h"

static int deletions;

static int forget_comm(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    deletions++;
    return MPI_SUCCESS;
}

static int forget_type(MPI_Datatype type, int key, void *value, void *extra)
{
    (void)type, (void)key, (void)value, (void)extra;
    deletions++;
    return MPI_SUCCESS;
}

static void on_communicators(void)
{
    int key, kept, flag = 0, first = 1, second = 2;
    void *value = NULL;
    MPI_Comm other;
    TRY(MPI_Comm_dup(MPI_COMM_SELF, &other));
    TRY(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget_comm, &key, NULL));
    TRY(MPI_Comm_set_attr(MPI_COMM_SELF, key, &first));
    kept = key;
    TRY(MPI_Comm_free_keyval(&key));
    CHECK(key == MPI_KEYVAL_INVALID, "a freed key is %d", key);
    TRY(MPI_Comm_get_attr(MPI_COMM_SELF, kept, &value, &flag));
    CHECK(flag && value == &first, "the attribute of a freed key: flag %d", flag);
    TRY(MPI_Comm_set_attr(MPI_COMM_SELF, kept, &second));
    CHECK(deletions == 1, "%d deletions after the attribute was set anew", deletions);
    TRY(MPI_Comm_set_attr(other, kept, &first));
    TRY(MPI_Comm_delete_attr(other, kept));
    deletions--;
    TRY(MPI_Comm_delete_attr(MPI_COMM_SELF, kept));
    CHECK(deletions == 2, "%d deletions after MPI_Comm_delete_attr", deletions);
    EXPECT_ERROR(MPI_ERR_KEYVAL, MPI_Comm_delete_attr(MPI_COMM_SELF, kept));
    EXPECT_ERROR(MPI_ERR_KEYVAL, MPI_Comm_set_attr(MPI_COMM_SELF, kept, &first));
    TRY(MPI_Comm_free(&other));
}

static void on_datatypes(void)
{
    int key, kept, first = 1;
    MPI_Datatype type;
    TRY(MPI_Type_contiguous(2, MPI_INT, &type));
    TRY(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, forget_type, &key, NULL));
    TRY(MPI_Type_set_attr(type, key, &first));
    kept = key;
    TRY(MPI_Type_free_keyval(&key));
    deletions = 0;
    TRY(MPI_Type_delete_attr(type, kept));
    CHECK(deletions == 1, "%d deletions after MPI_Type_delete_attr", deletions);
    EXPECT_ERROR(MPI_ERR_KEYVAL, MPI_Type_delete_attr(type, kept));
    TRY(MPI_Type_free(&type));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    TRY(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    on_communicators();
    on_datatypes();
    test_finish();
    return 0;
}
