/* One-sided communication between two ranks: an operation and its completion, on windows of every
 * flavor, with every synchronisation. With `--window N` N operations are completed at once, which
 * gives rates. Where the library lets this process see the partner's memory, each time stands
 * beside that of the machine's own instructions on the same memory, measured in turns. */
#include "bench_beside.h"
#include "bench_onesided.h"

static const struct bench_column TIMES[] = {
    {"median_us", "Median (us)", 4}, {"min_us", "Min (us)", 4}, {"p99_us", "p99 (us)", 4},
    {"mean_us", "Mean (us)", 4},     {NULL, NULL, 0},
};
static const struct bench_column TIMES_AND_BARE[] = {
    {"median_us", "Median (us)", 4}, {"min_us", "Min (us)", 4}, {"p99_us", "p99 (us)", 4},
    {"mean_us", "Mean (us)", 4},     {"bare_us", "Bare (us)", 4}, {"to_bare", "Ratio", 2},
    {NULL, NULL, 0},
};
static const struct bench_column RATES[] = {
    {"operations_per_s", "Operations/s", 0}, {"mb_per_s", "MB/s", 2}, {NULL, NULL, 0},
};

/* What one sample takes at least, so that reading the clock (25 ns) does not show. */
enum { SAMPLE_NS = 20000, BATCH_MAX = 1 << 14, CALIBRATIONS = 3, NAME_BYTES = 80 };

/* One sample: epochs in a row. */
static void epochs(void *context, long sample)
{
    const struct session *s = context;
    (void)sample;
    for (long i = 0; i < s->batch; i++) s->sync->epoch(s);
}

/* The same on the partner's memory by the machine's own instructions. */
static void bare_operations(void *context, long sample)
{
    const struct session *s = context;
    (void)sample;
    for (long i = 0; i < s->bare_batch; i++) s->op->bare(s);
}

/* Nanoseconds of a sample, by the clock of this rank. */
static double timed_ns(void (*sample)(void *, long), struct session *s)
{
    uint64_t before_ns = bench_now_ns();
    sample(s, 0);
    return (double)(bench_now_ns() - before_ns);
}

/* Is a sample long enough? The quickest of several tries says so: a first one is slow. */
static int is_enough(void (*sample)(void *, long), struct session *s)
{
    double best_ns = timed_ns(sample, s);
    for (int i = 1; i < CALIBRATIONS; i++) {
        double took_ns = timed_ns(sample, s);
        if (took_ns < best_ns) best_ns = took_ns;
    }
    return best_ns >= SAMPLE_NS;
}

/* Only where the target takes no part: in active synchronisation its part is what costs. */
static bool has_bare(const struct session *s)
{
    return s->rank == 0 && s->window.partner != NULL && !s->sync->active && s->in_flight == 1;
}

/* How many epochs make a sample: rank 0 finds out and tells the other, whose part in active
 * synchronisation must be as long. */
static void calibrate(struct session *s)
{
    int enough = 0;
    for (s->batch = 1; !enough && s->batch < BATCH_MAX;) {
        enough = is_enough(epochs, s);
        MPI_Bcast(&enough, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (!enough) s->batch *= 2;
    }
    s->bare_batch = 1;
    while (has_bare(s) && s->bare_batch < BATCH_MAX && !is_enough(bare_operations, s))
        s->bare_batch *= 2;
}

/* In active synchronisation both ranks operate in turn: a time is half of what both took. */
static void measure(struct session *s, long samples, double *mpi_us, double *by_bare_us)
{
    double operations = (double)(s->batch * s->in_flight * (s->sync->active ? 2 : 1));
    bool bare = has_bare(s);
    MPI_Barrier(MPI_COMM_WORLD);
    for (long i = 0; i < samples; i++) {
        mpi_us[i] = timed_ns(epochs, s) / 1000.0 / operations;
        if (bare)
            by_bare_us[i] = timed_ns(bare_operations, s) / 1000.0 / (double)s->bare_batch;
    }
}

/* An operation that moved the wrong bytes would be quick for nothing: one epoch of one operation,
 * on numbers of which those at the target are k and those at the origin 2 k. */
static void check(struct session *s)
{
    int64_t *own = words(s->window.own), *origin = words(s->origin), *result = words(s->result);
    const struct operation *op = s->op;
    size_t count = op->single ? 1 : s->bytes / sizeof *own;
    for (size_t k = 0; k < count; k++) {
        own[k] = (int64_t)k + 1;
        origin[k] = 2 * ((int64_t)k + 1);
        result[k] = 0;
    }
    long in_flight = s->in_flight;
    s->in_flight = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    s->sync->open(s);
    s->sync->epoch(s);
    s->sync->close(s);
    MPI_Barrier(MPI_COMM_WORLD);
    s->in_flight = in_flight;
    for (size_t k = 0; k < count; k++) {
        int64_t once = (int64_t)k + 1;
        int64_t there = once * (s->sync->active || s->rank == 1 ? op->leaves : 1);
        int64_t here = once * (s->sync->active || s->rank == 0 ? op->fetches : 0);
        if (own[k] != there || result[k] != here)
            bench_die("%s: element %zu is %lld at the target and %lld at the origin; they must be "
                      "%lld and %lld", s->name, k, (long long)own[k], (long long)result[k],
                      (long long)there, (long long)here);
    }
    /* What follows writes there again. */
    MPI_Barrier(MPI_COMM_WORLD);
}

static void report(const struct bench_options *o, const struct session *s, double *mpi_us,
                   double *by_bare_us, long samples)
{
    if (s->in_flight == 1) bench_values(o, s->bytes, "local", mpi_us, samples);
    struct bench_stats t = bench_summary(mpi_us, samples);
    if (s->in_flight > 1) {
        bench_row(o, RATES, s->bytes, (double[]){1e6 / t.median, (double)s->bytes / t.median});
    } else if (has_bare(s)) {
        double bare = bench_summary(by_bare_us, samples).median;
        bench_row(o, TIMES_AND_BARE, s->bytes,
                  (double[]){t.median, t.min, t.p99, t.mean, bare, t.median / bare});
    } else {
        bench_row(o, TIMES, s->bytes, (double[]){t.median, t.min, t.p99, t.mean});
    }
}

/* One operation of one size with one synchronisation. */
static void measure_size(const struct bench_options *o, struct session *s, double *samples[2])
{
    s->batch = 1;
    check(s);
    s->sync->open(s);
    bench_warm(o, epochs, s);
    calibrate(s);
    long count = bench_warm(o, epochs, s);
    measure(s, count, samples[0], samples[1]);
    /* The target waits here, as in the OSU benchmarks: a library that needs it has it. */
    MPI_Barrier(MPI_COMM_WORLD);
    s->sync->close(s);
    if (s->rank == 0) report(o, s, samples[0], samples[1], count);
}

static void measure_operation(struct bench_options *o, struct session *s, const char *flavor,
                              double *samples[2])
{
    static char name[NAME_BYTES];
    bool is_beside = strcmp(o->beside, "nothing") != 0;
    snprintf(name, sizeof name, "%s_%s_%s%s%s%s%s", s->op->name, flavor, s->sync->name,
             s->in_flight > 1 ? "_rate" : "", o->offset > 0 ? "_offset" : "",
             is_beside ? "_beside_" : "", is_beside ? o->beside : "");
    o->name = s->name = name;
    s->bytes = o->sizes[0];
    if (s->rank == 0)
        bench_header(o, s->in_flight > 1 ? RATES : has_bare(s) ? TIMES_AND_BARE : TIMES);
    for (int i = 0; i < o->size_count; i++) {
        s->bytes = o->sizes[i];
        if (!s->op->single || s->bytes == sizeof(int64_t)) measure_size(o, s, samples);
    }
}

static void measure_flavor(struct bench_options *o, struct session *s, const char *flavor,
                           double *samples[2])
{
    s->window = bench_window_make(flavor, s->memory, s->rank);
    for (int i = 0; i < SYNCHRONISATION_COUNT; i++) {
        s->sync = &SYNCHRONISATIONS[i];
        if (!bench_named(o->sync, s->sync->name)) continue;
        for (int k = 0; k < OPERATION_COUNT; k++) {
            s->op = &OPERATIONS[k];
            if (bench_named(o->op, s->op->name)) measure_operation(o, s, flavor, samples);
        }
    }
    bench_window_free(&s->window);
}

/* Before anything is measured. */
static void check_options(const struct bench_options *o)
{
    const char *operations[OPERATION_COUNT], *synchronisations[SYNCHRONISATION_COUNT];
    for (int i = 0; i < OPERATION_COUNT; i++) operations[i] = OPERATIONS[i].name;
    for (int i = 0; i < SYNCHRONISATION_COUNT; i++)
        synchronisations[i] = SYNCHRONISATIONS[i].name;
    bench_check_names("--op", o->op, operations, OPERATION_COUNT);
    bench_check_names("--sync", o->sync, synchronisations, SYNCHRONISATION_COUNT);
    bench_check_names("--flavor", o->flavor, BENCH_FLAVORS, BENCH_FLAVOR_COUNT);
    for (int i = 0; i < o->size_count; i++)
        if (o->sizes[i] == 0 || o->sizes[i] % sizeof(int64_t) != 0)
            bench_die("a size is %zu; it must be a multiple of %zu", o->sizes[i], sizeof(int64_t));
}

static struct session meet(const struct bench_options *o, struct bench_world w)
{
    struct session s = {.rank = w.rank, .partner = 1 - w.rank, .in_flight = o->window};
    size_t largest = 0;
    for (int i = 0; i < o->size_count; i++)
        if (o->sizes[i] > largest) largest = o->sizes[i];
    s.memory = largest * (size_t)o->window;
    size_t offset = (size_t)o->offset;
    s.origin = bench_alloc(offset + s.memory) + offset;
    s.result = bench_alloc(offset + s.memory) + offset;
    MPI_Group all;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &s.partner, &s.partners);
    MPI_Group_free(&all);
    return s;
}

int main(int argc, char **argv)
{
    struct bench_options o = {
        .name = "onesided", .about = "an operation of one-sided communication and its completion",
        .extra = "  --op NAMES     put, get, accumulate, get_accumulate, fetch_and_op, "
                 "compare_and_swap (default all)\n"
                 "  --flavor NAMES of the window: allocate, create, dynamic, shared (default all)\n"
                 "  --sync NAMES   lock_all, lock and flush_all (once, then flushes), lock_unlock, "
                 "lock_all_unlock,\n"
                 "                 fence, pscw (default all)\n"
                 "  --offset BYTES from the beginning of a page to the origin's memory (default 0; "
                 "large memory of malloc: 16)\n" BENCH_BESIDE_HELP,
        .bytes_min = 8, .bytes_max = 1 << 20, .iterations = 1000, .warmup = 20, .budget_ms = 50,
        .window = 1, .rotate = 1, .op = "all", .flavor = "all", .sync = "all",
        .beside = "nothing"};
    struct bench_world w = bench_init(&o, argc, argv, BENCH_RANKS_OF_A_WINDOW);
    if (w.size != BENCH_RANKS_OF_A_WINDOW) bench_die("it has %d ranks and needs 2", w.size);
    check_options(&o);
    struct session s = meet(&o, w);
    struct bench_beside beside;
    bench_beside_begin(&beside, o.beside);
    double *samples[] = {bench_samples(o.iterations), bench_samples(o.iterations)};
    for (int i = 0; i < BENCH_FLAVOR_COUNT; i++)
        if (bench_named(o.flavor, BENCH_FLAVORS[i]))
            measure_flavor(&o, &s, BENCH_FLAVORS[i], samples);
    bench_beside_end(&beside);
    MPI_Group_free(&s.partners);
    free(s.origin - o.offset);
    free(s.result - o.offset);
    free(samples[0]);
    free(samples[1]);
    MPI_Finalize();
    return 0;
}
