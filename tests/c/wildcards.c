/* Receives from any source or with any tag: each pair's messages keep their order, and the
 * receive posted first gets the message, with and without wildcards. */
/* ranks: 2 3 5 */
#include "harness.h"

enum { MESSAGES = 300, GO = 500, BIG = 20000 };

/* Every other rank sends numbered messages with changing tags; rank 0 receives any message. */
static void any_source_any_tag_keeps_each_pairs_order(bool posted_first)
{
    int total = (test_size - 1) * MESSAGES;
    if (test_rank > 0) {
        static int message[BIG];
        if (posted_first)
            test_await(0, GO);
        for (int i = 0; i < MESSAGES; i++) {
            message[0] = i;
            TRY(MPI_Send(message, i % 50 == 49 ? BIG : 1, MPI_INT, 0, i % 7, MPI_COMM_WORLD));
        }
        return;
    }
    int(*values)[BIG] = test_alloc(sizeof *values * (size_t)total);
    MPI_Request *requests = test_alloc(sizeof *requests * (size_t)total);
    MPI_Status *statuses = test_alloc(sizeof *statuses * (size_t)total);
    int *expected = calloc((size_t)test_size, sizeof *expected);
    for (int i = 0; i < total; i++)
        TRY(MPI_Irecv(values[i], BIG, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                      &requests[i]));
    for (int r = 1; posted_first && r < test_size; r++)
        test_signal(r, GO);
    TRY(MPI_Waitall(total, requests, statuses));
    for (int i = 0; i < total; i++) {
        int source = statuses[i].MPI_SOURCE, number = expected[source]++;
        CHECK(values[i][0] == number, "receive %d gets message %d of rank %d; must be %d", i,
              values[i][0], source, number);
        CHECK(statuses[i].MPI_TAG == number % 7, "message %d has tag %d", number,
              statuses[i].MPI_TAG);
    }
    free(values);
    free(requests);
    free(statuses);
    free(expected);
}

/* Four receives that all match, posted in every rotation: messages match them in posting order. */
static void the_receive_posted_first_wins(void)
{
    const int sources[] = {1, MPI_ANY_SOURCE, 1, MPI_ANY_SOURCE};
    const int tags[] = {9, 9, MPI_ANY_TAG, MPI_ANY_TAG};
    for (int first = 0; first < 4; first++) {
        int values[4] = {-1, -1, -1, -1};
        MPI_Request requests[4];
        if (test_rank == 1) {
            test_await(0, GO);
            for (int i = 0; i < 4; i++)
                TRY(MPI_Send(&i, 1, MPI_INT, 0, 9, MPI_COMM_WORLD));
        } else if (test_rank == 0) {
            for (int i = 0; i < 4; i++) {
                int kind = (first + i) % 4;
                TRY(MPI_Irecv(&values[i], 1, MPI_INT, sources[kind], tags[kind], MPI_COMM_WORLD,
                              &requests[i]));
            }
            test_signal(1, GO);
            TRY(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
            for (int i = 0; i < 4; i++)
                CHECK(values[i] == i, "rotation %d: receive %d gets message %d", first, i,
                      values[i]);
        }
    }
}

/* A receive with a tag overtakes messages with other tags that arrived before. */
static void a_named_tag_overtakes(void)
{
    enum { TAGS = 40 };
    if (test_rank == 1) {
        for (int tag = 0; tag < TAGS; tag++)
            TRY(MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_WORLD));
    } else if (test_rank == 0) {
        int value = -1;
        MPI_Status status;
        for (int tag = TAGS - 1; tag > TAGS / 2; tag--) {
            TRY(MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status));
            CHECK(value == tag && status.MPI_SOURCE == 1, "tag %d gets message %d", tag, value);
        }
        for (int tag = 0; tag <= TAGS / 2; tag++) {
            TRY(MPI_Recv(&value, 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
            CHECK(value == tag && status.MPI_TAG == tag, "any tag gets message %d; must be %d",
                  value, tag);
        }
    }
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    test_need_ranks(2);
    any_source_any_tag_keeps_each_pairs_order(false);
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    any_source_any_tag_keeps_each_pairs_order(true);
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    the_receive_posted_first_wins();
    a_named_tag_overtakes();
    test_finish();
    return 0;
}
