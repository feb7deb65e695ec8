! Calls of mpi_f08 that fail, or move nothing: the error handler of the communicator hears of what is
! wrong with a section's datatype, and arrays that were never allocated may stand beside a count of 0.
! ranks: 1 2
module handlers
  use mpi_f08
  implicit none
  integer :: heard = 0
contains
  subroutine hear(comm, code)
    type(MPI_Comm) :: comm
    integer :: code, class
    call MPI_Error_class(code, class)
    if (comm /= MPI_COMM_SELF .and. class == MPI_ERR_TYPE) heard = heard + 1
  end subroutine
end module

program refused
  use handlers
  implicit none
  integer :: array(10), places(2), done, rank, ierror
  integer, allocatable :: none(:, :)
  integer, pointer :: nowhere(:, :)
  class(*), allocatable :: anything(:)
  integer :: grid(3, 4), class
  type(MPI_Comm) :: comm, self
  type(MPI_Datatype) :: wrong, uncommitted
  type(MPI_Errhandler) :: handler
  type(MPI_Request) :: requests(2), request

  call MPI_Init()
  call MPI_Comm_dup(MPI_COMM_WORLD, comm)
  call MPI_Comm_dup(MPI_COMM_SELF, self)
  call MPI_Comm_set_errhandler(self, MPI_ERRORS_RETURN)
  call MPI_Comm_create_errhandler(hear, handler)
  call MPI_Comm_set_errhandler(comm, handler)
  array = 0

  wrong%MPI_VAL = 99999
  call MPI_Send(array(::2), 1, wrong, 0, 0, comm, ierror)
  call check("no such datatype", ierror /= MPI_SUCCESS .and. heard == 1)
  call MPI_Isend(array(::2), 1, MPI_DATATYPE_NULL, 0, 0, comm, request, ierror)
  call check("no datatype", ierror /= MPI_SUCCESS .and. heard == 2)
  call check("no request", request == MPI_REQUEST_NULL)
  call MPI_Type_contiguous(1, MPI_INTEGER, uncommitted)
  call MPI_Bcast(array(::2), 1, uncommitted, 0, comm, ierror)
  call check("not committed", ierror /= MPI_SUCCESS .and. heard == 3)

  grid = 0
  call MPI_Psend_init(grid(:, ::2), 1, 6_MPI_COUNT_KIND, MPI_INTEGER, 0, 0, comm, MPI_INFO_NULL, &
      request, ierror)
  call MPI_Error_class(ierror, class)
  call check("partitions of two dimensions", class == MPI_ERR_BUFFER .and. heard == 3)
  call check("no request of partitions", request == MPI_REQUEST_NULL)
  call MPI_Comm_attach_buffer(comm, array(::2), 20, ierror)
  call MPI_Error_class(ierror, class)
  call check("a buffer with gaps", class == MPI_ERR_BUFFER)
  ! gfortran 12 describes it wrongly, which is refused; other compilers describe it.
  allocate(anything, source=[1, 2, 3, 4])
  places = 0
  call MPI_Sendrecv(anything(::2), 2, MPI_INTEGER, 0, 0, places, 2, MPI_INTEGER, 0, 0, &
      self, MPI_STATUS_IGNORE, ierror)
  call MPI_Error_class(ierror, class)
  call check("class(*)", class == MPI_ERR_BUFFER .or. all(places == [1, 3]))

  nullify(nowhere)
  call MPI_Bcast(none, 0, MPI_INTEGER, 0, comm)
  call MPI_Bcast(nowhere, 0, MPI_INTEGER, 0, comm)
  call MPI_Allreduce(MPI_IN_PLACE, none, 0, MPI_INTEGER, MPI_SUM, comm)
  call MPI_Ibcast(none, 0, MPI_INTEGER, 0, comm, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)

  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  requests%MPI_VAL = 1234567
  places = 5
  done = huge(done)
  call MPI_Waitsome(2, requests, done, places, MPI_STATUSES_IGNORE, ierror)
  call check("no such request", ierror /= MPI_SUCCESS .and. all(places == 5))
  done = huge(done)
  call MPI_Testsome(2, requests, done, places, MPI_STATUSES_IGNORE, ierror)
  call check("no such request to test", ierror /= MPI_SUCCESS .and. all(places == 5))
  call MPI_Comm_rank(comm, rank)
  call MPI_Finalize()
  if (rank == 0) print "(a)", "ok refused"
contains
  subroutine check(what, is_right)
    character(len=*), intent(in) :: what
    logical, intent(in) :: is_right
    if (is_right) return
    print '(2a)', "wrong: ", what
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine
end program
