/* Calls the collective operations that files of rules are for, with vectors of 4 B to 1 MiB, or up
 * to as many bytes as the first argument says, and checks the results. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH_MAX = 1 << 18, STEP = 4 };

static int rank, ranks;

static int differs(const int *vector, int length, int expected)
{
    for (int i = 0; i < length; i++)
        if (vector[i] != expected)
            return 1;
    return 0;
}

static int blocks_differ(const int *vector, int length)
{
    for (int block = 0; block < ranks; block++)
        if (differs(vector + block * length, length, block + 1))
            return 1;
    return 0;
}

/* What the operation before has left there would pass for a result of the next. */
static int *cleared(int *to, int length)
{
    return memset(to, 0, sizeof(int) * (size_t)length * (size_t)ranks);
}

static int check(int length, int *from, int *to, int *lengths, int *places)
{
    int sum = ranks * (ranks + 1) / 2, wrong = 0;
    for (int i = 0; i < ranks * length; i++)
        from[i] = rank + 1;
    for (int i = 0; i < ranks; i++)
        lengths[i] = length, places[i] = i * length;
    MPI_Allreduce(from, cleared(to, length), length, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    wrong |= differs(to, length, sum);
    MPI_Reduce(from, cleared(to, length), length, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    wrong |= rank == 0 && differs(to, length, sum);
    MPI_Reduce_scatter(from, cleared(to, length), lengths, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    wrong |= differs(to, length, sum);
    MPI_Allgather(from, length, MPI_INT, cleared(to, length), length, MPI_INT, MPI_COMM_WORLD);
    wrong |= blocks_differ(to, length);
    MPI_Allgatherv(from, length, MPI_INT, cleared(to, length), lengths, places, MPI_INT,
                   MPI_COMM_WORLD);
    wrong |= blocks_differ(to, length);
    MPI_Alltoall(from, length, MPI_INT, cleared(to, length), length, MPI_INT, MPI_COMM_WORLD);
    wrong |= blocks_differ(to, length);
    MPI_Gather(from, length, MPI_INT, cleared(to, length), length, MPI_INT, 0, MPI_COMM_WORLD);
    wrong |= rank == 0 && blocks_differ(to, length);
    MPI_Scatter(from, length, MPI_INT, cleared(to, length), length, MPI_INT, 0, MPI_COMM_WORLD);
    wrong |= differs(to, length, 1);
    MPI_Bcast(rank == 0 ? from : cleared(to, length), length, MPI_INT, 0, MPI_COMM_WORLD);
    wrong |= rank != 0 && differs(to, length, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    return wrong;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    size_t bytes = sizeof(int) * LENGTH_MAX * (size_t)ranks;
    int *from = malloc(bytes), *to = malloc(bytes);
    size_t counts = sizeof(int) * (size_t)ranks;
    int *lengths = malloc(counts), *places = malloc(counts);
    int longest = argc > 1 ? atoi(argv[1]) / (int)sizeof(int) : LENGTH_MAX, wrong = 0;
    for (int length = 1; length <= longest && length <= LENGTH_MAX; length *= STEP)
        wrong |= check(length, from, to, lengths, places);
    if (wrong)
        printf("rank %d has wrong results\n", rank);
    else if (rank == 0)
        printf("rank 0 has right results\n");
    free(from);
    free(to);
    free(lengths);
    free(places);
    MPI_Finalize();
    return wrong;
}
