/* Passive progress: rank 1 works on the window of rank 0, which waits in MPI_Barrier first and then
 * computes for a second without a call. Where the target must take part, the second run takes as
 * long as the target computes. Milliseconds for all operations, and what one takes on average. */
#include "bench_placement.h"
#include <mpi.h>

enum { OPERATIONS = 10000, COMPUTE_MS = 1000 };

enum work { LOCK_PUT_UNLOCK, FETCH_AND_OP, LOCK_ALL_PUT_FLUSH, WORKS };

static const char *const NAMES[WORKS] = {"lock-put-unlock", "fetch_and_op", "put-flush"};

static void operate(enum work work, int operations, MPI_Win win)
{
    long one = 1, old;
    if (work != LOCK_PUT_UNLOCK) MPI_Win_lock_all(0, win);
    for (int i = 0; i < operations; i++) {
        switch (work) {
        case LOCK_PUT_UNLOCK:
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
            MPI_Put(&one, 1, MPI_LONG, 0, 1, 1, MPI_LONG, win);
            MPI_Win_unlock(0, win);
            break;
        case FETCH_AND_OP:
            MPI_Fetch_and_op(&one, &old, MPI_LONG, 0, 0, MPI_SUM, win);
            MPI_Win_flush(0, win);
            break;
        default:
            MPI_Put(&one, 1, MPI_LONG, 0, 1, 1, MPI_LONG, win);
            MPI_Win_flush(0, win);
        }
    }
    if (work != LOCK_PUT_UNLOCK) MPI_Win_unlock_all(win);
}

static void compute(void)
{
    for (uint64_t end = bench_now_ns() + (uint64_t)COMPUTE_MS * 1000000; bench_now_ns() < end;) {}
}

/* Milliseconds, where they were measured. */
static double run(enum work work, int operations, bool computes, int rank, MPI_Win win)
{
    MPI_Barrier(MPI_COMM_WORLD);
    uint64_t began_ns = bench_now_ns();
    if (rank == 1) operate(work, operations, win);
    double ms = (double)(bench_now_ns() - began_ns) / 1e6;
    if (rank == 0 && computes) compute();
    MPI_Barrier(MPI_COMM_WORLD);
    return ms;
}

int main(int argc, char **argv)
{
    int rank, size, operations = argc > 1 ? atoi(argv[1]) : OPERATIONS;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2) {
        fprintf(stderr, "busy_target: it needs 2 ranks, best on two hosts\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    bench_pin(rank);
    long *memory;
    MPI_Win win;
    MPI_Win_allocate(2 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &win);
    memory[0] = memory[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) printf("%-16s %14s %14s %8s %12s\n", "operations", "in barrier, ms",
                          "computing, ms", "ratio", "us each");
    for (enum work work = 0; work < WORKS; work++) {
        run(work, operations / 10, false, rank, win);
        double waits = run(work, operations, false, rank, win);
        double computes = run(work, operations, true, rank, win);
        if (rank == 1)
            printf("%-16s %14.1f %14.1f %8.2f %12.2f\n", NAMES[work], waits, computes,
                   computes / waits, 1000 * computes / operations);
    }
    fflush(stdout);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
