/* libmpifort.so.12: what programs in Fortran look for which were built with MPICH, Intel MPI or
   MVAPICH. Its subroutines are in libmpi_abi_fortran.so.1; here are their names, and the common
   blocks of mpif.h. */

#define FAMILY "mpich"
#include "fortran.h"

/* A subroutine of mpif.h, and of mpi_f08 where that passes the same arguments: handles are types of
   one INTEGER. */
#define SUBROUTINE(small, CAPITAL, Mixed)                                             \
    JUMP_FROM(LABELS(small, CAPITAL) LABEL("mpi_" #small "_f08_")                      \
              LABEL("pmpir_" #small "_f08_"), FAMILY "_mpi_" #small "_")
#define DETACHING(small, CAPITAL, Mixed)                                              \
    JUMP_FROM(LABELS(small, CAPITAL), FAMILY "_mpi_" #small "_")                       \
    JUMP_FROM(LABEL("mpi_" #small "_f08_") LABEL("pmpir_" #small "_f08_"),             \
              FAMILY "_mpi_" #small "_f08_")
/* With buffers, which mpi_f08 passes as arrays that may have gaps. */
#define CHOICE(small, CAPITAL, Mixed)                                                 \
    JUMP_FROM(LABELS(small, CAPITAL), FAMILY "_mpi_" #small "_")                       \
    JUMP_FROM(LABEL("mpi_" #small "_f08ts_") LABEL("pmpir_" #small "_f08ts_"),         \
              FAMILY "_mpi_" #small "_f08ts_")
/* With large counts, in the words of MPICH 4.0 and of later ones. */
#define LARGE(small, CAPITAL, Mixed)                                                  \
    JUMP_FROM(LABEL("mpi_" #small "_f08_large_") LABEL("pmpir_" #small "_f08_large_")  \
              LABEL("mpi_" #small "_c_f08_") LABEL("pmpir_" #small "_c_f08_"),         \
              FAMILY "_mpi_" #small "_c_")
#define LARGE_CHOICE(small, CAPITAL, Mixed)                                           \
    JUMP_FROM(LABEL("mpi_" #small "_f08ts_large_")                                     \
              LABEL("pmpir_" #small "_f08ts_large_") LABEL("mpi_" #small "_c_f08ts_")  \
              LABEL("pmpir_" #small "_c_f08ts_"), FAMILY "_mpi_" #small "_c_f08ts_")
#include "subroutines.h"
FUNCTIONS_OF_BOTH

/* What later versions call them: MPI_Remove_error_class was MPI_Delete_error_class. */
#define DELETED(what)                                                             \
    JUMP_FROM(LABEL("mpi_delete_error_" #what "_f08_")                             \
              LABEL("pmpir_delete_error_" #what "_f08_"),                          \
              FAMILY "_mpi_remove_error_" #what "_")
DELETED(class) DELETED(code) DELETED(string)

#define SYNC_REG(name) ALIAS(name, mpi_f_sync_reg_)
SYNC_REG(mpi_f_sync_reg_f08ts_)
SYNC_REG(pmpir_f_sync_reg_f08ts_)

/* COMMON /MPIPRIV1/ MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE(5)
   COMMON /MPIPRIV2/ MPI_STATUSES_IGNORE(5), MPI_ERRCODES_IGNORE
   COMMON /MPIFCMB5/ MPI_UNWEIGHTED   COMMON /MPIFCMB9/ MPI_WEIGHTS_EMPTY
   COMMON /MPIFCMBA/ MPI_BUFFER_AUTOMATIC
   COMMON /MPIPRIVC/ MPI_ARGVS_NULL, MPI_ARGV_NULL */
int mpipriv1_[7], mpipriv2_[6], mpifcmb5_[1], mpifcmb9_[1], mpifcmba_[1];
char mpiprivc_[2];

SENTINELS(mpich, OF_INCLUDE_FILE, &mpipriv1_[0], &mpipriv1_[1], mpifcmba_, &mpipriv1_[2],
          &mpipriv2_[0], &mpipriv2_[5], mpifcmb5_, mpifcmb9_)

/* The same of mpi_f08: variables of C and of the module. */
int MPIR_F08_MPI_BOTTOM, MPIR_F08_MPI_IN_PLACE;
extern int MPIR_F08_MPI_STATUS_IGNORE_OBJ[5], MPIR_F08_MPI_STATUSES_IGNORE_OBJ[5];
int __mpi_f08_link_constants_MOD_mpi_errcodes_ignore[1];
int __mpi_f08_link_constants_MOD_mpi_unweighted[1];
int __mpi_f08_link_constants_MOD_mpi_weights_empty[1];
char __mpi_f08_link_constants_MOD_mpi_argv_null[1];
char __mpi_f08_link_constants_MOD_mpi_argvs_null[1];

SENTINELS(mpich, OF_MPI_F08, &MPIR_F08_MPI_BOTTOM, &MPIR_F08_MPI_IN_PLACE, NULL,
          MPIR_F08_MPI_STATUS_IGNORE_OBJ, MPIR_F08_MPI_STATUSES_IGNORE_OBJ,
          __mpi_f08_link_constants_MOD_mpi_errcodes_ignore,
          __mpi_f08_link_constants_MOD_mpi_unweighted,
          __mpi_f08_link_constants_MOD_mpi_weights_empty)

/* Comparisons of handles, which are INTEGERs, whatever type they have. */
#define COMPARE_AS(name, operator)                                                     \
    int name(const int *a, const int *b);                                              \
    int name(const int *a, const int *b) { return *a operator *b; }
#define COMPARE(kind)                                                                  \
    COMPARE_AS(__mpi_constants_MOD_##kind##eq, ==)                                     \
    COMPARE_AS(__mpi_constants_MOD_##kind##neq, !=)                                    \
    COMPARE_AS(__mpi_f08_types_MOD_mpi_##kind##_eq, ==)                                \
    COMPARE_AS(__mpi_f08_types_MOD_mpi_##kind##_neq, !=)                               \
    COMPARE_AS(__mpi_f08_types_MOD_mpi_##kind##_f08_eq_f, ==)                          \
    COMPARE_AS(__mpi_f08_types_MOD_mpi_##kind##_f08_neq_f, !=)                         \
    COMPARE_AS(__mpi_f08_types_MOD_mpi_##kind##_f_eq_f08, ==)                          \
    COMPARE_AS(__mpi_f08_types_MOD_mpi_##kind##_f_neq_f08, !=)
COMPARE(comm) COMPARE(datatype) COMPARE(errhandler) COMPARE(file) COMPARE(group) COMPARE(info)
COMPARE(message) COMPARE(op) COMPARE(request) COMPARE(session) COMPARE(win)

/* Statuses of both modules are five INTEGERs. */
#define COPY_STATUS(name)                                                              \
    void name(const int *from, int *to, int *ierror);                                  \
    void name(const int *from, int *to, int *ierror)                                   \
    {                                                                                  \
        for (int i = 0; i < 5; i++)                                                    \
            to[i] = from[i];                                                           \
        if (ierror)                                                                    \
            *ierror = 0;                                                               \
    }
COPY_STATUS(__mpi_f08_types_MOD_mpi_status_f2f08)
COPY_STATUS(__mpi_f08_types_MOD_mpi_status_f082f)

CALLBACKS_OF_MPI_F08

/* MPI_Sizeof of both modules: of scalars and arrays of the module mpi, and of any array. */
#define SIZEOF_BOTH(type, bytes)                          \
    SIZEOF(__mpi_sizeofs_MOD_mpi_sizeof_##type, bytes)    \
    SIZEOF(__mpi_sizeofs_MOD_mpi_sizeof_##type##v, bytes)
SIZEOF_BOTH(ch, 1) SIZEOF_BOTH(l, 4) SIZEOF_BOTH(i1, 1) SIZEOF_BOTH(i2, 2) SIZEOF_BOTH(i, 4)
SIZEOF_BOTH(i8, 8) SIZEOF_BOTH(r, 4) SIZEOF_BOTH(d, 8) SIZEOF_BOTH(cx, 8)
#define SIZEOF_ANY(type, bytes) SIZEOF(__mpi_f08_types_MOD_mpi_sizeof_##type, bytes)
SIZEOF_ANY(character, 1) SIZEOF_ANY(logical, 4) SIZEOF_ANY(xint8, 1) SIZEOF_ANY(xint16, 2)
SIZEOF_ANY(xint32, 4) SIZEOF_ANY(xint64, 8) SIZEOF_ANY(xreal32, 4) SIZEOF_ANY(xreal64, 8)
SIZEOF_ANY(xreal128, 16) SIZEOF_ANY(xcomplex32, 8) SIZEOF_ANY(xcomplex64, 16)
SIZEOF_ANY(xcomplex128, 32)
