/* The operations of one-sided communication and the ways to complete them, as tables: how each is
 * called, and what does the same to memory that the process sees itself. */
#ifndef DUNLIN_BENCH_ONESIDED_H
#define DUNLIN_BENCH_ONESIDED_H

#include "bench_window.h"

struct session {
    struct bench_window window;
    MPI_Group partners; /* of post and start */
    int rank, partner;
    size_t memory;      /* bytes of the window and of both buffers */
    char *origin, *result;
    size_t bytes;       /* of an operation */
    long in_flight;     /* operations that one epoch or flush completes */
    long batch;         /* epochs of a sample */
    long bare_batch;    /* operations of a sample without MPI */
    const struct operation *op;
    const struct synchronisation *sync;
    const char *name;   /* of what is measured */
};

/* Sums are of 8-byte integers: so are the numbers by which results are checked. */
#define ELEMENT MPI_INT64_T

struct operation {
    const char *name;
    void (*issue)(const struct session *s, size_t at); /* `at`: bytes from the beginning */
    void (*bare)(const struct session *s);
    /* Multiples of what was at the target, if the origin had twice that: what is there then, and
     * what has come to the origin. */
    int64_t leaves, fetches;
    bool single; /* of one element */
};

struct synchronisation {
    const char *name;
    void (*open)(const struct session *s); /* before the first epoch */
    void (*epoch)(const struct session *s);
    void (*close)(const struct session *s);
    bool active; /* the target takes part; both ranks are the origin in turn */
};

static inline int64_t *words(char *memory)
{
    return (int64_t *)(void *)memory;
}

static inline MPI_Aint target_at(const struct session *s, size_t at)
{
    return s->window.at + (MPI_Aint)at;
}

static inline int elements(const struct session *s)
{
    return bench_count(s->bytes / sizeof(int64_t));
}

static void put(const struct session *s, size_t at)
{
    int count = bench_count(s->bytes);
    MPI_Put(s->origin + at, count, MPI_BYTE, s->partner, target_at(s, at), count, MPI_BYTE,
            s->window.win);
}

static void get(const struct session *s, size_t at)
{
    int count = bench_count(s->bytes);
    MPI_Get(s->result + at, count, MPI_BYTE, s->partner, target_at(s, at), count, MPI_BYTE,
            s->window.win);
}

static void accumulate(const struct session *s, size_t at)
{
    int count = elements(s);
    MPI_Accumulate(s->origin + at, count, ELEMENT, s->partner, target_at(s, at), count, ELEMENT,
                   MPI_SUM, s->window.win);
}

static void get_accumulate(const struct session *s, size_t at)
{
    int count = elements(s);
    MPI_Get_accumulate(s->origin + at, count, ELEMENT, s->result + at, count, ELEMENT, s->partner,
                       target_at(s, at), count, ELEMENT, MPI_SUM, s->window.win);
}

static void fetch_and_op(const struct session *s, size_t at)
{
    MPI_Fetch_and_op(s->origin + at, s->result + at, ELEMENT, s->partner, target_at(s, at),
                     MPI_SUM, s->window.win);
}

static const int64_t COMPARED = 1;

static void compare_and_swap(const struct session *s, size_t at)
{
    MPI_Compare_and_swap(s->origin + at, &COMPARED, s->result + at, ELEMENT, s->partner,
                         target_at(s, at), s->window.win);
}

/* What a flush promises: the write is visible to all before anything that follows. */
static void bare_put(const struct session *s)
{
    if (s->bytes == sizeof(int64_t))
        __atomic_store_n(words(s->window.partner), *words(s->origin), __ATOMIC_RELAXED);
    else
        memcpy(s->window.partner, s->origin, s->bytes);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void bare_get(const struct session *s)
{
    if (s->bytes == sizeof(int64_t))
        *words(s->result) = __atomic_load_n(words(s->window.partner), __ATOMIC_ACQUIRE);
    else
        memcpy(s->result, s->window.partner, s->bytes);
    /* Without this the compiler may drop copies whose result nobody reads. */
    __asm__ volatile("" : : "r"(s->result) : "memory");
}

static void bare_fetch_and_op(const struct session *s)
{
    *words(s->result) =
        __atomic_fetch_add(words(s->window.partner), *words(s->origin), __ATOMIC_SEQ_CST);
}

static void bare_compare_and_swap(const struct session *s)
{
    int64_t found = COMPARED;
    __atomic_compare_exchange_n(words(s->window.partner), &found, *words(s->origin), false,
                                __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    *words(s->result) = found;
}

/* Two elements, whatever the compiler's options: -O2 alone leaves such a loop unvectorised. */
typedef int64_t elements_two __attribute__((vector_size(16), aligned(8), may_alias));

/* One element by the processor's atomic; more by a loop, which no lock slows. */
static void bare_accumulate(const struct session *s)
{
    char *to = s->window.partner;
    if (s->bytes == sizeof(int64_t)) {
        __atomic_fetch_add(words(to), *words(s->origin), __ATOMIC_SEQ_CST);
        return;
    }
    size_t at = 0;
    for (; at + sizeof(elements_two) <= s->bytes; at += sizeof(elements_two))
        *(elements_two *)(void *)(to + at) += *(const elements_two *)(void *)(s->origin + at);
    if (at < s->bytes) *words(to + at) += *words(s->origin + at);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void bare_get_accumulate(const struct session *s)
{
    if (s->bytes == sizeof(int64_t)) {
        bare_fetch_and_op(s);
        return;
    }
    memcpy(s->result, s->window.partner, s->bytes);
    bare_accumulate(s);
}

static const struct operation OPERATIONS[] = {
    {"put", put, bare_put, 2, 0, false},
    {"get", get, bare_get, 1, 1, false},
    {"accumulate", accumulate, bare_accumulate, 3, 0, false},
    {"get_accumulate", get_accumulate, bare_get_accumulate, 3, 1, false},
    {"fetch_and_op", fetch_and_op, bare_fetch_and_op, 3, 1, true},
    {"compare_and_swap", compare_and_swap, bare_compare_and_swap, 2, 1, true},
};
enum { OPERATION_COUNT = sizeof OPERATIONS / sizeof OPERATIONS[0] };

/* Each at a place of its own: operations that are under way together must not conflict. */
static inline void operations(const struct session *s)
{
    for (long i = 0; i < s->in_flight; i++) s->op->issue(s, (size_t)i * s->bytes);
}

static void nothing(const struct session *s)
{
    (void)s;
}

static void lock_all(const struct session *s)
{
    if (s->rank == 0) MPI_Win_lock_all(0, s->window.win);
}

static void unlock_all(const struct session *s)
{
    if (s->rank == 0) MPI_Win_unlock_all(s->window.win);
}

static void lock(const struct session *s)
{
    if (s->rank == 0) MPI_Win_lock(MPI_LOCK_SHARED, s->partner, 0, s->window.win);
}

static void unlock(const struct session *s)
{
    if (s->rank == 0) MPI_Win_unlock(s->partner, s->window.win);
}

static void flushed(const struct session *s)
{
    if (s->rank != 0) return;
    operations(s);
    MPI_Win_flush(s->partner, s->window.win);
}

static void all_flushed(const struct session *s)
{
    if (s->rank != 0) return;
    operations(s);
    MPI_Win_flush_all(s->window.win);
}

static void all_locked(const struct session *s)
{
    if (s->rank != 0) return;
    lock_all(s);
    operations(s);
    unlock_all(s);
}

static void locked(const struct session *s)
{
    if (s->rank != 0) return;
    lock(s);
    operations(s);
    unlock(s);
}

static void first_fence(const struct session *s)
{
    MPI_Win_fence(0, s->window.win);
}

static void last_fence(const struct session *s)
{
    MPI_Win_fence(MPI_MODE_NOSUCCEED, s->window.win);
}

static void fenced(const struct session *s)
{
    if (s->rank == 0) operations(s);
    MPI_Win_fence(0, s->window.win);
    if (s->rank == 1) operations(s);
    MPI_Win_fence(0, s->window.win);
}

static void access_epoch(const struct session *s)
{
    MPI_Win_start(s->partners, 0, s->window.win);
    operations(s);
    MPI_Win_complete(s->window.win);
}

static void exposure_epoch(const struct session *s)
{
    MPI_Win_post(s->partners, 0, s->window.win);
    MPI_Win_wait(s->window.win);
}

static void posted(const struct session *s)
{
    if (s->rank == 0) access_epoch(s);
    exposure_epoch(s);
    if (s->rank == 1) access_epoch(s);
}

static const struct synchronisation SYNCHRONISATIONS[] = {
    {"lock_all", lock_all, flushed, unlock_all, false},
    {"lock", lock, flushed, unlock, false},
    {"flush_all", lock_all, all_flushed, unlock_all, false},
    {"lock_unlock", nothing, locked, nothing, false},
    {"lock_all_unlock", nothing, all_locked, nothing, false},
    {"fence", first_fence, fenced, last_fence, true},
    {"pscw", nothing, posted, nothing, true},
};
enum { SYNCHRONISATION_COUNT = sizeof SYNCHRONISATIONS / sizeof SYNCHRONISATIONS[0] };

#endif
