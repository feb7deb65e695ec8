/* Ranks 0 and 1 exchange messages that come at once, until rank 2 says that something has moved in
 * which rank 0 must take part: it must go on beside these messages (MPI 5.0 section 2.9). */
/* ranks: 3 4 */
#include "harness.h"

enum { STOP = 1, TOLD = 2, LATER = 3, LONG = 1 << 20 };

static char block[LONG];

static void tell(void)
{
    TRY(MPI_Send(NULL, 0, MPI_BYTE, 1, TOLD, MPI_COMM_WORLD));
}

/* What ranks 0 and 1 do until rank 2 has told rank 1. */
static void exchange(bool at_once)
{
    int stop = 0;
    while (!stop) {
        if (test_rank == 1) {
            TRY(MPI_Recv(NULL, 0, MPI_BYTE, 0, STOP, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            TRY(MPI_Iprobe(2, TOLD, MPI_COMM_WORLD, &stop, MPI_STATUS_IGNORE));
            if (stop)
                TRY(MPI_Recv(NULL, 0, MPI_BYTE, 2, TOLD, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            TRY(MPI_Send(&stop, 1, MPI_INT, 0, STOP, MPI_COMM_WORLD));
        } else if (at_once) {
            TRY(MPI_Send(NULL, 0, MPI_BYTE, 1, STOP, MPI_COMM_WORLD));
            TRY(MPI_Recv(&stop, 1, MPI_INT, 1, STOP, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        } else {
            MPI_Request request;
            TRY(MPI_Irecv(&stop, 1, MPI_INT, 1, STOP, MPI_COMM_WORLD, &request));
            TRY(MPI_Send(NULL, 0, MPI_BYTE, 1, STOP, MPI_COMM_WORLD));
            TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
        }
    }
}

static void posted_receive(bool at_once)
{
    int got = 0, sent = 7;
    MPI_Request request;
    if (test_rank == 0)
        TRY(MPI_Irecv(&got, 1, MPI_INT, 2, LATER, MPI_COMM_WORLD, &request));
    if (test_rank < 2)
        exchange(at_once);
    if (test_rank == 0) {
        TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK(got == sent, "received %d", got);
    }
    if (test_rank == 2) {
        TRY(MPI_Ssend(&sent, 1, MPI_INT, 0, LATER, MPI_COMM_WORLD));
        tell();
    }
}

static void long_send(bool at_once)
{
    MPI_Request request;
    if (test_rank == 0)
        TRY(MPI_Isend(block, LONG, MPI_BYTE, 2, LATER, MPI_COMM_WORLD, &request));
    if (test_rank < 2)
        exchange(at_once);
    if (test_rank == 0)
        TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    if (test_rank == 2) {
        TRY(MPI_Recv(block, LONG, MPI_BYTE, 0, LATER, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        tell();
    }
}

static void collective(bool at_once, MPI_Comm comm)
{
    int one = 1, sum = 0;
    MPI_Request request;
    TRY(MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm, &request));
    if (test_rank < 2)
        exchange(at_once);
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(sum == test_size, "the sum is %d", sum);
    if (test_rank == 2)
        tell();
}

static void window(bool at_once)
{
    int own = 0, put = 5;
    MPI_Win win;
    TRY(MPI_Win_create(&own, sizeof own, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    if (test_rank < 2)
        exchange(at_once);
    if (test_rank == 2) {
        TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
        TRY(MPI_Put(&put, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
        TRY(MPI_Win_unlock(0, win));
        tell();
    }
    TRY(MPI_Win_free(&win));
    CHECK(own == (test_rank == 0 ? put : 0), "the window holds %d", own);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    test_start(&argc, &argv);
    TRY(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    for (int i = 0; i < 40; i++) {
        bool at_once = i % 2 == 0;
        posted_receive(at_once);
        long_send(at_once);
        collective(at_once, comm);
        window(at_once);
    }
    TRY(MPI_Comm_free(&comm));
    test_finish();
    return 0;
}
