/* libmpi.so.40: the library that programs look for which were built with Open MPI 4 or 5. Its
   functions are in libmpi_abi.so.1; here are their names, and the objects whose addresses are the
   predefined handles. An object begins with the number of the standard's handle. */

#include <stdint.h>

#define FAMILY "openmpi"
int openmpi_unsupported(const char *name);
#define UNSUPPORTED(name) openmpi_unsupported(name)
#include "jump.h"

#include "functions.h"
JUMPS_OF_BOTH
JUMP(MPIX_Query_rocm_support)

JUMP(MPIX_Comm_ack_failed) JUMP(MPIX_Comm_iagree) JUMP(MPIX_Comm_is_revoked)
JUMP(MPIX_Comm_ishrink)
LACKS(MPI_Session_set_info)

/* Persistent collectives, as Open MPI 4 called them. */
#define OLD_NAME(name) \
    FUNCTION("MPIX_" #name, FAMILY "_MPI_" #name) FUNCTION("PMPIX_" #name, FAMILY "_MPI_" #name)
OLD_NAME(Allgather_init) OLD_NAME(Allgatherv_init) OLD_NAME(Allreduce_init) OLD_NAME(Alltoall_init)
OLD_NAME(Alltoallv_init) OLD_NAME(Alltoallw_init) OLD_NAME(Barrier_init) OLD_NAME(Bcast_init)
OLD_NAME(Exscan_init) OLD_NAME(Gather_init) OLD_NAME(Gatherv_init) OLD_NAME(Neighbor_allgather_init)
OLD_NAME(Neighbor_allgatherv_init) OLD_NAME(Neighbor_alltoall_init)
OLD_NAME(Neighbor_alltoallv_init) OLD_NAME(Neighbor_alltoallw_init) OLD_NAME(Reduce_init)
OLD_NAME(Reduce_scatter_block_init) OLD_NAME(Reduce_scatter_init) OLD_NAME(Scan_init)
OLD_NAME(Scatter_init) OLD_NAME(Scatterv_init)

/* The objects are as long as Open MPI's: a program at fixed addresses has copies of them, of the
   length that it was linked with. */
enum {
    LENGTH_comm = 512,
    LENGTH_datatype = 512,
    LENGTH_errhandler = 1024,
    LENGTH_file = 1536,
    LENGTH_group = 256,
    LENGTH_info = 256,
    LENGTH_message = 256,
    LENGTH_op = 2048,
    LENGTH_request = 256,
    LENGTH_session = 512,
    LENGTH_win = 512
};

#define OBJECT(kind, name, number) \
    struct { uintptr_t handle; char rest[LENGTH_##kind - sizeof(uintptr_t)]; } name = { number, { 0 } };
#include "openmpi_objects.h"

/* Datatypes that the standard does not have: 0 is no handle. */
#define NO_DATATYPE(name) OBJECT(datatype, name, 0)
NO_DATATYPE(ompi_mpi_2cplex)
NO_DATATYPE(ompi_mpi_2dblcplex)
NO_DATATYPE(ompi_mpi_lb)
NO_DATATYPE(ompi_mpi_logical16)
NO_DATATYPE(ompi_mpi_ub)
NO_DATATYPE(ompi_mpi_unavailable)

#undef OBJECT
#define OBJECT(kind, name, number) &name,
static void *const objects[] = {
#include "openmpi_objects.h"
};

void dunlin_openmpi_objects(void *const *objects, uintptr_t count);

/* The program's copies of the objects exist by now, if it has some. */
__attribute__((constructor)) static void tell_objects(void)
{
    dunlin_openmpi_objects(objects, sizeof objects / sizeof objects[0]);
}

int *MPI_F_STATUS_IGNORE, *MPI_F_STATUSES_IGNORE;
void *MPI_F08_STATUS_IGNORE, *MPI_F08_STATUSES_IGNORE;

/* The predefined functions of attributes: handles are addresses, of whatever kind. */
#define NULL_COPY(name)                                                               \
    int name(void *object, int keyval, void *extra, void *in, void *out, int *flag);   \
    int name(void *object, int keyval, void *extra, void *in, void *out, int *flag)    \
    {                                                                                 \
        (void)object, (void)keyval, (void)extra, (void)in, (void)out;                 \
        *flag = 0;                                                                    \
        return 0;                                                                     \
    }
#define DUP(name)                                                                     \
    int name(void *object, int keyval, void *extra, void *in, void *out, int *flag);   \
    int name(void *object, int keyval, void *extra, void *in, void *out, int *flag)    \
    {                                                                                 \
        (void)object, (void)keyval, (void)extra;                                      \
        *(void **)out = in;                                                           \
        *flag = 1;                                                                    \
        return 0;                                                                     \
    }
#define NULL_DELETE(name)                                                             \
    int name(void *object, int keyval, void *value, void *extra);                      \
    int name(void *object, int keyval, void *value, void *extra)                       \
    {                                                                                 \
        (void)object, (void)keyval, (void)value, (void)extra;                         \
        return 0;                                                                     \
    }

NULL_COPY(OMPI_C_MPI_NULL_COPY_FN)
NULL_COPY(OMPI_C_MPI_COMM_NULL_COPY_FN)
NULL_COPY(OMPI_C_MPI_TYPE_NULL_COPY_FN)
NULL_COPY(OMPI_C_MPI_WIN_NULL_COPY_FN)
DUP(OMPI_C_MPI_DUP_FN)
DUP(OMPI_C_MPI_COMM_DUP_FN)
DUP(OMPI_C_MPI_TYPE_DUP_FN)
DUP(OMPI_C_MPI_WIN_DUP_FN)
NULL_DELETE(OMPI_C_MPI_NULL_DELETE_FN)
NULL_DELETE(OMPI_C_MPI_COMM_NULL_DELETE_FN)
NULL_DELETE(OMPI_C_MPI_TYPE_NULL_DELETE_FN)
NULL_DELETE(OMPI_C_MPI_WIN_NULL_DELETE_FN)
