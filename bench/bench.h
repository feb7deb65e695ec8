/* What every benchmark here shares: options, the clock, statistics, output. No MPI in this file, so
 * that limits.c, which measures the bare machine, can use it too. Header only: each program stays
 * one `mpicc -O2 latency.c -o latency` away. */
#ifndef DUNLIN_BENCH_H
#define DUNLIN_BENCH_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_setaffinity, memfd_create */
#endif
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BENCH_ALIGN = 4096, BENCH_COLUMNS_MAX = 8 };

struct bench_options {
    const char *name;   /* of the benchmark, repeated in every JSON line */
    const char *about;  /* one sentence for --help */
    size_t bytes_min;
    size_t bytes_max;
    long iterations;    /* measured, per size */
    long warmup;        /* not measured, per size */
    long window;        /* messages in flight (bandwidth) */
    long rotate;        /* buffers used in turn; more than the caches hold makes them cold */
    bool pin;           /* pin the two measuring processes to two cores */
    bool json;
};

struct bench_column {
    const char *key;    /* in JSON, unit last */
    const char *title;  /* in the table */
    int decimals;
};

struct bench_stats {
    double min, median, mean, p99;
};

static inline void bench_die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("bench: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(2);
}

static inline void bench_help(const struct bench_options *o)
{
    printf("%s: %s\n\n", o->name, o->about);
    printf("  --min BYTES    smallest message     (default %zu)\n", o->bytes_min);
    printf("  --max BYTES    largest message      (default %zu); K, M and G are understood\n",
           o->bytes_max);
    printf("  -n COUNT       measured iterations  (default %ld)\n", o->iterations);
    printf("  --warmup COUNT iterations before    (default %ld)\n", o->warmup);
    printf("  --window COUNT messages in flight   (default %ld)\n", o->window);
    printf("  --rotate COUNT buffers used in turn (default %ld)\n", o->rotate);
    printf("  --no-pin       leave the placement to the launcher and the system\n");
    printf("  --json         one JSON object per line\n");
    exit(0);
}

/* A non-negative number with an optional K, M or G (powers of 1024). */
static inline long bench_number(const char *option, const char *text, long least)
{
    if (text == NULL) bench_die("%s needs a number after it; --help lists the options", option);
    char *end = NULL;
    errno = 0;
    long value = strtol(text, &end, 10);
    int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
    if (shift != 0) end++;
    if (errno != 0 || end == text || *end != '\0' || value < least || value > (LONG_MAX >> shift))
        bench_die("%s is `%s`; it must be a whole number of at least %ld", option, text, least);
    return value << shift;
}

static inline void bench_parse(struct bench_options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        const char *next = i + 1 < argc ? argv[i + 1] : NULL;
        bool takes_value = true;
        if (strcmp(a, "--min") == 0) o->bytes_min = (size_t)bench_number(a, next, 0);
        else if (strcmp(a, "--max") == 0) o->bytes_max = (size_t)bench_number(a, next, 0);
        else if (strcmp(a, "-n") == 0) o->iterations = bench_number(a, next, 1);
        else if (strcmp(a, "--warmup") == 0) o->warmup = bench_number(a, next, 0);
        else if (strcmp(a, "--window") == 0) o->window = bench_number(a, next, 1);
        else if (strcmp(a, "--rotate") == 0) o->rotate = bench_number(a, next, 1);
        else {
            takes_value = false;
            if (strcmp(a, "--json") == 0) o->json = true;
            else if (strcmp(a, "--no-pin") == 0) o->pin = false;
            else if (strcmp(a, "--help") == 0) bench_help(o);
            else bench_die("`%s` is not an option; --help lists them", a);
        }
        if (takes_value) i++;
    }
    if (o->bytes_max < o->bytes_min)
        bench_die("--max %zu is below --min %zu", o->bytes_max, o->bytes_min);
}

/* The next message size: 0, 1, 2, 4, 8, ... */
static inline size_t bench_next_size(size_t bytes)
{
    return bytes == 0 ? 1 : bytes * 2;
}

static inline uint64_t bench_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Page-aligned memory, written once so that no page fault falls into a measurement. */
static inline char *bench_alloc(size_t bytes)
{
    size_t rounded = (bytes / BENCH_ALIGN + 1) * BENCH_ALIGN;
    char *memory = aligned_alloc(BENCH_ALIGN, rounded);
    if (memory == NULL)
        bench_die("no memory for %zu bytes; try a smaller --max or --rotate", rounded);
    memset(memory, 1, rounded);
    return memory;
}

static inline double *bench_samples(long count)
{
    return (double *)(void *)bench_alloc((size_t)count * sizeof(double));
}

static inline int bench_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts `samples` in place. */
static inline struct bench_stats bench_summary(double *samples, long count)
{
    double sum = 0;
    for (long i = 0; i < count; i++) sum += samples[i];
    qsort(samples, (size_t)count, sizeof *samples, bench_compare);
    return (struct bench_stats){
        .min = samples[0],
        .median = samples[count / 2],
        .mean = sum / (double)count,
        .p99 = samples[(count - 1) * 99 / 100],
    };
}

/* Pins this process to the `index`-th of the cores it may use. A process that already has a single
 * core keeps it: the launcher has placed it. Returns the core, or -1 where there is no choice. */
static inline int bench_pin(int index)
{
    cpu_set_t allowed, chosen;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return -1;
    int count = CPU_COUNT(&allowed);
    if (count < 2) return -1;
    int left = index % count;
    for (int core = 0; core < CPU_SETSIZE; core++) {
        if (!CPU_ISSET(core, &allowed) || left-- > 0) continue;
        CPU_ZERO(&chosen);
        CPU_SET(core, &chosen);
        return sched_setaffinity(0, sizeof chosen, &chosen) == 0 ? core : -1;
    }
    return -1;
}

static inline void bench_header(const struct bench_options *o, const struct bench_column *columns)
{
    if (o->json) return;
    printf("# %s: %s\n#%11s", o->name, o->about, "Size");
    for (const struct bench_column *c = columns; c->key != NULL; c++) printf("%16s", c->title);
    putchar('\n');
    fflush(stdout);
}

static inline void bench_row(const struct bench_options *o, const struct bench_column *columns,
                             size_t bytes, const double *values)
{
    if (o->json) printf("{\"bench\": \"%s\", \"bytes\": %zu", o->name, bytes);
    else printf("%12zu", bytes);
    for (const struct bench_column *c = columns; c->key != NULL; c++, values++) {
        if (o->json) printf(", \"%s\": %.*f", c->key, c->decimals, *values);
        else printf("%16.*f", c->decimals, *values);
    }
    puts(o->json ? "}" : "");
    fflush(stdout);
}

/* One cache line that two processes bounce. The neighbours' prefetcher works in pairs of lines, so
 * the word has two lines to itself. */
struct bench_line {
    _Alignas(128) uint64_t turn;
};

/* Spins before the core is offered to others: two processes that share one core still finish. */
enum { BENCH_SPINS_BEFORE_YIELD = 20000 };

static inline void bench_line_wait(struct bench_line *line, uint64_t turn)
{
    for (long spins = 0;
         __atomic_load_n(&line->turn, __ATOMIC_ACQUIRE) != turn; spins++) {
        if (spins > BENCH_SPINS_BEFORE_YIELD) sched_yield();
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
}

/* `rounds` round trips of the line, as side 0 or 1; `start` is the turn both sides agree on.
 * Returns nanoseconds per half round trip. */
static inline double bench_line_pingpong(struct bench_line *line, int side, long rounds,
                                         uint64_t start)
{
    uint64_t began_ns = bench_now_ns();
    for (long i = 0; i < rounds; i++) {
        uint64_t ping = start + 2 * (uint64_t)i + 1;
        if (side == 1) bench_line_wait(line, ping);
        __atomic_store_n(&line->turn, side == 0 ? ping : ping + 1, __ATOMIC_RELEASE);
        if (side == 0) bench_line_wait(line, ping + 1);
    }
    return (double)(bench_now_ns() - began_ns) / (double)rounds / 2.0;
}

#endif
