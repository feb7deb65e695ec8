/* Functions that MPI 3.0 removed still compile and work: old programs call them. */
/* ranks: 2 */
#include "harness.h"

struct pair {
    char letter;
    double value;
};

static void on_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    *code = MPI_SUCCESS;
    test_rank += 100;
}

static MPI_Datatype pair_type(struct pair *pair)
{
    int lengths[] = {1, 1};
    MPI_Aint base, places[2];
    MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE}, type;
    TRY(MPI_Address(pair, &base));
    TRY(MPI_Address(&pair->letter, &places[0]));
    TRY(MPI_Address(&pair->value, &places[1]));
    places[0] -= base;
    places[1] -= base;
    TRY(MPI_Type_struct(2, lengths, places, types, &type));
    TRY(MPI_Type_commit(&type));
    return type;
}

static void structures(void)
{
    struct pair pair = {'a', 1.5}, got = {'?', 0};
    MPI_Datatype type = pair_type(&pair);
    TRY(MPI_Sendrecv(&pair, 1, type, test_rank ^ 1, 0, &got, 1, type, test_rank ^ 1, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(got.letter == 'a' && got.value == 1.5, "got %c and %g", got.letter, got.value);
    TRY(MPI_Type_free(&type));
}

static void extents(void)
{
    int lengths[] = {1, 2};
    MPI_Aint places[] = {8, 24}, extent, lb, ub;
    MPI_Datatype indexed, vector;
    TRY(MPI_Type_hindexed(2, lengths, places, MPI_INT, &indexed));
    TRY(MPI_Type_hvector(3, 1, 40, MPI_INT, &vector));
    TRY(MPI_Type_lb(indexed, &lb));
    TRY(MPI_Type_ub(indexed, &ub));
    TRY(MPI_Type_extent(vector, &extent));
    CHECK(lb == 8 && ub == 32, "the bounds are %ld and %ld", (long)lb, (long)ub);
    CHECK(extent == 84, "the extent is %ld", (long)extent);
    TRY(MPI_Type_free(&indexed));
    TRY(MPI_Type_free(&vector));
}

/* Only headers of other libraries have these, and not all. */
#ifdef MPI_UB
static void bounds(void)
{
    int lengths[] = {1, 2, 1}, size;
    MPI_Aint places[] = {-8, 4, 40}, lb, ub;
    MPI_Datatype types[] = {MPI_LB, MPI_INT, MPI_UB}, type;
    const struct {
        int ints[24];
    } sent = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}};
    int got[4] = {0};
    TRY(MPI_Type_struct(3, lengths, places, types, &type));
    TRY(MPI_Type_commit(&type));
    TRY(MPI_Type_lb(type, &lb));
    TRY(MPI_Type_ub(type, &ub));
    TRY(MPI_Type_size(type, &size));
    CHECK(lb == -8 && ub == 40 && size == 8, "bounds %ld and %ld, size %d", (long)lb, (long)ub,
          size);
    TRY(MPI_Sendrecv(&sent, 2, type, test_rank ^ 1, 0, got, 4, MPI_INT, test_rank ^ 1, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(got[0] == 2 && got[1] == 3 && got[2] == 14 && got[3] == 15, "got %d %d %d %d", got[0],
          got[1], got[2], got[3]);
    TRY(MPI_Type_free(&type));
}
#else
static void bounds(void) {}
#endif

static void error_handlers(void)
{
    MPI_Errhandler handler, found;
    int rank = test_rank;
    TRY(MPI_Errhandler_create(on_error, &handler));
    TRY(MPI_Errhandler_set(MPI_COMM_WORLD, handler));
    TRY(MPI_Errhandler_get(MPI_COMM_WORLD, &found));
    CHECK(found == handler, "another error handler comes back");
    MPI_Send(NULL, -1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    CHECK(test_rank == rank + 100, "the error handler was not called");
    test_rank = rank;
    TRY(MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    TRY(MPI_Errhandler_free(&found));
    TRY(MPI_Errhandler_free(&handler));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    structures();
    extents();
    bounds();
    error_handlers();
    test_finish();
    return 0;
}
