/* Windows of every flavor over the same amount of memory in two ranks, and the memory of the
 * partner's part as this process itself sees it, where the library maps it and says so. */
#ifndef DUNLIN_BENCH_WINDOW_H
#define DUNLIN_BENCH_WINDOW_H

#include "bench_mpi.h"

enum { BENCH_FLAVOR_COUNT = 4, BENCH_RANKS_OF_A_WINDOW = 2 };

static const char *const BENCH_FLAVORS[] = {"allocate", "create", "dynamic", "shared"};

struct bench_window {
    MPI_Win win;
    char *own;     /* this rank's part */
    char *partner; /* the partner's part, mapped here; NULL where it is not */
    MPI_Aint at;   /* the displacement at which the partner's part begins */
    size_t bytes;  /* of each part */
    bool attached; /* `own` is memory that the window was given (create and dynamic) */
};

static inline void bench_window_attach(struct bench_window *w, int partner)
{
    MPI_Aint own = 0;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &w->win);
    MPI_Win_attach(w->win, w->own, (MPI_Aint)w->bytes);
    MPI_Get_address(w->own, &own);
    MPI_Sendrecv(&own, 1, MPI_AINT, partner, 0, &w->at, 1, MPI_AINT, partner, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

/* Which byte a rank writes to all of its part: so it is known by its contents. */
static inline char bench_window_mark(int rank)
{
    return (char)(rank + 1);
}

/* Libraries answer the query for some flavors, refuse it for others, or say that nothing is
 * mapped. What they do answer must be the partner's memory. */
static inline void bench_window_query(struct bench_window *w, int partner)
{
    MPI_Aint size = 0;
    int unit = 0;
    void *at = NULL;
    MPI_Win_set_errhandler(w->win, MPI_ERRORS_RETURN);
    bool seen = MPI_Win_shared_query(w->win, partner, &size, &unit, &at) == MPI_SUCCESS;
    MPI_Win_set_errhandler(w->win, MPI_ERRORS_ARE_FATAL);
    char *memory = seen && (size_t)size >= w->bytes ? at : NULL;
    if (memory != NULL && memory[0] == bench_window_mark(partner)) w->partner = memory;
    MPI_Barrier(MPI_COMM_WORLD); /* the partner may write other numbers there from now on */
}

/* All of its memory is written once, so that no page fault falls into a measurement. */
static inline struct bench_window bench_window_make(const char *flavor, size_t bytes, int rank)
{
    struct bench_window w = {.win = MPI_WIN_NULL, .bytes = bytes};
    int partner = 1 - rank;
    MPI_Aint size = (MPI_Aint)bytes;
    w.attached = strcmp(flavor, "create") == 0 || strcmp(flavor, "dynamic") == 0;
    if (w.attached) w.own = bench_alloc(bytes);
    if (strcmp(flavor, "allocate") == 0)
        MPI_Win_allocate(size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w.own, &w.win);
    else if (strcmp(flavor, "shared") == 0)
        MPI_Win_allocate_shared(size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w.own, &w.win);
    else if (strcmp(flavor, "create") == 0)
        MPI_Win_create(w.own, size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w.win);
    else
        bench_window_attach(&w, partner);
    memset(w.own, bench_window_mark(rank), bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(flavor, "dynamic") != 0) bench_window_query(&w, partner);
    return w;
}

static inline void bench_window_free(struct bench_window *w)
{
    MPI_Barrier(MPI_COMM_WORLD);
    int *flavor = NULL, found = 0;
    MPI_Win_get_attr(w->win, MPI_WIN_CREATE_FLAVOR, &flavor, &found);
    if (found && *flavor == MPI_WIN_FLAVOR_DYNAMIC) MPI_Win_detach(w->win, w->own);
    MPI_Win_free(&w->win);
    if (w->attached) free(w->own);
}

#endif
