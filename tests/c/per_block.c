/* Gatherv, scatterv and alltoallv by `per_block`: blocks of all lengths, of which some are copied
 * in, some sent and some copied once, in one call; the first two also by the algorithm that the
 * argument names. Blocking, nonblocking, and persistent ones that a late rank has not ended where
 * others begin them again. Lengths that differ are an error. */
/* ranks: 2 3 4 8 */
/* args: per_block */
/* args: cico_pipelined */
#include "harness.h"

enum { ROUNDS = 3, PLACE = 1 << 19, RANKS_MAX = 8, LENGTHS = 7 };

static const int lengths[LENGTHS] = {0, 8, 1000, 5000, 40000, 100000, 300000};
static unsigned char *out, *in;
static int sent[RANKS_MAX], received[RANKS_MAX], places[RANKS_MAX];

static int length(int from, int to, int round)
{
    return lengths[(from * 3 + to * 5 + round) % LENGTHS];
}

static unsigned char byte(int from, int to, int round, int i)
{
    return (unsigned char)(from * 31 + to * 17 + round * 7 + i % 251);
}

/* What this rank sends to each and gets from each in the round `of`, with the data of `round`. */
static void prepare(int of, int round)
{
    for (int peer = 0; peer < test_size; peer++) {
        places[peer] = peer * PLACE;
        sent[peer] = length(test_rank, peer, of);
        received[peer] = length(peer, test_rank, of);
        for (int i = 0; i < sent[peer]; i++)
            out[places[peer] + i] = byte(test_rank, peer, round, i);
    }
    memset(in, 0xff, (size_t)test_size * PLACE);
}

static void check(const char *what, int from, int at, int bytes, int round)
{
    for (int i = 0; i < bytes; i++)
        CHECK(in[at + i] == byte(from, test_rank, round, i),
              "%s, round %d: byte %d of %d from rank %d is %d", what, round, i, bytes, from,
              in[at + i]);
}

static void check_all(const char *what, int round)
{
    for (int peer = 0; peer < test_size; peer++)
        check(what, peer, places[peer], received[peer], round);
}

static void nap(void)
{
    struct timespec pause = {.tv_nsec = 20000000};
    nanosleep(&pause, NULL);
}

/* Begins the operation `kind`, or describes it. The root is rank 0. */
static void begin(int kind, MPI_Comm comm, bool persistent, MPI_Request *request)
{
    int to_root = sent[0], from_root = received[0];
#if MPI_VERSION >= 4
    if (persistent && kind == 0)
        TRY(MPI_Alltoallv_init(out, sent, places, MPI_BYTE, in, received, places, MPI_BYTE, comm,
                               MPI_INFO_NULL, request));
    else if (persistent && kind == 1)
        TRY(MPI_Gatherv_init(out, to_root, MPI_BYTE, in, received, places, MPI_BYTE, 0, comm,
                             MPI_INFO_NULL, request));
    else if (persistent)
        TRY(MPI_Scatterv_init(out, sent, places, MPI_BYTE, in, from_root, MPI_BYTE, 0, comm,
                              MPI_INFO_NULL, request));
    else
#endif
    if (kind == 0)
        TRY(MPI_Ialltoallv(out, sent, places, MPI_BYTE, in, received, places, MPI_BYTE, comm,
                           request));
    else if (kind == 1)
        TRY(MPI_Igatherv(out, to_root, MPI_BYTE, in, received, places, MPI_BYTE, 0, comm,
                         request));
    else
        TRY(MPI_Iscatterv(out, sent, places, MPI_BYTE, in, from_root, MPI_BYTE, 0, comm,
                          request));
}

static void check_kind(const char *what, int kind, int round)
{
    if (kind == 2)
        check(what, 0, 0, received[0], round);
    else if (kind == 0 || test_rank == 0)
        check_all(what, round);
}

static void blocking(MPI_Comm comm, int round)
{
    prepare(round, round);
    TRY(MPI_Alltoallv(out, sent, places, MPI_BYTE, in, received, places, MPI_BYTE, comm));
    check_all("alltoallv", round);
    prepare(round, round);
    TRY(MPI_Gatherv(out, sent[0], MPI_BYTE, in, received, places, MPI_BYTE, 0, comm));
    if (test_rank == 0)
        check_all("gatherv", round);
    prepare(round, round);
    TRY(MPI_Scatterv(out, sent, places, MPI_BYTE, in, received[0], MPI_BYTE, 0, comm));
    check("scatterv", 0, 0, received[0], round);
}

static void apart(MPI_Comm comm, int kind, int of)
{
    MPI_Request request;
    prepare(of, of);
    begin(kind, comm, false, &request);
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    check_kind("nonblocking", kind, of);
#if MPI_VERSION >= 4
    prepare(of, of);
    begin(kind, comm, true, &request);
    for (int round = 0; round < ROUNDS; round++) {
        prepare(of, round);
        if (test_rank == test_size - 1)
            nap();
        TRY(MPI_Start(&request));
        TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
        check_kind("persistent", kind, round);
    }
    TRY(MPI_Request_free(&request));
#endif
}

/* The last rank gives the root another length than it expects, and then expects another from it. */
static void mismatched(MPI_Comm world, int given, int expected)
{
    MPI_Comm comm;
    TRY(MPI_Comm_dup(world, &comm));
    TRY(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    for (int i = 0; i < 4; i++)
        TRY(MPI_Barrier(comm));
    int last = test_size - 1;
    for (int peer = 0; peer < test_size; peer++) {
        places[peer] = peer * PLACE;
        received[peer] = peer == last ? expected : 8;
    }
    int code = MPI_Gatherv(out, test_rank == last ? given : 8, MPI_BYTE, in, received, places,
                           MPI_BYTE, 0, comm);
    if (test_rank == 0)
        CHECK(code != MPI_SUCCESS, "%d bytes where %d are expected are no error", given, expected);
    TRY(MPI_Barrier(world));
    for (int peer = 0; peer < test_size; peer++)
        sent[peer] = peer == last ? given : 8;
    code = MPI_Scatterv(out, sent, places, MPI_BYTE, in, test_rank == last ? expected : 8, MPI_BYTE,
                        0, comm);
    if (test_rank == last)
        CHECK(code != MPI_SUCCESS, "%d bytes of which %d are expected are no error", given,
              expected);
    TRY(MPI_Barrier(world));
    TRY(MPI_Comm_free(&comm));
}

int main(int argc, char **argv)
{
    const char *rooted = argc > 1 ? argv[1] : "per_block";
    char algorithms[100];
    snprintf(algorithms, sizeof algorithms, "gatherv=%s,scatterv=%s,alltoallv=per_block", rooted,
             rooted);
    setenv("DUNLIN_COLL_ALGORITHM", algorithms, 1);
    test_start(&argc, &argv);
    out = calloc((size_t)test_size, PLACE);
    in = calloc((size_t)test_size, PLACE);
    CHECK(out != NULL && in != NULL && test_size <= RANKS_MAX, "no memory, or too many ranks");
    MPI_Comm comm;
    TRY(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    for (int i = 0; i < 4; i++)
        TRY(MPI_Barrier(comm));
    for (int round = 0; round < LENGTHS; round++) {
        blocking(comm, round);
        for (int kind = 0; kind < 3; kind++)
            apart(comm, kind, round);
    }
    TRY(MPI_Comm_free(&comm));
    if (test_size > 2) {
        mismatched(MPI_COMM_WORLD, 300000, 100000);
        mismatched(MPI_COMM_WORLD, 8, 100000);
        mismatched(MPI_COMM_WORLD, 100000, 8);
        mismatched(MPI_COMM_WORLD, 100000, 300000);
    }
    free(out);
    free(in);
    test_finish();
    return 0;
}
