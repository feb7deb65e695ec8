/* One message of 8 partitions that `--threads` threads fill and declare ready, beside 8 separate
 * messages that the same threads fill and send, in turns. A round begins when the receives are
 * posted and ends when rank 1 has said that all data is there. The main thread is one of the
 * threads. A size is that of one partition, or of one separate message. */
#include "bench_mpi.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { PARTITIONS = 8, KINDS = 2, TAG = 1, TAG_POSTED, TAG_DONE, TAG_SEPARATE };
enum kind { PARTITIONED, SEPARATE };

static const struct bench_column COLUMNS[] = {
    {"partitioned_us", "Partitioned (us)", 3}, {"separate_us", "Separate (us)", 3},
    {"ratio", "Ratio", 3}, {"threads", "Threads", 0}, {NULL, NULL, 0},
};

struct team {
    int side, count;
    long threads;
    char *data;
    size_t stride;
    MPI_Request whole, separate[PARTITIONS];
    enum kind kind;
    atomic_long round, busy; /* rounds that have begun, and helpers at work; -1 ends them */
    double *samples_us[KINDS];
    long at;
};

struct helper {
    struct team *team;
    pthread_t thread;
    long number;
};

/* A thread's share: every `threads`-th partition. */
static void fill_share(struct team *t, long number, long round)
{
    for (long i = number; i < PARTITIONS; i += t->threads) {
        memset(t->data + (size_t)i * t->stride, (int)round, (size_t)t->count);
        if (t->kind == PARTITIONED) MPI_Pready((int)i, t->whole);
        else MPI_Start(&t->separate[i]);
    }
}

static void *help(void *context)
{
    struct helper *h = context;
    struct team *t = h->team;
    for (long seen = 0;;) {
        long round = atomic_load_explicit(&t->round, memory_order_acquire);
        if (round < 0) return NULL;
        if (round == seen) {
            sched_yield();
            continue;
        }
        seen = round;
        fill_share(t, h->number, round);
        atomic_fetch_sub_explicit(&t->busy, 1, memory_order_release);
    }
}

/* The message, or all of them. */
static void complete(struct team *t)
{
    if (t->kind == PARTITIONED) MPI_Wait(&t->whole, MPI_STATUS_IGNORE);
    else MPI_Waitall(PARTITIONS, t->separate, MPI_STATUSES_IGNORE);
}

static void signal_to(int peer, int tag)
{
    MPI_Send(NULL, 0, MPI_BYTE, peer, tag, MPI_COMM_WORLD);
}

static void await_from(int peer, int tag)
{
    MPI_Recv(NULL, 0, MPI_BYTE, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send_round(struct team *t)
{
    await_from(1, TAG_POSTED);
    uint64_t began_ns = bench_now_ns();
    if (t->kind == PARTITIONED) MPI_Start(&t->whole);
    atomic_store_explicit(&t->busy, t->threads - 1, memory_order_relaxed);
    long round = atomic_fetch_add_explicit(&t->round, 1, memory_order_release) + 1;
    fill_share(t, 0, round);
    /* The helpers may share this thread's core, and a wait within MPI would keep it. */
    while (atomic_load_explicit(&t->busy, memory_order_acquire) > 0) sched_yield();
    complete(t);
    await_from(1, TAG_DONE);
    t->samples_us[t->kind][t->at] = (double)(bench_now_ns() - began_ns) * 1e-3;
}

static void receive_round(struct team *t)
{
    if (t->kind == PARTITIONED) MPI_Start(&t->whole);
    else MPI_Startall(PARTITIONS, t->separate);
    signal_to(0, TAG_POSTED);
    complete(t);
    signal_to(0, TAG_DONE);
}

/* A round of each kind. */
static void both_rounds(struct team *t)
{
    for (int kind = 0; kind < KINDS; kind++) {
        t->kind = (enum kind)kind;
        if (t->side == 0) send_round(t);
        else if (t->side == 1) receive_round(t);
    }
}

static void once(void *context, long i)
{
    (void)i;
    both_rounds(context);
}

static void make_requests(struct team *t)
{
    /* One partition is `count` bytes, and the next one follows at once. */
    t->stride = (size_t)t->count;
    if (t->side == 0)
        MPI_Psend_init(t->data, PARTITIONS, t->count, MPI_BYTE, 1, TAG, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &t->whole);
    else
        MPI_Precv_init(t->data, PARTITIONS, t->count, MPI_BYTE, 0, TAG, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &t->whole);
    for (int i = 0; i < PARTITIONS; i++) {
        char *at = t->data + (size_t)i * t->stride;
        int tag = TAG_SEPARATE + i;
        if (t->side == 0)
            MPI_Send_init(at, t->count, MPI_BYTE, 1, tag, MPI_COMM_WORLD, &t->separate[i]);
        else
            MPI_Recv_init(at, t->count, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &t->separate[i]);
    }
}

static void free_requests(struct team *t)
{
    MPI_Request_free(&t->whole);
    for (int i = 0; i < PARTITIONS; i++) MPI_Request_free(&t->separate[i]);
}

static void measure(struct team *t, const struct bench_options *o, size_t bytes)
{
    t->count = bench_count(bytes);
    t->at = 0;
    if (t->side <= 1) make_requests(t);
    long iterations = bench_warm(o, once, t);
    for (t->at = 0; t->at < iterations; t->at++) both_rounds(t);
    if (t->side == 0) {
        double medians[KINDS];
        for (int kind = 0; kind < KINDS; kind++)
            medians[kind] = bench_summary(t->samples_us[kind], iterations).median;
        bench_row(o, COLUMNS, bytes,
                  (double[]){medians[PARTITIONED], medians[SEPARATE],
                             medians[PARTITIONED] / medians[SEPARATE], (double)t->threads});
    }
    if (t->side <= 1) free_requests(t);
}

int main(int argc, char **argv)
{
    struct bench_options o = {
        .name = "partitioned", .about = "8 partitions of one message, or 8 messages, by threads",
        .extra = "  --threads N    threads that fill them (default 2); with 1, no "
                 "MPI_THREAD_MULTIPLE\n",
        .bytes_min = 1 << 10, .bytes_max = 256 << 10, .iterations = 2000, .warmup = 8,
        .budget_ms = 200, .window = 1, .rotate = 1, .threads = 2};
    int provided = 0;
    bench_parse(&o, argc, argv);
    int wanted = o.threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
    MPI_Init_thread(NULL, NULL, wanted, &provided);
    if (provided < wanted) bench_die("this library has no MPI_THREAD_MULTIPLE");
    struct bench_world w = bench_join(&o, argv[0], 2);
    struct team t = {.side = w.rank, .threads = o.threads,
                     .data = bench_alloc(PARTITIONS * o.bytes_max)};
    for (int kind = 0; kind < KINDS; kind++) t.samples_us[kind] = bench_samples(o.iterations);
    struct helper *helpers = calloc((size_t)o.threads, sizeof *helpers);
    if (helpers == NULL) bench_die("no memory for %ld threads", o.threads);
    for (long i = 1; w.rank == 0 && i < o.threads; i++) {
        helpers[i] = (struct helper){.team = &t, .number = i};
        if (pthread_create(&helpers[i].thread, NULL, help, &helpers[i]) != 0)
            bench_die("cannot start thread %ld; try a smaller --threads", i);
    }
    if (w.rank == 0) bench_header(&o, COLUMNS);
    for (int i = 0; i < o.size_count; i++) measure(&t, &o, o.sizes[i]);
    atomic_store(&t.round, -1);
    for (long i = 1; w.rank == 0 && i < o.threads; i++) pthread_join(helpers[i].thread, NULL);
    MPI_Finalize();
    return 0;
}
