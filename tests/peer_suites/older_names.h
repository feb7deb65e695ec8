/* Names that MPICH's tests use and the standard ABI has not, over what took their place: Fortran's
 * handles, and MPICH's extensions from before MPI 4.1 made them standard. */
#ifndef DUNLIN_JUDGES_OLDER_NAMES_H
#define DUNLIN_JUDGES_OLDER_NAMES_H
#include <mpi.h>

#define MPI_Fint int
#define MPI_Message_c2f MPI_Message_toint
#define MPI_Message_f2c MPI_Message_fromint
#define PMPI_Message_c2f PMPI_Message_toint
#define PMPI_Message_f2c PMPI_Message_fromint

#define MPIX_Delete_error_class MPI_Remove_error_class
#define MPIX_Delete_error_code MPI_Remove_error_code
#define MPIX_Delete_error_string MPI_Remove_error_string

#endif
