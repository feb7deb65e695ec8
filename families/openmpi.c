/* libmpi.so.40: the library that programs look for which were built with Open MPI 4 or 5. Its
   functions are in libmpi_abi.so.1; here are their names, and the objects whose addresses are the
   predefined handles. An object begins with the number of the standard's handle. */

#include <stdint.h>
#include <stdlib.h>

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
#define OLD_INIT(name) OLD_NAME(name##_init, name##_init)
OLD_INIT(Allgather) OLD_INIT(Allgatherv) OLD_INIT(Allreduce) OLD_INIT(Alltoall)
OLD_INIT(Alltoallv) OLD_INIT(Alltoallw) OLD_INIT(Barrier) OLD_INIT(Bcast)
OLD_INIT(Exscan) OLD_INIT(Gather) OLD_INIT(Gatherv) OLD_INIT(Neighbor_allgather)
OLD_INIT(Neighbor_allgatherv) OLD_INIT(Neighbor_alltoall)
OLD_INIT(Neighbor_alltoallv) OLD_INIT(Neighbor_alltoallw) OLD_INIT(Reduce)
OLD_INIT(Reduce_scatter_block) OLD_INIT(Reduce_scatter) OLD_INIT(Scan)
OLD_INIT(Scatter) OLD_INIT(Scatterv)

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
    struct {                                          \
        uintptr_t handle;                             \
        char rest[LENGTH_##kind - sizeof(uintptr_t)]; \
    } name = { number, { 0 } };
#include "openmpi_objects.h"

/* Datatypes that the standard does not have: 0 is no handle. */
#define NO_DATATYPE(name) OBJECT(datatype, name, 0)
NO_DATATYPE(ompi_mpi_2cplex)
NO_DATATYPE(ompi_mpi_2dblcplex)
NO_DATATYPE(ompi_mpi_logical16)
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

/* What Open MPI's library of C++ bindings, libmpi_cxx.so.40, needs of this one. Programs link it
   that never call it, PETSc's among them: the names have to be there. */
int ompi_errcode_intern_lastused, opal_class_init_epoch;
char opal_uses_threads;
char ompi_errcodes_intern[128], ompi_registered_datareps[64], opal_list_item_t_class[64];
char ompi_mpi_errors_throw_exceptions[LENGTH_errhandler];

#define ABSENT(name)                                                                           \
    void name(void);                                                                           \
    void name(void)                                                                            \
    {                                                                                          \
        openmpi_unsupported("the C++ binding");                                                \
        abort();                                                                               \
    }
ABSENT(ompi_attr_create_keyval)
ABSENT(ompi_errhandler_create)
ABSENT(ompi_errhandler_invoke)
ABSENT(ompi_op_set_cxx_callback)
ABSENT(opal_class_initialize)
