/* Each thread level can be requested; it or a lower one is provided. */
/* ranks: 1 3 */
/* args: single */
/* args: funneled */
/* args: serialized */
/* args: multiple */
#include "harness.h"
#include <pthread.h>

static int level_of(const char *name)
{
    const char *names[] = {"single", "funneled", "serialized", "multiple"};
    const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                          MPI_THREAD_MULTIPLE};
    for (size_t i = 0; i < 4; i++)
        if (name && !strcmp(name, names[i]))
            return levels[i];
    CHECK(false, "the first argument is '%s'; it must be a thread level", name ? name : "");
    return -1;
}

static void *ask_elsewhere(void *result)
{
    TRY(MPI_Is_thread_main(result));
    return NULL;
}

int main(int argc, char **argv)
{
    int wanted = level_of(argc > 1 ? argv[1] : NULL), provided = -1, queried = -2, is_main = -1;
    TRY(MPI_Init_thread(NULL, NULL, wanted, &provided));
    test_know_ranks();
    CHECK(provided >= wanted, "level %d was asked for and %d provided", wanted, provided);
    TRY(MPI_Query_thread(&queried));
    CHECK(queried == provided, "MPI_Query_thread says %d, MPI_Init_thread said %d", queried,
          provided);
    TRY(MPI_Is_thread_main(&is_main));
    CHECK(is_main, "the thread that called MPI_Init_thread is not the main thread");
    if (provided == MPI_THREAD_MULTIPLE) {
        pthread_t thread;
        CHECK(!pthread_create(&thread, NULL, ask_elsewhere, &is_main), "no second thread");
        pthread_join(thread, NULL);
        CHECK(!is_main, "a second thread is said to be the main thread");
    }
    test_finish();
    return 0;
}
