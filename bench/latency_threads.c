/* Half round trip between two ranks under MPI_THREAD_MULTIPLE: thread t of rank 0 talks to thread t
 * of rank 1, all at the same time, each pair of threads under its own tag. */
#include "bench_mpi.h"
#include <pthread.h>

static const struct bench_column COLUMNS[] = {
    {"median_us", "Median (us)", 3}, {"min_us", "Min (us)", 3}, {"p99_us", "p99 (us)", 3},
    {"threads", "Threads", 0},       {NULL, NULL, 0},
};

struct team;

struct worker {
    struct team *team;
    pthread_t thread;
    int tag;
    char *send, *recv;
    double *samples_us;
};

struct team {
    int side, count;
    long members, iterations;
    struct worker *workers;
};

static void exchange(const struct worker *w)
{
    int peer = 1 - w->team->side, count = w->team->count;
    if (w->team->side == 0)
        MPI_Send(w->send, count, MPI_BYTE, peer, w->tag, MPI_COMM_WORLD);
    MPI_Recv(w->recv, count, MPI_BYTE, peer, w->tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (w->team->side == 1)
        MPI_Send(w->send, count, MPI_BYTE, peer, w->tag, MPI_COMM_WORLD);
}

static void *work(void *context)
{
    struct worker *w = context;
    uint64_t before_ns = bench_now_ns();
    for (long i = 0; i < w->team->iterations; i++) {
        exchange(w);
        uint64_t after_ns = bench_now_ns();
        w->samples_us[i] = (double)(after_ns - before_ns) / 2000.0;
        before_ns = after_ns;
    }
    return NULL;
}

static void all_work(struct team *t)
{
    if (t->side > 1) return;
    for (long i = 0; i < t->members; i++)
        if (pthread_create(&t->workers[i].thread, NULL, work, &t->workers[i]) != 0)
            bench_die("cannot start thread %ld; try a smaller --threads", i);
    for (long i = 0; i < t->members; i++) pthread_join(t->workers[i].thread, NULL);
}

/* The warm-up calls this: one exchange of every thread, with the threads' start in it, so the
 * budget is kept but not used up. */
static void once(void *context, long i)
{
    (void)i;
    struct team *t = context;
    long kept = t->iterations;
    t->iterations = 1;
    all_work(t);
    t->iterations = kept;
}

/* All threads' samples lie in one array, one thread after the other. */
static void gather_team(struct team *t, const struct bench_options *o, double *samples_us)
{
    t->members = o->threads;
    t->workers = calloc((size_t)o->threads, sizeof *t->workers);
    if (t->workers == NULL) bench_die("no memory for %ld threads", o->threads);
    for (int i = 0; i < o->threads; i++)
        t->workers[i] = (struct worker){.team = t, .tag = i + 1,
                                        .send = bench_alloc(o->bytes_max),
                                        .recv = bench_alloc(o->bytes_max),
                                        .samples_us = samples_us + (long)i * o->iterations};
}

/* The samples of a short run have gaps between the threads: closes them. Returns how many. */
static long close_gaps(const struct team *t, double *samples_us)
{
    for (long i = 0; i < t->members; i++)
        memmove(samples_us + i * t->iterations, t->workers[i].samples_us,
                (size_t)t->iterations * sizeof *samples_us);
    return t->members * t->iterations;
}

int main(int argc, char **argv)
{
    struct bench_options o = {
        .name = "latency_threads", .about = "half round trip, several threads per rank at once",
        .extra = "  --threads N    threads of each rank (default 2)\n", .bytes_min = 8,
        .bytes_max = 64 << 10, .iterations = 5000, .warmup = 8, .budget_ms = 200, .window = 1,
        .rotate = 1, .threads = 2};
    int provided = 0;
    bench_parse(&o, argc, argv);
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) bench_die("this library has no MPI_THREAD_MULTIPLE");
    struct bench_world w = bench_join(&o, argv[0], 2);
    double *samples_us = bench_samples(o.iterations * o.threads);
    struct team t = {.side = w.rank};
    gather_team(&t, &o, samples_us);
    if (w.rank == 0) bench_header(&o, COLUMNS);
    for (int i = 0; i < o.size_count; i++) {
        t.count = bench_count(o.sizes[i]);
        t.iterations = bench_warm(&o, once, &t);
        all_work(&t);
        if (w.rank != 0) continue;
        struct bench_stats s = bench_summary(samples_us, close_gaps(&t, samples_us));
        bench_row(&o, COLUMNS, o.sizes[i], (double[]){s.median, s.min, s.p99, (double)o.threads});
    }
    MPI_Finalize();
    return 0;
}
