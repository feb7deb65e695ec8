! The module mpi_f08: array sections with gaps as buffers of blocking, nonblocking, persistent,
! partitioned and collective calls; MPI 5.0, section 19.1.12.
! ranks: 1 2 3
program sections
  use mpi_f08
  implicit none
  integer, parameter :: N = 12, M = 9
  integer :: rank, ranks, next, prev, i, j, k, position
  integer :: a(N, M), b(N, M), c(2, N, M), d(2, N, M), line(N), packed(N * M)
  integer, allocatable :: gathered(:, :), wide(:)
  double precision :: x(N, M), y(N, M)
  complex :: z(N, M), w(N, M)
  character(len=3) :: s(N), t(N)
  logical :: flag
  type :: particle
    sequence
    double precision :: place
    integer :: id, kind
  end type
  type(particle) :: p(N), q(N)
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status
  type(MPI_Datatype) :: gaps
  integer(kind=MPI_ADDRESS_KIND) :: first, second
  integer(kind=MPI_COUNT_KIND) :: large

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  next = mod(rank + 1, ranks)
  prev = mod(rank + ranks - 1, ranks)
  if (.not. MPI_SUBARRAYS_SUPPORTED) call wrong("MPI_SUBARRAYS_SUPPORTED")

  ! A row, every other element of every third column, and a reversed column.
  call fill(a, rank)
  b = -1
  call MPI_Irecv(b(3, :), M, MPI_INTEGER, prev, 1, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(a(5, :), M, MPI_INTEGER, next, 1, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  call check("row", all(b(3, :) == [(value(prev, 5, j), j = 1, M)]) .and. count(b /= -1) == M)
  b = -1
  call MPI_Irecv(b(2:N:2, 1:M:3), 18, MPI_INTEGER, prev, 2, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(a(1:N:2, 2:M:3), 18, MPI_INTEGER, next, 2, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  do j = 1, M
    do i = 1, N
      k = -1
      if (mod(i, 2) == 0 .and. mod(j, 3) == 1) k = value(prev, i - 1, j + 1)
      call check("two strides", b(i, j) == k)
    end do
  end do
  call MPI_Irecv(line, N, MPI_INTEGER, prev, 3, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(a(N:1:-1, 4), N, MPI_INTEGER, next, 3, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  call check("reversed", all(line == [(value(prev, N + 1 - i, 4), i = 1, N)]))

  ! Fewer elements than the section has end within a column; three dimensions.
  b = -1
  call MPI_Irecv(b(1:N:3, :), 10, MPI_INTEGER, prev, 4, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(a(1:N:3, :), 10, MPI_INTEGER, next, 4, MPI_COMM_WORLD, requests(2))
  call MPI_Wait(requests(2), MPI_STATUS_IGNORE)
  call MPI_Wait(requests(1), status)
  call MPI_Get_count(status, MPI_INTEGER, i)
  call check("count", i == 10 .and. count(b /= -1) == 10)
  call check("rest", b(4, 3) == value(prev, 4, 3) .and. b(7, 3) == -1)
  do j = 1, M
    do i = 1, N
      c(:, i, j) = [value(rank, i, j), -value(rank, i, j)]
    end do
  end do
  d = 0
  call MPI_Sendrecv(c(2, 2:N:5, 1:M:2), 15, MPI_INTEGER, next, 5, &
      d(1, 1:N:5, 1:M:2), 15, MPI_INTEGER, prev, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call check("three dimensions", all(d(1, 1:N:5, 1:M:2) == &
      reshape([((-value(prev, i, j), i = 2, N, 5), j = 1, M, 2)], [3, 5])))
  call check("three dimensions, rest", count(d /= 0) == 15)

  ! Large counts, other types, scalars, elements, arrays of assumed size.
  large = 18
  b = 0
  call MPI_Irecv(b(2:N:2, 1:M:3), large, MPI_INTEGER, prev, 6, MPI_COMM_WORLD, requests(1))
  call MPI_Send(a(2:N:2, 1:M:3), large, MPI_INTEGER, next, 6, MPI_COMM_WORLD)
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
  call check("large count", b(12, 7) == value(prev, 12, 7))
  z = cmplx(rank, 1)
  w = 0
  call MPI_Irecv(w(4, 2:M), 8, MPI_COMPLEX, prev, 7, MPI_COMM_WORLD, requests(1))
  ! Two reals in the place of one complex number.
  call MPI_Isend(z(1, 1:8), 8, MPI_COMPLEX, next, 7, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  call check("complex", all(w(4, 2:) == cmplx(prev, 1)) .and. w(4, 1) == 0)
  call MPI_Irecv(w(5, 2:M), 16, MPI_REAL, prev, 7, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(z(1, 1:8), 16, MPI_REAL, next, 7, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  call check("parts of elements", all(w(5, 2:) == cmplx(prev, 1)))
  s = "abc"
  s(2) = char(ichar("0") + rank) // "23"
  t = "..."
  call MPI_Irecv(t(1:N:3), 12, MPI_CHARACTER, prev, 8, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(s(2:N:3), 12, MPI_CHARACTER, next, 8, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  call check("characters", t(1) == char(ichar("0") + prev) // "23" .and. t(2) == "...")
  call check("characters", t(4) == "abc")
  p = [(particle(rank, i, -i), i = 1, N)]
  q = particle(0, 0, 0)
  call MPI_Irecv(q(N:1:-2), 96, MPI_BYTE, prev, 9, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(p(1:N:2), 96, MPI_BYTE, next, 9, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  call check("derived types", all(q(N:1:-2)%id == [(i, i = 1, N, 2)]) .and. q(1)%id == 0)
  q%id = 0
  call MPI_Irecv(q%id, N, MPI_INTEGER, prev, 9, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(p%kind, N, MPI_INTEGER, next, 9, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  call check("components", all(q%id == [(-i, i = 1, N)]) .and. q(N)%place == prev)
  call of_assumed_size(a)
  call MPI_Get_address(a(1, 1), first)
  call MPI_Get_address(a(3:N:2, :), second)
  call check("addresses", second - first == 8)

  ! What no datatype describes: gaps of the datatype upon gaps of the section.
  call MPI_Type_vector(3, 1, 2, MPI_INTEGER, gaps)
  call MPI_Type_commit(gaps)
  b = -1
  call MPI_Irecv(b(1:10:2, 2), 1, gaps, prev, 10, MPI_COMM_WORLD, requests(1))
  b(3, 2) = 77
  call MPI_Isend(a(1:10:2, 6), 1, gaps, next, 10, MPI_COMM_WORLD, requests(2))
  do
    call MPI_Request_get_status(requests(1), flag, MPI_STATUS_IGNORE)
    if (flag) exit
  end do
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  call check("gaps in gaps", all(b(1:9:4, 2) == [(value(prev, i, 6), i = 1, 9, 4)]))
  call check("gaps in gaps, rest", count(b /= -1) == 4 .and. b(3, 2) == 77)
  call MPI_Type_free(gaps)

  ! Persistent: each start reads what is there then.
  call MPI_Recv_init(b(7, :), M, MPI_INTEGER, prev, 11, MPI_COMM_WORLD, requests(1))
  call MPI_Send_init(a(8, :), M, MPI_INTEGER, next, 11, MPI_COMM_WORLD, requests(2))
  do k = 1, 3
    a(8, :) = 100 * k + rank
    call MPI_Startall(2, requests)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call check("persistent", all(b(7, :) == 100 * k + prev))
  end do
  call MPI_Request_free(requests(1))
  call MPI_Request_free(requests(2))
  x = 1
  y = 0
  call MPI_Allreduce_init(x(1:N:2, 3), y(2, 1:6), 6, MPI_DOUBLE_PRECISION, MPI_SUM, &
      MPI_COMM_WORLD, MPI_INFO_NULL, requests(1))
  do k = 1, 3
    x(1:N:2, 3) = k
    call MPI_Start(requests(1))
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
    call check("persistent reduction", all(y(2, 1:6) == k * ranks) .and. sum(y) == 6 * k * ranks)
  end do
  call MPI_Start(requests(1))
  call MPI_Request_free(requests(1))
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Psend_init(a(:, 2:M:2), 4, int(N, MPI_COUNT_KIND), MPI_INTEGER, next, 12, &
      MPI_COMM_WORLD, MPI_INFO_NULL, requests(1), i)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL)
  call check("no even spacing", i /= MPI_SUCCESS)

  ! Collective calls.
  call fill(a, 0)
  if (rank /= 0) a(2:N:2, 2:M) = -1
  call MPI_Bcast(a(2:N:2, 2:M), 48, MPI_INTEGER, 0, MPI_COMM_WORLD)
  call check("bcast", a(12, 9) == value(0, 12, 9))
  if (rank /= 0) a(2:N:2, 2:M) = -1
  call MPI_Ibcast(a(2:N:2, 2:M), 48, MPI_INTEGER, 0, MPI_COMM_WORLD, requests(1))
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
  call check("ibcast", a(12, 9) == value(0, 12, 9))
  allocate(gathered(3, 2 * ranks), wide(6 * ranks))
  gathered = -1
  call fill(a, rank)
  call MPI_Iallgather(a(4, 1:M:4), 3, MPI_INTEGER, gathered(:, 1:2*ranks:2), 3, MPI_INTEGER, &
      MPI_COMM_WORLD, requests(1))
  gathered(:, 2) = 55
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
  do k = 0, ranks - 1
    call check("iallgather", all(gathered(:, 2 * k + 1) == [(value(k, 4, j), j = 1, M, 4)]))
  end do
  call check("the program's own elements", all(gathered(:, 2) == 55))
  gathered = -1
  call MPI_Gather(a(1:6:2, 2), 3, MPI_INTEGER, gathered(1:3, 2:2*ranks:2), 3, MPI_INTEGER, 0, &
      MPI_COMM_WORLD)
  if (rank == 0) then
    do k = 0, ranks - 1
      call check("gather", all(gathered(:, 2 * k + 2) == [(value(k, i, 2), i = 1, 6, 2)]))
      call check("gather, rest", all(gathered(:, 2 * k + 1) == -1))
    end do
  end if
  wide = -1
  call MPI_Alltoall([(100 * rank + k, k = 1, 3 * ranks)], 3, MPI_INTEGER, wide(1::2), 3, &
      MPI_INTEGER, MPI_COMM_WORLD)
  call check("alltoall", all(wide(1::2) == &
      [((100 * k + 3 * rank + j, j = 1, 3), k = 0, ranks - 1)]) .and. all(wide(2::2) == -1))
  y = 0
  x = rank + 1
  call MPI_Allreduce(x(3, :), y(:M, 2), M, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  call check("allreduce", all(y(:M, 2) == ranks * (ranks + 1) / 2) .and. all(y(:, 1) == 0))
  call MPI_Iallreduce(MPI_IN_PLACE, x(1:N:4, 1:2), 6, MPI_DOUBLE_PRECISION, MPI_MAX, &
      MPI_COMM_WORLD, requests(1))
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
  call check("iallreduce in place", all(x(1:N:4, 1:2) == ranks) .and. x(2, 1) == rank + 1)

  ! Packing, and sizes of nothing.
  position = 0
  call MPI_Pack(a(2, :), M, MPI_INTEGER, packed, 4 * N * M, position, MPI_COMM_WORLD)
  call check("pack", position == 4 * M .and. packed(M) == value(rank, 2, M))
  position = 0
  b = -1
  call MPI_Unpack(packed, 4 * N * M, position, b(1:N:6, 1:4), 8, MPI_INTEGER, MPI_COMM_WORLD)
  call check("unpack", b(7, 4) == value(rank, 2, 8) .and. count(b /= -1) == 8)
  call MPI_Isend(a(3:2:2, 1:M:3), 0, MPI_INTEGER, next, 13, MPI_COMM_WORLD, requests(1))
  call MPI_Recv(b(3:2:2, 1:M:3), 0, MPI_INTEGER, prev, 13, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE)

  ! Evenly spaced partitions.
  line = -1
  call MPI_Precv_init(line, 3, 4_MPI_COUNT_KIND, MPI_INTEGER, prev, 14, MPI_COMM_WORLD, &
      MPI_INFO_NULL, requests(1))
  call MPI_Psend_init(c(2, :, 3), 3, 4_MPI_COUNT_KIND, MPI_INTEGER, next, 14, MPI_COMM_WORLD, &
      MPI_INFO_NULL, requests(2))
  call MPI_Startall(2, requests)
  do k = 2, 0, -1
    call MPI_Pready(k, requests(2))
  end do
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  call check("partitions", all(line == [(-value(prev, i, 3), i = 1, N)]))
  call MPI_Request_free(requests(1))
  call MPI_Request_free(requests(2))
  call MPI_Finalize()
  if (rank == 0) print "(a)", "ok sections"

contains
  integer function value(of, i, j)
    integer, intent(in) :: of, i, j
    value = 10000 * of + 100 * j + i
  end function

  subroutine fill(array, of)
    integer, intent(out) :: array(:, :)
    integer, intent(in) :: of
    integer :: i, j
    do j = 1, size(array, 2)
      do i = 1, size(array, 1)
        array(i, j) = value(of, i, j)
      end do
    end do
  end subroutine

  subroutine of_assumed_size(array)
    integer :: array(N, *), got(N)
    call MPI_Irecv(got, N, MPI_INTEGER, prev, 20, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(array, N, MPI_INTEGER, next, 20, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call check("assumed size", all(got == [(value(prev, i, 1), i = 1, N)]))
    call MPI_Irecv(got(2), 2, MPI_INTEGER, prev, 20, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(array(3, 2), 2, MPI_INTEGER, next, 20, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call check("from an element on", got(3) == value(prev, 4, 2) .and. got(1) == value(prev, 1, 1))
  end subroutine

  subroutine check(what, is_right)
    character(len=*), intent(in) :: what
    logical, intent(in) :: is_right
    if (.not. is_right) call wrong(what)
  end subroutine

  subroutine wrong(what)
    character(len=*), intent(in) :: what
    print '(a, i0, 2a)', "rank ", rank, ": wrong: ", what
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine
end program
