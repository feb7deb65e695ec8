! The module mpi_f08 in the words of MPI 3.1 alone, so that older libraries' modules compile it too.
! ranks: 1 2 3
module functions_f08
  use mpi_f08
  implicit none
  integer :: deleted = 0
contains
  subroutine multiply(in, inout, length, datatype)
    use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
    type(c_ptr), value :: in, inout
    integer :: length
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    call check(datatype == MPI_INTEGER, 'the datatype of an operator')
    call c_f_pointer(in, a, [length])
    call c_f_pointer(inout, b, [length])
    b = a * b
  end subroutine
  subroutine delete(comm, keyval, value, extra, ierror)
    type(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: value, extra
    call check(comm /= MPI_COMM_WORLD .and. value == 5, 'the arguments of a delete function')
    deleted = deleted + 1
    ierror = MPI_SUCCESS
  end subroutine
  subroutine check(is_right, what)
    logical, intent(in) :: is_right
    character(len=*), intent(in) :: what
    if (is_right) return
    print *, 'FAILED: ', what
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine
end module

program plain_f08
  use functions_f08
  implicit none
  integer :: rank, ranks, next, prev, x(4), y(4), n, keyval, i
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status, statuses(2)
  type(MPI_Comm) :: other
  type(MPI_Op) :: op
  type(MPI_Info) :: info
  integer(kind=MPI_ADDRESS_KIND) :: value
  logical :: flag
  character(len=20) :: text

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  next = mod(rank + 1, ranks)
  prev = mod(rank + ranks - 1, ranks)

  x = rank + 1
  call MPI_Allreduce(MPI_IN_PLACE, x, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call check(all(x == ranks * (ranks + 1) / 2), 'a sum in place')
  call MPI_Op_create(multiply, .true., op)
  x = rank + 1
  call MPI_Allreduce(x, y, 4, MPI_INTEGER, op, MPI_COMM_WORLD)
  call check(all(y == product([(i, i = 1, ranks)])), 'an operator of the program')
  call MPI_Op_free(op)
  call check(op == MPI_OP_NULL, 'a freed operator')

  x = rank
  call MPI_Irecv(y, 4, MPI_INTEGER, prev, 5, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(x, 3, MPI_INTEGER, next, 5, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, statuses)
  call check(statuses(1)%MPI_SOURCE == prev .and. statuses(1)%MPI_TAG == 5, 'statuses')
  call MPI_Get_count(statuses(1), MPI_INTEGER, n)
  call check(n == 3 .and. requests(1) == MPI_REQUEST_NULL, 'a count, and a null request')
  call MPI_Irecv(y, 4, MPI_INTEGER, prev, 5, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(x, 4, MPI_INTEGER, next, 5, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  call MPI_Sendrecv(x, 4, MPI_INTEGER, next, 6, y, 4, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, &
      MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call check(all(y == prev), 'an exchange without a status')
  call MPI_Probe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, status)
  call check(status%MPI_SOURCE == MPI_PROC_NULL, 'no rank')

  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag)
  call check(flag .and. value >= 32767, 'the largest tag')
  call MPI_Comm_dup(MPI_COMM_WORLD, other)
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, keyval, 0_MPI_ADDRESS_KIND)
  call MPI_Comm_set_attr(other, keyval, 5_MPI_ADDRESS_KIND)
  call MPI_Comm_free(other)
  call check(other == MPI_COMM_NULL .and. deleted == 1, 'a freed communicator')

  call MPI_Info_create(info)
  call MPI_Info_set(info, ' key', 'value ')
  call MPI_Info_get(info, 'key', 20, text, flag)
  call check(flag .and. text == 'value', 'an info object')
  call MPI_Info_free(info)

  if (rank == 0) print '(a)', 'ok plain_f08'
  call MPI_Finalize()
end program
