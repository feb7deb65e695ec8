/* libmpi.so.12: the library that programs look for which were built with MPICH, Intel MPI, MVAPICH
   or Cray MPICH. Its functions are in libmpi_abi.so.1; here are their names, and data. */

#include <stdlib.h>

#define FAMILY "mpich"
int mpich_unsupported(const char *name);
#define UNSUPPORTED(name) mpich_unsupported(name)
#include "jump.h"

#include "functions.h"
JUMPS_OF_BOTH
JUMP(MPIX_Query_hip_support) JUMP(MPIX_Query_ze_support)
OLD_NAME(Delete_error_class, Remove_error_class) OLD_NAME(Delete_error_code, Remove_error_code)
OLD_NAME(Delete_error_string, Remove_error_string)

LACKS(MPIX_Allreduce_enqueue) LACKS(MPIX_Allreduce_enqueue_c) LACKS(MPIX_Async_get_state)
LACKS(MPIX_Async_spawn) LACKS(MPIX_Async_start) LACKS(MPIX_Comm_create_errhandler_x)
LACKS(MPIX_Comm_get_stream) LACKS(MPIX_Comm_test_threadcomm)
LACKS(MPIX_File_create_errhandler_x) LACKS(MPIX_GPU_query_support)
LACKS(MPIX_Grequest_class_allocate) LACKS(MPIX_Grequest_class_create) LACKS(MPIX_Grequest_start)
LACKS(MPIX_Info_set_hex) LACKS(MPIX_Irecv_enqueue) LACKS(MPIX_Irecv_enqueue_c)
LACKS(MPIX_Isend_enqueue) LACKS(MPIX_Isend_enqueue_c) LACKS(MPIX_Op_create_x)
LACKS(MPIX_Recv_enqueue) LACKS(MPIX_Recv_enqueue_c) LACKS(MPIX_Request_is_complete)
LACKS(MPIX_Send_enqueue) LACKS(MPIX_Send_enqueue_c) LACKS(MPIX_Session_create_errhandler_x)
LACKS(MPIX_Start_progress_thread) LACKS(MPIX_Stop_progress_thread)
LACKS(MPIX_Stream_comm_create) LACKS(MPIX_Stream_comm_create_multiplex)
LACKS(MPIX_Stream_create) LACKS(MPIX_Stream_free) LACKS(MPIX_Stream_irecv)
LACKS(MPIX_Stream_irecv_c) LACKS(MPIX_Stream_isend) LACKS(MPIX_Stream_isend_c)
LACKS(MPIX_Stream_progress) LACKS(MPIX_Stream_recv) LACKS(MPIX_Stream_recv_c)
LACKS(MPIX_Stream_send) LACKS(MPIX_Stream_send_c) LACKS(MPIX_Threadcomm_finish)
LACKS(MPIX_Threadcomm_free) LACKS(MPIX_Threadcomm_init) LACKS(MPIX_Threadcomm_start)
LACKS(MPIX_Type_iov) LACKS(MPIX_Type_iov_len) LACKS(MPIX_Wait_enqueue)
LACKS(MPIX_Waitall_enqueue) LACKS(MPIX_Get_notify) LACKS(MPIX_Get_notify_c)
LACKS(MPIX_Put_notify) LACKS(MPIX_Put_notify_c) LACKS(MPIX_Win_create_notify)
LACKS(MPIX_Win_free_notify) LACKS(MPIX_Win_get_notify) LACKS(MPIX_Win_get_notify_request)
LACKS(MPIX_Win_set_notify) LACKS(MPIX_Win_create_errhandler_x)

/* The header's MPI_UNWEIGHTED is this variable; its value is the standard's. */
int *const MPI_UNWEIGHTED = (int *)10;
int *const MPI_WEIGHTS_EMPTY = (int *)11;
void *const MPI_T_PVAR_ALL_HANDLES = (void *)1;

int *MPI_F_STATUS_IGNORE, *MPI_F_STATUSES_IGNORE;
int MPIR_F08_MPI_STATUS_IGNORE_OBJ[5], MPIR_F08_MPI_STATUSES_IGNORE_OBJ[5];
int *MPI_F08_STATUS_IGNORE = MPIR_F08_MPI_STATUS_IGNORE_OBJ;
int *MPI_F08_STATUSES_IGNORE = MPIR_F08_MPI_STATUSES_IGNORE_OBJ;

/* The header's MPI_DUP_FN, MPI_COMM_DUP_FN, MPI_TYPE_DUP_FN and MPI_WIN_DUP_FN. */
int MPIR_Dup_fn(int object, int keyval, void *extra, void *in, void *out, int *flag);
int MPIR_Dup_fn(int object, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)object, (void)keyval, (void)extra;
    *(void **)out = in;
    *flag = 1;
    return 0;
}

/* What the libraries of C++ bindings, libmpicxx.so.12 and libmpichcxx.so.12, need of this one.
   Programs link them that never call them: the names have to be there. */
#define ABSENT(name)                           \
    void name(void);                           \
    void name(void)                            \
    {                                          \
        mpich_unsupported("the C++ binding");  \
        abort();                               \
    }
ABSENT(MPII_Errhandler_set_cxx)
ABSENT(MPII_Keyval_set_proxy)
ABSENT(MPII_Op_set_cxx)
