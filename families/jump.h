/* Functions that jump to those of libmpi_abi.so.1, whatever their arguments are. */

#if defined(__x86_64__)
#define JUMP_TO(target) "\tjmp *" target "@GOTPCREL(%rip)\n"
#elif defined(__aarch64__)
#define JUMP_TO(target)                    \
    "\tadrp x16, :got:" target "\n"        \
    "\tldr x16, [x16, :got_lo12:" target "]\n" \
    "\tbr x16\n"
#else
#error "jumps are written for x86-64 and 64-bit Arm"
#endif

#define FUNCTION(name, target)               \
    __asm__(".text\n.p2align 4\n"            \
            ".globl " name "\n"              \
            ".type " name ", %function\n"    \
            name ":\n" JUMP_TO(target)       \
            ".size " name ", . - " name "\n");

/* A function of MPI, and its name for tools. */
#define JUMP(name)                       \
    FUNCTION(#name, FAMILY "_" #name)    \
    FUNCTION("P" #name, FAMILY "_" #name)

/* A function of MPI under the name of an extension, by which older versions called it. */
#define OLD_NAME(old, name)                          \
    FUNCTION("MPIX_" #old, FAMILY "_MPI_" #name)     \
    FUNCTION("PMPIX_" #old, FAMILY "_MPI_" #name)

/* A function that is not there: it fails with an error that names it. */
#define LACKS(name)                                                  \
    int name(void);                                                  \
    int name(void) { return UNSUPPORTED(#name); }                    \
    int P##name(void);                                               \
    int P##name(void) { return UNSUPPORTED(#name); }

/* What both families have beside the functions of the standard. */
#define JUMPS_OF_BOTH                                                                     \
    JUMP(MPI_Address) JUMP(MPI_Errhandler_create) JUMP(MPI_Errhandler_get)                \
    JUMP(MPI_Errhandler_set) JUMP(MPI_Type_extent) JUMP(MPI_Type_hindexed)                \
    JUMP(MPI_Type_hvector) JUMP(MPI_Type_lb) JUMP(MPI_Type_struct) JUMP(MPI_Type_ub)      \
    JUMP(MPI_Comm_c2f) JUMP(MPI_Comm_f2c) JUMP(MPI_Errhandler_c2f) JUMP(MPI_Errhandler_f2c) \
    JUMP(MPI_File_c2f) JUMP(MPI_File_f2c) JUMP(MPI_Group_c2f) JUMP(MPI_Group_f2c)         \
    JUMP(MPI_Info_c2f) JUMP(MPI_Info_f2c) JUMP(MPI_Message_c2f) JUMP(MPI_Message_f2c)     \
    JUMP(MPI_Op_c2f) JUMP(MPI_Op_f2c) JUMP(MPI_Request_c2f) JUMP(MPI_Request_f2c)         \
    JUMP(MPI_Session_c2f) JUMP(MPI_Session_f2c) JUMP(MPI_Type_c2f) JUMP(MPI_Type_f2c)     \
    JUMP(MPI_Win_c2f) JUMP(MPI_Win_f2c) JUMP(MPI_Status_c2f) JUMP(MPI_Status_f2c)         \
    JUMP(MPI_Status_c2f08) JUMP(MPI_Status_f082c) JUMP(MPI_Status_f082f)                  \
    JUMP(MPI_Status_f2f08) JUMP(MPIX_Query_cuda_support) JUMP(MPIX_Comm_agree)            \
    JUMP(MPIX_Comm_failure_ack) JUMP(MPIX_Comm_failure_get_acked)                         \
    JUMP(MPIX_Comm_get_failed) JUMP(MPIX_Comm_shrink) LACKS(MPIX_Comm_revoke)
