/* A program that asks for no thread level and calls MPI from several threads at once, each on a
 * communicator of its own and all on one, where the user has set DUNLIN_THREAD_LEVEL, which other
 * libraries do not know. */
/* ranks: 1 2 4 */
#include "harness.h"
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 300 };

static MPI_Comm comms[THREADS];

static void *work(void *argument)
{
    MPI_Comm comm = *(MPI_Comm *)argument;
    int number = (int)((MPI_Comm *)argument - comms), next = (test_rank + 1) % test_size;
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Datatype pair;
        int mine[2] = {number, round}, theirs[2] = {-1, -1}, sum = -1;
        TRY(MPI_Type_contiguous(2, MPI_INT, &pair));
        TRY(MPI_Type_commit(&pair));
        TRY(MPI_Allreduce(&round, &sum, 1, MPI_INT, MPI_SUM, comm));
        CHECK(sum == round * test_size, "thread %d: the sum is %d", number, sum);
        TRY(MPI_Sendrecv(mine, 1, pair, next, number, theirs, 1, pair, MPI_ANY_SOURCE, number,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(theirs[0] == number && theirs[1] == round, "thread %d, round %d: got %d, %d", number,
              round, theirs[0], theirs[1]);
        TRY(MPI_Type_free(&pair));
    }
    return NULL;
}

int main(int argc, char **argv)
{
    setenv("DUNLIN_THREAD_LEVEL", "multiple", 1);
    test_start(&argc, &argv);
    int level = -1;
    TRY(MPI_Query_thread(&level));
    CHECK(level == MPI_THREAD_MULTIPLE, "the thread level is %d", level);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) TRY(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
    for (int i = 0; i < THREADS; i++)
        CHECK(!pthread_create(&threads[i], NULL, work, &comms[i]), "no thread %d", i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) TRY(MPI_Comm_free(&comms[i]));
    test_finish();
}
