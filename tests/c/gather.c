/* Gather to every root, of all sizes, in place and not. */
/* ranks: 1 2 3 4 5 8 */
#include "coll.h"

static int *mine, *all;

static void check(int count, int salt, const char *what)
{
    for (int r = 0; r < test_size; r++)
        coll_check(all + (size_t)r * count, count, r, salt, what);
    coll_check_untouched(all + (size_t)test_size * count, 1, what);
}

static void two_buffers(int count, int root)
{
    bool here = test_rank == root;
    coll_fill(mine, count, test_rank, root);
    coll_clear(all, (size_t)test_size * count + 1);
    /* Receive arguments are significant only at the root. */
    TRY(MPI_Gather(mine, count, MPI_INT, here ? all : NULL, here ? count : -1,
                   here ? MPI_INT : MPI_DATATYPE_NULL, root, MPI_COMM_WORLD));
    if (here)
        check(count, root, "MPI_Gather");
    else
        coll_check_untouched(all, 1, "MPI_Gather");
}

static void in_place(int count, int root)
{
    if (test_rank != root) {
        coll_fill(mine, count, test_rank, root);
        TRY(MPI_Gather(mine, count, MPI_INT, NULL, 0, MPI_INT, root, MPI_COMM_WORLD));
        return;
    }
    coll_clear(all, (size_t)test_size * count + 1);
    coll_fill(all + (size_t)root * count, count, root, root);
    TRY(MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, count, MPI_INT, root, MPI_COMM_WORLD));
    check(count, root, "MPI_Gather in place");
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    mine = coll_alloc(COLL_BLOCK_MAX);
    all = coll_alloc((size_t)COLL_BLOCK_MAX * test_size + 1);
    for (int s = 0; s < COLL_SIZES; s++)
        for (int root = 0; root < test_size && coll_counts[s] <= COLL_BLOCK_MAX; root++) {
            two_buffers(coll_counts[s], root);
            in_place(coll_counts[s], root);
        }
    two_buffers(COLL_BLOCK_MAX, test_size - 1);
    free(mine);
    free(all);
    test_finish();
    return 0;
}
