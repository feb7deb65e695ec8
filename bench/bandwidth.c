/* Rank 0 sends windows of messages to rank 1, which acknowledges each window: the rate at which one
 * pair can move data when nobody waits for a single message. */
#include "bench_mpi.h"

enum { TAG_DATA = 1, TAG_ACK = 2 };

static const struct bench_column COLUMNS[] = {
    {"mb_per_s", "MB/s", 2}, {"best_mb_per_s", "Best MB/s", 2}, {"messages_per_s", "Messages/s", 0},
    {NULL, NULL, 0},
};

/* One window and its acknowledgement. */
static void window_once(const struct bench_options *o, char *data, size_t stride, int count,
                        int side, MPI_Request *requests)
{
    char ack[4] = {0};
    for (long i = 0; i < o->window; i++) {
        char *at = data + (size_t)(i % o->rotate) * stride;
        if (side == 0) MPI_Isend(at, count, MPI_BYTE, 1, TAG_DATA, MPI_COMM_WORLD, &requests[i]);
        else MPI_Irecv(at, count, MPI_BYTE, 0, TAG_DATA, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Waitall((int)o->window, requests, MPI_STATUSES_IGNORE);
    if (side == 0)
        MPI_Recv(ack, sizeof ack, MPI_BYTE, 1, TAG_ACK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(ack, sizeof ack, MPI_BYTE, 0, TAG_ACK, MPI_COMM_WORLD);
}

/* Seconds per window into `samples`. */
static void measure(const struct bench_options *o, char *data, size_t stride, size_t bytes,
                    int side, MPI_Request *requests, double *samples_s)
{
    int count = bench_count(bytes);
    for (long i = 0; i < o->warmup; i++) window_once(o, data, stride, count, side, requests);
    for (long i = 0; i < o->iterations; i++) {
        uint64_t before_ns = bench_now_ns();
        window_once(o, data, stride, count, side, requests);
        samples_s[i] = (double)(bench_now_ns() - before_ns) * 1e-9;
    }
}

int main(int argc, char **argv)
{
    struct bench_options o = {.name = "bandwidth", .about = "windows of messages, rank 0 to rank 1",
                              .bytes_min = 1, .bytes_max = 4 << 20, .iterations = 50, .warmup = 5,
                              .window = 64, .rotate = 1, .pin = false};
    struct bench_world w = bench_init(&o, argc, argv, 2);
    size_t stride = (o.bytes_max / BENCH_ALIGN + 1) * BENCH_ALIGN;
    /* The receiver's buffers must not overlap while they are in flight. */
    if (w.rank == 1) o.rotate = o.window;
    char *data = bench_alloc(stride * (size_t)o.rotate);
    MPI_Request *requests = calloc((size_t)o.window, sizeof *requests);
    if (requests == NULL) bench_die("no memory for a window of %ld requests", o.window);
    double *samples_s = bench_samples(o.iterations);
    if (w.rank == 0) bench_header(&o, COLUMNS);
    for (size_t bytes = o.bytes_min; bytes <= o.bytes_max; bytes = bench_next_size(bytes)) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (w.rank < 2) measure(&o, data, stride, bytes, w.rank, requests, samples_s);
        if (w.rank != 0) continue;
        struct bench_stats s = bench_summary(samples_s, o.iterations);
        double window_mb = (double)bytes * (double)o.window * 1e-6;
        bench_row(&o, COLUMNS, bytes, (double[]){window_mb / s.median, window_mb / s.min,
                                                 (double)o.window / s.median});
    }
    free(data);
    free(requests);
    free(samples_s);
    MPI_Finalize();
    return 0;
}
