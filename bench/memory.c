/* Memory of a rank after MPI_Init, and after a word from everybody to everybody: its proportional
 * share (a page that four ranks map counts a quarter to each), and what it alone has written. */
#include "bench_mpi.h"

static const struct bench_column COLUMNS[] = {
    {"ranks", "Ranks", 0},
    {"init_pss_kib", "Init KiB", 0},
    {"init_pss_max_kib", "max KiB", 0},
    {"init_dirty_kib", "own KiB", 0},
    {"talked_pss_kib", "Talked KiB", 0},
    {"talked_pss_max_kib", "max KiB", 0},
    {"talked_dirty_kib", "own KiB", 0},
    {NULL, NULL, 0},
};

enum { LINE_BYTES = 256 };

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
    struct bench_world w = bench_init(&o, argc, argv, 1);
    struct memory after_init = read_together();
    talk_to_all(w);
    struct memory after_talk = read_together();
    double values[7] = {w.size};
    summarise(w, after_init, values + 1);
    summarise(w, after_talk, values + 4);
    if (w.rank == 0) {
        bench_header(&o, COLUMNS);
        bench_row(&o, COLUMNS, 0, values);
    }
    MPI_Finalize();
    return 0;
}
