/* A rank that waits for others by operations on its own memory alone makes progress in them: the
 * others may need its help, here since it has attached many pieces to its dynamic window. */
/* ranks: 1 2 3 4 */
#include "harness.h"

enum { PIECES = 200 };

enum way { LOCKS, LOCKS_WITHOUT_CHECK, FLUSHES, LOCAL_FLUSHES, LOCKS_OF_ALL, REQUESTS, WAYS };

static MPI_Win win;
static int counters[WAYS], pieces[2 * PIECES];
static MPI_Aint counters_of_0;

static MPI_Aint place(enum way way)
{
    return counters_of_0 + way * (MPI_Aint)sizeof(int);
}

static int read_with_request(void)
{
    int seen = -1;
    MPI_Request request;
    TRY(MPI_Rget_accumulate(NULL, 0, MPI_INT, &seen, 1, MPI_INT, 0, place(REQUESTS), 1, MPI_INT,
                            MPI_NO_OP, win, &request));
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    return seen;
}

static int read_own(enum way way)
{
    int seen = -1, assertion = way == LOCKS_WITHOUT_CHECK ? MPI_MODE_NOCHECK : 0;
    if (way == LOCKS || way == LOCKS_WITHOUT_CHECK)
        TRY(MPI_Win_lock(MPI_LOCK_SHARED, 0, assertion, win));
    if (way == LOCKS_OF_ALL)
        TRY(MPI_Win_lock_all(0, win));
    TRY(MPI_Get_accumulate(NULL, 0, MPI_INT, &seen, 1, MPI_INT, 0, place(way), 1, MPI_INT,
                           MPI_NO_OP, win));
    if (way == FLUSHES)
        TRY(MPI_Win_flush(0, win));
    if (way == LOCAL_FLUSHES)
        TRY(MPI_Win_flush_local(0, win));
    if (way == LOCKS || way == LOCKS_WITHOUT_CHECK)
        TRY(MPI_Win_unlock(0, win));
    if (way == LOCKS_OF_ALL)
        TRY(MPI_Win_unlock_all(win));
    return seen;
}

static void wait_for_others(enum way way)
{
    bool is_one_epoch = way == FLUSHES || way == LOCAL_FLUSHES || way == REQUESTS;
    if (is_one_epoch)
        TRY(MPI_Win_lock_all(0, win));
    while ((way == REQUESTS ? read_with_request() : read_own(way)) < test_size - 1) {
    }
    if (is_one_epoch)
        TRY(MPI_Win_unlock_all(win));
}

static void count(enum way way)
{
    int one = 1;
    TRY(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    TRY(MPI_Accumulate(&one, 1, MPI_INT, 0, place(way), 1, MPI_INT, MPI_SUM, win));
    TRY(MPI_Win_unlock(0, win));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    TRY(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    for (int i = 0; i < PIECES; i++)
        TRY(MPI_Win_attach(win, &pieces[2 * i], sizeof *pieces));
    TRY(MPI_Win_attach(win, counters, sizeof counters));
    TRY(MPI_Get_address(counters, &counters_of_0));
    TRY(MPI_Bcast(&counters_of_0, 1, MPI_AINT, 0, MPI_COMM_WORLD));
    for (enum way way = 0; way < WAYS; way++) {
        if (test_rank == 0)
            wait_for_others(way);
        else
            count(way);
    }
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    TRY(MPI_Win_free(&win));
    test_finish();
}
