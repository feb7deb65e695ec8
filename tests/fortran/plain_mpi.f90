! The module mpi in the words of MPI 3.1 alone, so that older libraries' modules compile it too: what
! the numbers of handles, statuses, attributes and the program's functions depend on.
! ranks: 1 2 3
module functions
  use mpi
  implicit none
  integer :: copies = 0, handled = 0
contains
  subroutine add(in, inout, length, datatype)
    integer :: length, datatype, in(length), inout(length)
    if (datatype /= MPI_INTEGER) call wrong('the datatype of an operator')
    inout = inout + in
  end subroutine
  subroutine copy(comm, keyval, extra, from, to, flag, ierror)
    integer :: comm, keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra, from, to
    logical :: flag
    if (comm /= MPI_COMM_WORLD .or. extra /= 7) call wrong('the arguments of a copy function')
    copies = copies + 1
    to = from + 1
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine
  subroutine handle_error(comm, code)
    integer :: comm, code, class, ierror
    call MPI_Error_class(code, class, ierror)
    if (comm /= MPI_COMM_SELF) call wrong('the communicator of an error handler')
    if (class /= MPI_ERR_RANK) call wrong('the class of an error')
    handled = handled + 1
  end subroutine
  subroutine wrong(what)
    character(len=*), intent(in) :: what
    integer :: ierror
    print *, 'FAILED: ', what
    call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  end subroutine
  subroutine check(is_right, what)
    logical, intent(in) :: is_right
    character(len=*), intent(in) :: what
    if (.not. is_right) call wrong(what)
  end subroutine
end module

program plain_mpi
  use functions
  implicit none
  integer :: ierror, rank, ranks, next, prev, x(4), y(4), op, requests(2), n, other, keyval
  integer :: statuses(MPI_STATUS_SIZE, 2), status(MPI_STATUS_SIZE), handler, group, both, row
  integer :: places(1), blocks(2), types(2)
  integer(kind=MPI_ADDRESS_KIND) :: value, lower, extent, displacements(2)
  logical :: flag
  character(len=MPI_MAX_OBJECT_NAME) :: name

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  next = mod(rank + 1, ranks)
  prev = mod(rank + ranks - 1, ranks)

  x = rank + 1
  call MPI_Allreduce(MPI_IN_PLACE, x, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  call check(all(x == ranks * (ranks + 1) / 2), 'a sum in place')
  call MPI_Op_create(add, .true., op, ierror)
  x = rank + 1
  y = 0
  call MPI_Allreduce(x, y, 4, MPI_INTEGER, op, MPI_COMM_WORLD, ierror)
  call check(all(y == ranks * (ranks + 1) / 2), 'an operator of the program')
  call MPI_Op_free(op, ierror)
  call check(op == MPI_OP_NULL, 'a freed operator')

  x = rank
  call MPI_Irecv(y, 4, MPI_INTEGER, prev, 5, MPI_COMM_WORLD, requests(1), ierror)
  call MPI_Isend(x, 3, MPI_INTEGER, next, 5, MPI_COMM_WORLD, requests(2), ierror)
  call MPI_Waitall(2, requests, statuses, ierror)
  call check(statuses(MPI_SOURCE, 1) == prev .and. statuses(MPI_TAG, 1) == 5, 'statuses')
  call MPI_Get_count(statuses(:, 1), MPI_INTEGER, n, ierror)
  call check(n == 3 .and. all(requests == MPI_REQUEST_NULL), 'a count, and null requests')
  call MPI_Sendrecv(x, 4, MPI_INTEGER, next, 6, y, 4, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, &
      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  call check(all(y == prev), 'an exchange without a status')
  call MPI_Sendrecv(x, 4, MPI_INTEGER, MPI_PROC_NULL, 6, y, 4, MPI_INTEGER, MPI_PROC_NULL, 6, &
      MPI_COMM_WORLD, status, ierror)
  call check(status(MPI_SOURCE) == MPI_PROC_NULL .and. status(MPI_TAG) == MPI_ANY_TAG, 'no rank')

  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierror)
  call check(flag .and. value >= 32767, 'the largest tag')
  call MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, keyval, 7_MPI_ADDRESS_KIND, ierror)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, 41_MPI_ADDRESS_KIND, ierror)
  call MPI_Comm_dup(MPI_COMM_WORLD, other, ierror)
  call MPI_Comm_get_attr(other, keyval, value, flag, ierror)
  call check(flag .and. value == 42 .and. copies == 1, 'a copied attribute')
  call MPI_Comm_set_name(other, 'a name', ierror)
  call MPI_Comm_get_name(other, name, n, ierror)
  call check(name == 'a name' .and. n == 6, 'a name')
  call MPI_Comm_compare(MPI_COMM_WORLD, other, n, ierror)
  call check(n == MPI_CONGRUENT, 'a duplicate')
  call MPI_Comm_free(other, ierror)
  call check(other == MPI_COMM_NULL, 'a freed communicator')

  call MPI_Comm_create_errhandler(handle_error, handler, ierror)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, handler, ierror)
  call MPI_Send(x, 1, MPI_INTEGER, 99, 0, MPI_COMM_SELF, ierror)
  call MPI_Error_class(ierror, n, ierror)
  call check(handled == 1 .and. n == MPI_ERR_RANK, 'an error handler of the program')
  call MPI_Errhandler_free(handler, ierror)

  call MPI_Comm_group(MPI_COMM_WORLD, group, ierror)
  call MPI_Group_translate_ranks(group, 1, [rank], group, places, ierror)
  call check(places(1) == rank, 'a translated rank')
  call MPI_Group_incl(group, 1, [rank], both, ierror)
  call MPI_Group_free(both, ierror)
  call MPI_Group_free(group, ierror)

  blocks = [1, 2]
  displacements = [0, 8]
  types = [MPI_DOUBLE_PRECISION, MPI_INTEGER]
  call MPI_Type_create_struct(2, blocks, displacements, types, row, ierror)
  call MPI_Type_commit(row, ierror)
  call MPI_Type_get_extent(row, lower, extent, ierror)
  call MPI_Type_size(row, n, ierror)
  call check(lower == 0 .and. extent == 16 .and. n == 16, 'a structure')
  call MPI_Type_free(row, ierror)
  call check(row == MPI_DATATYPE_NULL, 'a freed datatype')

  if (rank == 0) print '(a)', 'ok plain_mpi'
  call MPI_Finalize(ierror)
end program
