/* Shared by all test programs here. A test prints `ok NAME` on rank 0 once MPI_Finalize has
 * returned; on failure it prints one sentence about the fault and aborts. It begins with
 * `test_start` and ends with `test_finish`. Plain MPI and C11, so that the tests run with any MPI
 * library.
 *
 * Comments of one line at the top of a program tell run.py how to run it:
 *   ranks: 1 2 4     once for each number of ranks
 *   args: a b        with these arguments; each such line is a separate run
 *   expect: exit=7   exit status of mpirun: a number or `nonzero`; 0 where this is absent
 *   output: REGEX    somewhere in standard output and error; `^ok NAME$` where exit is 0
 *   timeout: 120     seconds, where the default is too short
 *   preload: tool    run with the library built from tool.c in LD_PRELOAD
 *   kind: library    no program: a library for `preload`
 *   kind: manual     built, but not run: for manual tests */
#ifndef DUNLIN_TEST_HARNESS_H
#define DUNLIN_TEST_HARNESS_H

#include <mpi.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int test_rank = -1;
static int test_size = -1;

/* Ends the test unless `ok`. The other arguments, as for printf, say what was wrong, with
 * values. */
#define CHECK(ok, ...)                                                                            \
    do {                                                                                          \
        if (!(ok))                                                                                \
            test_fail(__FILE__, __LINE__, __VA_ARGS__);                                           \
    } while (0)

/* Ends the test unless an MPI call returned success. */
#define TRY(call)                                                                                 \
    do {                                                                                          \
        int test_code = (call);                                                                   \
        CHECK(test_code == MPI_SUCCESS, "%s returned %d (%s)", #call, test_code,                  \
              test_error_text(test_code));                                                        \
    } while (0)

/* Ends the test unless an MPI call fails with this error class. */
#define EXPECT_ERROR(class, call)                                                                 \
    do {                                                                                          \
        int test_seen = test_class(call);                                                         \
        CHECK(test_seen == (class), "%s gave class %d (%s); it must be %s (%d)", #call,           \
              test_seen, test_error_text(test_seen), #class, (int)(class));                       \
    } while (0)

static inline const char *test_error_text(int code)
{
    static char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    text[0] = '\0';
    MPI_Error_string(code, text, &length);
    return text;
}

static inline int test_class(int code)
{
    int class = code;
    MPI_Error_class(code, &class);
    return class;
}

__attribute__((format(printf, 3, 4), noreturn)) static inline void
test_fail(const char *file, int line, const char *format, ...)
{
    int initialized = 0, finalized = 0;
    va_list args;
    va_start(args, format);
    fprintf(stderr, "FAIL %s:%d: rank %d: ", file, line, test_rank);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    fflush(stderr);
    va_end(args);
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (initialized && !finalized)
        MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

static inline void test_know_ranks(void)
{
    TRY(MPI_Comm_rank(MPI_COMM_WORLD, &test_rank));
    TRY(MPI_Comm_size(MPI_COMM_WORLD, &test_size));
}

static inline void test_start(int *argc, char ***argv)
{
    TRY(MPI_Init(argc, argv));
    test_know_ranks();
}

/* Prints `ok NAME` with the name of the source file. */
static inline void test_say_ok(const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *name = slash ? slash + 1 : file;
    if (test_rank == 0)
        printf("ok %.*s\n", (int)strcspn(name, "."), name);
    fflush(stdout);
}

#define test_finish()                                                                             \
    do {                                                                                          \
        TRY(MPI_Finalize());                                                                      \
        test_say_ok(__FILE__);                                                                    \
    } while (0)

/* Ends the test where there are fewer ranks than it needs. */
static inline void test_need_ranks(int least)
{
    CHECK(test_size >= least, "it has %d rank(s) and needs %d", test_size, least);
}

static inline void *test_alloc(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    CHECK(memory, "out of memory for %zu bytes", bytes);
    return memory;
}

/* The byte at `i` of a message with `seed`: neighbours differ, and so do pages. */
static inline unsigned char test_byte(size_t i, unsigned seed)
{
    return (unsigned char)(i * 131u + (i >> 8) * 31u + (i >> 16) * 17u + seed * 7u + 1u);
}

static inline void test_fill(void *buffer, size_t bytes, unsigned seed)
{
    unsigned char *at = buffer;
    for (size_t i = 0; i < bytes; i++)
        at[i] = test_byte(i, seed);
}

/* The index of the first wrong byte, or `bytes` if all are right. */
static inline size_t test_first_wrong(const void *buffer, size_t bytes, unsigned seed)
{
    const unsigned char *at = buffer;
    for (size_t i = 0; i < bytes; i++)
        if (at[i] != test_byte(i, seed))
            return i;
    return bytes;
}

#define CHECK_FILLED(buffer, bytes, seed, what)                                                   \
    do {                                                                                          \
        size_t test_wrong = test_first_wrong(buffer, bytes, seed);                                \
        CHECK(test_wrong == (size_t)(bytes), "%s: byte %zu of %zu is wrong", what, test_wrong,    \
              (size_t)(bytes));                                                                   \
    } while (0)

static inline void test_sleep_ms(long ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&t, NULL);
}

/* Ends the test unless a status has this source, tag and number of bytes. */
static inline void test_status(const MPI_Status *status, int source, int tag, int bytes,
                               const char *what)
{
    int count = -1;
    TRY(MPI_Get_count(status, MPI_BYTE, &count));
    CHECK(status->MPI_SOURCE == source && status->MPI_TAG == tag && count == bytes,
          "%s: the status says source %d, tag %d, %d bytes; it must say %d, %d, %d", what,
          status->MPI_SOURCE, status->MPI_TAG, count, source, tag, bytes);
}

/* Ends the test unless a status is the empty one (MPI 5.0, section 3.7.3). */
static inline void test_empty_status(const MPI_Status *status, const char *what)
{
    int cancelled = -1;
    test_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, what);
    TRY(MPI_Test_cancelled(status, &cancelled));
    CHECK(!cancelled, "%s: the empty status says cancelled", what);
}

/* Ends the test unless a status is that of a receive from MPI_PROC_NULL. */
static inline void test_null_status(const MPI_Status *status, const char *what)
{
    test_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0, what);
}

/* Sends a message without data, to tell a peer to go on. */
static inline void test_signal(int to, int tag)
{
    TRY(MPI_Send(NULL, 0, MPI_BYTE, to, tag, MPI_COMM_WORLD));
}

static inline void test_await(int from, int tag)
{
    TRY(MPI_Recv(NULL, 0, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

#endif
