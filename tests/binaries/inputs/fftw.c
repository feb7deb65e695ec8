/* A three-dimensional transform across ranks by FFTW and back: prints `right` when the data is what
 * it was, and the peak of the transform. */
#include <fftw3-mpi.h>
#include <math.h>
#include <stdio.h>

enum { N0 = 48, N1 = 40, N2 = 36 };

static double worst(const fftw_complex *data, const double *before, ptrdiff_t n)
{
    double difference = 0, all = 0;
    for (ptrdiff_t i = 0; i < n; i++)
        difference = fmax(difference, fabs(data[i][0] / (N0 * N1 * N2) - before[i]));
    MPI_Allreduce(&difference, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    fftw_mpi_init();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    ptrdiff_t here, first;
    ptrdiff_t room = fftw_mpi_local_size_3d(N0, N1, N2, MPI_COMM_WORLD, &here, &first);
    fftw_complex *data = fftw_alloc_complex(room);
    double *before = fftw_alloc_real(room);
    fftw_plan there = fftw_mpi_plan_dft_3d(N0, N1, N2, data, data, MPI_COMM_WORLD, FFTW_FORWARD,
                                           FFTW_ESTIMATE);
    fftw_plan back = fftw_mpi_plan_dft_3d(N0, N1, N2, data, data, MPI_COMM_WORLD, FFTW_BACKWARD,
                                          FFTW_ESTIMATE);
    ptrdiff_t n = here * N1 * N2;
    for (ptrdiff_t i = 0; i < n; i++) {
        before[i] = data[i][0] = sin(0.001 * (double)(first * N1 * N2 + i));
        data[i][1] = 0;
    }
    fftw_execute(there);
    double peak = 0, highest = 0;
    for (ptrdiff_t i = 0; i < n; i++)
        peak = fmax(peak, hypot(data[i][0], data[i][1]));
    MPI_Reduce(&peak, &highest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    fftw_execute(back);
    double wrong = worst(data, before, n);
    if (rank == 0)
        printf("peak %.12e\n%s\n", highest, wrong < 1e-12 ? "right" : "wrong");
    MPI_Finalize();
    return 0;
}
