/* Derived datatypes as programs make them, by name: structures without and with gaps, nested ones,
 * columns, vectors, boxes of a grid, irregular lists. A size counts elements of such a type. */
#ifndef DUNLIN_BENCH_LAYOUT_H
#define DUNLIN_BENCH_LAYOUT_H

#include "bench_mpi.h"

/* So many elements, as a count or inside a type of which there is one. */
struct bench_layout {
    MPI_Datatype type;
    int count;
    size_t bytes; /* of data */
    size_t span;  /* of memory, from the address of a buffer to that of the next one */
};

/* {4 int, 8 double}: 80 bytes, and no gap. */
static inline MPI_Datatype bench_dense(int *count)
{
    MPI_Datatype type;
    MPI_Type_create_struct(2, (int[]){4, 8}, (MPI_Aint[]){0, 16},
                           (MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &type);
    (void)count;
    return type;
}

/* The same with a member in between that is not sent: 80 bytes of 88. */
static inline MPI_Datatype bench_gap(int *count)
{
    MPI_Datatype type;
    MPI_Type_create_struct(2, (int[]){4, 8}, (MPI_Aint[]){0, 24},
                           (MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &type);
    (void)count;
    return type;
}

/* struct { int a; double b; }: 12 bytes of 16. */
static inline MPI_Datatype bench_pair(int *count)
{
    MPI_Datatype type;
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8},
                           (MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &type);
    (void)count;
    return type;
}

/* struct { char kind; double x[3]; int cell; short flags; }: 31 bytes of 40. */
static inline MPI_Datatype bench_particle(int *count)
{
    MPI_Datatype type;
    MPI_Type_create_struct(4, (int[]){1, 3, 1, 1}, (MPI_Aint[]){0, 8, 32, 36},
                           (MPI_Datatype[]){MPI_CHAR, MPI_DOUBLE, MPI_INT, MPI_SHORT}, &type);
    (void)count;
    return type;
}

/* A particle, every second of six doubles, and a pair. */
static inline MPI_Datatype bench_nested(int *count)
{
    MPI_Datatype type, parts[] = {bench_particle(count), MPI_DATATYPE_NULL, bench_pair(count)};
    MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &parts[1]);
    MPI_Type_create_struct(3, (int[]){1, 1, 2}, (MPI_Aint[]){0, 40, 88}, parts, &type);
    for (int i = 0; i < 3; i++) MPI_Type_free(&parts[i]);
    return type;
}

/* Every second of those, as one vector. */
static inline MPI_Datatype bench_table(int *count)
{
    MPI_Datatype type, row = bench_nested(count);
    MPI_Type_vector(*count, 1, 2, row, &type);
    MPI_Type_free(&row);
    *count = 1;
    return type;
}

/* One double of every four: a column of a matrix. */
static inline MPI_Datatype bench_column(int *count)
{
    MPI_Datatype type;
    MPI_Type_create_resized(MPI_DOUBLE, 0, 4 * sizeof(double), &type);
    (void)count;
    return type;
}

/* Every second double, as one vector. */
static inline MPI_Datatype bench_vector(int *count)
{
    MPI_Datatype type;
    MPI_Type_vector(*count, 1, 2, MPI_DOUBLE, &type);
    *count = 1;
    return type;
}

/* Blocks of five ints, as one vector. */
static inline MPI_Datatype bench_blocks(int *count)
{
    MPI_Datatype type;
    MPI_Type_vector(*count, 5, 8, MPI_INT, &type);
    *count = 1;
    return type;
}

/* The inside of a grid of doubles with a border of one. */
static inline MPI_Datatype bench_box(int *count)
{
    int edge = *count >= 64 ? 8 : 1, length = *count / (edge * edge);
    MPI_Datatype type;
    MPI_Type_create_subarray(3, (int[]){length + 2, edge + 2, edge + 2},
                             (int[]){length, edge, edge}, (int[]){1, 1, 1}, MPI_ORDER_C,
                             MPI_DOUBLE, &type);
    *count = 1;
    return type;
}

/* Blocks of one to three doubles (or one, if `short_ones`) with gaps of one to four, neither in any
 * order. */
static inline MPI_Datatype bench_list(int *count, bool short_ones)
{
    int n = *count, at = 0, *lengths = calloc(2 * (size_t)n, sizeof *lengths);
    int *places = lengths + n;
    if (lengths == NULL) bench_die("no memory for a list of %d blocks", n);
    uint32_t state = 12345;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        lengths[i] = short_ones ? 1 : 1 + (int)((state >> 16) % 3);
        places[i] = at;
        at += lengths[i] + 1 + (int)((state >> 24) % 4);
    }
    MPI_Datatype type;
    if (short_ones) MPI_Type_create_indexed_block(n, 1, places, MPI_DOUBLE, &type);
    else MPI_Type_indexed(n, lengths, places, MPI_DOUBLE, &type);
    free(lengths);
    *count = 1;
    return type;
}

static inline MPI_Datatype bench_indexed(int *count)
{
    return bench_list(count, false);
}

static inline MPI_Datatype bench_scattered(int *count)
{
    return bench_list(count, true);
}

static const struct {
    const char *name;
    MPI_Datatype (*make)(int *count);
} BENCH_LAYOUTS[] = {
    {"dense", bench_dense},   {"gap", bench_gap},         {"pair", bench_pair},
    {"particle", bench_particle}, {"nested", bench_nested}, {"table", bench_table},
    {"column", bench_column}, {"vector", bench_vector},   {"blocks", bench_blocks},
    {"box", bench_box},       {"indexed", bench_indexed}, {"scattered", bench_scattered},
};
enum { BENCH_LAYOUT_COUNT = sizeof BENCH_LAYOUTS / sizeof BENCH_LAYOUTS[0] };

static inline MPI_Datatype bench_layout_type(const char *name, int *count)
{
    for (int i = 0; i < BENCH_LAYOUT_COUNT; i++)
        if (strcmp(BENCH_LAYOUTS[i].name, name) == 0) return BENCH_LAYOUTS[i].make(count);
    fprintf(stderr, "bench: --layout is `%s`; it must be one of:", name);
    for (int i = 0; i < BENCH_LAYOUT_COUNT; i++) fprintf(stderr, " %s", BENCH_LAYOUTS[i].name);
    bench_die("see above");
    return MPI_DATATYPE_NULL;
}

/* `size` elements of the named type; without a name, bytes. */
static inline struct bench_layout bench_layout_make(const struct bench_options *o, size_t size)
{
    struct bench_layout l = {MPI_BYTE, bench_count(size), size, size};
    MPI_Aint lb, extent;
    int bytes;
    if (o->layout == NULL) return l;
    l.type = bench_layout_type(o->layout, &l.count);
    MPI_Type_commit(&l.type);
    MPI_Type_size(l.type, &bytes);
    MPI_Type_get_extent(l.type, &lb, &extent);
    l.bytes = (size_t)bytes * (size_t)l.count;
    l.span = (size_t)extent * (size_t)l.count;
    return l;
}

static inline void bench_layout_free(struct bench_layout *l)
{
    if (l->type != MPI_BYTE) MPI_Type_free(&l->type);
}

/* Memory for the largest of the sizes, as `bench_stride`. */
static inline size_t bench_layout_stride(const struct bench_options *o)
{
    struct bench_layout l = bench_layout_make(o, o->bytes_max);
    size_t stride = bench_stride(l.span);
    bench_layout_free(&l);
    return stride;
}

#endif
