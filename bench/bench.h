/* What every benchmark here shares: the clock, memory, statistics, pinning. No MPI in this file, so
 * that limits.c, which measures the bare machine, can use it too. Header only: each program stays
 * one `mpicc -O2 latency.c -o latency` away. */
#ifndef DUNLIN_BENCH_H
#define DUNLIN_BENCH_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_setaffinity, memfd_create */
#endif
#include <dirent.h>
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

enum { BENCH_ALIGN = 4096 };

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

/* How many cores this process may run on; 0 where that is not known. */
static inline int bench_usable_cores(void)
{
    cpu_set_t allowed;
    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 0;
}

/* Pins all threads of this process, also those of a library. True if this one is. */
static inline bool bench_pin_threads(const cpu_set_t *chosen)
{
    DIR *threads = opendir("/proc/self/task");
    for (struct dirent *entry; threads != NULL && (entry = readdir(threads)) != NULL;) {
        int thread = atoi(entry->d_name);
        /* It may have ended. */
        if (thread > 0) sched_setaffinity(thread, sizeof *chosen, chosen);
    }
    if (threads != NULL) closedir(threads);
    return sched_setaffinity(0, sizeof *chosen, chosen) == 0;
}

/* Pins this process to the `index`-th of the cores it may use, as a launcher would have. A process
 * that already has a single core keeps it. Returns the core, or -1 where there is no choice. */
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
        return bench_pin_threads(&chosen) ? core : -1;
    }
    return -1;
}

#endif
