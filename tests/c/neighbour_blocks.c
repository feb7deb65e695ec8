/* Neighbourhood collectives whose blocks go by different ways: short and long ones in one call,
 * neighbours that come late, messages and receives of the program in between; and blocks whose
 * lengths do not agree. */
/* ranks: 1 2 3 4 */
#include "coll.h"

enum { SIDES = 4, ROUNDS = 40, LONGEST = 60000 };

static MPI_Comm torus;
static int around[SIDES];

/* What the neighbour at a side sends here: in a grid from its opposite side. */
static int opposite(int side)
{
    return side ^ 1;
}

/* Ints of the block that a rank sends to a side: none, few, or too many for one packet. */
static int length(int rank, int side, int round)
{
    static const int lengths[] = {1, 0, 40, LONGEST, 3, 700, 9000, 2};
    return lengths[(rank + 3 * side + round) % 8];
}

static void fill(int *out, const int *counts, const int *displs, int round)
{
    for (int side = 0; side < SIDES; side++)
        coll_fill(out + displs[side], counts[side], test_rank, 10 * round + side);
}

static void check(const int *in, const int *counts, const int *displs, int round, const char *what)
{
    for (int side = 0; side < SIDES; side++) {
        coll_check(in + displs[side], counts[side], around[side], 10 * round + opposite(side),
                   what);
        coll_check_untouched(in + displs[side] + counts[side], 1, what);
    }
}

/* Blocks of all lengths; every rank comes late now and then. */
static void lengths_mixed(int *out, int *in)
{
    for (int round = 0; round < ROUNDS; round++) {
        int sent[SIDES], received[SIDES], displs[SIDES];
        for (int side = 0; side < SIDES; side++) {
            sent[side] = length(test_rank, side, round);
            received[side] = length(around[side], opposite(side), round);
            displs[side] = side * (LONGEST + 1);
        }
        fill(out, sent, displs, round);
        coll_clear(in, SIDES * (LONGEST + 1));
        if (round % (test_size + 5) == test_rank)
            test_sleep_ms(2);
        TRY(MPI_Neighbor_alltoallv(out, sent, displs, MPI_INT, in, received, displs, MPI_INT,
                                   torus));
        check(in, received, displs, round, "mixed lengths");
    }
}

/* A receive of the program is posted, and a message of the program is kept, while blocks come. */
static void between_messages(int *out, int *in)
{
    int counts[SIDES] = {5, 5, 5, 5}, displs[SIDES] = {0, 10, 20, 30};
    int next = (test_rank + 1) % test_size, before = (test_rank + test_size - 1) % test_size;
    for (int round = 0; round < ROUNDS; round++) {
        int early = -1, late = -1, sent = 100 * round + test_rank;
        MPI_Request posted, leaving;
        TRY(MPI_Irecv(&late, 1, MPI_INT, before, 2, torus, &posted));
        TRY(MPI_Isend(&sent, 1, MPI_INT, next, 1, torus, &leaving));
        fill(out, counts, displs, round);
        coll_clear(in, SIDES * 10);
        TRY(MPI_Neighbor_alltoallv(out, counts, displs, MPI_INT, in, counts, displs, MPI_INT,
                                   torus));
        check(in, counts, displs, round, "between messages");
        TRY(MPI_Send(&sent, 1, MPI_INT, next, 2, torus));
        TRY(MPI_Recv(&early, 1, MPI_INT, before, 1, torus, MPI_STATUS_IGNORE));
        TRY(MPI_Wait(&posted, MPI_STATUS_IGNORE));
        TRY(MPI_Wait(&leaving, MPI_STATUS_IGNORE));
        CHECK(early == 100 * round + before && late == early, "messages are %d and %d; they must "
              "be %d", early, late, 100 * round + before);
    }
}

/* Vectors on one side, ints on the other. */
static void strided(int *out, int *in)
{
    MPI_Datatype every_second;
    TRY(MPI_Type_vector(3, 1, 2, MPI_INT, &every_second));
    TRY(MPI_Type_commit(&every_second));
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 6; i++)
            out[i] = coll_value(test_rank, i, round);
        coll_clear(in, SIDES * 3 + 1);
        if (test_rank % 2 == 0)
            TRY(MPI_Neighbor_allgather(out, 1, every_second, in, 3, MPI_INT, torus));
        else {
            int packed[3] = {out[0], out[2], out[4]};
            TRY(MPI_Neighbor_allgather(packed, 3, MPI_INT, in, 3, MPI_INT, torus));
        }
        for (int i = 0; i < SIDES * 3; i++)
            CHECK(in[i] == coll_value(around[i / 3], i % 3 * 2, round), "strided: %d at %d", in[i],
                  i);
        coll_check_untouched(in + SIDES * 3, 1, "strided");
    }
    TRY(MPI_Type_free(&every_second));
}

/* All give more than all expect. */
static void too_long(int *out, int *in)
{
    MPI_Comm other;
    TRY(MPI_Comm_dup(torus, &other));
    TRY(MPI_Comm_set_errhandler(other, MPI_ERRORS_RETURN));
    for (int round = 0; round < 4; round++)
        TRY(MPI_Neighbor_alltoall(out, 2, MPI_INT, in, 2, MPI_INT, other));
    coll_clear(in, SIDES * 2);
    EXPECT_ERROR(MPI_ERR_TRUNCATE, MPI_Neighbor_alltoall(out, 3, MPI_INT, in, 2, MPI_INT, other));
    TRY(MPI_Comm_free(&other));
}

/* One neighbour of rank 0 gives less than it expects, while the other is late. The others may learn
 * from rank 0 that it fails. */
static void too_short(int *out, int *in)
{
    MPI_Comm other;
    TRY(MPI_Comm_dup(torus, &other));
    TRY(MPI_Comm_set_errhandler(other, MPI_ERRORS_RETURN));
    for (int round = 0; round < 8; round++) {
        int is_upper_late = round % 2, late = is_upper_late ? test_size - 1 : 1;
        int giver = is_upper_late ? 1 : test_size - 1, displs[SIDES] = {0, 2, 4, 6};
        int sent[SIDES] = {2, 2, 2, 2}, received[SIDES] = {2, 2, 2, 2};
        TRY(MPI_Barrier(other));
        if (round < 4) /* until the communicator has its segment, all is right */
            giver = late = -1;
        if (test_rank == giver)
            sent[giver == 1 ? 0 : 1] = 1;
        if (test_rank == late)
            test_sleep_ms(5);
        if (test_rank == 0 && giver > 0)
            EXPECT_ERROR(MPI_ERR_TRUNCATE,
                         MPI_Neighbor_alltoallv(out, sent, displs, MPI_INT, in, received, displs,
                                                MPI_INT, other));
        else {
            int code = MPI_Neighbor_alltoallv(out, sent, displs, MPI_INT, in, received, displs,
                                              MPI_INT, other);
            CHECK(code == MPI_SUCCESS || (test_class(code) == MPI_ERR_OTHER && giver > 0),
                  "beside a rank that fails, or in a round without: %d", code);
        }
    }
    TRY(MPI_Comm_free(&other));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    int dims[2] = {test_size, 1}, periods[2] = {1, 1};
    TRY(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &torus));
    for (int d = 0; d < 2; d++)
        TRY(MPI_Cart_shift(torus, d, 1, &around[2 * d], &around[2 * d + 1]));
    int *out = coll_alloc(SIDES * (LONGEST + 1)), *in = coll_alloc(SIDES * (LONGEST + 1));
    lengths_mixed(out, in);
    between_messages(out, in);
    strided(out, in);
    too_long(out, in);
    if (test_size > 2)
        too_short(out, in);
    free(out);
    free(in);
    TRY(MPI_Comm_free(&torus));
    test_finish();
}
