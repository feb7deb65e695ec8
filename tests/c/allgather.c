/* Gather to all, all sizes, in place and not, with unlike datatypes on the two sides. */
/* ranks: 1 2 3 4 5 6 7 8 */
#include "coll.h"

static int *mine, *all;

static void check(int count, const char *what)
{
    for (int r = 0; r < test_size; r++)
        coll_check(all + (size_t)r * count, count, r, count, what);
    coll_check_untouched(all + (size_t)test_size * count, 1, what);
}

static void two_buffers(int count)
{
    coll_fill(mine, count, test_rank, count);
    coll_clear(all, (size_t)test_size * count + 1);
    TRY(MPI_Allgather(mine, count, MPI_INT, all, count, MPI_INT, MPI_COMM_WORLD));
    check(count, "MPI_Allgather");
}

static void in_place(int count)
{
    coll_clear(all, (size_t)test_size * count + 1);
    coll_fill(all + (size_t)test_rank * count, count, test_rank, count);
    TRY(MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, count, MPI_INT, MPI_COMM_WORLD));
    check(count, "MPI_Allgather in place");
}

static void unlike_types(int triples)
{
    MPI_Datatype triple;
    TRY(MPI_Type_contiguous(3, MPI_INT, &triple));
    TRY(MPI_Type_commit(&triple));
    coll_fill(mine, 3 * triples, test_rank, 3 * triples);
    coll_clear(all, (size_t)test_size * 3 * triples + 1);
    TRY(MPI_Allgather(mine, triples, triple, all, 3 * triples, MPI_INT, MPI_COMM_WORLD));
    check(3 * triples, "MPI_Allgather of triples");
    TRY(MPI_Type_free(&triple));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    mine = coll_alloc(COLL_BLOCK_MAX);
    all = coll_alloc((size_t)COLL_BLOCK_MAX * test_size + 1);
    for (int s = 0; s < COLL_SIZES && coll_counts[s] <= COLL_BLOCK_MAX; s++) {
        two_buffers(coll_counts[s]);
        in_place(coll_counts[s]);
    }
    two_buffers(COLL_BLOCK_MAX);
    in_place(COLL_BLOCK_MAX);
    unlike_types(5);
    unlike_types(7000);
    for (int i = 0; i < 300; i++)
        two_buffers(i % 12);
    free(mine);
    free(all);
    test_finish();
    return 0;
}
