/* Half round trip of a message between ranks 0 and 1, every iteration recorded: the median is what
 * a program usually sees, the minimum what the machine can do, p99 what a user complains about.
 *
 * With --both-ways the messages of both cross: each rank posts its receive, sends, and waits, as in
 * an exchange of halos; then the time is that of the whole exchange. With --write each rank changes
 * its data before it sends it, as programs do: the data must be in its cache alone for that, and
 * the time counts. With --mode ssend messages are sent in synchronous mode: what comes back then is
 * an acknowledgement, too. With --beside something lies about meanwhile. */
#include "bench_beside.h"

enum { TAG = 1 };

static const struct bench_column COLUMNS[] = {
    {"median_us", "Median (us)", 3}, {"min_us", "Min (us)", 3}, {"p99_us", "p99 (us)", 3},
    {"mean_us", "Mean (us)", 3},     {NULL, NULL, 0},
};

struct pair {
    char *send, *recv;
    size_t stride; /* between buffers that are used in turn */
    long buffers;
    int side;      /* 0 or 1; more for ranks that only look on */
    bool crosses;  /* the messages of both cross */
    bool is_synchronous;
    size_t writes; /* bytes to write before each send */
    int count;
    MPI_Datatype type;
};

/* Changes the data as a program does, by loads and stores: `memset` has instructions that write
 * lines which are elsewhere at less cost. */
static void change(char *data, size_t bytes)
{
    uint64_t *words = (uint64_t *)(void *)data;
    for (size_t i = 0; i < (bytes + 7) / 8; i++) words[i]++;
}

static void send_to(int other, const char *data, const struct pair *p)
{
    if (p->is_synchronous)
        MPI_Ssend(data, p->count, p->type, other, TAG, MPI_COMM_WORLD);
    else
        MPI_Send(data, p->count, p->type, other, TAG, MPI_COMM_WORLD);
}

static void cross(char *send, char *recv, const struct pair *p)
{
    MPI_Request request;
    MPI_Irecv(recv, p->count, p->type, 1 - p->side, TAG, MPI_COMM_WORLD, &request);
    send_to(1 - p->side, send, p);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void exchange(void *context, long i)
{
    const struct pair *p = context;
    char *send = p->send + (size_t)(i % p->buffers) * p->stride;
    char *recv = p->recv + (size_t)(i % p->buffers) * p->stride;
    int count = p->count;
    MPI_Datatype type = p->type;
    if (p->side > 1) return;
    change(send, p->writes);
    if (p->crosses) {
        cross(send, recv, p);
    } else if (p->side == 0) {
        send_to(1, send, p);
        MPI_Recv(recv, count, type, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(recv, count, type, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        send_to(0, send, p);
    }
}

/* One clock reading per iteration: the end of one is the beginning of the next. Where messages
 * cross, two exchanges: a rank that is ahead in one finds all there in the next, in turns. */
static void measure(struct pair *p, long iterations, double *samples_us)
{
    uint64_t before_ns = bench_now_ns();
    for (long i = 0; i < iterations; i++) {
        exchange(p, i);
        if (p->crosses) exchange(p, i);
        uint64_t after_ns = bench_now_ns();
        samples_us[i] = (double)(after_ns - before_ns) / 2000.0;
        before_ns = after_ns;
    }
}

int main(int argc, char **argv)
{
    struct bench_options o = {.name = "latency", .about = "half round trip between two ranks",
                              .extra = "  --both-ways    each rank posts its receive, sends and "
                                       "waits: the whole time\n"
                                       "  --write        each writes its data before it sends\n"
                                       "  --mode NAME    of the sends: standard or ssend\n"
                                       BENCH_BESIDE_HELP,
                              .bytes_min = 0, .bytes_max = 4 << 20, .iterations = 10000,
                              .warmup = 200, .budget_ms = 200, .window = 1, .rotate = 1,
                              .mode = "standard", .beside = "nothing"};
    struct bench_world w = bench_init(&o, argc, argv, 2);
    struct pair p = {.stride = bench_layout_stride(&o), .buffers = o.rotate, .side = w.rank,
                     .crosses = o.both_ways, .is_synchronous = strcmp(o.mode, "ssend") == 0};
    if (!p.is_synchronous && strcmp(o.mode, "standard") != 0)
        bench_die("--mode is `%s`; it must be standard or ssend", o.mode);
    if (p.is_synchronous) o.name = "latency_ssend";
    else if (o.both_ways) o.name = o.writes ? "latency_both_ways_written" : "latency_both_ways";
    else if (o.writes) o.name = "latency_written";
    char name[64];
    if (strcmp(o.beside, "nothing") != 0) {
        snprintf(name, sizeof name, "%s_beside_%s", o.name, o.beside);
        o.name = name;
    }
    struct bench_beside beside;
    bench_beside_begin(&beside, o.beside);
    p.send = bench_alloc(p.stride * (size_t)o.rotate);
    p.recv = bench_alloc(p.stride * (size_t)o.rotate);
    double *samples_us = bench_samples(o.iterations);
    if (w.rank == 0) bench_header(&o, COLUMNS);
    for (int i = 0; i < o.size_count; i++) {
        struct bench_layout layout = bench_layout_make(&o, o.sizes[i]);
        p.count = layout.count;
        p.type = layout.type;
        p.writes = o.writes ? layout.bytes : 0;
        long iterations = bench_warm(&o, exchange, &p);
        measure(&p, iterations, samples_us);
        bench_layout_free(&layout);
        if (w.rank != 0) continue;
        bench_values(&o, layout.bytes, "local", samples_us, iterations);
        struct bench_stats s = bench_summary(samples_us, iterations);
        bench_row(&o, COLUMNS, layout.bytes, (double[]){s.median, s.min, s.p99, s.mean});
    }
    bench_beside_end(&beside);
    free(p.send);
    free(p.recv);
    free(samples_us);
    MPI_Finalize();
    return 0;
}
