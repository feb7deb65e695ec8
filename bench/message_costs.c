/* What a message costs the two cores beside its journey, for a model of a network: the sender in
 * MPI_Send, and the receiver in MPI_Recv of a message that has arrived. Meant for messages that are
 * eager: the send of a longer one waits for its receiver. */
#include "bench_mpi.h"

enum { TAG_GO = 1, TAG_DATA = 2, ROUND_TRIPS = 20, PAUSE_ROUND_TRIPS = 3 };
/* A message that is asked for has arrived after so long at least, and no progress thread has yet
 * taken over from a program that has not called MPI. */
static const uint64_t PAUSE_NS_MIN = 50000, PAUSE_NS_MAX = 800000;

static const struct bench_column COLUMNS[] = {
    {"send_us", "Send (us)", 3}, {"receive_us", "Receive (us)", 3}, {NULL, NULL, 0},
};

struct side {
    char *data;
    int count;
    int rank; /* 0 sends, 1 receives, others look on */
    uint64_t pause_ns;
    uint64_t took_ns;
};

static void wait_ns(uint64_t ns)
{
    uint64_t begun_ns = bench_now_ns();
    while (bench_now_ns() - begun_ns < ns) continue;
}

/* The receiver asks for a message, and takes it when it must be there. */
static void transfer(void *context, long i)
{
    struct side *s = context;
    (void)i;
    if (s->rank > 1) return;
    if (s->rank == 0) {
        MPI_Recv(NULL, 0, MPI_BYTE, 1, TAG_GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        uint64_t begun_ns = bench_now_ns();
        MPI_Send(s->data, s->count, MPI_BYTE, 1, TAG_DATA, MPI_COMM_WORLD);
        s->took_ns = bench_now_ns() - begun_ns;
        return;
    }
    MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_GO, MPI_COMM_WORLD);
    wait_ns(s->pause_ns);
    uint64_t begun_ns = bench_now_ns();
    MPI_Recv(s->data, s->count, MPI_BYTE, 0, TAG_DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    s->took_ns = bench_now_ns() - begun_ns;
}

/* A few times as long as it takes from asking for a message to having it. */
static uint64_t pause_for(struct side *s)
{
    s->pause_ns = 0;
    uint64_t begun_ns = bench_now_ns();
    for (int i = 0; i < ROUND_TRIPS; i++) transfer(s, i);
    uint64_t pause_ns = (bench_now_ns() - begun_ns) / ROUND_TRIPS * PAUSE_ROUND_TRIPS;
    if (pause_ns < PAUSE_NS_MIN) return PAUSE_NS_MIN;
    return pause_ns > PAUSE_NS_MAX ? PAUSE_NS_MAX : pause_ns;
}

int main(int argc, char **argv)
{
    struct bench_options o = {.name = "message_costs",
                              .about = "what sender and receiver spend on a message",
                              .bytes_min = 8, .bytes_max = 32 << 10, .iterations = 1000,
                              .warmup = 20, .budget_ms = 200, .window = 1, .rotate = 1};
    struct bench_world w = bench_init(&o, argc, argv, 2);
    struct side s = {.data = bench_alloc(o.bytes_max), .rank = w.rank};
    double *samples_us = bench_samples(o.iterations);
    if (w.rank == 0) bench_header(&o, COLUMNS);
    for (int i = 0; i < o.size_count; i++) {
        s.count = bench_count(o.sizes[i]);
        s.pause_ns = pause_for(&s);
        long iterations = bench_warm(&o, transfer, &s);
        for (long n = 0; n < iterations; n++) {
            transfer(&s, n);
            samples_us[n] = (double)s.took_ns / 1000.0;
        }
        double mine = bench_summary(samples_us, iterations).median, receive = 0;
        if (w.rank == 1) MPI_Send(&mine, 1, MPI_DOUBLE, 0, TAG_DATA, MPI_COMM_WORLD);
        if (w.rank != 0) continue;
        MPI_Recv(&receive, 1, MPI_DOUBLE, 1, TAG_DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        bench_row(&o, COLUMNS, o.sizes[i], (double[]){mine, receive});
    }
    free(s.data);
    free(samples_us);
    MPI_Finalize();
    return 0;
}
