/* Long accumulates of some ranks meet single-element fetch-and-ops of others on the same elements:
 * no contribution may be lost and no element may be seen half written, whatever its type, the kind
 * of window and the layout at the origin and at the target. */
/* ranks: 1 2 3 4 8 */
/* timeout: 180 */
#include "window_kinds.h"

#include <complex.h>

enum { ELEMENTS = 1000, LONGS = 6, SINGLES = 40, ROUNDS = 2, EXTENT_MAX = 32 };

enum kind {
    INT8, INT16, INT32, INT64, FLOAT, DOUBLE, LONG_DOUBLE, COMPLEX,
    SHORT_PAIR, INT_PAIR, LONG_PAIR, FLOAT_PAIR, DOUBLE_PAIR, KINDS,
};

struct short_int { short value; int index; };
struct int_int { int value; int index; };
struct long_int { long value; int index; };
struct float_int { float value; int index; };
struct double_int { double value; int index; };

static const size_t extents[KINDS] = {
    1, 2, 4, 8, sizeof(float), sizeof(double), sizeof(long double), sizeof(double complex),
    sizeof(struct short_int), sizeof(struct int_int), sizeof(struct long_int),
    sizeof(struct float_int), sizeof(struct double_int),
};

static const char *const kind_names[KINDS] = {
    "MPI_INT8_T", "MPI_INT16_T", "MPI_INT32_T", "MPI_INT64_T", "MPI_FLOAT", "MPI_DOUBLE",
    "MPI_LONG_DOUBLE", "MPI_C_DOUBLE_COMPLEX", "MPI_SHORT_INT", "MPI_2INT", "MPI_LONG_INT",
    "MPI_FLOAT_INT", "MPI_DOUBLE_INT",
};

static struct window window;
static enum kind kind;
static MPI_Datatype type, gapped, every_second, pieces;
/* What this rank has contributed to each element of each target: a sum, or the largest. */
static double *contributed;
static double *last_seen;

static MPI_Datatype type_of(enum kind of)
{
    const MPI_Datatype types[KINDS] = {
        MPI_INT8_T, MPI_INT16_T, MPI_INT32_T, MPI_INT64_T, MPI_FLOAT, MPI_DOUBLE,
        MPI_LONG_DOUBLE, MPI_C_DOUBLE_COMPLEX, MPI_SHORT_INT, MPI_2INT, MPI_LONG_INT,
        MPI_FLOAT_INT, MPI_DOUBLE_INT,
    };
    return types[of];
}

static bool is_pair(void)
{
    return kind >= SHORT_PAIR;
}

static MPI_Op operator(void)
{
    return is_pair() ? MPI_MAXLOC : MPI_SUM;
}

/* The second part of an element depends on the first, so that a mixture of two is seen. */
static double companion(double value)
{
    return 3 * value;
}

#define PUT_PAIR(type) *(struct type *)at = (struct type){value, (int)companion(value)}

static void store(void *at, double value)
{
    switch (kind) {
    case INT8: *(int8_t *)at = (int8_t)value; return;
    case INT16: *(int16_t *)at = (int16_t)value; return;
    case INT32: *(int32_t *)at = (int32_t)value; return;
    case INT64: *(int64_t *)at = (int64_t)value; return;
    case FLOAT: *(float *)at = (float)value; return;
    case DOUBLE: *(double *)at = value; return;
    case LONG_DOUBLE: *(long double *)at = value; return;
    case COMPLEX: *(double complex *)at = value + companion(value) * I; return;
    case SHORT_PAIR: PUT_PAIR(short_int); return;
    case INT_PAIR: PUT_PAIR(int_int); return;
    case LONG_PAIR: PUT_PAIR(long_int); return;
    case FLOAT_PAIR: PUT_PAIR(float_int); return;
    default: PUT_PAIR(double_int);
    }
}

#define TAKE_PAIR(type)                                                                           \
    value = ((const struct type *)at)->value, other = ((const struct type *)at)->index

/* The value of an element; ends the test if its parts do not belong together. */
static double load(const void *at)
{
    double value = 0, other = 0;
    switch (kind) {
    case INT8: return *(const int8_t *)at;
    case INT16: return *(const int16_t *)at;
    case INT32: return *(const int32_t *)at;
    case INT64: return (double)*(const int64_t *)at;
    case FLOAT: return *(const float *)at;
    case DOUBLE: return *(const double *)at;
    case LONG_DOUBLE: return (double)*(const long double *)at;
    case COMPLEX:
        value = creal(*(const double complex *)at), other = cimag(*(const double complex *)at);
        break;
    case SHORT_PAIR: TAKE_PAIR(short_int); break;
    case INT_PAIR: TAKE_PAIR(int_int); break;
    case LONG_PAIR: TAKE_PAIR(long_int); break;
    case FLOAT_PAIR: TAKE_PAIR(float_int); break;
    default: TAKE_PAIR(double_int);
    }
    CHECK(other == companion(value), "%s, %s, SEED=%lu: an element is %g beside %g",
          window_kind_names[window.kind], kind_names[kind], window_seed, value, other);
    return value;
}

/* Sums stay small enough to be exact; the largest of a pair is drawn from many. */
static double draw(void)
{
    return is_pair() ? 1 + window_random(10000) : 1 + window_random(3);
}

static void note(int target, int element, double value)
{
    double *sum = &contributed[target * ELEMENTS + element];
    *sum = is_pair() ? (*sum > value ? *sum : value) : *sum + value;
}

/* Values never become smaller, but for the bytes, which wrap around. */
static void check_growth(int target, int element, double seen)
{
    double *last = &last_seen[target * ELEMENTS + element];
    CHECK(kind == INT8 || (seen >= *last && seen == (double)(int64_t)seen),
          "%s, %s, SEED=%lu: element %d of rank %d was %g and then %g",
          window_kind_names[window.kind], kind_names[kind], window_seed, element, target, *last,
          seen);
    *last = seen;
}

static void single(int target)
{
    _Alignas(EXTENT_MAX) char mine[EXTENT_MAX] = {0}, before[EXTENT_MAX] = {0};
    int element = (int)window_random(ELEMENTS);
    MPI_Aint place = window_place(&window, target, element);
    double value = draw();
    bool reads = window_random(4) == 0;
    store(mine, value);
    TRY(MPI_Fetch_and_op(mine, before, type, target, place, reads ? MPI_NO_OP : operator(),
                         window.win));
    TRY(MPI_Win_flush(target, window.win));
    check_growth(target, element, load(before));
    if (!reads)
        note(target, element, value);
}

/* A layout of elements at the target: all, every second one, or pieces of different lengths. */
struct layout {
    MPI_Datatype type;
    int count, elements;
    int (*element)(int);
};

static int as_it_is(int i)
{
    return i;
}

static int second(int i)
{
    return 2 * i;
}

/* Three elements, then a gap of two. */
static int piece(int i)
{
    return i / 3 * 5 + i % 3;
}

static struct layout draw_layout(void)
{
    const struct layout layouts[] = {
        {type, ELEMENTS, ELEMENTS, as_it_is},
        {every_second, 1, ELEMENTS / 2, second},
        {pieces, 1, ELEMENTS / 5 * 3, piece},
    };
    return layouts[window_random(3)];
}

/* A long accumulate, with or without a result, from dense or spread elements. */
static void lengthy(int target, char *mine, char *before)
{
    struct layout there = draw_layout();
    bool is_spread = window_random(2), fetches = window_random(2);
    size_t step = extents[kind] * (is_spread ? 2 : 1);
    MPI_Aint place = window_place(&window, target, 0);
    MPI_Datatype here = is_spread ? gapped : type;
    double value = draw();
    for (int i = 0; i < there.elements; i++)
        store(mine + (size_t)i * step, value);
    if (fetches)
        TRY(MPI_Get_accumulate(mine, there.elements, here, before, there.elements, here, target,
                               place, there.count, there.type, operator(), window.win));
    else
        TRY(MPI_Accumulate(mine, there.elements, here, target, place, there.count, there.type,
                           operator(), window.win));
    TRY(MPI_Win_flush(target, window.win));
    for (int i = 0; i < there.elements; i++) {
        if (fetches)
            check_growth(target, there.element(i), load(before + (size_t)i * step));
        note(target, there.element(i), value);
    }
}

static void operate(void)
{
    char *mine = test_alloc(2 * ELEMENTS * EXTENT_MAX);
    char *before = test_alloc(2 * ELEMENTS * EXTENT_MAX);
    for (int round = 0; round < ROUNDS; round++) {
        bool is_long = (window.rank + round) % 2 == 0;
        for (int i = 0; i < (is_long ? LONGS : SINGLES); i++) {
            /* Most of all rank 0, where everybody meets. */
            int target = window_random(2) ? 0 : (int)window_random((unsigned)window.size);
            if (is_long)
                lengthy(target, mine, before);
            else
                single(target);
        }
    }
    free(mine);
    free(before);
}

static void check_memory(void)
{
    MPI_Op together = is_pair() ? MPI_MAX : MPI_SUM;
    TRY(MPI_Allreduce(MPI_IN_PLACE, contributed, ELEMENTS * window.size, MPI_DOUBLE, together,
                      window.comm));
    for (int i = 0; i < ELEMENTS; i++) {
        double found = load((char *)window.memory + (size_t)i * extents[kind]);
        double right = contributed[window.rank * ELEMENTS + i];
        if (kind == INT8)
            right = (int8_t)(int64_t)right;
        CHECK(found == right, "%s, %s, SEED=%lu: element %d is %g; it must be %g",
              window_kind_names[window.kind], kind_names[kind], window_seed, i, found, right);
    }
}

static void make_types(void)
{
    int lengths[ELEMENTS / 5], places[ELEMENTS / 5];
    for (int i = 0; i < ELEMENTS / 5; i++)
        lengths[i] = 3, places[i] = 5 * i;
    type = type_of(kind);
    TRY(MPI_Type_create_resized(type, 0, 2 * (MPI_Aint)extents[kind], &gapped));
    TRY(MPI_Type_vector(ELEMENTS / 2, 1, 2, type, &every_second));
    TRY(MPI_Type_indexed(ELEMENTS / 5, lengths, places, type, &pieces));
    TRY(MPI_Type_commit(&gapped));
    TRY(MPI_Type_commit(&every_second));
    TRY(MPI_Type_commit(&pieces));
}

static void free_types(void)
{
    TRY(MPI_Type_free(&gapped));
    TRY(MPI_Type_free(&every_second));
    TRY(MPI_Type_free(&pieces));
}

static void run(enum window_kind of_window, enum kind of_type)
{
    kind = of_type;
    window_make(&window, of_window, ELEMENTS, (MPI_Aint)extents[kind]);
    size_t bytes = (size_t)(ELEMENTS * window.size) * sizeof *contributed;
    contributed = memset(test_alloc(bytes), 0, bytes);
    last_seen = memset(test_alloc(bytes), 0, bytes);
    make_types();
    TRY(MPI_Win_lock_all(0, window.win));
    operate();
    TRY(MPI_Win_unlock_all(window.win));
    TRY(MPI_Barrier(window.comm));
    check_memory();
    free_types();
    free(contributed);
    free(last_seen);
    window_free(&window);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    window_start_random();
    for (int of_window = 0; of_window < WINDOW_KINDS; of_window++)
        for (int of_type = 0; of_type < KINDS; of_type++)
            run(of_window, of_type);
    test_finish();
}
