/* Cartesian topologies: dimensions, coordinates, shifts, and subgrids. */
/* ranks: 1 2 4 6 8 */
#include "harness.h"

enum { TAG = 41, DIMS = 2 };

static void expect_dims(int nodes, int n, const int *given, const int *wanted)
{
    int dims[4];
    memcpy(dims, given, sizeof *dims * (size_t)n);
    TRY(MPI_Dims_create(nodes, n, dims));
    for (int d = 0; d < n; d++)
        CHECK(dims[d] == wanted[d], "%d nodes, dimension %d: %d; must be %d", nodes, d, dims[d],
              wanted[d]);
}

/* The standard's examples, and one for which a greedy choice of prime factors fails. */
static void dimensions(void)
{
    int impossible[3] = {0, 3, 0};
    expect_dims(6, 2, (int[]){0, 0}, (int[]){3, 2});
    expect_dims(7, 2, (int[]){0, 0}, (int[]){7, 1});
    expect_dims(6, 3, (int[]){0, 3, 0}, (int[]){2, 3, 1});
    expect_dims(72, 3, (int[]){0, 0, 0}, (int[]){6, 4, 3});
    EXPECT_ERROR(MPI_ERR_DIMS, MPI_Dims_create(7, 3, impossible));
}

static void coordinates(MPI_Comm grid, const int *dims)
{
    int n = -1, kind = -1, got[DIMS], periods[DIMS], coords[DIMS], rank = -1;
    TRY(MPI_Topo_test(grid, &kind));
    TRY(MPI_Cartdim_get(grid, &n));
    CHECK(kind == MPI_CART && n == DIMS, "topology %d of %d dimensions", kind, n);
    TRY(MPI_Cart_get(grid, DIMS, got, periods, coords));
    CHECK(got[0] == dims[0] && got[1] == dims[1], "a grid of %d x %d", got[0], got[1]);
    CHECK(periods[0] == 0 && periods[1] == 1, "periods %d and %d", periods[0], periods[1]);
    CHECK(coords[0] == test_rank / dims[1] && coords[1] == test_rank % dims[1],
          "rank %d is at %d, %d", test_rank, coords[0], coords[1]);
    coords[1] -= 3 * dims[1]; /* wraps around */
    TRY(MPI_Cart_rank(grid, coords, &rank));
    CHECK(rank == test_rank, "the rank at my place is %d", rank);
    for (int r = 0; r < test_size; r++) {
        TRY(MPI_Cart_coords(grid, r, DIMS, coords));
        TRY(MPI_Cart_rank(grid, coords, &rank));
        CHECK(rank == r, "rank %d becomes %d", r, rank);
    }
    coords[0] = dims[0];
    EXPECT_ERROR(MPI_ERR_ARG, MPI_Cart_rank(grid, coords, &rank));
    EXPECT_ERROR(MPI_ERR_TOPOLOGY, MPI_Graphdims_get(grid, &n, &kind));
}

/* Passes ranks up along each dimension; beyond an open end there is no neighbour. */
static void shifts(MPI_Comm grid, const int *dims)
{
    int at[DIMS] = {test_rank / dims[1], test_rank % dims[1]};
    for (int d = 0; d < DIMS; d++) {
        int from = -2, to = -2, in = -1;
        MPI_Status status;
        TRY(MPI_Cart_shift(grid, d, 1, &from, &to));
        CHECK(d == 1 || (from == MPI_PROC_NULL) == (at[0] == 0), "below row %d is %d", at[0], from);
        CHECK(d == 1 || (to == MPI_PROC_NULL) == (at[0] == dims[0] - 1), "above row %d is %d",
              at[0], to);
        TRY(MPI_Sendrecv(&test_rank, 1, MPI_INT, to, TAG, &in, 1, MPI_INT, from, TAG, grid,
                         &status));
        CHECK(in == (from == MPI_PROC_NULL ? -1 : from), "received %d from %d", in, from);
    }
}

static void rows(MPI_Comm grid, const int *dims)
{
    MPI_Comm row, copy;
    int remain[DIMS] = {0, 1}, none[DIMS] = {0, 0}, n = -1, rank = -1, size = -1, got, period, at;
    TRY(MPI_Cart_sub(grid, remain, &row));
    TRY(MPI_Comm_dup(row, &copy)); /* a duplicate has the topology too */
    TRY(MPI_Cart_get(copy, 1, &got, &period, &at));
    TRY(MPI_Comm_rank(copy, &rank));
    CHECK(got == dims[1] && period == 1 && at == test_rank % dims[1] && rank == at,
          "a row of %d, period %d, rank %d at %d", got, period, rank, at);
    TRY(MPI_Allreduce(&test_rank, &got, 1, MPI_INT, MPI_MIN, copy));
    CHECK(got == test_rank - at, "the first of the row is %d", got);
    TRY(MPI_Comm_free(&copy));
    TRY(MPI_Comm_free(&row));
    TRY(MPI_Cart_sub(grid, none, &row));
    TRY(MPI_Cartdim_get(row, &n));
    TRY(MPI_Comm_size(row, &size));
    CHECK(n == 0 && size == 1, "no dimension left: %d dimensions, %d ranks", n, size);
    TRY(MPI_Comm_free(&row));
}

static void smaller_and_larger(void)
{
    MPI_Comm grid;
    int one = 1, much = test_size + 1, open = 0, rank = -2;
    TRY(MPI_Cart_create(MPI_COMM_WORLD, 1, &one, &open, 1, &grid));
    CHECK((grid == MPI_COMM_NULL) == (test_rank != 0), "a grid of one on rank %d", test_rank);
    if (grid != MPI_COMM_NULL)
        TRY(MPI_Comm_free(&grid));
    TRY(MPI_Cart_map(MPI_COMM_WORLD, 1, &one, &open, &rank));
    CHECK((rank == MPI_UNDEFINED) == (test_rank != 0), "mapped to %d", rank);
    /* A grid without places. Open MPI gives each rank its own. */
    TRY(MPI_Cart_map(MPI_COMM_WORLD, 2, (int[]){2, 0}, (int[]){0, 0}, &rank));
#ifdef OMPI_MAJOR_VERSION
    rank = MPI_UNDEFINED;
#endif
    CHECK(rank == MPI_UNDEFINED, "mapped to %d in no place", rank);
    EXPECT_ERROR(MPI_ERR_TOPOLOGY, MPI_Cart_create(MPI_COMM_WORLD, 1, &much, &open, 0, &grid));
}

/* More dimensions than are kept at hand, then fewer, then none, each in place of the last. */
static void of_many_dimensions(void)
{
    enum { MANY = 7, LAST = MANY - 1 };
    int dims[MANY], periods[MANY], got[MANY], wrap[MANY], coords[MANY];
    int from = -2, to = -2, rank = -2;
    MPI_Comm comm;
    for (int d = 0; d < MANY; d++)
        dims[d] = d == LAST ? test_size : 1, periods[d] = d == LAST;
    for (int n = MANY; n > 0; n -= 3) {
        int first = MANY - n;
        TRY(MPI_Cart_create(MPI_COMM_WORLD, n, dims + first, periods + first, 0, &comm));
        TRY(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
        TRY(MPI_Cart_get(comm, n, got, wrap, coords));
        CHECK(got[n - 1] == test_size && wrap[n - 1] == 1 && coords[n - 1] == test_rank,
              "%d dimensions: %d of %d, periodic %d", n, coords[n - 1], got[n - 1], wrap[n - 1]);
        TRY(MPI_Cart_shift(comm, n - 1, 1, &from, &to));
        CHECK(to == (test_rank + 1) % test_size && from == (test_rank + test_size - 1) % test_size,
              "%d dimensions: neighbours are %d and %d", n, from, to);
        TRY(MPI_Cart_coords(comm, to, n, coords));
        TRY(MPI_Cart_rank(comm, coords, &rank));
        CHECK(rank == to, "%d dimensions: rank %d becomes %d", n, to, rank);
        EXPECT_ERROR(MPI_ERR_ARG, MPI_Cart_shift(comm, n, 1, &from, &to));
        EXPECT_ERROR(MPI_ERR_RANK, MPI_Cart_coords(comm, test_size, n, coords));
        TRY(MPI_Comm_free(&comm));
    }
    TRY(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    EXPECT_ERROR(MPI_ERR_TOPOLOGY, MPI_Cart_shift(comm, 0, 1, &from, &to));
    EXPECT_ERROR(MPI_ERR_TOPOLOGY, MPI_Cartdim_get(comm, &rank));
    TRY(MPI_Comm_free(&comm));
}

int main(int argc, char **argv)
{
    MPI_Comm grid;
    int dims[DIMS] = {0, 0}, periods[DIMS] = {0, 1}, kind = -1;
    test_start(&argc, &argv);
    TRY(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    TRY(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    TRY(MPI_Topo_test(MPI_COMM_WORLD, &kind));
    CHECK(kind == MPI_UNDEFINED, "the world has topology %d", kind);
    dimensions();
    TRY(MPI_Dims_create(test_size, DIMS, dims));
    TRY(MPI_Cart_create(MPI_COMM_WORLD, DIMS, dims, periods, 0, &grid));
    coordinates(grid, dims);
    shifts(grid, dims);
    rows(grid, dims);
    smaller_and_larger();
    TRY(MPI_Comm_free(&grid));
    of_many_dimensions();
    test_finish();
    return 0;
}
