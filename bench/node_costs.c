/* What a model of a node needs beside bench/limits.c: copying what another core has just written,
 * adding up, touching fresh memory, all cores copying from memory at once, and several processes
 * copying out of another's memory at once.
 * Ranks 0 and 1 measure; the others, one for each core, help where all cores are meant. */
#include "bench_line.h"
#include "bench_shared.h"
#include <math.h>
#include <sys/mman.h>
#include <sys/uio.h>

static const struct bench_column RATE[] = {
    {"bytes_per_ns", "Bytes/ns", 2}, {"best_bytes_per_ns", "Best bytes/ns", 2}, {NULL, NULL, 0},
};

/* More than any cache holds. */
static const size_t LONG_BYTES = 64u << 20;
/* Of a mapping that is touched page by page. */
static const size_t FRESH_BYTES = 2u << 20, PAGE_BYTES = 4096;

struct costs {
    const struct bench_options *o;
    struct bench_world w;
    struct bench_line *line; /* in shared memory, as is `data` */
    char *data, *own;
    double *samples;
    uint64_t turn;
};

/* Nanoseconds for what `work` does `times` times. */
static double timed(void (*work)(const struct costs *, size_t), const struct costs *c,
                    size_t bytes, long times)
{
    uint64_t before_ns = bench_now_ns();
    for (long i = 0; i < times; i++) work(c, bytes);
    return (double)(bench_now_ns() - before_ns) / (double)times;
}

static void copy_shared(const struct costs *c, size_t bytes)
{
    memcpy(c->own, c->data, bytes);
    __asm__ volatile("" : : "r"(c->own) : "memory");
}

static void add_up(const struct costs *c, size_t bytes)
{
    int count = bench_count(bytes / sizeof(float));
    MPI_Reduce_local(c->own, c->own + bytes, count, MPI_FLOAT, MPI_SUM);
}

static void copy_long(const struct costs *c, size_t bytes)
{
    memcpy(c->own, c->own + bytes, bytes);
    __asm__ volatile("" : : "r"(c->own) : "memory");
}

static void tell(const struct costs *c, const char *name, const char *about, size_t bytes)
{
    struct bench_options o = *c->o;
    o.name = name, o.about = about;
    if (c->w.rank != 0) return;
    struct bench_stats s = bench_summary(c->samples, o.iterations);
    double n = (double)bytes;
    bench_header(&o, RATE);
    bench_row(&o, RATE, bytes, (double[]){n / s.median, n / s.min});
}

/* Rank 1 writes, rank 0 then copies: every line is in the other core's cache. */
static void measure_remote_copy(struct costs *c, size_t bytes)
{
    for (long i = 0; i < c->o->iterations; i++) {
        c->turn += 2;
        if (c->w.rank == 1) {
            bench_line_wait(c->line, c->turn - 1);
            memset(c->data, (int)i, bytes);
            __atomic_store_n(&c->line->turn, c->turn, __ATOMIC_RELEASE);
        } else if (c->w.rank == 0) {
            __atomic_store_n(&c->line->turn, c->turn - 1, __ATOMIC_RELEASE);
            bench_line_wait(c->line, c->turn);
            c->samples[i] = timed(copy_shared, c, bytes, 1);
        }
    }
    tell(c, "remote_copy", "copying what another core has just written", bytes);
}

static void measure_adding(const struct costs *c, size_t bytes)
{
    for (long i = 0; i < c->o->iterations; i++)
        c->samples[i] = timed(add_up, c, bytes, bytes < LONG_BYTES ? 100 : 1);
    tell(c, "reduce", "MPI_Reduce_local of floats", bytes);
}

/* The kernel gives each page when it is touched. */
static void measure_fresh(const struct costs *c)
{
    if (c->w.rank != 0) return;
    for (long i = 0; i < c->o->iterations; i++) {
        uint64_t before_ns = bench_now_ns();
        char *fresh = mmap(NULL, FRESH_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                           -1, 0);
        if (fresh == MAP_FAILED) bench_die("cannot map memory: %s", strerror(errno));
        for (size_t at = 0; at < FRESH_BYTES; at += PAGE_BYTES)
            *(volatile char *)(fresh + at) = 1;
        munmap(fresh, FRESH_BYTES);
        c->samples[i] = (double)(bench_now_ns() - before_ns);
    }
    tell(c, "fresh_memory", "touching fresh memory, and giving it back", FRESH_BYTES);
}

static void measure_memory(const struct costs *c, bool all)
{
    for (long i = 0; i < c->o->iterations; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (all || c->w.rank == 0) c->samples[i] = timed(copy_long, c, LONG_BYTES / 2, 1);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    size_t bytes = LONG_BYTES / 2 * (size_t)(all ? c->w.size : 1);
    tell(c, all ? "memory_copy_all" : "memory_copy_one",
         all ? "all ranks copy from and to memory" : "one core copies from and to memory", bytes);
}

/* Ranks that copy at the same time, and what each copies: all of it lies in one huge page. */
static const int READERS_MIN = 3, READERS_MAX = 15;
static const size_t READ_BYTES = 128u << 10, HUGE_BYTES = 2u << 20;

static double read_from(pid_t owner, char *from, char *to)
{
    struct iovec local = {to, READ_BYTES}, remote = {from, READ_BYTES};
    uint64_t before_ns = bench_now_ns();
    ssize_t got = process_vm_readv(owner, &local, 1, &remote, 1, 0);
    return got == (ssize_t)READ_BYTES ? (double)(bench_now_ns() - before_ns) : HUGE_VAL;
}

/* The kernel counts who uses a page, and a huge page has one counter for all of it: bytes that go
 * out of it while several copy. Nothing where there are too few cores, or it is forbidden. */
static void measure_reads_at_once(const struct costs *c)
{
    int readers = c->w.size - 1 < READERS_MAX ? c->w.size - 1 : READERS_MAX;
    if (readers < READERS_MIN) return;
    char *memory = NULL, *page = NULL;
    if (c->w.rank == 0) {
        memory = bench_alloc(2 * HUGE_BYTES);
        page = memory + (HUGE_BYTES - (uintptr_t)memory % HUGE_BYTES) % HUGE_BYTES;
        madvise(page, HUGE_BYTES, MADV_HUGEPAGE);
        memset(page, 1, HUGE_BYTES);
    }
    uint64_t owner[] = {(uint64_t)getpid(), (uint64_t)(uintptr_t)page};
    MPI_Bcast(owner, 2, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    bool reads = 0 < c->w.rank && c->w.rank <= readers;
    char *from = (char *)(uintptr_t)owner[1] + (size_t)(reads ? c->w.rank - 1 : 0) * READ_BYTES;
    bool allowed = true;
    for (long i = 0; i < c->o->iterations; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double ns = reads ? read_from((pid_t)owner[0], from, c->own) : 0;
        MPI_Reduce(&ns, &c->samples[i], 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        allowed = allowed && (c->w.rank != 0 || c->samples[i] < HUGE_VAL);
    }
    if (allowed)
        tell(c, "single_copy_at_once", "the kernel copies from one huge page for several ranks",
             (size_t)readers * READ_BYTES);
    free(memory);
}

int main(int argc, char **argv)
{
    struct bench_options o = {.name = "node_costs", .about = "what a model of a node needs",
                              .bytes_min = 1024, .bytes_max = 256 << 10, .iterations = 21,
                              .window = 1, .rotate = 1, .pin = true};
    bench_parse(&o, argc, argv);
    MPI_Init(&argc, &argv);
    struct costs c = {.o = &o, .w = bench_join(&o, "node_costs", 2)};
    char *shared = bench_share(c.w.rank, sizeof *c.line + o.bytes_max);
    c.line = (struct bench_line *)shared;
    c.data = shared + sizeof *c.line;
    c.own = bench_alloc(2 * o.bytes_max > LONG_BYTES ? 2 * o.bytes_max : LONG_BYTES);
    c.samples = bench_samples(o.iterations);
    for (int s = 0; s < o.size_count; s++) {
        MPI_Barrier(MPI_COMM_WORLD);
        measure_remote_copy(&c, o.sizes[s]);
        measure_adding(&c, o.sizes[s]);
    }
    measure_fresh(&c);
    measure_memory(&c, false);
    measure_memory(&c, true);
    measure_reads_at_once(&c);
    free(c.own);
    free(c.samples);
    MPI_Finalize();
    return 0;
}
