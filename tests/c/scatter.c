/* Scatter from every root, of all sizes, in place and not. */
/* ranks: 1 2 3 4 5 8 */
#include "coll.h"

static int *mine, *all;

static void fill(int count, int salt)
{
    for (int r = 0; r < test_size; r++)
        coll_fill(all + (size_t)r * count, count, r, salt);
}

static void two_buffers(int count, int root)
{
    bool here = test_rank == root;
    coll_clear(mine, (size_t)count + 1);
    if (here)
        fill(count, root);
    /* Send arguments are significant only at the root. */
    TRY(MPI_Scatter(here ? all : NULL, here ? count : -1, here ? MPI_INT : MPI_DATATYPE_NULL, mine,
                    count, MPI_INT, root, MPI_COMM_WORLD));
    coll_check(mine, count, test_rank, root, "MPI_Scatter");
    coll_check_untouched(mine + count, 1, "MPI_Scatter");
}

static void in_place(int count, int root)
{
    coll_clear(mine, (size_t)count + 1);
    if (test_rank == root) {
        fill(count, root);
        TRY(MPI_Scatter(all, count, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, root,
                        MPI_COMM_WORLD));
        coll_check(all + (size_t)root * count, count, root, root, "MPI_Scatter in place");
        coll_check_untouched(mine, 1, "MPI_Scatter in place");
        return;
    }
    TRY(MPI_Scatter(NULL, 0, MPI_INT, mine, count, MPI_INT, root, MPI_COMM_WORLD));
    coll_check(mine, count, test_rank, root, "MPI_Scatter in place at the root");
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    mine = coll_alloc(COLL_BLOCK_MAX + 1);
    all = coll_alloc((size_t)COLL_BLOCK_MAX * test_size);
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
