/* Arrays of requests on several communicators, and of a collective, that one call completes, while
 * other threads communicate there; long messages that move while this process waits elsewhere;
 * errors, cancellation and freed requests on communicators that threads have for themselves. */
/* ranks: 1 2 3 */
/* timeout: 120 */
#include "threads.h"

enum { COMMS = 5, EACH = 3, SET = COMMS * EACH + 1, ROUNDS = 24, LONG_INTS = 300000, NOISES = 2 };
enum { TAG_SET = 1, TAG_NOISE = 50, TAG_LONG = 90, TAG_NEVER = 91 };

static int left, right;
static MPI_Comm comms[COMMS];

static int value(int round, int i)
{
    return round * 1000 + i;
}

/* Keeps a communicator busy: each of its messages is answered. */
static void *make_noise(void *argument)
{
    int number = *(int *)argument, out = 0, in = -1;
    for (int round = 0; round < 50 * ROUNDS; round++, out++) {
        TRY(MPI_Sendrecv(&out, 1, MPI_INT, right, TAG_NOISE + number, &in, 1, MPI_INT, left,
                         TAG_NOISE + number, comms[number], MPI_STATUS_IGNORE));
        CHECK(in == out, "noise %d: got %d, not %d", number, in, out);
    }
    return NULL;
}

/* Completes all requests, in another way in each round, and says how many it was told of. */
static int complete(MPI_Request *requests, int round)
{
    int which[SET], some = 0, flag = 0, total = 0;
    MPI_Status statuses[SET];
    switch (round % 8) {
    case 0:
        TRY(MPI_Waitall(SET, requests, statuses));
        return SET;
    case 1:
        while (!flag)
            TRY(MPI_Testall(SET, requests, &flag, statuses));
        return SET;
    case 2:
        for (; total < SET; total++) {
            TRY(MPI_Waitany(SET, requests, which, statuses));
            CHECK(requests[*which] == MPI_REQUEST_NULL, "request %d is still there", *which);
        }
        return total;
    case 3:
        for (; total < SET; total += flag)
            TRY(MPI_Testany(SET, requests, which, &flag, statuses));
        return total;
    case 4:
        for (; total < SET; total += some)
            TRY(MPI_Waitsome(SET, requests, &some, which, statuses));
        return total;
    case 5:
        for (; total < SET; total += some)
            TRY(MPI_Testsome(SET, requests, &some, which, statuses));
        return total;
#if MPI_VERSION * 10 + MPI_SUBVERSION >= 41
    case 6:
        while (!flag)
            TRY(MPI_Request_get_status_all(SET, requests, &flag, statuses));
        TRY(MPI_Request_get_status_some(SET, requests, &some, which, statuses));
        CHECK(some == SET, "%d of %d requests are complete", some, SET);
        TRY(MPI_Waitall(SET, requests, MPI_STATUSES_IGNORE));
        return SET;
    default:
        while (!flag)
            TRY(MPI_Request_get_status_any(SET, requests, which, &flag, statuses));
        TRY(MPI_Wait(&requests[*which], MPI_STATUS_IGNORE));
        TRY(MPI_Waitall(SET, requests, MPI_STATUSES_IGNORE));
        return SET;
#else
    default:
        TRY(MPI_Waitall(SET, requests, MPI_STATUSES_IGNORE));
        return SET;
#endif
    }
}

static void mixed_arrays(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        int in[SET], out[SET];
        MPI_Request requests[SET];
        for (int i = 0; i < SET - 1; i++) {
            in[i] = -1, out[i] = value(round, i);
            TRY(MPI_Irecv(&in[i], 1, MPI_INT, left, TAG_SET + i, comms[i % COMMS], &requests[i]));
        }
        TRY(MPI_Ibarrier(MPI_COMM_WORLD, &requests[SET - 1]));
        for (int i = 0; i < SET - 1; i++)
            TRY(MPI_Send(&out[i], 1, MPI_INT, right, TAG_SET + i, comms[i % COMMS]));
        int total = complete(requests, round);
        CHECK(total == SET, "%d of %d requests were completed", total, SET);
        for (int i = 0; i < SET - 1; i++)
            CHECK(in[i] == value(round, i), "round %d: message %d says %d", round, i, in[i]);
        int none = -1;
        TRY(MPI_Waitany(SET, requests, &none, MPI_STATUS_IGNORE));
        CHECK(none == MPI_UNDEFINED, "MPI_Waitany of null requests says %d", none);
    }
}

/* Messages that need both ranks to make progress, while these wait for something else. */
static void long_messages(void)
{
    static int in[COMMS][LONG_INTS], out[LONG_INTS];
    MPI_Request requests[2 * COMMS];
    for (int i = 0; i < LONG_INTS; i++)
        out[i] = i;
    for (int c = 0; c < COMMS; c++) {
        TRY(MPI_Irecv(in[c], LONG_INTS, MPI_INT, left, TAG_LONG, comms[c], &requests[c]));
        TRY(MPI_Isend(out, LONG_INTS, MPI_INT, right, TAG_LONG, comms[c], &requests[COMMS + c]));
    }
    /* The last rank waits for its message alone, in one communicator; the others in a barrier. */
    if (test_rank == test_size - 1)
        TRY(MPI_Wait(&requests[COMMS - 1], MPI_STATUS_IGNORE));
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    int flag = 0;
    while (!flag)
        TRY(MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE));
    TRY(MPI_Waitall(2 * COMMS, requests, MPI_STATUSES_IGNORE));
    for (int c = 0; c < COMMS; c++)
        for (int i = 0; i < LONG_INTS; i++)
            CHECK(in[c][i] == i, "communicator %d: element %d is %d", c, i, in[c][i]);
}

static void failures(void)
{
    for (int c = 0; c < COMMS; c++) {
        int in = 0, pair[2] = {1, 2}, cancelled = 0;
        MPI_Request request, sent;
        MPI_Status status;
        TRY(MPI_Irecv(&in, 1, MPI_INT, left, TAG_NEVER, comms[c], &request));
        TRY(MPI_Cancel(&request));
        TRY(MPI_Wait(&request, &status));
        TRY(MPI_Test_cancelled(&status, &cancelled));
        CHECK(cancelled, "a receive that nothing matched was not cancelled");
        TRY(MPI_Comm_set_errhandler(comms[c], MPI_ERRORS_RETURN));
        TRY(MPI_Isend(pair, 2, MPI_INT, right, TAG_SET, comms[c], &sent));
        EXPECT_ERROR(MPI_ERR_TRUNCATE,
                     MPI_Recv(&in, 1, MPI_INT, left, TAG_SET, comms[c], MPI_STATUS_IGNORE));
        TRY(MPI_Request_free(&sent));
        EXPECT_ERROR(MPI_ERR_RANK, MPI_Send(pair, 1, MPI_INT, test_size, TAG_SET, comms[c]));
        EXPECT_ERROR(MPI_ERR_TYPE, MPI_Send(pair, 1, MPI_DATATYPE_NULL, right, 0, comms[c]));
        /* The request of a communicator that is gone has its error handler still. */
        MPI_Comm gone;
        TRY(MPI_Comm_dup(comms[c], &gone));
        TRY(MPI_Isend(pair, 2, MPI_INT, right, TAG_SET, gone, &sent));
        TRY(MPI_Irecv(&in, 1, MPI_INT, left, TAG_SET, gone, &request));
        TRY(MPI_Comm_free(&gone));
        EXPECT_ERROR(MPI_ERR_TRUNCATE, MPI_Wait(&request, MPI_STATUS_IGNORE));
        TRY(MPI_Wait(&sent, MPI_STATUS_IGNORE));
        TRY(MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, comms[c]));
    }
}

int main(int argc, char **argv)
{
    threads_start(&argc, &argv);
    left = (test_rank + test_size - 1) % test_size, right = (test_rank + 1) % test_size;
    for (int c = 0; c < COMMS; c++)
        TRY(MPI_Comm_dup(MPI_COMM_WORLD, &comms[c]));
    int numbers[NOISES] = {0, 3};
    struct threads noises;
    threads_begin(&noises, NOISES, make_noise, numbers, sizeof *numbers);
    mixed_arrays();
    long_messages();
    threads_join(&noises);
    failures();
    for (int c = 0; c < COMMS; c++)
        TRY(MPI_Comm_free(&comms[c]));
    test_finish();
    return 0;
}
