// Fails unless it runs as two ranks that add up.
#include <mpi.h>
#include <vector>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = 0, sum = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<int> mine{rank + 1};
    MPI_Allreduce(mine.data(), &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum == 1 + 2 ? 0 : 1;
}
