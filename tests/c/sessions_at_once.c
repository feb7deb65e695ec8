/* Threads that initialise and finalise sessions at the same time: all succeed. */
/* ranks: 1 2 */
#include "harness.h"
#include <pthread.h>

enum { THREADS = 8, TIMES = 50 };

static pthread_barrier_t ready;

static void *begin(void *unused)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "thread_level", "MPI_THREAD_MULTIPLE");
    pthread_barrier_wait(&ready);
    for (int i = 0; i < TIMES; i++) {
        MPI_Session session;
        int sets = 0;
        TRY(MPI_Session_init(info, MPI_ERRORS_RETURN, &session));
        TRY(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &sets));
        CHECK(sets > 0, "there are %d process sets", sets);
        TRY(MPI_Session_finalize(&session));
    }
    TRY(MPI_Info_free(&info));
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    pthread_barrier_init(&ready, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, begin, NULL) == 0, "no thread %d", i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    test_start(&argc, &argv);
    test_finish();
    return 0;
}
