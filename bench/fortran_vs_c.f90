! The Fortran part of fortran_vs_c.c: the same calls as there, through the module mpi_f08.
module fortran_vs_c
  use, intrinsic :: iso_c_binding
  use mpi_f08
  implicit none
  integer, parameter :: tag = 1
contains
  subroutine pingpong(side, count) bind(C, name="fortran_pingpong")
    integer(C_INT), value :: side
    integer(C_LONG), value :: count
    integer(C_LONG) :: i
    double precision :: data
    data = 0
    do i = 1, count
      if (side == 0) call MPI_Send(data, 1, MPI_DOUBLE_PRECISION, 1, tag, MPI_COMM_WORLD)
      call MPI_Recv(data, 1, MPI_DOUBLE_PRECISION, 1 - side, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
      if (side == 1) call MPI_Send(data, 1, MPI_DOUBLE_PRECISION, 0, tag, MPI_COMM_WORLD)
    end do
  end subroutine

  subroutine allreduce(side, count) bind(C, name="fortran_allreduce")
    integer(C_INT), value :: side
    integer(C_LONG), value :: count
    integer(C_LONG) :: i
    double precision :: data, total
    data = side
    do i = 1, count
      call MPI_Allreduce(data, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
    end do
  end subroutine
end module
