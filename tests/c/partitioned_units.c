/* Partitions move when they are ready: those that are there are seen before the others have left,
 * whatever the partitions and datatypes of the two sides. Messages without data, too long or too
 * short ones, requests that are freed, and receives that are taken back. */
/* ranks: 1 2 4 */
#include "harness.h"

enum { TAG = 61, TOTAL = 27720, ROUNDS = 3, EARLY_PARTS = 8, EARLY_EACH = 20000 };

static int next_rank, prev_rank;
static int out[2 * TOTAL], in[2 * TOTAL + 1];

static void start_pair(void *from, int parts_out, int each_out, MPI_Datatype type_out, void *to,
                       int parts_in, int each_in, MPI_Datatype type_in, MPI_Request *pair)
{
    TRY(MPI_Psend_init(from, parts_out, each_out, type_out, next_rank, TAG, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &pair[0]));
    TRY(MPI_Precv_init(to, parts_in, each_in, type_in, prev_rank, TAG, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &pair[1]));
}

static void free_pair(MPI_Request *pair)
{
    TRY(MPI_Request_free(&pair[0]));
    TRY(MPI_Request_free(&pair[1]));
}

static int value(int rank, int round, int i)
{
    return (rank * 31 + round * 7 + 1) * 100000 + i;
}

/* One round of `parts` partitions here, in an order that depends on the round, the receive started
 * before or after. Elements are `stride` integers apart. */
static void round_of(MPI_Request *pair, int parts, int round, int stride_out, int stride_in)
{
    MPI_Status status;
    int count = -1, first = round % 2;
    for (int i = 0; i < TOTAL; i++) out[i * stride_out] = value(test_rank, round, i);
    memset(in, 0, sizeof in);
    TRY(MPI_Start(&pair[first]));
    if (round == 2) TRY(MPI_Barrier(MPI_COMM_WORLD));
    TRY(MPI_Start(&pair[1 - first]));
    for (int i = 0; i < parts; i++) {
        int part = round == 0 ? i : round == 1 ? parts - 1 - i : (i + parts / 2) % parts;
        TRY(MPI_Pready(part, pair[0]));
    }
    TRY(MPI_Wait(&pair[0], MPI_STATUS_IGNORE));
    TRY(MPI_Wait(&pair[1], &status));
    TRY(MPI_Get_count(&status, MPI_INT, &count));
    CHECK(status.MPI_SOURCE == prev_rank && status.MPI_TAG == TAG && count == TOTAL,
          "the status has source %d, tag %d and %d integers", status.MPI_SOURCE, status.MPI_TAG,
          count);
    for (int i = 0; i < TOTAL; i++)
        CHECK(in[i * stride_in] == value(prev_rank, round, i),
              "%d partitions, round %d: element %d is %d", parts, round, i, in[i * stride_in]);
}

static void different_partitions(void)
{
    static const int parts[][2] = {{1, 1}, {1, 7}, {9, 1}, {3, 5}, {8, 11}, {12, 12}, {1980, 63},
                                   {9240, 9240}};
    MPI_Datatype spread;
    TRY(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &spread));
    TRY(MPI_Type_commit(&spread));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (int layouts = 0; layouts < 4; layouts++) {
            int wide_out = layouts & 1, wide_in = layouts >> 1, n = parts[i][0], m = parts[i][1];
            MPI_Request pair[2];
            start_pair(out, n, TOTAL / n, wide_out ? spread : MPI_INT, in, m, TOTAL / m,
                       wide_in ? spread : MPI_INT, pair);
            for (int round = 0; round < ROUNDS; round++)
                round_of(pair, n, round, 1 + wide_out, 1 + wide_in);
            free_pair(pair);
        }
    TRY(MPI_Type_free(&spread));
}

/* Elements of five integers, of which a unit has no whole number. */
static void units_within_elements(void)
{
    MPI_Datatype block, five;
    MPI_Request pair[2];
    TRY(MPI_Type_create_indexed_block(5, 1, (int[]){0, 2, 4, 6, 8}, MPI_INT, &block));
    TRY(MPI_Type_create_resized(block, 0, 10 * sizeof(int), &five));
    TRY(MPI_Type_free(&block));
    TRY(MPI_Type_commit(&five));
    start_pair(out, 9, TOTAL / 9, MPI_INT, in, 3, TOTAL / 15, five, pair);
    for (int round = 0; round < ROUNDS; round++) round_of(pair, 9, round, 1, 2);
    free_pair(pair);
    TRY(MPI_Type_free(&five));
}

/* The sender holds all but one partition back until the receiver has seen that one. */
static void early_partitions_are_seen(void)
{
    static int early_out[EARLY_PARTS * EARLY_EACH], early_in[EARLY_PARTS * EARLY_EACH];
    MPI_Request pair[2];
    start_pair(early_out, EARLY_PARTS, EARLY_EACH, MPI_INT, early_in, EARLY_PARTS / 2,
               2 * EARLY_EACH, MPI_INT, pair);
    for (int round = 0; round < 2 * ROUNDS; round++) {
        for (int i = 0; i < EARLY_PARTS * EARLY_EACH; i++)
            early_out[i] = value(test_rank, round, i);
        TRY(MPI_Startall(2, pair));
        int first = 2 * (round % (EARLY_PARTS / 2)), flag = 0, at = first * EARLY_EACH;
        TRY(MPI_Pready_range(first, first + 1, pair[0]));
        while (!flag) TRY(MPI_Parrived(pair[1], first / 2, &flag));
        for (int i = at; i < at + 2 * EARLY_EACH; i++)
            CHECK(early_in[i] == value(prev_rank, round, i), "early element %d is %d", i,
                  early_in[i]);
        TRY(MPI_Parrived(pair[1], (first / 2 + 1) % (EARLY_PARTS / 2), &flag));
        CHECK(!flag, "a partition is there that has not left, round %d", round);
        TRY(MPI_Test(&pair[1], &flag, MPI_STATUS_IGNORE));
        CHECK(!flag, "the message is there before it has left, round %d", round);
        TRY(MPI_Barrier(MPI_COMM_WORLD));
        if (first > 0) TRY(MPI_Pready_range(0, first - 1, pair[0]));
        if (first + 2 < EARLY_PARTS) TRY(MPI_Pready_range(first + 2, EARLY_PARTS - 1, pair[0]));
        TRY(MPI_Waitall(2, pair, MPI_STATUSES_IGNORE));
        for (int i = 0; i < EARLY_PARTS * EARLY_EACH; i++)
            CHECK(early_in[i] == value(prev_rank, round, i), "element %d is %d", i, early_in[i]);
    }
    free_pair(pair);
}

static void without_data(void)
{
    static const int shapes[][4] = {{0, 5, 0, 5}, {4, 0, 4, 0}, {0, 5, 3, 0}, {3, 0, 0, 1}};
    for (int i = 0; i < 4; i++) {
        MPI_Request pair[2];
        const int *s = shapes[i];
        start_pair(out, s[0], s[1], MPI_INT, in, s[2], s[3], MPI_INT, pair);
        for (int round = 0; round < ROUNDS; round++) {
            int flag = 0;
            TRY(MPI_Startall(2, pair));
            if (s[0] > 0) TRY(MPI_Pready_range(0, s[0] - 1, pair[0]));
            while (!flag && s[2] > 0) TRY(MPI_Parrived(pair[1], s[2] - 1, &flag));
            TRY(MPI_Waitall(2, pair, MPI_STATUSES_IGNORE));
        }
        free_pair(pair);
    }
}

static void other_lengths(void)
{
    MPI_Request pair[2];
    MPI_Status status;
    int count = -1, flag = 0;
    for (int i = 0; i < TOTAL; i++) out[i] = value(test_rank, 0, i);
    start_pair(out, 6, TOTAL / 6, MPI_INT, in, 4, TOTAL / 8, MPI_INT, pair);
    for (int round = 0; round < ROUNDS; round++) {
        memset(in, 0, sizeof in);
        TRY(MPI_Startall(2, pair));
        TRY(MPI_Pready_range(0, 5, pair[0]));
        EXPECT_ERROR(MPI_ERR_TRUNCATE, MPI_Wait(&pair[1], MPI_STATUS_IGNORE));
        TRY(MPI_Wait(&pair[0], MPI_STATUS_IGNORE));
        for (int i = 0; i < TOTAL / 2; i++)
            CHECK(in[i] == value(prev_rank, 0, i), "truncated: element %d is %d", i, in[i]);
        CHECK(in[TOTAL / 2] == 0, "something was written behind the buffer");
    }
    free_pair(pair);
    start_pair(out, 3, TOTAL / 6, MPI_INT, in, 4, TOTAL / 4, MPI_INT, pair);
    for (int round = 0; round < ROUNDS; round++) {
        TRY(MPI_Startall(2, pair));
        TRY(MPI_Pready_range(0, 2, pair[0]));
        for (flag = 0; !flag;) TRY(MPI_Parrived(pair[1], 3, &flag));
        TRY(MPI_Wait(&pair[1], &status));
        TRY(MPI_Wait(&pair[0], MPI_STATUS_IGNORE));
        TRY(MPI_Get_count(&status, MPI_INT, &count));
        CHECK(count == TOTAL / 2, "%d of %d integers came", count, TOTAL / 2);
    }
    free_pair(pair);
}

/* A receiver in a call of another kind takes what it is sent; and a request that is freed still
 * completes. */
static void behind_other_calls(void)
{
    volatile int *arriving = in; /* partitions come in any order */
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Request pair[2];
        int flag = 0;
        for (int i = 0; i < TOTAL; i++) out[i] = value(test_rank, round, i);
        memset(in, 0, sizeof in);
        start_pair(out, 5, TOTAL / 5, MPI_INT, in, 5, TOTAL / 5, MPI_INT, pair);
        TRY(MPI_Start(&pair[1]));
        TRY(MPI_Request_free(&pair[1]));
        if (round > 0) TRY(MPI_Barrier(MPI_COMM_WORLD));
        TRY(MPI_Start(&pair[0]));
        TRY(MPI_Pready_range(0, 4, pair[0]));
        TRY(MPI_Wait(&pair[0], MPI_STATUS_IGNORE));
        TRY(MPI_Barrier(MPI_COMM_WORLD));
        for (int i = 0; i < TOTAL; i++)
            while (arriving[i] != value(prev_rank, round, i))
                TRY(MPI_Iprobe(prev_rank, TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
        TRY(MPI_Barrier(MPI_COMM_WORLD));
        TRY(MPI_Request_free(&pair[0]));
    }
}

static void taken_back(void)
{
    MPI_Request receive;
    MPI_Status status;
    int is_cancelled;
    TRY(MPI_Precv_init(in, 2, 100, MPI_INT, prev_rank, TAG + 1, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &receive));
    for (int round = 0; round < ROUNDS; round++) {
        TRY(MPI_Start(&receive));
        TRY(MPI_Cancel(&receive));
        TRY(MPI_Wait(&receive, &status));
        TRY(MPI_Test_cancelled(&status, &is_cancelled));
        CHECK(is_cancelled, "a receive without a sender was not cancelled, round %d", round);
    }
    TRY(MPI_Request_free(&receive));
    /* The same once the sender is known. */
    MPI_Request pair[2];
    start_pair(out, 4, TOTAL / 4, MPI_INT, in, 4, TOTAL / 4, MPI_INT, pair);
    round_of(pair, 4, 0, 1, 1);
    TRY(MPI_Start(&pair[1]));
    TRY(MPI_Cancel(&pair[1]));
    TRY(MPI_Wait(&pair[1], &status));
    TRY(MPI_Test_cancelled(&status, &is_cancelled));
    CHECK(is_cancelled, "a later round was not cancelled");
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    round_of(pair, 4, 1, 1, 1);
    free_pair(pair);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    TRY(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    next_rank = (test_rank + 1) % test_size;
    prev_rank = (test_rank + test_size - 1) % test_size;
    different_partitions();
    units_within_elements();
    early_partitions_are_seen();
    without_data();
    other_lengths();
    behind_other_calls();
    taken_back();
    test_finish();
    return 0;
}
