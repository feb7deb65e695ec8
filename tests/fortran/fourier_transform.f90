! A Fourier transform in three dimensions in the manner of NPB's FT. The ranks have slabs; between
! the transforms along x, y and those along z the slabs are transposed in three ways, which agree:
! packed by hand for MPI_ALLTOALL, by MPI_ALLTOALLW between subarrays, and by it into an array whose
! first index is z.
!
! A sum of waves has a transform with as many entries, each wave decays at a known rate when heat
! flows, and any field returns from there and back.
! ranks: 1 2 3 4 5 8
module slabs
  implicit none
  include 'mpif.h'
  integer, parameter :: nx = 32, ny = 16, nz = 64, points = nx * ny * nz
  double precision, parameter :: pi = acos(-1d0)
  integer :: me, ranks, ierror
  ! Of each rank: the first plane of its slab, and how many; along y and along z.
  integer, allocatable :: y0(:), y_count(:), z0(:), z_count(:)
  integer :: my_y, my_z
  integer, allocatable :: ones(:), zeros(:), slab_types(:), column_types(:)
  ! Into an array whose first index is z, with the first place of each rank's part, in bytes.
  integer, allocatable :: turned_types(:), turned_places(:)
contains
  subroutine divide(planes, first, count)
    integer, intent(in) :: planes
    integer, allocatable, intent(out) :: first(:), count(:)
    integer :: r
    first = [(r * planes / ranks, r = 0, ranks - 1)]
    count = [((r + 1) * planes / ranks - r * planes / ranks, r = 0, ranks - 1)]
  end subroutine

  subroutine set_up()
    integer :: r, along_x, along_y, bytes
    integer(kind=MPI_ADDRESS_KIND) :: stride
    call divide(ny, y0, y_count)
    call divide(nz, z0, z_count)
    my_y = y_count(me + 1)
    my_z = z_count(me + 1)
    allocate (ones(ranks), zeros(ranks), slab_types(ranks), column_types(ranks))
    allocate (turned_types(ranks))
    ones = 1
    zeros = 0
    call MPI_TYPE_SIZE(MPI_DOUBLE_COMPLEX, bytes, ierror)
    turned_places = z0 * bytes
    do r = 1, ranks
      call MPI_TYPE_CREATE_SUBARRAY(3, [nx, ny, my_z], [nx, y_count(r), my_z], [0, y0(r), 0], &
          MPI_ORDER_FORTRAN, MPI_DOUBLE_COMPLEX, slab_types(r), ierror)
      call MPI_TYPE_CREATE_SUBARRAY(3, [nx, my_y, nz], [nx, my_y, z_count(r)], [0, 0, z0(r)], &
          MPI_ORDER_FORTRAN, MPI_DOUBLE_COMPLEX, column_types(r), ierror)
      ! The same elements in the same order: x runs first, in steps of nz.
      call MPI_TYPE_VECTOR(nx, 1, nz, MPI_DOUBLE_COMPLEX, along_x, ierror)
      stride = int(nx * nz, MPI_ADDRESS_KIND) * bytes
      call MPI_TYPE_CREATE_HVECTOR(my_y, 1, stride, along_x, along_y, ierror)
      stride = bytes
      call MPI_TYPE_CREATE_HVECTOR(z_count(r), 1, stride, along_y, turned_types(r), ierror)
      call MPI_TYPE_FREE(along_x, ierror)
      call MPI_TYPE_FREE(along_y, ierror)
      call MPI_TYPE_COMMIT(slab_types(r), ierror)
      call MPI_TYPE_COMMIT(column_types(r), ierror)
      call MPI_TYPE_COMMIT(turned_types(r), ierror)
    end do
  end subroutine

  subroutine clean_up()
    integer :: r
    do r = 1, ranks
      call MPI_TYPE_FREE(slab_types(r), ierror)
      call MPI_TYPE_FREE(column_types(r), ierror)
      call MPI_TYPE_FREE(turned_types(r), ierror)
    end do
    call check(all(slab_types == MPI_DATATYPE_NULL), 'MPI_TYPE_FREE')
  end subroutine

  ! Blocks of equal length, as MPI_ALLTOALL wants them: some have room at their ends.
  subroutine to_columns_packed(u, v)
    double complex, intent(in) :: u(nx, ny, my_z)
    double complex, intent(out) :: v(nx, my_y, nz)
    double complex, allocatable :: from(:, :, :, :), to(:, :, :, :)
    integer :: r, room_y, room_z
    room_y = maxval(y_count)
    room_z = maxval(z_count)
    allocate (from(nx, room_y, room_z, ranks), to(nx, room_y, room_z, ranks))
    from = 0
    do r = 1, ranks
      from(:, 1:y_count(r), 1:my_z, r) = u(:, y0(r) + 1:y0(r) + y_count(r), :)
    end do
    call MPI_ALLTOALL(from, nx * room_y * room_z, MPI_DOUBLE_COMPLEX, to, nx * room_y * room_z, &
        MPI_DOUBLE_COMPLEX, MPI_COMM_WORLD, ierror)
    do r = 1, ranks
      v(:, :, z0(r) + 1:z0(r) + z_count(r)) = to(:, 1:my_y, 1:z_count(r), r)
    end do
  end subroutine

  subroutine to_slabs_packed(v, u)
    double complex, intent(in) :: v(nx, my_y, nz)
    double complex, intent(out) :: u(nx, ny, my_z)
    double complex, allocatable :: from(:, :, :, :), to(:, :, :, :)
    integer :: r, room_y, room_z
    room_y = maxval(y_count)
    room_z = maxval(z_count)
    allocate (from(nx, room_y, room_z, ranks), to(nx, room_y, room_z, ranks))
    from = 0
    do r = 1, ranks
      from(:, 1:my_y, 1:z_count(r), r) = v(:, :, z0(r) + 1:z0(r) + z_count(r))
    end do
    call MPI_ALLTOALL(from, nx * room_y * room_z, MPI_DOUBLE_COMPLEX, to, nx * room_y * room_z, &
        MPI_DOUBLE_COMPLEX, MPI_COMM_WORLD, ierror)
    do r = 1, ranks
      u(:, y0(r) + 1:y0(r) + y_count(r), :) = to(:, 1:y_count(r), 1:my_z, r)
    end do
  end subroutine

  subroutine to_columns(u, v)
    double complex, intent(in) :: u(nx, ny, my_z)
    double complex, intent(out) :: v(nx, my_y, nz)
    double complex, allocatable :: turned(:, :, :), packed(:, :, :)
    integer :: z
    allocate (turned(nz, nx, my_y), packed(nx, my_y, nz))
    call MPI_ALLTOALLW(u, ones, zeros, slab_types, v, ones, zeros, column_types, &
        MPI_COMM_WORLD, ierror)
    call to_columns_packed(u, packed)
    call check(all(packed == v), 'MPI_ALLTOALL and MPI_ALLTOALLW')
    call MPI_ALLTOALLW(u, ones, zeros, slab_types, turned, ones, turned_places, &
        turned_types, MPI_COMM_WORLD, ierror)
    do z = 1, nz
      call check(all(turned(z, :, :) == v(:, :, z)), 'the transposed array')
    end do
  end subroutine

  subroutine to_slabs(v, u)
    double complex, intent(in) :: v(nx, my_y, nz)
    double complex, intent(out) :: u(nx, ny, my_z)
    double complex, allocatable :: packed(:, :, :)
    allocate (packed(nx, ny, my_z))
    call MPI_ALLTOALLW(v, ones, zeros, column_types, u, ones, zeros, slab_types, &
        MPI_COMM_WORLD, ierror)
    call to_slabs_packed(v, packed)
    call check(all(packed == u), 'MPI_ALLTOALL and MPI_ALLTOALLW on the way back')
  end subroutine

  ! One line, in place: log2(n) steps of Stockham's transform, which needs no reordering.
  subroutine transform_line(line, sign)
    double complex, intent(inout) :: line(0:)
    integer, intent(in) :: sign
    double complex :: next(0:size(line) - 1), a, b, root
    integer :: half, stride, j, k
    half = size(line) / 2
    stride = 1
    do while (half >= 1)
      do j = 0, half - 1
        root = exp(cmplx(0, sign * pi * j / half, kind(pi)))
        do k = 0, stride - 1
          a = line(k + stride * j)
          b = line(k + stride * (j + half))
          next(k + stride * 2 * j) = a + b
          next(k + stride * (2 * j + 1)) = (a - b) * root
        end do
      end do
      line = next
      half = half / 2
      stride = 2 * stride
    end do
  end subroutine

  subroutine forward(u, v)
    double complex, intent(in) :: u(nx, ny, my_z)
    double complex, intent(out) :: v(nx, my_y, nz)
    double complex, allocatable :: planes(:, :, :)
    integer :: x, y, z
    planes = u
    do z = 1, my_z
      do y = 1, ny
        call transform_line(planes(:, y, z), -1)
      end do
      do x = 1, nx
        call transform_line(planes(x, :, z), -1)
      end do
    end do
    call to_columns(planes, v)
    do y = 1, my_y
      do x = 1, nx
        call transform_line(v(x, y, :), -1)
      end do
    end do
  end subroutine

  subroutine inverse(v, u)
    double complex, intent(in) :: v(nx, my_y, nz)
    double complex, intent(out) :: u(nx, ny, my_z)
    double complex, allocatable :: columns(:, :, :)
    integer :: x, y, z
    columns = v
    do y = 1, my_y
      do x = 1, nx
        call transform_line(columns(x, y, :), 1)
      end do
    end do
    call to_slabs(columns, u)
    do z = 1, my_z
      do x = 1, nx
        call transform_line(u(x, :, z), 1)
      end do
      do y = 1, ny
        call transform_line(u(:, y, z), 1)
      end do
    end do
    u = u / points
  end subroutine

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    if (holds) return
    print '(2a)', 'FAILED: ', what
    flush (6)
    call MPI_ABORT(MPI_COMM_WORLD, 1, ierror)
  end subroutine
end module

program fourier_transform
  use slabs
  implicit none
  type wave
    sequence
    double complex :: amplitude
    integer :: k(3)
    integer :: unused
  end type
  integer, parameter :: wave_count = 4, times = 3, sampled = 1024
  double precision, parameter :: conductivity = 1d-3
  type(wave) :: waves(wave_count)
  double complex, allocatable :: u(:, :, :), v(:, :, :), evolved(:, :, :), back(:, :, :)
  double complex :: known, sums(2), total(2)
  double precision :: energy(2), energies(2)
  integer :: x, y, z, j, t

  call MPI_INIT(ierror)
  call MPI_COMM_RANK(MPI_COMM_WORLD, me, ierror)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, ierror)
  call set_up()
  call share_waves()
  allocate (u(nx, ny, my_z), v(nx, my_y, nz), evolved(nx, my_y, nz), back(nx, ny, my_z))

  do z = 1, my_z
    do y = 1, ny
      do x = 1, nx
        u(x, y, z) = heat(x - 1, y - 1, z0(me + 1) + z - 1, 0)
      end do
    end do
  end do
  call forward(u, v)
  do z = 1, nz
    do y = 1, my_y
      do x = 1, nx
        known = 0
        do j = 1, wave_count
          if (all(waves(j)%k == [x - 1, y0(me + 1) + y - 1, z - 1])) known = waves(j)%amplitude
        end do
        call check(abs(v(x, y, z) / points - known) < 1d-14, 'the transform of a sum of waves')
      end do
    end do
  end do

  do t = 1, times
    do z = 1, nz
      do y = 1, my_y
        do x = 1, nx
          evolved(x, y, z) = v(x, y, z) * decay([x - 1, y0(me + 1) + y - 1, z - 1], t)
        end do
      end do
    end do
    call inverse(evolved, back)
    do z = 1, my_z
      do y = 1, ny
        do x = 1, nx
          known = heat(x - 1, y - 1, z0(me + 1) + z - 1, t)
          call check(abs(back(x, y, z) - known) < 1d-13, 'the flow of heat')
        end do
      end do
    end do
    call compare_samples(back, t)
  end do

  ! Any field: the same for every number of ranks.
  do z = 1, my_z
    do y = 1, ny
      do x = 1, nx
        j = x + nx * (y - 1 + ny * (z0(me + 1) + z - 1))
        u(x, y, z) = cmplx(modulo(j * 791, 1009) / 1009d0, modulo(j * 172, 1013) / 1013d0, kind(pi))
      end do
    end do
  end do
  call forward(u, v)
  call inverse(v, back)
  call check(all(abs(back - u) < 1d-13), 'the inverse of the transform')
  energy = [sum(abs(u)**2), sum(abs(v)**2) / points]
  call MPI_ALLREDUCE(energy, energies, 2, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
  call check(abs(energies(2) / energies(1) - 1) < 1d-13, 'Parseval''s identity')

  call clean_up()
  call MPI_FINALIZE(ierror)
  if (me == 0) print '(a)', 'ok fourier_transform'
contains
  ! Rank 0 knows the waves: one constant, one along each axis of one sign or the other, one mixed.
  subroutine share_waves()
    integer :: datatype, lengths(2), types(2), r
    integer(kind=MPI_ADDRESS_KIND) :: places(2), base, extent
    if (me == 0) then
      waves(1) = wave((0.5d0, 0d0), [0, 0, 0], 0)
      waves(2) = wave((0d0, 1d0), [3, ny - 1, 7], 0)
      waves(3) = wave((1d0, -2d0), [nx - 2, 5, nz - 6], 0)
      waves(4) = wave((0.25d0, 0.75d0), [nx / 2, 0, nz / 2], 0)
    end if
    call MPI_GET_ADDRESS(waves(1), base, ierror)
    call MPI_GET_ADDRESS(waves(1)%amplitude, places(1), ierror)
    call MPI_GET_ADDRESS(waves(1)%k, places(2), ierror)
    call MPI_GET_ADDRESS(waves(2), extent, ierror)
    places = places - base
    extent = extent - base
    lengths = [1, 3]
    types = [MPI_DOUBLE_COMPLEX, MPI_INTEGER]
    call MPI_TYPE_CREATE_STRUCT(2, lengths, places, types, r, ierror)
    call MPI_TYPE_CREATE_RESIZED(r, 0_MPI_ADDRESS_KIND, extent, datatype, ierror)
    call MPI_TYPE_COMMIT(datatype, ierror)
    call MPI_BCAST(waves, wave_count, datatype, 0, MPI_COMM_WORLD, ierror)
    call MPI_TYPE_FREE(r, ierror)
    call MPI_TYPE_FREE(datatype, ierror)
  end subroutine

  ! What is left of a wave at the time t. Indices in the upper half are waves of negative number.
  double precision function decay(k, t)
    integer, intent(in) :: k(3), t
    integer :: signed(3), n(3)
    n = [nx, ny, nz]
    signed = modulo(k + n / 2, n) - n / 2
    decay = exp(-conductivity * t * sum(signed**2))
  end function

  double complex function heat(x, y, z, t)
    integer, intent(in) :: x, y, z, t
    integer :: j
    double precision :: turns
    heat = 0
    do j = 1, wave_count
      turns = modulo(waves(j)%k(1) * x, nx) / dble(nx) + modulo(waves(j)%k(2) * y, ny) / dble(ny) &
          + modulo(waves(j)%k(3) * z, nz) / dble(nz)
      heat = heat + waves(j)%amplitude * decay(waves(j)%k, t) &
          * exp(cmplx(0, 2 * pi * turns, kind(pi)))
    end do
  end function

  ! A sum of points from everywhere, as FT reports it, and each rank's share of what is known.
  subroutine compare_samples(field, t)
    double complex, intent(in) :: field(nx, ny, my_z)
    integer, intent(in) :: t
    integer :: p(3), root
    root = mod(t, ranks)
    sums = 0
    do j = 1, sampled
      p = [modulo(j, nx), modulo(3 * j, ny), modulo(5 * j, nz)]
      if (mod(j, ranks) == me) sums(2) = sums(2) + heat(p(1), p(2), p(3), t)
      if (p(3) < z0(me + 1) .or. p(3) >= z0(me + 1) + my_z) cycle
      sums(1) = sums(1) + field(p(1) + 1, p(2) + 1, p(3) - z0(me + 1) + 1)
    end do
    call MPI_REDUCE(sums, total, 2, MPI_DOUBLE_COMPLEX, MPI_SUM, root, MPI_COMM_WORLD, ierror)
    if (me == root) call check(abs(total(1) - total(2)) < 1d-12 * sampled, 'the sum of points')
  end subroutine
end program
