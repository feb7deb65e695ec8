/* A rank is killed while others copy from or to its memory: what the job says is the signal, not
 * that the memory cannot be reached any more. */
/* ranks: 2 3 4 */
/* args: get */
/* args: put */
/* args: collective */
/* expect: exit=nonzero */
/* output: (?i)signal:? 9|: Killed */
#include "harness.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BYTES = 1 << 20, SHORT = 8, COPIES_BEFORE_DEATH = 20, LATE_US = 200000 };

/* Dunlin's launcher, if it is one, sees the end late: the others find it first. */
static void die(void)
{
    pid_t launcher = getppid();
    if (getenv("DUNLIN_JOB_RANK")) {
        if (fork() == 0) {
            usleep(LATE_US);
            kill(launcher, SIGCONT);
            _exit(0);
        }
        kill(launcher, SIGSTOP);
    }
    raise(SIGKILL);
}

/* Gets from or puts to the last rank's memory: so few bytes that a message asks it for them while
 * it polls, which the flush takes back when it does no more. */
static void use_window(char *memory, char *copy, bool puts)
{
    MPI_Win win;
    int last = test_size - 1;
    TRY(MPI_Win_create(memory, BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    TRY(MPI_Win_lock_all(0, win));
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    if (test_rank == last) {
        double end = MPI_Wtime() + 0.02;
        for (int flag; MPI_Wtime() < end;)
            TRY(MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
        die();
    }
    for (;;) {
        if (puts)
            TRY(MPI_Put(copy, SHORT, MPI_BYTE, last, 0, SHORT, MPI_BYTE, win));
        else
            TRY(MPI_Get(copy, SHORT, MPI_BYTE, last, 0, SHORT, MPI_BYTE, win));
        TRY(MPI_Win_flush(last, win));
    }
}

/* Everyone copies from everyone. */
static void exchange(char *memory, char *copies)
{
    for (int i = 0;; i++) {
        if (test_rank == test_size - 1 && i == COPIES_BEFORE_DEATH)
            die();
        TRY(MPI_Allgather(memory, BYTES, MPI_BYTE, copies, BYTES, MPI_BYTE, MPI_COMM_WORLD));
    }
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    CHECK(argc == 2, "the argument is get, put or collective");
    char *memory = calloc(1, BYTES), *copies = malloc((size_t)BYTES * (size_t)test_size);
    CHECK(memory && copies, "no memory");
    if (strcmp(argv[1], "collective") == 0)
        exchange(memory, copies);
    else
        use_window(memory, copies, strcmp(argv[1], "put") == 0);
}
