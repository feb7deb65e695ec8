/* The price of another ABI over the standard's: 8-byte messages and sums through the functions of
 * the ABI that this file is compiled for, and through those of libmpi_abi.so.1, which
 * abi_vs_standard_part.c calls. */
#include "bench_turns.h"

enum { TAG = 1, WINDOW = 64 };

static const struct bench_column COLUMNS[] = {
    {"abi_ns", "This ABI (ns)", 1}, {"standard_ns", "Standard (ns)", 1},
    {"ratio", "Ratio", 3},          {"best_ratio", "Best ratio", 3},
    {NULL, NULL, 0},
};

#define CALLS(name) abi_##name
#define FUNCTION(name) MPI_##name
#include "abi_vs_standard.h"

calls standard_pingpong, standard_rate, standard_allreduce;
void find_standard(void);

int main(int argc, char **argv)
{
    struct bench_options o = {.name = "abi_vs_standard",
                              .about = "another ABI beside the standard's, in turns",
                              .bytes_min = 8, .bytes_max = 8, .iterations = 400, .warmup = 20,
                              .window = 1, .rotate = 1, .pin = true};
    struct bench_world w = bench_init(&o, argc, argv, 2);
    if (w.size != 2) bench_die("it has %d ranks and needs 2", w.size);
    find_standard();
    if (w.rank == 0) bench_header(&o, COLUMNS);
    o.name = "pingpong";
    compare(&o, COLUMNS, w, abi_pingpong, standard_pingpong, 2);
    o.name = "message rate";
    compare(&o, COLUMNS, w, abi_rate, standard_rate, 1);
    o.name = "allreduce";
    compare(&o, COLUMNS, w, abi_allreduce, standard_allreduce, 1);
    MPI_Finalize();
    return 0;
}
