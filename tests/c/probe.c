/* Probes report a message without receiving it; matching probes take it, so that no other
 * receive can match it. All sizes, wildcards, MPI_PROC_NULL. */
/* ranks: 2 3 */
#include "harness.h"

enum { BYTES_MAX = 400000, GO = 999 };

static const int sizes[] = {0, 1, 200, 5000, 66000, BYTES_MAX};
enum { SIZES = sizeof sizes / sizeof *sizes };
static unsigned char data[BYTES_MAX];

static void receive_probed(const MPI_Status *probed, int i, const char *what)
{
    MPI_Status status;
    test_status(probed, 1, i, sizes[i], what);
    memset(data, 0, sizeof data);
    TRY(MPI_Recv(data, sizes[i], MPI_BYTE, probed->MPI_SOURCE, probed->MPI_TAG, MPI_COMM_WORLD,
                 &status));
    test_status(&status, 1, i, sizes[i], what);
    CHECK_FILLED(data, sizes[i], (unsigned)i, what);
}

static void by_probe(int i)
{
    MPI_Status status;
    TRY(MPI_Probe(i % 2 ? 1 : MPI_ANY_SOURCE, i % 3 ? i : MPI_ANY_TAG, MPI_COMM_WORLD, &status));
    receive_probed(&status, i, "MPI_Probe");
}

static void by_iprobe(int i)
{
    MPI_Status status;
    int flag = 0;
    while (!flag)
        TRY(MPI_Iprobe(MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &flag, &status));
    TRY(MPI_Iprobe(1, i, MPI_COMM_WORLD, &flag, &status));
    CHECK(flag, "a second MPI_Iprobe does not see the message of the first");
    receive_probed(&status, i, "MPI_Iprobe");
    TRY(MPI_Iprobe(1, i, MPI_COMM_WORLD, &flag, &status));
    CHECK(!flag, "MPI_Iprobe sees a message that was received");
}

static void check_taken(MPI_Message message, int i)
{
    int flag = 1;
    CHECK(message != MPI_MESSAGE_NULL, "a matched probe gives MPI_MESSAGE_NULL");
    TRY(MPI_Iprobe(1, i, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    CHECK(!flag, "MPI_Iprobe sees a message that a matched probe has taken");
}

static void by_mprobe(int i)
{
    MPI_Message message;
    MPI_Status status;
    TRY(MPI_Mprobe(MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &message, &status));
    test_status(&status, 1, i, sizes[i], "MPI_Mprobe");
    check_taken(message, i);
    memset(data, 0, sizeof data);
    TRY(MPI_Mrecv(data, sizes[i], MPI_BYTE, &message, &status));
    CHECK(message == MPI_MESSAGE_NULL, "MPI_Mrecv leaves a message handle");
    test_status(&status, 1, i, sizes[i], "MPI_Mrecv");
    CHECK_FILLED(data, sizes[i], (unsigned)i, "MPI_Mrecv");
}

static void by_improbe(int i)
{
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Request request;
    MPI_Status status;
    int flag = 0;
    while (!flag)
        TRY(MPI_Improbe(1, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &status));
    test_status(&status, 1, i, sizes[i], "MPI_Improbe");
    check_taken(message, i);
    memset(data, 0, sizeof data);
    TRY(MPI_Imrecv(data, sizes[i], MPI_BYTE, &message, &request));
    CHECK(message == MPI_MESSAGE_NULL, "MPI_Imrecv leaves a message handle");
    TRY(MPI_Wait(&request, &status));
    test_status(&status, 1, i, sizes[i], "MPI_Imrecv");
    CHECK_FILLED(data, sizes[i], (unsigned)i, "MPI_Imrecv");
}

static void each_kind(void)
{
    void (*const kinds[])(int) = {by_probe, by_iprobe, by_mprobe, by_improbe};
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        for (int i = 0; i < SIZES; i++) {
            if (test_rank == 0) {
                test_signal(1, GO);
                kinds[kind](i);
            } else if (test_rank == 1) {
                test_await(0, GO);
                test_fill(data, (size_t)sizes[i], (unsigned)i);
                TRY(MPI_Send(data, sizes[i], MPI_BYTE, 0, i, MPI_COMM_WORLD));
            }
        }
    }
}

/* The probe takes the first of two messages; the receive then gets the second. */
static void a_taken_message_is_out_of_the_race(void)
{
    int values[2] = {1, 2}, first = 0, second = 0;
    MPI_Message message;
    if (test_rank == 1) {
        for (int i = 0; i < 2; i++)
            TRY(MPI_Send(&values[i], 1, MPI_INT, 0, 7, MPI_COMM_WORLD));
    } else if (test_rank == 0) {
        TRY(MPI_Mprobe(1, 7, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE));
        TRY(MPI_Recv(&second, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        TRY(MPI_Mrecv(&first, 1, MPI_INT, &message, MPI_STATUS_IGNORE));
        CHECK(first == 1 && second == 2, "the probe took %d and the receive %d", first, second);
    }
}

static void nobody_sends(void)
{
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Request request;
    MPI_Status status;
    int flag = 0;
    TRY(MPI_Probe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status));
    test_null_status(&status, "MPI_Probe of MPI_PROC_NULL");
    TRY(MPI_Iprobe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &flag, &status));
    CHECK(flag, "MPI_Iprobe of MPI_PROC_NULL gives no flag");
    test_null_status(&status, "MPI_Iprobe of MPI_PROC_NULL");
    for (int i = 0; i < 2; i++) {
        TRY(MPI_Mprobe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &message, &status));
        CHECK(message == MPI_MESSAGE_NO_PROC, "MPI_Mprobe of MPI_PROC_NULL gives another message");
        test_null_status(&status, "MPI_Mprobe of MPI_PROC_NULL");
        if (i == 0) {
            TRY(MPI_Mrecv(NULL, 0, MPI_BYTE, &message, &status));
        } else {
            TRY(MPI_Imrecv(NULL, 0, MPI_BYTE, &message, &request));
            TRY(MPI_Wait(&request, &status));
        }
        test_null_status(&status, "a receive of MPI_MESSAGE_NO_PROC");
        CHECK(message == MPI_MESSAGE_NULL, "a receive of MPI_MESSAGE_NO_PROC leaves the handle");
    }
    TRY(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    CHECK(!flag || test_rank == 0, "MPI_Iprobe sees a message that nobody sent");
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    test_need_ranks(2);
    if (test_rank != 1)
        nobody_sends();
    each_kind();
    a_taken_message_is_out_of_the_race();
    test_finish();
    return 0;
}
