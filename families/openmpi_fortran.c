/* libmpi_mpifh.so.40: what programs in Fortran look for which were built with Open MPI 4 or 5. Its
   subroutines are in libmpi_abi_fortran.so.1; here are their names, and the common blocks of
   mpif.h. */

#define FAMILY "openmpi"
#include "fortran.h"

/* Its library for mpi_f08 calls the names in capitals and small letters. */
#define SUBROUTINE(small, CAPITAL, Mixed)                                             \
    JUMP_FROM(LABELS(small, CAPITAL) LABEL("ompi_" #small "_f")                        \
              LABEL("MPI_" #Mixed "_f") LABEL("PMPI_" #Mixed "_f")                     \
              LABEL("MPI_" #Mixed "_f08") LABEL("PMPI_" #Mixed "_f08"),                \
              FAMILY "_mpi_" #small "_")
#define DETACHING SUBROUTINE
#define CHOICE SUBROUTINE
#define LARGE(small, CAPITAL, Mixed)
#define LARGE_CHOICE LARGE
#include "subroutines.h"
FUNCTIONS_OF_BOTH

/* With addresses of type C_PTR, which are the same. */
#define CPTR(small, CAPITAL)                                                          \
    JUMP_FROM(LABELS(small##_cptr, CAPITAL##_CPTR) LABEL("ompi_" #small "_cptr_f"),    \
              FAMILY "_mpi_" #small "_")
CPTR(alloc_mem, ALLOC_MEM) CPTR(win_allocate, WIN_ALLOCATE)
CPTR(win_allocate_shared, WIN_ALLOCATE_SHARED) CPTR(win_shared_query, WIN_SHARED_QUERY)

/* Persistent collectives, as Open MPI 4 called them. */
#define OLD_INIT(small)                                                                \
    JUMP_FROM(LABEL("mpix_" #small "_init_") LABEL("pmpix_" #small "_init_"),          \
              FAMILY "_mpi_" #small "_init_")
OLD_INIT(allgather) OLD_INIT(allgatherv) OLD_INIT(allreduce) OLD_INIT(alltoall)
OLD_INIT(alltoallv) OLD_INIT(alltoallw) OLD_INIT(barrier) OLD_INIT(bcast) OLD_INIT(exscan)
OLD_INIT(gather) OLD_INIT(gatherv) OLD_INIT(neighbor_allgather)
OLD_INIT(neighbor_allgatherv) OLD_INIT(neighbor_alltoall) OLD_INIT(neighbor_alltoallv)
OLD_INIT(neighbor_alltoallw) OLD_INIT(reduce) OLD_INIT(reduce_scatter)
OLD_INIT(reduce_scatter_block) OLD_INIT(scan) OLD_INIT(scatter) OLD_INIT(scatterv)

int mpi_fortran_bottom_, mpi_fortran_in_place_, mpi_fortran_errcodes_ignore_[1];
int mpi_fortran_status_ignore_[6], mpi_fortran_statuses_ignore_[6];
int mpi_fortran_unweighted_[1], mpi_fortran_weights_empty_[1];
char mpi_fortran_argv_null_[1], mpi_fortran_argvs_null_[1];

SENTINELS(openmpi, OF_INCLUDE_FILE, &mpi_fortran_bottom_, &mpi_fortran_in_place_, NULL,
          mpi_fortran_status_ignore_, mpi_fortran_statuses_ignore_,
          mpi_fortran_errcodes_ignore_, mpi_fortran_unweighted_, mpi_fortran_weights_empty_)

/* MPI_Sizeof, for each type and each rank of an array. */
#define SIZEOF_ARRAY(type, bytes, rank)          \
    SIZEOF(mpi_sizeof_##type##_##rank##_, bytes) \
    ALIAS(pmpi_sizeof_##type##_##rank##_, mpi_sizeof_##type##_##rank##_)
#define SIZEOF_ARRAYS(type, bytes)                                                              \
    SIZEOF_ARRAY(type, bytes, scalar) SIZEOF_ARRAY(type, bytes, r1)                              \
    SIZEOF_ARRAY(type, bytes, r2) SIZEOF_ARRAY(type, bytes, r3) SIZEOF_ARRAY(type, bytes, r4)    \
    SIZEOF_ARRAY(type, bytes, r5) SIZEOF_ARRAY(type, bytes, r6) SIZEOF_ARRAY(type, bytes, r7)    \
    SIZEOF_ARRAY(type, bytes, r8) SIZEOF_ARRAY(type, bytes, r9) SIZEOF_ARRAY(type, bytes, r10)   \
    SIZEOF_ARRAY(type, bytes, r11) SIZEOF_ARRAY(type, bytes, r12)                                \
    SIZEOF_ARRAY(type, bytes, r13) SIZEOF_ARRAY(type, bytes, r14)                                \
    SIZEOF_ARRAY(type, bytes, r15)
SIZEOF_ARRAYS(character, 1) SIZEOF_ARRAYS(logical, 4)
SIZEOF_ARRAYS(int8, 1) SIZEOF_ARRAYS(int16, 2) SIZEOF_ARRAYS(int32, 4) SIZEOF_ARRAYS(int64, 8)
SIZEOF_ARRAYS(real16, 2) SIZEOF_ARRAYS(real32, 4) SIZEOF_ARRAYS(real64, 8)
SIZEOF_ARRAYS(real128, 16)
SIZEOF_ARRAYS(complex32, 8) SIZEOF_ARRAYS(complex64, 16) SIZEOF_ARRAYS(complex128, 32)
