/* Datatypes in invalid states: not committed, predefined, freed; and arguments that no
 * constructor accepts. */
/* ranks: 1 */
#include "harness.h"

static void uncommitted(void)
{
    int pair[2] = {1, 2};
    MPI_Request request;
    MPI_Datatype t, copy;
    TRY(MPI_Type_contiguous(2, MPI_INT, &t));
    EXPECT_ERROR(MPI_ERR_TYPE, MPI_Send(pair, 1, t, 0, 0, MPI_COMM_SELF));
    EXPECT_ERROR(MPI_ERR_TYPE, MPI_Irecv(pair, 1, t, 0, 0, MPI_COMM_SELF, &request));
    EXPECT_ERROR(MPI_ERR_TYPE, MPI_Bcast(pair, 1, t, 0, MPI_COMM_SELF));
    TRY(MPI_Type_dup(t, &copy));
    EXPECT_ERROR(MPI_ERR_TYPE, MPI_Send(pair, 1, copy, 0, 0, MPI_COMM_SELF));
    TRY(MPI_Type_free(&copy));
    TRY(MPI_Type_commit(&t));
    TRY(MPI_Type_commit(&t));
    TRY(MPI_Type_dup(t, &copy));
    TRY(MPI_Bcast(pair, 1, copy, 0, MPI_COMM_SELF));
    TRY(MPI_Type_free(&copy));
    TRY(MPI_Type_free(&t));
}

static void not_to_be_freed(void)
{
    MPI_Datatype t = MPI_INT, none = MPI_DATATYPE_NULL, real;
    EXPECT_ERROR(MPI_ERR_TYPE, MPI_Type_free(&t));
    CHECK(t == MPI_INT, "the handle of MPI_INT is gone");
    EXPECT_ERROR(MPI_ERR_TYPE, MPI_Type_free(&none));
    TRY(MPI_Type_create_f90_real(6, MPI_UNDEFINED, &real));
    EXPECT_ERROR(MPI_ERR_TYPE, MPI_Type_free(&real));
}

static void wrong_arguments(void)
{
    MPI_Datatype t;
    int one[] = {1}, minus[] = {-1}, n = 0;
    EXPECT_ERROR(MPI_ERR_COUNT, MPI_Type_contiguous(-1, MPI_INT, &t));
    EXPECT_ERROR(MPI_ERR_COUNT, MPI_Type_vector(-1, 1, 1, MPI_INT, &t));
    EXPECT_ERROR(MPI_ERR_COUNT, MPI_Type_indexed(-1, one, one, MPI_INT, &t));
    EXPECT_ERROR(MPI_ERR_TYPE, MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &t));
    EXPECT_ERROR(MPI_ERR_TYPE, MPI_Type_size(MPI_DATATYPE_NULL, &n));
    EXPECT_ERROR(MPI_ERR_ARG, MPI_Type_indexed(1, minus, one, MPI_INT, &t));
    EXPECT_ERROR(MPI_ERR_ARG,
                 MPI_Type_create_subarray(1, one, one, one, MPI_ORDER_C, MPI_INT, &t));
    EXPECT_ERROR(MPI_ERR_ARG, MPI_Type_match_size(MPI_TYPECLASS_REAL, 3, &t));
}

/* Packing does not write past the buffer; after the error the position is unchanged. */
static void packing(void)
{
    short shorts[3] = {1, 2, 3};
    char buffer[8];
    int position = 3;
    MPI_Aint place = 8;
    EXPECT_ERROR(MPI_ERR_TRUNCATE, MPI_Pack(shorts, 3, MPI_SHORT, buffer, sizeof buffer, &position,
                                            MPI_COMM_WORLD));
    EXPECT_ERROR(MPI_ERR_TRUNCATE, MPI_Unpack(buffer, sizeof buffer, &position, shorts, 3,
                                              MPI_SHORT, MPI_COMM_WORLD));
    CHECK(position == 3, "calls that failed move the position to %d", position);
    position = -1;
    EXPECT_ERROR(MPI_ERR_ARG, MPI_Pack(shorts, 1, MPI_SHORT, buffer, sizeof buffer, &position,
                                       MPI_COMM_WORLD));
    EXPECT_ERROR(MPI_ERR_TRUNCATE, MPI_Pack_external("external32", shorts, 1, MPI_SHORT, buffer,
                                                     sizeof buffer, &place));
    place = 0;
    /* The name of the representation is ignored: only one exists, as in other libraries. */
    TRY(MPI_Pack_external("native", shorts, 1, MPI_SHORT, buffer, 8, &place));
}

/* Elements in a status, queried and set. */
static void elements(void)
{
    MPI_Datatype pairs;
    MPI_Status status;
    MPI_Count large = -1;
    int count = -1;
    memset(&status, 0, sizeof status);
    TRY(MPI_Type_contiguous(2, MPI_FLOAT_INT, &pairs));
    TRY(MPI_Status_set_elements(&status, pairs, 6));
    TRY(MPI_Get_elements(&status, pairs, &count));
    CHECK(count == 6, "six elements were set, %d are there", count);
    TRY(MPI_Get_count(&status, pairs, &count));
    CHECK(count == MPI_UNDEFINED, "one and a half are %d", count);
    TRY(MPI_Get_count(&status, MPI_FLOAT_INT, &count));
    CHECK(count == 3, "three pairs are %d", count);
    TRY(MPI_Status_set_elements_c(&status, MPI_BYTE, (MPI_Count)3 << 32));
    TRY(MPI_Get_elements_c(&status, MPI_BYTE, &large));
    CHECK(large == (MPI_Count)3 << 32, "12 GiB are %ld bytes", (long)large);
    TRY(MPI_Get_elements(&status, MPI_BYTE, &count));
    CHECK(count == MPI_UNDEFINED, "12 GiB are the int %d", count);
    TRY(MPI_Type_free(&pairs));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    TRY(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    TRY(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    uncommitted();
    not_to_be_freed();
    wrong_arguments();
    packing();
    elements();
    test_finish();
    return 0;
}
