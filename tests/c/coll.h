/* Shared by the tests of collectives: the sizes that they test, and data in which ranks,
 * positions and roots differ. */
#ifndef DUNLIN_TEST_COLL_H
#define DUNLIN_TEST_COLL_H

#include "harness.h"

/* Numbers of ints: none, few, near the limits of the short protocols, near 64 KiB, 1 MiB. */
static const int coll_counts[] = {0,  1,   2,    3,    7,     8,     9,     31,
                                  64, 129, 1000, 4096, 16383, 16385, 262144};
enum {
    COLL_SIZES = sizeof coll_counts / sizeof *coll_counts,
    COLL_COUNT_MAX = 262144,
    /* The limit for operations whose buffers grow with the number of ranks. */
    COLL_BLOCK_MAX = 65536,
    COLL_UNTOUCHED = -123456789,
};

static inline int coll_value(int rank, int i, int salt)
{
    return rank * 1000003 + i * 7 + salt * 131;
}

static inline void coll_fill(int *data, int count, int rank, int salt)
{
    for (int i = 0; i < count; i++)
        data[i] = coll_value(rank, i, salt);
}

static inline void coll_clear(int *data, size_t count)
{
    for (size_t i = 0; i < count; i++)
        data[i] = COLL_UNTOUCHED;
}

/* Ends the test unless `data` is the result of `coll_fill` with these arguments. */
static inline void coll_check(const int *data, int count, int rank, int salt, const char *what)
{
    for (int i = 0; i < count; i++)
        CHECK(data[i] == coll_value(rank, i, salt), "%s, %d ints, salt %d: %d at %d; must be %d",
              what, count, salt, data[i], i, coll_value(rank, i, salt));
}

static inline void coll_check_untouched(const int *data, size_t count, const char *what)
{
    for (size_t i = 0; i < count; i++)
        CHECK(data[i] == COLL_UNTOUCHED, "%s: writes %d at %zu, where nothing belongs", what,
              data[i], i);
}

static inline int *coll_alloc(size_t count)
{
    return test_alloc(count * sizeof(int));
}

/* The sum of `coll_value` over all ranks, as int arithmetic that wraps around. */
static inline int coll_sum(int i, int salt)
{
    unsigned sum = 0;
    for (int rank = 0; rank < test_size; rank++)
        sum += (unsigned)coll_value(rank, i, salt);
    return (int)sum;
}

/* The three forms of one call: blocking, nonblocking, and persistent with two starts. In the
 * arguments, `request` is the request of the latter two. */
enum { COLL_FORMS = 3 };
#define IN_FORM(form, now, begin, init)                                                           \
    do {                                                                                          \
        MPI_Request request;                                                                      \
        if ((form) == 0) {                                                                        \
            TRY(now);                                                                             \
        } else if ((form) == 1) {                                                                 \
            TRY(begin);                                                                           \
            TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));                                           \
        } else {                                                                                  \
            TRY(init);                                                                            \
            for (int round = 0; round < 2; round++) {                                             \
                TRY(MPI_Start(&request));                                                         \
                TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));                                       \
            }                                                                                     \
            TRY(MPI_Request_free(&request));                                                      \
        }                                                                                         \
    } while (0)

#endif
