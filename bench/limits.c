/* What the bare machine can do, without MPI: the half round trip of one cache line between two
 * processes on two cores, and the rate at which one core copies memory. A message inside a node can
 * be no faster than the first, and no library that copies once beats the second. */
#include "bench.h"
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINE_BATCHES = 101, LINE_ROUNDS = 2000 };

/* Bytes copied per sample: enough that the clock's 20 ns do not show. */
static const size_t COPY_SAMPLE_BYTES = 8u << 20;

static const struct bench_column LINE[] = {
    {"median_ns", "Median (ns)", 1}, {"min_ns", "Min (ns)", 1}, {NULL, NULL, 0},
};
static const struct bench_column COPY[] = {
    {"mb_per_s", "MB/s", 1}, {"best_mb_per_s", "Best MB/s", 1}, {NULL, NULL, 0},
};

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
    struct bench_line *line = mmap(NULL, sizeof *line, PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (line == MAP_FAILED) bench_die("cannot map shared memory: %s", strerror(errno));
    double samples_ns[LINE_BATCHES];
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) bench_die("cannot start a second process: %s", strerror(errno));
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
    for (size_t bytes = o.bytes_min; bytes <= o.bytes_max; bytes = bench_next_size(bytes)) {
        for (long i = 0; i < o.warmup; i++) copy_once(to, from, bytes);
        for (long i = 0; i < o.iterations; i++) samples[i] = copy_once(to, from, bytes);
        struct bench_stats s = bench_summary(samples, o.iterations);
        bench_row(&o, COPY, bytes, (double[]){s.median, samples[o.iterations - 1]});
    }
    free(from);
    free(to);
    free(samples);
}

int main(int argc, char **argv)
{
    struct bench_options o = {.name = "limits", .about = "the bare machine, without MPI",
                              .bytes_min = 1024, .bytes_max = 4 << 20, .iterations = 21,
                              .warmup = 3, .window = 1, .rotate = 1, .pin = true};
    bench_parse(&o, argc, argv);
    if (o.bytes_min == 0) o.bytes_min = 1;
    measure_line(o);
    measure_copy(o);
    return 0;
}
