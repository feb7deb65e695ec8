/* How results are printed: columns for people, one JSON object per line for programs. */
#ifndef DUNLIN_BENCH_OUTPUT_H
#define DUNLIN_BENCH_OUTPUT_H

#include "bench_options.h"

struct bench_column {
    const char *key;    /* in JSON, unit last */
    const char *title;  /* in the table */
    int decimals;
};

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

/* Each measured time, in the order in which they were measured. `clock` is "local" for a rank's own
 * and "global" for one that all ranks share. */
static inline void bench_values(const struct bench_options *o, size_t bytes, const char *clock,
                                const double *values_us, long count)
{
    if (!o->samples) return;
    printf("{\"bench\": \"%s\", \"bytes\": %zu, \"metric\": \"time_us\", \"clock\": \"%s\", "
           "\"values\": [", o->name, bytes, clock);
    for (long i = 0; i < count; i++) printf("%s%.3f", i == 0 ? "" : ",", values_us[i]);
    puts("]}");
}

#endif
