/* While a function of the program keeps MPI busy in one thread, others communicate on communicators
 * of their own: of four in a row at most one can be served where that thread is. */
/* ranks: 1 2 4 */
#include "threads.h"

enum { COMMS = 4, ROUNDS = 20 };

struct worker {
    MPI_Comm comm;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done, is_inside;

static int delete_late(MPI_Comm comm, int key, void *value, void *state)
{
    (void)comm, (void)key, (void)value, (void)state;
    pthread_mutex_lock(&lock);
    is_inside = 1;
    pthread_cond_broadcast(&changed);
    while (done < COMMS - 1)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return MPI_SUCCESS;
}

static void exchange(MPI_Comm comm, int round)
{
    int left = (test_rank + test_size - 1) % test_size, right = (test_rank + 1) % test_size;
    int in = -1, out = test_rank + round;
    TRY(MPI_Sendrecv(&out, 1, MPI_INT, right, 0, &in, 1, MPI_INT, left, 0, comm,
                     MPI_STATUS_IGNORE));
    CHECK(in == left + round, "round %d: got %d, not %d", round, in, left + round);
}

static void *work(void *argument)
{
    struct worker *w = argument;
    pthread_mutex_lock(&lock);
    while (!is_inside)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    for (int round = 0; round < ROUNDS; round++)
        exchange(w->comm, round);
    pthread_mutex_lock(&lock);
    done++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* Whether communicators are in several VCIs: not among hosts, nor beside a progress thread. */
static int are_spread(void)
{
    const char *progress = getenv("DUNLIN_PROGRESS"), *vcis = getenv("DUNLIN_VCIS");
    MPI_Comm here;
    int on_node;
    TRY(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here));
    TRY(MPI_Comm_size(here, &on_node));
    TRY(MPI_Comm_free(&here));
    return on_node == test_size && (progress == NULL || strcmp(progress, "thread") != 0) &&
           (vcis == NULL || atoi(vcis) >= COMMS);
}

int main(int argc, char **argv)
{
    threads_start(&argc, &argv);
    if (!are_spread()) {
        test_finish();
        return 0;
    }
    struct worker workers[COMMS];
    struct threads threads;
    MPI_Comm busy;
    int key = MPI_KEYVAL_INVALID;
    TRY(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_late, &key, NULL));
    for (int i = 0; i < COMMS; i++) {
        TRY(MPI_Comm_dup(MPI_COMM_WORLD, &workers[i].comm));
        exchange(workers[i].comm, 0);
    }
    TRY(MPI_Comm_dup(MPI_COMM_WORLD, &busy));
    TRY(MPI_Comm_set_attr(busy, key, NULL));
    threads_begin(&threads, COMMS, work, workers, sizeof *workers);
    TRY(MPI_Comm_free(&busy));
    threads_join(&threads);
    TRY(MPI_Comm_free_keyval(&key));
    for (int i = 0; i < COMMS; i++)
        TRY(MPI_Comm_free(&workers[i].comm));
    test_finish();
    return 0;
}
