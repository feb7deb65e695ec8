/* Data in several mappings with inaccessible memory between them, described by absolute
 * addresses: blocks that end with their page are packed, sent, broadcast and received correctly. */
/* ranks: 1 2 3 */
#define _GNU_SOURCE
#include "harness.h"
#include <sys/mman.h>

enum { BLOCKS = 4, SHORT = 40, LONG = 170000, MAPPED = 200704, GAP = 65536, RING = 5 };

static int lengths[BLOCKS] = {4, 5, 7, SHORT};
static char *ends[BLOCKS];

/* The end of a mapping that has inaccessible memory before and after it. */
static char *end_of_mapping(void)
{
    size_t all = GAP + MAPPED + GAP;
    char *start = mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(start != MAP_FAILED, "mmap fails");
    CHECK(mprotect(start + GAP, MAPPED, PROT_READ | PROT_WRITE) == 0, "mprotect fails");
    return start + GAP + MAPPED;
}

/* Block `b` ends with its mapping. */
static char *block(int b)
{
    return ends[b] - lengths[b];
}

static char value(int b, int i, int seed)
{
    return (char)(seed * 31 + b * 7 + i);
}

static void fill(int seed)
{
    for (int b = 0; b < BLOCKS; b++)
        for (int i = 0; i < lengths[b]; i++) block(b)[i] = value(b, i, seed);
}

static void check(int seed, const char *what)
{
    for (int b = 0; b < BLOCKS; b++)
        for (int i = 0; i < lengths[b]; i++)
            CHECK(block(b)[i] == value(b, i, seed), "%s: byte %d of block %d is %d, not %d", what,
                  i, b, block(b)[i], value(b, i, seed));
}

/* All blocks, the last `last` bytes long. */
static MPI_Datatype blocks(int last)
{
    MPI_Aint places[BLOCKS];
    MPI_Datatype type;
    lengths[BLOCKS - 1] = last;
    for (int b = 0; b < BLOCKS; b++) TRY(MPI_Get_address(block(b), &places[b]));
    TRY(MPI_Type_create_hindexed(BLOCKS, lengths, places, MPI_CHAR, &type));
    TRY(MPI_Type_commit(&type));
    return type;
}

static void pack(MPI_Datatype type)
{
    char packed[16 + SHORT + 64];
    int position = 0;
    fill(3);
    TRY(MPI_Pack(MPI_BOTTOM, 1, type, packed, sizeof packed, &position, MPI_COMM_SELF));
    CHECK(position == 16 + SHORT, "%d bytes are packed", position);
    fill(4);
    position = 0;
    TRY(MPI_Unpack(packed, sizeof packed, &position, MPI_BOTTOM, 1, type, MPI_COMM_SELF));
    check(3, "MPI_Unpack");
}

static void pack_external(MPI_Datatype type)
{
    char packed[16 + SHORT + 64];
    MPI_Aint position = 0;
    fill(5);
    TRY(MPI_Pack_external("external32", MPI_BOTTOM, 1, type, packed, sizeof packed, &position));
    CHECK(position == 16 + SHORT, "%ld bytes are packed", (long)position);
    fill(6);
    position = 0;
    TRY(MPI_Unpack_external("external32", packed, sizeof packed, &position, MPI_BOTTOM, 1, type));
    check(5, "MPI_Unpack_external");
}

static void send_round(MPI_Datatype type)
{
    int next = (test_rank + 1) % test_size, before = (test_rank + test_size - 1) % test_size;
    static char bytes[16 + LONG];
    int size;
    TRY(MPI_Type_size(type, &size));
    fill(test_rank);
    MPI_Request request;
    TRY(MPI_Irecv(bytes, size, MPI_CHAR, before, RING, MPI_COMM_WORLD, &request));
    TRY(MPI_Send(MPI_BOTTOM, 1, type, next, RING, MPI_COMM_WORLD));
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    TRY(MPI_Isend(bytes, size, MPI_CHAR, next, RING, MPI_COMM_WORLD, &request));
    int before_that = (test_rank + 2 * test_size - 2) % test_size;
    TRY(MPI_Recv(MPI_BOTTOM, 1, type, before, RING, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    check(before_that, "MPI_Recv");
}

static void broadcast(MPI_Datatype type)
{
    for (int root = 0; root < test_size; root++) {
        fill(test_rank == root ? 50 + root : 9);
        TRY(MPI_Bcast(MPI_BOTTOM, 1, type, root, MPI_COMM_WORLD));
        check(50 + root, "MPI_Bcast");
    }
}

/* Every rank's blocks are sent to the last rank and back, each time through contiguous memory. */
static void gather_and_scatter(MPI_Datatype type)
{
    int size, root = test_size - 1;
    TRY(MPI_Type_size(type, &size));
    char *all = malloc((size_t)size * (size_t)test_size);
    fill(20 + test_rank);
    TRY(MPI_Gather(MPI_BOTTOM, 1, type, all, size, MPI_CHAR, root, MPI_COMM_WORLD));
    fill(9);
    TRY(MPI_Scatter(all, size, MPI_CHAR, MPI_BOTTOM, 1, type, root, MPI_COMM_WORLD));
    check(20 + test_rank, "MPI_Gather and MPI_Scatter");
    MPI_Request request;
    TRY(MPI_Iallgather(MPI_BOTTOM, 1, type, all, size, MPI_CHAR, MPI_COMM_WORLD, &request));
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (int rank = 0; rank < test_size; rank++) {
        int position = 0;
        char *part = all + (size_t)rank * (size_t)size;
        fill(9);
        TRY(MPI_Unpack(part, size, &position, MPI_BOTTOM, 1, type, MPI_COMM_SELF));
        check(20 + rank, "MPI_Iallgather");
    }
    free(all);
}

/* Each rank receives its blocks from the previous rank. */
static void shift(MPI_Datatype type)
{
    int counts[64], back[64], zeros[64] = {0}, size;
    MPI_Datatype types[64], chars[64];
    TRY(MPI_Type_size(type, &size));
    char *bytes = malloc((size_t)size);
    for (int rank = 0; rank < test_size; rank++) {
        counts[rank] = rank == (test_rank + 1) % test_size;
        back[rank] = rank == (test_rank + test_size - 1) % test_size ? size : 0;
        types[rank] = type;
        chars[rank] = MPI_CHAR;
    }
    fill(30 + test_rank);
    TRY(MPI_Alltoallw(MPI_BOTTOM, counts, zeros, types, bytes, back, zeros, chars,
                      MPI_COMM_WORLD));
    int position = 0, before = (test_rank + test_size - 1) % test_size;
    TRY(MPI_Unpack(bytes, size, &position, MPI_BOTTOM, 1, type, MPI_COMM_SELF));
    check(30 + before, "MPI_Alltoallw");
    free(bytes);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    for (int b = 0; b < BLOCKS; b++) ends[b] = end_of_mapping();
    MPI_Datatype type = blocks(SHORT);
    pack(type);
    pack_external(type);
    for (int last = SHORT; last <= LONG; last += LONG - SHORT) {
        TRY(MPI_Type_free(&type));
        type = blocks(last);
        send_round(type);
        broadcast(type);
        gather_and_scatter(type);
        shift(type);
    }
    TRY(MPI_Type_free(&type));
    test_finish();
    return 0;
}
