/* Persistent collectives that are freed while they are active, just before MPI_Finalize: they still
 * complete, although the ranks that begin late read the others' memory. MPI 5.0 section 3.9. */
/* ranks: 2 3 4 */
#include "harness.h"

enum { BYTES = 4 << 20, BLOCK = 1 << 20 };

static unsigned char data[BYTES], block[BLOCK], blocks[4 * BLOCK];

/* Late, so that the others are in MPI_Finalize by then. */
static void pause_of_the_last(void)
{
    struct timespec pause = {0, 300 * 1000 * 1000};
    if (test_rank == test_size - 1)
        nanosleep(&pause, NULL);
}

int main(int argc, char **argv)
{
    MPI_Request bcast, allgather;
    test_start(&argc, &argv);
    TRY(MPI_Bcast_init(data, BYTES, MPI_BYTE, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &bcast));
    TRY(MPI_Allgather_init(block, BLOCK, MPI_BYTE, blocks, BLOCK, MPI_BYTE, MPI_COMM_WORLD,
                           MPI_INFO_NULL, &allgather));
    test_fill(block, BLOCK, (unsigned)test_rank);
    if (test_rank == 0)
        test_fill(data, BYTES, 7);
    pause_of_the_last();
    TRY(MPI_Start(&bcast));
    if (test_rank == test_size - 1) {
        TRY(MPI_Wait(&bcast, MPI_STATUS_IGNORE));
        CHECK_FILLED(data, BYTES, 7, "MPI_Bcast_init, freed by its root");
    }
    TRY(MPI_Request_free(&bcast));
    pause_of_the_last();
    TRY(MPI_Start(&allgather));
    if (test_rank == test_size - 1) {
        TRY(MPI_Wait(&allgather, MPI_STATUS_IGNORE));
        for (int rank = 0; rank < test_size; rank++)
            CHECK_FILLED(blocks + rank * BLOCK, BLOCK, (unsigned)rank, "MPI_Allgather_init, freed");
    }
    TRY(MPI_Request_free(&allgather));
    test_finish();
    return 0;
}
