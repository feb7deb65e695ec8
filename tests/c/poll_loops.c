/* Loops of each call that does not wait, for a message that only comes when a long one on another
 * communicator has moved: this process has to move that meanwhile. */
/* ranks: 2 3 */
/* timeout: 120 */
#include "threads.h"

enum { COMMS = 4, LONG_INTS = 300000, TAG_LONG = 1, TAG_SHORT = 2, KINDS = 10 };

static MPI_Comm comms[COMMS];
static int data[LONG_INTS];

/* Calls until a receive of one element, which `request` stands for, is complete, and completes
 * it. */
static void poll_request(int kind, MPI_Request *request)
{
    int flag = 0, which, some = 0;
    MPI_Status status;
    while (!flag)
        switch (kind) {
        case 0: TRY(MPI_Test(request, &flag, &status)); break;
        case 1: TRY(MPI_Testall(1, request, &flag, &status)); break;
        case 2: TRY(MPI_Testany(1, request, &which, &flag, &status)); break;
        case 3:
            TRY(MPI_Testsome(1, request, &some, &which, &status));
            flag = some == 1;
            break;
        case 4: TRY(MPI_Request_get_status(*request, &flag, &status)); break;
#if MPI_VERSION * 10 + MPI_SUBVERSION >= 41
        case 5: TRY(MPI_Request_get_status_all(1, request, &flag, &status)); break;
        case 6: TRY(MPI_Request_get_status_any(1, request, &which, &flag, &status)); break;
        case 7:
            TRY(MPI_Request_get_status_some(1, request, &some, &which, &status));
            flag = some == 1;
            break;
#endif
        default: flag = 1;
        }
    TRY(MPI_Wait(request, MPI_STATUS_IGNORE));
}

static void poll_message(int kind, MPI_Comm comm, int *element)
{
    int flag = 0;
    MPI_Message message;
    while (!flag) {
        if (kind == 8) TRY(MPI_Iprobe(1, TAG_SHORT, comm, &flag, MPI_STATUS_IGNORE));
        else TRY(MPI_Improbe(1, TAG_SHORT, comm, &flag, &message, MPI_STATUS_IGNORE));
    }
    if (kind == 8) TRY(MPI_Recv(element, 1, MPI_INT, 1, TAG_SHORT, comm, MPI_STATUS_IGNORE));
    else TRY(MPI_Mrecv(element, 1, MPI_INT, &message, MPI_STATUS_IGNORE));
}

static void poll_here(int kind, MPI_Comm moving, MPI_Comm polled, bool sends)
{
    int element = -1;
    MPI_Request moved, request;
    if (sends) TRY(MPI_Isend(data, LONG_INTS, MPI_INT, 1, TAG_LONG, moving, &moved));
    else TRY(MPI_Irecv(data, LONG_INTS, MPI_INT, 1, TAG_LONG, moving, &moved));
    if (kind >= 8) {
        poll_message(kind, polled, &element);
    } else {
        TRY(MPI_Irecv(&element, 1, MPI_INT, 1, TAG_SHORT, polled, &request));
        poll_request(kind, &request);
    }
    CHECK(element == kind, "call %d: the message says %d", kind, element);
    TRY(MPI_Wait(&moved, MPI_STATUS_IGNORE));
}

static void answer(int kind, MPI_Comm moving, MPI_Comm polled, bool receives)
{
    if (receives)
        TRY(MPI_Recv(data, LONG_INTS, MPI_INT, 0, TAG_LONG, moving, MPI_STATUS_IGNORE));
    else TRY(MPI_Ssend(data, LONG_INTS, MPI_INT, 0, TAG_LONG, moving));
    TRY(MPI_Send(&kind, 1, MPI_INT, 0, TAG_SHORT, polled));
}

int main(int argc, char **argv)
{
    threads_start(&argc, &argv);
    for (int c = 0; c < COMMS; c++) TRY(MPI_Comm_dup(MPI_COMM_WORLD, &comms[c]));
    for (int kind = 0; kind < KINDS; kind++)
        for (int way = 0; way < 2 * COMMS * COMMS; way++) {
            MPI_Comm moving = comms[way % COMMS], polled = comms[way / COMMS % COMMS];
            bool sends = way >= COMMS * COMMS;
            if (test_rank == 0) poll_here(kind, moving, polled, sends);
            if (test_rank == 1) answer(kind, moving, polled, sends);
        }
    for (int c = 0; c < COMMS; c++) TRY(MPI_Comm_free(&comms[c]));
    test_finish();
}
