! Hydrodynamics in two dimensions in the manner of CloverLeaf: each rank has a chunk of a grid with
! two rows of halo on each side, and array sections are passed to MPI as they are, also such as have
! gaps and such as run backwards, to nonblocking, persistent and collective calls.
!
! The scheme of Lax and Friedrichs for the equations of Euler, periodic along x, with walls along y.
! Mass and energy stay what they were; each cell gets the same bits as when one rank does it all.
! ranks: 1 2 3 4 5 6 8
module hydro
  use mpi_f08
  implicit none
  integer, parameter :: dp = kind(1d0), columns = 90, rows = 48, cycles = 12
  integer, parameter :: density = 1, momentum_x = 2, momentum_y = 3, energy = 4, fields = 4
  real(dp), parameter :: gamma = 1.4_dp, courant = 0.4_dp
  ! To the left, to the right, down, up: where a message goes, as its tag.
  integer, parameter :: leftwards = 10, rightwards = 20, downwards = 30, upwards = 40
  ! A particle that is carried by the flow.
  type tracer
    integer :: number
    real(dp) :: place(2)
  end type
  integer :: rank, ranks, dims(2), coords(2), left, right, below, above, nx, ny
  type(MPI_Comm) :: grid
  type(MPI_Request) :: along_x(4), along_y(4)
  real(dp), allocatable, asynchronous :: u(:, :, :)
contains
  subroutine decompose()
    dims = 0
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    call MPI_Dims_create(ranks, 2, dims)
    if (mod(ranks, 2) == 0) dims = dims(2:1:-1)
    call check(mod(columns, dims(1)) == 0 .and. mod(rows, dims(2)) == 0, 'chunks of equal size')
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .false.], .true., grid)
    call MPI_Comm_rank(grid, rank)
    call MPI_Cart_coords(grid, rank, 2, coords)
    call MPI_Cart_shift(grid, 0, 1, left, right)
    call MPI_Cart_shift(grid, 1, 1, below, above)
    nx = columns / dims(1)
    ny = rows / dims(2)
  end subroutine

  ! A dense hill in a wind that grows with the height. Polynomials: a sine has other last bits where
  ! the compiler computes two at once.
  pure function initial(x, y) result(state)
    integer, intent(in) :: x, y
    real(dp) :: state(fields), across, wind, pressure
    across = 4._dp * x * (columns - x) / columns**2
    wind = 0.3_dp * y / rows
    state(density) = 1 + 2 * across * y * (rows - y) / rows**2
    pressure = 1 + 0.2_dp * (1 - 2 * across) * (1 - 2._dp * y / rows)
    state(momentum_x) = wind * state(density)
    state(momentum_y) = 0
    state(energy) = pressure / (gamma - 1) + 0.5_dp * state(momentum_x) * wind
  end function

  subroutine fill(field, x0, y0)
    real(dp), intent(out) :: field(-1:, -1:, :)
    integer, intent(in) :: x0, y0
    integer :: i, j
    field = huge(1._dp)
    do j = 1, ubound(field, 2) - 2
      do i = 1, ubound(field, 1) - 2
        field(i, j, :) = initial(x0 + i, y0 + j)
      end do
    end do
  end subroutine

  pure function pressure_of(s) result(p)
    real(dp), intent(in) :: s(fields)
    real(dp) :: p
    p = (gamma - 1) * (s(energy) - 0.5_dp * (s(momentum_x)**2 + s(momentum_y)**2) / s(density))
  end function

  ! What flows along an axis, which is that of the momentum `along`.
  pure function flow(s, along) result(f)
    real(dp), intent(in) :: s(fields)
    integer, intent(in) :: along
    real(dp) :: f(fields), speed, p
    p = pressure_of(s)
    speed = s(along) / s(density)
    f = s * speed
    f(along) = f(along) + p
    f(energy) = f(energy) + p * speed
  end function

  ! One step of all cells but those within `margin` of the edge.
  subroutine advance(field, step, margin)
    real(dp), intent(inout) :: field(-1:, -1:, :)
    real(dp), intent(in) :: step
    integer, intent(in) :: margin
    real(dp), allocatable :: next(:, :, :)
    integer :: i, j, i1, j1, i0
    i0 = margin - 1
    i1 = ubound(field, 1) - margin
    j1 = ubound(field, 2) - margin
    allocate (next(i0:i1, i0:j1, fields))
    do j = i0, j1
      do i = i0, i1
        next(i, j, :) = 0.25_dp * ((field(i - 1, j, :) + field(i + 1, j, :)) &
            + (field(i, j - 1, :) + field(i, j + 1, :))) - 0.5_dp * step &
            * ((flow(field(i + 1, j, :), momentum_x) - flow(field(i - 1, j, :), momentum_x)) &
            + (flow(field(i, j + 1, :), momentum_y) - flow(field(i, j - 1, :), momentum_y)))
      end do
    end do
    field(i0:i1, i0:j1, :) = next
  end subroutine

  ! The fastest signal, which bounds the step.
  function fastest(field) result(speed)
    real(dp), intent(in) :: field(-1:, -1:, :)
    real(dp) :: speed, s(fields)
    integer :: i, j
    speed = 0
    do j = 1, ubound(field, 2) - 2
      do i = 1, ubound(field, 1) - 2
        s = field(i, j, :)
        speed = max(speed, sqrt(gamma * pressure_of(s) / s(density)) &
            + max(abs(s(momentum_x)), abs(s(momentum_y))) / s(density))
      end do
    end do
  end function

  ! Walls: a mirror, in which what flows up flows down.
  subroutine mirror(field, at_bottom, at_top)
    real(dp), intent(inout) :: field(-1:, -1:, :)
    logical, intent(in) :: at_bottom, at_top
    integer :: top
    top = ubound(field, 2) - 2
    if (at_bottom) then
      field(:, -1:0, :) = field(:, 2:1:-1, :)
      field(:, -1:0, momentum_y) = -field(:, -1:0, momentum_y)
    end if
    if (at_top) then
      field(:, top + 1:top + 2, :) = field(:, top:top - 1:-1, :)
      field(:, top + 1:top + 2, momentum_y) = -field(:, top + 1:top + 2, momentum_y)
    end if
  end subroutine

  ! Field by field: columns of the halo have a gap after every second element.
  subroutine exchange_fields()
    type(MPI_Request) :: requests(4 * fields)
    integer :: f, n
    do f = 1, fields
      n = 4 * f - 3
      call MPI_Irecv(u(-1:0, 1:ny, f), 2 * ny, MPI_DOUBLE_PRECISION, left, rightwards + f, grid, &
          requests(n))
      call MPI_Irecv(u(nx + 1:nx + 2, 1:ny, f), 2 * ny, MPI_DOUBLE_PRECISION, right, &
          leftwards + f, grid, requests(n + 1))
      call MPI_Isend(u(nx - 1:nx, 1:ny, f), 2 * ny, MPI_DOUBLE_PRECISION, right, rightwards + f, &
          grid, requests(n + 2))
      call MPI_Isend(u(1:2, 1:ny, f), 2 * ny, MPI_DOUBLE_PRECISION, left, leftwards + f, grid, &
          requests(n + 3))
    end do
    call MPI_Waitall(4 * fields, requests, MPI_STATUSES_IGNORE)
    do f = 1, fields
      n = 4 * f - 3
      call MPI_Irecv(u(:, -1:0, f), 2 * (nx + 4), MPI_DOUBLE_PRECISION, below, upwards + f, grid, &
          requests(n))
      call MPI_Irecv(u(:, ny + 1:ny + 2, f), 2 * (nx + 4), MPI_DOUBLE_PRECISION, above, &
          downwards + f, grid, requests(n + 1))
      call MPI_Isend(u(:, ny - 1:ny, f), 2 * (nx + 4), MPI_DOUBLE_PRECISION, above, upwards + f, &
          grid, requests(n + 2))
      call MPI_Isend(u(:, 1:2, f), 2 * (nx + 4), MPI_DOUBLE_PRECISION, below, downwards + f, grid, &
          requests(n + 3))
    end do
    call MPI_Waitall(4 * fields, requests, MPI_STATUSES_IGNORE)
  end subroutine

  ! All fields in one section; along y every second cell forwards, the others backwards.
  subroutine exchange_stripes()
    type(MPI_Request) :: requests(8)
    integer :: n, odd, even
    n = 2 * ny * fields
    call MPI_Sendrecv(u(nx - 1:nx, 1:ny, :), n, MPI_DOUBLE_PRECISION, right, rightwards, &
        u(-1:0, 1:ny, :), n, MPI_DOUBLE_PRECISION, left, rightwards, grid, MPI_STATUS_IGNORE)
    call MPI_Sendrecv(u(2:1:-1, 1:ny, :), n, MPI_DOUBLE_PRECISION, left, leftwards, &
        u(nx + 2:nx + 1:-1, 1:ny, :), n, MPI_DOUBLE_PRECISION, right, leftwards, grid, &
        MPI_STATUS_IGNORE)
    odd = 2 * fields * size(u(-1:nx + 2:2, 1, 1))
    even = 2 * fields * size(u(0:nx + 2:2, 1, 1))
    n = nx + 2 - mod(nx, 2)
    call MPI_Irecv(u(-1:nx + 2:2, -1:0, :), odd, MPI_DOUBLE_PRECISION, below, upwards, grid, &
        requests(1))
    call MPI_Irecv(u(n:0:-2, -1:0, :), even, MPI_DOUBLE_PRECISION, below, upwards, grid, &
        requests(2))
    call MPI_Irecv(u(-1:nx + 2:2, ny + 1:ny + 2, :), odd, MPI_DOUBLE_PRECISION, above, downwards, &
        grid, requests(3))
    call MPI_Irecv(u(n:0:-2, ny + 1:ny + 2, :), even, MPI_DOUBLE_PRECISION, above, downwards, &
        grid, requests(4))
    call MPI_Isend(u(-1:nx + 2:2, ny - 1:ny, :), odd, MPI_DOUBLE_PRECISION, above, upwards, grid, &
        requests(5))
    call MPI_Isend(u(n:0:-2, ny - 1:ny, :), even, MPI_DOUBLE_PRECISION, above, upwards, grid, &
        requests(6))
    call MPI_Issend(u(-1:nx + 2:2, 1:2, :), odd, MPI_DOUBLE_PRECISION, below, downwards, grid, &
        requests(7))
    call MPI_Issend(u(n:0:-2, 1:2, :), even, MPI_DOUBLE_PRECISION, below, downwards, grid, &
        requests(8))
    call MPI_Waitall(8, requests, MPI_STATUSES_IGNORE)
  end subroutine

  ! The same sections each time: described once.
  subroutine prepare_persistent()
    integer :: n
    n = 2 * ny * fields
    call MPI_Recv_init(u(-1:0, 1:ny, :), n, MPI_DOUBLE_PRECISION, left, rightwards, grid, &
        along_x(1))
    call MPI_Recv_init(u(nx + 1:nx + 2, 1:ny, :), n, MPI_DOUBLE_PRECISION, right, leftwards, grid, &
        along_x(2))
    call MPI_Send_init(u(nx - 1:nx, 1:ny, :), n, MPI_DOUBLE_PRECISION, right, rightwards, grid, &
        along_x(3))
    call MPI_Ssend_init(u(1:2, 1:ny, :), n, MPI_DOUBLE_PRECISION, left, leftwards, grid, along_x(4))
    n = 2 * (nx + 4) * fields
    call MPI_Recv_init(u(:, -1:0, :), n, MPI_DOUBLE_PRECISION, below, upwards, grid, along_y(1))
    call MPI_Recv_init(u(:, ny + 1:ny + 2, :), n, MPI_DOUBLE_PRECISION, above, downwards, grid, &
        along_y(2))
    call MPI_Send_init(u(:, ny - 1:ny, :), n, MPI_DOUBLE_PRECISION, above, upwards, grid, &
        along_y(3))
    call MPI_Send_init(u(:, 1:2, :), n, MPI_DOUBLE_PRECISION, below, downwards, grid, along_y(4))
  end subroutine

  subroutine exchange_persistent()
    type(MPI_Status) :: statuses(4)
    integer :: n
    call MPI_Startall(4, along_x)
    call MPI_Waitall(4, along_x, statuses)
    call MPI_Get_count(statuses(1), MPI_DOUBLE_PRECISION, n)
    call check(n == 2 * ny * fields .and. statuses(1)%MPI_SOURCE == left, 'the status of a section')
    call MPI_Startall(4, along_y)
    call MPI_Waitall(4, along_y, MPI_STATUSES_IGNORE)
  end subroutine

  subroutine free_persistent()
    integer :: i
    do i = 1, 4
      call MPI_Request_free(along_x(i))
      call MPI_Request_free(along_y(i))
    end do
  end subroutine

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    if (holds) return
    print '(2a)', 'FAILED: ', what
    flush (6)
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine
end module

program hydrodynamics
  use hydro
  implicit none
  real(dp), allocatable :: whole(:, :, :)
  real(dp) :: before(fields), after(fields)
  integer :: cycle

  call MPI_Init()
  call check(MPI_SUBARRAYS_SUPPORTED, 'mpi_f08 takes no sections with gaps from this compiler')
  call decompose()
  allocate (u(-1:nx + 2, -1:ny + 2, fields), whole(-1:columns + 2, -1:rows + 2, fields))
  call fill(u, coords(1) * nx, coords(2) * ny)
  call fill(whole, 0, 0)
  before = sums(whole)
  call prepare_persistent()
  do cycle = 1, cycles
    call one_cycle(mod(cycle, 3))
    call one_cycle_of_the_whole()
  end do
  call free_persistent()
  after = sums(whole)
  call check(all(abs(after - before) <= 1d-12 * abs(before) .or. [.false., .false., .true., &
      .false.]), 'mass, momentum along x or energy was lost')
  call compare_chunks()
  call compare_counts()
  call pass_tracers()
  call MPI_Comm_free(grid)
  call MPI_Finalize()
  if (rank == 0) print '(a)', 'ok hydrodynamics'
contains
  function sums(field) result(total)
    real(dp), intent(in) :: field(-1:, -1:, :)
    real(dp) :: total(fields)
    total = sum(sum(field(1:columns, 1:rows, :), 1), 1)
  end function

  ! Two steps after one exchange: the halo is two cells deep, and the first step needs one of them.
  subroutine one_cycle(way)
    integer, intent(in) :: way
    real(dp) :: mine, speed
    select case (way)
    case (0)
      call exchange_fields()
    case (1)
      call exchange_stripes()
    case (2)
      call exchange_persistent()
    end select
    if (.not. MPI_ASYNC_PROTECTS_NONBLOCKING) call MPI_F_sync_reg(u)
    call mirror(u, below == MPI_PROC_NULL, above == MPI_PROC_NULL)
    mine = fastest(u)
    call MPI_Allreduce(mine, speed, 1, MPI_DOUBLE_PRECISION, MPI_MAX, grid)
    call advance(u, courant / speed, 1)
    call advance(u, courant / speed, 2)
  end subroutine

  subroutine one_cycle_of_the_whole()
    real(dp) :: step
    whole(-1:0, :, :) = whole(columns - 1:columns, :, :)
    whole(columns + 1:columns + 2, :, :) = whole(1:2, :, :)
    call mirror(whole, .true., .true.)
    step = courant / fastest(whole)
    call advance(whole, step, 1)
    call advance(whole, step, 2)
  end subroutine

  ! Rank 0 gathers chunks without their halo, into an array that has gaps too.
  subroutine compare_chunks()
    real(dp), allocatable :: chunks(:, :, :)
    integer :: f, r, at(2)
    real(dp), parameter :: untouched = -7
    allocate (chunks(nx + 1, ny, 0:ranks - 1))
    do f = 1, fields
      chunks = untouched
      call MPI_Gather(u(1:nx, 1:ny, f), nx * ny, MPI_DOUBLE_PRECISION, chunks(1:nx, :, :), &
          nx * ny, MPI_DOUBLE_PRECISION, 0, grid)
      call check(all(chunks(nx + 1, :, :) == untouched), 'a gap between gathered columns')
      if (rank /= 0) cycle
      do r = 0, ranks - 1
        call MPI_Cart_coords(grid, r, 2, at)
        call check(all(chunks(1:nx, :, r) == whole(at(1) * nx + 1:(at(1) + 1) * nx, &
            at(2) * ny + 1:(at(2) + 1) * ny, f)), 'a cell differs from when one rank computes all')
      end do
    end do
  end subroutine

  ! In how many cells of each column the density is above its mean: counts stand in every second
  ! element, and the sums go to every second one of another array.
  subroutine compare_counts()
    integer :: mine(2 * columns), total(2 * columns), i, x0
    integer, asynchronous :: later(0:3 * columns - 1)
    type(MPI_Request) :: request
    real(dp) :: mean
    mean = before(density) / (rows * columns)
    mine = 0
    x0 = coords(1) * nx
    do i = 1, nx
      mine(2 * (x0 + i) - 1) = count(u(i, 1:ny, density) > mean)
    end do
    mine(2::2) = -1
    total = -1
    later = -1
    call MPI_Iallreduce(mine(1::2), later(::3), columns, MPI_INTEGER, MPI_SUM, grid, request)
    call MPI_Allreduce(mine(1::2), total(2::2), columns, MPI_INTEGER, MPI_SUM, grid)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call check(all(total(1::2) == -1), 'an element between those of a section was written')
    call check(all(total(2::2) == count(whole(1:columns, 1:rows, density) > mean, 2)), &
        'the sum of a section')
    call check(all(later(::3) == total(2::2)), 'the sum of a section, nonblocking')
    call check(all(later(1::3) == -1 .and. later(2::3) == -1), 'a gap after a nonblocking sum')
    call MPI_Allreduce(MPI_IN_PLACE, mine(1::2), columns, MPI_INTEGER, MPI_SUM, grid)
    call check(all(mine(1::2) == total(2::2)) .and. all(mine(2::2) == -1), 'the sum in place')
    if (rank /= 0) total = -1
    call MPI_Bcast(total(2::4), columns / 2, MPI_INTEGER, 0, grid)
    call check(all(total(2::4) == mine(1::4)), 'the broadcast of a section')
  end subroutine

  ! Components of derived types are sections whose gaps are no multiple of the element.
  subroutine pass_tracers()
    type(tracer), asynchronous :: ours(8), theirs(8)
    type(MPI_Request) :: requests(4)
    integer :: i
    ours = [(tracer(100 * rank + i, [i + 0.5_dp, rank + 0.25_dp]), i = 1, 8)]
    theirs = tracer(-1, -1)
    call MPI_Irecv(theirs%number, 8, MPI_INTEGER, left, rightwards, grid, requests(1))
    call MPI_Irecv(theirs(7:1:-2)%place(1), 4, MPI_DOUBLE_PRECISION, left, rightwards, grid, &
        requests(2))
    call MPI_Isend(ours%number, 8, MPI_INTEGER, right, rightwards, grid, requests(3))
    call MPI_Isend(ours(2::2)%place(1), 4, MPI_DOUBLE_PRECISION, right, rightwards, grid, &
        requests(4))
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE)
    call check(all(theirs%number == [(100 * left + i, i = 1, 8)]), 'the numbers of tracers')
    call check(all(theirs(1::2)%place(1) == [8.5_dp, 6.5_dp, 4.5_dp, 2.5_dp]), 'their places')
    call check(all(theirs(2::2)%place(1) == -1) .and. all(theirs%place(2) == -1), &
        'a component that was not sent')
  end subroutine
end program
