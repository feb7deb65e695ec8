/* Rank 0 exchanges a message with every other rank: a process with as many peers as there are. */
#include <mpi.h>
#include <stdio.h>
#include <sys/resource.h>

int main(int argc, char **argv)
{
    int rank, size, bad = 0;
    struct rlimit fds;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (int i = 1; i < size; i++) {
            int got;
            MPI_Status status;
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            bad += got != status.MPI_SOURCE;
        }
        for (int i = 1; i < size; i++)
            MPI_Send(&i, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
        getrlimit(RLIMIT_NOFILE, &fds);
        printf("%d peers, %d wrong, %ld of %ld descriptors allowed\n", size - 1, bad,
               (long)fds.rlim_cur, (long)fds.rlim_max);
    } else {
        int got = -1;
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (got != rank)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
