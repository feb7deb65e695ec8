/* A wrong program: two threads call MPI at once, and it asked for one. The library takes no lock
 * then. `make test-tsan` must report that, or its silence about others means nothing. */
/* kind: manual */
#include "threads.h"

enum { ROUNDS = 10 };

static void *call(void *argument)
{
    int thread = *(int *)argument, in = -1;
    for (int round = 0; round < ROUNDS; round++)
        TRY(MPI_Sendrecv(&round, 1, MPI_INT, 0, thread, &in, 1, MPI_INT, 0, thread, MPI_COMM_SELF,
                         MPI_STATUS_IGNORE));
    return NULL;
}

int main(int argc, char **argv)
{
    int numbers[2] = {0, 1};
    test_start(&argc, &argv);
    threads_run(2, call, numbers, sizeof *numbers);
    test_finish();
    return 0;
}
