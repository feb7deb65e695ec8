/* The functions of MPI 1 that MPI 3.0 removed, over those that took their place, because programs
 * still call them (HPL in HPC Challenge does). They are not part of the standard ABI, so
 * libmpi_abi.so has none of them: a program compiled with this file calls those of the standard. */

#ifndef DUNLIN_MPI_REMOVED_H
#define DUNLIN_MPI_REMOVED_H

typedef MPI_Comm_errhandler_function MPI_Handler_function;

static inline int MPI_Address(void *location, MPI_Aint *address)
{
    return MPI_Get_address(location, address);
}

static inline int MPI_Type_hvector(int count, int blocklength, MPI_Aint stride,
                                   MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return MPI_Type_create_hvector(count, blocklength, stride, oldtype, newtype);
}

static inline int MPI_Type_hindexed(int count, int blocklengths[], MPI_Aint displacements[],
                                    MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return MPI_Type_create_hindexed(count, blocklengths, displacements, oldtype, newtype);
}

static inline int MPI_Type_struct(int count, int blocklengths[], MPI_Aint displacements[],
                                  MPI_Datatype types[], MPI_Datatype *newtype)
{
    return MPI_Type_create_struct(count, blocklengths, displacements, types, newtype);
}

/* A null pointer goes on as it is, so that the call complains about it. */
static inline int MPI_Type_extent(MPI_Datatype datatype, MPI_Aint *extent)
{
    MPI_Aint lb;
    return MPI_Type_get_extent(datatype, &lb, extent);
}

static inline int MPI_Type_lb(MPI_Datatype datatype, MPI_Aint *lb)
{
    MPI_Aint extent;
    return MPI_Type_get_extent(datatype, lb, &extent);
}

static inline int MPI_Type_ub(MPI_Datatype datatype, MPI_Aint *ub)
{
    MPI_Aint lb, extent;
    int code = MPI_Type_get_extent(datatype, &lb, ub ? &extent : ub);
    if (code == MPI_SUCCESS && ub)
        *ub = lb + extent;
    return code;
}

static inline int MPI_Errhandler_create(MPI_Handler_function *function, MPI_Errhandler *errhandler)
{
    return MPI_Comm_create_errhandler(function, errhandler);
}

static inline int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler)
{
    return MPI_Comm_set_errhandler(comm, errhandler);
}

static inline int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *errhandler)
{
    return MPI_Comm_get_errhandler(comm, errhandler);
}

#endif
