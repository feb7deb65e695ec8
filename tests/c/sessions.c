/* Several sessions beside the world model, before it and after it: each with its error handler,
 * thread level and process sets. */
/* ranks: 1 3 */
#include "harness.h"

static int heard;

static void hear(MPI_Session *session, int *code, ...)
{
    CHECK(*session != MPI_SESSION_NULL, "the handler hears of no session");
    heard = test_class(*code);
}

static void expect_value(MPI_Info info, const char *key, const char *wanted)
{
    char value[64] = "";
    int length = sizeof value, flag = 0;
    TRY(MPI_Info_get_string(info, key, &length, value, &flag));
    CHECK(flag && !strcmp(value, wanted), "%s is '%s'; must be '%s'", key, value, wanted);
}

static void thread_levels(void)
{
    MPI_Session session = MPI_SESSION_NULL;
    MPI_Info info, used;
    TRY(MPI_Info_create(&info));
    TRY(MPI_Info_set(info, "thread_level", "MPI_THREAD_SERIALIZED"));
    TRY(MPI_Session_init(info, MPI_ERRORS_RETURN, &session));
    TRY(MPI_Session_get_info(session, &used));
    expect_value(used, "thread_level", "MPI_THREAD_SERIALIZED");
    TRY(MPI_Info_free(&used));
    TRY(MPI_Session_finalize(&session));
    TRY(MPI_Info_set(info, "thread_level", "MPI_THREAD_SOMETIMES"));
    EXPECT_ERROR(MPI_ERR_INFO_VALUE, MPI_Session_init(info, MPI_ERRORS_RETURN, &session));
    TRY(MPI_Info_free(&info));
}

static void errors_go_to_the_handler(MPI_Session session)
{
    MPI_Errhandler handler, now;
    MPI_Group group;
    TRY(MPI_Session_create_errhandler(hear, &handler));
    TRY(MPI_Session_set_errhandler(session, handler));
    TRY(MPI_Session_get_errhandler(session, &now));
    CHECK(now == handler, "another handler comes back");
    TRY(MPI_Errhandler_free(&now));
    EXPECT_ERROR(MPI_ERR_ARG, MPI_Group_from_session_pset(session, "mpi://NOWHERE", &group));
    CHECK(heard == MPI_ERR_ARG, "the handler heard %d", heard);
    TRY(MPI_Session_call_errhandler(session, MPI_ERR_OTHER));
    CHECK(heard == MPI_ERR_OTHER, "the handler heard %d", heard);
    TRY(MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN));
}

static void process_sets(MPI_Session session)
{
    MPI_Info info;
    MPI_Group self, world;
    char name[MPI_MAX_PSET_NAME_LEN], size[16];
    int length = 0, count = -1, n = -1;
    TRY(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count));
    for (int i = 0; i < count; i++) {
        int needed = 0;
        TRY(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &needed, NULL));
        length = needed;
        TRY(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name));
        CHECK((int)strlen(name) + 1 == needed, "'%s' needs %d characters", name, needed);
        TRY(MPI_Session_get_pset_info(session, name, &info));
        TRY(MPI_Group_from_session_pset(session, name, &world));
        TRY(MPI_Group_size(world, &n));
        snprintf(size, sizeof size, "%d", n);
        expect_value(info, "mpi_size", size);
        TRY(MPI_Group_free(&world));
        TRY(MPI_Info_free(&info));
    }
    EXPECT_ERROR(MPI_ERR_ARG,
                 MPI_Session_get_nth_pset(session, MPI_INFO_NULL, count, &length, name));
    TRY(MPI_Group_from_session_pset(session, "mpi://SELF", &self));
    TRY(MPI_Group_size(self, &n));
    CHECK(n == 1, "mpi://SELF has %d processes", n);
    TRY(MPI_Group_free(&self));
}

static void talk_in(MPI_Session session, const char *tag)
{
    MPI_Group group;
    MPI_Comm comm, copy;
    int rank = -1, size = -1, sum = -1;
    TRY(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    TRY(MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    TRY(MPI_Comm_dup(comm, &copy));
    TRY(MPI_Comm_rank(copy, &rank));
    TRY(MPI_Comm_size(copy, &size));
    TRY(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, copy));
    CHECK(sum == size * (size - 1) / 2, "%s: the sum of ranks is %d", tag, sum);
    TRY(MPI_Group_free(&group));
    TRY(MPI_Comm_free(&comm));
    TRY(MPI_Comm_disconnect(&copy));
}

static void expect_world(int initialized, int finalized)
{
    int is = -1, was = -1;
    TRY(MPI_Initialized(&is));
    TRY(MPI_Finalized(&was));
    CHECK(is == initialized && was == finalized, "initialized %d, finalized %d", is, was);
}

int main(int argc, char **argv)
{
    MPI_Session first, second;
    thread_levels();
    TRY(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &first));
    expect_world(0, 0);
    talk_in(first, "before the world");
    test_start(&argc, &argv);
    TRY(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &second));
    CHECK(first != second, "two sessions have one handle");
    talk_in(second, "beside the world");
    errors_go_to_the_handler(first);
    process_sets(second);
    TRY(MPI_Session_finalize(&second));
    expect_world(1, 0);
    TRY(MPI_Finalize());
    expect_world(1, 1);
    talk_in(first, "after the world");
    TRY(MPI_Session_finalize(&first));
    TRY(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &first));
    talk_in(first, "after all");
    TRY(MPI_Session_finalize(&first));
    test_say_ok(__FILE__);
    return 0;
}
