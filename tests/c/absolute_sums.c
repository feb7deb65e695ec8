/* A user's operator on a structure of absolute addresses. Its two blocks are in separate
 * mappings, with a gap between them that may exceed the machine's memory. */
/* ranks: 1 2 3 */
#define _GNU_SOURCE
#include "harness.h"
#include <sys/mman.h>

enum { PAGE = 65536, NUMBERS = 3 };

static const size_t GAP = 1ull << 36;
static MPI_Aint places[2];

/* Adds both blocks; `in` and `inout` take the place of MPI_BOTTOM. */
static void add(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)type;
    CHECK(*len == 1, "%d elements are combined", *len);
    const int *numbers = (const int *)((MPI_Aint)in + places[0]);
    int *sums = (int *)((MPI_Aint)inout + places[0]);
    for (int i = 0; i < NUMBERS; i++) sums[i] += numbers[i];
    *(double *)((MPI_Aint)inout + places[1]) += *(const double *)((MPI_Aint)in + places[1]);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    char *start = mmap(NULL, GAP + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(start != MAP_FAILED, "mmap fails");
    CHECK(mprotect(start, PAGE, PROT_READ | PROT_WRITE) == 0, "mprotect fails");
    CHECK(mprotect(start + GAP, PAGE, PROT_READ | PROT_WRITE) == 0, "mprotect fails");
    int *numbers = (int *)(start + PAGE) - NUMBERS, lengths[2] = {NUMBERS, 1};
    double *number = (double *)(start + GAP);
    MPI_Datatype type, types[2] = {MPI_INT, MPI_DOUBLE};
    MPI_Op op;
    TRY(MPI_Get_address(numbers, &places[0]));
    TRY(MPI_Get_address(number, &places[1]));
    TRY(MPI_Type_create_struct(2, lengths, places, types, &type));
    TRY(MPI_Type_commit(&type));
    TRY(MPI_Op_create(add, 1, &op));
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < NUMBERS; i++) numbers[i] = test_rank + i;
        *number = test_rank + 0.5;
        MPI_Request request;
        if (round == 0) {
            TRY(MPI_Allreduce(MPI_IN_PLACE, MPI_BOTTOM, 1, type, op, MPI_COMM_WORLD));
        } else {
            TRY(MPI_Iallreduce(MPI_IN_PLACE, MPI_BOTTOM, 1, type, op, MPI_COMM_WORLD, &request));
            TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
        }
        int ranks = test_size * (test_size - 1) / 2;
        for (int i = 0; i < NUMBERS; i++)
            CHECK(numbers[i] == ranks + test_size * i, "sum %d is %d", i, numbers[i]);
        CHECK(*number == ranks + 0.5 * test_size, "the last sum is %f", *number);
    }
    TRY(MPI_Op_free(&op));
    TRY(MPI_Type_free(&type));
    test_finish();
    return 0;
}
