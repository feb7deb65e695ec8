/* A message of any rank and the end of a nonblocking barrier have both come before the program asks
 * for either: it hears of the barrier first, so that it does not take a message that was sent after
 * the barrier for one of before; and of the message as soon as it knows of the barrier. Dunlin does
 * so; MPI does not ask for it. */
/* ranks: 2 */
#include "harness.h"

enum { ROUNDS = 6, TAG_GO = 1, TAG = 2 };

static void ask(MPI_Comm comm, bool by_matching)
{
    int flag = 0, got = -1, go = 0;
    MPI_Request barrier;
    MPI_Status status;
    MPI_Message message;
    TRY(MPI_Ibarrier(comm, &barrier));
    TRY(MPI_Send(&go, 1, MPI_INT, 1, TAG_GO, comm));
    while (!flag) TRY(MPI_Iprobe(1, TAG, comm, &flag, MPI_STATUS_IGNORE));
    if (by_matching) TRY(MPI_Improbe(MPI_ANY_SOURCE, TAG, comm, &flag, &message, &status));
    else TRY(MPI_Iprobe(MPI_ANY_SOURCE, TAG, comm, &flag, &status));
    CHECK(!flag, "a message of after the barrier was shown before its end");
    TRY(MPI_Test(&barrier, &flag, MPI_STATUS_IGNORE));
    CHECK(flag, "the barrier is not over, although a message of after it is there");
    TRY(MPI_Iprobe(MPI_ANY_SOURCE, TAG, comm, &flag, &status));
    CHECK(flag && status.MPI_SOURCE == 1, "the message is not shown after the barrier's end");
    TRY(MPI_Recv(&got, 1, MPI_INT, 1, TAG, comm, MPI_STATUS_IGNORE));
    CHECK(got == 7, "the message says %d", got);
}

static void answer(MPI_Comm comm)
{
    int go = -1, seven = 7;
    MPI_Request barrier;
    TRY(MPI_Recv(&go, 1, MPI_INT, 0, TAG_GO, comm, MPI_STATUS_IGNORE));
    TRY(MPI_Ibarrier(comm, &barrier));
    TRY(MPI_Wait(&barrier, MPI_STATUS_IGNORE));
    TRY(MPI_Send(&seven, 1, MPI_INT, 0, TAG, comm));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    MPI_Comm comm;
    TRY(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    /* The first barriers of a communicator go by messages, the others by shared memory. */
    for (int round = 0; round < ROUNDS; round++) {
        if (test_rank == 0) ask(comm, round % 2);
        else answer(comm);
    }
    TRY(MPI_Comm_free(&comm));
    test_finish();
}
