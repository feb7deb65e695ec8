/* After messages of all sizes in both directions, rank 1's connections end, as something between
 * the hosts may end them: between two packets, by a farewell of TCP (`shut`) or by a reset
 * (`reset`). Nothing is under way; rank 0 waits for a message that rank 1 never sends.
 *
 *     severed shut|reset */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TAG = 1, BYTES_MAX = 300000, DESCRIPTORS = 1024, SECONDS = 60 };

static char data[BYTES_MAX];

static void exchange(int rank)
{
    for (int bytes = 1; bytes <= BYTES_MAX; bytes *= 5)
        MPI_Sendrecv_replace(data, bytes, MPI_BYTE, 1 - rank, TAG, 1 - rank, TAG, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
}

/* Ends all connections of this process with others; their number. */
static int sever(const char *how)
{
    struct linger at_once = {1, 0};
    int severed = 0;
    for (int fd = 3; fd < DESCRIPTORS; fd++) {
        struct sockaddr_storage peer;
        socklen_t length = sizeof peer;
        int type = 0;
        socklen_t type_length = sizeof type;
        if (getpeername(fd, (struct sockaddr *)&peer, &length) != 0 || peer.ss_family == AF_UNIX)
            continue;
        if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &type_length) != 0 || type != SOCK_STREAM)
            continue;
        severed++;
        if (strcmp(how, "shut") == 0) {
            shutdown(fd, SHUT_RDWR);
        } else {
            setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
            close(fd);
        }
    }
    return severed;
}

int main(int argc, char **argv)
{
    int rank, word;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    exchange(rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        usleep(200000);
        printf("severed %d\n", sever(argv[1]));
        fflush(stdout);
        sleep(SECONDS);
    } else {
        MPI_Recv(&word, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
