/* Attributes of communicators: the predefined ones, and the user's, which are copied when a
 * communicator is duplicated and deleted when it is freed. */
/* ranks: 1 2 */
#include "harness.h"

enum { TAG_UB_LEAST = 32767 };

static int copies, deletions, marker;

static int copy(MPI_Comm comm, int key, void *extra, void *value, void *copied, int *flag)
{
    (void)comm, (void)key;
    CHECK(extra == &marker, "the copy function is given another extra state");
    copies++;
    *(void **)copied = (char *)value + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static int forget(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value;
    CHECK(extra == &marker, "the delete function is given another extra state");
    deletions++;
    return MPI_SUCCESS;
}

static void predefined(void)
{
    int *tag_ub = NULL, flag = 0, value = 0;
    MPI_Request requests[2];
    TRY(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag_ub, &flag));
    CHECK(flag && *tag_ub >= TAG_UB_LEAST, "MPI_TAG_UB: flag %d, value %d; at least %d", flag,
          flag ? *tag_ub : -1, TAG_UB_LEAST);
    TRY(MPI_Irecv(&value, 1, MPI_INT, 0, *tag_ub, MPI_COMM_SELF, &requests[0]));
    TRY(MPI_Isend(tag_ub, 1, MPI_INT, 0, *tag_ub, MPI_COMM_SELF, &requests[1]));
    TRY(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK(value == *tag_ub, "a message with the highest tag delivers %d", value);
    if (*tag_ub < INT32_MAX) {
        TRY(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
        EXPECT_ERROR(MPI_ERR_TAG, MPI_Send(&value, 1, MPI_INT, 0, *tag_ub + 1, MPI_COMM_SELF));
    }
}

static void expect_value(MPI_Comm comm, int key, void *wanted, const char *what)
{
    void *value = NULL;
    int flag = -1;
    TRY(MPI_Comm_get_attr(comm, key, &value, &flag));
    CHECK(flag == (wanted != NULL), "%s: flag %d", what, flag);
    CHECK(!flag || value == wanted, "%s: value %p; must be %p", what, value, wanted);
}

static void users_own(void)
{
    static char place[4];
    MPI_Comm first, second;
    int key = MPI_KEYVAL_INVALID;
    TRY(MPI_Comm_create_keyval(copy, forget, &key, &marker));
    TRY(MPI_Comm_dup(MPI_COMM_WORLD, &first));
    expect_value(first, key, NULL, "never set");
    TRY(MPI_Comm_set_attr(first, key, &place[0]));
    expect_value(first, key, &place[0], "set");
    TRY(MPI_Comm_dup(first, &second));
    CHECK(copies == 1, "one duplication calls the copy function %d times", copies);
    expect_value(second, key, &place[1], "copied");
    TRY(MPI_Comm_set_attr(second, key, &place[3]));
    CHECK(deletions == 1, "setting anew calls the delete function %d times", deletions);
    TRY(MPI_Comm_delete_attr(first, key));
    CHECK(deletions == 2, "deleting calls the delete function; %d calls in all", deletions);
    expect_value(first, key, NULL, "deleted");
    TRY(MPI_Comm_free_keyval(&key));
    CHECK(key == MPI_KEYVAL_INVALID, "MPI_Comm_free_keyval leaves a key");
    TRY(MPI_Comm_free(&second));
    CHECK(deletions == 3, "freeing the communicator calls it; %d calls in all", deletions);
    TRY(MPI_Comm_free(&first));
    CHECK(deletions == 3, "nothing is deleted twice; %d calls in all", deletions);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    predefined();
    users_own();
    test_finish();
    return 0;
}
