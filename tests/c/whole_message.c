/* The message of a fatal error leaves the rank in one write: other ranks write to the same
 * stream, and the rank may be killed at any moment, but neither splits the message. */
/* ranks: 1 3 */
/* expect: exit=nonzero */
/* output: whole: .*MPI_Send */
#include "harness.h"
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Reads from a pipe that preserves write boundaries, and reports whether the first write was a
 * whole line. */
static int listen_to(int from, pid_t rank)
{
    char said[4096];
    int status;
    ssize_t count = read(from, said, sizeof said - 1);
    if (count > 0) {
        said[count] = '\0';
        printf("%s: %s", said[count - 1] == '\n' ? "whole" : "cut", said);
    }
    waitpid(rank, &status, 0);
    return 1;
}

int main(int argc, char **argv)
{
    int ends[2], value = 0;
    pid_t rank;
    if (pipe2(ends, O_DIRECT) != 0)
        return 1;
    rank = fork();
    if (rank != 0) {
        close(ends[1]);
        return listen_to(ends[0], rank);
    }
    test_start(&argc, &argv);
    dup2(ends[1], 2);
    MPI_Send(&value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    return 0;
}
