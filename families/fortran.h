/* Subroutines of Fortran that jump to those of libmpi_abi_fortran.so.1, under the names that
   compilers give them: gfortran and flang append a character, others two or none, or write
   capitals. */

#include <stddef.h>

#include "jump.h"

#define LABEL(name) ".globl " name "\n.type " name ", %function\n" name ":\n"
#define LABELS(small, CAPITAL)                                                           \
    LABEL("mpi_" #small "_") LABEL("mpi_" #small) LABEL("mpi_" #small "__")              \
    LABEL("MPI_" #CAPITAL) LABEL("pmpi_" #small "_") LABEL("pmpi_" #small)               \
    LABEL("pmpi_" #small "__") LABEL("PMPI_" #CAPITAL)

#define JUMP_FROM(labels, target) \
    __asm__(".text\n.p2align 4\n" labels JUMP_TO(target));

/* The same for a function that is written here, `mpi_small_`. */
#define ALIAS(other, name) extern __typeof(name) other __attribute__((alias(#name)));
#define ALIASES(small, CAPITAL)                                                             \
    ALIAS(mpi_##small, mpi_##small##_) ALIAS(mpi_##small##__, mpi_##small##_)                \
    ALIAS(MPI_##CAPITAL, mpi_##small##_) ALIAS(pmpi_##small##_, mpi_##small##_)              \
    ALIAS(pmpi_##small, mpi_##small##_) ALIAS(pmpi_##small##__, mpi_##small##_)              \
    ALIAS(PMPI_##CAPITAL, mpi_##small##_)

/* The predefined functions of attributes. */
#define NULL_COPY(kind, KIND)                                                              \
    void mpi_##kind##null_copy_fn_(int *object, int *keyval, void *extra, void *in,         \
                                   void *out, int *flag, int *ierror)                       \
    {                                                                                       \
        (void)object, (void)keyval, (void)extra, (void)in, (void)out;                       \
        *flag = 0;                                                                          \
        *ierror = 0;                                                                        \
    }                                                                                       \
    ALIASES(kind##null_copy_fn, KIND##NULL_COPY_FN)
#define DUP(kind, KIND, type)                                                              \
    void mpi_##kind##dup_fn_(int *object, int *keyval, void *extra, type *in, type *out,    \
                             int *flag, int *ierror)                                        \
    {                                                                                       \
        (void)object, (void)keyval, (void)extra;                                            \
        *out = *in;                                                                         \
        *flag = 1;                                                                          \
        *ierror = 0;                                                                        \
    }                                                                                       \
    ALIASES(kind##dup_fn, KIND##DUP_FN)
#define NULL_DELETE(kind, KIND)                                                            \
    void mpi_##kind##null_delete_fn_(int *object, int *keyval, void *value, void *extra,    \
                                     int *ierror)                                           \
    {                                                                                       \
        (void)object, (void)keyval, (void)value, (void)extra;                               \
        *ierror = 0;                                                                        \
    }                                                                                       \
    ALIASES(kind##null_delete_fn, KIND##NULL_DELETE_FN)
#define ATTRIBUTE_FUNCTIONS(kind, KIND, type) \
    NULL_COPY(kind, KIND) DUP(kind, KIND, type) NULL_DELETE(kind, KIND)

#define FUNCTIONS_OF_BOTH                              \
    ATTRIBUTE_FUNCTIONS(, , int)                       \
    ATTRIBUTE_FUNCTIONS(comm_, COMM_, ptrdiff_t)       \
    ATTRIBUTE_FUNCTIONS(type_, TYPE_, ptrdiff_t)       \
    ATTRIBUTE_FUNCTIONS(win_, WIN_, ptrdiff_t)         \
    void mpi_conversion_fn_null_(void) {}              \
    ALIASES(conversion_fn_null, CONVERSION_FN_NULL)    \
    void mpi_f_sync_reg_(void *buffer) { (void)buffer; } \
    ALIASES(f_sync_reg, F_SYNC_REG)

/* The predefined functions of attributes in gfortran's module mpi_f08_callbacks. */
#define CALLBACK(small)                                                          \
    JUMP_FROM(LABEL("__mpi_f08_callbacks_MOD_mpi_" #small), "mpi_" #small "_")
#define CALLBACKS(kind)                                                          \
    CALLBACK(kind##_dup_fn) CALLBACK(kind##_null_copy_fn) CALLBACK(kind##_null_delete_fn)
#define CALLBACKS_OF_MPI_F08 \
    CALLBACKS(comm) CALLBACKS(type) CALLBACKS(win) CALLBACK(conversion_fn_null)

/* MPI_Sizeof of a type. */
#define SIZEOF(name, bytes)                            \
    void name(const void *x, int *size, int *ierror);  \
    void name(const void *x, int *size, int *ierror)   \
    {                                                  \
        (void)x;                                       \
        *size = bytes;                                 \
        if (ierror)                                    \
            *ierror = 0;                               \
    }

/* Where the variables are that stand for no buffer, in the order of `Kind` in
   crates/fortran/src/sentinels.rs. */
#define SENTINELS(family, module, ...)                                                \
    void dunlin_##family##_sentinels(size_t of, const void *const *addresses);        \
    __attribute__((constructor)) static void tell_sentinels_of_##module(void)          \
    {                                                                                 \
        static const void *const addresses[8] = { __VA_ARGS__ };                       \
        dunlin_##family##_sentinels(module, addresses);                                \
    }
enum { OF_INCLUDE_FILE, OF_MPI_F08 };
