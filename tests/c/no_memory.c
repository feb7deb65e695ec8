/* A call that needs more memory than there is fails with MPI_ERR_NO_MEM, through the error
 * handler, and MPI goes on working. */
/* ranks: 2 */
#include "harness.h"
#include <sys/resource.h>
#include <unistd.h>

enum { TAG = 4, LEFT = 32 << 20 };
#define BYTES ((size_t)192 << 20)

static unsigned char *data, *more;
static MPI_Comm world;
static MPI_Datatype spaced;
static int count;

/* Limits the process to `LEFT` bytes more than it uses now. */
static void limit(bool on)
{
    static struct rlimit before;
    struct rlimit now;
    long pages = 0;
    if (!on) {
        CHECK(setrlimit(RLIMIT_AS, &before) == 0, "setrlimit fails");
        return;
    }
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file && fscanf(file, "%ld", &pages) == 1, "/proc/self/statm cannot be read");
    fclose(file);
    CHECK(getrlimit(RLIMIT_AS, &before) == 0, "getrlimit fails");
    now = before;
    now.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + LEFT;
    CHECK(setrlimit(RLIMIT_AS, &now) == 0, "setrlimit fails");
}

#define REFUSED(call)                                                                             \
    do {                                                                                          \
        limit(true);                                                                              \
        int test_code = (call);                                                                   \
        limit(false);                                                                             \
        CHECK(test_class(test_code) == MPI_ERR_NO_MEM, "%s gives class %d (%s)", #call,           \
              test_class(test_code), test_error_text(test_code));                                 \
        CHECK(strstr(test_error_text(test_code), "bytes"), "%s: %s", #call,                       \
              test_error_text(test_code));                                                        \
    } while (0)

static void copies_of_messages(void)
{
    MPI_Request request;
    MPI_Status status;
    void *detached;
    int size, n = (int)BYTES, peer = test_rank ^ 1;
    REFUSED(MPI_Sendrecv_replace(data, n, MPI_BYTE, peer, TAG, peer, TAG, world, &status));
    REFUSED(MPI_Isendrecv_replace(data, n, MPI_BYTE, peer, TAG, peer, TAG, world, &request));
    TRY(MPI_Buffer_attach(more, n));
    REFUSED(MPI_Bsend(data, n - MPI_BSEND_OVERHEAD, MPI_BYTE, peer, TAG, world));
    REFUSED(MPI_Ibsend(data, n - MPI_BSEND_OVERHEAD, MPI_BYTE, peer, TAG, world, &request));
    TRY(MPI_Buffer_detach(&detached, &size));
    /* To itself, without a receive. */
    REFUSED(MPI_Send(data, n, MPI_BYTE, 0, TAG, MPI_COMM_SELF));
}

/* All ranks fail before they start. */
static void collectives(void)
{
    MPI_Request request;
    MPI_Datatype types[8];
    int counts[8] = {0}, places[8] = {0};
    for (int i = 0; i < 8; i++)
        types[i] = spaced;
    counts[test_rank] = count;
    REFUSED(MPI_Bcast(data, count, spaced, 0, world));
    limit(true);
    TRY(MPI_Ibcast(data, count, spaced, 0, world, &request));
    int code = MPI_Wait(&request, MPI_STATUS_IGNORE);
    limit(false);
    CHECK(test_class(code) == MPI_ERR_NO_MEM, "MPI_Ibcast: MPI_Wait gives %s",
          test_error_text(code));
    REFUSED(MPI_Alltoallw(MPI_IN_PLACE, counts, places, types, data, counts, places, types, world));
    REFUSED(MPI_Alloc_mem((MPI_Aint)BYTES, MPI_INFO_NULL, &request));
}

static void lists(void)
{
    MPI_Datatype made;
    MPI_Request request;
    MPI_Comm graph;
    int flag, index, n = (int)(BYTES / sizeof(int)), *numbers = (int *)(void *)data;
    memset(data, 0, BYTES);
    REFUSED(MPI_Type_indexed(n, numbers, numbers, MPI_INT, &made));
    REFUSED(MPI_Type_create_indexed_block(n, 1, numbers, MPI_INT, &made));
    REFUSED(MPI_Psend_init(data, 1 << 30, 0, MPI_INT, test_rank ^ 1, TAG, world, MPI_INFO_NULL,
                           &request));
    REFUSED(MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, n, numbers, MPI_UNWEIGHTED, n, numbers,
                                           MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph));
    n = (int)(BYTES / sizeof(MPI_Request));
    MPI_Request *requests = (MPI_Request *)(void *)data;
    for (int i = 0; i < n; i++)
        requests[i] = MPI_REQUEST_NULL;
    REFUSED(MPI_Testany(n, requests, &index, &flag, MPI_STATUS_IGNORE));
}

static void all_works(void)
{
    int one = 1, sum = 0;
    TRY(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, world));
    CHECK(sum == test_size, "the sum is %d", sum);
    test_fill(data, 1 << 20, (unsigned)test_rank);
    TRY(MPI_Sendrecv_replace(data, 1 << 20, MPI_BYTE, test_rank ^ 1, TAG, test_rank ^ 1, TAG, world,
                             MPI_STATUS_IGNORE));
    CHECK_FILLED(data, 1 << 20, (unsigned)test_rank ^ 1, "an exchange after all that");
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    test_need_ranks(2);
    world = MPI_COMM_WORLD;
    TRY(MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN));
    TRY(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    data = test_alloc(BYTES);
    more = test_alloc(BYTES);
    /* Every second byte: half of the bytes. */
    count = (int)(BYTES / 2);
    TRY(MPI_Type_create_resized(MPI_BYTE, 0, 2, &spaced));
    TRY(MPI_Type_commit(&spaced));
    all_works();
    copies_of_messages();
    collectives();
    lists();
    all_works();
    TRY(MPI_Type_free(&spaced));
    test_finish();
    return 0;
}
