! FFTW's Fortran interface for MPI: a plane wave becomes one number, and comes back.
program fftw
  use, intrinsic :: iso_c_binding
  use mpi
  implicit none
  include 'fftw3-mpi.f03'
  integer(C_INTPTR_T), parameter :: L = 48, M = 40, N = 36
  real(C_DOUBLE), parameter :: PI = acos(-1d0)
  integer(C_INTPTR_T) :: allocated, planes, first, i, j, k
  type(C_PTR) :: forth, back, memory
  complex(C_DOUBLE_COMPLEX), pointer :: wave(:, :, :)
  complex(C_DOUBLE_COMPLEX) :: expected
  real(C_DOUBLE) :: error, most, angle, peak, highest
  integer :: ierror, rank

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call fftw_mpi_init()
  allocated = fftw_mpi_local_size_3d(N, M, L, MPI_COMM_WORLD, planes, first)
  memory = fftw_alloc_complex(allocated)
  call c_f_pointer(memory, wave, [L, M, planes])
  forth = fftw_mpi_plan_dft_3d(N, M, L, wave, wave, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE)
  back = fftw_mpi_plan_dft_3d(N, M, L, wave, wave, MPI_COMM_WORLD, FFTW_BACKWARD, FFTW_ESTIMATE)
  do k = 1, planes
    do j = 1, M
      do i = 1, L
        angle = 2 * PI * (3d0 * (i - 1) / L + 5d0 * (j - 1) / M + 7d0 * (first + k - 1) / N)
        wave(i, j, k) = cmplx(cos(angle), sin(angle), C_DOUBLE_COMPLEX)
      end do
    end do
  end do
  call fftw_mpi_execute_dft(forth, wave, wave)
  error = 0
  peak = 0
  do k = 1, planes
    do j = 1, M
      do i = 1, L
        peak = max(peak, abs(wave(i, j, k)))
        expected = 0
        if (i == 4 .and. j == 6 .and. first + k == 8) expected = real(L * M * N, C_DOUBLE)
        error = max(error, abs(wave(i, j, k) - expected))
      end do
    end do
  end do
  call fftw_mpi_execute_dft(back, wave, wave)
  do k = 1, planes
    angle = 2 * PI * 7d0 * (first + k - 1) / N
    expected = cmplx(cos(angle), sin(angle), C_DOUBLE_COMPLEX) * real(L * M * N, C_DOUBLE)
    error = max(error, abs(wave(1, 1, k) - expected))
  end do
  call MPI_Allreduce(error, most, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierror)
  call MPI_Allreduce(peak, highest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierror)
  if (rank == 0) then
    print '(a)', merge('right', 'wrong', most < 1d-6)
    print '(a, es24.16)', 'peak ', highest
  end if
  call MPI_Finalize(ierror)
end program
