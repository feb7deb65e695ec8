! The module mpi_f08: sections of plain arrays. Compilers pass those of derived types in other ways,
! which sections.f90 has.
! ranks: 1 2 3
program gaps
  use mpi_f08
  implicit none
  integer, parameter :: N = 10
  integer :: rank, ranks, next, prev, x(N, N), y(N, N), z(5), i, j
  type(MPI_Request) :: requests(2)
  logical :: is_inside

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  next = mod(rank + 1, ranks)
  prev = mod(rank + ranks - 1, ranks)
  x = reshape([((value(rank, i, j), i = 1, N), j = 1, N)], [N, N])

  y = -1
  call MPI_Irecv(y(1:9:2, 2:10:4), 15, MPI_INTEGER, prev, 5, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(x(1:9:2, 2:10:4), 15, MPI_INTEGER, next, 5, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  do j = 1, N
    do i = 1, N
      is_inside = mod(i, 2) == 1 .and. mod(j, 4) == 2
      call check(y(i, j) == merge(value(prev, i, j), -1, is_inside))
    end do
  end do

  call MPI_Allreduce(x(3, 1:9:2), z, 5, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call check(all(z == [(total(3, j), j = 1, 9, 2)]))
  y = -1
  call MPI_Iallreduce(x(3, 1:9:2), y(1:9:2, 4), 5, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(1))
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
  call check(all(y(1:9:2, 4) == z) .and. count(y /= -1) == 5)

  y = x
  call MPI_Bcast(y(10:1:-3, 7), 4, MPI_INTEGER, 0, MPI_COMM_WORLD)
  call check(all(y(10:1:-3, 7) == [(value(0, i, 7), i = 10, 1, -3)]))
  call check(all(y(2:3, 7) == x(2:3, 7)))
  if (rank == 0) print '(a)', 'ok gaps'
  call MPI_Finalize()

contains
  integer function value(of, i, j)
    integer, intent(in) :: of, i, j
    value = 1000 * of + 10 * i + j
  end function
  integer function total(i, j)
    integer, intent(in) :: i, j
    total = 1000 * ranks * (ranks - 1) / 2 + ranks * (10 * i + j)
  end function
  subroutine check(is_right)
    logical, intent(in) :: is_right
    if (is_right) return
    print *, 'FAILED: an element'
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine
end program
