/* A collective that has failed is over: nothing reads or writes the buffers of the program any
 * more, which unmaps them at once. Where a rank is told that all went well, its data is there. */
/* ranks: 1 2 3 4 */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "coll.h"

enum { RANKS_MAX = 8, ROUNDS = 12 };

static int counts[RANKS_MAX], fewer[RANKS_MAX], displs[RANKS_MAX];

static int *map(size_t ints)
{
    void *memory = mmap(NULL, ints * sizeof(int), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED, "mmap of %zu ints failed", ints);
    return memory;
}

/* Blocks of `length` ints; what rank 1 gives rank 0 is one shorter. The last rank comes late. */
static void round_of(MPI_Comm comm, int length, int round, int is_blocking)
{
    size_t all = (size_t)length * test_size;
    int *out = map(all), *in = map(all), code;
    for (int rank = 0; rank < test_size; rank++) {
        counts[rank] = fewer[rank] = length;
        displs[rank] = rank * length;
        coll_fill(out + displs[rank], length, test_rank, round + rank);
    }
    fewer[0] -= test_rank == 1;
    if (test_rank == test_size - 1 && round % 2)
        test_sleep_ms(3);
    if (is_blocking)
        code = MPI_Alltoallv(out, fewer, displs, MPI_INT, in, counts, displs, MPI_INT, comm);
    else {
        MPI_Request request;
        code = MPI_Ialltoallv(out, fewer, displs, MPI_INT, in, counts, displs, MPI_INT, comm,
                              &request);
        if (code == MPI_SUCCESS)
            code = MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    int class = test_class(code);
    CHECK(class == MPI_SUCCESS || class == MPI_ERR_TRUNCATE || class == MPI_ERR_OTHER,
          "blocks of %d ints: %s", length, test_error_text(code));
    CHECK(class != MPI_SUCCESS || test_rank || test_size == 1, "rank 0 misses an int unnoticed");
    for (int rank = 0; class == MPI_SUCCESS && rank < test_size; rank++)
        coll_check(in + displs[rank], length, rank, round + test_rank, "beside a rank that fails");
    munmap(out, all * sizeof(int));
    munmap(in, all * sizeof(int));
}

/* Starts of which rank 1 gives its right neighbour too little: at a rank that is told that all went
 * well is the data of this start, not of one before. */
static void persistent(int length)
{
    int dims[1] = {test_size}, periods[1] = {1}, left, right;
    int given[2] = {length, length - (test_rank == 1)};
    MPI_Comm ring;
    MPI_Request request;
    for (int side = 0; side < 2; side++) {
        counts[side] = length;
        displs[side] = side * length;
    }
    TRY(MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring));
    TRY(MPI_Cart_shift(ring, 0, 1, &left, &right));
    TRY(MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN));
    int *out = coll_alloc(2 * length), *in = coll_alloc(2 * length);
    TRY(MPI_Neighbor_alltoallv_init(out, given, displs, MPI_INT, in, counts, displs, MPI_INT, ring,
                                    MPI_INFO_NULL, &request));
    for (int round = 0; round < ROUNDS; round++) {
        coll_fill(out, length, test_rank, 2 * round);
        coll_fill(out + length, length, test_rank, 2 * round + 1);
        coll_clear(in, 2 * length);
        if (round % (test_size + 1) == test_rank)
            test_sleep_ms(2);
        int code = MPI_Start(&request);
        if (code == MPI_SUCCESS)
            code = MPI_Wait(&request, MPI_STATUS_IGNORE);
        CHECK(code != MPI_SUCCESS || left != 1 || test_size == 1, "an int is missed unnoticed");
        if (code == MPI_SUCCESS) {
            coll_check(in, length, left, 2 * round + 1, "from the left in this start");
            coll_check(in + length, length, right, 2 * round, "from the right in this start");
        }
    }
    TRY(MPI_Request_free(&request));
    TRY(MPI_Comm_disconnect(&ring));
    free(out);
    free(in);
}

/* Rank 1 has room for more than it gets, or gives less than the root expects, and others send
 * long blocks: nobody waits for a rank that has left. */
static void irregular(MPI_Comm comm, int length)
{
    int *all = coll_alloc((size_t)length * test_size), *own = coll_alloc(2 * length);
    for (int rank = 0; rank < test_size; rank++) {
        counts[rank] = length;
        displs[rank] = rank * length;
    }
    coll_clear(all, (size_t)length * test_size);
    coll_clear(own, 2 * length);
    for (int round = 0; round < 4; round++) {
        MPI_Scatterv(all, counts, displs, MPI_INT, own, length * (test_rank == 1 ? 2 : 1), MPI_INT,
                     0, comm);
        MPI_Gatherv(own, test_rank == 1 ? 1 : length, MPI_INT, all, counts, displs, MPI_INT, 0,
                    comm);
    }
    free(all);
    free(own);
}

int main(int argc, char **argv)
{
    static const int lengths[] = {2, 700, 9000, 60000};
    MPI_Comm comm;
    test_start(&argc, &argv);
    TRY(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    TRY(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    for (int round = 0; round < ROUNDS; round++)
        for (int length = 0; length < 4; length++)
            for (int is_blocking = 0; is_blocking < 2; is_blocking++)
                round_of(comm, lengths[length], round, is_blocking);
    for (int length = 0; length < 4; length++) {
        persistent(lengths[length]);
        irregular(comm, lengths[length]);
    }
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    TRY(MPI_Comm_disconnect(&comm));
    test_finish();
}
