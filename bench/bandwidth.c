/* Windows of messages from each rank of the lower half to its partner in the upper half, each
 * window acknowledged: the rate at which pairs move data when nobody waits for a single message.
 * With two ranks this is one pair; `--both-ways` lets both partners send at once. */
#include "bench_layout.h"

enum { TAG_DATA = 1, TAG_ACK = 2 };

static const struct bench_column COLUMNS[] = {
    {"mb_per_s", "MB/s", 2},           {"median_mb_per_s", "Median MB/s", 2},
    {"messages_per_s", "Messages/s", 0}, {"pairs", "Pairs", 0}, {NULL, NULL, 0},
};

/* The calls that complete a window's requests (`--mode`). */
static const char *const MODES[] = {"waitall", "waitany", "waitsome",
                                    "testall", "testany", "testsome"};
enum mode { WAITALL, WAITANY, WAITSOME, TESTALL, TESTANY, TESTSOME, MODE_COUNT };

struct pair {
    enum mode mode;
    int *indices; /* of completed requests */
    const struct bench_options *o;
    char *out, *in;
    size_t stride, in_stride;
    int partner, count;
    MPI_Datatype type;
    bool sends, receives, acknowledges;
    MPI_Request *requests;
};

static void complete(struct pair *p, int open)
{
    for (int left = open, count = 0; left > 0; left -= count) {
        switch (p->mode) {
        case WAITANY:
            MPI_Waitany(open, p->requests, p->indices, MPI_STATUS_IGNORE);
            count = 1;
            break;
        case WAITSOME:
            MPI_Waitsome(open, p->requests, &count, p->indices, MPI_STATUSES_IGNORE);
            break;
        case TESTALL:
            MPI_Testall(open, p->requests, &count, MPI_STATUSES_IGNORE);
            count *= open;
            break;
        case TESTANY:
            MPI_Testany(open, p->requests, p->indices, &count, MPI_STATUS_IGNORE);
            break;
        case TESTSOME:
            MPI_Testsome(open, p->requests, &count, p->indices, MPI_STATUSES_IGNORE);
            break;
        default:
            MPI_Waitall(open, p->requests, MPI_STATUSES_IGNORE);
            count = open;
        }
    }
}

/* One window and its acknowledgement. The buffers of a window that arrives are all different, as
 * MPI wants it, but for `--one-buffer`: OSU's and Intel's benchmarks receive all into one. */
static void window_once(void *context, long round)
{
    struct pair *p = context;
    char ack[4] = {0};
    int open = 0;
    if (p->partner == MPI_PROC_NULL) return;
    for (long i = 0; p->receives && i < p->o->window; i++)
        MPI_Irecv(p->in + (size_t)i * p->in_stride, p->count, p->type, p->partner, TAG_DATA,
                  MPI_COMM_WORLD, &p->requests[open++]);
    for (long i = 0; p->sends && i < p->o->window; i++) {
        size_t at = (size_t)((round * p->o->window + i) % p->o->rotate);
        MPI_Isend(p->out + at * p->stride, p->count, p->type, p->partner, TAG_DATA,
                  MPI_COMM_WORLD, &p->requests[open++]);
    }
    complete(p, open);
    if (p->acknowledges)
        MPI_Send(ack, sizeof ack, MPI_BYTE, p->partner, TAG_ACK, MPI_COMM_WORLD);
    else
        MPI_Recv(ack, sizeof ack, MPI_BYTE, p->partner, TAG_ACK, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static struct pair meet(const struct bench_options *o, struct bench_world w)
{
    int half = w.size / 2;
    bool lower = w.rank < half;
    struct pair p = {.o = o, .stride = bench_layout_stride(o), .acknowledges = !lower};
    p.partner = w.rank >= 2 * half ? MPI_PROC_NULL : lower ? w.rank + half : w.rank - half;
    p.in_stride = o->one_buffer ? 0 : p.stride;
    p.sends = lower || o->both_ways;
    p.receives = !lower || o->both_ways;
    p.out = bench_alloc(p.sends ? p.stride * (size_t)o->rotate : 1);
    p.in = bench_alloc(!p.receives ? 1 : p.stride * (o->one_buffer ? 1 : (size_t)o->window));
    p.requests = calloc(2 * (size_t)o->window, sizeof *p.requests);
    p.indices = calloc(2 * (size_t)o->window, sizeof *p.indices);
    while (p.mode < MODE_COUNT && strcmp(MODES[p.mode], o->mode) != 0) p.mode++;
    if (p.mode == MODE_COUNT)
        bench_die("--mode is `%s`; it must be waitall, waitany, waitsome, testall, testany or "
                  "testsome", o->mode);
    if (p.requests == NULL || p.indices == NULL)
        bench_die("no memory for windows of %ld requests", o->window);
    return p;
}

/* What one rank saw, summed or spread over all of them. */
struct rates {
    double windows_per_s;        /* of all pairs, over the time from the first to the last */
    double median_windows_per_s; /* the sum of each pair's median */
};

static struct rates measure(struct pair *p, struct bench_world w, long windows, double *samples_s)
{
    MPI_Barrier(MPI_COMM_WORLD);
    uint64_t begun_ns = bench_now_ns();
    for (long i = 0; i < windows; i++) {
        uint64_t before_ns = bench_now_ns();
        window_once(p, i);
        samples_s[i] = (double)(bench_now_ns() - before_ns) * 1e-9;
    }
    double took_s = (double)(bench_now_ns() - begun_ns) * 1e-9, longest_s = 0, sum = 0;
    bool counts = p->partner != MPI_PROC_NULL && !p->acknowledges;
    double mine = counts ? 1.0 / bench_summary(samples_s, windows).median : 0;
    MPI_Reduce(&took_s, &longest_s, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    int pairs = w.size / 2;
    return (struct rates){.windows_per_s = w.rank == 0 ? pairs * (double)windows / longest_s : 0,
                          .median_windows_per_s = sum};
}

/* The benchmark, and what differs from its usual form. */
static const char *title(const struct bench_options *o, const struct pair *p)
{
    static char title[64];
    snprintf(title, sizeof title, "bandwidth%s%s%s%s", o->both_ways ? "_both_ways" : "",
             o->one_buffer ? "_one_buffer" : "", p->mode == WAITALL ? "" : "_",
             p->mode == WAITALL ? "" : o->mode);
    return title;
}

int main(int argc, char **argv)
{
    struct bench_options o = {
        .name = "bandwidth", .about = "windows of messages between pairs of ranks",
        .extra = "  --both-ways    both partners send at once\n"
                 "  --one-buffer   all messages of a window arrive in the same memory\n"
                 "  --mode NAME    of the call that completes a window: waitall, waitany,\n"
                 "                 waitsome, testall, testany, testsome (default waitall)\n",
        .bytes_min = 1, .bytes_max = 4 << 20, .iterations = 5000, .warmup = 10, .budget_ms = 200,
        .window = 64, .rotate = 1, .mode = "waitall"};
    struct bench_world w = bench_init(&o, argc, argv, 2);
    struct pair p = meet(&o, w);
    double *samples_s = bench_samples(o.iterations);
    o.name = title(&o, &p);
    if (w.rank == 0) bench_header(&o, COLUMNS);
    for (int i = 0; i < o.size_count; i++) {
        struct bench_layout layout = bench_layout_make(&o, o.sizes[i]);
        p.count = layout.count;
        p.type = layout.type;
        long windows = bench_warm(&o, window_once, &p);
        struct rates r = measure(&p, w, windows, samples_s);
        double messages = (double)o.window * (o.both_ways ? 2 : 1);
        double mb = messages * (double)layout.bytes * 1e-6;
        if (w.rank == 0)
            bench_row(&o, COLUMNS, layout.bytes,
                      (double[]){mb * r.windows_per_s, mb * r.median_windows_per_s,
                                 messages * r.windows_per_s, w.size / 2});
        bench_layout_free(&layout);
    }
    free(p.out);
    free(p.in);
    free(p.requests);
    free(p.indices);
    free(samples_s);
    MPI_Finalize();
    return 0;
}
