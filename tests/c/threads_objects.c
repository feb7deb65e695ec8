/* Threads that make and free objects at the same time, each thread from a communicator of its own:
 * communicators of every kind, datatypes, groups, attributes, infos; and communicators of groups
 * from one communicator, told apart by their tags. */
/* ranks: 1 2 4 */
/* timeout: 120 */
#include "threads.h"

enum { THREADS = 6, ROUNDS = 12 };

struct job {
    int thread;
    MPI_Comm comm;
};

static int key;

/* A sum over all members, so that a communicator with a wrong context mixes up messages. */
static void use(MPI_Comm comm, int thread, int round)
{
    int rank, size, mine, sum = -1, wanted;
    TRY(MPI_Comm_rank(comm, &rank));
    TRY(MPI_Comm_size(comm, &size));
    mine = rank + thread * 100 + round;
    wanted = size * (size - 1) / 2 + size * (thread * 100 + round);
    TRY(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK(sum == wanted, "thread %d, round %d: the sum of %d ranks is %d; it must be %d", thread,
          round, size, sum, wanted);
    TRY(MPI_Sendrecv(&mine, 1, MPI_INT, (rank + 1) % size, 0, &sum, 1, MPI_INT,
                     (rank + size - 1) % size, 0, comm, MPI_STATUS_IGNORE));
    CHECK(sum == mine - rank + (rank + size - 1) % size, "a message says %d", sum);
}

static void *make_comms(void *argument)
{
    struct job *job = argument;
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Comm made[5];
        MPI_Request request;
        int size = test_size, ring = 1, from;
        TRY(MPI_Comm_dup(job->comm, &made[0]));
        TRY(MPI_Comm_split(made[0], test_rank % 2, test_rank, &made[1]));
        TRY(MPI_Comm_idup(made[0], &made[2], &request));
        TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
        TRY(MPI_Cart_create(job->comm, 1, &size, &ring, 0, &made[3]));
        TRY(MPI_Comm_split_type(job->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made[4]));
        TRY(MPI_Cart_shift(made[3], 0, 1, &from, &size));
        for (int i = 0; i < 5; i++)
            use(made[i], job->thread, round);
        for (int i = 0; i < 5; i++)
            TRY(MPI_Comm_free(&made[(i + job->thread) % 5]));
    }
    return NULL;
}

/* All from MPI_COMM_WORLD, which MPI_Comm_create_group allows where the tags differ. */
static void *make_comms_of_groups(void *argument)
{
    struct job *job = argument;
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Group world, group;
        MPI_Comm made;
        int range[3] = {test_rank % 2, test_size - 1, 2};
        TRY(MPI_Comm_group(MPI_COMM_WORLD, &world));
        TRY(MPI_Group_range_incl(world, 1, &range, &group));
        TRY(MPI_Comm_create_group(MPI_COMM_WORLD, group, job->thread, &made));
        use(made, job->thread, round);
        TRY(MPI_Group_free(&group));
        TRY(MPI_Group_free(&world));
        TRY(MPI_Comm_free(&made));
    }
    return NULL;
}

static int count_down(MPI_Comm comm, int deleted, void *value, void *unused)
{
    (void)comm, (void)deleted, (void)unused;
    --*(int *)value;
    return MPI_SUCCESS;
}

/* What one rank does alone. */
static void *make_small_objects(void *argument)
{
    struct job *job = argument;
    for (int round = 0; round < 20 * ROUNDS; round++) {
        int at[3] = {0, 2, 5}, bytes = -1, attributes = 1, found = 0, room = 8;
        char level[8];
        MPI_Datatype type;
        MPI_Comm comm;
        MPI_Info info;
        MPI_Errhandler handler;
        TRY(MPI_Type_create_indexed_block(3, 1 + round % 2, at, MPI_INT, &type));
        TRY(MPI_Type_commit(&type));
        TRY(MPI_Type_size(type, &bytes));
        CHECK(bytes == 12 * (1 + round % 2), "thread %d's type has %d bytes", job->thread, bytes);
        TRY(MPI_Type_free(&type));
        TRY(MPI_Info_create(&info));
        TRY(MPI_Info_set(info, "key", "value"));
        TRY(MPI_Info_get_string(info, "key", &room, level, &found));
        CHECK(found && strcmp(level, "value") == 0, "an info says '%s'", level);
        TRY(MPI_Info_free(&info));
        TRY(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler));
        TRY(MPI_Errhandler_free(&handler));
        if (round % 20)
            continue;
        TRY(MPI_Comm_dup(job->comm, &comm));
        TRY(MPI_Comm_set_attr(comm, key, &attributes));
        TRY(MPI_Comm_free(&comm));
        CHECK(attributes == 0, "the attribute was deleted %d times", 1 - attributes);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    struct job jobs[THREADS];
    threads_start(&argc, &argv);
    TRY(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, count_down, &key, NULL));
    for (int t = 0; t < THREADS; t++) {
        jobs[t].thread = t;
        TRY(MPI_Comm_dup(MPI_COMM_WORLD, &jobs[t].comm));
    }
    threads_run(THREADS, make_comms, jobs, sizeof *jobs);
    if (test_size > 1)
        threads_run(THREADS, make_comms_of_groups, jobs, sizeof *jobs);
    threads_run(THREADS, make_small_objects, jobs, sizeof *jobs);
    for (int t = 0; t < THREADS; t++)
        TRY(MPI_Comm_free(&jobs[t].comm));
    TRY(MPI_Comm_free_keyval(&key));
    test_finish();
    return 0;
}
