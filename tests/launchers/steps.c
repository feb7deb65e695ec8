/* A program that test_steps.py starts in many ways: as a rank, by a rank, and after one.
 *
 *   steps ring NAME BASE [HOW]   the ranks pass numbers from BASE on around, and NAME is said
 *        HOW: noinit, nofinalize, die, truncate, until FILE (MPI ends once there is that file)
 *   steps idle                   MPI begins and ends
 *   steps both                   forks, and both processes begin MPI; one stays till the other ends
 *   steps start WHEN COMMAND     a ring, and before, within or after MPI COMMAND by system()
 *   steps fork WHAT              each rank forks a process that does WHAT, then a ring
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank, size;

static void ring(int base)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size, right = (rank + 1) % size, sum = 0;
    for (int round = 0; round < 50; round++) {
        int mine = base + 1000 * round + rank, got = -1;
        MPI_Sendrecv(&mine, 1, MPI_INT, right, 0, &got, 1, MPI_INT, left, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        if (got != base + 1000 * round + left) {
            printf("WRONG: rank %d got %d\n", rank, got);
            fflush(stdout);
            MPI_Abort(MPI_COMM_WORLD, 9);
        }
    }
    MPI_Allreduce(&base, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (sum != size * base)
        printf("WRONG: the sum is %d\n", sum);
}

static int run_ring(int argc, char **argv)
{
    const char *how = argc > 4 ? argv[4] : "";
    if (strcmp(how, "noinit") == 0)
        return 0;
    MPI_Init(&argc, &argv);
    ring(atoi(argv[3]));
    if (strcmp(how, "until") == 0)
        while (access(argv[5], F_OK) != 0)
            usleep(1000);
    if (strcmp(how, "nofinalize") == 0)
        _exit(0);
    if (strcmp(how, "die") == 0)
        raise(SIGKILL);
    if (strcmp(how, "truncate") == 0) {
        int failed = ftruncate(atoi(getenv("DUNLIN_JOB_FD")), 0);
        printf("truncated: %d\n", failed);
    }
    MPI_Finalize();
    printf("ok %s %d\n", argv[2], rank);
    return 0;
}

static int run_start(char **argv)
{
    int status = 0;
    const char *when = argv[2], *command = argv[3];
    if (strcmp(when, "before") == 0)
        status = system(command);
    MPI_Init(NULL, NULL);
    ring(1);
    if (strcmp(when, "within") == 0)
        status = system(command);
    ring(2);
    MPI_Finalize();
    if (strcmp(when, "after") == 0)
        status = system(command);
    printf("parent %d: %d\n", rank, WEXITSTATUS(status));
    return 0;
}

static void child(const char *what)
{
    int value = 777, error = 0, initialized = 0, finalized = 0;
    alarm(10); /* ends it should it wait for ever */
    if (strcmp(what, "send") == 0) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Send(&value, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
    } else if (strcmp(what, "return") == 0) {
        error = MPI_Send(&value, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
        MPI_Error_class(error, &error);
        _exit(error == MPI_ERR_OTHER ? 0 : 1);
    } else if (strcmp(what, "barrier") == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    else if (strcmp(what, "finalize") == 0)
        error = MPI_Finalize();
    else if (strcmp(what, "init") == 0)
        MPI_Init(NULL, NULL);
    else if (strcmp(what, "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 7);
    else if (strcmp(what, "exit") == 0)
        exit(0);
    else if (strcmp(what, "kill") == 0)
        raise(SIGKILL);
    else if (strcmp(what, "ask") == 0) {
        MPI_Comm_rank(MPI_COMM_WORLD, &value);
        MPI_Initialized(&initialized);
        MPI_Finalized(&finalized);
        error = value != rank || !initialized || !finalized;
    } else if (strcmp(what, "daemon") == 0) {
        setsid();
        if (fork() > 0)
            _exit(0);
        close(1), close(2);
        alarm(3);
        pause();
    }
    _exit(error);
}

static int run_fork(char **argv)
{
    int status = 0;
    const char *what = argv[2];
    MPI_Init(NULL, NULL);
    if (strcmp(what, "return") == 0)
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    ring(1);
    pid_t pid = fork();
    if (pid == 0)
        child(what);
    waitpid(pid, &status, 0);
    ring(2);
    MPI_Finalize();
    printf("parent %d: %d\n", rank, WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
    return 0;
}

static int run_idle(void)
{
    MPI_Init(NULL, NULL);
    MPI_Finalize();
    return 0;
}

/* The process that begins MPI first ends it after the other has ended: one that begins late would
 * else be a step of its own. */
static int run_both(void)
{
    int ends[2];
    char byte;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return 1;
    pid_t pid = fork();
    close(ends[pid > 0]);
    MPI_Init(NULL, NULL);
    ring(1);
    while (read(ends[pid == 0], &byte, 1) < 0)
        ;
    MPI_Finalize();
    if (pid > 0)
        wait(NULL);
    return 0;
}

int main(int argc, char **argv)
{
    if (strcmp(argv[1], "ring") == 0)
        return run_ring(argc, argv);
    if (strcmp(argv[1], "start") == 0)
        return run_start(argv);
    if (strcmp(argv[1], "fork") == 0)
        return run_fork(argv);
    return strcmp(argv[1], "both") == 0 ? run_both() : run_idle();
}
