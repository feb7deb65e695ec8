/* The order in which attribute callbacks run, and the effect of their errors: on duplication, on
 * freeing, on datatypes, and on MPI_COMM_SELF when MPI ends. */
/* ranks: 1 2 */
#include "harness.h"

enum { CALLS_MOST = 16 };

static struct {
    char what;
    void *value;
} calls[CALLS_MOST];
static int called;
static bool refuse_copy, refuse_delete;
static char marks[8];

static void note(char what, void *value)
{
    CHECK(called < CALLS_MOST, "too many calls");
    calls[called].what = what;
    calls[called++].value = value;
}

/* Checks the calls since the last check: letters, each with the index of its mark. */
static void expect(const char *wanted, const char *when)
{
    CHECK(called * 2 == (int)strlen(wanted), "%s: %d calls; must be %zu", when, called,
          strlen(wanted) / 2);
    for (int i = 0; i < called; i++)
        CHECK(calls[i].what == wanted[2 * i] && calls[i].value == &marks[wanted[2 * i + 1] - '0'],
              "%s: call %d is %c%d; must be %.2s", when, i, calls[i].what,
              (int)((char *)calls[i].value - marks), wanted + 2 * i);
    called = 0;
}

/* The copied value is the next mark. Callbacks may call MPI, also on the object itself. */
static int copy_comm(MPI_Comm comm, int key, void *extra, void *value, void *copied, int *flag)
{
    void *seen = NULL;
    int found = 0;
    (void)extra;
    TRY(MPI_Comm_get_attr(comm, key, &seen, &found));
    CHECK(found && seen == value, "the copy function sees another value than it is given");
    note('c', value);
    *(void **)copied = (char *)value + 1;
    *flag = 1;
    return refuse_copy ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int delete_comm(MPI_Comm comm, int key, void *value, void *extra)
{
    int size = 0;
    (void)key, (void)extra;
    TRY(MPI_Comm_size(comm, &size));
    CHECK(size > 0, "the communicator is gone before its attributes");
    note('d', value);
    return refuse_delete ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int copy_type(MPI_Datatype type, int key, void *extra, void *value, void *copied, int *flag)
{
    (void)type, (void)key, (void)extra, (void)copied;
    note('c', value);
    *flag = 0;
    return MPI_SUCCESS;
}

static int delete_type(MPI_Datatype type, int key, void *value, void *extra)
{
    int size = 0;
    (void)key, (void)extra;
    TRY(MPI_Type_size(type, &size));
    note('d', value);
    return MPI_SUCCESS;
}

static void refusals(void)
{
    MPI_Comm comm, copy = MPI_COMM_NULL;
    int key, flag = -1;
    void *value = NULL;
    TRY(MPI_Comm_create_keyval(copy_comm, delete_comm, &key, NULL));
    TRY(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    TRY(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    TRY(MPI_Comm_set_attr(comm, key, &marks[0]));
    refuse_copy = true;
    EXPECT_ERROR(MPI_ERR_OTHER, MPI_Comm_dup(comm, &copy));
    refuse_copy = false;
    expect("c0", "a refused copy");
    refuse_delete = true;
    EXPECT_ERROR(MPI_ERR_OTHER, MPI_Comm_delete_attr(comm, key));
    expect("d0", "a refused deletion");
    TRY(MPI_Comm_get_attr(comm, key, &value, &flag));
    CHECK(flag && value == &marks[0], "a refused deletion removes the attribute");
    refuse_delete = false;
    TRY(MPI_Comm_free_keyval(&key));
    TRY(MPI_Comm_free(&comm));
    expect("d0", "release");
}

static void special_functions(void)
{
    MPI_Comm comm, copy;
    int lost, kept, flag = -1;
    void *value = NULL;
    TRY(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &lost, NULL));
    TRY(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &kept, NULL));
    TRY(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    TRY(MPI_Comm_set_attr(comm, lost, &marks[0]));
    TRY(MPI_Comm_set_attr(comm, kept, &marks[1]));
    TRY(MPI_Comm_dup(comm, &copy));
    TRY(MPI_Comm_get_attr(copy, lost, &value, &flag));
    CHECK(!flag, "MPI_COMM_NULL_COPY_FN copies");
    TRY(MPI_Comm_get_attr(copy, kept, &value, &flag));
    CHECK(flag && value == &marks[1], "MPI_COMM_DUP_FN: flag %d", flag);
    TRY(MPI_Comm_free(&copy));
    TRY(MPI_Comm_free(&comm));
    TRY(MPI_Comm_free_keyval(&lost));
    TRY(MPI_Comm_free_keyval(&kept));
}

/* A nonblocking duplicate has the attributes that were set when the call was made. */
static void nonblocking(void)
{
    MPI_Comm comm, copy;
    MPI_Request request;
    int key, flag = -1;
    void *value = NULL;
    TRY(MPI_Comm_create_keyval(copy_comm, delete_comm, &key, NULL));
    TRY(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    TRY(MPI_Comm_set_attr(comm, key, &marks[2]));
    TRY(MPI_Comm_idup(comm, &copy, &request));
    expect("c2", "idup");
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    TRY(MPI_Comm_get_attr(copy, key, &value, &flag));
    CHECK(flag && value == &marks[3], "idup: flag %d", flag);
    TRY(MPI_Comm_free(&copy));
    TRY(MPI_Comm_free(&comm));
    expect("d3d2", "release of both");
    TRY(MPI_Comm_free_keyval(&key));
}

static void of_datatypes(void)
{
    MPI_Datatype type, copy;
    int key, other, flag = -1;
    void *value = NULL;
    TRY(MPI_Type_create_keyval(copy_type, delete_type, &key, NULL));
    TRY(MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &other, NULL));
    TRY(MPI_Type_contiguous(2, MPI_INT, &type));
    TRY(MPI_Type_set_attr(type, key, &marks[1]));
    TRY(MPI_Type_set_attr(type, other, &marks[2]));
    TRY(MPI_Type_dup(type, &copy));
    expect("c1", "dup of a datatype");
    TRY(MPI_Type_get_attr(copy, key, &value, &flag));
    CHECK(!flag, "a copy function that says no is overruled");
    TRY(MPI_Type_get_attr(copy, other, &value, &flag));
    CHECK(flag && value == &marks[2], "MPI_TYPE_DUP_FN: flag %d", flag);
    TRY(MPI_Type_free(&copy));
    expect("", "release of the copy");
    TRY(MPI_Type_set_attr(type, key, &marks[3]));
    expect("d1", "setting anew");
    TRY(MPI_Type_delete_attr(type, other));
    TRY(MPI_Type_free(&type));
    expect("d3", "release of the datatype");
    TRY(MPI_Type_free_keyval(&key));
    TRY(MPI_Type_free_keyval(&other));
}

/* The names of MPI-1, and the largest error code, which grows. */
static void old_and_predefined(void)
{
    int *last = NULL, before, flag = -1, key, class;
    void *value = NULL;
    TRY(MPI_Keyval_create(copy_comm, delete_comm, &key, NULL));
    TRY(MPI_Attr_put(MPI_COMM_WORLD, key, &marks[5]));
    TRY(MPI_Attr_get(MPI_COMM_WORLD, key, &value, &flag));
    CHECK(flag && value == &marks[5], "MPI_Attr_get: flag %d", flag);
    TRY(MPI_Attr_delete(MPI_COMM_WORLD, key));
    expect("d5", "MPI_Attr_delete");
    TRY(MPI_Keyval_free(&key));
    TRY(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag));
    CHECK(flag && *last >= MPI_ERR_LASTCODE, "MPI_LASTUSEDCODE is %d", flag ? *last : -1);
    before = *last;
    TRY(MPI_Add_error_class(&class));
    TRY(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag));
    CHECK(*last > before && *last >= class, "a new class leaves MPI_LASTUSEDCODE at %d", *last);
}

static int last_moment(MPI_Comm comm, int key, void *value, void *extra)
{
    int finalized = -1, rank = -1;
    (void)key, (void)extra;
    TRY(MPI_Finalized(&finalized));
    TRY(MPI_Comm_rank(comm, &rank));
    CHECK(!finalized && rank == 0, "in MPI_Finalize: finalized %d, rank %d", finalized, rank);
    note('f', value);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int keys[3];
    test_start(&argc, &argv);
    refusals();
    special_functions();
    nonblocking();
    of_datatypes();
    old_and_predefined();
    for (int i = 0; i < 3; i++) {
        TRY(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, last_moment, &keys[i], NULL));
        TRY(MPI_Comm_set_attr(MPI_COMM_SELF, keys[i], &marks[i]));
    }
    TRY(MPI_Finalize());
    expect("f2f1f0", "MPI_Finalize");
    test_say_ok(__FILE__);
    return 0;
}
