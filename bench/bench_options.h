/* The options of the benchmarks: one list for all, so that they read alike everywhere. */
#ifndef DUNLIN_BENCH_OPTIONS_H
#define DUNLIN_BENCH_OPTIONS_H

#include "bench.h"

enum { BENCH_SIZES_MAX = 64 };

struct bench_options {
    const char *name;   /* of the benchmark, repeated in every JSON line */
    const char *about;  /* one sentence for --help */
    const char *extra;  /* what --help says about options that only this program has */
    size_t bytes_min;
    size_t bytes_max;
    size_t sizes[BENCH_SIZES_MAX]; /* the sizes to measure; bench_parse fills it */
    int size_count;
    long iterations;    /* measured, per size: at most so many */
    long warmup;        /* not measured, per size: at most so many */
    long budget_ms;     /* fewer iterations where they would take longer than this; 0: no limit */
    long window;        /* messages in flight (bandwidth) */
    long rotate;        /* buffers used in turn; more than the caches hold makes them cold */
    long offset;        /* bytes from the beginning of a page to the origin's memory (onesided) */
    long threads;       /* of each rank (latency_threads, threads_rate) */
    long idle_us;       /* instead of computing, sleep so much longer than an operation takes; 0:
                           compute (overlap, collective) */
    const char *op;     /* operations by name, with commas between (collective) */
    const char *mode;   /* how operations are started (collective), which communicators
                           (threads_rate), the call that completes requests (bandwidth) */
    const char *flavor; /* of windows, with commas between (onesided, passive_target) */
    const char *sync;   /* how they are synchronised, with commas between (onesided) */
    const char *beside; /* what lies about meanwhile, see bench_beside.h (latency, onesided) */
    const char *layout; /* a datatype of bench_layout.h; sizes then count its elements */
    bool both_ways;     /* both sides send at once (bandwidth, latency) */
    bool writes;        /* each message's data is written just before it is sent (latency) */
    bool one_buffer;    /* all messages of a window arrive in the same memory (bandwidth) */
    bool pin;           /* pin a host's rank i to its i-th usable core */
    bool json;
    bool samples;       /* every measured value too, in JSON */
    bool placement;     /* first say where each rank runs, in JSON */
    bool messages_clock; /* synchronise clocks by messages, also on one node (collective) */
    bool completion;     /* of blocking operations the time to completion alone (collective) */
};

static inline void bench_help(const struct bench_options *o)
{
    printf("%s: %s\n\n", o->name, o->about);
    printf("  --min BYTES    smallest message     (default %zu)\n", o->bytes_min);
    printf("  --max BYTES    largest message      (default %zu); K, M and G are understood\n",
           o->bytes_max);
    printf("  --sizes A,B,.. these sizes instead of the powers of two from --min to --max\n");
    printf("  -n COUNT       measured iterations  (default at most %ld)\n", o->iterations);
    printf("  --warmup COUNT iterations before    (default at most %ld)\n", o->warmup);
    printf("  --budget MS    fewer iterations where they would take longer (default %ld; 0: no "
           "limit)\n", o->budget_ms);
    printf("  --window COUNT messages in flight   (default %ld)\n", o->window);
    printf("  --rotate COUNT buffers used in turn (default %ld)\n", o->rotate);
    printf("  --layout NAME  of a derived datatype; sizes count its elements (latency, bandwidth, "
           "collective, pack_layout)\n");
    if (o->extra != NULL) fputs(o->extra, stdout);
    printf("  --pin          pin a host's rank i to its i-th usable core, after MPI_Init\n");
    printf("  --no-pin       leave the placement to the launcher and the system\n");
    printf("  --json         one JSON object per line\n");
    printf("  --samples      in JSON: every measured value too\n");
    printf("  --placement    in JSON: first the host and the cores of each rank\n");
    exit(0);
}

/* Reads a number with an optional K, M or G (powers of 1024) at `text`; `*end` is what follows. */
static inline long bench_number_at(const char *option, const char *text, long least, char **end)
{
    if (text == NULL) bench_die("%s needs a number after it; --help lists the options", option);
    errno = 0;
    long value = strtol(text, end, 10);
    bool digits = *end != text;
    int shift = **end == 'K' ? 10 : **end == 'M' ? 20 : **end == 'G' ? 30 : 0;
    if (shift != 0) ++*end;
    if (errno != 0 || !digits || value < least || value > (LONG_MAX >> shift))
        bench_die("%s is `%s`; it must be a whole number of at least %ld", option, text, least);
    return value << shift;
}

static inline long bench_number(const char *option, const char *text, long least)
{
    char *end = NULL;
    long value = bench_number_at(option, text, least, &end);
    if (*end != '\0')
        bench_die("%s is `%s`; it must be a whole number of at least %ld", option, text, least);
    return value;
}

static inline void bench_add_size(struct bench_options *o, size_t bytes)
{
    if (o->size_count == BENCH_SIZES_MAX)
        bench_die("there are more than %d sizes; name fewer", BENCH_SIZES_MAX);
    o->sizes[o->size_count++] = bytes;
}

static inline void bench_parse_sizes(struct bench_options *o, const char *text)
{
    o->size_count = 0;
    o->bytes_max = 0;
    for (bool more = true; more;) {
        char *end = NULL;
        size_t bytes = (size_t)bench_number_at("--sizes", text, 0, &end);
        bench_add_size(o, bytes);
        if (bytes > o->bytes_max) o->bytes_max = bytes;
        more = *end == ',';
        if (!more && *end != '\0')
            bench_die("--sizes is `%s`; it must be numbers with commas between", text);
        if (text != NULL) text = end + 1;
    }
}

/* Options with a value; false if `a` is none of them. */
static inline bool bench_parse_value(struct bench_options *o, const char *a, const char *next)
{
    if (strcmp(a, "--min") == 0) o->bytes_min = (size_t)bench_number(a, next, 0);
    else if (strcmp(a, "--max") == 0) o->bytes_max = (size_t)bench_number(a, next, 0);
    else if (strcmp(a, "--sizes") == 0) bench_parse_sizes(o, next);
    else if (strcmp(a, "-n") == 0) o->iterations = bench_number(a, next, 1);
    else if (strcmp(a, "--warmup") == 0) o->warmup = bench_number(a, next, 0);
    else if (strcmp(a, "--budget") == 0) o->budget_ms = bench_number(a, next, 0);
    else if (strcmp(a, "--window") == 0) o->window = bench_number(a, next, 1);
    else if (strcmp(a, "--rotate") == 0) o->rotate = bench_number(a, next, 1);
    else if (strcmp(a, "--offset") == 0 && o->sync != NULL) o->offset = bench_number(a, next, 0);
    else if (strcmp(a, "--threads") == 0 && o->threads > 0) o->threads = bench_number(a, next, 1);
    else if (strcmp(a, "--idle") == 0) o->idle_us = bench_number(a, next, 1);
    else if (strcmp(a, "--layout") == 0 && next != NULL) o->layout = next;
    else if (strcmp(a, "--op") == 0 && o->op != NULL && next != NULL) o->op = next;
    else if (strcmp(a, "--mode") == 0 && o->mode != NULL && next != NULL) o->mode = next;
    else if (strcmp(a, "--flavor") == 0 && o->flavor != NULL && next != NULL) o->flavor = next;
    else if (strcmp(a, "--beside") == 0 && o->beside != NULL && next != NULL) o->beside = next;
    else if (strcmp(a, "--sync") == 0 && o->sync != NULL && next != NULL) o->sync = next;
    else return false;
    return true;
}

static inline void bench_parse(struct bench_options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        if (bench_parse_value(o, a, i + 1 < argc ? argv[i + 1] : NULL)) i++;
        else if (strcmp(a, "--json") == 0) o->json = true;
        else if (strcmp(a, "--samples") == 0) o->json = o->samples = true;
        else if (strcmp(a, "--placement") == 0) o->json = o->placement = true;
        else if (strcmp(a, "--messages-clock") == 0) o->messages_clock = true;
        else if (strcmp(a, "--completion") == 0) o->completion = true;
        else if (strcmp(a, "--pin") == 0) o->pin = true;
        else if (strcmp(a, "--no-pin") == 0) o->pin = false;
        else if (strcmp(a, "--both-ways") == 0) o->both_ways = true;
        else if (strcmp(a, "--one-buffer") == 0) o->one_buffer = true;
        else if (strcmp(a, "--write") == 0) o->writes = true;
        else if (strcmp(a, "--help") == 0) bench_help(o);
        else bench_die("`%s` is not an option; --help lists them", a);
    }
    if (o->size_count > 0) return;
    if (o->bytes_max < o->bytes_min)
        bench_die("--max %zu is below --min %zu", o->bytes_max, o->bytes_min);
    for (size_t b = o->bytes_min; b <= o->bytes_max; b = b == 0 ? 1 : b * 2) bench_add_size(o, b);
}

/* Is `name` in the list, or is the list "all"? */
static inline bool bench_named(const char *list, const char *name)
{
    size_t length = strlen(name);
    if (strcmp(list, "all") == 0) return true;
    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        if (*at == ',') at++;
        bool ends = strncmp(at, name, length) == 0 && (at[length] == '\0' || at[length] == ',');
        if (ends) return true;
    }
    return false;
}

/* A misspelt name in a list ends the run before anything is measured. */
static inline void bench_check_names(const char *option, const char *list,
                                     const char *const *names, int count)
{
    int found = 0, asked = 1;
    for (const char *at = list; *at != '\0'; at++) asked += *at == ',';
    for (int i = 0; i < count; i++) found += bench_named(list, names[i]);
    if (found >= asked) return;
    fprintf(stderr, "bench: %s is `%s`; it must be all, or some of:", option, list);
    for (int i = 0; i < count; i++) fprintf(stderr, " %s", names[i]);
    bench_die("see above");
}

#endif
