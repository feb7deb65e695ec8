C     Fails unless it runs as two ranks that add up.
      PROGRAM HELLO
      INCLUDE 'mpif.h'
      INTEGER RANK, TOTAL, IERROR
      CALL MPI_INIT(IERROR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERROR)
      CALL MPI_ALLREDUCE(RANK + 1, TOTAL, 1, MPI_INTEGER, MPI_SUM,
     &                   MPI_COMM_WORLD, IERROR)
      CALL MPI_FINALIZE(IERROR)
      IF (TOTAL .NE. 1 + 2) STOP 1
      END
