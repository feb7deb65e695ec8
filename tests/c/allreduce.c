/* Allreduce of all sizes, in place and not; every predefined operation on the types for which it
 * is defined. */
/* ranks: 1 2 3 4 5 6 7 8 */
#include "coll.h"
#include <complex.h>

static int *mine, *sum;

static void sums(int count)
{
    coll_fill(mine, count, test_rank, 3);
    coll_clear(sum, (size_t)count + 1);
    TRY(MPI_Allreduce(mine, sum, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    coll_check(mine, count, test_rank, 3, "the send buffer of MPI_Allreduce");
    coll_check_untouched(sum + count, 1, "MPI_Allreduce");
    for (int i = 0; i < count; i++)
        CHECK(sum[i] == coll_sum(i, 3), "MPI_Allreduce of %d ints: %d at %d; must be %d", count,
              sum[i], i, coll_sum(i, 3));
    TRY(MPI_Allreduce(MPI_IN_PLACE, mine, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(!memcmp(mine, sum, (size_t)count * sizeof(int)),
          "MPI_Allreduce of %d ints differs in place", count);
}

/* One type; values are small, so that every operation is exact in all types. */
#define ARITHMETIC(type, mpi_type)                                                                 \
    do {                                                                                           \
        type in[3], out[3], wanted_sum = 0, wanted_product = 1;                                    \
        for (int i = 0; i < 3; i++)                                                                \
            in[i] = (type)(test_rank % 3 + 1 + i);                                                 \
        for (int r = 0; r < test_size; r++) {                                                      \
            wanted_sum = (type)(wanted_sum + (r % 3 + 3));                                         \
            wanted_product = (type)(wanted_product * (r % 2 + 1));                                 \
        }                                                                                          \
        TRY(MPI_Allreduce(in, out, 3, mpi_type, MPI_SUM, MPI_COMM_WORLD));                         \
        CHECK(out[2] == wanted_sum, "the sum over %s is wrong", #mpi_type);                        \
        in[0] = (type)(test_rank % 2 + 1);                                                         \
        TRY(MPI_Allreduce(in, out, 1, mpi_type, MPI_PROD, MPI_COMM_WORLD));                        \
        CHECK(out[0] == wanted_product, "the product over %s is wrong", #mpi_type);                \
    } while (0)

#define ORDER(type, mpi_type)                                                                      \
    do {                                                                                           \
        type in[2] = {(type)(test_rank + 1), (type)(100 - test_rank)}, out[2];                     \
        TRY(MPI_Allreduce(in, out, 2, mpi_type, MPI_MAX, MPI_COMM_WORLD));                         \
        CHECK(out[0] == (type)test_size && out[1] == (type)100, "the maximum over %s is wrong",    \
              #mpi_type);                                                                          \
        TRY(MPI_Allreduce(in, out, 2, mpi_type, MPI_MIN, MPI_COMM_WORLD));                         \
        CHECK(out[0] == (type)1 && out[1] == (type)(101 - test_size),                              \
              "the minimum over %s is wrong", #mpi_type);                                          \
    } while (0)

#define BITS(type, mpi_type)                                                                       \
    do {                                                                                           \
        type in = (type)(1u << test_rank % 7 | 64u), out = 0, all = 64u, some = 64u, odd = 0;      \
        for (int r = 0; r < test_size; r++) {                                                      \
            all = (type)(all & (1u << r % 7 | 64u));                                               \
            some = (type)(some | (1u << r % 7));                                                   \
            odd = (type)(odd ^ (1u << r % 7 | 64u));                                               \
        }                                                                                          \
        TRY(MPI_Allreduce(&in, &out, 1, mpi_type, MPI_BAND, MPI_COMM_WORLD));                      \
        CHECK(out == (test_size == 1 ? in : all), "MPI_BAND over %s is wrong", #mpi_type);         \
        TRY(MPI_Allreduce(&in, &out, 1, mpi_type, MPI_BOR, MPI_COMM_WORLD));                       \
        CHECK(out == some, "MPI_BOR over %s is wrong", #mpi_type);                                 \
        TRY(MPI_Allreduce(&in, &out, 1, mpi_type, MPI_BXOR, MPI_COMM_WORLD));                      \
        CHECK(out == odd, "MPI_BXOR over %s is wrong", #mpi_type);                                 \
    } while (0)

#define INTEGER(type, mpi_type)                                                                    \
    do {                                                                                           \
        ARITHMETIC(type, mpi_type);                                                                \
        ORDER(type, mpi_type);                                                                     \
        BITS(type, mpi_type);                                                                      \
    } while (0)

static void integers(void)
{
    INTEGER(signed char, MPI_SIGNED_CHAR);
    INTEGER(unsigned char, MPI_UNSIGNED_CHAR);
    INTEGER(short, MPI_SHORT);
    INTEGER(unsigned short, MPI_UNSIGNED_SHORT);
    INTEGER(int, MPI_INT);
    INTEGER(unsigned, MPI_UNSIGNED);
    INTEGER(long, MPI_LONG);
    INTEGER(unsigned long, MPI_UNSIGNED_LONG);
    INTEGER(long long, MPI_LONG_LONG);
    INTEGER(unsigned long long, MPI_UNSIGNED_LONG_LONG);
    INTEGER(int8_t, MPI_INT8_T);
    INTEGER(uint8_t, MPI_UINT8_T);
    INTEGER(int16_t, MPI_INT16_T);
    INTEGER(uint16_t, MPI_UINT16_T);
    INTEGER(int32_t, MPI_INT32_T);
    INTEGER(uint32_t, MPI_UINT32_T);
    INTEGER(int64_t, MPI_INT64_T);
    INTEGER(uint64_t, MPI_UINT64_T);
    INTEGER(MPI_Aint, MPI_AINT);
    INTEGER(MPI_Offset, MPI_OFFSET);
    INTEGER(MPI_Count, MPI_COUNT);
    BITS(unsigned char, MPI_BYTE);
}

static void floating(void)
{
    ARITHMETIC(float, MPI_FLOAT);
    ORDER(float, MPI_FLOAT);
    ARITHMETIC(double, MPI_DOUBLE);
    ORDER(double, MPI_DOUBLE);
    ARITHMETIC(long double, MPI_LONG_DOUBLE);
    ORDER(long double, MPI_LONG_DOUBLE);
    ARITHMETIC(float complex, MPI_C_FLOAT_COMPLEX);
    ARITHMETIC(double complex, MPI_C_DOUBLE_COMPLEX);
}

static void logical(void)
{
    int in[3] = {1, test_rank == 0 ? 0 : 7, 0}, out[3];
    bool flag = test_rank != 0, all = true;
    TRY(MPI_Allreduce(in, out, 3, MPI_INT, MPI_LAND, MPI_COMM_WORLD));
    CHECK(out[0] == 1 && out[1] == 0 && out[2] == 0, "MPI_LAND gives %d %d %d", out[0], out[1],
          out[2]);
    TRY(MPI_Allreduce(in, out, 3, MPI_INT, MPI_LOR, MPI_COMM_WORLD));
    CHECK(out[0] == 1 && out[1] == (test_size > 1) && out[2] == 0, "MPI_LOR gives %d %d %d", out[0],
          out[1], out[2]);
    TRY(MPI_Allreduce(in, out, 3, MPI_INT, MPI_LXOR, MPI_COMM_WORLD));
    CHECK(out[0] == test_size % 2 && out[1] == (test_size - 1) % 2 && out[2] == 0,
          "MPI_LXOR gives %d %d %d", out[0], out[1], out[2]);
    TRY(MPI_Allreduce(&flag, &all, 1, MPI_C_BOOL, MPI_LAND, MPI_COMM_WORLD));
    CHECK(!all, "MPI_LAND over MPI_C_BOOL gives true");
}

static void places(void)
{
    struct {
        int value, rank;
    } in = {test_rank == test_size / 2 ? 9 : test_rank % 3, test_rank}, out = {0, 0};
    TRY(MPI_Allreduce(&in, &out, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD));
    CHECK(out.value == 9 && out.rank == test_size / 2, "MPI_MAXLOC gives %d of rank %d", out.value,
          out.rank);
}

/* All ranks get the same bits, even where the order of additions matters. */
static void everyone_gets_the_same(void)
{
    enum { COUNT = 5000 };
    double in[COUNT], out[COUNT], roots[COUNT];
    for (int i = 0; i < COUNT; i++)
        in[i] = 1.0 / (1 + i + 17 * test_rank) * (i % 2 ? 1e10 : 1e-10);
    TRY(MPI_Allreduce(in, out, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    memcpy(roots, out, sizeof out);
    TRY(MPI_Bcast(roots, COUNT, MPI_DOUBLE, 0, MPI_COMM_WORLD));
    CHECK(!memcmp(roots, out, sizeof out), "ranks disagree on the bits of a sum");
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    mine = coll_alloc(COLL_COUNT_MAX + 1);
    sum = coll_alloc(COLL_COUNT_MAX + 1);
    for (int s = 0; s < COLL_SIZES; s++)
        sums(coll_counts[s]);
    integers();
    floating();
    logical();
    places();
    everyone_gets_the_same();
    for (int i = 0; i < 300; i++)
        sums(i % 10);
    free(mine);
    free(sum);
    test_finish();
    return 0;
}
