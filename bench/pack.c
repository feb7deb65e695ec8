/* MPI_Pack and MPI_Unpack of a strided vector of doubles beside the loop a programmer would write
 * instead, measured in turns: what matters is the ratio. One process; no message is sent. */
#include "bench_mpi.h"

/* 256 KiB of data: more than the first cache, less than the last, as a halo of a grid would be. */
enum { DOUBLES = 32768, GAPS = 2, ROUND_ITERATIONS = 20 };

/* The lengths of a block, in doubles; `pack_loop` and `unpack_loop` have a loop for each. */
static const int BLOCKS[] = {1, 4, 64};
enum { BLOCK_KINDS = sizeof BLOCKS / sizeof BLOCKS[0] };

static const struct bench_column COLUMNS[] = {
    {"pack_us", "MPI_Pack (us)", 2},     {"pack_loop_us", "loop (us)", 2},
    {"pack_ratio", "ratio", 2},          {"unpack_us", "MPI_Unpack (us)", 2},
    {"unpack_loop_us", "loop (us)", 2},  {"unpack_ratio", "ratio", 2},
    {NULL, NULL, 0},
};

struct vector {
    double *strided, *packed;
    int block, stride, blocks;
    MPI_Datatype type;
    int bytes;
};

enum way { PACK, PACK_LOOP, UNPACK, UNPACK_LOOP, WAYS };

/* The yardstick is the best of hand-written loops: the compiler knows the length of the block. The
 * stride is a program's grid, which only the run tells. */
static inline void gather(double *restrict to, const double *restrict from, int blocks, int block,
                          int stride)
{
    for (int i = 0; i < blocks; i++)
        for (int j = 0; j < block; j++) *to++ = from[(size_t)i * (size_t)stride + (size_t)j];
}

static inline void scatter(double *restrict to, const double *restrict from, int blocks, int block,
                           int stride)
{
    for (int i = 0; i < blocks; i++)
        for (int j = 0; j < block; j++) to[(size_t)i * (size_t)stride + (size_t)j] = *from++;
}

static __attribute__((noinline)) void pack_loop(const struct vector *v)
{
    if (v->block == 1) gather(v->packed, v->strided, v->blocks, 1, v->stride);
    else if (v->block == 4) gather(v->packed, v->strided, v->blocks, 4, v->stride);
    else gather(v->packed, v->strided, v->blocks, 64, v->stride);
}

static __attribute__((noinline)) void unpack_loop(const struct vector *v)
{
    if (v->block == 1) scatter(v->strided, v->packed, v->blocks, 1, v->stride);
    else if (v->block == 4) scatter(v->strided, v->packed, v->blocks, 4, v->stride);
    else scatter(v->strided, v->packed, v->blocks, 64, v->stride);
}

static void once(enum way way, const struct vector *v)
{
    int position = 0;
    switch (way) {
    case PACK:
        MPI_Pack(v->strided, 1, v->type, v->packed, v->bytes, &position, MPI_COMM_SELF);
        break;
    case PACK_LOOP:
        pack_loop(v);
        break;
    case UNPACK:
        MPI_Unpack(v->packed, v->bytes, &position, v->strided, 1, v->type, MPI_COMM_SELF);
        break;
    default:
        unpack_loop(v);
    }
}

/* The four ways take turns, so that a machine that slows down slows all of them. */
static void measure(const struct bench_options *o, const struct vector *v, double *samples[WAYS])
{
    for (long i = -o->warmup; i < o->iterations; i++) {
        for (enum way way = PACK; way < WAYS; way++) {
            uint64_t before_ns = bench_now_ns();
            for (int j = 0; j < ROUND_ITERATIONS; j++) once(way, v);
            uint64_t spent_ns = bench_now_ns() - before_ns;
            if (i >= 0) samples[way][i] = (double)spent_ns / 1000.0 / ROUND_ITERATIONS;
        }
    }
}

/* A pack that moved the wrong bytes would be quick for nothing. */
static void check(const struct vector *v)
{
    size_t extent = (size_t)v->stride * (size_t)v->blocks;
    for (size_t i = 0; i < extent; i++) v->strided[i] = (double)i;
    once(PACK, v);
    for (int i = 0; i < DOUBLES; i++) {
        int place = i / v->block * v->stride + i % v->block;
        if (v->packed[i] != (double)place)
            bench_die("MPI_Pack: double %d is %g; it must be %d", i, v->packed[i], place);
    }
    memset(v->strided, 0, extent * sizeof *v->strided);
    once(UNPACK, v);
    for (int i = 0; i < DOUBLES; i++) {
        int place = i / v->block * v->stride + i % v->block;
        if (v->strided[place] != (double)place)
            bench_die("MPI_Unpack: double %d is %g; it must be %d", i, v->strided[place], place);
    }
}

static struct vector vector_make(int block, double *strided, double *packed)
{
    struct vector v = {.strided = strided, .packed = packed, .block = block,
                       .stride = GAPS * block, .blocks = DOUBLES / block};
    MPI_Type_vector(v.blocks, v.block, v.stride, MPI_DOUBLE, &v.type);
    MPI_Type_commit(&v.type);
    MPI_Pack_size(1, v.type, MPI_COMM_SELF, &v.bytes);
    return v;
}

int main(int argc, char **argv)
{
    struct bench_options o = {.name = "pack", .about = "a strided vector; size: of a block",
                              .iterations = 200, .warmup = 20, .window = 1, .rotate = 1};
    bench_init(&o, argc, argv, 1);
    double *strided = (double *)(void *)bench_alloc((size_t)GAPS * DOUBLES * sizeof *strided);
    /* Room for a library that packs a header. */
    double *packed = (double *)(void *)bench_alloc((DOUBLES + BENCH_ALIGN) * sizeof *packed);
    double *samples[WAYS];
    for (enum way way = PACK; way < WAYS; way++) samples[way] = bench_samples(o.iterations);
    bench_header(&o, COLUMNS);
    for (int kind = 0; kind < BLOCK_KINDS; kind++) {
        struct vector v = vector_make(BLOCKS[kind], strided, packed);
        check(&v);
        measure(&o, &v, samples);
        double us[WAYS];
        for (enum way way = PACK; way < WAYS; way++)
            us[way] = bench_summary(samples[way], o.iterations).median;
        bench_row(&o, COLUMNS, (size_t)v.block * sizeof(double),
                  (double[]){us[PACK], us[PACK_LOOP], us[PACK] / us[PACK_LOOP], us[UNPACK],
                             us[UNPACK_LOOP], us[UNPACK] / us[UNPACK_LOOP]});
        MPI_Type_free(&v.type);
    }
    for (enum way way = PACK; way < WAYS; way++) free(samples[way]);
    free(strided);
    free(packed);
    MPI_Finalize();
    return 0;
}
