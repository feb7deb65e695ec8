/* Accumulates of data that the kernel does not read for other processes (memfd_secret), where the
 * system has such memory: the target cannot fetch it, and the origin does all itself. */
/* ranks: 2 3 */
/* timeout: 120 */
#define _GNU_SOURCE
#include "window_kinds.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ELEMENTS = 8192, TIMES = 200, SECRET = 447 };

static double *secret_memory(void)
{
    size_t bytes = ELEMENTS * sizeof(double);
    int fd = (int)syscall(SECRET, 0);
    void *memory = MAP_FAILED;
    if (fd >= 0 && ftruncate(fd, (off_t)bytes) == 0)
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return memory == MAP_FAILED ? test_alloc(bytes) : memory;
}

static void run(enum window_kind kind, const double *ones)
{
    struct window w;
    window_make(&w, kind, ELEMENTS, sizeof *ones);
    if (w.rank > 0)
        for (int i = 0; i < TIMES; i++) {
            TRY(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w.win));
            TRY(MPI_Accumulate(ones, ELEMENTS, MPI_DOUBLE, 0, window_place(&w, 0, 0), ELEMENTS,
                               MPI_DOUBLE, MPI_SUM, w.win));
            TRY(MPI_Win_unlock(0, w.win));
        }
    TRY(MPI_Barrier(w.comm));
    TRY(MPI_Win_lock(MPI_LOCK_SHARED, w.rank, 0, w.win));
    double expected = w.rank > 0 ? 0 : TIMES * (w.size - 1);
    for (int i = 0; i < ELEMENTS; i++)
        CHECK(((double *)w.memory)[i] == expected, "%s: element %d is %g, not %g",
              window_kind_names[kind], i, ((double *)w.memory)[i], expected);
    TRY(MPI_Win_unlock(w.rank, w.win));
    window_free(&w);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    double *ones = secret_memory();
    for (int i = 0; i < ELEMENTS; i++) ones[i] = 1;
    run(WINDOW_CREATED, ones);
    run(WINDOW_DYNAMIC, ones);
    test_finish();
}
