/* Shared memory of many communicators: more than there is space for, freed and created again;
 * duplicates and subsets used in turns; blocking collectives between nonblocking ones; an
 * operator that calls MPI; and ranks that disagree on lengths: an error, neither a hang nor
 * wrong data. */
/* ranks: 2 3 4 7 */
/* args: default */
/* args: partitioned */
/* args: single_copy */
/* args: pipelined */
/* args: chains */
/* args: tree */
#include "shm_coll.h"

enum {
    /* More communicators than a rank has areas. */
    MANY = 40,
    GENERATIONS = 30,
    ROUNDS = 20,
    COUNT_MAX = 60000,
};

static int *mine, *result, in_pieces, by_tree;

/* A sum whose value shows its communicator, round and position. */
static void sum_on(MPI_Comm comm, int count, int salt)
{
    int rank, size;
    TRY(MPI_Comm_rank(comm, &rank));
    TRY(MPI_Comm_size(comm, &size));
    for (int i = 0; i < count; i++)
        mine[i] = rank + i + salt;
    coll_clear(result, (size_t)count);
    TRY(MPI_Allreduce(mine, result, count, MPI_INT, MPI_SUM, comm));
    for (int i = 0; i < count; i++) {
        int wanted = size * (size - 1) / 2 + size * (i + salt);
        CHECK(result[i] == wanted, "the sum number %d of %d is %d; must be %d", i, count, result[i],
              wanted);
    }
}

static void bcast_on(MPI_Comm comm, int count, int salt)
{
    int rank, size;
    TRY(MPI_Comm_rank(comm, &rank));
    TRY(MPI_Comm_size(comm, &size));
    coll_clear(result, (size_t)count);
    if (rank == salt % size)
        coll_fill(result, count, 5, salt);
    TRY(MPI_Bcast(result, count, MPI_INT, salt % size, comm));
    coll_check(result, count, 5, salt, "MPI_Bcast");
}

static void more_than_there_is_room_for(void)
{
    MPI_Comm comms[MANY];
    for (int c = 0; c < MANY; c++) {
        TRY(MPI_Comm_dup(MPI_COMM_WORLD, &comms[c]));
        for (int i = 0; i < 4; i++)
            sum_on(comms[c], 10, c);
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int c = 0; c < MANY; c++)
            if (c % 2)
                sum_on(comms[c], 1 + 40 * (round % 2), c + round);
            else
                bcast_on(comms[c], 1 + 1000 * (round % 2), c + round);
    for (int c = 0; c < MANY; c++)
        TRY(MPI_Comm_free(&comms[(c * 7 + 3) % MANY]));
}

/* The next communicator reuses the area, while slower ranks may still read it. */
static void made_and_freed(void)
{
    for (int g = 0; g < GENERATIONS; g++) {
        MPI_Comm comm;
        TRY(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
        for (int i = 0; i < 6; i++)
            bcast_on(comm, g % 3 ? 1 : 5000, g + i);
        TRY(MPI_Comm_free(&comm));
    }
}

/* Each rank is in three communicators of different sizes and orders, and uses them in turns. */
static void parts_in_turns(void)
{
    MPI_Comm dup, half, turned;
    TRY(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
    TRY(MPI_Comm_split(MPI_COMM_WORLD, test_rank % 2, 0, &half));
    TRY(MPI_Comm_split(MPI_COMM_WORLD, test_rank == 0, -test_rank, &turned));
    for (int round = 0; round < ROUNDS; round++) {
        int count = round % 5 == 4 ? 9000 : 1 + round;
        bcast_on(turned, count, round);
        sum_on(half, count, round);
        sum_on(MPI_COMM_WORLD, count, round);
        bcast_on(half, count, round);
        bcast_on(dup, count, round);
        sum_on(turned, count, round);
        TRY(MPI_Barrier(dup));
    }
    TRY(MPI_Comm_free(&half));
    TRY(MPI_Comm_free(&turned));
    TRY(MPI_Comm_free(&dup));
}

/* Nonblocking collectives are in progress while blocking ones start and complete. */
static void between_nonblocking_ones(void)
{
    int first = 0, second = 0, ones[2] = {1, test_rank};
    for (int round = 0; round < ROUNDS; round++) {
        int count = round % 4 == 3 ? 9000 : 1 + round;
        MPI_Request requests[2];
        TRY(MPI_Iallreduce(&ones[0], &first, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]));
        sum_on(MPI_COMM_WORLD, count, round);
        TRY(MPI_Iallreduce(&ones[1], &second, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]));
        bcast_on(MPI_COMM_WORLD, count, round);
        TRY(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
        TRY(MPI_Barrier(MPI_COMM_WORLD));
        TRY(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
        CHECK(first == test_size && second == test_size * (test_size - 1) / 2,
              "the nonblocking sums are %d and %d", first, second);
    }
}

/* Adds by calls to MPI that the standard allows in an operator. */
static void add_with_help(void *in, void *inout, int *count, MPI_Datatype *type)
{
    int bytes = 0, initialized = 0;
    TRY(MPI_Initialized(&initialized));
    TRY(MPI_Type_size(*type, &bytes));
    CHECK(bytes == (int)sizeof(int) && initialized, "an operator sees a type of %d bytes", bytes);
    TRY(MPI_Reduce_local(in, inout, *count, *type, MPI_SUM));
}

static void operator_that_calls_mpi(void)
{
    const int counts[] = {1, 100, 3000, COUNT_MAX};
    MPI_Op op;
    TRY(MPI_Op_create(add_with_help, 1, &op));
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        int count = counts[c];
        coll_fill(mine, count, test_rank, 1);
        TRY(MPI_Allreduce(mine, result, count, MPI_INT, op, MPI_COMM_WORLD));
        for (int i = 0; i < count; i++)
            CHECK(result[i] == coll_sum(i, 1), "a sum of %d is wrong at %d", count, i);
        TRY(MPI_Reduce(mine, result, count, MPI_INT, op, test_size - 1, MPI_COMM_WORLD));
        TRY(MPI_Scan(mine, result, count, MPI_INT, op, MPI_COMM_WORLD));
        CHECK(test_rank > 0 || result[count - 1] == mine[count - 1], "a scan is wrong");
    }
    TRY(MPI_Op_free(&op));
}

/* Rank 0 sends more than the others expect: they get an error, no rank hangs, and the next
 * collective works. Only for lengths that use the same algorithm. */
static void lengths_that_differ(MPI_Comm comm, int longer, int shorter)
{
    int count = test_rank == 0 ? longer : shorter;
    coll_fill(mine, longer, test_rank, 9);
    int class = test_class(MPI_Bcast(mine, count, MPI_INT, 0, comm));
    /* In a tree, the rank above may have left with an error before it handed anything down. */
    CHECK(class == (test_rank == 0 ? MPI_SUCCESS : MPI_ERR_TRUNCATE) ||
              (test_rank != 0 && by_tree && class == MPI_ERR_OTHER), "MPI_Bcast gives class %d",
          class);
    bcast_on(comm, shorter, 1);
    class = test_class(MPI_Allgather(mine, count, MPI_INT, result, count, MPI_INT, comm));
    CHECK(class == MPI_ERR_TRUNCATE, "MPI_Allgather gives class %d", class);
    bcast_on(comm, shorter, 2);
    class = test_class(MPI_Allreduce(mine, result, count, MPI_INT, MPI_SUM, comm));
    CHECK(class != MPI_SUCCESS, "MPI_Allreduce takes no notice that lengths differ");
    bcast_on(comm, shorter, 3);
    class = test_class(MPI_Reduce(mine, result, test_rank == 0 ? shorter : longer, MPI_INT, MPI_SUM,
                                  0, comm));
    /* With pipelining, the others may have left with an error before the root checks. */
    CHECK(test_rank != 0 || class == MPI_ERR_TRUNCATE || (in_pieces && class == MPI_ERR_OTHER),
          "MPI_Reduce gives class %d", class);
    bcast_on(comm, shorter, 4);
}

/* The same for operations with a block per rank, or with a partial result. */
static void parts_that_differ(MPI_Comm comm, int longer, int shorter)
{
    int *counts = coll_alloc((size_t)test_size), *offsets = coll_alloc((size_t)test_size);
    for (int r = 0; r < test_size; r++) {
        counts[r] = r == test_size - 1 ? shorter : longer;
        offsets[r] = r * longer;
    }
    int class = test_class(MPI_Gatherv(mine, longer, MPI_INT, result, counts, offsets, MPI_INT, 0,
                                       comm));
    CHECK(test_rank != 0 || class == MPI_ERR_TRUNCATE, "MPI_Gatherv gives class %d", class);
    bcast_on(comm, shorter, 5);
    counts[test_size - 1] = test_rank == 0 ? shorter : longer;
    class = test_class(MPI_Allgatherv(mine, counts[test_rank], MPI_INT, result, counts, offsets,
                                      MPI_INT, comm));
    CHECK(test_rank != 0 || class == MPI_ERR_TRUNCATE, "MPI_Allgatherv gives class %d", class);
    bcast_on(comm, shorter, 6);
    class = test_class(MPI_Scan(mine, result, test_rank == 0 ? longer : shorter, MPI_INT, MPI_SUM,
                                comm));
    /* In a line, the rank before may have left with an error before it handed anything on. */
    CHECK(test_rank == 0 || class == MPI_ERR_TRUNCATE || (test_rank > 1 && class == MPI_ERR_OTHER),
          "MPI_Scan gives class %d", class);
    bcast_on(comm, shorter, 7);
    free(counts);
    free(offsets);
}

/* A pipelined bcast in which the chunks that the others expect are the first ones of the root. */
static void whole_pieces_that_differ(MPI_Comm comm, int longer, int shorter)
{
    int class = test_class(MPI_Bcast(mine, test_rank == 0 ? longer : shorter, MPI_INT, 0, comm));
    CHECK(test_rank == 0 || class == MPI_ERR_TRUNCATE || (by_tree && class == MPI_ERR_OTHER),
          "MPI_Bcast in pieces gives class %d", class);
    bcast_on(comm, shorter, 8);
}

/* The first collectives of a communicator: every rank that disagrees gets an error. */
static void first_ones_that_differ(int longer, int shorter)
{
    for (int what = 0; what < 4; what++) {
        MPI_Comm comm;
        int count = test_rank == 0 ? longer : shorter, error = MPI_SUCCESS;
        TRY(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
        TRY(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
        if (what == 0)
            error = MPI_Bcast(mine, count, MPI_INT, 0, comm);
        else if (what == 1)
            error = MPI_Allreduce(mine, result, count, MPI_INT, MPI_SUM, comm);
        else if (what == 2)
            error = MPI_Allgather(mine, count, MPI_INT, result, count, MPI_INT, comm);
        else
            error = MPI_Reduce(mine, result, count, MPI_INT, MPI_SUM, test_size - 1, comm);
        int class = test_class(error);
        CHECK(class == MPI_ERR_TRUNCATE, "the first collective, number %d, gives class %d", what,
              class);
        class = test_class(MPI_Bcast(mine, shorter, MPI_INT, test_rank == 0, comm));
        CHECK(class != MPI_SUCCESS, "a broadcast with two roots gives class %d", class);
        bcast_on(comm, shorter, 9);
        TRY(MPI_Comm_free(&comm));
    }
}

/* Ranks that disagree. On several nodes, an error is not guaranteed for such a program. */
static void disagreements(MPI_Comm strict)
{
    lengths_that_differ(strict, 10, 5);
    lengths_that_differ(strict, 3000, 2000);
    lengths_that_differ(strict, 12000, 11000);
    parts_that_differ(strict, 10, 5);
    parts_that_differ(strict, 3000, 2000);
    parts_that_differ(strict, 12000, 11000);
    whole_pieces_that_differ(strict, 49152, 32768);
    whole_pieces_that_differ(strict, 16384, 8192);
    first_ones_that_differ(10, 5);
    first_ones_that_differ(4096, 2048);
    first_ones_that_differ(49152, 16384);
}

static int is_one_node(void)
{
    MPI_Comm node;
    int size;
    TRY(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    TRY(MPI_Comm_size(node, &size));
    TRY(MPI_Comm_free(&node));
    return size == test_size;
}

int main(int argc, char **argv)
{
    MPI_Comm strict;
    shm_coll_settings(argc, argv);
    in_pieces = argc > 1 && !strcmp(argv[1], "pipelined");
    by_tree = argc > 1 && !strcmp(argv[1], "tree");
    test_start(&argc, &argv);
    mine = coll_alloc((size_t)COUNT_MAX * (size_t)test_size);
    result = coll_alloc((size_t)COUNT_MAX * (size_t)test_size);
    more_than_there_is_room_for();
    made_and_freed();
    parts_in_turns();
    between_nonblocking_ones();
    operator_that_calls_mpi();
    TRY(MPI_Comm_dup(MPI_COMM_WORLD, &strict));
    TRY(MPI_Comm_set_errhandler(strict, MPI_ERRORS_RETURN));
    shm_coll_begin(strict);
    if (is_one_node())
        disagreements(strict);
    TRY(MPI_Comm_free(&strict));
    free(mine);
    free(result);
    test_finish();
    return 0;
}
