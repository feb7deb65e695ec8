/* A receiver that runs out of memory for unexpected messages cannot go on: the job ends with a
 * sentence that names the rank, its call and the bytes. */
/* ranks: 2 */
/* expect: nonzero */
/* output: dunlin: rank 1: MPI_Probe: out of memory: the system refused \d+ bytes */
#include "harness.h"
#include <sys/resource.h>
#include <unistd.h>

enum { TAG = 4, LEFT = 8 << 20, BYTES = 4000 };

static void limit(void)
{
    struct rlimit now;
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file && fscanf(file, "%ld", &pages) == 1, "/proc/self/statm cannot be read");
    fclose(file);
    CHECK(getrlimit(RLIMIT_AS, &now) == 0, "getrlimit fails");
    now.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + LEFT;
    CHECK(setrlimit(RLIMIT_AS, &now) == 0, "setrlimit fails");
}

int main(int argc, char **argv)
{
    static char data[BYTES];
    test_start(&argc, &argv);
    test_need_ranks(2);
    if (test_rank == 1) {
        limit();
        TRY(MPI_Probe(0, TAG + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    } else {
        for (int i = 0; i < 100000; i++)
            TRY(MPI_Send(data, BYTES, MPI_BYTE, 1, TAG, MPI_COMM_WORLD));
    }
    test_finish();
    return 0;
}
