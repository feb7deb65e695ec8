/* Memory of MPI_Alloc_mem and other memory, as buffers of messages and collectives, of all sizes;
 * it comes back when it is freed. */
/* ranks: 2 3 */
#include "harness.h"

enum { BYTES_MAX = 1 << 20, INTS_MAX = BYTES_MAX / 4, TAG = 3, RANKS_MAX = 3, ROUNDS = 8 };

static const int sizes[] = {0, 100, 10000, 16384, 40000, 70000, 262144, BYTES_MAX - 8};
enum { SIZES = sizeof sizes / sizeof *sizes };
static MPI_Comm world;

static unsigned char *allocated(size_t bytes)
{
    void *memory = NULL;
    TRY(MPI_Alloc_mem((MPI_Aint)bytes, MPI_INFO_NULL, &memory));
    CHECK(memory, "MPI_Alloc_mem gives no memory");
    return memory;
}

/* To the next rank, at once and one after another. */
static void messages(unsigned char *out, unsigned char *in, int bytes)
{
    int next = (test_rank + 1) % test_size, prev = (test_rank + test_size - 1) % test_size;
    test_fill(out, (size_t)bytes, (unsigned)test_rank);
    memset(in, 0, (size_t)bytes);
    TRY(MPI_Sendrecv(out, bytes, MPI_BYTE, next, TAG, in, bytes, MPI_BYTE, prev, TAG, world,
                     MPI_STATUS_IGNORE));
    CHECK_FILLED(in, bytes, (unsigned)prev, "MPI_Sendrecv");
    memset(in, 0, (size_t)bytes);
    MPI_Request request;
    TRY(MPI_Irecv(in, bytes, MPI_BYTE, prev, TAG, world, &request));
    if (test_rank == 0)
        TRY(MPI_Send(out, bytes, MPI_BYTE, next, TAG, world));
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    if (test_rank != 0)
        TRY(MPI_Ssend(out, bytes, MPI_BYTE, next, TAG, world));
    CHECK_FILLED(in, bytes, (unsigned)prev, "MPI_Irecv");
}

/* Every second int of the sender's memory. */
static void with_gaps(unsigned char *out, unsigned char *in, int bytes)
{
    int count = bytes / 8;
    int *from = (int *)out, *to = (int *)in;
    MPI_Datatype gaps;
    TRY(MPI_Type_vector(count, 1, 2, MPI_INT, &gaps));
    TRY(MPI_Type_commit(&gaps));
    for (int i = 0; i < 2 * count; i++)
        from[i] = i;
    memset(in, 0, (size_t)bytes);
    int peer = test_rank ^ 1;
    if (peer < test_size)
        TRY(MPI_Sendrecv(from, 1, gaps, peer, TAG, to, count, MPI_INT, peer, TAG, world,
                         MPI_STATUS_IGNORE));
    for (int i = 0; i < count && peer < test_size; i++)
        CHECK(to[i] == 2 * i, "int %d is %d", i, to[i]);
    TRY(MPI_Type_free(&gaps));
}

static void add(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *len; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void collectives(unsigned char *out, unsigned char *in, int bytes, MPI_Op own_sum)
{
    int *from = (int *)out, *to = (int *)in, count = bytes / 4;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < count; i++)
            from[i] = i + test_rank;
        memset(in, 0, (size_t)bytes);
        TRY(MPI_Allreduce(from, to, count, MPI_INT, round ? own_sum : MPI_SUM, world));
        int sum = test_size * (test_size - 1) / 2;
        for (int i = 0; i < count; i++)
            CHECK(to[i] == test_size * i + sum, "sum %d is %d", i, to[i]);
    }
    int block = bytes / test_size;
    test_fill(out, (size_t)block, (unsigned)test_rank);
    TRY(MPI_Allgather(out, block, MPI_BYTE, in, block, MPI_BYTE, world));
    for (int r = 0; r < test_size; r++)
        CHECK_FILLED(in + r * block, block, (unsigned)r, "MPI_Allgather");
    TRY(MPI_Bcast(in, block, MPI_BYTE, 0, world));
    CHECK_FILLED(in, block, 0, "MPI_Bcast");
    TRY(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_BYTE, in, block, MPI_BYTE, world));
    for (int r = 0; r < test_size; r++)
        CHECK_FILLED(in + r * block, block, (unsigned)test_rank, "MPI_Alltoall");
}

static void freed_and_again(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        unsigned char *some[SIZES];
        for (int s = 0; s < SIZES; s++) {
            some[s] = allocated((size_t)sizes[s]);
            memset(some[s], s + 1, (size_t)sizes[s]);
        }
        for (int s = 0; s < SIZES; s++) {
            for (int at = 0; at < sizes[s]; at++)
                CHECK(some[s][at] == s + 1, "byte %d of piece %d is %d", at, s, some[s][at]);
            TRY(MPI_Free_mem(some[s]));
        }
    }
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    world = MPI_COMM_WORLD;
    MPI_Op own_sum;
    TRY(MPI_Op_create(add, 1, &own_sum));
    unsigned char *shared[] = {allocated(BYTES_MAX), allocated(BYTES_MAX)};
    unsigned char *own[] = {malloc(BYTES_MAX), malloc(BYTES_MAX)};
    CHECK(own[0] && own[1], "no memory");
    for (int s = 0; s < SIZES; s++)
        for (int kind = 0; kind < 4; kind++) {
            unsigned char *out = kind & 1 ? own[0] : shared[0];
            unsigned char *in = kind & 2 ? own[1] : shared[1];
            messages(out, in, sizes[s]);
            messages(out + 8, in, sizes[s]);
            with_gaps(out, in, sizes[s]);
            collectives(out, in, sizes[s], own_sum);
        }
    freed_and_again();
    TRY(MPI_Free_mem(shared[0]));
    TRY(MPI_Free_mem(shared[1]));
    free(own[0]);
    free(own[1]);
    TRY(MPI_Op_free(&own_sum));
    test_finish();
    return 0;
}
