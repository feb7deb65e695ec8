/* Does passive target communication need the target? Rank 0 operates on memory of rank 1, which at
 * first waits in a barrier, where any library can help, and then computes for a second without a
 * call of MPI. The ratio of the two times is 1 where nobody needs the target. */
#include "bench_window.h"

static const struct bench_column COLUMNS[] = {
    {"waiting_ms", "Waiting (ms)", 6}, {"computing_ms", "Computing (ms)", 6},
    {"to_waiting", "Ratio", 2},        {NULL, NULL, 0},
};

enum { COMPUTE_MS = 1000, TURNS_PER_LOOK = 1000, NAME_BYTES = 80 };

struct passive {
    struct bench_window window;
    int rank;
    long count;
};

static int64_t number = 1, fetched;

/* Each with a lock of its own. */
static void put(const struct passive *p)
{
    for (long i = 0; i < p->count; i++) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, p->window.win);
        MPI_Put(&number, 1, MPI_INT64_T, 1, p->window.at, 1, MPI_INT64_T, p->window.win);
        MPI_Win_unlock(1, p->window.win);
    }
}

/* Under one lock, each completed before the next: the next depends on it, as with a counter from
 * which ranks take their work. */
static void fetch_and_op(const struct passive *p)
{
    MPI_Win_lock_all(0, p->window.win);
    for (long i = 0; i < p->count; i++) {
        MPI_Fetch_and_op(&number, &fetched, MPI_INT64_T, 1, p->window.at, MPI_SUM, p->window.win);
        MPI_Win_flush(1, p->window.win);
    }
    MPI_Win_unlock_all(p->window.win);
}

static const struct {
    const char *name;
    void (*operate)(const struct passive *p);
} OPERATIONS[] = {{"put", put}, {"fetch_and_op", fetch_and_op}};
enum { OPERATION_COUNT = sizeof OPERATIONS / sizeof OPERATIONS[0] };

/* A program's own work: no call of MPI, nor of the system. */
static void compute(void)
{
    volatile double sum = 1;
    uint64_t until_ns = bench_now_ns() + COMPUTE_MS * UINT64_C(1000000);
    while (bench_now_ns() < until_ns)
        for (int i = 0; i < TURNS_PER_LOOK; i++) sum = sum * 0.5 + 1;
}

/* Milliseconds of all operations. */
static double measure(const struct passive *p, void (*operate)(const struct passive *),
                      bool computes)
{
    MPI_Barrier(MPI_COMM_WORLD);
    uint64_t before_ns = bench_now_ns();
    if (p->rank == 0) operate(p);
    uint64_t took_ns = bench_now_ns() - before_ns;
    if (p->rank == 1 && computes) compute();
    MPI_Barrier(MPI_COMM_WORLD);
    return (double)took_ns / 1e6;
}

static void measure_flavor(struct bench_options *o, struct passive *p, const char *flavor)
{
    char name[NAME_BYTES];
    p->window = bench_window_make(flavor, BENCH_ALIGN, p->rank);
    for (int i = 0; i < OPERATION_COUNT; i++) {
        snprintf(name, sizeof name, "passive_%s_%s", OPERATIONS[i].name, flavor);
        o->name = name;
        if (p->rank == 0) bench_header(o, COLUMNS);
        measure(p, OPERATIONS[i].operate, false); /* connections are made */
        double waiting_ms = measure(p, OPERATIONS[i].operate, false);
        double computing_ms = measure(p, OPERATIONS[i].operate, true);
        if (p->rank == 0)
            bench_row(o, COLUMNS, sizeof number,
                      (double[]){waiting_ms, computing_ms, computing_ms / waiting_ms});
    }
    bench_window_free(&p->window);
}

int main(int argc, char **argv)
{
    struct bench_options o = {
        .name = "passive_target", .about = "8 bytes to a target that waits, and one that computes",
        .extra = "  --flavor NAMES of the window: allocate, create, dynamic, shared "
                 "(default allocate)\n",
        .iterations = 10000, .window = 1, .rotate = 1, .flavor = "allocate"};
    struct bench_world w = bench_init(&o, argc, argv, BENCH_RANKS_OF_A_WINDOW);
    if (w.size != BENCH_RANKS_OF_A_WINDOW) bench_die("it has %d ranks and needs 2", w.size);
    bench_check_names("--flavor", o.flavor, BENCH_FLAVORS, BENCH_FLAVOR_COUNT);
    struct passive p = {.rank = w.rank, .count = o.iterations};
    for (int i = 0; i < BENCH_FLAVOR_COUNT; i++)
        if (bench_named(o.flavor, BENCH_FLAVORS[i])) measure_flavor(&o, &p, BENCH_FLAVORS[i]);
    MPI_Finalize();
    return 0;
}
