! The module mpi_f08: types of handles and statuses, error codes left out, large counts, callbacks.
! ranks: 1 2 4
module functions
  use, intrinsic :: iso_c_binding
  use mpi_f08
  implicit none
contains
  subroutine longest(invec, inoutvec, length, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: length, i
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    if (datatype /= MPI_INTEGER) call MPI_Abort(MPI_COMM_WORLD, 2)
    call c_f_pointer(invec, a, [length])
    call c_f_pointer(inoutvec, b, [length])
    do i = 1, length
      b(i) = max(a(i), b(i))
    end do
  end subroutine
  subroutine copy(comm, keyval, extra, from, to, flag, ierror)
    type(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra, from, to
    logical :: flag
    to = from + 1
    flag = comm /= MPI_COMM_NULL
    ierror = MPI_SUCCESS
  end subroutine
end module

program module_f08
  use functions
  implicit none
  integer :: rank, ranks, next, prev, i, n, keyval, ierror, indices(2), done
  integer :: data(3), counts(2)
  integer(kind=MPI_COUNT_KIND) :: large, sizes
  integer(kind=MPI_ADDRESS_KIND) :: value, extra, lb, extent
  logical :: flag
  type(MPI_Comm) :: comm, copied
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status, statuses(2)
  type(MPI_Op) :: op
  type(MPI_Datatype) :: column, types(2)
  type(MPI_Group) :: group
  type(MPI_Info) :: info
  type(c_ptr) :: attached
  character(len=MPI_MAX_OBJECT_NAME) :: name
  integer, target :: room(4096)

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  next = mod(rank + 1, ranks)
  prev = mod(rank + ranks - 1, ranks)
  comm = MPI_COMM_WORLD
  call check(comm == MPI_COMM_WORLD .and. comm /= MPI_COMM_SELF, 'operators')
  call check(comm%MPI_VAL == 257, 'the value of a handle')

  call MPI_Irecv(data(2), 1, MPI_INTEGER, prev, 7, comm, requests(1))
  data(1) = rank
  call MPI_Isend(data(1), 1, MPI_INTEGER, next, 7, comm, requests(2), ierror)
  call check(ierror == MPI_SUCCESS, 'an error code that is asked for')
  call MPI_Waitall(2, requests, statuses)
  call check(data(2) == prev .and. statuses(1)%MPI_SOURCE == prev, 'statuses')
  call check(statuses(1)%MPI_TAG == 7, 'MPI_TAG')
  call check(all([(requests(i) == MPI_REQUEST_NULL, i = 1, 2)]), 'null requests')
  call MPI_Irecv(data(2), 1, MPI_INTEGER, prev, 8, comm, requests(2))
  call MPI_Send(data(1), 1, MPI_INTEGER, next, 8, comm)
  call MPI_Waitsome(2, requests, done, indices, MPI_STATUSES_IGNORE)
  call check(done == 1 .and. indices(1) == 2, 'MPI_Waitsome')

  large = 1
  call MPI_Sendrecv(rank, large, MPI_INTEGER, next, 9, n, large, MPI_INTEGER, prev, 9, comm, status)
  call check(n == prev, 'large counts')
  call MPI_Get_count(status, MPI_INTEGER, large)
  call check(large == 1, 'a large count that is returned')
  call MPI_Get_count(status, MPI_INTEGER, n)
  call check(n == 1, 'a count that is returned')
  call MPI_Type_size(MPI_DOUBLE_PRECISION, sizes)
  call check(sizes == 8, 'MPI_Type_size')

  call MPI_Op_create(longest, .true., op)
  data = [rank, -rank, 5]
  call MPI_Allreduce(MPI_IN_PLACE, data, 3, MPI_INTEGER, op, comm)
  call check(all(data == [ranks - 1, 0, 5]), 'an operator of the program')
  call MPI_Op_free(op)
  call check(op == MPI_OP_NULL, 'MPI_Op_free')

  types = [MPI_INTEGER, MPI_REAL]
  counts = 1
  call MPI_Type_create_struct(2, counts, [0_MPI_ADDRESS_KIND, 8_MPI_ADDRESS_KIND], types, column)
  call MPI_Type_commit(column)
  call MPI_Type_get_extent(column, lb, extent)
  call check(lb == 0 .and. extent == 12, 'MPI_Type_get_extent')
  call MPI_Type_free(column)

  call MPI_Comm_dup(comm, copied)
  call MPI_Comm_set_name(copied, 'a copy ')
  call MPI_Comm_get_name(copied, name, n)
  call check(n == 6 .and. name == 'a copy', 'names')
  extra = 0
  call MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, keyval, extra)
  value = 41
  call MPI_Comm_set_attr(copied, keyval, value)
  comm = copied
  call MPI_Comm_dup(comm, copied)
  call MPI_Comm_get_attr(copied, keyval, value, flag)
  call check(flag .and. value == 42, 'an attribute that is copied')
  call MPI_Comm_free(copied)
  call MPI_Comm_group(comm, group)
  call MPI_Group_size(group, n)
  call check(n == ranks, 'MPI_Group_size')
  call MPI_Group_free(group)
  call check(group == MPI_GROUP_NULL, 'MPI_Group_free')
  call MPI_Info_create(info)
  call MPI_Info_set(info, 'key', 'value')
  call MPI_Info_free(info)

  call MPI_Buffer_attach(room, 4 * size(room))
  call MPI_Bsend(rank, 1, MPI_INTEGER, next, 3, comm)
  call MPI_Recv(n, 1, MPI_INTEGER, prev, 3, comm, MPI_STATUS_IGNORE)
  call MPI_Buffer_detach(attached, n)
  call check(c_associated(attached, c_loc(room)) .and. n == 4 * size(room), 'MPI_Buffer_detach')

  call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN)
  call MPI_Send(data, 1, MPI_INTEGER, ranks, 0, comm, ierror)
  call MPI_Error_class(ierror, n)
  call check(n == MPI_ERR_RANK, 'an error that is returned')
  call MPI_Comm_free(comm)
  call MPI_Finalize()
  if (rank == 0) print '(a)', 'ok module_f08'
contains
  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    if (holds) return
    print '(2a)', 'FAILED: ', what
    flush (6)
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine
end program
