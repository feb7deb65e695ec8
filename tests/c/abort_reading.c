/* MPI_Abort ends a rank in which another thread reads standard input and holds the stream's
 * lock: output printed before is flushed, and the end does not wait for input. */
/* ranks: 1 2 */
/* args: abort */
/* args: error */
/* timeout: 20 */
/* expect: exit=nonzero */
/* output: said before */
#include "harness.h"
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static void *reader(void *at)
{
    char line[8];
    return fgets(line, sizeof line, at);
}

int main(int argc, char **argv)
{
    int ends[2], value = 0;
    pthread_t thread;
    test_start(&argc, &argv);
    /* An input that never delivers anything, whatever the launcher's input is. */
    if (pipe(ends) != 0 || dup2(ends[0], 0) != 0)
        return 1;
    pthread_create(&thread, NULL, reader, stdin);
    usleep(100000);
    printf("said before\n");
    if (test_rank == 0 && strcmp(argv[1], "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 7);
    if (test_rank == 0)
        MPI_Send(&value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    test_await(0, 1);
    return 0;
}
