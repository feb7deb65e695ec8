/* The price of Fortran over C: 8-byte messages and sums through the module mpi_f08, whose calls
 * fortran_vs_c.f90 makes, and through the C functions. */
#include "bench_turns.h"

enum { TAG = 1 };

static const struct bench_column COLUMNS[] = {
    {"fortran_ns", "Fortran (ns)", 1}, {"c_ns", "C (ns)", 1},
    {"ratio", "Ratio", 3},             {"best_ratio", "Best ratio", 3},
    {NULL, NULL, 0},
};

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
    compare(&o, COLUMNS, w, fortran_pingpong, c_pingpong, 2);
    o.name = "allreduce";
    compare(&o, COLUMNS, w, fortran_allreduce, c_allreduce, 1);
    MPI_Finalize();
    return 0;
}
