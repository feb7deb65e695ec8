/* Partitioned messages: partitions become ready in any order, repeatedly; the two sides have
 * different partitions; pairs match in the order of their initialisation, in whatever order they
 * start. partitioned_units.c has what moves before all is ready. */
/* ranks: 1 2 3 */
#include "harness.h"

enum { TAG = 51, PARTS = 6, EACH = 100, TOTAL = PARTS * EACH, ROUNDS = 3 };

static int next_rank, prev_rank;
static int out[TOTAL], in[TOTAL];

static void fill(int *data, int round)
{
    for (int i = 0; i < TOTAL; i++)
        data[i] = 10000 * round + 1000 * test_rank + i;
}

static void expect(const int *data, int round, const char *what)
{
    for (int i = 0; i < TOTAL; i++)
        CHECK(data[i] == 10000 * round + 1000 * prev_rank + i, "%s, round %d: element %d is %d",
              what, round, i, data[i]);
}

static void ready_in_any_order(void)
{
    MPI_Request requests[2];
    int flag = -1, list[2] = {0, 4};
    TRY(MPI_Precv_init(in, PARTS / 2, 2 * EACH, MPI_INT, prev_rank, TAG, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &requests[0]));
    TRY(MPI_Psend_init(out, PARTS, EACH, MPI_INT, next_rank, TAG, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &requests[1]));
    for (int round = 0; round < ROUNDS; round++) {
        fill(out, round);
        memset(in, 0, sizeof in);
        TRY(MPI_Startall(2, requests));
        TRY(MPI_Pready(5, requests[1]));
        TRY(MPI_Test(&requests[1], &flag, MPI_STATUS_IGNORE));
        CHECK(!flag, "sent before all partitions are ready");
        TRY(MPI_Pready_range(1, 3, requests[1]));
        TRY(MPI_Pready_list(2, list, requests[1]));
        for (int part = 0; part < PARTS / 2; part++)
            for (flag = 0; !flag;)
                TRY(MPI_Parrived(requests[0], part, &flag));
        expect(in, round, "partitions that arrived");
        TRY(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    }
    TRY(MPI_Parrived(requests[0], 0, &flag));
    CHECK(flag, "an inactive request has partitions to come");
    TRY(MPI_Request_free(&requests[0]));
    TRY(MPI_Request_free(&requests[1]));
}

/* Two pairs with one tag, started in opposite order: the first initialised still match. */
static void pairs_meet_by_initialisation(void)
{
    static int two[TOTAL], there[TOTAL];
    MPI_Request sends[2], receives[2];
    int *from[2] = {out, two}, *to[2] = {in, there};
    fill(out, 1);
    fill(two, 2);
    for (int i = 0; i < 2; i++) {
        TRY(MPI_Psend_init(from[i], PARTS, EACH, MPI_INT, next_rank, TAG, MPI_COMM_WORLD,
                           MPI_INFO_NULL, &sends[i]));
        TRY(MPI_Precv_init(to[i], PARTS, EACH, MPI_INT, prev_rank, TAG, MPI_COMM_WORLD,
                           MPI_INFO_NULL, &receives[i]));
    }
    for (int i = 0; i < 2; i++) {
        TRY(MPI_Start(&receives[i]));
        TRY(MPI_Start(&sends[1 - i]));
        TRY(MPI_Pready_range(0, PARTS - 1, sends[1 - i]));
    }
    TRY(MPI_Waitall(2, sends, MPI_STATUSES_IGNORE));
    TRY(MPI_Waitall(2, receives, MPI_STATUSES_IGNORE));
    expect(in, 1, "the first pair");
    expect(there, 2, "the second pair");
    for (int i = 0; i < 2; i++) {
        TRY(MPI_Request_free(&sends[i]));
        TRY(MPI_Request_free(&receives[i]));
    }
}

static void nobody_and_mistakes(void)
{
    MPI_Request request;
    MPI_Status status;
    TRY(MPI_Psend_init(out, PARTS, EACH, MPI_INT, MPI_PROC_NULL, TAG, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &request));
    TRY(MPI_Start(&request));
    TRY(MPI_Pready_range(0, PARTS - 1, request));
    TRY(MPI_Wait(&request, &status));
    TRY(MPI_Request_free(&request));
    TRY(MPI_Psend_init(out, PARTS, EACH, MPI_INT, test_rank, TAG + 1, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &request));
    EXPECT_ERROR(MPI_ERR_REQUEST, MPI_Pready(0, request));
    EXPECT_ERROR(MPI_ERR_REQUEST, MPI_Parrived(request, 0, &(int){0}));
    TRY(MPI_Request_free(&request));
    EXPECT_ERROR(MPI_ERR_ARG, MPI_Psend_init(out, -1, EACH, MPI_INT, test_rank, TAG, MPI_COMM_WORLD,
                                             MPI_INFO_NULL, &request));
}

/* What is refused changes nothing. */
static void ready_wrongly(void)
{
    MPI_Request send, receive;
    fill(out, 4);
    TRY(MPI_Psend_init(out, PARTS, EACH, MPI_INT, next_rank, TAG + 2, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &send));
    TRY(MPI_Precv_init(in, PARTS, EACH, MPI_INT, prev_rank, TAG + 2, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &receive));
    TRY(MPI_Start(&receive));
    TRY(MPI_Start(&send));
    TRY(MPI_Pready(2, send));
    EXPECT_ERROR(MPI_ERR_REQUEST, MPI_Pready(2, send));
    EXPECT_ERROR(MPI_ERR_REQUEST, MPI_Pready(2, receive));
    EXPECT_ERROR(MPI_ERR_REQUEST, MPI_Pready_list(0, &(int){0}, MPI_REQUEST_NULL));
    EXPECT_ERROR(MPI_ERR_ARG, MPI_Pready(PARTS, send));
    EXPECT_ERROR(MPI_ERR_ARG, MPI_Pready(-1, send));
    EXPECT_ERROR(MPI_ERR_ARG, MPI_Pready_range(3, PARTS, send));
    EXPECT_ERROR(MPI_ERR_ARG, MPI_Parrived(receive, PARTS, &(int){0}));
    TRY(MPI_Pready_range(0, 1, send));
    TRY(MPI_Pready_range(3, PARTS - 1, send));
    TRY(MPI_Wait(&send, MPI_STATUS_IGNORE));
    TRY(MPI_Wait(&receive, MPI_STATUS_IGNORE));
    expect(in, 4, "after mistakes");
    TRY(MPI_Request_free(&send));
    TRY(MPI_Request_free(&receive));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    TRY(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    TRY(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    next_rank = (test_rank + 1) % test_size;
    prev_rank = (test_rank + test_size - 1) % test_size;
    ready_in_any_order();
    pairs_meet_by_initialisation();
    nobody_and_mistakes();
    ready_wrongly();
    test_finish();
    return 0;
}
