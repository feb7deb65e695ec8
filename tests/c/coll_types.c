/* Collectives between different datatypes of the same signature: triples on one side, ints on
 * the other; and a user's operation on a derived datatype. */
/* ranks: 1 2 3 4 5 8 */
#include "coll.h"

enum { TRIPLES_MAX = 7000, INTS_MAX = 3 * TRIPLES_MAX };

static MPI_Datatype triple;
static int *mine, *all;

static void check_all(int ints, int salt, const char *what)
{
    for (int r = 0; r < test_size; r++)
        coll_check(all + (size_t)r * ints, ints, r, salt, what);
    coll_check_untouched(all + (size_t)test_size * ints, 1, what);
}

static void clear_all(int ints)
{
    coll_clear(all, (size_t)test_size * ints + 1);
}

static void bcast(int triples, int root)
{
    coll_clear(mine, 3 * (size_t)triples);
    if (test_rank == root) {
        coll_fill(mine, 3 * triples, root, 5);
        TRY(MPI_Bcast(mine, triples, triple, root, MPI_COMM_WORLD));
    } else {
        TRY(MPI_Bcast(mine, 3 * triples, MPI_INT, root, MPI_COMM_WORLD));
    }
    coll_check(mine, 3 * triples, root, 5, "MPI_Bcast of triples");
}

static void gather(int triples, int root)
{
    coll_fill(mine, 3 * triples, test_rank, 9);
    clear_all(3 * triples);
    TRY(MPI_Gather(mine, 3 * triples, MPI_INT, all, triples, triple, root, MPI_COMM_WORLD));
    if (test_rank == root)
        check_all(3 * triples, 9, "MPI_Gather of triples");
}

static void scatter(int triples, int root)
{
    for (int r = 0; r < test_size; r++)
        coll_fill(all + (size_t)r * 3 * triples, 3 * triples, r, 9);
    coll_clear(mine, 3 * (size_t)triples);
    TRY(MPI_Scatter(all, triples, triple, mine, 3 * triples, MPI_INT, root, MPI_COMM_WORLD));
    coll_check(mine, 3 * triples, test_rank, 9, "MPI_Scatter of triples");
}

static void allgather(int triples)
{
    coll_fill(mine, 3 * triples, test_rank, 2);
    clear_all(3 * triples);
    TRY(MPI_Allgather(mine, triples, triple, all, 3 * triples, MPI_INT, MPI_COMM_WORLD));
    check_all(3 * triples, 2, "MPI_Allgather of triples");
}

static void alltoall(int triples)
{
    int ints = 3 * triples, *out = coll_alloc((size_t)test_size * ints);
    for (int to = 0; to < test_size; to++)
        coll_fill(out + (size_t)to * ints, ints, test_rank * 64 + to, 4);
    clear_all(ints);
    TRY(MPI_Alltoall(out, ints, MPI_INT, all, triples, triple, MPI_COMM_WORLD));
    for (int from = 0; from < test_size; from++)
        coll_check(all + (size_t)from * ints, ints, from * 64 + test_rank, 4,
                   "MPI_Alltoall of triples");
    free(out);
}

static void add_triples(void *in, void *inout, int *count, MPI_Datatype *type)
{
    int *left = in, *right = inout, size = 0;
    TRY(MPI_Type_size(*type, &size));
    CHECK(size == 3 * (int)sizeof(int), "a user's operation is told a type of %d bytes", size);
    for (int i = 0; i < 3 * *count; i++)
        right[i] = (int)((unsigned)right[i] + (unsigned)left[i]);
}

static void reduce(MPI_Op op, int triples)
{
    coll_fill(mine, 3 * triples, test_rank, 6);
    clear_all(3 * triples);
    TRY(MPI_Allreduce(mine, all, triples, triple, op, MPI_COMM_WORLD));
    for (int i = 0; i < 3 * triples; i++)
        CHECK(all[i] == coll_sum(i, 6), "MPI_Allreduce of triples: %d at %d; must be %d", all[i], i,
              coll_sum(i, 6));
}

int main(int argc, char **argv)
{
    const int counts[] = {0, 1, 5, 40, TRIPLES_MAX};
    MPI_Op op;
    test_start(&argc, &argv);
    mine = coll_alloc(INTS_MAX);
    all = coll_alloc((size_t)INTS_MAX * test_size + 1);
    TRY(MPI_Type_contiguous(3, MPI_INT, &triple));
    TRY(MPI_Type_commit(&triple));
    TRY(MPI_Op_create(add_triples, 1, &op));
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        for (int root = 0; root < test_size; root++) {
            bcast(counts[c], root);
            gather(counts[c], root);
            scatter(counts[c], root);
        }
        allgather(counts[c]);
        alltoall(counts[c]);
        reduce(op, counts[c]);
    }
    TRY(MPI_Op_free(&op));
    TRY(MPI_Type_free(&triple));
    free(mine);
    free(all);
    test_finish();
    return 0;
}
