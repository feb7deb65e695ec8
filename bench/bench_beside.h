/* What lies about while a benchmark runs, as in most programs: receives that are posted for later,
 * messages that nobody has received yet, a window, a collective that others have not begun. */
#ifndef BENCH_BESIDE_H
#define BENCH_BESIDE_H

#include "bench_layout.h"

#define BENCH_BESIDE_HELP                                                                      \
    "  --beside NAME  what lies about meanwhile: nothing, posted (a receive), unexpected (a "    \
    "message), window\n"                                                                        \
    "                 or collective (that the other has not begun)\n"

enum { BENCH_BESIDE_TAG = 99 };

struct bench_beside {
    MPI_Comm comm;
    MPI_Request request;
    MPI_Win window;
    int rank, other; /* of two; others have nothing beside them */
    const char *name;
    char *memory;
    int sent, received;
};

static bool bench_is_beside(const struct bench_beside *b, const char *name)
{
    return strcmp(b->name, name) == 0;
}

static void bench_beside_begin(struct bench_beside *b, const char *name)
{
    const char *known[] = {"nothing", "posted", "unexpected", "window", "collective"};
    *b = (struct bench_beside){.request = MPI_REQUEST_NULL, .window = MPI_WIN_NULL, .name = name};
    bool is_known = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        is_known = is_known || bench_is_beside(b, known[i]);
    if (!is_known)
        bench_die("--beside is `%s`; it must be nothing, posted, unexpected, window or collective",
                  name);
    MPI_Comm_dup(MPI_COMM_WORLD, &b->comm);
    MPI_Comm_rank(b->comm, &b->rank);
    b->other = b->rank > 1 ? MPI_PROC_NULL : 1 - b->rank;
    if (bench_is_beside(b, "posted"))
        MPI_Irecv(&b->received, 1, MPI_INT, b->other, BENCH_BESIDE_TAG, b->comm, &b->request);
    if (bench_is_beside(b, "unexpected"))
        MPI_Send(&b->sent, 1, MPI_INT, b->other, BENCH_BESIDE_TAG, b->comm);
    if (bench_is_beside(b, "window")) {
        b->memory = bench_alloc(4096);
        MPI_Win_create(b->memory, 4096, 1, MPI_INFO_NULL, b->comm, &b->window);
    }
    if (bench_is_beside(b, "collective") && b->rank == 0) MPI_Ibarrier(b->comm, &b->request);
    /* What was sent has arrived. */
    MPI_Barrier(MPI_COMM_WORLD);
}

static void bench_beside_end(struct bench_beside *b)
{
    if (bench_is_beside(b, "posted"))
        MPI_Send(&b->sent, 1, MPI_INT, b->other, BENCH_BESIDE_TAG, b->comm);
    if (bench_is_beside(b, "unexpected"))
        MPI_Recv(&b->received, 1, MPI_INT, b->other, BENCH_BESIDE_TAG, b->comm,
                 MPI_STATUS_IGNORE);
    if (bench_is_beside(b, "collective") && b->rank != 0) MPI_Ibarrier(b->comm, &b->request);
    MPI_Wait(&b->request, MPI_STATUS_IGNORE);
    if (b->window != MPI_WIN_NULL) MPI_Win_free(&b->window);
    free(b->memory);
    MPI_Comm_free(&b->comm);
}

#endif
