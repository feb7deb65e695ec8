/* Reduce to every root, of all sizes, with two buffers and in place. */
/* ranks: 1 2 3 4 5 8 */
#include "coll.h"

static int *mine, *sum;

static void check(const int *result, int count, int salt, const char *what)
{
    for (int i = 0; i < count; i++)
        CHECK(result[i] == coll_sum(i, salt), "%s of %d ints: %d at %d; must be %d", what, count,
              result[i], i, coll_sum(i, salt));
}

static void two_buffers(int count, int root)
{
    coll_fill(mine, count, test_rank, root);
    coll_clear(sum, (size_t)count + 1);
    TRY(MPI_Reduce(mine, test_rank == root ? sum : NULL, count, MPI_INT, MPI_SUM, root,
                   MPI_COMM_WORLD));
    coll_check(mine, count, test_rank, root, "the send buffer of MPI_Reduce");
    if (test_rank == root)
        check(sum, count, root, "MPI_Reduce");
    coll_check_untouched(test_rank == root ? sum + count : sum, 1, "MPI_Reduce");
}

static void in_place(int count, int root)
{
    coll_fill(mine, count, test_rank, root);
    TRY(MPI_Reduce(test_rank == root ? MPI_IN_PLACE : mine, test_rank == root ? mine : NULL, count,
                   MPI_INT, MPI_SUM, root, MPI_COMM_WORLD));
    if (test_rank == root)
        check(mine, count, root, "MPI_Reduce in place");
    else
        coll_check(mine, count, test_rank, root, "the send buffer of MPI_Reduce");
}

static void places_of_extremes(int root)
{
    struct {
        double value;
        int rank;
    } in[2], out[2] = {{0, 0}, {0, 0}};
    in[0].value = test_rank % 2 ? 5.5 : 2.0; /* several ranks have the extreme: the lowest counts */
    in[1].value = (double)((test_rank * 7 + root) % test_size);
    in[0].rank = in[1].rank = test_rank;
    TRY(MPI_Reduce(in, out, 2, MPI_DOUBLE_INT, MPI_MAXLOC, root, MPI_COMM_WORLD));
    if (test_rank == root) {
        int wanted = test_size > 1 ? 1 : 0;
        CHECK(out[0].value == (wanted ? 5.5 : 2.0) && out[0].rank == wanted,
              "MPI_MAXLOC gives %g of rank %d", out[0].value, out[0].rank);
    }
    TRY(MPI_Reduce(in, out, 1, MPI_DOUBLE_INT, MPI_MINLOC, root, MPI_COMM_WORLD));
    if (test_rank == root)
        CHECK(out[0].value == 2.0 && out[0].rank == 0, "MPI_MINLOC gives %g of rank %d",
              out[0].value, out[0].rank);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    mine = coll_alloc(COLL_COUNT_MAX + 1);
    sum = coll_alloc(COLL_COUNT_MAX + 1);
    for (int s = 0; s < COLL_SIZES; s++)
        for (int root = 0; root < test_size; root++) {
            two_buffers(coll_counts[s], root);
            in_place(coll_counts[s], root);
        }
    for (int root = 0; root < test_size; root++)
        places_of_extremes(root);
    free(mine);
    free(sum);
    test_finish();
    return 0;
}
