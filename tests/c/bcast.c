/* Bcast from every root, of all sizes. */
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

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    data = coll_alloc(COLL_COUNT_MAX + 1);
    for (int s = 0; s < COLL_SIZES; s++)
        for (int root = 0; root < test_size; root++)
            plain(coll_counts[s], root);
    for (int i = 0; i < 1000; i++) /* one after another, without a barrier in between */
        plain(i % 20, i % test_size);
    free(data);
    test_finish();
    return 0;
}
