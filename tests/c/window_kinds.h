/* Shared by the tests of windows that run on every kind of window: one call makes any kind, one
 * function says where an element is, and random numbers come from a seed that a failure prints. */
#ifndef DUNLIN_TEST_WINDOW_KINDS_H
#define DUNLIN_TEST_WINDOW_KINDS_H

#include "harness.h"

/* How a window's memory comes about. */
enum window_kind {
    WINDOW_ALLOCATED,
    WINDOW_CREATED,       /* over memory of malloc */
    WINDOW_CREATED_ALLOC, /* over memory of MPI_Alloc_mem */
    WINDOW_SHARED,
    WINDOW_SHARED_APART, /* with the hint alloc_shared_noncontig */
    WINDOW_DYNAMIC,
    WINDOW_DYNAMIC_ALLOC,
    WINDOW_KINDS,
};

static const char *const window_kind_names[] = {
    "MPI_Win_allocate",
    "MPI_Win_create over malloc",
    "MPI_Win_create over MPI_Alloc_mem",
    "MPI_Win_allocate_shared",
    "MPI_Win_allocate_shared with gaps",
    "MPI_Win_create_dynamic with malloc",
    "MPI_Win_create_dynamic with MPI_Alloc_mem",
};

struct window {
    MPI_Win win;
    MPI_Comm comm;
    enum window_kind kind;
    int rank, size;
    void *memory;
    MPI_Aint unit;
    MPI_Aint *starts; /* the addresses of all parts of a dynamic window */
};

/* The displacement of element `i` at a target. */
static inline MPI_Aint window_place(const struct window *w, int target, MPI_Aint i)
{
    return w->starts ? w->starts[target] + i * w->unit : i;
}

static inline void window_attach(struct window *w, MPI_Aint bytes)
{
    MPI_Aint start;
    TRY(MPI_Win_create_dynamic(MPI_INFO_NULL, w->comm, &w->win));
    TRY(MPI_Win_attach(w->win, w->memory, bytes));
    TRY(MPI_Get_address(w->memory, &start));
    w->starts = test_alloc((size_t)w->size * sizeof *w->starts);
    TRY(MPI_Allgather(&start, 1, MPI_AINT, w->starts, 1, MPI_AINT, w->comm));
}

static inline void window_allocate_shared(struct window *w, MPI_Aint bytes)
{
    MPI_Info info;
    TRY(MPI_Info_create(&info));
    if (w->kind == WINDOW_SHARED_APART)
        TRY(MPI_Info_set(info, "alloc_shared_noncontig", "true"));
    TRY(MPI_Win_allocate_shared(bytes, (int)w->unit, info, w->comm, &w->memory, &w->win));
    TRY(MPI_Info_free(&info));
}

/* The processes of a window: all, or those that share memory. In every second kind of window they
 * are numbered backwards, so that ranks in the window are not those of MPI_COMM_WORLD. */
static inline void window_processes(struct window *w)
{
    int key = w->kind % 2 ? -test_rank : test_rank;
    bool is_shared = w->kind == WINDOW_SHARED || w->kind == WINDOW_SHARED_APART;
    if (is_shared)
        TRY(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, key, MPI_INFO_NULL,
                                &w->comm));
    else
        TRY(MPI_Comm_split(MPI_COMM_WORLD, 0, key, &w->comm));
    TRY(MPI_Comm_rank(w->comm, &w->rank));
    TRY(MPI_Comm_size(w->comm, &w->size));
}

/* Makes a window of zeros; collective over MPI_COMM_WORLD. */
static inline void window_make(struct window *w, enum window_kind kind, MPI_Aint elements,
                               MPI_Aint unit)
{
    MPI_Aint bytes = elements * unit;
    *w = (struct window){.kind = kind, .unit = unit};
    window_processes(w);
    if (kind == WINDOW_CREATED || kind == WINDOW_DYNAMIC)
        w->memory = test_alloc((size_t)bytes);
    if (kind == WINDOW_CREATED_ALLOC || kind == WINDOW_DYNAMIC_ALLOC)
        TRY(MPI_Alloc_mem(bytes, MPI_INFO_NULL, &w->memory));
    if (kind == WINDOW_DYNAMIC || kind == WINDOW_DYNAMIC_ALLOC)
        window_attach(w, bytes);
    else if (kind == WINDOW_CREATED || kind == WINDOW_CREATED_ALLOC)
        TRY(MPI_Win_create(w->memory, bytes, (int)unit, MPI_INFO_NULL, w->comm, &w->win));
    else if (kind == WINDOW_ALLOCATED)
        TRY(MPI_Win_allocate(bytes, (int)unit, MPI_INFO_NULL, w->comm, &w->memory, &w->win));
    else
        window_allocate_shared(w, bytes);
    TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, w->rank, 0, w->win));
    memset(w->memory, 0, (size_t)bytes);
    TRY(MPI_Win_unlock(w->rank, w->win));
    TRY(MPI_Barrier(w->comm));
}

static inline void window_free(struct window *w)
{
    if (w->starts) {
        TRY(MPI_Barrier(w->comm));
        TRY(MPI_Win_detach(w->win, w->memory));
    }
    TRY(MPI_Win_free(&w->win));
    if (w->kind == WINDOW_CREATED || w->kind == WINDOW_DYNAMIC)
        free(w->memory);
    if (w->kind == WINDOW_CREATED_ALLOC || w->kind == WINDOW_DYNAMIC_ALLOC)
        TRY(MPI_Free_mem(w->memory));
    free(w->starts);
    TRY(MPI_Comm_free(&w->comm));
}

/* Whether all ranks share memory: then their monotonic clocks are the same. */
static inline bool window_is_one_host(void)
{
    MPI_Comm node;
    int size;
    TRY(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    TRY(MPI_Comm_size(node, &size));
    TRY(MPI_Comm_free(&node));
    int is_one = size == test_size, all;
    TRY(MPI_Allreduce(&is_one, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
    return all;
}

static unsigned long window_seed;
static uint64_t window_random_state;

/* Takes the seed from the variable SEED, or from the clock of rank 0; every rank then draws numbers
 * of its own. */
static inline void window_start_random(void)
{
    const char *given = getenv("SEED");
    window_seed = given ? strtoul(given, NULL, 10) : (unsigned long)time(NULL);
    TRY(MPI_Bcast(&window_seed, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD));
    window_random_state = (window_seed + 1) * 0x9e3779b97f4a7c15u + (uint64_t)test_rank * 7919;
}

/* A random number below `limit`: splitmix64. */
static inline unsigned window_random(unsigned limit)
{
    uint64_t x = window_random_state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (unsigned)((x ^ (x >> 31)) % limit);
}

#endif
