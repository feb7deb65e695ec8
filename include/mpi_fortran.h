/* Handles and statuses of Fortran in C (MPI 5.0, section 19.3). A Fortran handle is an INTEGER of
 * the same value, so these are not in libmpi_abi.so, whose functions they call. A program that uses
 * MPI_F_STATUS_IGNORE or MPI_F_STATUSES_IGNORE is linked with -lmpi_abi_fortran, as by mpifort. */

#ifndef DUNLIN_MPI_FORTRAN_H
#define DUNLIN_MPI_FORTRAN_H

typedef int MPI_Fint;
typedef MPI_Status MPI_F08_status;

static inline MPI_Fint MPI_Comm_c2f(MPI_Comm comm) { return MPI_Comm_toint(comm); }
static inline MPI_Comm MPI_Comm_f2c(MPI_Fint comm) { return MPI_Comm_fromint(comm); }
static inline MPI_Fint MPI_Errhandler_c2f(MPI_Errhandler e) { return MPI_Errhandler_toint(e); }
static inline MPI_Errhandler MPI_Errhandler_f2c(MPI_Fint e) { return MPI_Errhandler_fromint(e); }
static inline MPI_Fint MPI_File_c2f(MPI_File file) { return MPI_File_toint(file); }
static inline MPI_File MPI_File_f2c(MPI_Fint file) { return MPI_File_fromint(file); }
static inline MPI_Fint MPI_Group_c2f(MPI_Group group) { return MPI_Group_toint(group); }
static inline MPI_Group MPI_Group_f2c(MPI_Fint group) { return MPI_Group_fromint(group); }
static inline MPI_Fint MPI_Info_c2f(MPI_Info info) { return MPI_Info_toint(info); }
static inline MPI_Info MPI_Info_f2c(MPI_Fint info) { return MPI_Info_fromint(info); }
static inline MPI_Fint MPI_Message_c2f(MPI_Message m) { return MPI_Message_toint(m); }
static inline MPI_Message MPI_Message_f2c(MPI_Fint m) { return MPI_Message_fromint(m); }
static inline MPI_Fint MPI_Op_c2f(MPI_Op op) { return MPI_Op_toint(op); }
static inline MPI_Op MPI_Op_f2c(MPI_Fint op) { return MPI_Op_fromint(op); }
static inline MPI_Fint MPI_Request_c2f(MPI_Request r) { return MPI_Request_toint(r); }
static inline MPI_Request MPI_Request_f2c(MPI_Fint r) { return MPI_Request_fromint(r); }
static inline MPI_Fint MPI_Session_c2f(MPI_Session s) { return MPI_Session_toint(s); }
static inline MPI_Session MPI_Session_f2c(MPI_Fint s) { return MPI_Session_fromint(s); }
static inline MPI_Fint MPI_Type_c2f(MPI_Datatype type) { return MPI_Type_toint(type); }
static inline MPI_Datatype MPI_Type_f2c(MPI_Fint type) { return MPI_Type_fromint(type); }
static inline MPI_Fint MPI_Win_c2f(MPI_Win win) { return MPI_Win_toint(win); }
static inline MPI_Win MPI_Win_f2c(MPI_Fint win) { return MPI_Win_fromint(win); }

/* The three forms of a status have the same integers in the same places. */
static inline int MPI_Status_c2f(const MPI_Status *c, MPI_Fint *f)
{
    int i;
    f[MPI_F_SOURCE] = c->MPI_SOURCE;
    f[MPI_F_TAG] = c->MPI_TAG;
    f[MPI_F_ERROR] = c->MPI_ERROR;
    for (i = 0; i < 5; i++) f[3 + i] = c->MPI_internal[i];
    return MPI_SUCCESS;
}

static inline int MPI_Status_f2c(const MPI_Fint *f, MPI_Status *c)
{
    int i;
    c->MPI_SOURCE = f[MPI_F_SOURCE];
    c->MPI_TAG = f[MPI_F_TAG];
    c->MPI_ERROR = f[MPI_F_ERROR];
    for (i = 0; i < 5; i++) c->MPI_internal[i] = f[3 + i];
    return MPI_SUCCESS;
}

static inline int MPI_Status_c2f08(const MPI_Status *c, MPI_F08_status *f08)
{
    *f08 = *c;
    return MPI_SUCCESS;
}

static inline int MPI_Status_f082c(const MPI_F08_status *f08, MPI_Status *c)
{
    *c = *f08;
    return MPI_SUCCESS;
}

static inline int MPI_Status_f2f08(const MPI_Fint *f, MPI_F08_status *f08)
{
    return MPI_Status_f2c(f, f08);
}

static inline int MPI_Status_f082f(const MPI_F08_status *f08, MPI_Fint *f)
{
    return MPI_Status_c2f(f08, f);
}

/* The common block of Fortran's special variables: an ignored status and ignored statuses are the
 * seventh INTEGER and the fifteenth. */
extern MPI_Fint mpi_dunlin_[];
#define MPI_F_STATUS_IGNORE      (&mpi_dunlin_[6])
#define MPI_F_STATUSES_IGNORE    (&mpi_dunlin_[14])
#define MPI_F08_STATUS_IGNORE    ((MPI_F08_status *) MPI_F_STATUS_IGNORE)
#define MPI_F08_STATUSES_IGNORE  ((MPI_F08_status *) MPI_F_STATUSES_IGNORE)

#endif
