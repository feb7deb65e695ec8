/* The sessions model: process sets, a group, a communicator from it, and messages on that
 * communicator, without MPI_Init. */
/* ranks: 1 2 3 */
#include "harness.h"

static MPI_Group world_group(MPI_Session session)
{
    int count = -1, length = 0;
    bool world = false;
    MPI_Group group;
    TRY(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count));
    for (int i = 0; i < count; i++) {
        char name[MPI_MAX_PSET_NAME_LEN];
        length = sizeof name;
        TRY(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name));
        world = world || !strcmp(name, "mpi://WORLD");
    }
    CHECK(world, "none of %d process sets is mpi://WORLD", count);
    TRY(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    return group;
}

static void pass_round(MPI_Comm comm)
{
    int in = -1, out = 100 + test_rank;
    int next = (test_rank + 1) % test_size, prev = (test_rank + test_size - 1) % test_size;
    TRY(MPI_Sendrecv(&out, 1, MPI_INT, next, 5, &in, 1, MPI_INT, prev, 5, comm,
                     MPI_STATUS_IGNORE));
    CHECK(in == 100 + prev, "received %d from rank %d; must be %d", in, prev, 100 + prev);
    TRY(MPI_Barrier(comm));
}

static void once(const char *tag)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    TRY(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    group = world_group(session);
    TRY(MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    TRY(MPI_Group_free(&group));
    TRY(MPI_Comm_rank(comm, &test_rank));
    TRY(MPI_Comm_size(comm, &test_size));
    pass_round(comm);
    TRY(MPI_Comm_free(&comm));
    TRY(MPI_Session_finalize(&session));
    CHECK(session == MPI_SESSION_NULL, "MPI_Session_finalize leaves a handle");
}

int main(void)
{
    once("first");
    once("second");
    test_say_ok(__FILE__);
    return 0;
}
