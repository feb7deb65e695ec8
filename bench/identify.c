/* Which MPI library this is, in its own words, and whether it adds up: what `dunlin libs` asks of
 * every library that it finds. */
#include "bench_options.h"
#include <mpi.h>

static void print_quoted(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') printf("\\%c", *text);
        else if ((unsigned char)*text < ' ') printf("\\u%04x", (unsigned)*text);
        else putchar(*text);
    }
    putchar('"');
}

int main(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0, version = 0, subversion = 0, rank = 0, size = 0, sum = 0;
    MPI_Init(NULL, NULL);
    MPI_Get_library_version(text, &length);
    MPI_Get_version(&version, &subversion);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (sum != size * (size - 1) / 2) bench_die("the sum of %d ranks is %d", size, sum);
    if (rank == 0) {
        printf("{\"mpi\": \"%d.%d\", \"ranks\": %d, \"text\": ", version, subversion, size);
        print_quoted(text);
        puts("}");
    }
    MPI_Finalize();
    return 0;
}
