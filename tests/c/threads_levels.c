/* Communicators of every making whose members have begun MPI at different thread levels, or with
 * different numbers of VCIs (DUNLIN_VCIS): messages between all pairs, by name and by wildcards. */
/* ranks: 2 3 4 */
/* args: levels 0 */
/* args: levels 3 */
/* args: vcis 0 */
/* args: vcis 2 */
/* timeout: 120 */
#include "threads.h"

enum { MAKINGS = 13, REPEATS = 3, COMMS = MAKINGS * REPEATS, ROUNDS = 3, KINDS = 4 };
enum { LONG_INTS = 30000, RANKS_MAX = 16, OWN = 1000 };

struct worker {
    MPI_Comm comm;
    int making;
};

/* What this rank shares with every fourth. */
static int kind;

static int number_in_job(void)
{
    const char *number = getenv("PMI_RANK") ? getenv("PMI_RANK") : getenv("DUNLIN_JOB_RANK");
    return number != NULL ? atoi(number) : 0;
}

/* Begins MPI in this rank's own way, and says whether several threads may call it. */
static bool begin(int argc, char **argv)
{
    static const int LEVELS[KINDS] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED,
                                      MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE};
    int provided = -1, level = MPI_THREAD_MULTIPLE;
    CHECK(argc == 3, "it has %d arguments and needs two", argc - 1);
    kind = (number_in_job() + atoi(argv[2])) % KINDS;
    if (strcmp(argv[1], "vcis") == 0) {
        char text[] = {(char)('1' + kind), '\0'};
        setenv("DUNLIN_VCIS", text, 1);
    } else {
        level = LEVELS[kind];
    }
    TRY(MPI_Init_thread(&argc, &argv, level, &provided));
    test_know_ranks();
    CHECK(test_size <= RANKS_MAX, "it has %d ranks and room for %d", test_size, RANKS_MAX);
    return provided == MPI_THREAD_MULTIPLE;
}

/* Of this group, in the reverse order. */
static MPI_Group reversed(void)
{
    int ranks[RANKS_MAX];
    MPI_Group world, group;
    for (int i = 0; i < test_size; i++)
        ranks[i] = test_size - 1 - i;
    TRY(MPI_Comm_group(MPI_COMM_WORLD, &world));
    TRY(MPI_Group_incl(world, test_size, ranks, &group));
    TRY(MPI_Group_free(&world));
    return group;
}

static void make_of_group(int making, MPI_Comm *comm)
{
    MPI_Group group = reversed();
    if (making == 3)
        TRY(MPI_Comm_create(MPI_COMM_WORLD, group, comm));
    else
        TRY(MPI_Comm_create_group(MPI_COMM_WORLD, group, 5, comm));
    TRY(MPI_Group_free(&group));
}

/* Of two sides, by an intercommunicator. */
static void make_by_merge(MPI_Comm *comm)
{
    MPI_Comm side, both;
    int is_high = test_rank >= (test_size + 1) / 2;
    TRY(MPI_Comm_split(MPI_COMM_WORLD, is_high, 0, &side));
    TRY(MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, is_high ? 0 : (test_size + 1) / 2, 7, &both));
    TRY(MPI_Intercomm_merge(both, is_high, comm));
    TRY(MPI_Comm_free(&both));
    TRY(MPI_Comm_free(&side));
}

static void make_with_topology(int making, MPI_Comm *comm)
{
    int dims = test_size, periodic = 1, degrees = 1, next = (test_rank + 1) % test_size;
    int before = (test_rank + test_size - 1) % test_size;
    if (making == 5)
        TRY(MPI_Cart_create(MPI_COMM_WORLD, 1, &dims, &periodic, 1, comm));
    else if (making == 6)
        TRY(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &test_rank, &degrees, &next, MPI_UNWEIGHTED,
                                  MPI_INFO_NULL, 1, comm));
    else
        TRY(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &next,
                                           MPI_UNWEIGHTED, MPI_INFO_NULL, 0, comm));
}

/* Every member sends to every member, itself too: `ints` that name the round and the sender. */
static void all_to_all(const struct worker *w, int round, bool by_name, int ints)
{
    int rank, size;
    MPI_Request requests[2 * RANKS_MAX];
    MPI_Status statuses[2 * RANKS_MAX];
    TRY(MPI_Comm_rank(w->comm, &rank));
    TRY(MPI_Comm_size(w->comm, &size));
    int *in = calloc((size_t)size * (size_t)ints, sizeof *in), seen[RANKS_MAX] = {0};
    int *out = calloc((size_t)ints, sizeof *out);
    CHECK(in != NULL && out != NULL, "no memory for %d integers", (size + 1) * ints);
    for (int i = 0; i < ints; i++)
        out[i] = round * OWN + rank + i;
    for (int i = 0; i < size; i++)
        TRY(MPI_Irecv(in + i * ints, ints, MPI_INT, by_name ? i : MPI_ANY_SOURCE,
                      by_name ? round : MPI_ANY_TAG, w->comm, &requests[i]));
    for (int i = 0; i < size; i++)
        TRY(MPI_Isend(out, ints, MPI_INT, i, round, w->comm, &requests[size + i]));
    TRY(MPI_Waitall(2 * size, requests, statuses));
    for (int i = 0; i < size; i++) {
        int from = statuses[i].MPI_SOURCE;
        CHECK(from >= 0 && from < size && !seen[from] && (!by_name || from == i),
              "making %d: message %d is from rank %d", w->making, i, from);
        test_status(&statuses[i], from, round, ints * (int)sizeof(int), "a message of many");
        seen[from] = 1;
        for (int k = 0; k < ints; k++)
            CHECK(in[i * ints + k] == round * OWN + from + k,
                  "making %d, round %d: integer %d from rank %d is %d", w->making, round, k, from,
                  in[i * ints + k]);
    }
    free(out);
    free(in);
}

static void *work(void *argument)
{
    struct worker *w = argument;
    for (int round = 0; round < ROUNDS; round++) {
        all_to_all(w, round, true, round == 1 ? LONG_INTS : 1);
        /* Wildcards must not take what a neighbour sends next. */
        TRY(MPI_Barrier(w->comm));
        all_to_all(w, round, false, round == 1 ? LONG_INTS : 1);
        TRY(MPI_Barrier(w->comm));
    }
    return NULL;
}

/* On a communicator of a session, which ends here; what is made is another. */
static void use_session(MPI_Comm *comm)
{
#if MPI_VERSION >= 4
    MPI_Session session;
    MPI_Group group;
    struct worker w = {.making = MAKINGS - 1};
    TRY(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session));
    TRY(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    TRY(MPI_Comm_create_from_group(group, "levels", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &w.comm));
    TRY(MPI_Group_free(&group));
    work(&w);
    TRY(MPI_Comm_free(&w.comm));
    TRY(MPI_Session_finalize(&session));
#endif
    TRY(MPI_Comm_dup(MPI_COMM_WORLD, comm));
}

static void make(int making, MPI_Comm *comm)
{
    MPI_Request request;
    switch (making) {
    case 0: TRY(MPI_Comm_dup(MPI_COMM_WORLD, comm)); break;
    case 1: TRY(MPI_Comm_split(MPI_COMM_WORLD, 0, -test_rank, comm)); break;
    case 2: TRY(MPI_Comm_split(MPI_COMM_WORLD, kind, 0, comm)); break;
    case 3:
    case 4: make_of_group(making, comm); break;
    case 5:
    case 6:
    case 7: make_with_topology(making, comm); break;
    case 8: make_by_merge(comm); break;
    case 9:
        TRY(MPI_Comm_idup(MPI_COMM_WORLD, comm, &request));
        TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
        break;
    case 10:
        TRY(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, comm));
        break;
    case 11: TRY(MPI_Comm_split(MPI_COMM_WORLD, test_rank % 2, 0, comm)); break;
    default: use_session(comm); break;
    }
}

int main(int argc, char **argv)
{
    static struct worker workers[COMMS];
    bool has_threads = begin(argc, argv);
    for (int i = 0; i < COMMS; i++) {
        workers[i].making = i % MAKINGS;
        make(i % MAKINGS, &workers[i].comm);
    }
    if (has_threads)
        threads_run(COMMS, work, workers, sizeof *workers);
    else
        for (int i = 0; i < COMMS; i++)
            work(&workers[i]);
    for (int i = 0; i < COMMS; i++)
        TRY(MPI_Comm_free(&workers[i].comm));
    test_finish();
    return 0;
}
