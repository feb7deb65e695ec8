/* Every nonblocking and persistent collective on an intracommunicator: correct results, many in
 * progress, restarts with new data, and the restrictions on their requests. */
/* ranks: 1 2 3 4 5 8 */
#include "coll.h"

enum { COUNT = 5, RANKS_MAX = 8, ROUNDS = 3, CALLS = 16 };

/* One pair of buffers for every call, and arguments that several calls share. */
struct work {
    int in[CALLS][RANKS_MAX * COUNT], out[CALLS][RANKS_MAX * COUNT];
    int counts[RANKS_MAX], displs[RANKS_MAX], bytes[RANKS_MAX];
    MPI_Datatype types[RANKS_MAX];
    MPI_Request requests[CALLS];
};

static struct work w;
static const MPI_Comm world = MPI_COMM_WORLD;

static void prepare(int salt)
{
    for (int call = 0; call < CALLS; call++) {
        for (int k = 0; k < test_size; k++)
            coll_fill(w.out[call] + k * COUNT, COUNT, test_rank, salt + 100 * call + k);
        coll_clear(w.in[call], RANKS_MAX * COUNT);
    }
    coll_fill(w.in[1], COUNT, test_rank, salt);
    for (int k = 0; k < test_size; k++) {
        w.counts[k] = COUNT;
        w.displs[k] = k * COUNT;
        w.bytes[k] = w.displs[k] * (int)sizeof(int);
        w.types[k] = MPI_INT;
    }
}

/* All calls by their names and with the further arguments of the nonblocking or persistent form.
 * The root is the last rank. */
#define ALL_CALLS(NAME, ...)                                                                      \
    do {                                                                                          \
        int last = test_size - 1;                                                                 \
        MPI_Request *r = w.requests;                                                              \
        TRY(NAME(barrier)(world, ##__VA_ARGS__, &r[0]));                                          \
        TRY(NAME(bcast)(w.in[1], COUNT, MPI_INT, last, world, ##__VA_ARGS__, &r[1]));             \
        TRY(NAME(gather)(w.out[2], COUNT, MPI_INT, w.in[2], COUNT, MPI_INT, last, world,          \
                         ##__VA_ARGS__, &r[2]));                                                  \
        TRY(NAME(gatherv)(w.out[3], COUNT, MPI_INT, w.in[3], w.counts, w.displs, MPI_INT, last,   \
                          world, ##__VA_ARGS__, &r[3]));                                          \
        TRY(NAME(scatter)(w.out[4], COUNT, MPI_INT, w.in[4], COUNT, MPI_INT, last, world,         \
                          ##__VA_ARGS__, &r[4]));                                                 \
        TRY(NAME(scatterv)(w.out[5], w.counts, w.displs, MPI_INT, w.in[5], COUNT, MPI_INT, last,  \
                           world, ##__VA_ARGS__, &r[5]));                                         \
        TRY(NAME(allgather)(w.out[6], COUNT, MPI_INT, w.in[6], COUNT, MPI_INT, world,             \
                            ##__VA_ARGS__, &r[6]));                                               \
        TRY(NAME(allgatherv)(w.out[7], COUNT, MPI_INT, w.in[7], w.counts, w.displs, MPI_INT,      \
                             world, ##__VA_ARGS__, &r[7]));                                       \
        TRY(NAME(alltoall)(w.out[8], COUNT, MPI_INT, w.in[8], COUNT, MPI_INT, world,              \
                           ##__VA_ARGS__, &r[8]));                                                \
        TRY(NAME(alltoallv)(w.out[9], w.counts, w.displs, MPI_INT, w.in[9], w.counts, w.displs,   \
                            MPI_INT, world, ##__VA_ARGS__, &r[9]));                               \
        TRY(NAME(alltoallw)(w.out[10], w.counts, w.bytes, w.types, w.in[10], w.counts, w.bytes,   \
                            w.types, world, ##__VA_ARGS__, &r[10]));                              \
        TRY(NAME(reduce)(w.out[11], w.in[11], COUNT, MPI_INT, MPI_SUM, last, world,               \
                         ##__VA_ARGS__, &r[11]));                                                 \
        TRY(NAME(allreduce)(w.out[12], w.in[12], COUNT, MPI_INT, MPI_SUM, world, ##__VA_ARGS__,   \
                            &r[12]));                                                             \
        TRY(NAME(reduce_scatter)(w.out[13], w.in[13], w.counts, MPI_INT, MPI_SUM, world,          \
                                 ##__VA_ARGS__, &r[13]));                                         \
        TRY(NAME(scan)(w.out[14], w.in[14], COUNT, MPI_INT, MPI_SUM, world, ##__VA_ARGS__,        \
                       &r[14]));                                                                  \
        TRY(NAME(exscan)(w.out[15], w.in[15], COUNT, MPI_INT, MPI_SUM, world, ##__VA_ARGS__,      \
                         &r[15]));                                                                \
    } while (0)

static void check_sums(const int *data, int ranks, int salt, const char *what)
{
    for (int i = 0; i < COUNT; i++) {
        unsigned sum = 0;
        for (int r = 0; r < ranks; r++)
            sum += (unsigned)coll_value(r, i, salt);
        CHECK(data[i] == (int)sum, "%s: %d at %d; must be %d", what, data[i], i, (int)sum);
    }
}

static void check_roots_blocks(int salt)
{
    bool is_root = test_rank == test_size - 1;
    for (int k = 0; k < test_size && is_root; k++) {
        coll_check(w.in[2] + k * COUNT, COUNT, k, salt + 200, "gather");
        coll_check(w.in[3] + k * COUNT, COUNT, k, salt + 300, "gatherv");
    }
    coll_check(w.in[1], COUNT, test_size - 1, salt, "bcast");
    coll_check(w.in[4], COUNT, test_size - 1, salt + 400 + test_rank, "scatter");
    coll_check(w.in[5], COUNT, test_size - 1, salt + 500 + test_rank, "scatterv");
    if (is_root)
        check_sums(w.in[11], test_size, salt + 1100, "reduce");
    else
        coll_check_untouched(w.in[11], COUNT, "reduce");
}

static void check(int salt)
{
    check_roots_blocks(salt);
    for (int k = 0; k < test_size; k++) {
        coll_check(w.in[6] + k * COUNT, COUNT, k, salt + 600, "allgather");
        coll_check(w.in[7] + k * COUNT, COUNT, k, salt + 700, "allgatherv");
        coll_check(w.in[8] + k * COUNT, COUNT, k, salt + 800 + test_rank, "alltoall");
        coll_check(w.in[9] + k * COUNT, COUNT, k, salt + 900 + test_rank, "alltoallv");
        coll_check(w.in[10] + k * COUNT, COUNT, k, salt + 1000 + test_rank, "alltoallw");
    }
    check_sums(w.in[12], test_size, salt + 1200, "allreduce");
    check_sums(w.in[13], test_size, salt + 1300 + test_rank, "reduce_scatter");
    check_sums(w.in[14], test_rank + 1, salt + 1400, "scan");
    if (test_rank > 0)
        check_sums(w.in[15], test_rank, salt + 1500, "exscan");
}

#define NONBLOCKING(name) MPI_I##name
static void nonblocking(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        prepare(round);
        ALL_CALLS(NONBLOCKING);
        TRY(MPI_Waitall(CALLS, w.requests, MPI_STATUSES_IGNORE));
        check(round);
    }
}

#define INIT_barrier MPI_Barrier_init
#define INIT_bcast MPI_Bcast_init
#define INIT_gather MPI_Gather_init
#define INIT_gatherv MPI_Gatherv_init
#define INIT_scatter MPI_Scatter_init
#define INIT_scatterv MPI_Scatterv_init
#define INIT_allgather MPI_Allgather_init
#define INIT_allgatherv MPI_Allgatherv_init
#define INIT_alltoall MPI_Alltoall_init
#define INIT_alltoallv MPI_Alltoallv_init
#define INIT_alltoallw MPI_Alltoallw_init
#define INIT_reduce MPI_Reduce_init
#define INIT_allreduce MPI_Allreduce_init
#define INIT_reduce_scatter MPI_Reduce_scatter_init
#define INIT_scan MPI_Scan_init
#define INIT_exscan MPI_Exscan_init
#define PERSISTENT(name) INIT_##name
static void persistent(void)
{
    prepare(0);
    ALL_CALLS(PERSISTENT, MPI_INFO_NULL);
    for (int round = 0; round < ROUNDS; round++) {
        prepare(10 + round);
        TRY(MPI_Startall(CALLS, w.requests));
        for (int call = 0; call < CALLS; call++)
            TRY(MPI_Wait(&w.requests[(call + test_rank) % CALLS], MPI_STATUS_IGNORE));
        check(10 + round);
    }
    for (int call = 0; call < CALLS; call++)
        TRY(MPI_Request_free(&w.requests[call]));
}

/* A collective in progress can be neither cancelled nor freed; MPI 5.0, section 6.12. */
static void refusals(void)
{
    MPI_Request request, unfinished;
    int go = 0;
    if (test_size == 1)
        return;
    TRY(MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN));
    TRY(MPI_Ibarrier(world, &request));
    if (test_rank == 0) {
        /* No other rank has entered the second one yet: it cannot be complete. */
        TRY(MPI_Ibarrier(world, &unfinished));
        EXPECT_ERROR(MPI_ERR_REQUEST, MPI_Cancel(&unfinished));
        EXPECT_ERROR(MPI_ERR_REQUEST, MPI_Request_free(&unfinished));
        for (int to = 1; to < test_size; to++)
            test_signal(to, 1);
    } else {
        test_await(0, 1);
        TRY(MPI_Ibarrier(world, &unfinished));
    }
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    TRY(MPI_Wait(&unfinished, MPI_STATUS_IGNORE));
    EXPECT_ERROR(MPI_ERR_BUFFER, MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, world));
    EXPECT_ERROR(MPI_ERR_OP, MPI_Iallreduce(&go, &go, 1, MPI_FLOAT, MPI_BXOR, world, &request));
    TRY(MPI_Comm_set_errhandler(world, MPI_ERRORS_ARE_FATAL));
}

/* Completes a request in one of several ways. */
enum { WAYS = 6 };
static void complete(int way, MPI_Request *request)
{
    int done = 0, which = -1;
    switch (way) {
    case 0:
        TRY(MPI_Wait(request, MPI_STATUS_IGNORE));
        break;
    case 1:
        while (!done)
            TRY(MPI_Test(request, &done, MPI_STATUS_IGNORE));
        break;
    case 2:
        TRY(MPI_Waitany(1, request, &which, MPI_STATUS_IGNORE));
        CHECK(which == 0, "MPI_Waitany: %d", which);
        break;
    case 3:
        TRY(MPI_Waitsome(1, request, &done, &which, MPI_STATUSES_IGNORE));
        CHECK(done == 1 && which == 0, "MPI_Waitsome: %d, %d", done, which);
        break;
    case 4:
        while (!done)
            TRY(MPI_Request_get_status(*request, &done, MPI_STATUS_IGNORE));
        TRY(MPI_Waitall(1, request, MPI_STATUSES_IGNORE));
        break;
    default:
        while (!done)
            TRY(MPI_Testall(1, request, &done, MPI_STATUSES_IGNORE));
    }
}

/* The root of a bcast is done as it begins; the others may be. A nonblocking one's request is null
 * then, a persistent one's stays, and is inactive. */
static void ways(void)
{
    MPI_Request once, again;
    int data[COUNT];
    TRY(MPI_Bcast_init(data, COUNT, MPI_INT, 0, world, MPI_INFO_NULL, &again));
    MPI_Request kept = again;
    for (int round = 0; round < 4 * WAYS; round++) {
        int way = (round + test_rank) % WAYS;
        coll_fill(data, test_rank == 0 ? COUNT : 0, 0, round);
        TRY(MPI_Start(&again));
        complete(way, &again);
        CHECK(again == kept, "way %d: the request of a persistent bcast has changed", way);
        complete(0, &again);
        coll_check(data, COUNT, 0, round, "persistent bcast");
        coll_fill(data, test_rank == 0 ? COUNT : 0, 0, 1000 + round);
        TRY(MPI_Ibcast(data, COUNT, MPI_INT, 0, world, &once));
        CHECK(once != MPI_REQUEST_NULL, "MPI_Ibcast gives a null request");
        complete(way, &once);
        CHECK(once == MPI_REQUEST_NULL, "way %d leaves the request of MPI_Ibcast", way);
        coll_check(data, COUNT, 0, 1000 + round, "nonblocking bcast");
    }
    TRY(MPI_Request_free(&again));
}

/* An active persistent collective can be neither cancelled nor started; MPI 5.0, section 6.13. */
static void active(void)
{
    MPI_Request request;
    if (test_size == 1)
        return;
    TRY(MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN));
    TRY(MPI_Barrier_init(world, MPI_INFO_NULL, &request));
    for (int round = 0; round < ROUNDS; round++) {
        if (test_rank == 0) {
            int done = 1;
            TRY(MPI_Start(&request));
            TRY(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
            CHECK(!done, "a barrier is over before the others have started it");
            EXPECT_ERROR(MPI_ERR_REQUEST, MPI_Cancel(&request));
            EXPECT_ERROR(MPI_ERR_REQUEST, MPI_Start(&request));
            for (int to = 1; to < test_size; to++)
                test_signal(to, 2);
        } else {
            test_await(0, 2);
            TRY(MPI_Start(&request));
        }
        TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    TRY(MPI_Request_free(&request));
    TRY(MPI_Comm_set_errhandler(world, MPI_ERRORS_ARE_FATAL));
}

/* MPI_Comm_disconnect waits for a collective that is active, also if its request was freed. */
static void disconnect(bool frees)
{
    enum { LATE_MS = 20 };
    MPI_Comm comm;
    MPI_Request request;
    int data[COUNT], last = test_size - 1;
    TRY(MPI_Comm_dup(world, &comm));
    coll_fill(data, test_rank == last ? COUNT : 0, last, 7);
    TRY(MPI_Bcast_init(data, COUNT, MPI_INT, last, comm, MPI_INFO_NULL, &request));
    if (test_rank == last)
        test_sleep_ms(LATE_MS);
    TRY(MPI_Start(&request));
    if (frees)
        TRY(MPI_Request_free(&request));
    TRY(MPI_Comm_disconnect(&comm));
    coll_check(data, COUNT, last, 7, "a bcast before MPI_Comm_disconnect");
    if (!frees) {
        TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
        TRY(MPI_Request_free(&request));
    }
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    nonblocking();
    persistent();
    ways();
    refusals();
    active();
    disconnect(false);
    disconnect(true);
    test_finish();
}
