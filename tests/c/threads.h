/* Threads of test programs: MPI_THREAD_MULTIPLE, and threads that run one function each on an
 * argument of its own. */
#ifndef DUNLIN_TEST_THREADS_H
#define DUNLIN_TEST_THREADS_H

#include "harness.h"
#include <pthread.h>

enum { THREADS_MAX = 64 };

/* Begins a test whose threads call MPI at the same time. */
static inline void threads_start(int *argc, char ***argv)
{
    int provided = -1;
    TRY(MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided));
    test_know_ranks();
    CHECK(provided == MPI_THREAD_MULTIPLE, "the thread level is %d; it must be %d", provided,
          MPI_THREAD_MULTIPLE);
}

struct threads {
    pthread_t ids[THREADS_MAX];
    int count;
};

/* Starts `count` threads; each gets its element of `arguments`, which are `bytes` apart. */
static inline void threads_begin(struct threads *threads, int count, void *(*body)(void *),
                                 void *arguments, size_t bytes)
{
    threads->count = count;
    for (int t = 0; t < count; t++) {
        int code = pthread_create(&threads->ids[t], NULL, body, (char *)arguments + t * bytes);
        CHECK(code == 0, "thread %d of %d could not be started: %s", t, count, strerror(code));
    }
}

static inline void threads_join(struct threads *threads)
{
    for (int t = 0; t < threads->count; t++)
        CHECK(pthread_join(threads->ids[t], NULL) == 0, "thread %d is lost", t);
}

/* All of it: returns when the last thread has ended. */
static inline void threads_run(int count, void *(*body)(void *), void *arguments, size_t bytes)
{
    struct threads threads;
    threads_begin(&threads, count, body, arguments, bytes);
    threads_join(&threads);
}

#endif
