/* Ten thousand messages from each rank before the first receive: none is lost, none overtakes
 * another, and receiving them in the worst order is not slow. */
/* ranks: 2 4 */
#include "harness.h"

enum { MESSAGES = 10000, INTS_MAX = 250, TAG_LAST = 20000, SECONDS_MAX = 20 };

static int ints_of(int number)
{
    return number % 100 == 0 ? INTS_MAX : 1 + number % 5;
}

static void send_flood(bool distinct_tags)
{
    static int message[INTS_MAX];
    MPI_Request *requests = test_alloc(MESSAGES * sizeof *requests);
    int(*data)[INTS_MAX] = test_alloc(MESSAGES * sizeof *data);
    for (int i = 0; i < MESSAGES; i++) {
        for (int j = 0; j < ints_of(i); j++)
            data[i][j] = test_rank * 1000000 + i + j;
        TRY(MPI_Isend(data[i], ints_of(i), MPI_INT, 0, distinct_tags ? i : 5, MPI_COMM_WORLD,
                      &requests[i]));
    }
    TRY(MPI_Send(message, 1, MPI_INT, 0, TAG_LAST, MPI_COMM_WORLD));
    TRY(MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE));
    free(requests);
    free(data);
}

static void receive_one(int source, int tag, int number)
{
    static int message[INTS_MAX];
    MPI_Status status;
    TRY(MPI_Recv(message, INTS_MAX, MPI_INT, source, tag, MPI_COMM_WORLD, &status));
    test_status(&status, source, tag, 4 * ints_of(number), "a message of the flood");
    for (int j = 0; j < ints_of(number); j++)
        CHECK(message[j] == source * 1000000 + number + j,
              "message %d of rank %d has %d at %d", number, source, message[j], j);
}

/* The last message of each rank is received first: then all others have arrived before it. */
static void wait_for_all_floods(void)
{
    for (int source = 1; source < test_size; source++) {
        int last;
        TRY(MPI_Recv(&last, 1, MPI_INT, source, TAG_LAST, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
}

static void in_order(void)
{
    if (test_rank > 0) {
        send_flood(false);
        return;
    }
    wait_for_all_floods();
    for (int number = 0; number < MESSAGES; number++)
        for (int source = 1; source < test_size; source++)
            receive_one(source, 5, number);
}

static void latest_first(void)
{
    if (test_rank > 0) {
        send_flood(true);
        return;
    }
    wait_for_all_floods();
    double begin = MPI_Wtime();
    for (int number = MESSAGES - 1; number >= 0; number--)
        for (int source = 1; source < test_size; source++)
            receive_one(source, number, number);
    double seconds = MPI_Wtime() - begin;
    CHECK(seconds < SECONDS_MAX, "receiving the flood latest first took %.1f s; limit %d s",
          seconds, SECONDS_MAX);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    test_need_ranks(2);
    in_order();
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    latest_first();
    test_finish();
    return 0;
}
