/* Messages per second that several threads of one rank send to as many of another, each pair of
 * threads under its own tag, under MPI_THREAD_MULTIPLE: all threads on one communicator, or each
 * pair on one of its own. Each thread sends windows and waits for an answer to each. Or the threads
 * of one rank send to themselves, each on a communicator of its own: nothing but the library makes
 * one wait for another, and as many cores are enough. */
#include "bench_mpi.h"
#include <pthread.h>

static const struct bench_column COLUMNS[] = {
    {"messages_per_s", "Messages/s", 0}, {"threads", "Threads", 0},
    {"communicators", "Communicators", 0}, {NULL, NULL, 0},
};

struct team;

struct worker {
    struct team *team;
    pthread_t thread;
    MPI_Comm comm;
    int tag;
    char *out, *in;
    MPI_Request *requests;
};

struct team {
    const struct bench_options *o;
    int side, count;
    bool alone; /* each thread sends to itself */
    long windows; /* of each thread */
    size_t stride;
    struct worker *workers;
};

static void window_once(struct worker *w)
{
    const struct team *t = w->team;
    long window = t->o->window;
    int peer = 1 - t->side;
    char ack[4] = {0};
    for (long i = 0; i < window; i++) {
        if (t->side == 0)
            MPI_Isend(w->out, t->count, MPI_BYTE, peer, w->tag, w->comm, &w->requests[i]);
        else
            MPI_Irecv(w->in + (size_t)i * t->stride, t->count, MPI_BYTE, peer, w->tag, w->comm,
                      &w->requests[i]);
    }
    MPI_Waitall((int)window, w->requests, MPI_STATUSES_IGNORE);
    if (t->side == 0) MPI_Recv(ack, sizeof ack, MPI_BYTE, peer, w->tag, w->comm, MPI_STATUS_IGNORE);
    else MPI_Send(ack, sizeof ack, MPI_BYTE, peer, w->tag, w->comm);
}

static void window_to_self(struct worker *w)
{
    const struct team *t = w->team;
    long window = t->o->window;
    for (long i = 0; i < window; i++) {
        MPI_Irecv(w->in + (size_t)i * t->stride, t->count, MPI_BYTE, 0, w->tag, w->comm,
                  &w->requests[i]);
        MPI_Isend(w->out, t->count, MPI_BYTE, 0, w->tag, w->comm, &w->requests[window + i]);
    }
    MPI_Waitall((int)(2 * window), w->requests, MPI_STATUSES_IGNORE);
}

static void *work(void *context)
{
    struct worker *w = context;
    void (*once)(struct worker *) = w->team->alone ? window_to_self : window_once;
    for (long i = 0; i < w->team->windows; i++) once(w);
    return NULL;
}

static void all_work(struct team *t)
{
    if (t->side > 1) return;
    for (long i = 0; i < t->o->threads; i++)
        if (pthread_create(&t->workers[i].thread, NULL, work, &t->workers[i]) != 0)
            bench_die("cannot start thread %ld; try a smaller --threads", i);
    for (long i = 0; i < t->o->threads; i++) pthread_join(t->workers[i].thread, NULL);
}

/* For the warm-up: a batch of windows, beside which the start of the threads takes little time. */
static void once(void *context, long i)
{
    (void)i;
    all_work(context);
}

/* Says on how many communicators they send. */
static int gather_team(struct team *t, bool own_communicators)
{
    int communicators = 1;
    t->workers = calloc((size_t)t->o->threads, sizeof *t->workers);
    if (t->workers == NULL) bench_die("no memory for %ld threads", t->o->threads);
    for (int i = 0; i < t->o->threads; i++) {
        struct worker *w = &t->workers[i];
        *w = (struct worker){.team = t, .tag = i + 1, .comm = MPI_COMM_WORLD,
                             .out = bench_alloc(t->o->bytes_max),
                             .in = bench_alloc(t->stride * (size_t)t->o->window)};
        w->requests = calloc(2 * (size_t)t->o->window, sizeof(MPI_Request));
        if (w->requests == NULL) bench_die("no memory for windows of %ld requests", t->o->window);
        if (t->alone) MPI_Comm_dup(MPI_COMM_SELF, &w->comm);
        else if (own_communicators) MPI_Comm_dup(MPI_COMM_WORLD, &w->comm);
        int known = MPI_IDENT;
        MPI_Comm_compare(w->comm, t->workers[0].comm, &known);
        communicators += known != MPI_IDENT;
    }
    return communicators;
}

int main(int argc, char **argv)
{
    enum { WINDOWS_PER_BATCH = 16 };
    struct bench_options o = {
        .name = "threads_rate", .about = "messages per second of several threads",
        .extra = "  -n COUNT       batches of 16 windows of each thread, in spite of the above\n"
                 "  --threads N    threads of each rank (default 2)\n"
                 "  --mode MODE    shared (default): one communicator for all threads; own: one "
                 "for each pair; alone: each thread sends to itself on one of its own\n",
        .bytes_min = 8, .bytes_max = 8, .iterations = 5000, .warmup = 8, .budget_ms = 200,
        .window = 64, .rotate = 1, .threads = 2, .mode = "shared"};
    int provided = 0;
    bench_parse(&o, argc, argv);
    bool alone = strcmp(o.mode, "alone") == 0, own = alone || strcmp(o.mode, "own") == 0;
    if (!own && strcmp(o.mode, "shared") != 0)
        bench_die("--mode is `%s`; it must be shared, own or alone", o.mode);
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) bench_die("this library has no MPI_THREAD_MULTIPLE");
    struct bench_world w = bench_join(&o, argv[0], alone ? 1 : 2);
    struct team t = {
        .o = &o, .side = w.rank, .alone = alone, .stride = bench_stride(o.bytes_max)};
    int communicators = gather_team(&t, own);
    if (w.rank == 0) bench_header(&o, COLUMNS);
    for (int i = 0; i < o.size_count; i++) {
        t.count = bench_count(o.sizes[i]);
        t.windows = WINDOWS_PER_BATCH;
        t.windows *= bench_warm(&o, once, &t);
        MPI_Barrier(MPI_COMM_WORLD);
        uint64_t begun_ns = bench_now_ns();
        all_work(&t);
        double took_s = (double)(bench_now_ns() - begun_ns) * 1e-9;
        double messages = (double)t.windows * (double)o.window * (double)o.threads;
        if (w.rank == 0)
            bench_row(&o, COLUMNS, o.sizes[i],
                      (double[]){messages / took_s, (double)o.threads, communicators});
    }
    MPI_Finalize();
    return 0;
}
