/* Every operator on every datatype, in every call that reduces: rank 0 gives 3, 0, 7 and rank 1
 * gives 2, 5, 0, as numbers of the type, so that rank 0 gets the same result everywhere. */
#include <complex.h>
#include <stdint.h>

enum { ELEMENTS = 3, ROOM = 1024 };

typedef struct {
    const char *name;
    int there;
    MPI_Datatype handle;
    /* i: integer or truth value; b: C's truth value, 0 or 1; f: floating point; x: long double;
     * q: binary128; c, z, w: complex
     * of these; two letters: value and index. */
    const char *form;
    int value_bytes, extent;
} Type;

typedef struct {
    const char *name;
    MPI_Op handle;
} Operator;

static void put_number(char form, void *to, int bytes, int value)
{
    long double extended = value;
    __float128 quad = value;
    double real64 = value;
    float real32 = (float)value;
    long long integer = form == 'b' ? value > 0 : value;
    /* 0, 2, 3, 5 and 7 as binary16. */
    static const uint16_t halves[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700};
    memset(to, 0, (size_t)bytes);
    if (form == 'x')
        memcpy(to, &extended, 10);
    else if (form == 'q')
        memcpy(to, &quad, 16);
    else if (form == 'f' && bytes == 8)
        memcpy(to, &real64, 8);
    else if (form == 'f' && bytes == 4)
        memcpy(to, &real32, 4);
    else if (form == 'f')
        memcpy(to, &halves[value], 2);
    else
        memcpy(to, &integer, bytes < 8 ? (size_t)bytes : 8);
}

static void say_number(char form, const void *from, int bytes)
{
    long double extended = 0;
    __float128 quad = 0;
    double real64 = 0;
    float real32 = 0;
    long long integer = 0;
    uint16_t half = 0;
    if (form == 'x')
        memcpy(&extended, from, 10), say("%Lg", extended);
    else if (form == 'q')
        memcpy(&quad, from, 16), say("%g", (double)quad);
    else if (form == 'f' && bytes == 8)
        memcpy(&real64, from, 8), say("%g", real64);
    else if (form == 'f' && bytes == 4)
        memcpy(&real32, from, 4), say("%g", (double)real32);
    else if (form == 'f')
        memcpy(&half, from, 2), say("half %x", half);
    else
        memcpy(&integer, from, bytes < 8 ? (size_t)bytes : 8), say("%lld", integer);
}

static const char *part_forms(const Type *type)
{
    switch (type->form[0]) {
    case 'c':
        return "ff";
    case 'z':
        return "xx";
    case 'w':
        return "qq";
    default:
        return type->form;
    }
}

static void fill(const Type *type, char *to, int rank)
{
    static const int given[2][ELEMENTS] = {{3, 0, 7}, {2, 5, 0}};
    const char *forms = part_forms(type);
    memset(to, 0, ROOM);
    for (int i = 0; i < 2 * ELEMENTS; i++) {
        char *at = to + i * type->extent;
        int rest = type->extent - type->value_bytes, index_bytes = rest;
        put_number(forms[0], at, type->value_bytes, given[rank][i % ELEMENTS]);
        if (forms[1] == 'i' && rest > 4)
            index_bytes = 4;
        if (forms[1])
            put_number(forms[1], at + type->value_bytes, index_bytes, 1 + rank);
    }
}

static void say_result(const Type *type, const char *from)
{
    const char *forms = part_forms(type);
    for (int i = 0; i < ELEMENTS; i++) {
        const char *at = from + i * type->extent;
        int rest = type->extent - type->value_bytes;
        say(i ? ", " : " ");
        say_number(forms[0], at, type->value_bytes);
        if (forms[1]) {
            say(":");
            say_number(forms[1], at + type->value_bytes,
                       forms[1] == 'i' && rest > 4 ? 4 : rest);
        }
    }
}

enum { REDUCE_LOCAL, ALLREDUCE, REDUCE, IALLREDUCE, SCAN, EXSCAN, BLOCK, SCATTER };

/* The operators as the program of the generated table has them. */
static void reduce(int call, MPI_Op op, const Type *type)
{
    static char mine[ROOM], other[ROOM];
    int rank, counts[2] = {ELEMENTS, ELEMENTS}, code = MPI_SUCCESS;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fill(type, mine, rank);
    fill(type, other, 1);
    if (call == REDUCE_LOCAL)
        fill(type, mine, 0), code = MPI_Reduce_local(mine, other, ELEMENTS, type->handle, op);
    else if (call == ALLREDUCE)
        code = MPI_Allreduce(mine, other, ELEMENTS, type->handle, op, MPI_COMM_WORLD);
    else if (call == REDUCE)
        code = MPI_Reduce(mine, other, ELEMENTS, type->handle, op, 0, MPI_COMM_WORLD);
    else if (call == IALLREDUCE)
        code = MPI_Iallreduce(mine, other, ELEMENTS, type->handle, op, MPI_COMM_WORLD, &request);
    else if (call == SCAN)
        code = MPI_Scan(mine, other, ELEMENTS, type->handle, op, MPI_COMM_WORLD);
    else if (call == EXSCAN)
        code = MPI_Exscan(mine, other, ELEMENTS, type->handle, op, MPI_COMM_WORLD);
    else if (call == BLOCK)
        code = MPI_Reduce_scatter_block(mine, other, ELEMENTS, type->handle, op, MPI_COMM_WORLD);
    else
        code = MPI_Reduce_scatter(mine, other, counts, type->handle, op, MPI_COMM_WORLD);
    if (outcome(code)) {
        if (call == IALLREDUCE)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        say_result(type, other);
    }
}

static void nothing_to_clean(void)
{
}
