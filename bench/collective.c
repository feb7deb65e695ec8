/* Every collective operation, in each of its modes. Blocking: the time to completion on one clock,
 * the mean of the ranks' own times, the same where a barrier alone comes before each (as OSU's and
 * Intel's benchmarks do it), and the time of one operation in an unbroken row of them. Nonblocking
 * and persistent: the time alone, the time around a computation, and how much of the operation the
 * computation hid. First: the first calls of all, which find nothing ready. */
#include "bench_clock.h"
#include "bench_collective.h"
#include "bench_compute.h"
#include "bench_shared.h"
#include <unistd.h>

enum { ROW_BATCHES = 9, NAME_BYTES = 64, FIRST_CALLS = 10, NEXT_CALLS = 100 };

static const struct bench_column BLOCKING[] = {
    {"ranks", "Ranks", 0},          {"complete_us", "Complete (us)", 3},
    {"complete_min_us", "Min (us)", 3}, {"complete_p99_us", "p99 (us)", 3},
    {"local_us", "Local (us)", 3},  {"after_barrier_us", "After barrier (us)", 3},
    {"in_a_row_us", "In a row (us)", 3}, {NULL, NULL, 0},
};
static const struct bench_column COMPLETION[] = {
    {"ranks", "Ranks", 0},          {"complete_us", "Complete (us)", 3},
    {"complete_min_us", "Min (us)", 3}, {"complete_p99_us", "p99 (us)", 3},
    {"local_us", "Local (us)", 3},  {NULL, NULL, 0},
};
static const struct bench_column FIRST[] = {
    {"ranks", "Ranks", 0},           {"first_us", "First 10 (us)", 3},
    {"next_us", "Next 100 (us)", 3}, {NULL, NULL, 0},
};
static const struct bench_column OVERLAPPED[] = {
    {"ranks", "Ranks", 0},          {"pure_us", "Pure (us)", 3},
    {"overall_us", "Overall (us)", 3}, {"compute_us", "Compute (us)", 3},
    {"exposed_us", "Exposed (us)", 3}, {"overlap_percent", "Overlap %", 1}, {NULL, NULL, 0},
};

struct run {
    const struct bench_options *o;
    struct bench_world w;
    const struct operation *op;
    struct bench_gate *gate;  /* NULL where ranks are on several nodes */
    struct bench_clock clock; /* used there instead */
    bool oversubscribed;
    bool persistent;
    struct call *calls; /* one per buffer that is used in turn */
    struct bench_work work; /* what the rank does meanwhile */
    uint64_t begun_ns, ended_ns, compute_ns;
    char name[NAME_BYTES]; /* of the operation and its mode, for the output */
};

static struct call *call_of(const struct run *r, long i)
{
    return &r->calls[i % r->o->rotate];
}

/* The gate is passed right before: a barrier of the library alone lets its ranks go one by one. */
static void together(struct run *r)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (r->gate == NULL) {
        bench_clock_go(&r->clock, r->w.rank);
        return;
    }
    if (r->oversubscribed) bench_gate_dawdle(r->w.rank);
    bench_gate_pass(r->gate, r->w.size, r->oversubscribed);
}

static void timed(struct run *r, long i)
{
    struct call *c = call_of(r, i);
    r->begun_ns = bench_now_ns();
    r->op->blocking(c);
    r->ended_ns = bench_now_ns();
}

static void blocking_once(void *context, long i)
{
    together(context);
    timed(context, i);
}

/* A barrier lets its ranks go one by one: what is in step here is up to the library. */
static void after_barrier_once(void *context, long i)
{
    MPI_Barrier(MPI_COMM_WORLD);
    timed(context, i);
}

static void row_once(void *context, long i)
{
    struct run *r = context;
    r->op->blocking(call_of(r, i));
}

static void overlapped_once(void *context, long i)
{
    struct run *r = context;
    struct call *c = call_of(r, i);
    together(r);
    r->begun_ns = bench_now_ns();
    if (r->persistent) MPI_Start(&c->request);
    else r->op->start(c);
    uint64_t started_ns = bench_now_ns();
    bench_do(r->work);
    r->compute_ns = bench_now_ns() - started_ns;
    MPI_Wait(&c->request, MPI_STATUS_IGNORE);
    r->ended_ns = bench_now_ns();
}

/* Every rank's instants, one array each. */
struct instants {
    uint64_t *begun, *ended;
    double *local_us, *compute_us;
};

static void record(struct run *r, void (*once)(void *, long), long iterations, struct instants *t)
{
    for (long i = 0; i < iterations; i++) {
        once(r, i);
        t->begun[i] = bench_clock_shared_ns(&r->clock, r->begun_ns);
        t->ended[i] = bench_clock_shared_ns(&r->clock, r->ended_ns);
        t->local_us[i] = (double)(r->ended_ns - r->begun_ns) / 1000.0;
        t->compute_us[i] = (double)r->compute_ns / 1000.0;
    }
}

/* Replaces `mine` on rank 0 by what the reduction of all ranks' arrays gives. */
static void combine(void *mine, long count, MPI_Datatype type, MPI_Op op, struct bench_world w)
{
    if (w.rank == 0)
        MPI_Reduce(MPI_IN_PLACE, mine, (int)count, type, op, 0, MPI_COMM_WORLD);
    else
        MPI_Reduce(mine, NULL, (int)count, type, op, 0, MPI_COMM_WORLD);
}

/* From the first rank's beginning to the last one's end, by iteration. On rank 0 only. */
static struct bench_stats completion_us(struct run *r, struct instants *t, long n, size_t bytes,
                                        double *scratch)
{
    struct bench_world w = r->w;
    combine(t->begun, n, MPI_UINT64_T, MPI_MIN, w);
    combine(t->ended, n, MPI_UINT64_T, MPI_MAX, w);
    for (long i = 0; i < n; i++) scratch[i] = (double)(t->ended[i] - t->begun[i]) / 1000.0;
    if (w.rank == 0) bench_values(r->o, bytes, "global", scratch, n);
    return bench_summary(scratch, n);
}

/* Replaces, on rank 0, `mine` by the mean over ranks of each iteration. */
static void mean_over_ranks(struct run *r, double *mine, long n)
{
    combine(mine, n, MPI_DOUBLE, MPI_SUM, r->w);
    for (long i = 0; i < n; i++) mine[i] /= r->w.size;
}

/* The median over iterations of the mean over ranks. On rank 0 only. */
static double mean_us(struct run *r, double *mine, long n)
{
    mean_over_ranks(r, mine, n);
    return bench_summary(mine, n).median;
}

/* The same of the operation itself, whose values are told one by one. */
static double operation_us(struct run *r, double *mine, long n, size_t bytes)
{
    mean_over_ranks(r, mine, n);
    if (r->w.rank == 0) bench_values(r->o, bytes, "local", mine, n);
    return bench_summary(mine, n).median;
}

/* One operation of an unbroken row, the median of a few rows: who runs ahead must wait for the
 * others sooner or later, so the clock of the slowest rank counts. */
static double row_us(struct run *r, double *scratch)
{
    long n = bench_warm(r->o, row_once, r) / ROW_BATCHES + 1;
    for (int b = 0; b < ROW_BATCHES; b++) {
        together(r);
        uint64_t begun_ns = bench_now_ns();
        for (long i = 0; i < n; i++) row_once(r, i);
        scratch[b] = (double)(bench_now_ns() - begun_ns) / 1000.0 / (double)n;
    }
    combine(scratch, ROW_BATCHES, MPI_DOUBLE, MPI_MAX, r->w);
    return bench_summary(scratch, ROW_BATCHES).median;
}

static void measure_blocking(struct run *r, size_t bytes, struct instants *t, double *scratch)
{
    long n = bench_warm(r->o, blocking_once, r);
    record(r, blocking_once, n, t);
    double local = operation_us(r, t->local_us, n, bytes);
    struct bench_stats s = completion_us(r, t, n, bytes, scratch);
    if (r->o->completion) {
        if (r->w.rank == 0)
            bench_row(r->o, COMPLETION, bytes,
                      (double[]){r->w.size, s.median, s.min, s.p99, local});
        return;
    }
    n = bench_warm(r->o, after_barrier_once, r);
    record(r, after_barrier_once, n, t);
    double after_barrier = mean_us(r, t->local_us, n);
    double row = row_us(r, scratch);
    if (r->w.rank == 0)
        bench_row(r->o, BLOCKING, bytes,
                  (double[]){r->w.size, s.median, s.min, s.p99, local, after_barrier, row});
}

/* First alone, then around a computation that takes as long as the operation alone. */
static void measure_overlap(struct run *r, size_t bytes, struct instants *t)
{
    r->work = (struct bench_work){0};
    long n = bench_warm(r->o, overlapped_once, r);
    record(r, overlapped_once, n, t);
    double pure = operation_us(r, t->local_us, n, bytes);
    MPI_Bcast(&pure, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    r->work = bench_work_for(pure, r->o->idle_us);
    n = bench_warm(r->o, overlapped_once, r);
    record(r, overlapped_once, n, t);
    double overall = mean_us(r, t->local_us, n), computed = mean_us(r, t->compute_us, n);
    if (r->w.rank == 0)
        bench_row(r->o, OVERLAPPED, bytes,
                  (double[]){r->w.size, pure, overall, computed, overall - computed,
                             bench_hidden_percent(pure, overall, computed)});
}

/* The mean of so many calls of all ranks, each after a barrier, in their own time. */
static double mean_of_calls(struct run *r, long calls)
{
    double sum_us = 0;
    for (long i = 0; i < calls; i++) {
        after_barrier_once(r, i);
        sum_us += (double)(r->ended_ns - r->begun_ns) / 1000.0;
    }
    return sum_us / (double)calls;
}

/* The first calls, and as many as OSU's programs measure of long ones by default after these. Of
 * one operation and size: others would find ready what these have made. */
static void measure_first(struct run *r, size_t bytes)
{
    double first_us = mean_of_calls(r, FIRST_CALLS), next_us = mean_of_calls(r, NEXT_CALLS);
    mean_over_ranks(r, &first_us, 1);
    mean_over_ranks(r, &next_us, 1);
    if (r->w.rank == 0) bench_row(r->o, FIRST, bytes, (double[]){r->w.size, first_us, next_us});
}

static size_t blocks(enum amount amount, int ranks)
{
    enum { NEIGHBOURS = 2 };
    return amount == ONE ? 1 : amount == EACH ? (size_t)ranks : NEIGHBOURS;
}

/* Reductions are of doubles: a vector has at least one, one for each rank if it is scattered. */
static void set_counts(struct call *c, const struct operation *op, size_t bytes, int ranks,
                       const struct bench_layout *layout)
{
    bool scatters = op->blocking == reduce_scatter_blocking
                    || op->blocking == reduce_scatter_block_blocking;
    long doubles = (long)(bytes / sizeof(double));
    long least = scatters ? ranks : bytes > 0;
    c->count = layout->count;
    c->type = layout->type;
    c->doubles = bench_count((size_t)(doubles < least ? least : doubles));
    c->pairs = (c->doubles + 1) / 2;
    MPI_Aint lower, extent;
    MPI_Type_get_extent(c->type, &lower, &extent);
    for (int i = 0; i < ranks; i++) {
        c->counts[i] = scatters ? c->doubles / ranks : c->count;
        c->displs[i] = i * c->count;
        c->places[i] = c->displs[i] * (int)extent;
        c->types[i] = c->type;
    }
}

static struct call *make_calls(const struct run *r, size_t bytes, MPI_Comm comm,
                               const struct bench_layout *layout)
{
    int ranks = r->w.size;
    /* At least a pair, and two neighbours even where a rank is alone. */
    size_t entries = (size_t)(ranks < 2 ? 2 : ranks);
    size_t least = entries * sizeof(double), block = layout->span;
    if (block < least) block = least;
    struct call *calls = calloc((size_t)r->o->rotate, sizeof *calls);
    int *counts = calloc(3 * entries, sizeof *counts);
    MPI_Datatype *types = calloc(entries, sizeof *types);
    if (calls == NULL || counts == NULL || types == NULL)
        bench_die("no memory for the arguments");
    for (long i = 0; i < r->o->rotate; i++) {
        calls[i] = (struct call){.send = bench_alloc(block * blocks(r->op->sends, ranks)),
                                 .recv = bench_alloc(block * blocks(r->op->receives, ranks)),
                                 .counts = counts, .displs = counts + entries,
                                 .places = counts + 2 * entries, .types = types, .comm = comm};
        set_counts(&calls[i], r->op, bytes, (int)entries, layout);
        if (r->persistent) r->op->init(&calls[i]);
    }
    return calls;
}

static void free_calls(struct run *r)
{
    for (long i = 0; i < r->o->rotate; i++) {
        if (r->persistent) MPI_Request_free(&r->calls[i].request);
        free(r->calls[i].send);
        free(r->calls[i].recv);
    }
    free(r->calls[0].counts);
    free(r->calls[0].types);
    free(r->calls);
}

/* Small whole numbers, of which sums are exact, in memory of any type. */
static void fill(char *memory, size_t bytes, int from)
{
    for (size_t i = 0; i + sizeof(double) <= bytes; i += sizeof(double)) {
        double number = from + (double)(i / sizeof number % 100);
        memcpy(memory + i, &number, sizeof number);
    }
}

/* What an operation leaves in memory: its own mode, or the blocking call. */
static void leave(struct run *r, bool blocking, size_t send_bytes, size_t recv_bytes)
{
    struct call *c = r->calls;
    fill(c->send, send_bytes, 1000 * (r->w.rank + 1));
    memset(c->recv, 0, recv_bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    if (blocking) r->op->blocking(c);
    else overlapped_once(r, 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

static bool is_named(const struct run *r, const char *beginning)
{
    return strncmp(r->op->name, beginning, strlen(beginning)) == 0;
}

/* Whether what a rank has in the end is the same in every mode. Not so: padding of pairs, what
 * ranks without a result have, and a circle of two, where both neighbours are one process and Open
 * MPI's modes differ in whose block is whose. */
static bool is_comparable(const struct run *r)
{
    bool to_root = strcmp(r->op->name, "reduce") == 0 || is_named(r, "gather");
    bool has_result = to_root ? r->w.rank == ROOT : !is_named(r, "exscan") || r->w.rank > 0;
    bool has_padding = is_named(r, "allreduce_maxloc");
    return has_result && !has_padding && !(is_named(r, "neighbor") && r->w.size == 2);
}

/* A mode that moved the wrong bytes would be quick for nothing: what its second run leaves must be
 * what the blocking call leaves. */
static void check_data(struct run *r, const struct bench_layout *layout)
{
    size_t send_bytes = layout->span * blocks(r->op->sends, r->w.size);
    size_t recv_bytes = layout->span * blocks(r->op->receives, r->w.size);
    char *left = bench_alloc(send_bytes + recv_bytes + 1);
    leave(r, false, send_bytes, recv_bytes);
    leave(r, false, send_bytes, recv_bytes);
    memcpy(left, r->calls->send, send_bytes);
    memcpy(left + send_bytes, r->calls->recv, recv_bytes);
    leave(r, true, send_bytes, recv_bytes);
    bool is_same = memcmp(left, r->calls->send, send_bytes) == 0
                   && memcmp(left + send_bytes, r->calls->recv, recv_bytes) == 0;
    if (is_comparable(r) && !is_same)
        bench_die("%s of %zu bytes leaves other data than the blocking call", r->name,
                  layout->bytes);
    free(left);
}

static void measure(struct run *r, size_t bytes, MPI_Comm comm, struct instants *t,
                    double *scratch)
{
    struct bench_layout layout = bench_layout_make(r->o, bytes);
    r->calls = make_calls(r, bytes, comm, &layout);
    if (r->gate == NULL) bench_clock_synchronise(&r->clock, r->w);
    if (strcmp(r->o->mode, "first") == 0) {
        measure_first(r, layout.bytes);
    } else if (strcmp(r->o->mode, "blocking") == 0) {
        measure_blocking(r, layout.bytes, t, scratch);
    } else {
        check_data(r, &layout);
        measure_overlap(r, layout.bytes, t);
    }
    free_calls(r);
    bench_layout_free(&layout);
}

/* All ranks in a circle, for the neighbourhood operations. */
static MPI_Comm circle_of(struct bench_world w)
{
    MPI_Comm circle;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &w.size, (int[]){1}, 0, &circle);
    return circle;
}

/* A misspelt name ends the run before anything is measured. */
static void check(const struct bench_options *o)
{
    const char *modes[] = {"blocking", "nonblocking", "persistent", "first"};
    const char *operations[OPERATION_COUNT];
    bool known = false;
    for (int i = 0; i < 4; i++) known = known || strcmp(o->mode, modes[i]) == 0;
    if (!known)
        bench_die("--mode is `%s`; it must be blocking, nonblocking, persistent or first", o->mode);
    for (int i = 0; i < OPERATION_COUNT; i++) operations[i] = OPERATIONS[i].name;
    bench_check_names("--op", o->op, operations, OPERATION_COUNT);
    bool is_one = o->size_count == 1 && strcmp(o->op, "all") != 0 && strchr(o->op, ',') == NULL;
    if (strcmp(o->mode, "first") == 0 && !is_one)
        bench_die("--mode first is for the first calls of all: give one --op and one of --sizes");
}

static void measure_operation(struct run *r, MPI_Comm circle, struct instants *t, double *scratch)
{
    const struct bench_options *o = r->o;
    bool local = strncmp(r->op->name, "neighbor", strlen("neighbor")) == 0;
    bool blocking = strcmp(o->mode, "blocking") == 0, barrier = r->op == &OPERATIONS[0];
    bool first = strcmp(o->mode, "first") == 0;
    snprintf(r->name, sizeof r->name, "%s%s%s", r->op->name, blocking ? "" : "_",
             blocking ? "" : o->mode);
    const struct bench_column *of_blocking = o->completion ? COMPLETION : BLOCKING;
    if (r->w.rank == 0) bench_header(o, first ? FIRST : blocking ? of_blocking : OVERLAPPED);
    for (int s = 0; s < (barrier ? 1 : o->size_count); s++)
        measure(r, barrier ? 0 : o->sizes[s], local ? circle : MPI_COMM_WORLD, t, scratch);
}

int main(int argc, char **argv)
{
    struct bench_options o = {
        .name = "collective", .about = "collective operations",
        .extra = "  --completion   of blocking operations measure the time to completion alone\n"
                 "  --messages-clock  synchronise clocks by messages, also on one node\n"
                 "  --op NAMES     operations with commas between, or all (default all)\n"
                 "  --mode MODE    blocking, nonblocking, persistent or first (default blocking)\n"
                 BENCH_IDLE_HELP,
        .bytes_min = 8, .bytes_max = 1 << 20, .iterations = 5000, .warmup = 100, .budget_ms = 100,
        .window = 1, .rotate = 1, .op = "all", .mode = "blocking"};
    struct bench_world w = bench_init(&o, argc, argv, 1);
    check(&o);
    struct run r = {.o = &o, .w = w,
                    .gate = o.messages_clock ? NULL
                                             : bench_share_if_one_node(w.rank, sizeof *r.gate),
                    .oversubscribed = w.size > sysconf(_SC_NPROCESSORS_ONLN),
                    .persistent = strcmp(o.mode, "persistent") == 0};
    o.name = r.name;
    struct instants t = {calloc((size_t)o.iterations, sizeof *t.begun),
                         calloc((size_t)o.iterations, sizeof *t.ended),
                         bench_samples(o.iterations), bench_samples(o.iterations)};
    if (t.begun == NULL || t.ended == NULL) bench_die("no memory for %ld samples", o.iterations);
    double *scratch = bench_samples(o.iterations + ROW_BATCHES);
    MPI_Comm circle = circle_of(w);
    for (int i = 0; i < OPERATION_COUNT; i++) {
        if (!bench_named(o.op, OPERATIONS[i].name)) continue;
        r.op = &OPERATIONS[i];
        measure_operation(&r, circle, &t, scratch);
    }
    MPI_Comm_free(&circle);
    MPI_Finalize();
    return 0;
}
