/* Thousands of long gets before a synchronisation: neither process keeps all of their data, however
 * fast the target is and slow the network. */
/* ranks: 2 3 */
/* timeout: 120 */
#include "harness.h"

#include <sys/resource.h>

enum { GETS = 2048, BYTES = 128 << 10, GROWTH_MAX_KB = 160 << 10 };

static char memory[BYTES], got[BYTES];

static long peak_kb(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    MPI_Win win;
    memset(memory, 'a' + test_rank, BYTES);
    TRY(MPI_Win_create(memory, BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    TRY(MPI_Win_fence(0, win));
    long before = peak_kb();
    for (int i = 0; test_rank == 1 && i < GETS; i++)
        TRY(MPI_Get(got, BYTES, MPI_BYTE, 0, 0, BYTES, MPI_BYTE, win));
    TRY(MPI_Win_fence(0, win));
    long growth = peak_kb() - before;
    CHECK(growth < GROWTH_MAX_KB, "%d MiB of gets took %ld KiB of memory", GETS / 8, growth);
    CHECK(test_rank != 1 || (got[0] == 'a' && got[BYTES - 1] == 'a'), "got %c and %c", got[0],
          got[BYTES - 1]);
    TRY(MPI_Win_free(&win));
    test_finish();
}
