/* The results of communicator constructors: MPI_COMM_NULL where creation fails, an unchanged
 * variable after an error in the arguments, the hints of the info object. Errors of operations
 * on a communicator that has been freed go to its error handler, even if its number is reused. */
/* ranks: 1 2 */
#include "harness.h"
#include <malloc.h>

static MPI_Comm world, made;
static int heard, heard_wrong;

static int refuse(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)key, (void)extra, (void)in, (void)out, (void)flag;
    return MPI_ERR_OTHER;
}

/* The call must fail with this result. */
#define GIVES(result, call)                                                                       \
    do {                                                                                          \
        made = MPI_COMM_SELF;                                                                     \
        int test_code = (call);                                                                   \
        CHECK(test_code != MPI_SUCCESS, "%s succeeds", #call);                                    \
        CHECK(made == (result), "%s leaves %p; it must be %s", #call, (void *)made, #result);     \
    } while (0)

static void failures(void)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm copy;
    int key, dims[1] = {test_size + 1}, periods[1] = {0}, index[1] = {1}, edge[1] = {7};
    TRY(MPI_Comm_dup(world, &copy));
    TRY(MPI_Comm_create_keyval(refuse, MPI_COMM_NULL_DELETE_FN, &key, NULL));
    TRY(MPI_Comm_set_attr(copy, key, NULL));
    GIVES(MPI_COMM_NULL, MPI_Comm_dup(copy, &made));
    GIVES(MPI_COMM_NULL, MPI_Comm_dup_with_info(copy, MPI_INFO_NULL, &made));
    GIVES(MPI_COMM_NULL, MPI_Comm_idup(copy, &made, &request));
    GIVES(MPI_COMM_NULL, MPI_Cart_create(world, 1, dims, periods, 0, &made));
    GIVES(MPI_COMM_SELF, MPI_Comm_dup(MPI_COMM_NULL, &made));
    GIVES(MPI_COMM_SELF, MPI_Comm_split(world, -77, 0, &made));
    GIVES(MPI_COMM_SELF, MPI_Comm_create(world, MPI_GROUP_NULL, &made));
    GIVES(MPI_COMM_SELF, MPI_Graph_create(world, -1, index, edge, 0, &made));
    TRY(MPI_Comm_delete_attr(copy, key));
    TRY(MPI_Comm_free_keyval(&key));
    TRY(MPI_Comm_free(&copy));
}

/* A duplication that the program refuses leaves nothing behind. */
static void refused_often(void)
{
    enum { TIMES = 2000, BYTES_MOST = 100 * TIMES };
    size_t before = 0, after;
    MPI_Request request;
    MPI_Comm copy, dup;
    int key, flag;
    TRY(MPI_Comm_dup(world, &copy));
    TRY(MPI_Comm_create_keyval(refuse, MPI_COMM_NULL_DELETE_FN, &key, NULL));
    TRY(MPI_Comm_set_attr(copy, key, NULL));
    for (int i = 0; i < TIMES; i++) {
        EXPECT_ERROR(MPI_ERR_OTHER, MPI_Comm_idup(copy, &dup, &request));
        if (i == TIMES / 2)
            before = mallinfo2().uordblks;
        /* Makes progress; the barrier keeps one rank from running ahead of the others. */
        TRY(MPI_Iprobe(MPI_ANY_SOURCE, 0, world, &flag, MPI_STATUS_IGNORE));
        TRY(MPI_Barrier(world));
    }
    after = mallinfo2().uordblks;
    CHECK(after <= before + BYTES_MOST, "%d refused duplications keep %zu bytes", TIMES / 2,
          after - before);
    TRY(MPI_Comm_delete_attr(copy, key));
    TRY(MPI_Comm_free_keyval(&key));
    TRY(MPI_Comm_free(&copy));
}

/* The next duplicate has the number of one that was refused while the process that draws the
 * contexts was late; the contexts of that one are not its own. */
static void made_after_a_refusal(void)
{
    MPI_Request request;
    MPI_Comm copy, dup;
    int key, sum = -1, in = -1, next = (test_rank + 1) % test_size;
    TRY(MPI_Comm_dup(world, &copy));
    TRY(MPI_Comm_create_keyval(refuse, MPI_COMM_NULL_DELETE_FN, &key, NULL));
    TRY(MPI_Comm_set_attr(copy, key, NULL));
    if (test_rank == 0)
        test_sleep_ms(50);
    EXPECT_ERROR(MPI_ERR_OTHER, MPI_Comm_idup(copy, &dup, &request));
    TRY(MPI_Comm_idup(world, &dup, &request));
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    TRY(MPI_Sendrecv(&test_rank, 1, MPI_INT, next, 0, &in, 1, MPI_INT, MPI_ANY_SOURCE, 0, dup,
                     MPI_STATUS_IGNORE));
    CHECK((in + 1) % test_size == test_rank, "got a message of rank %d", in);
    TRY(MPI_Allreduce(&test_rank, &sum, 1, MPI_INT, MPI_SUM, dup));
    CHECK(sum == test_size * (test_size - 1) / 2, "the sum of the ranks is %d", sum);
    TRY(MPI_Comm_free(&dup));
    TRY(MPI_Comm_delete_attr(copy, key));
    TRY(MPI_Comm_free_keyval(&key));
    TRY(MPI_Comm_free(&copy));
}

static void has_hint(MPI_Comm comm, const char *what)
{
    MPI_Info used;
    char value[16] = "";
    int flag = 0, room = sizeof value;
    TRY(MPI_Comm_get_info(comm, &used));
    TRY(MPI_Info_get_string(used, "mpi_assert_no_any_tag", &room, value, &flag));
    CHECK(flag && strcmp(value, "true") == 0, "%s drops a hint: flag %d, `%s`", what, flag, value);
    TRY(MPI_Info_free(&used));
}

static void hints(void)
{
    MPI_Info info;
    int me = test_rank, one = 1;
    TRY(MPI_Info_create(&info));
    TRY(MPI_Info_set(info, "mpi_assert_no_any_tag", "true"));
    TRY(MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, info, &made));
    has_hint(made, "MPI_Comm_split_type");
    TRY(MPI_Comm_free(&made));
    TRY(MPI_Dist_graph_create_adjacent(world, 1, &me, &one, 1, &me, &one, info, 0, &made));
    has_hint(made, "MPI_Dist_graph_create_adjacent");
    TRY(MPI_Comm_free(&made));
    TRY(MPI_Dist_graph_create(world, 1, &me, &one, &me, &one, info, 0, &made));
    has_hint(made, "MPI_Dist_graph_create");
    TRY(MPI_Comm_free(&made));
    TRY(MPI_Info_free(&info));
}

static void hear(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    CHECK(test_class(*code) == MPI_ERR_TRUNCATE, "it hears of class %d", test_class(*code));
    heard++;
}

static void hear_wrong(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    heard_wrong++;
}

static void freed(void)
{
    int data[2] = {1, 2}, result[1];
    MPI_Comm first, second;
    MPI_Request request;
    MPI_Errhandler right, wrong;
    TRY(MPI_Comm_create_errhandler(hear, &right));
    TRY(MPI_Comm_create_errhandler(hear_wrong, &wrong));
    TRY(MPI_Comm_dup(MPI_COMM_SELF, &first));
    TRY(MPI_Comm_set_errhandler(first, right));
    TRY(MPI_Irecv(result, 1, MPI_INT, 0, 0, first, &request));
    TRY(MPI_Send(data, 2, MPI_INT, 0, 0, first));
    TRY(MPI_Comm_free(&first));
    TRY(MPI_Comm_dup(MPI_COMM_SELF, &second));
    TRY(MPI_Comm_set_errhandler(second, wrong));
    EXPECT_ERROR(MPI_ERR_TRUNCATE, MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(heard == 1 && heard_wrong == 0, "its handler heard %d times, another's %d", heard,
          heard_wrong);
    TRY(MPI_Comm_free(&second));
    TRY(MPI_Errhandler_free(&right));
    TRY(MPI_Errhandler_free(&wrong));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    TRY(MPI_Comm_dup(MPI_COMM_WORLD, &world));
    TRY(MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN));
    TRY(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    failures();
    refused_often();
    made_after_a_refusal();
    hints();
    freed();
    TRY(MPI_Comm_free(&world));
    test_finish();
    return 0;
}
