/* What a send has promised leaves although its sender calls MPI no more: in every round rank 0
 * sends, then computes until the receivers have everything, or for so many seconds as are given.
 * Ranks tell by a file that all of them map what they have, since a message would be a call.
 *
 *     departures FILE KIND ROUNDS SECONDS
 *
 * Prints in how many rounds a receiver waited for the sender's next call. */
#include <fcntl.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SENDER = 0, TAG = 1, BUFFER_BYTES = 8 << 20 };

/* Rounds that all receivers have got, or the receivers that have got their first message. */
static atomic_int *arrived;
static char *buffer;

struct kind {
    const char *name;
    int messages, bytes;
    int (*send)(const void *, int, int);
    int is_late; /* the receivers begin when the sender computes */
};

static int send_plainly(const void *data, int bytes, int to)
{
    return MPI_Send(data, bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD);
}

static int send_buffered(const void *data, int bytes, int to)
{
    return MPI_Bsend(data, bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD);
}

static int send_freed(const void *data, int bytes, int to)
{
    MPI_Request request;
    MPI_Isend(data, bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &request);
    return MPI_Request_free(&request);
}

/* The last rank alone is waited for: it has the message from others, or from the root. */
static int broadcast(const void *data, int bytes, int to)
{
    (void)to;
    return MPI_Bcast((void *)data, bytes, MPI_BYTE, SENDER, MPI_COMM_WORLD);
}

static const struct kind kinds[] = {
    {"300x1000", 300, 1000, send_plainly, 0},
    {"10x20000", 10, 20000, send_plainly, 0},
    {"50x60000", 50, 60000, send_plainly, 0},
    {"late-50x20000", 50, 20000, send_plainly, 1},
    {"bcast-300x8", 300, 8, broadcast, 0},
    {"bsend-1x1000000", 1, 1000000, send_buffered, 1},
    {"freed-1x1000000", 1, 1000000, send_freed, 1},
    {"first-1x8", 1, 8, send_plainly, 0},
    {"first-1x20000", 1, 20000, send_plainly, 0},
};

static const struct kind *kind_of(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    fprintf(stderr, "departures: there is no kind `%s`\n", name);
    exit(2);
}

/* Computes until so many have arrived. False if they do not while it computes. */
static int compute_until(int expected, double seconds)
{
    double end = MPI_Wtime() + seconds;
    while (atomic_load(arrived) < expected)
        if (MPI_Wtime() > end)
            return 0;
    return 1;
}

static void receive(const struct kind *kind)
{
    for (int i = 0; i < kind->messages; i++) {
        if (kind->send == broadcast)
            broadcast(buffer, kind->bytes, 0);
        else
            MPI_Recv(buffer, kind->bytes, MPI_BYTE, SENDER, TAG, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
    atomic_fetch_add(arrived, 1);
}

static void burst(const struct kind *kind, int to)
{
    for (int i = 0; i < kind->messages; i++)
        kind->send(buffer, kind->bytes, to);
}

/* Every round with all receivers, who are ready before it begins. */
static int rounds_with_all(const struct kind *kind, int rank, int size, int rounds, double seconds)
{
    int waited = 0;
    for (int round = 0; round < rounds; round++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == SENDER) {
            for (int to = 1; to < size && (to == 1 || kind->send != broadcast); to++)
                burst(kind, to);
            waited += !compute_until((round + 1) * (size - 1), seconds);
        } else {
            if (kind->is_late)
                usleep(20000);
            receive(kind);
        }
    }
    return waited;
}

/* Every receiver hears of the sender once. */
static int rounds_of_first(const struct kind *kind, int rank, int size, double seconds)
{
    int waited = 0;
    if (rank != SENDER) {
        receive(kind);
        return 0;
    }
    for (int to = 1; to < size; to++) {
        burst(kind, to);
        waited += !compute_until(to, seconds);
    }
    return waited;
}

int main(int argc, char **argv)
{
    int rank, size;
    if (argc != 5) {
        fprintf(stderr, "usage: departures FILE KIND ROUNDS SECONDS\n");
        return 2;
    }
    const struct kind *kind = kind_of(argv[2]);
    int file = open(argv[1], O_RDWR | O_CREAT, 0600), rounds = atoi(argv[3]);
    if (file < 0 || ftruncate(file, sizeof *arrived) != 0)
        return 2;
    arrived = mmap(NULL, sizeof *arrived, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    buffer = calloc(1, BUFFER_BYTES);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    void *attached = malloc(BUFFER_BYTES);
    MPI_Buffer_attach(attached, BUFFER_BYTES);
    int is_first = strncmp(kind->name, "first", 5) == 0, waited;
    if (is_first)
        waited = rounds_of_first(kind, rank, size, atof(argv[4]));
    else
        waited = rounds_with_all(kind, rank, size, rounds, atof(argv[4]));
    MPI_Finalize();
    if (rank == SENDER)
        printf("%s: waited in %d of %d\n", kind->name, waited, is_first ? size - 1 : rounds);
    return 0;
}
