/* What the bare machine can do, without MPI: the half round trip of one cache line between two
 * processes on two cores, the rate at which one core copies memory, and the time of the system call
 * that copies from another process. A message inside a node can be no faster than the first, and no
 * library that copies once beats the others. */
#include "bench_line.h"
#include "bench_output.h"
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINE_BATCHES = 101, LINE_ROUNDS = 2000 };

/* Bytes copied per sample: enough that the clock's 20 ns do not show. */
static const size_t COPY_SAMPLE_BYTES = 8u << 20;
/* System calls per sample, where they are short. */
enum { CALLS_PER_SAMPLE_MAX = 256 };

static const struct bench_column LINE[] = {
    {"median_ns", "Median (ns)", 1}, {"min_ns", "Min (ns)", 1}, {NULL, NULL, 0},
};
static const struct bench_column COPY[] = {
    {"mb_per_s", "MB/s", 1}, {"best_mb_per_s", "Best MB/s", 1}, {NULL, NULL, 0},
};
static const struct bench_column CALL[] = {
    {"median_us", "Median (us)", 3}, {"min_us", "Min (us)", 3}, {"mb_per_s", "MB/s", 1},
    {NULL, NULL, 0},
};

static void *share(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) bench_die("cannot map shared memory: %s", strerror(errno));
    return memory;
}

/* A second process. What is still to be printed is printed first, or both would print it. */
static pid_t start_second(void)
{
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) bench_die("cannot start a second process: %s", strerror(errno));
    return child;
}

static void line_side(const struct bench_options *o, struct bench_line *line, int side,
                      double *samples_ns)
{
    if (o->pin) bench_pin(side);
    for (uint64_t b = 0; b < LINE_BATCHES; b++)
        samples_ns[b] = bench_line_pingpong(line, side, LINE_ROUNDS, b * 2 * LINE_ROUNDS);
}

static void measure_line(struct bench_options o)
{
    o.name = "cache_line";
    o.about = "half round trip of one cache line between two processes";
    struct bench_line *line = share(sizeof *line);
    double samples_ns[LINE_BATCHES];
    pid_t child = start_second();
    line_side(&o, line, child == 0 ? 1 : 0, samples_ns);
    if (child == 0) _exit(0);
    waitpid(child, NULL, 0);
    struct bench_stats s = bench_summary(samples_ns, LINE_BATCHES);
    bench_header(&o, LINE);
    bench_row(&o, LINE, sizeof line->turn, (double[]){s.median, s.min});
    munmap(line, sizeof *line);
}

static double copy_once(char *to, const char *from, size_t bytes)
{
    size_t repeats = bytes >= COPY_SAMPLE_BYTES ? 1 : COPY_SAMPLE_BYTES / bytes;
    uint64_t before_ns = bench_now_ns();
    for (size_t i = 0; i < repeats; i++) {
        memcpy(to, from, bytes);
        /* Without this the compiler may drop copies whose result nobody reads. */
        __asm__ volatile("" : : "r"(to), "r"(from) : "memory");
    }
    double elapsed_s = (double)(bench_now_ns() - before_ns) * 1e-9;
    return (double)(repeats * bytes) * 1e-6 / elapsed_s;
}

static void measure_copy(struct bench_options o)
{
    o.name = "memory_copy";
    o.about = "one core copies between two buffers";
    char *from = bench_alloc(o.bytes_max), *to = bench_alloc(o.bytes_max);
    double *samples = bench_samples(o.iterations);
    bench_header(&o, COPY);
    for (int s = 0; s < o.size_count; s++) {
        size_t bytes = o.sizes[s];
        for (long i = 0; i < o.warmup; i++) copy_once(to, from, bytes);
        for (long i = 0; i < o.iterations; i++) samples[i] = copy_once(to, from, bytes);
        struct bench_stats rate = bench_summary(samples, o.iterations);
        bench_row(&o, COPY, bytes, (double[]){rate.median, samples[o.iterations - 1]});
    }
    free(from);
    free(to);
    free(samples);
}

/* What the second process tells the first. */
struct neighbour {
    struct bench_line line; /* 1: its buffer is written; 2: it may go */
    void *buffer;
};

/* Holds a buffer on the other core until it is told to go. Does not return. */
static void be_read(const struct bench_options *o, struct neighbour *n)
{
#if defined(PR_SET_PTRACER)
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY); /* some systems let only a parent's parent read */
#endif
    if (o->pin) bench_pin(1);
    n->buffer = bench_alloc(o->bytes_max);
    __atomic_store_n(&n->line.turn, 1, __ATOMIC_RELEASE); /* pairs with the wait of the reader */
    bench_line_wait(&n->line, 2);
    _exit(0);
}

/* Microseconds per call; negative where the system forbids it. */
static double read_once(pid_t from, void *there, char *here, size_t bytes)
{
    struct iovec mine = {here, bytes}, theirs = {there, bytes};
    size_t calls = bytes >= COPY_SAMPLE_BYTES ? 1 : COPY_SAMPLE_BYTES / bytes;
    if (calls > CALLS_PER_SAMPLE_MAX) calls = CALLS_PER_SAMPLE_MAX;
    uint64_t before_ns = bench_now_ns();
    for (size_t i = 0; i < calls; i++)
        if (process_vm_readv(from, &mine, 1, &theirs, 1, 0) != (ssize_t)bytes) return -1;
    return (double)(bench_now_ns() - before_ns) / 1000.0 / (double)calls;
}

static void read_sizes(const struct bench_options *o, pid_t from, void *there)
{
    char *here = bench_alloc(o->bytes_max);
    double *samples_us = bench_samples(o->iterations);
    for (int s = 0; s < o->size_count; s++) {
        size_t bytes = o->sizes[s];
        if (read_once(from, there, here, bytes) < 0) {
            fprintf(stderr, "# this system lets no process read another's memory: %s\n",
                    strerror(errno));
            break;
        }
        for (long i = 0; i < o->iterations; i++)
            samples_us[i] = read_once(from, there, here, bytes);
        struct bench_stats t = bench_summary(samples_us, o->iterations);
        bench_row(o, CALL, bytes, (double[]){t.median, t.min, (double)bytes / t.median});
    }
    free(here);
    free(samples_us);
}

static void measure_single_copy(struct bench_options o)
{
    o.name = "single_copy";
    o.about = "one process_vm_readv from a process on another core";
    struct neighbour *n = share(sizeof *n);
    pid_t child = start_second();
    if (child == 0) be_read(&o, n);
    if (o.pin) bench_pin(0);
    bench_line_wait(&n->line, 1);
    bench_header(&o, CALL);
    read_sizes(&o, child, n->buffer);
    __atomic_store_n(&n->line.turn, 2, __ATOMIC_RELEASE); /* pairs with the child's wait */
    waitpid(child, NULL, 0);
    munmap(n, sizeof *n);
}

int main(int argc, char **argv)
{
    static const char *parts[] = {"cache_line", "memory_copy", "single_copy"};
    struct bench_options o = {.name = "limits", .about = "the bare machine, without MPI",
                              .op = "all",
                              .extra = "  --op A,B,..    only these of cache_line, memory_copy, "
                                       "single_copy\n",
                              .bytes_min = 1024, .bytes_max = 4 << 20, .iterations = 21,
                              .warmup = 3, .window = 1, .rotate = 1, .pin = true};
    bench_parse(&o, argc, argv);
    bench_check_names("--op", o.op, parts, 3);
    for (int s = 0; s < o.size_count; s++)
        if (o.sizes[s] == 0) o.sizes[s] = 1;
    cpu_set_t all;
    bool known = sched_getaffinity(0, sizeof all, &all) == 0;
    if (bench_named(o.op, parts[0])) measure_line(o);
    /* The next second process must find more than the one core this process was pinned to. */
    if (known) sched_setaffinity(0, sizeof all, &all);
    if (bench_named(o.op, parts[1])) measure_copy(o);
    if (bench_named(o.op, parts[2])) measure_single_copy(o);
    return 0;
}
