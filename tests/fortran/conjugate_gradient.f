C     A conjugate gradient in the manner of NPB's CG. The ranks are a
C     grid; each has a block of a sparse symmetric matrix. Sums over a
C     row of the grid are made by exchanges between pairs of ranks, and
C     the product returns to the columns by a transpose exchange.
C
C     The matrix is the Laplacian of a cube, whose eigenvectors are
C     products of sines: with three of them in the right side the
C     method ends after three iterations, and the eigenvalue that an
C     inverse iteration estimates is known after each step.
C     ranks: 1 2 4 8 16
      program conjugate
      implicit none
      include 'mpif.h'
      integer edge, n, terms, steps
      parameter (edge = 16, n = edge**3, terms = 3, steps = 6)
      integer ierr, me, iterations, i, t, step
      double precision c(terms), lambda(terms), norm(0:terms)
      double precision b(n), x(n), exact(n), up, down, length
      double precision dot, eigenvector, eigenvalue
      integer waves(3, terms)
      integer ranks, rows, columns, row, column, height, width, partner
      common /grid/ ranks, rows, columns, row, column, height, width,
     &              partner
      data waves /1,1,1, 3,1,2, 5,4,7/
      data c /1d0, 2d0, -0.5d0/

      call mpi_init(ierr)
      call mpi_comm_rank(MPI_COMM_WORLD, me, ierr)
      call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
      call place(me, n)
      call assemble(edge)

C     The sum of eigenvectors, and the same divided by A.
      do i = 1, width
        b(i) = 0
        exact(i) = 0
        do t = 1, terms
          lambda(t) = eigenvalue(edge, waves(1, t))
          up = c(t) * eigenvector(edge, waves(1, t), column*width + i)
          b(i) = b(i) + up
          exact(i) = exact(i) + up / lambda(t)
        end do
      end do
      length = 0
      do t = 1, terms
        length = length + c(t)**2 * (0.5d0 * (edge + 1))**3
      end do
      call check(abs(dot(b, b) / length - 1) .lt. 1d-12,
     &           'the length of the right side')

      call solve(b, x, terms, iterations, norm)
      call check(iterations .eq. terms, 'the number of iterations')
      call check(norm(terms-1) .gt. 1d-3 * norm(0),
     &           'a residual that is small too early')
      call check(norm(terms) .lt. 1d-12 * norm(0), 'the residual')
      do i = 1, width
        call check(abs(x(i) - exact(i)) .lt. 1d-11, 'the solution')
      end do

C     Each step divides the term of an eigenvector by its eigenvalue.
      do step = 1, steps
        call solve(b, x, terms, iterations, norm)
        up = 0
        down = 0
        do t = 1, terms
          down = down + c(t)**2
          up = up + c(t)**2 / lambda(t)
          c(t) = c(t) / lambda(t)
        end do
        call check(
     &    abs(dot(b, x) / dot(b, b) / (up / down) - 1) .lt. 1d-11,
     &    'the estimate of an eigenvalue')
        length = sqrt(dot(x, x))
        do i = 1, width
          b(i) = x(i) / length
        end do
      end do

      call mpi_finalize(ierr)
      if (me .eq. 0) print '(a)', 'ok conjugate_gradient'
      end

C     The grid is a square, or twice as wide as high. A rank's part of
C     a vector is that of its column; `partner` has the part of this
C     rank's column in its row.
      subroutine place(me, n)
      implicit none
      integer me, n
      integer ranks, rows, columns, row, column, height, width, partner
      common /grid/ ranks, rows, columns, row, column, height, width,
     &              partner
      rows = 1
      do while (4 * rows * rows .le. ranks)
        rows = 2 * rows
      end do
      columns = ranks / rows
      call check(columns .eq. rows .or. columns .eq. 2 * rows,
     &           'the number of ranks must be a power of two')
      row = me / columns
      column = mod(me, columns)
      height = n / rows
      width = n / columns
      if (columns .eq. rows) then
        partner = column * columns + row
      else
        partner = (column / 2) * columns + 2 * row + mod(column, 2)
      end if
      end

C     The rank's block of the matrix, row by row: which columns of the
C     block have an entry, and which entry.
      subroutine assemble(edge)
      implicit none
      integer edge, most
      parameter (most = 4096)
      integer at(most + 1), place(7 * most)
      double precision entry(7 * most)
      common /matrix/ entry, at, place
      integer i, r, x, y, z, count
      integer ranks, rows, columns, row, column, height, width, partner
      common /grid/ ranks, rows, columns, row, column, height, width,
     &              partner
      count = 0
      do i = 1, height
        at(i) = count + 1
        r = row * height + i
        x = mod(r - 1, edge)
        y = mod((r - 1) / edge, edge)
        z = (r - 1) / edge**2
        if (z .gt. 0) call add(count, r - edge**2, -1d0)
        if (y .gt. 0) call add(count, r - edge, -1d0)
        if (x .gt. 0) call add(count, r - 1, -1d0)
        call add(count, r, 6d0)
        if (x .lt. edge - 1) call add(count, r + 1, -1d0)
        if (y .lt. edge - 1) call add(count, r + edge, -1d0)
        if (z .lt. edge - 1) call add(count, r + edge**2, -1d0)
      end do
      at(height + 1) = count + 1
      end

C     An entry, if its column is this rank's.
      subroutine add(count, c, value)
      implicit none
      integer count, c, most
      double precision value
      parameter (most = 4096)
      integer at(most + 1), place(7 * most)
      double precision entry(7 * most)
      common /matrix/ entry, at, place
      integer ranks, rows, columns, row, column, height, width, partner
      common /grid/ ranks, rows, columns, row, column, height, width,
     &              partner
      if ((c - 1) / width .ne. column) return
      count = count + 1
      place(count) = c - column * width
      entry(count) = value
      end

      subroutine solve(b, x, most, iterations, norm)
      implicit none
      integer most, iterations, i
      double precision b(*), x(*), norm(0:most)
      double precision p(4096), q(4096), r(4096), rho, before, alpha
      double precision dot
      integer ranks, rows, columns, row, column, height, width, partner
      common /grid/ ranks, rows, columns, row, column, height, width,
     &              partner
      do i = 1, width
        x(i) = 0
        r(i) = b(i)
        p(i) = b(i)
      end do
      rho = dot(r, r)
      norm(0) = sqrt(rho)
      iterations = 0
      do while (iterations .lt. most .and.
     &          sqrt(rho) .gt. 1d-13 * norm(0))
        call multiply(p, q)
        alpha = rho / dot(p, q)
        do i = 1, width
          x(i) = x(i) + alpha * p(i)
          r(i) = r(i) - alpha * q(i)
        end do
        before = rho
        rho = dot(r, r)
        do i = 1, width
          p(i) = r(i) + rho / before * p(i)
        end do
        iterations = iterations + 1
C       The true residual, not the one that was carried along.
        call multiply(x, q)
        do i = 1, width
          q(i) = b(i) - q(i)
        end do
        norm(iterations) = sqrt(dot(q, q))
      end do
      end

C     q = A p: the block's product, summed over the row, then to those
C     who have the column.
      subroutine multiply(p, q)
      implicit none
      include 'mpif.h'
      integer most
      parameter (most = 4096)
      double precision p(*), q(*), w(most)
      integer at(most + 1), place(7 * most)
      double precision entry(7 * most)
      common /matrix/ entry, at, place
      integer i, k, from, request, ierr
      integer status(MPI_STATUS_SIZE)
      integer ranks, rows, columns, row, column, height, width, partner
      common /grid/ ranks, rows, columns, row, column, height, width,
     &              partner
      do i = 1, height
        w(i) = 0
        do k = at(i), at(i + 1) - 1
          w(i) = w(i) + entry(k) * p(place(k))
        end do
      end do
      call sum_over_row(w, height)
C     Two columns of the grid may share a row's part.
      from = 0
      if (columns .ne. rows) from = mod(column, 2) * width
      if (partner .eq. row * columns + column) then
        do i = 1, width
          q(i) = w(from + i)
        end do
      else
        call mpi_irecv(q, width, MPI_DOUBLE_PRECISION, partner, 2,
     &                 MPI_COMM_WORLD, request, ierr)
        call mpi_send(w(from + 1), width, MPI_DOUBLE_PRECISION,
     &                partner, 2, MPI_COMM_WORLD, ierr)
        call mpi_wait(request, status, ierr)
        call check(status(MPI_SOURCE) .eq. partner,
     &             'MPI_SOURCE of the transpose exchange')
      end if
      end

C     Recursive doubling: all ranks of a row add the same pairs, and so
C     get the same bits.
      subroutine sum_over_row(w, length)
      implicit none
      include 'mpif.h'
      integer length, distance, other, request, ierr, i
      double precision w(length), theirs(4096)
      integer status(MPI_STATUS_SIZE)
      integer ranks, rows, columns, row, column, height, width, partner
      common /grid/ ranks, rows, columns, row, column, height, width,
     &              partner
      distance = 1
      do while (distance .lt. columns)
        other = row * columns + ieor(column, distance)
        call mpi_irecv(theirs, length, MPI_DOUBLE_PRECISION, other, 1,
     &                 MPI_COMM_WORLD, request, ierr)
        call mpi_send(w, length, MPI_DOUBLE_PRECISION, other, 1,
     &                MPI_COMM_WORLD, ierr)
        call mpi_wait(request, status, ierr)
        call mpi_get_count(status, MPI_DOUBLE_PRECISION, i, ierr)
        call check(i .eq. length, 'the length of a message')
        do i = 1, length
          w(i) = w(i) + theirs(i)
        end do
        distance = 2 * distance
      end do
      end

      double precision function dot(a, b)
      implicit none
      double precision a(*), b(*), total(1)
      integer i
      integer ranks, rows, columns, row, column, height, width, partner
      common /grid/ ranks, rows, columns, row, column, height, width,
     &              partner
      total(1) = 0
      do i = 1, width
        total(1) = total(1) + a(i) * b(i)
      end do
      call sum_over_row(total, 1)
      dot = total(1)
      end

      double precision function eigenvalue(edge, wave)
      implicit none
      integer edge, wave(3), d
      double precision angle
      angle = acos(-1d0) / (edge + 1)
      eigenvalue = 6
      do d = 1, 3
        eigenvalue = eigenvalue - 2 * cos(wave(d) * angle)
      end do
      end

C     Its value at the point i.
      double precision function eigenvector(edge, wave, i)
      implicit none
      integer edge, wave(3), i
      double precision angle
      angle = acos(-1d0) / (edge + 1)
      eigenvector = sin(angle * wave(1) * (mod(i - 1, edge) + 1))
     &  * sin(angle * wave(2) * (mod((i - 1) / edge, edge) + 1))
     &  * sin(angle * wave(3) * ((i - 1) / edge**2 + 1))
      end

      subroutine check(holds, what)
      implicit none
      include 'mpif.h'
      logical holds
      character*(*) what
      integer ierr
      if (holds) return
      print '(a)', 'FAILED: ' // what
      call flush(6)
      call mpi_abort(MPI_COMM_WORLD, 1, ierr)
      end
