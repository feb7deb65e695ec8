/* Attributes of the job: the number of this process's program in the launcher's command line,
 * and whether all processes share a clock. */
/* ranks: 1 2 3 */
#include "harness.h"
#include <stdlib.h>

static int attribute(int key)
{
    int *value, found;
    TRY(MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &found));
    CHECK(found, "attribute %d is not there", key);
    return *value;
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    const char *told = getenv("DUNLIN_JOB_APPNUM");
    int number = told ? atoi(told) : 0, here = 0;
    CHECK(attribute(MPI_APPNUM) == number, "MPI_APPNUM is %d, not %d", attribute(MPI_APPNUM),
          number);
    MPI_Comm node;
    TRY(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    TRY(MPI_Comm_size(node, &here));
    CHECK(attribute(MPI_WTIME_IS_GLOBAL) == (here == test_size), "MPI_WTIME_IS_GLOBAL is %d",
          attribute(MPI_WTIME_IS_GLOBAL));
    TRY(MPI_Comm_free(&node));
    test_finish();
    return 0;
}
