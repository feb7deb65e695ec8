/* A handle that MPI does not read may be anything: the type of a buffer that is used at the root
 * alone, or in whose place MPI_IN_PLACE stands. */
/* ranks: 2 3 */
#include "harness.h"

enum { N = 8 };

/* No address of an object, and the number of no handle. */
static MPI_Datatype nonsense(void)
{
    return (MPI_Datatype)(intptr_t)0x7ffffff1;
}

static void at_the_root_alone(void)
{
    const MPI_Datatype mine = test_rank == 0 ? MPI_INT : nonsense();
    const int counts[N] = {1, 1, 1, 1, 1, 1, 1, 1}, places[N] = {0, 1, 2, 3, 4, 5, 6, 7};
    int all[N] = {0}, one = test_rank + 10;
    TRY(MPI_Gather(&one, 1, MPI_INT, all, 1, mine, 0, MPI_COMM_WORLD));
    if (test_rank == 0)
        CHECK(all[1] == 11, "gathered %d", all[1]);
    TRY(MPI_Scatter(all, 1, mine, &one, 1, MPI_INT, 0, MPI_COMM_WORLD));
    CHECK(one == test_rank + 10, "scattered %d", one);
    memset(all, 0, sizeof all);
    TRY(MPI_Gatherv(&one, 1, MPI_INT, all, counts, places, mine, 0, MPI_COMM_WORLD));
    TRY(MPI_Scatterv(all, counts, places, mine, &one, 1, MPI_INT, 0, MPI_COMM_WORLD));
    CHECK(one == test_rank + 10, "scattered %d in blocks", one);
}

static void in_place(void)
{
    int counts[N], places[N], numbers[N];
    MPI_Datatype ints[N], ignored[N];
    for (int i = 0; i < N; i++) {
        counts[i] = 1;
        places[i] = i * (int)sizeof(int);
        numbers[i] = 10 * test_rank + i;
        ints[i] = MPI_INT;
        ignored[i] = nonsense();
    }
    TRY(MPI_Alltoall(MPI_IN_PLACE, 1, nonsense(), numbers, 1, MPI_INT, MPI_COMM_WORLD));
    TRY(MPI_Alltoallw(MPI_IN_PLACE, counts, places, ignored, numbers, counts, places, ints,
                      MPI_COMM_WORLD));
    TRY(MPI_Allgather(MPI_IN_PLACE, 1, nonsense(), numbers, 1, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < test_size; i++)
        CHECK(numbers[i] == 11 * i, "number %d is %d", i, numbers[i]);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    at_the_root_alone();
    in_place();
    test_finish();
    return 0;
}
