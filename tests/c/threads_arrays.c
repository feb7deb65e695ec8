/* Calls on arrays of requests in several threads at once, each on a communicator of its own:
 * requests that are null, inactive, complete as they began, in progress, failed; requests that are
 * started; exchanges. */
/* ranks: 1 2 3 */
/* timeout: 120 */
#include "threads.h"

enum { WORKERS = 4, ROUNDS = 60, SET = 6, TAG = 11, WAYS = 6 };

static int left, right;

struct worker {
    int number;
    MPI_Comm comm, other;
    MPI_Request persistent[2];
    int in, out;
};

/* Completes all of `count` requests that are active, and says how many it was told of. */
static int complete(int way, int count, MPI_Request *requests, MPI_Status *by_place)
{
    int which[SET], some = 0, flag = 0, total = 0;
    MPI_Status statuses[SET];
    while (way == 0 && !flag)
        TRY(MPI_Testall(count, requests, &flag, by_place));
    if (way == 1)
        TRY(MPI_Waitall(count, requests, by_place));
    while (way > 1) {
        some = 1, flag = 1;
        switch (way) {
        case 2: TRY(MPI_Waitany(count, requests, which, statuses)); break;
        case 3: TRY(MPI_Testany(count, requests, which, &flag, statuses)); break;
        case 4: TRY(MPI_Waitsome(count, requests, &some, which, statuses)); break;
        default: TRY(MPI_Testsome(count, requests, &some, which, statuses)); break;
        }
        if (some == MPI_UNDEFINED || (way < 4 && flag && which[0] == MPI_UNDEFINED))
            return total;
        for (int i = 0; flag && i < some; i++, total++)
            by_place[which[i]] = statuses[i];
    }
    return -1;
}

/* Null, started, begun, and on two communicators, in the VCIs of both. */
static void mixed(struct worker *w, int round)
{
    int way = round % WAYS, in[2] = {-1, -1}, out[2] = {round, round + 1};
    MPI_Request all[SET] = {MPI_REQUEST_NULL, w->persistent[0], w->persistent[1]};
    MPI_Status statuses[SET];
    w->in = -1, w->out = test_rank * 1000 + round;
    TRY(MPI_Start(&w->persistent[0]));
    TRY(MPI_Start(&w->persistent[1]));
    TRY(MPI_Irecv(&in[0], 1, MPI_INT, MPI_ANY_SOURCE, TAG, w->comm, &all[3]));
    TRY(MPI_Isend(&out[0], 1, MPI_INT, right, TAG, w->comm, &all[4]));
    MPI_Comm second = round % 3 == 0 ? w->comm : w->other;
    TRY(MPI_Irecv(&in[1], 1, MPI_INT, left, MPI_ANY_TAG, second, &all[5]));
    TRY(MPI_Send(&out[1], 1, MPI_INT, right, TAG + 1, second));
    int total = complete(way, SET, all, statuses);
    CHECK(way < 2 || total == SET - 1, "way %d: told of %d requests, not %d", way, total, SET - 1);
    CHECK(w->in == left * 1000 + round, "way %d: a started receive got %d", way, w->in);
    CHECK(in[0] == round && in[1] == round + 1, "way %d: got %d and %d in round %d", way, in[0],
          in[1], round);
    test_status(&statuses[1], left, TAG + 2, sizeof(int), "a started receive");
    test_status(&statuses[3], left, TAG, sizeof(int), "a receive from any rank");
    test_status(&statuses[5], left, TAG + 1, sizeof(int), "a receive with any tag");
    CHECK(all[1] == w->persistent[0] && all[2] == w->persistent[1], "a persistent one is gone");
    for (int i = 3; i < SET; i++)
        CHECK(all[i] == MPI_REQUEST_NULL, "way %d: request %d is still there", way, i);
}

/* Nothing but null and inactive ones, then nothing but sends that were complete as they began. */
static void nothing_in_progress(struct worker *w)
{
    MPI_Request idle[2] = {MPI_REQUEST_NULL, w->persistent[0]}, sent[3];
    MPI_Status statuses[3];
    int which[3] = {0}, flag = 0, some = 0, in = -1, out = w->number;
    TRY(MPI_Waitany(2, idle, which, statuses));
    CHECK(which[0] == MPI_UNDEFINED, "MPI_Waitany of idle requests says %d", which[0]);
    test_empty_status(statuses, "MPI_Waitany of idle requests");
    TRY(MPI_Testany(2, idle, which, &flag, statuses));
    CHECK(flag && which[0] == MPI_UNDEFINED, "MPI_Testany of idle requests says %d", which[0]);
    TRY(MPI_Waitsome(2, idle, &some, which, statuses));
    CHECK(some == MPI_UNDEFINED, "MPI_Waitsome of idle requests says %d", some);
    TRY(MPI_Testall(2, idle, &flag, statuses));
    CHECK(flag, "MPI_Testall of idle requests says that one is in progress");
    test_empty_status(&statuses[1], "MPI_Testall of idle requests");
    for (int i = 0; i < 3; i++)
        TRY(MPI_Isend(&out, 1, MPI_INT, right, TAG, w->comm, &sent[i]));
    TRY(MPI_Waitany(3, sent, which, statuses));
    CHECK(which[0] >= 0 && sent[which[0]] == MPI_REQUEST_NULL, "MPI_Waitany says %d", which[0]);
    for (some = 0; some < 2; some += flag)
        TRY(MPI_Testsome(3, sent, &flag, which + 1, statuses));
    for (int i = 0; i < 3; i++) {
        CHECK(sent[i] == MPI_REQUEST_NULL, "send %d is still there", i);
        TRY(MPI_Recv(&in, 1, MPI_INT, left, TAG, w->comm, MPI_STATUS_IGNORE));
        CHECK(in == out, "message %d says %d", i, in);
    }
    TRY(MPI_Isend(&out, 1, MPI_INT, right, TAG, w->comm, &sent[0]));
    TRY(MPI_Isend(&out, 1, MPI_INT, right, TAG, w->comm, &sent[1]));
    TRY(MPI_Recv(&in, 1, MPI_INT, left, TAG, w->comm, MPI_STATUS_IGNORE));
    TRY(MPI_Recv(&in, 1, MPI_INT, left, TAG, w->comm, MPI_STATUS_IGNORE));
    for (flag = 0; !flag;)
        TRY(MPI_Testall(3, sent, &flag, statuses));
    CHECK(sent[0] == MPI_REQUEST_NULL && sent[1] == MPI_REQUEST_NULL, "a send is still there");
    for (int i = 0; i < 3; i++)
        test_empty_status(&statuses[i], "MPI_Testall of sends");
}

/* One of several fails: the call says so, and which. */
static void failures(struct worker *w)
{
    int in[2] = {-1, -1}, two[2] = {7, 8}, which[2], some = 0, total = 0;
    MPI_Request both[2], sent[2];
    MPI_Status statuses[2];
    TRY(MPI_Irecv(&in[0], 1, MPI_INT, left, TAG, w->comm, &both[0]));
    TRY(MPI_Irecv(&in[1], 1, MPI_INT, left, TAG, w->comm, &both[1]));
    TRY(MPI_Isend(two, 1, MPI_INT, right, TAG, w->comm, &sent[0]));
    TRY(MPI_Isend(two, 2, MPI_INT, right, TAG, w->comm, &sent[1]));
    for (bool failed = false; total < 2 || !failed; total += some) {
        int class = test_class(MPI_Waitsome(2, both, &some, which, statuses));
        CHECK(class == MPI_SUCCESS || class == MPI_ERR_IN_STATUS, "class %d", class);
        CHECK(some > 0 && some <= 2, "MPI_Waitsome says %d", some);
        for (int i = 0; class != MPI_SUCCESS && i < some; i++) {
            int wanted = which[i] == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
            CHECK(test_class(statuses[i].MPI_ERROR) == wanted, "request %d has class %d", which[i],
                  test_class(statuses[i].MPI_ERROR));
            failed |= which[i] == 1;
        }
    }
    TRY(MPI_Waitall(2, sent, MPI_STATUSES_IGNORE));
    EXPECT_ERROR(MPI_ERR_TRUNCATE,
                 MPI_Sendrecv(two, 2, MPI_INT, right, TAG, in, 1, MPI_INT, left, TAG, w->comm,
                              MPI_STATUS_IGNORE));
    EXPECT_ERROR(MPI_ERR_RANK, MPI_Sendrecv(two, 2, MPI_INT, right, TAG, in, 1, MPI_INT, test_size,
                                            TAG, w->comm, MPI_STATUS_IGNORE));
    TRY(MPI_Start(&w->persistent[0]));
    EXPECT_ERROR(MPI_ERR_REQUEST, MPI_Start(&w->persistent[0]));
    TRY(MPI_Cancel(&w->persistent[0]));
    TRY(MPI_Wait(&w->persistent[0], MPI_STATUS_IGNORE));
    TRY(MPI_Sendrecv(two, 2, MPI_INT, MPI_PROC_NULL, TAG, in, 1, MPI_INT, MPI_PROC_NULL, TAG,
                     w->comm, statuses));
    test_null_status(statuses, "an exchange with nobody");
}

static void exchanges(struct worker *w, int round)
{
    int data[3] = {test_rank, round, w->number}, in[3] = {-1, -1, -1};
    MPI_Status status;
    TRY(MPI_Sendrecv(data, 3, MPI_INT, right, TAG, in, 3, MPI_INT, MPI_ANY_SOURCE, TAG, w->comm,
                     &status));
    test_status(&status, left, TAG, sizeof in, "an exchange");
    CHECK(in[0] == left && in[1] == round && in[2] == w->number, "an exchange gets %d %d %d",
          in[0], in[1], in[2]);
    TRY(MPI_Sendrecv_replace(data, 3, MPI_INT, right, TAG, left, TAG, w->comm, &status));
    CHECK(data[0] == left && data[1] == round, "a replacing exchange gets %d %d", data[0], data[1]);
}

static void *work(void *argument)
{
    struct worker *w = argument;
    TRY(MPI_Recv_init(&w->in, 1, MPI_INT, left, TAG + 2, w->comm, &w->persistent[0]));
    TRY(MPI_Send_init(&w->out, 1, MPI_INT, right, TAG + 2, w->comm, &w->persistent[1]));
    for (int round = 0; round < ROUNDS; round++) {
        mixed(w, round);
        exchanges(w, round);
        nothing_in_progress(w);
    }
    TRY(MPI_Comm_set_errhandler(w->comm, MPI_ERRORS_RETURN));
    failures(w);
    TRY(MPI_Request_free(&w->persistent[0]));
    TRY(MPI_Request_free(&w->persistent[1]));
    return NULL;
}

int main(int argc, char **argv)
{
    static struct worker workers[WORKERS];
    threads_start(&argc, &argv);
    left = (test_rank + test_size - 1) % test_size, right = (test_rank + 1) % test_size;
    for (int i = 0; i < WORKERS; i++) {
        workers[i].number = i;
        TRY(MPI_Comm_dup(MPI_COMM_WORLD, &workers[i].comm));
        TRY(MPI_Comm_dup(MPI_COMM_WORLD, &workers[i].other));
    }
    threads_run(WORKERS, work, workers, sizeof *workers);
    for (int i = 0; i < WORKERS; i++) {
        TRY(MPI_Comm_free(&workers[i].comm));
        TRY(MPI_Comm_free(&workers[i].other));
    }
    test_finish();
    return 0;
}
