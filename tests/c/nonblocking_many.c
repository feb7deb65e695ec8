/* Nonblocking and persistent collectives of all lengths, more in flight at once than there are
 * slots in shared memory, completed in another order by every rank, persistent ones also started
 * in another order; between them blocking ones and messages on the same communicator. Data is of a
 * predefined type at some ranks and of a derived one at others; with `multiple` some ranks have
 * several threads. Both keep a rank from the fast path, which others take. (MPICH 5.0.2 hangs or
 * stops where some ranks alone have several threads: there all of them do.)
 */
/* ranks: 2 3 5 */
/* args: default */
/* args: cico */
/* args: partitioned */
/* args: single_copy */
/* args: pipelined */
/* args: chains */
/* args: put */
/* args: default off */
/* args: default auto multiple */
/* args: cico auto multiple */
/* timeout: 120 */
#include "shm_coll.h"
#include <unistd.h>

/* A prime number of kinds, so that each meets every root and every type of data. */
enum { AT_ONCE = 12, ROUNDS = 40, LONGEST = 40000, PERSISTENT = 90, RANKS_MAX = 8, KINDS = 17 };
enum { EXSCAN = 14, IN_PLACE = 15, BARRIER = 16 };

struct operation {
    int kind, count, root;
    int *send, *recv;
    MPI_Datatype type;
    int counts[RANKS_MAX], starts[RANKS_MAX];
};

/* Another name for MPI_INT. */
static MPI_Datatype derived;

/* What rank `rank` gives at `i`. */
static int given(int salt, int rank, int i)
{
    return salt * 7919 + rank * 131 + i % 1009;
}

static void fill(struct operation *o, int salt, int kind, int count)
{
    MPI_Datatype type = (salt + test_rank) % 3 == 0 ? derived : MPI_INT;
    *o = (struct operation){.kind = kind, .count = count, .root = salt % test_size, .type = type};
    for (int rank = 0; rank < test_size; rank++) {
        o->counts[rank] = count;
        o->starts[rank] = rank * count;
    }
    size_t all = (size_t)count * test_size + 1;
    o->send = malloc(all * sizeof *o->send);
    o->recv = malloc(all * sizeof *o->recv);
    for (size_t i = 0; i < all; i++) {
        o->send[i] = given(salt, test_rank, (int)i);
        o->recv[i] = -1;
    }
    if (kind == IN_PLACE || (kind == 0 && test_rank == o->root))
        memcpy(o->recv, o->send, count * sizeof *o->recv);
}

#define ARGUMENTS_OF_BLOCKS o->send, o->count, o->type, o->recv, o->count, o->type
#define SEND o->send, o->count, o->type
#define RECV o->recv, o->count, o->type
#define SENDS o->send, o->counts, o->starts, o->type
#define RECVS o->recv, o->counts, o->starts, o->type
#define ARGUMENTS_IN_PLACE MPI_IN_PLACE, o->recv, o->count, MPI_INT, MPI_SUM
#define ARGUMENTS_OF_SUM_BLOCKS o->send, o->recv, o->counts, MPI_INT, MPI_SUM
#define ARGUMENTS_OF_SUMS o->send, o->recv, o->count, MPI_INT, MPI_SUM

static void begin(struct operation *o, MPI_Comm comm, MPI_Request *request)
{
    switch (o->kind) {
    case 0: TRY(MPI_Ibcast(RECV, o->root, comm, request)); break;
    case 1: TRY(MPI_Iallreduce(ARGUMENTS_OF_SUMS, comm, request)); break;
    case 2: TRY(MPI_Ialltoall(ARGUMENTS_OF_BLOCKS, comm, request)); break;
    case 3: TRY(MPI_Igather(ARGUMENTS_OF_BLOCKS, o->root, comm, request)); break;
    case 4: TRY(MPI_Iscatter(ARGUMENTS_OF_BLOCKS, o->root, comm, request)); break;
    case 5: TRY(MPI_Ireduce(ARGUMENTS_OF_SUMS, o->root, comm, request)); break;
    case 6: TRY(MPI_Iallgather(ARGUMENTS_OF_BLOCKS, comm, request)); break;
    case 7: TRY(MPI_Iscan(ARGUMENTS_OF_SUMS, comm, request)); break;
    case 8: TRY(MPI_Ireduce_scatter_block(ARGUMENTS_OF_SUMS, comm, request)); break;
    case 9: TRY(MPI_Igatherv(SEND, RECVS, o->root, comm, request)); break;
    case 10: TRY(MPI_Iscatterv(SENDS, RECV, o->root, comm, request)); break;
    case 11: TRY(MPI_Iallgatherv(SEND, RECVS, comm, request)); break;
    case 12: TRY(MPI_Ialltoallv(SENDS, RECVS, comm, request)); break;
    case 13: TRY(MPI_Ireduce_scatter(ARGUMENTS_OF_SUM_BLOCKS, comm, request)); break;
    case EXSCAN: TRY(MPI_Iexscan(ARGUMENTS_OF_SUMS, comm, request)); break;
    case IN_PLACE: TRY(MPI_Iallreduce(ARGUMENTS_IN_PLACE, comm, request)); break;
    default: TRY(MPI_Ibarrier(comm, request)); break;
    }
}

static void describe(struct operation *o, MPI_Comm comm, MPI_Request *request)
{
    MPI_Info none = MPI_INFO_NULL;
    switch (o->kind) {
    case 0: TRY(MPI_Bcast_init(RECV, o->root, comm, none, request)); break;
    case 1: TRY(MPI_Allreduce_init(ARGUMENTS_OF_SUMS, comm, none, request)); break;
    case 2: TRY(MPI_Alltoall_init(ARGUMENTS_OF_BLOCKS, comm, none, request)); break;
    case 3: TRY(MPI_Gather_init(ARGUMENTS_OF_BLOCKS, o->root, comm, none, request)); break;
    case 4: TRY(MPI_Scatter_init(ARGUMENTS_OF_BLOCKS, o->root, comm, none, request)); break;
    case 5: TRY(MPI_Reduce_init(ARGUMENTS_OF_SUMS, o->root, comm, none, request)); break;
    case 6: TRY(MPI_Allgather_init(ARGUMENTS_OF_BLOCKS, comm, none, request)); break;
    case 7: TRY(MPI_Scan_init(ARGUMENTS_OF_SUMS, comm, none, request)); break;
    case 8: TRY(MPI_Reduce_scatter_block_init(ARGUMENTS_OF_SUMS, comm, none, request)); break;
    case 9: TRY(MPI_Gatherv_init(SEND, RECVS, o->root, comm, none, request)); break;
    case 10: TRY(MPI_Scatterv_init(SENDS, RECV, o->root, comm, none, request)); break;
    case 11: TRY(MPI_Allgatherv_init(SEND, RECVS, comm, none, request)); break;
    case 12: TRY(MPI_Alltoallv_init(SENDS, RECVS, comm, none, request)); break;
    case 13: TRY(MPI_Reduce_scatter_init(ARGUMENTS_OF_SUM_BLOCKS, comm, none, request)); break;
    case EXSCAN: TRY(MPI_Exscan_init(ARGUMENTS_OF_SUMS, comm, none, request)); break;
    case IN_PLACE: TRY(MPI_Allreduce_init(ARGUMENTS_IN_PLACE, comm, none, request)); break;
    default: TRY(MPI_Barrier_init(comm, none, request)); break;
    }
}

static int sum_of(int salt, int ranks, int i)
{
    int sum = 0;
    for (int rank = 0; rank < ranks; rank++)
        sum += given(salt, rank, i);
    return sum;
}

/* What this rank must have at `i`; of an operation with blocks, `i` counts through all of them. */
static int wanted(const struct operation *o, int salt, int i)
{
    int block = i / o->count, within = i % o->count;
    switch (o->kind) {
    case 0: return given(salt, o->root, i);
    case 1: case 5: case IN_PLACE: return sum_of(salt, test_size, i);
    case EXSCAN: return sum_of(salt, test_rank, i);
    case 2: case 12: return given(salt, block, test_rank * o->count + within);
    case 3: case 6: case 9: case 11: return given(salt, block, within);
    case 4: case 10: return given(salt, o->root, test_rank * o->count + within);
    case 7: return sum_of(salt, test_rank + 1, i);
    default: return sum_of(salt, test_size, test_rank * o->count + i);
    }
}

static void check(const struct operation *o, int salt)
{
    bool rooted = o->kind == 3 || o->kind == 5 || o->kind == 9;
    bool here = (!rooted || test_rank == o->root) && (o->kind != EXSCAN || test_rank > 0);
    bool blocks = o->kind == 2 || o->kind == 3 || o->kind == 6
                  || o->kind == 9 || o->kind == 11 || o->kind == 12;
    int results = !here || o->kind == BARRIER ? 0 : o->count * (blocks ? test_size : 1);
    for (int i = 0; i < results; i++)
        CHECK(o->recv[i] == wanted(o, salt, i), "operation %d of kind %d of %d: %d at %d, not %d",
              salt, o->kind, o->count, o->recv[i], i, wanted(o, salt, i));
}

static void release(struct operation *o)
{
    free(o->send);
    free(o->recv);
}

/* The same at all ranks. */
static unsigned dice = 12345;

static int draw(int below)
{
    dice = dice * 1103515245u + 12345u;
    return (int)(dice >> 16) % below;
}

static int length(void)
{
    static const int lengths[] = {0, 1, 2, 10, 300, 2000, 9000, LONGEST};
    return lengths[draw(8)];
}

static void many_at_once(MPI_Comm comm)
{
    struct operation operations[AT_ONCE];
    MPI_Request requests[AT_ONCE];
    for (int round = 0; round < ROUNDS; round++) {
        int begun = 1 + draw(AT_ONCE);
        for (int i = 0; i < begun; i++)
            fill(&operations[i], round + i, draw(KINDS), length());
        int blocking_after = draw(begun);
        for (int i = 0; i < begun; i++) {
            begin(&operations[i], comm, &requests[i]);
            if (i == blocking_after) {
                int one = 1, all = 0;
                TRY(MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, comm));
                CHECK(all == test_size, "%d ranks in a sum of ones", all);
            }
        }
        int next = (test_rank + 1) % test_size, before = (test_rank + test_size - 1) % test_size;
        int token = test_rank, got = -1;
        TRY(MPI_Sendrecv(&token, 1, MPI_INT, next, 1, &got, 1, MPI_INT, before, 1, comm,
                         MPI_STATUS_IGNORE));
        CHECK(got == before, "a message from %d has %d", before, got);
        for (int i = 0; i < begun; i++) {
            int at = (i * (test_rank % 2 ? begun - 1 : 1) + test_rank) % begun;
            if (test_rank % 3 == 2)
                TRY(MPI_Waitany(begun, requests, &at, MPI_STATUS_IGNORE));
            else
                TRY(MPI_Wait(&requests[at], MPI_STATUS_IGNORE));
        }
        TRY(MPI_Waitall(begun, requests, MPI_STATUSES_IGNORE));
        for (int i = 0; i < begun; i++) {
            check(&operations[i], round + i);
            release(&operations[i]);
        }
    }
}

/* More than get shared memory of their own. */
static void persistent(MPI_Comm comm)
{
    struct operation operations[PERSISTENT];
    MPI_Request requests[PERSISTENT];
    for (int i = 0; i < PERSISTENT; i++) {
        fill(&operations[i], i, i % KINDS, i % 7 ? 1 + i : 9000);
        describe(&operations[i], comm, &requests[i]);
    }
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < PERSISTENT; i++)
            if (operations[i].kind == IN_PLACE)
                memcpy(operations[i].recv, operations[i].send,
                       operations[i].count * sizeof *operations[i].recv);
        for (int i = 0; i < PERSISTENT; i++)
            TRY(MPI_Start(&requests[(i * 7 + test_rank * 11) % PERSISTENT]));
        TRY(MPI_Barrier(comm));
        TRY(MPI_Waitall(PERSISTENT, requests, MPI_STATUSES_IGNORE));
        for (int i = 0; i < PERSISTENT; i++)
            check(&operations[i], i);
    }
    for (int i = 0; i < PERSISTENT; i++) {
        TRY(MPI_Request_free(&requests[i]));
        release(&operations[i]);
    }
}

/* A communicator may be freed before what has begun on it ends. */
static void freed_before_the_end(void)
{
    for (int round = 0; round < 4; round++) {
        MPI_Comm comm;
        MPI_Request requests[AT_ONCE];
        struct operation operations[AT_ONCE];
        TRY(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
        for (int i = 0; i < AT_ONCE; i++) {
            fill(&operations[i], i, (i + round * 4) % KINDS, i == 5 ? LONGEST : 1 + i);
            begin(&operations[i], comm, &requests[i]);
        }
        TRY(MPI_Comm_free(&comm));
        TRY(MPI_Waitall(AT_ONCE, requests, MPI_STATUSES_IGNORE));
        for (int i = 0; i < AT_ONCE; i++) {
            check(&operations[i], i);
            release(&operations[i]);
        }
    }
}

static bool is_dunlin(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    TRY(MPI_Get_library_version(version, &length));
    return strstr(version, "Dunlin") != NULL;
}

int main(int argc, char **argv)
{
    shm_coll_settings(argc, argv);
    int provided;
    if (argc > 3 && (getpid() % 2 == 1 || !is_dunlin()))
        TRY(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    else
        TRY(MPI_Init(&argc, &argv));
    test_know_ranks();
    CHECK(test_size <= RANKS_MAX, "%d ranks; it has room for %d", test_size, RANKS_MAX);
    TRY(MPI_Type_contiguous(1, MPI_INT, &derived));
    TRY(MPI_Type_commit(&derived));
    many_at_once(MPI_COMM_WORLD);
    persistent(MPI_COMM_WORLD);
    freed_before_the_end();
    many_at_once(MPI_COMM_WORLD);
    TRY(MPI_Type_free(&derived));
    test_finish();
    return 0;
}
