/* What the bare network between two hosts can do, without MPI: the half round trip of a message and
 * the rate of a stream over spinning UDP and TCP sockets, UDP with segmentation offload. The hosts
 * are network namespaces of one machine: this program runs on the first and sends a second process
 * to the other one. */
#include "bench_line.h"
#include "bench_output.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    /* Headers of IPv4 and UDP, and the largest datagram that is cut into segments. */
    HEADERS = 28,
    DATAGRAM_MAX = 65507,
    SEGMENTS_MAX = 64,
    /* UDP has no flow control: so much is under way before the receiver answers. It is less than
     * the receiver's socket holds. */
    BLOCK_BYTES = 512 << 10,
    BLOCKS_MAX = 2,
    SOCKET_BYTES = 32 << 20,
    PATIENCE_S = 5,
    WARMUP_PART = 4,
};

static const struct bench_column TIMES[] = {
    {"median_us", "Median (us)", 3}, {"min_us", "Min (us)", 3}, {"p99_us", "p99 (us)", 3},
    {"mean_us", "Mean (us)", 3},     {NULL, NULL, 0},
};
static const struct bench_column RATES[] = {
    {"mb_per_s", "MB/s", 2}, {"median_mb_per_s", "Median MB/s", 2},
    {"messages_per_s", "Messages/s", 0}, {NULL, NULL, 0},
};

/* What both processes see. */
struct meeting {
    struct bench_line line;
    struct sockaddr_in addresses[2];
    long iterations;
};

struct path {
    const struct bench_options *o;
    struct meeting *meeting;
    uint64_t turn; /* of the meeting's line */
    int side, fd;
    bool udp, streams;
    size_t bytes;
    size_t piece_max; /* of one send; 0: any */
    size_t blocks_out; /* sent and not yet answered */
    size_t block;      /* bytes of the block that has begun */
    char *buffer;
};

/* Both sides pass together. */
static void meet(struct path *p)
{
    if (p->side == 0) {
        __atomic_store_n(&p->meeting->line.turn, ++p->turn, __ATOMIC_RELEASE); /* with the wait */
        bench_line_wait(&p->meeting->line, ++p->turn);
    } else {
        bench_line_wait(&p->meeting->line, ++p->turn);
        __atomic_store_n(&p->meeting->line.turn, ++p->turn, __ATOMIC_RELEASE); /* with the wait */
    }
}

static void set(int fd, int level, int option, int value)
{
    if (setsockopt(fd, level, option, &value, sizeof value) != 0)
        bench_die("cannot set option %d of a socket: %s", option, strerror(errno));
}

static int make_socket(struct path *p, const char *address, int mtu)
{
    struct sockaddr_in *mine = &p->meeting->addresses[p->side];
    socklen_t length = sizeof *mine;
    int fd = socket(AF_INET, p->udp ? SOCK_DGRAM : SOCK_STREAM, 0);
    *mine = (struct sockaddr_in){.sin_family = AF_INET};
    if (inet_pton(AF_INET, address, &mine->sin_addr) != 1)
        bench_die("`%s` is not an IPv4 address", address);
    if (fd < 0 || bind(fd, (struct sockaddr *)mine, sizeof *mine) != 0 ||
        getsockname(fd, (struct sockaddr *)mine, &length) != 0)
        bench_die("cannot use %s: %s", address, strerror(errno));
    if (p->udp) {
        int segment = mtu - HEADERS;
        int segments = DATAGRAM_MAX / segment;
        p->piece_max = (size_t)(segment * (segments < SEGMENTS_MAX ? segments : SEGMENTS_MAX));
        set(fd, IPPROTO_UDP, UDP_SEGMENT, segment);
        set(fd, IPPROTO_UDP, UDP_GRO, 1);
        set(fd, SOL_SOCKET, SO_RCVBUFFORCE, SOCKET_BYTES);
        set(fd, SOL_SOCKET, SO_SNDBUFFORCE, SOCKET_BYTES);
    } else if (p->side == 1 && listen(fd, 1) != 0) {
        bench_die("cannot listen: %s", strerror(errno));
    }
    return fd;
}

static void join(struct path *p, const char *address, int mtu)
{
    int fd = make_socket(p, address, mtu);
    meet(p);
    struct sockaddr *other = (struct sockaddr *)&p->meeting->addresses[1 - p->side];
    p->fd = fd;
    if (p->side == 1 && !p->udp) {
        p->fd = accept(fd, NULL, NULL);
        close(fd);
    } else if (connect(fd, other, sizeof(struct sockaddr_in)) != 0) {
        bench_die("cannot reach the other host: %s", strerror(errno));
    }
    if (p->fd < 0) bench_die("cannot accept a connection: %s", strerror(errno));
    if (!p->udp) set(p->fd, IPPROTO_TCP, TCP_NODELAY, 1);
    meet(p);
}

static bool again(ssize_t done)
{
    if (done < 0 && errno != EAGAIN && errno != EINTR)
        bench_die("the connection broke: %s", strerror(errno));
    return done < 0;
}

static void take(struct path *p, size_t bytes)
{
    uint64_t until_ns = 0;
    for (size_t at = 0, tries = 1; at < bytes; tries++) {
        /* With offload a datagram may bring more than is left of this message: no more is asked
         * for than `bytes` where each message waits for the one before. */
        ssize_t got = recv(p->fd, p->buffer + at, bytes - at, MSG_DONTWAIT);
        if (!again(got)) at += (size_t)got;
        if (tries % 1024 != 0) continue;
        if (until_ns == 0) until_ns = bench_now_ns() + PATIENCE_S * 1000000000ull;
        if (bench_now_ns() > until_ns) bench_die("nothing came for %d s", PATIENCE_S);
    }
}

static void answer(struct path *p)
{
    while (again(send(p->fd, p->buffer, 4, MSG_DONTWAIT))) {}
}

static void give(struct path *p, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        size_t piece = bytes - at;
        if (p->piece_max != 0 && piece > p->piece_max) piece = p->piece_max;
        ssize_t sent = send(p->fd, p->buffer + at, piece, MSG_DONTWAIT);
        if (!again(sent)) at += (size_t)sent;
    }
}

static void exchange(struct path *p)
{
    if (p->side == 0) give(p, p->bytes);
    take(p, p->bytes);
    if (p->side == 1) give(p, p->bytes);
}

/* A window of messages as one row of blocks, each of which is answered. */
static void stream(struct path *p)
{
    size_t total = p->bytes * (size_t)p->o->window, out = 0;
    for (size_t at = 0; at < total;) {
        size_t block = total - at < BLOCK_BYTES ? total - at : BLOCK_BYTES;
        if (p->side == 1) {
            take(p, block);
            answer(p);
        } else {
            for (size_t sent = 0; sent < block; sent += p->bytes)
                give(p, p->bytes < block - sent ? p->bytes : block - sent);
            if (++out > BLOCKS_MAX) take(p, 4), out--;
        }
        at += block;
    }
    for (; out > 0; out--) take(p, 4);
}

/* Nanoseconds per iteration of `count`. */
static double repeat(struct path *p, long count, double *samples_us)
{
    uint64_t began_ns = bench_now_ns(), before_ns = began_ns;
    for (long i = 0; i < count; i++) {
        p->streams ? stream(p) : exchange(p);
        uint64_t after_ns = bench_now_ns();
        samples_us[i] = (double)(after_ns - before_ns) / 1000.0;
        before_ns = after_ns;
    }
    return (double)(before_ns - began_ns) / (double)count;
}

static void show(const struct path *p, struct bench_stats us)
{
    if (!p->streams) {
        bench_row(p->o, TIMES, p->bytes, (double[]){us.median / 2, us.min / 2, us.p99 / 2,
                                                    us.mean / 2});
        return;
    }
    double messages = (double)p->o->window, mb = messages * (double)p->bytes;
    bench_row(p->o, RATES, p->bytes, (double[]){mb / us.mean, mb / us.median,
                                                messages * 1e6 / us.mean});
}

/* The warm-up grows until it has taken its part of the budget; side 0 says how it goes on. */
static void measure_size(struct path *p, double *samples_us)
{
    double budget_ns = (double)p->o->budget_ms * 1e6, each_ns = 0;
    for (long batch = 1; batch > 0; batch = p->meeting->iterations) {
        each_ns = repeat(p, batch, samples_us);
        bool enough = each_ns * (double)batch > budget_ns / WARMUP_PART || batch >= p->o->warmup;
        meet(p);
        if (p->side == 0) p->meeting->iterations = enough ? 0 : 2 * batch;
        meet(p);
    }
    if (p->side == 0) {
        double fitting = budget_ns / each_ns;
        long most = p->o->iterations;
        p->meeting->iterations = fitting < 5 ? 5 : fitting > (double)most ? most : (long)fitting;
    }
    meet(p);
    long iterations = p->meeting->iterations;
    repeat(p, iterations, samples_us);
    if (p->side == 0) show(p, bench_summary(samples_us, iterations));
    meet(p);
}

static void measure(struct path *p)
{
    double *samples_us = bench_samples(p->o->iterations + 2 * p->o->warmup);
    p->buffer = bench_alloc(p->o->bytes_max > BLOCK_BYTES ? p->o->bytes_max : BLOCK_BYTES);
    if (p->o->pin) bench_pin(p->side);
    if (p->side == 0) bench_header(p->o, p->streams ? RATES : TIMES);
    for (int s = 0; s < p->o->size_count; s++) {
        p->bytes = p->o->sizes[s];
        measure_size(p, samples_us);
    }
}

static void enter(const char *name)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "/run/netns/%s", name);
    int fd = open(path, O_RDONLY);
    if (fd < 0 || setns(fd, CLONE_NEWNET) != 0)
        bench_die("cannot enter the host %s: %s", name, strerror(errno));
    close(fd);
}

int main(int argc, char **argv)
{
    struct bench_options o = {
        .name = "latency", .about = "netlimits HOST ITS_ADDRESS OUR_ADDRESS MTU [OPTIONS]",
        .extra = "  --op NAME      latency or bandwidth\n  --mode NAME    udp or tcp\n",
        .bytes_min = 8, .bytes_max = 4 << 20, .iterations = 10000, .warmup = 200,
        .budget_ms = 200, .window = 64, .rotate = 1, .op = "latency", .mode = "udp", .pin = true};
    if (argc < 5) bench_die("%s", o.about);
    bench_parse(&o, argc - 4, argv + 4);
    struct meeting *meeting = mmap(NULL, sizeof *meeting, PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (meeting == MAP_FAILED) bench_die("cannot map shared memory: %s", strerror(errno));
    struct path p = {.o = &o, .meeting = meeting, .udp = strcmp(o.mode, "udp") == 0,
                     .streams = strcmp(o.op, "bandwidth") == 0};
    o.name = p.streams ? "bandwidth" : "latency";
    pid_t child = fork();
    if (child < 0) bench_die("cannot start a second process: %s", strerror(errno));
    p.side = child == 0 ? 1 : 0;
    if (p.side == 1) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        enter(argv[1]);
    }
    join(&p, argv[p.side == 1 ? 2 : 3], atoi(argv[4]));
    measure(&p);
    if (p.side == 1) _exit(0);
    int status = 0;
    return waitpid(child, &status, 0) == child && status == 0 ? 0 : 1;
}
