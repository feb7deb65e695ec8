/* MPI_Pack and MPI_Unpack of derived datatypes of every kind. One process; no message is sent. */
#include "bench_layout.h"

static const struct bench_column COLUMNS[] = {
    {"pack_us", "MPI_Pack (us)", 3}, {"unpack_us", "MPI_Unpack (us)", 3}, {NULL, NULL, 0},
};

struct data {
    struct bench_layout layout;
    char *memory, *packed;
    size_t stride, packed_stride;
    long buffers;
    int bytes; /* of room for what is packed */
};

static void pack_once(void *context, long i)
{
    const struct data *d = context;
    int position = 0;
    MPI_Pack(d->memory + (size_t)(i % d->buffers) * d->stride, d->layout.count, d->layout.type,
             d->packed + (size_t)(i % d->buffers) * d->packed_stride, d->bytes, &position,
             MPI_COMM_SELF);
}

static void unpack_once(void *context, long i)
{
    const struct data *d = context;
    int position = 0;
    MPI_Unpack(d->packed + (size_t)(i % d->buffers) * d->packed_stride, d->bytes, &position,
               d->memory + (size_t)(i % d->buffers) * d->stride, d->layout.count,
               d->layout.type, MPI_COMM_SELF);
}

/* What was packed and unpacked packs to the same again; the gaps stay as they were. */
static void check(struct data *d)
{
    size_t span = d->layout.span, data = 0;
    for (size_t i = 0; i < span; i++) d->memory[i] = (char)(1 + i % 120);
    pack_once(d, 0);
    memset(d->memory, 0, span);
    unpack_once(d, 0);
    for (size_t i = 0; i < span; i++) {
        data += d->memory[i] != 0;
        if (d->memory[i] != 0 && d->memory[i] != (char)(1 + i % 120))
            bench_die("byte %zu is %d after it was packed and unpacked", i, d->memory[i]);
    }
    if (data != d->layout.bytes)
        bench_die("%zu bytes came back; there are %zu", data, d->layout.bytes);
}

static double measure(const struct bench_options *o, void (*once)(void *, long), struct data *d,
                      double *samples_us)
{
    long iterations = bench_warm(o, once, d);
    for (long i = 0; i < iterations; i++) {
        uint64_t before_ns = bench_now_ns();
        once(d, i);
        samples_us[i] = (double)(bench_now_ns() - before_ns) / 1000.0;
    }
    return bench_summary(samples_us, iterations).median;
}

int main(int argc, char **argv)
{
    struct bench_options o = {.name = "pack_layout", .about = "packing by MPI_Pack and MPI_Unpack",
                              .bytes_min = 1, .bytes_max = 256 << 10, .iterations = 5000,
                              .warmup = 100, .budget_ms = 100, .window = 1, .rotate = 1,
                              .layout = "dense"};
    bench_init(&o, argc, argv, 1);
    double *samples_us = bench_samples(o.iterations);
    bench_header(&o, COLUMNS);
    for (int i = 0; i < o.size_count; i++) {
        struct data d = {.layout = bench_layout_make(&o, o.sizes[i]), .buffers = o.rotate};
        MPI_Pack_size(d.layout.count, d.layout.type, MPI_COMM_SELF, &d.bytes);
        d.stride = bench_stride(d.layout.span);
        d.packed_stride = bench_stride((size_t)d.bytes);
        d.memory = bench_alloc(d.stride * (size_t)d.buffers);
        d.packed = bench_alloc(d.packed_stride * (size_t)d.buffers);
        check(&d);
        double pack_us = measure(&o, pack_once, &d, samples_us);
        double unpack_us = measure(&o, unpack_once, &d, samples_us);
        bench_row(&o, COLUMNS, d.layout.bytes, (double[]){pack_us, unpack_us});
        bench_layout_free(&d.layout);
        free(d.memory);
        free(d.packed);
    }
    free(samples_us);
    MPI_Finalize();
    return 0;
}
