/* Envelope and contents of every constructor of datatypes, also in the MPI_Count form; Fortran
 * types by precision; pairs; sizes; names. */
/* ranks: 1 */
#include "harness.h"

enum { MOST = 16 };

struct made {
    int integers, addresses, types, combiner;
    int integer[MOST];
    MPI_Aint address[MOST];
};

/* Checks and frees a type; the first datatype used must be MPI_INT. */
static void judge(MPI_Datatype t, const struct made *m, const char *name)
{
    int ni, na, nd, combiner, integers[MOST];
    MPI_Aint addresses[MOST];
    MPI_Datatype types[MOST];
    TRY(MPI_Type_get_envelope(t, &ni, &na, &nd, &combiner));
    CHECK(ni == m->integers && na == m->addresses && nd == m->types && combiner == m->combiner,
          "%s: envelope %d %d %d %d; must be %d %d %d %d", name, ni, na, nd, combiner, m->integers,
          m->addresses, m->types, m->combiner);
    TRY(MPI_Type_get_contents(t, MOST, MOST, MOST, integers, addresses, types));
    for (int i = 0; i < ni; i++)
        CHECK(integers[i] == m->integer[i], "%s: integer %d is %d; must be %d", name, i,
              integers[i], m->integer[i]);
    for (int i = 0; i < na; i++)
        CHECK(addresses[i] == m->address[i], "%s: address %d is %ld; must be %ld", name, i,
              (long)addresses[i], (long)m->address[i]);
    CHECK(types[0] == MPI_INT, "%s: the first datatype is not MPI_INT", name);
    TRY(MPI_Type_free(&t));
}

static void regular(void)
{
    MPI_Datatype t;
    struct made contiguous = {1, 0, 1, MPI_COMBINER_CONTIGUOUS, {3}, {0}};
    struct made vector = {3, 0, 1, MPI_COMBINER_VECTOR, {2, 1, 5}, {0}};
    struct made hvector = {2, 1, 1, MPI_COMBINER_HVECTOR, {2, 1}, {20}};
    struct made resized = {0, 2, 1, MPI_COMBINER_RESIZED, {0}, {-4, 16}};
    struct made dup = {0, 0, 1, MPI_COMBINER_DUP, {0}, {0}};
    TRY(MPI_Type_contiguous(3, MPI_INT, &t));
    judge(t, &contiguous, "contiguous");
    TRY(MPI_Type_vector(2, 1, 5, MPI_INT, &t));
    judge(t, &vector, "vector");
    TRY(MPI_Type_create_hvector(2, 1, 20, MPI_INT, &t));
    judge(t, &hvector, "hvector");
    TRY(MPI_Type_create_resized(MPI_INT, -4, 16, &t));
    judge(t, &resized, "resized");
    TRY(MPI_Type_dup(MPI_INT, &t));
    judge(t, &dup, "dup");
}

static void irregular(void)
{
    MPI_Datatype t, types[2] = {MPI_INT, MPI_DOUBLE};
    int lengths[] = {1, 2}, at[] = {0, 4};
    MPI_Aint bytes[] = {0, 16};
    struct made indexed = {5, 0, 1, MPI_COMBINER_INDEXED, {2, 1, 2, 0, 4}, {0}};
    struct made hindexed = {3, 2, 1, MPI_COMBINER_HINDEXED, {2, 1, 2}, {0, 16}};
    struct made block = {4, 0, 1, MPI_COMBINER_INDEXED_BLOCK, {2, 3, 0, 4}, {0}};
    struct made hblock = {2, 2, 1, MPI_COMBINER_HINDEXED_BLOCK, {2, 3}, {0, 16}};
    struct made structure = {3, 2, 2, MPI_COMBINER_STRUCT, {2, 1, 2}, {0, 16}};
    TRY(MPI_Type_indexed(2, lengths, at, MPI_INT, &t));
    judge(t, &indexed, "indexed");
    TRY(MPI_Type_create_hindexed(2, lengths, bytes, MPI_INT, &t));
    judge(t, &hindexed, "hindexed");
    TRY(MPI_Type_create_indexed_block(2, 3, at, MPI_INT, &t));
    judge(t, &block, "indexed_block");
    TRY(MPI_Type_create_hindexed_block(2, 3, bytes, MPI_INT, &t));
    judge(t, &hblock, "hindexed_block");
    TRY(MPI_Type_create_struct(2, lengths, bytes, types, &t));
    judge(t, &structure, "struct");
}

static void arrays(void)
{
    MPI_Datatype t;
    int sizes[] = {3, 4}, subsizes[] = {2, 2}, starts[] = {1, 0};
    int kinds[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}, grid[] = {1, 2};
    int arguments[] = {MPI_DISTRIBUTE_DFLT_DARG, 1};
    struct made subarray = {
        8, 0, 1, MPI_COMBINER_SUBARRAY, {2, 3, 4, 2, 2, 1, 0, MPI_ORDER_FORTRAN}, {0}};
    struct made darray = {12, 0, 1, MPI_COMBINER_DARRAY,
                          {2, 1, 2, 3, 4, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC,
                           MPI_DISTRIBUTE_DFLT_DARG, 1, 1, 2, MPI_ORDER_C}, {0}};
    TRY(MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_FORTRAN, MPI_INT, &t));
    judge(t, &subarray, "subarray");
    TRY(MPI_Type_create_darray(2, 1, 2, sizes, kinds, arguments, grid, MPI_ORDER_C, MPI_INT, &t));
    judge(t, &darray, "darray");
}

/* A type made by a _c function reports MPI_Counts, which the functions without _c cannot. */
static void large_counts(void)
{
    MPI_Count ni, na, nc, nd, counts[MOST];
    int combiner, integers[MOST], small[4];
    MPI_Aint addresses[MOST];
    MPI_Datatype t, used[MOST];
    TRY(MPI_Type_vector_c(2, 1, 5, MPI_INT, &t));
    TRY(MPI_Type_get_envelope_c(t, &ni, &na, &nc, &nd, &combiner));
    CHECK(ni == 0 && na == 0 && nc == 3 && nd == 1 && combiner == MPI_COMBINER_VECTOR,
          "vector_c: envelope %ld %ld %ld %ld %d", (long)ni, (long)na, (long)nc, (long)nd,
          combiner);
    TRY(MPI_Type_get_contents_c(t, MOST, MOST, MOST, MOST, integers, addresses, counts, used));
    CHECK(counts[0] == 2 && counts[1] == 1 && counts[2] == 5 && used[0] == MPI_INT,
          "vector_c: contents %ld %ld %ld", (long)counts[0], (long)counts[1], (long)counts[2]);
    CHECK(MPI_Type_get_envelope(t, &small[0], &small[1], &small[2], &small[3]) != MPI_SUCCESS,
          "MPI_Type_get_envelope answers about a type with large counts");
    TRY(MPI_Type_free(&t));
}

/* The datatypes in the contents are the program's to free, and outlive the type. */
static void nested(void)
{
    MPI_Datatype inner, outer, found;
    int integers[MOST], n, a, d, combiner, size = 0;
    MPI_Aint addresses[MOST];
    TRY(MPI_Type_vector(2, 1, 3, MPI_INT, &inner));
    TRY(MPI_Type_contiguous(4, inner, &outer));
    TRY(MPI_Type_free(&inner));
    TRY(MPI_Type_get_contents(outer, MOST, MOST, 1, integers, addresses, &found));
    TRY(MPI_Type_free(&outer));
    TRY(MPI_Type_get_envelope(found, &n, &a, &d, &combiner));
    TRY(MPI_Type_size(found, &size));
    CHECK(combiner == MPI_COMBINER_VECTOR && size == 8, "found combiner %d, size %d", combiner,
          size);
    TRY(MPI_Type_free(&found));
}

static void named(void)
{
    int n = -1, a = -1, d = -1, combiner = -1, length = -1;
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Datatype t;
    TRY(MPI_Type_get_envelope(MPI_DOUBLE, &n, &a, &d, &combiner));
    CHECK(combiner == MPI_COMBINER_NAMED && n == 0 && a == 0 && d == 0, "MPI_DOUBLE: %d %d %d %d",
          n, a, d, combiner);
    CHECK(MPI_Type_get_contents(MPI_DOUBLE, 0, 0, 0, &n, NULL, &t) != MPI_SUCCESS,
          "MPI_DOUBLE has contents");
    TRY(MPI_Type_get_name(MPI_DOUBLE_INT, name, &length));
    CHECK(strcmp(name, "MPI_DOUBLE_INT") == 0 && length == 14, "MPI_DOUBLE_INT is called %s", name);
    TRY(MPI_Type_contiguous(2, MPI_INT, &t));
    TRY(MPI_Type_get_name(t, name, &length));
    CHECK(length == 0 && name[0] == '\0', "a new type is called %s", name);
    TRY(MPI_Type_set_name(t, "couple"));
    TRY(MPI_Type_get_name(t, name, &length));
    CHECK(length == 6 && strcmp(name, "couple") == 0, "the couple is called %s", name);
    TRY(MPI_Type_free(&t));
}

static void by_properties(void)
{
    MPI_Datatype t, same;
    int integers[2], n, a, d, combiner, size = -1;
    MPI_Aint none;
    TRY(MPI_Type_create_f90_real(15, MPI_UNDEFINED, &t));
    TRY(MPI_Type_create_f90_real(15, MPI_UNDEFINED, &same));
    CHECK(t == same, "the same precision gives another handle");
    TRY(MPI_Type_size(t, &size));
    CHECK(size == 8, "15 digits have %d bytes", size);
    TRY(MPI_Type_get_envelope(t, &n, &a, &d, &combiner));
    CHECK(n == 2 && a == 0 && d == 0 && combiner == MPI_COMBINER_F90_REAL, "f90_real: %d %d %d %d",
          n, a, d, combiner);
    TRY(MPI_Type_get_contents(t, 2, 0, 0, integers, &none, &same));
    CHECK(integers[0] == 15 && integers[1] == MPI_UNDEFINED, "f90_real: %d, %d", integers[0],
          integers[1]);
    TRY(MPI_Type_create_f90_integer(9, &t));
    TRY(MPI_Type_size(t, &size));
    CHECK(size == 4, "nine digits have %d bytes", size);
    TRY(MPI_Type_create_f90_complex(6, 30, &t));
    TRY(MPI_Type_size(t, &size));
    CHECK(size == 8, "a complex number of 6 digits has %d bytes", size);
    TRY(MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &t));
    TRY(MPI_Type_size(t, &size));
    CHECK(size == 8, "the real type with 8 bytes has %d", size);
    TRY(MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &t));
    CHECK(t == MPI_DOUBLE_INT, "the pair of double and int is not MPI_DOUBLE_INT");
    TRY(MPI_Type_get_value_index(MPI_CHAR, MPI_INT, &t));
    CHECK(t == MPI_DATATYPE_NULL, "there is a pair of char and int");
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    TRY(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    TRY(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    regular();
    irregular();
    arrays();
    large_counts();
    nested();
    named();
    by_properties();
    test_finish();
    return 0;
}
