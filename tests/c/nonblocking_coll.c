/* Nonblocking and persistent collectives: many outstanding at once on one communicator,
 * completed in another order, mixed with messages and blocking collectives. */
/* ranks: 1 2 3 4 8 */
#include "coll.h"

enum { OPS = 8, COUNT = 3000, ROUNDS = 10, TAG = 60 };

struct buffers {
    int in[OPS][COUNT];
    int *out[OPS];
};

static void start_all(struct buffers *b, int salt, MPI_Request *r)
{
    MPI_Comm world = MPI_COMM_WORLD;
    int root = salt % test_size;
    for (int op = 0; op < OPS; op++) {
        coll_fill(b->in[op], COUNT, test_rank, salt + op);
        coll_clear(b->out[op], (size_t)COUNT * test_size);
    }
    if (test_rank == root)
        coll_fill(b->out[0], COUNT, root, salt);
    for (int to = 0; to < test_size && test_rank == root; to++)
        coll_fill(b->out[5] + to * COUNT, COUNT, to, salt + 5);
    TRY(MPI_Ibcast(b->out[0], COUNT, MPI_INT, root, world, &r[0]));
    TRY(MPI_Iallreduce(b->in[1], b->out[1], COUNT, MPI_INT, MPI_SUM, world, &r[1]));
    TRY(MPI_Ibarrier(world, &r[2]));
    TRY(MPI_Iallgather(b->in[3], COUNT, MPI_INT, b->out[3], COUNT, MPI_INT, world, &r[3]));
    TRY(MPI_Igather(b->in[4], COUNT, MPI_INT, b->out[4], COUNT, MPI_INT, root, world, &r[4]));
    TRY(MPI_Iscatter(b->out[5], COUNT, MPI_INT, b->in[5], COUNT, MPI_INT, root, world, &r[5]));
    TRY(MPI_Ireduce(b->in[6], b->out[6], COUNT, MPI_INT, MPI_SUM, root, world, &r[6]));
    TRY(MPI_Ialltoall(b->in[7], COUNT / test_size, MPI_INT, b->out[7], COUNT / test_size, MPI_INT,
                      world, &r[7]));
}

static void check_sums(const int *data, int salt, const char *what)
{
    for (int i = 0; i < COUNT; i++)
        CHECK(data[i] == coll_sum(i, salt), "%s: %d at %d; must be %d", what, data[i], i,
              coll_sum(i, salt));
}

static void check_exchanged(const int *data, int salt)
{
    int block = COUNT / test_size;
    for (int from = 0; from < test_size; from++)
        for (int i = 0; i < block; i++) {
            int wanted = coll_value(from, test_rank * block + i, salt);
            CHECK(data[from * block + i] == wanted, "MPI_Ialltoall: %d at %d from %d; must be %d",
                  data[from * block + i], i, from, wanted);
        }
}

static void check_all(struct buffers *b, int salt)
{
    bool root = test_rank == salt % test_size;
    coll_check(b->out[0], COUNT, salt % test_size, salt, "MPI_Ibcast");
    check_sums(b->out[1], salt + 1, "MPI_Iallreduce");
    for (int r = 0; r < test_size; r++) {
        coll_check(b->out[3] + r * COUNT, COUNT, r, salt + 3, "MPI_Iallgather");
        if (root)
            coll_check(b->out[4] + r * COUNT, COUNT, r, salt + 4, "MPI_Igather");
    }
    coll_check(b->in[5], COUNT, test_rank, salt + 5, "MPI_Iscatter");
    if (root)
        check_sums(b->out[6], salt + 6, "MPI_Ireduce");
    check_exchanged(b->out[7], salt + 7);
}

/* The order in which requests complete differs between ranks. */
static void wait_in_own_order(MPI_Request *requests)
{
    for (int i = 0; i < OPS; i++) {
        MPI_Request *request = &requests[(i * 3 + test_rank) % OPS];
        int done = 0;
        while (i % 2 && !done)
            TRY(MPI_Test(request, &done, MPI_STATUS_IGNORE));
        TRY(MPI_Wait(request, MPI_STATUS_IGNORE));
        CHECK(*request == MPI_REQUEST_NULL, "a completed collective leaves its request");
    }
}

static void messages_in_between(void)
{
    int in = -1, prev = (test_rank + test_size - 1) % test_size, sum = -1;
    TRY(MPI_Sendrecv(&test_rank, 1, MPI_INT, (test_rank + 1) % test_size, TAG, &in, 1, MPI_INT,
                     prev, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(in == prev, "received %d from %d", in, prev);
    TRY(MPI_Allreduce(&test_rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(sum == test_size * (test_size - 1) / 2, "the sum of ranks is %d", sum);
}

static void a_barrier_waits_without_blocking(void)
{
    MPI_Request request;
    int done = 1;
    if (test_size == 1)
        return;
    if (test_rank == 0) {
        for (int r = 1; r < test_size; r++)
            test_await(r, TAG + 1); /* the others test their barrier before this rank enters */
        TRY(MPI_Ibarrier(MPI_COMM_WORLD, &request));
    } else {
        TRY(MPI_Ibarrier(MPI_COMM_WORLD, &request));
        for (int look = 0; look < 10; look++) {
            TRY(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
            CHECK(!done, "MPI_Ibarrier is complete before rank 0 has entered");
        }
        test_signal(0, TAG + 1);
    }
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void persistent(void)
{
    MPI_Request requests[2];
    int in[4] = {0}, out[4], word = 0;
    TRY(MPI_Allreduce_init(in, out, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                           &requests[0]));
    TRY(MPI_Bcast_init(&word, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]));
    for (int round = 0; round < 20; round++) {
        coll_fill(in, 4, test_rank, round);
        word = test_rank == 0 ? round * 11 : -1;
        TRY(MPI_Startall(2, requests));
        TRY(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        for (int i = 0; i < 4; i++)
            CHECK(out[i] == coll_sum(i, round), "MPI_Allreduce_init, round %d: %d at %d", round,
                  out[i], i);
        CHECK(word == round * 11, "MPI_Bcast_init, round %d: %d", round, word);
    }
    TRY(MPI_Request_free(&requests[0]));
    TRY(MPI_Request_free(&requests[1]));
}

int main(int argc, char **argv)
{
    static struct buffers buffers[2];
    MPI_Request requests[2][OPS];
    test_start(&argc, &argv);
    for (int b = 0; b < 2; b++)
        for (int op = 0; op < OPS; op++)
            buffers[b].out[op] = coll_alloc((size_t)COUNT * test_size);
    for (int round = 0; round < ROUNDS; round++) {
        start_all(&buffers[0], round, requests[0]);
        start_all(&buffers[1], round + 100, requests[1]);
        messages_in_between();
        wait_in_own_order(requests[1]);
        wait_in_own_order(requests[0]);
        check_all(&buffers[0], round);
        check_all(&buffers[1], round + 100);
    }
    a_barrier_waits_without_blocking();
    persistent();
    for (int b = 0; b < 2; b++)
        for (int op = 0; op < OPS; op++)
            free(buffers[b].out[op]);
    test_finish();
    return 0;
}
