/* Broadcast from every root, all sizes, and with a different datatype at the root. */
/* ranks: 1 2 3 4 5 8 */
#include "coll.h"

static int *data;

static void plain(int count, int root)
{
    coll_clear(data, (size_t)count + 1);
    if (test_rank == root)
        coll_fill(data, count, root, count);
    TRY(MPI_Bcast(data, count, MPI_INT, root, MPI_COMM_WORLD));
    coll_check(data, count, root, count, "MPI_Bcast");
    coll_check_untouched(data + count, 1, "MPI_Bcast");
}

/* Same signature, other layout: pairs at the root, single ints elsewhere. */
static void other_types(int count, int root)
{
    MPI_Datatype pair;
    TRY(MPI_Type_contiguous(2, MPI_INT, &pair));
    TRY(MPI_Type_commit(&pair));
    coll_clear(data, (size_t)count * 2);
    if (test_rank == root) {
        coll_fill(data, count * 2, root, 5);
        TRY(MPI_Bcast(data, count, pair, root, MPI_COMM_WORLD));
    } else {
        TRY(MPI_Bcast(data, count * 2, MPI_INT, root, MPI_COMM_WORLD));
    }
    coll_check(data, count * 2, root, 5, "MPI_Bcast of pairs");
    TRY(MPI_Type_free(&pair));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    data = coll_alloc(COLL_COUNT_MAX + 1);
    for (int s = 0; s < COLL_SIZES; s++)
        for (int root = 0; root < test_size; root++)
            plain(coll_counts[s], root);
    for (int root = 0; root < test_size; root++) {
        other_types(10, root);
        other_types(50000, root);
    }
    for (int i = 0; i < 1000; i++) /* one after the other, without a barrier in between */
        plain(i % 20, i % test_size);
    free(data);
    test_finish();
    return 0;
}
