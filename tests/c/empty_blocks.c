/* A block without elements may have any displacement: in every constructor of datatypes, and in
 * the collectives whose blocks have displacements. */
/* ranks: 2 3 */
#include "harness.h"

enum { BIG = 2147483647, N = 4 };

static void expect_double(MPI_Datatype type, const char *what)
{
    int size = -1;
    MPI_Aint lb = -1, extent = -1;
    TRY(MPI_Type_size(type, &size));
    TRY(MPI_Type_get_extent(type, &lb, &extent));
    CHECK(size == 8 && lb == 0 && extent == 8, "%s: size %d, lb %ld, extent %ld", what, size,
          (long)lb, (long)extent);
    TRY(MPI_Type_free(&type));
}

static void expect_nothing(MPI_Datatype type, const char *what)
{
    int size = -1;
    TRY(MPI_Type_size(type, &size));
    CHECK(size == 0, "%s: size %d", what, size);
    TRY(MPI_Type_commit(&type));
    TRY(MPI_Sendrecv(NULL, 1, type, test_rank, 0, NULL, 1, type, test_rank, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE));
    TRY(MPI_Type_free(&type));
}

static void constructors(void)
{
    const int lengths[] = {0, 1, 0}, at[] = {BIG, 0, -BIG - 1};
    const MPI_Aint bytes[] = {INTPTR_MAX, 0, INTPTR_MIN};
    const MPI_Count lengths_c[] = {0, 1, 0}, at_c[] = {INT64_MAX, 0, INT64_MIN};
    const MPI_Datatype types[] = {MPI_DOUBLE, MPI_DOUBLE, MPI_DOUBLE};
    MPI_Datatype type;
    TRY(MPI_Type_indexed(3, lengths, at, MPI_DOUBLE, &type));
    expect_double(type, "MPI_Type_indexed");
    TRY(MPI_Type_create_hindexed(3, lengths, bytes, MPI_DOUBLE, &type));
    expect_double(type, "MPI_Type_create_hindexed");
    TRY(MPI_Type_create_struct(3, lengths, bytes, types, &type));
    expect_double(type, "MPI_Type_create_struct");
    TRY(MPI_Type_indexed_c(3, lengths_c, at_c, MPI_DOUBLE, &type));
    expect_double(type, "MPI_Type_indexed_c");
    TRY(MPI_Type_create_hindexed_c(3, lengths_c, at_c, MPI_DOUBLE, &type));
    expect_double(type, "MPI_Type_create_hindexed_c");
    TRY(MPI_Type_create_struct_c(3, lengths_c, at_c, types, &type));
    expect_double(type, "MPI_Type_create_struct_c");
    TRY(MPI_Type_vector_c(1, 1, INT64_MAX, MPI_DOUBLE, &type));
    expect_double(type, "MPI_Type_vector_c");
    TRY(MPI_Type_create_hvector(1, 1, INTPTR_MIN, MPI_DOUBLE, &type));
    expect_double(type, "MPI_Type_create_hvector");
}

static void without_data(void)
{
    const int at[] = {BIG, 0, -BIG - 1};
    const MPI_Aint bytes[] = {INTPTR_MAX, 0, INTPTR_MIN};
    const MPI_Count at_c[] = {INT64_MAX, 0, INT64_MIN};
    MPI_Datatype type;
    TRY(MPI_Type_create_indexed_block(3, 0, at, MPI_DOUBLE, &type));
    expect_nothing(type, "MPI_Type_create_indexed_block");
    TRY(MPI_Type_create_hindexed_block(3, 0, bytes, MPI_DOUBLE, &type));
    expect_nothing(type, "MPI_Type_create_hindexed_block");
    TRY(MPI_Type_create_indexed_block_c(3, 0, at_c, MPI_DOUBLE, &type));
    expect_nothing(type, "MPI_Type_create_indexed_block_c");
    TRY(MPI_Type_vector_c(3, 0, INT64_MIN, MPI_DOUBLE, &type));
    expect_nothing(type, "MPI_Type_vector_c of no elements");
    TRY(MPI_Type_vector_c(0, 3, INT64_MIN, MPI_DOUBLE, &type));
    expect_nothing(type, "MPI_Type_vector_c of no blocks");
    TRY(MPI_Type_create_hvector_c(3, 0, INT64_MAX, MPI_DOUBLE, &type));
    expect_nothing(type, "MPI_Type_create_hvector_c");
}

/* Rank 0 sends and receives a block, the others none; the displacements of empty blocks are
 * invalid. */
static void collectives(MPI_Datatype element)
{
    double mine[N] = {1, 2, 3, 4}, got[N] = {0};
    int counts[64] = {0}, at[64];
    MPI_Count counts_c[64] = {0};
    MPI_Aint at_c[64];
    MPI_Datatype types[64];
    MPI_Comm world = MPI_COMM_WORLD;
    int own = test_rank == 0 ? N : 0;
    counts[0] = N;
    counts_c[0] = N;
    for (int i = 0; i < test_size; i++) {
        at[i] = i == 0 ? 0 : i % 2 ? BIG : -BIG - 1;
        at_c[i] = i == 0 ? 0 : i % 2 ? INTPTR_MAX : INTPTR_MIN;
        types[i] = element;
    }
    TRY(MPI_Gatherv(mine, own, element, got, counts, at, element, 0, world));
    TRY(MPI_Scatterv(mine, counts, at, element, got, own, element, 0, world));
    TRY(MPI_Allgatherv(mine, own, element, got, counts, at, element, world));
    CHECK(got[N - 1] == 4, "MPI_Allgatherv gives %g", got[N - 1]);
    TRY(MPI_Allgatherv_c(mine, own, element, got, counts_c, at_c, element, world));
    TRY(MPI_Gatherv_c(mine, own, element, got, counts_c, at_c, element, 0, world));
    TRY(MPI_Scatterv_c(mine, counts_c, at_c, element, got, own, element, 0, world));
    if (test_rank != 0)
        counts[0] = counts_c[0] = 0;
    TRY(MPI_Alltoallv(mine, counts, at, element, got, counts, at, element, world));
    TRY(MPI_Alltoallv_c(mine, counts_c, at_c, element, got, counts_c, at_c, element, world));
    TRY(MPI_Alltoallw(mine, counts, at, types, got, counts, at, types, world));
    TRY(MPI_Alltoallw_c(mine, counts_c, at_c, types, got, counts_c, at_c, types, world));
}

int main(int argc, char **argv)
{
    MPI_Datatype spaced;
    test_start(&argc, &argv);
    constructors();
    without_data();
    collectives(MPI_DOUBLE);
    TRY(MPI_Type_dup(MPI_DOUBLE, &spaced));
    TRY(MPI_Type_commit(&spaced));
    collectives(spaced);
    TRY(MPI_Type_free(&spaced));
    test_finish();
    return 0;
}
