/* When a flush or an unlock returns, the data is in the target's memory. The window is a file that
 * both processes map, so the origin looks there without MPI; on another machine, where it finds no
 * such file, it cannot. After MPI_Win_flush_local, or when MPI_Rput has completed, the origin's
 * buffer may change. */
/* ranks: 2 3 */
#include "harness.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BYTES_MAX = 300000, TIMES = 20, NAME_BYTES = 64 };

static const int SIZES[] = {8, 1000, 5000, 20000, 70000, BYTES_MAX};

static char *own, *seen, sent[BYTES_MAX];
static MPI_Win win;

/* Maps the file of this name; null if there is none. */
static char *map(const char *name, int flags)
{
    int fd = open(name, O_RDWR | flags, 0600);
    if (fd < 0) return NULL;
    if (flags) CHECK(ftruncate(fd, BYTES_MAX) == 0, "%s cannot have %d bytes", name, BYTES_MAX);
    char *start = mmap(NULL, BYTES_MAX, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    CHECK(start != MAP_FAILED, "%s cannot be mapped", name);
    close(fd);
    return start;
}

/* One put, completed in one of several ways, after which the origin's buffer is changed at once. */
static void put(int how, int bytes, char value)
{
    MPI_Request request;
    memset(sent, value, (size_t)bytes);
    if (how == 0) TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win));
    if (how > 0) TRY(MPI_Win_lock_all(0, win));
    if (how == 4) TRY(MPI_Rput(sent, bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, win, &request));
    if (how == 4) TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    if (how < 4) TRY(MPI_Put(sent, bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, win));
    if (how == 0) TRY(MPI_Win_unlock(1, win));
    if (how == 1) TRY(MPI_Win_flush(1, win));
    if (how == 2) TRY(MPI_Win_flush_all(win));
    if (how == 3) TRY(MPI_Win_flush_local(1, win));
    if (how >= 3) memset(sent, '!', (size_t)bytes);
    if (how >= 3) TRY(MPI_Win_flush(1, win));
    for (int i = 0; seen && i < bytes; i++)
        CHECK(seen[i] == value, "byte %d of %d is %d, not %d, after a put completed in way %d", i,
              bytes, seen[i], value, how);
    if (how > 0) TRY(MPI_Win_unlock_all(win));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    char name[NAME_BYTES];
    snprintf(name, sizeof name, "/tmp/window-%ld-%d", (long)getpid(), test_rank);
    own = map(name, O_CREAT | O_EXCL);
    CHECK(own, "%s cannot be made", name);
    char others[NAME_BYTES];
    memcpy(others, name, sizeof name);
    TRY(MPI_Bcast(others, NAME_BYTES, MPI_CHAR, 1, MPI_COMM_WORLD));
    if (test_rank == 0) seen = map(others, 0);
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    unlink(name);
    TRY(MPI_Win_create(own, BYTES_MAX, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    for (int how = 0; test_rank == 0 && how < 5; how++)
        for (size_t s = 0; s < sizeof SIZES / sizeof *SIZES; s++)
            for (int i = 0; i < TIMES; i++) put(how, SIZES[s], (char)('a' + i));
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    CHECK(test_rank != 1 || own[BYTES_MAX - 1] == 'a' + TIMES - 1, "the last put left %d",
          own[BYTES_MAX - 1]);
    TRY(MPI_Win_free(&win));
    test_finish();
}
