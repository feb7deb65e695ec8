/* A tool in LD_PRELOAD intercepts the calls of the program, and no calls within the library. */
/* ranks: 2 3 */
/* preload: pmpi_tool */
#include "harness.h"
#include <dlfcn.h>

enum { MESSAGES = 25 };

static int *counter(const char *name)
{
    int *found = dlsym(RTLD_DEFAULT, name);
    CHECK(found, "the tool is not loaded: no symbol %s", name);
    return found;
}

int main(int argc, char **argv)
{
    int *sends = counter("pmpi_tool_sends"), *finalizes = counter("pmpi_tool_finalizes");
    int value = 0, sum = 0;
    test_start(&argc, &argv);
    for (int i = 0; i < MESSAGES; i++) {
        if (test_rank == 0)
            TRY(MPI_Send(&i, 1, MPI_INT, 1, 1, MPI_COMM_WORLD));
        if (test_rank == 1)
            TRY(MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    int expected = test_rank == 0 ? MESSAGES : 0;
    CHECK(*sends == expected, "the tool saw %d sends; must be %d", *sends, expected);
    TRY(MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD));
    TRY(MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    CHECK(*sends == expected, "the tool saw %d sends of the library's own", *sends - expected);
    if (test_rank == 0)
        TRY(PMPI_Send(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD));
    if (test_rank == 1)
        TRY(PMPI_Recv(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(*sends == expected, "the tool saw a call of PMPI_Send");
    TRY(MPI_Finalize());
    CHECK(*finalizes == 1, "the tool saw %d calls of MPI_Finalize", *finalizes);
    test_say_ok(__FILE__);
    return 0;
}
