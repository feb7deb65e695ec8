! The module mpi: interfaces, buffers of any type and rank, sections in blocking calls, MPI_Sizeof,
! memory as a pointer.
! ranks: 1 2 3
program module_mpi
  use, intrinsic :: iso_c_binding
  use mpi
  implicit none
  integer :: ierror, rank, ranks, n, next, prev, status(MPI_STATUS_SIZE), one
  real :: grid(4, 4), column(4), scalar
  double precision :: wide
  character(len=5) :: word
  complex :: z(2)
  type(c_ptr) :: memory
  type(MPI_Status) :: of_f08
  type(MPI_Comm) :: handle
  integer(kind=MPI_ADDRESS_KIND) :: bytes, address
  integer, pointer :: values(:)

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  next = mod(rank + 1, ranks)
  prev = mod(rank + ranks - 1, ranks)

  grid = rank
  grid(2, :) = rank + 100
  column = -1
  call MPI_Sendrecv(grid(2, :), 4, MPI_REAL, next, 1, column, 4, MPI_REAL, prev, 1, &
      MPI_COMM_WORLD, status, ierror)
  call check(all(column == prev + 100), 'a section that is sent')
  call check(status(MPI_SOURCE) == prev, 'the status')
  call MPI_Bcast(grid(:, 1:3:2), 8, MPI_REAL, 0, MPI_COMM_WORLD, ierror)
  call check(grid(2, 1) == 100 .and. grid(2, 3) == 100, 'a section that is received')
  call check(rank == 0 .or. grid(2, 2) == rank + 100, 'what lies between')

  scalar = rank
  call MPI_Allreduce(MPI_IN_PLACE, scalar, 1, MPI_REAL, MPI_MAX, MPI_COMM_WORLD, ierror)
  call check(scalar == ranks - 1, 'a scalar')
  call MPI_Status_f2f08(status, of_f08, ierror)
  call check(of_f08%MPI_SOURCE == prev .and. of_f08%MPI_TAG == 1, 'MPI_Status_f2f08')
  of_f08%MPI_TAG = 9
  call PMPI_Status_f082f(of_f08, status, ierror)
  call MPI_Get_count(status, MPI_REAL, n, ierror)
  call check(status(MPI_TAG) == 9 .and. n == 4, 'MPI_Status_f082f')
  handle = MPI_Comm(MPI_COMM_WORLD)
  call check(handle == MPI_Comm(MPI_COMM_WORLD), 'types of handles')

  word = 'abcde'
  if (rank /= 0) word = ' '
  call MPI_Bcast(word, 5, MPI_CHARACTER, 0, MPI_COMM_WORLD, ierror)
  call check(word == 'abcde', 'characters as data')

  call MPI_Sizeof(wide, n, ierror)
  call check(n == 8, 'MPI_Sizeof of a double')
  call MPI_Sizeof(z, n, ierror)
  call check(n == 8, 'MPI_Sizeof of complex numbers')

  bytes = 400
  call MPI_Alloc_mem(bytes, MPI_INFO_NULL, memory, ierror)
  call c_f_pointer(memory, values, [100])
  values = rank
  call MPI_Allreduce(MPI_IN_PLACE, values, 100, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  call check(all(values == ranks * (ranks - 1) / 2), 'memory as a pointer')
  call MPI_Free_mem(values, ierror)
  call MPI_Alloc_mem(bytes, MPI_INFO_NULL, address, ierror)
  call check(address /= 0, 'memory as an address')
  call PMPI_Barrier(MPI_COMM_WORLD, ierror)
  call check(PMPI_Wtime() > 0, 'PMPI_Wtime')
  one = 1
  call MPI_Reduce(one, n, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
  call check(rank /= 0 .or. n == ranks, 'MPI_Reduce')
  call MPI_Finalize(ierror)
  if (rank == 0) print '(a)', 'ok module_mpi'
contains
  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    if (holds) return
    print '(2a)', 'FAILED: ', what
    flush (6)
    call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  end subroutine
end program
