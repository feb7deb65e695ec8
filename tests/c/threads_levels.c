/* Communicators whose members have begun MPI at different thread levels: rank 0 has no threads. */
/* ranks: 2 3 4 */
#include "threads.h"

enum { COMMS = 4, ROUNDS = 50 };

struct worker {
    MPI_Comm comm;
};

static void *ring(void *argument)
{
    struct worker *w = argument;
    int rank, size;
    TRY(MPI_Comm_rank(w->comm, &rank));
    TRY(MPI_Comm_size(w->comm, &size));
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (int round = 0; round < ROUNDS; round++) {
        int in = -1, out = rank + round;
        TRY(MPI_Sendrecv(&out, 1, MPI_INT, right, 0, &in, 1, MPI_INT, left, 0, w->comm,
                         MPI_STATUS_IGNORE));
        CHECK(in == left + round, "round %d: got %d, not %d", round, in, left + round);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided = -1;
    const char *number = getenv("PMI_RANK") ? getenv("PMI_RANK") : getenv("DUNLIN_JOB_RANK");
    bool is_first = number != NULL && atoi(number) == 0;
    TRY(MPI_Init_thread(&argc, &argv, is_first ? MPI_THREAD_SERIALIZED : MPI_THREAD_MULTIPLE,
                        &provided));
    test_know_ranks();
    struct worker all[COMMS], others[COMMS];
    for (int i = 0; i < COMMS; i++) {
        TRY(MPI_Comm_dup(MPI_COMM_WORLD, &all[i].comm));
        TRY(MPI_Comm_split(MPI_COMM_WORLD, test_rank > 0, test_rank, &others[i].comm));
    }
    if (provided == MPI_THREAD_MULTIPLE) {
        threads_run(COMMS, ring, all, sizeof *all);
        threads_run(COMMS, ring, others, sizeof *others);
    } else {
        for (int i = 0; i < COMMS; i++)
            ring(&all[i]);
        for (int i = 0; i < COMMS; i++)
            ring(&others[i]);
    }
    for (int i = 0; i < COMMS; i++) {
        TRY(MPI_Comm_free(&all[i].comm));
        TRY(MPI_Comm_free(&others[i].comm));
    }
    test_finish();
    return 0;
}
