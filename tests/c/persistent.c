/* Persistent requests of every send mode: started many times, one by one and together; inactive
 * in between; freed at the end. */
/* ranks: 2 */
#include "harness.h"

enum { ROUNDS = 50, KINDS = 4, GO = 50 };

static const int sizes[KINDS] = {10, 5000, 70000, 300000};
static unsigned char *data[KINDS];

static void check_inactive(MPI_Request *request, const char *what)
{
    MPI_Status status;
    int flag = 0;
    CHECK(*request != MPI_REQUEST_NULL, "%s: a persistent request is null once complete", what);
    TRY(MPI_Test(request, &flag, &status));
    CHECK(flag, "%s: testing an inactive request gives no flag", what);
    test_empty_status(&status, what);
    TRY(MPI_Wait(request, &status));
    test_empty_status(&status, what);
}

static void make_sends(MPI_Request *r)
{
    MPI_Comm world = MPI_COMM_WORLD;
    TRY(MPI_Send_init(data[0], sizes[0], MPI_BYTE, 1, 0, world, &r[0]));
    TRY(MPI_Bsend_init(data[1], sizes[1], MPI_BYTE, 1, 1, world, &r[1]));
    TRY(MPI_Ssend_init(data[2], sizes[2], MPI_BYTE, 1, 2, world, &r[2]));
    TRY(MPI_Rsend_init(data[3], sizes[3], MPI_BYTE, 1, 3, world, &r[3]));
}

static void sender(void)
{
    MPI_Request requests[KINDS];
    int need = sizes[1] + MPI_BSEND_OVERHEAD, size;
    void *buffer = test_alloc((size_t)need), *detached;
    TRY(MPI_Buffer_attach(buffer, need));
    make_sends(requests);
    for (int k = 0; k < KINDS; k++)
        check_inactive(&requests[k], "never started send");
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned k = 0; k < KINDS; k++)
            test_fill(data[k], (size_t)sizes[k], round * KINDS + k);
        test_await(1, GO);
        if (round % 2) {
            TRY(MPI_Startall(KINDS, requests));
        } else {
            for (int k = 0; k < KINDS; k++)
                TRY(MPI_Start(&requests[k]));
        }
        TRY(MPI_Waitall(KINDS, requests, MPI_STATUSES_IGNORE));
        TRY(MPI_Buffer_flush());
        check_inactive(&requests[round % KINDS], "completed send");
    }
    for (int k = 0; k < KINDS; k++)
        TRY(MPI_Request_free(&requests[k]));
    TRY(MPI_Buffer_detach(&detached, &size));
    free(buffer);
}

static void receiver(void)
{
    MPI_Request requests[KINDS];
    MPI_Status statuses[KINDS];
    for (int k = 0; k < KINDS; k++)
        TRY(MPI_Recv_init(data[k], sizes[k], MPI_BYTE, k % 2 ? MPI_ANY_SOURCE : 0, k,
                          MPI_COMM_WORLD, &requests[k]));
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < KINDS; k++)
            memset(data[k], 0, (size_t)sizes[k]);
        TRY(MPI_Startall(KINDS, requests));
        test_signal(0, GO);
        TRY(MPI_Waitall(KINDS, requests, statuses));
        for (int k = 0; k < KINDS; k++) {
            test_status(&statuses[k], 0, k, sizes[k], "persistent receive");
            CHECK_FILLED(data[k], sizes[k], round * KINDS + (unsigned)k, "persistent receive");
        }
        check_inactive(&requests[round % KINDS], "completed receive");
    }
    for (int k = 0; k < KINDS; k++) {
        TRY(MPI_Request_free(&requests[k]));
        CHECK(requests[k] == MPI_REQUEST_NULL, "MPI_Request_free leaves a handle");
    }
}

/* Of three messages to one persistent receive the second is too long; a send to a rank that does
 * not exist is refused when it is described, one that is active when it is started again. */
static void errors(void)
{
    enum { TAG = 60, MESSAGES = 3, BAD = 1 };
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Request request;
    int out[2] = {7, 8}, in = 0;
    TRY(MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN));
    EXPECT_ERROR(MPI_ERR_RANK, MPI_Send_init(out, 1, MPI_INT, 2, TAG, world, &request));
    if (test_rank == 0) {
        for (int i = 0; i < MESSAGES; i++) {
            test_await(1, GO);
            TRY(MPI_Send(out, i == BAD ? 2 : 1, MPI_INT, 1, TAG, world));
        }
        return;
    }
    TRY(MPI_Recv_init(&in, 1, MPI_INT, 0, TAG, world, &request));
    for (int i = 0; i < MESSAGES; i++) {
        MPI_Request kept = request;
        TRY(MPI_Start(&request));
        EXPECT_ERROR(MPI_ERR_REQUEST, MPI_Start(&request));
        test_signal(0, GO);
        if (i == BAD)
            EXPECT_ERROR(MPI_ERR_TRUNCATE, MPI_Wait(&request, MPI_STATUS_IGNORE));
        else
            TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK(request == kept && in == 7, "message %d: %d has come; 7 was sent", i, in);
        in = 0;
    }
    TRY(MPI_Request_free(&request));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    test_need_ranks(2);
    for (int k = 0; k < KINDS; k++)
        data[k] = test_alloc((size_t)sizes[k]);
    if (test_rank == 0)
        sender();
    else
        receiver();
    errors();
    test_finish();
    return 0;
}
