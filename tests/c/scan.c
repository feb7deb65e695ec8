/* Prefix reductions and scattered reductions: scan, exscan, reduce_scatter,
 * reduce_scatter_block; sums and a noncommutative operation; with two buffers and in place. */
/* ranks: 1 2 3 4 5 7 8 */
#include "coll.h"

enum { PRIME = 65521 };

static int *mine, *out;

/* The sum of `coll_value` over ranks below `end`. */
static int sum_below(int end, int i, int salt)
{
    unsigned sum = 0;
    for (int rank = 0; rank < end; rank++)
        sum += (unsigned)coll_value(rank, i, salt);
    return (int)sum;
}

static void check_prefix(const int *data, int count, int end, const char *what)
{
    for (int i = 0; i < count; i++)
        CHECK(data[i] == sum_below(end, i, 1), "%s of %d ints: %d at %d; must be %d", what, count,
              data[i], i, sum_below(end, i, 1));
}

static void prefixes(int count)
{
    coll_fill(mine, count, test_rank, 1);
    coll_clear(out, (size_t)count + 1);
    TRY(MPI_Scan(mine, out, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    check_prefix(out, count, test_rank + 1, "MPI_Scan");
    coll_check_untouched(out + count, 1, "MPI_Scan");
    TRY(MPI_Exscan(mine, out, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    if (test_rank > 0)
        check_prefix(out, count, test_rank, "MPI_Exscan");
    TRY(MPI_Scan(MPI_IN_PLACE, mine, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    check_prefix(mine, count, test_rank + 1, "MPI_Scan in place");
    coll_fill(mine, count, test_rank, 1);
    TRY(MPI_Exscan(MPI_IN_PLACE, mine, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    if (test_rank > 0)
        check_prefix(mine, count, test_rank, "MPI_Exscan in place");
}

static void check_part(const int *data, int from, int count, const char *what)
{
    for (int i = 0; i < count; i++)
        CHECK(data[i] == sum_below(test_size, from + i, 1), "%s: %d at %d; must be %d", what,
              data[i], i, sum_below(test_size, from + i, 1));
}

static void equal_parts(int count)
{
    coll_fill(mine, count * test_size, test_rank, 1);
    coll_clear(out, (size_t)count + 1);
    TRY(MPI_Reduce_scatter_block(mine, out, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    check_part(out, test_rank * count, count, "MPI_Reduce_scatter_block");
    coll_check_untouched(out + count, 1, "MPI_Reduce_scatter_block");
    TRY(MPI_Reduce_scatter_block(MPI_IN_PLACE, mine, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    check_part(mine, test_rank * count, count, "MPI_Reduce_scatter_block in place");
}

/* Part r has (r % 3) * unit elements: some are empty. */
static void unequal_parts(int unit)
{
    int *counts = coll_alloc((size_t)test_size), total = 0, from = 0;
    for (int r = 0; r < test_size; r++) {
        counts[r] = r % 3 * unit;
        from += r < test_rank ? counts[r] : 0;
        total += counts[r];
    }
    coll_fill(mine, total, test_rank, 1);
    coll_clear(out, (size_t)counts[test_rank] + 1);
    TRY(MPI_Reduce_scatter(mine, out, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    check_part(out, from, counts[test_rank], "MPI_Reduce_scatter");
    coll_check_untouched(out + counts[test_rank], 1, "MPI_Reduce_scatter");
    TRY(MPI_Reduce_scatter(MPI_IN_PLACE, mine, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    check_part(mine, from, counts[test_rank], "MPI_Reduce_scatter in place");
    free(counts);
}

struct line {
    uint32_t a, b;
};

static struct line compose(struct line first, struct line then)
{
    struct line both = {(uint32_t)((uint64_t)first.a * then.a % PRIME),
                        (uint32_t)(((uint64_t)first.b * then.a + then.b) % PRIME)};
    return both;
}

static void compose_all(void *in, void *inout, int *count, MPI_Datatype *type)
{
    struct line *left = in, *right = inout;
    (void)type;
    for (int i = 0; i < *count; i++)
        right[i] = compose(left[i], right[i]);
}

static struct line line_of(int rank, int i)
{
    struct line l = {(uint32_t)(2 + rank * 3 + i % 100), (uint32_t)(rank * 1001 + i)};
    return l;
}

static void check_line(struct line seen, int end, int i, const char *what)
{
    struct line wanted = line_of(0, i);
    for (int r = 1; r < end; r++)
        wanted = compose(wanted, line_of(r, i));
    CHECK(seen.a == wanted.a && seen.b == wanted.b, "%s: (%u, %u) at %d; must be (%u, %u)", what,
          seen.a, seen.b, i, wanted.a, wanted.b);
}

static void order_is_kept(int count)
{
    size_t lines = (size_t)count * (size_t)test_size;
    struct line *in = test_alloc(lines * sizeof *in), *result = test_alloc(lines * sizeof *result);
    MPI_Op op;
    TRY(MPI_Op_create(compose_all, 0, &op));
    for (size_t i = 0; i < lines; i++)
        in[i] = line_of(test_rank, (int)i);
    TRY(MPI_Scan(in, result, count, MPI_UINT64_T, op, MPI_COMM_WORLD));
    for (int i = 0; i < count; i++)
        check_line(result[i], test_rank + 1, i, "MPI_Scan in order");
    TRY(MPI_Exscan(in, result, count, MPI_UINT64_T, op, MPI_COMM_WORLD));
    for (int i = 0; i < count && test_rank > 0; i++)
        check_line(result[i], test_rank, i, "MPI_Exscan in order");
    TRY(MPI_Reduce_scatter_block(in, result, count, MPI_UINT64_T, op, MPI_COMM_WORLD));
    for (int i = 0; i < count; i++)
        check_line(result[i], test_size, test_rank * count + i, "MPI_Reduce_scatter_block");
    TRY(MPI_Op_free(&op));
    free(in);
    free(result);
}

int main(int argc, char **argv)
{
    const int counts[] = {0, 1, 3, 64, 1000, 20000};
    test_start(&argc, &argv);
    mine = coll_alloc((size_t)20000 * test_size + 1);
    out = coll_alloc((size_t)20000 * 2 + 1);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        prefixes(counts[c]);
        equal_parts(counts[c]);
        unequal_parts(counts[c] / 2);
        order_is_kept(counts[c]);
    }
    free(mine);
    free(out);
    test_finish();
    return 0;
}
