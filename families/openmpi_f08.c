/* libmpi_usempif08.so.40: what programs look for that use Open MPI's module mpi_f08. A handle is a
   type of one INTEGER and a buffer comes by its address: its subroutines are those of mpif.h. */

#define FAMILY "openmpi"
#include "fortran.h"

#define F08(small, target)                                                   \
    JUMP_FROM(LABEL("mpi_" #small "_f08_") LABEL("pmpi_" #small "_f08_"),     \
              FAMILY "_mpi_" target)
#define SUBROUTINE(small, CAPITAL, Mixed) F08(small, #small "_")
#define DETACHING(small, CAPITAL, Mixed) F08(small, #small "_f08_")
#define CHOICE SUBROUTINE
#define LARGE(small, CAPITAL, Mixed)
#define LARGE_CHOICE LARGE
#include "subroutines.h"
void mpi_f_sync_reg_f08_(void *buffer);
void mpi_f_sync_reg_f08_(void *buffer) { (void)buffer; }
ALIAS(pmpi_f_sync_reg_f08_, mpi_f_sync_reg_f08_)

CALLBACKS_OF_MPI_F08

/* The handles: variables of C, and constants of the module. */
#define HANDLE(of_c, of_module, number)                             \
    const int ompi_f08_##of_c = number;                             \
    const int __mpi_f08_types_MOD_##of_module = number;
#include "openmpi_f08_handles.h"

#define COMPARE(kind)                                                                       \
    int __mpi_f08_types_MOD_ompi_##kind##_op_eq(const int *a, const int *b);                 \
    int __mpi_f08_types_MOD_ompi_##kind##_op_eq(const int *a, const int *b) { return *a == *b; } \
    int __mpi_f08_types_MOD_ompi_##kind##_op_ne(const int *a, const int *b);                 \
    int __mpi_f08_types_MOD_ompi_##kind##_op_ne(const int *a, const int *b) { return *a != *b; }
COMPARE(comm) COMPARE(datatype) COMPARE(errhandler) COMPARE(file) COMPARE(group) COMPARE(info)
COMPARE(message) COMPARE(op) COMPARE(request) COMPARE(session) COMPARE(win)
