/* Memory of a rank after MPI_Init, after a word from everybody to everybody, and after collectives
 * of several lengths: its proportional share (a page that four ranks map counts a quarter to each),
 * and what it alone has written. */
#include "bench_mpi.h"
#include <sys/mman.h>

static const struct bench_column COLUMNS[] = {
    {"ranks", "Ranks", 0},
    {"init_pss_kib", "Init KiB", 0},
    {"init_pss_max_kib", "max KiB", 0},
    {"init_dirty_kib", "own KiB", 0},
    {"talked_pss_kib", "Talked KiB", 0},
    {"talked_pss_max_kib", "max KiB", 0},
    {"talked_dirty_kib", "own KiB", 0},
    {"used_pss_kib", "Used KiB", 0},
    {"used_pss_max_kib", "max KiB", 0},
    {"used_dirty_kib", "own KiB", 0},
    {NULL, NULL, 0},
};

enum { LINE_BYTES = 256, VALUES = 10, REPEATS = 8, DOUBLES_MAX = 8192 };
/* Of a vector: 8 bytes, 8 KiB, 64 KiB. Blocks of gather, allgather and so on are an eighth. */
static const int DOUBLES[] = {1, 1024, DOUBLES_MAX};

struct memory {
    double pss_kib, dirty_kib;
};

/* The system adds the mappings up in smaps_rollup, so the answer is consistent. */
static struct memory read_memory(void)
{
    struct memory m = {0, 0};
    char line[LINE_BYTES];
    FILE *f = fopen("/proc/self/smaps_rollup", "r");
    if (f == NULL) bench_die("cannot read /proc/self/smaps_rollup: %s", strerror(errno));
    while (fgets(line, sizeof line, f) != NULL) {
        sscanf(line, "Pss: %lf", &m.pss_kib);
        sscanf(line, "Private_Dirty: %lf", &m.dirty_kib);
    }
    fclose(f);
    return m;
}

/* Everybody is there and nobody goes while one reads: shares depend on who maps a page. */
static struct memory read_together(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    struct memory m = read_memory();
    MPI_Barrier(MPI_COMM_WORLD);
    return m;
}

static void talk_to_all(struct bench_world w)
{
    double *out = bench_samples(w.size), *in = bench_samples(w.size);
    MPI_Alltoall(out, 1, MPI_DOUBLE, in, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    free(out);
    free(in);
}

/* Memory that is given back at once when it is freed, so that it does not count. */
static double *transient(size_t doubles)
{
    size_t bytes = doubles * sizeof(double);
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) bench_die("no memory for %zu bytes", bytes);
    return at;
}

static void use_collectives(struct bench_world w)
{
    size_t room = (size_t)DOUBLES_MAX * (size_t)w.size;
    double *out = transient(room), *in = transient(room);
    for (int i = 0; i < REPEATS * (int)(sizeof DOUBLES / sizeof *DOUBLES); i++) {
        int count = DOUBLES[i / REPEATS], block = (count + 7) / 8, root = i % w.size;
        MPI_Comm all = MPI_COMM_WORLD;
        MPI_Barrier(all);
        MPI_Bcast(out, count, MPI_DOUBLE, root, all);
        MPI_Reduce(out, in, count, MPI_DOUBLE, MPI_SUM, root, all);
        MPI_Allreduce(out, in, count, MPI_DOUBLE, MPI_SUM, all);
        MPI_Gather(out, block, MPI_DOUBLE, in, block, MPI_DOUBLE, root, all);
        MPI_Scatter(out, block, MPI_DOUBLE, in, block, MPI_DOUBLE, root, all);
        MPI_Allgather(out, block, MPI_DOUBLE, in, block, MPI_DOUBLE, all);
        MPI_Alltoall(out, block, MPI_DOUBLE, in, block, MPI_DOUBLE, all);
        MPI_Reduce_scatter_block(out, in, block, MPI_DOUBLE, MPI_SUM, all);
        MPI_Scan(out, in, count, MPI_DOUBLE, MPI_SUM, all);
    }
    munmap(out, room * sizeof *out);
    munmap(in, room * sizeof *in);
}

/* Mean and maximum of the shares and the mean of the own pages, on rank 0. */
static void summarise(struct bench_world w, struct memory m, double *three)
{
    double mine[2] = {m.pss_kib, m.dirty_kib}, sum[2] = {0, 0};
    MPI_Reduce(mine, sum, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&m.pss_kib, &three[1], 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    three[0] = sum[0] / w.size;
    three[2] = sum[1] / w.size;
}

int main(int argc, char **argv)
{
    struct bench_options o = {.name = "memory", .about = "memory per rank, proportional shares",
                              .bytes_min = 0, .bytes_max = 0, .iterations = 1, .window = 1,
                              .rotate = 1};
    bench_parse(&o, argc, argv);
    MPI_Init(NULL, NULL);
    /* Before where ranks run is asked and told, which takes messages. */
    struct memory after_init = read_together();
    struct bench_world w = bench_join(&o, argv[0], 1);
    talk_to_all(w);
    struct memory after_talk = read_together();
    use_collectives(w);
    struct memory after_use = read_together();
    double values[VALUES] = {w.size};
    summarise(w, after_init, values + 1);
    summarise(w, after_talk, values + 4);
    summarise(w, after_use, values + 7);
    if (w.rank == 0) {
        bench_header(&o, COLUMNS);
        bench_row(&o, COLUMNS, 0, values);
    }
    MPI_Finalize();
    return 0;
}
