! The include file in free form; what the languages share: attributes, statuses, generalized requests,
! buffered sends, graphs, MPI_Info, file and window calls that are not there yet.
! ranks: 1 2 4
module grequest
  implicit none
  include 'mpif.h'
  integer :: queried = 0, freed = 0
contains
  subroutine query(extra, status, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra
    integer :: status(MPI_STATUS_SIZE), ierror
    call MPI_Status_set_elements(status, MPI_INTEGER, int(extra), ierror)
    call MPI_Status_set_cancelled(status, .false., ierror)
    queried = queried + 1
    ierror = MPI_SUCCESS
  end subroutine
  subroutine release(extra, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra
    integer :: ierror
    if (extra == 3) freed = freed + 1
    ierror = MPI_SUCCESS
  end subroutine
  subroutine cancel(extra, complete, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra
    logical :: complete
    integer :: ierror
    ierror = MPI_SUCCESS
  end subroutine
end module

program mixed_form
  use grequest
  implicit none
  integer :: ierror, rank, ranks, request, status(MPI_STATUS_SIZE), n, i
  integer :: info, length, graph, next, prev, color, split, reach(1), weights(1)
  integer :: requests(3), indices(3), statuses(MPI_STATUS_SIZE, 3), done, value(3), key
  integer :: sources(1), from_weights(1), win
  integer(kind=MPI_ADDRESS_KIND) :: extra
  logical :: flag
  character(len=10) :: text
  character(len=3) :: short
  double complex :: z(2), sum_z(2)
  character :: buffer(1000 + MPI_BSEND_OVERHEAD)

  call MPI_Init_thread(MPI_THREAD_SERIALIZED, n, ierror)
  call check(n >= MPI_THREAD_SERIALIZED, 'MPI_Init_thread')
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  next = mod(rank + 1, ranks)
  prev = mod(rank + ranks - 1, ranks)

  extra = 3
  call MPI_Grequest_start(query, release, cancel, extra, request, ierror)
  call MPI_Grequest_complete(request, ierror)
  call MPI_Wait(request, status, ierror)
  call MPI_Get_count(status, MPI_INTEGER, n, ierror)
  call check(n == 3 .and. queried == 1 .and. freed == 1, 'a generalized request')

  call MPI_Info_create(info, ierror)
  call MPI_Info_set(info, 'key', '  value  ', ierror)
  length = 10
  call MPI_Info_get_string(info, 'key ', length, text, flag, ierror)
  call check(flag .and. adjustl(text) == 'value', 'MPI_Info_get_string')
  length = 0
  call MPI_Info_get_string(info, 'key', length, text, flag, ierror)
  n = length
  length = 3
  call MPI_Info_get_string(info, 'key', length, short, flag, ierror)
  call check(flag .and. length == n .and. n >= 5, 'the length of a value')
  call MPI_Info_get(info, 'none', 10, text, flag, ierror)
  call check(.not. flag, 'MPI_Info_get')
  call MPI_Info_free(info, ierror)
  call check(info == MPI_INFO_NULL, 'MPI_Info_free')

  z = [(1d0, 2d0), (3d0, -1d0)]
  call MPI_Allreduce(z, sum_z, 2, MPI_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD, ierror)
  call check(all(sum_z == ranks * z), 'MPI_DOUBLE_COMPLEX')

  call MPI_Buffer_attach(buffer, size(buffer), ierror)
  call MPI_Bsend(rank, 1, MPI_INTEGER, next, 4, MPI_COMM_WORLD, ierror)
  call MPI_Recv(n, 1, MPI_INTEGER, prev, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  call check(n == prev, 'MPI_Bsend')
  call MPI_Buffer_detach(buffer, n, ierror)
  call check(n == size(buffer), 'MPI_Buffer_detach')

  requests = MPI_REQUEST_NULL
  call MPI_Irecv(value(2), 1, MPI_INTEGER, prev, 5, MPI_COMM_WORLD, requests(2), ierror)
  call MPI_Send(rank, 1, MPI_INTEGER, next, 5, MPI_COMM_WORLD, ierror)
  call MPI_Waitsome(3, requests, done, indices, statuses, ierror)
  call check(done == 1 .and. indices(1) == 2, 'MPI_Waitsome counts from one')
  call check(statuses(MPI_SOURCE, 1) == prev .and. value(2) == prev, 'its status')
  call MPI_Testsome(3, requests, done, indices, MPI_STATUSES_IGNORE, ierror)
  call check(done == MPI_UNDEFINED, 'MPI_Testsome')

  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [prev], MPI_UNWEIGHTED, 1, [next], &
      MPI_UNWEIGHTED, MPI_INFO_NULL, .false., graph, ierror)
  call MPI_Dist_graph_neighbors(graph, 1, sources, from_weights, 1, reach, weights, ierror)
  call check(sources(1) == prev .and. reach(1) == next, 'MPI_Dist_graph_neighbors')
  call MPI_Neighbor_alltoall(rank, 1, MPI_INTEGER, n, 1, MPI_INTEGER, graph, ierror)
  call check(n == prev, 'MPI_Neighbor_alltoall')
  call MPI_Comm_free(graph, ierror)

  color = MPI_UNDEFINED
  if (mod(rank, 2) == 0) color = 0
  call MPI_Comm_split(MPI_COMM_WORLD, color, rank, split, ierror)
  call check((split == MPI_COMM_NULL) .eqv. (mod(rank, 2) == 1), 'MPI_Comm_split')
  if (split /= MPI_COMM_NULL) call MPI_Comm_free(split, ierror)

  call MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, key, 0, ierror)
  call MPI_Attr_put(MPI_COMM_WORLD, key, 42, ierror)
  call MPI_Comm_dup(MPI_COMM_WORLD, split, ierror)
  call MPI_Attr_get(split, key, n, flag, ierror)
  call check(flag .and. n == 42, 'an attribute that is an INTEGER')
  call MPI_Comm_free(split, ierror)
  call MPI_Attr_delete(MPI_COMM_WORLD, key, ierror)

  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierror)
  extra = 4
  call MPI_Win_create(value, extra, 1, MPI_INFO_NULL, MPI_COMM_SELF, win, ierror)
  call MPI_Error_class(ierror, n, i)
  call check(n == MPI_ERR_UNSUPPORTED_OPERATION .or. n == MPI_SUCCESS, 'a call that is not there')
  call MPI_Finalize(ierror)
  if (rank == 0) print '(a)', 'ok mixed_form'
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
