/* The price of Fortran over C: 8-byte messages and sums through the module mpi_f08, whose calls
 * fortran_vs_c.f90 makes, and through the C functions, by the same processes in turns, so that
 * whatever else the machine does falls on both alike. */
#include "bench_mpi.h"

enum { TAG = 1, CALLS_PER_BATCH = 1000 };

static const struct bench_column COLUMNS[] = {
    {"fortran_ns", "Fortran (ns)", 1}, {"c_ns", "C (ns)", 1},
    {"ratio", "Ratio", 3},             {"best_ratio", "Best ratio", 3},
    {NULL, NULL, 0},
};

/* `side` sends first if it is 0. */
typedef void calls(int side, long count);

calls fortran_pingpong, fortran_allreduce;

static void c_pingpong(int side, long count)
{
    double data = 0;
    for (long i = 0; i < count; i++) {
        if (side == 0) MPI_Send(&data, 1, MPI_DOUBLE, 1, TAG, MPI_COMM_WORLD);
        MPI_Recv(&data, 1, MPI_DOUBLE, 1 - side, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (side == 1) MPI_Send(&data, 1, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD);
    }
}

static void c_allreduce(int side, long count)
{
    double data = side, sum;
    for (long i = 0; i < count; i++)
        MPI_Allreduce(&data, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static double each_ns(calls *run, int side)
{
    uint64_t began_ns = bench_now_ns();
    run(side, CALLS_PER_BATCH);
    return (double)(bench_now_ns() - began_ns) / CALLS_PER_BATCH;
}

/* `per_call` is how many results a call has: a round trip has two halves. */
static void compare(const struct bench_options *o, struct bench_world w, calls *fortran, calls *c,
                    double per_call)
{
    double *by_fortran = bench_samples(o->iterations), *by_c = bench_samples(o->iterations);
    for (long b = -o->warmup; b < o->iterations; b++) {
        bool c_first = b % 2 != 0;
        double first = each_ns(c_first ? c : fortran, w.rank) / per_call;
        double second = each_ns(c_first ? fortran : c, w.rank) / per_call;
        if (b < 0) continue;
        by_fortran[b] = c_first ? second : first;
        by_c[b] = c_first ? first : second;
    }
    struct bench_stats f = bench_summary(by_fortran, o->iterations);
    struct bench_stats s = bench_summary(by_c, o->iterations);
    if (w.rank == 0)
        bench_row(o, COLUMNS, sizeof(double),
                  (double[]){f.median, s.median, f.median / s.median, f.min / s.min});
    free(by_fortran);
    free(by_c);
}

int main(int argc, char **argv)
{
    struct bench_options o = {.name = "fortran_vs_c",
                              .about = "mpi_f08 beside C, in turns",
                              .bytes_min = 8, .bytes_max = 8, .iterations = 400, .warmup = 20,
                              .window = 1, .rotate = 1, .pin = true};
    struct bench_world w = bench_init(&o, argc, argv, 2);
    if (w.size != 2) bench_die("it has %d ranks and needs 2", w.size);
    if (w.rank == 0) bench_header(&o, COLUMNS);
    o.name = "pingpong";
    compare(&o, w, fortran_pingpong, c_pingpong, 2);
    o.name = "allreduce";
    compare(&o, w, fortran_allreduce, c_allreduce, 1);
    MPI_Finalize();
    return 0;
}
