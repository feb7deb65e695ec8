/* Threads that each communicate on a communicator of their own, by every kind of point-to-point
 * operation, while others free communicators and datatypes. */
/* ranks: 1 2 3 */
/* timeout: 120 */
#include "threads.h"

enum { COMMS = 6, ROUNDS = 12, INTS_MAX = 60000, KINDS = 9, CROWD = 64 };
enum { TAG = 7 };

static int left, right;

struct worker {
    int number;
    MPI_Comm comm;
    int *in, *out;
};

static int value(int rank, int number, int round, int i)
{
    return rank * 1000003 + number * 10007 + round * 101 + i;
}

static void check(const struct worker *w, int round, int count, const char *how)
{
    for (int i = 0; i < count; i++) {
        int wanted = value(left, w->number, round, i);
        CHECK(w->in[i] == wanted, "thread %d, round %d, %s: element %d of %d is %d, not %d",
              w->number, round, how, i, count, w->in[i], wanted);
    }
}

static void check_status(MPI_Status *status, int count)
{
    int got = -1;
    TRY(MPI_Get_count(status, MPI_INT, &got));
    CHECK(status->MPI_SOURCE == left && status->MPI_TAG == TAG && got == count,
          "the status says source %d, tag %d, %d elements; it must say %d, %d, %d",
          status->MPI_SOURCE, status->MPI_TAG, got, left, TAG, count);
}

/* A send of one kind and a receive of another. */
static void by_persistent(struct worker *w, int count, MPI_Status *status)
{
    MPI_Request both[2];
    MPI_Status statuses[2];
    TRY(MPI_Recv_init(w->in, count, MPI_INT, left, TAG, w->comm, &both[0]));
    TRY(MPI_Send_init(w->out, count, MPI_INT, right, TAG, w->comm, &both[1]));
    TRY(MPI_Startall(2, both));
    TRY(MPI_Waitall(2, both, statuses));
    *status = statuses[0];
    TRY(MPI_Request_free(&both[0]));
    TRY(MPI_Request_free(&both[1]));
}

static void by_probe(struct worker *w, int count, MPI_Status *status, bool takes)
{
    MPI_Request sent;
    MPI_Message message;
    MPI_Status probed;
    TRY(MPI_Isend(w->out, count, MPI_INT, right, TAG, w->comm, &sent));
    if (takes) {
        TRY(MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, w->comm, &message, &probed));
        check_status(&probed, count);
        TRY(MPI_Mrecv(w->in, count, MPI_INT, &message, status));
    } else {
        TRY(MPI_Probe(left, TAG, w->comm, &probed));
        check_status(&probed, count);
        TRY(MPI_Recv(w->in, count, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, w->comm, status));
    }
    TRY(MPI_Wait(&sent, MPI_STATUS_IGNORE));
}

static void by_wildcard(struct worker *w, int count, MPI_Status *status, bool synchronous)
{
    MPI_Request received, sent;
    int flag = 0;
    TRY(MPI_Irecv(w->in, count, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, w->comm, &received));
    if (synchronous)
        TRY(MPI_Issend(w->out, count, MPI_INT, right, TAG, w->comm, &sent));
    else
        TRY(MPI_Isend(w->out, count, MPI_INT, right, TAG, w->comm, &sent));
    while (!flag)
        TRY(MPI_Test(&received, &flag, status));
    TRY(MPI_Wait(&sent, MPI_STATUS_IGNORE));
}

/* Every second element of an array, by a datatype that is freed while the message is under way. */
static void by_vector(struct worker *w, int count, MPI_Status *status)
{
    MPI_Datatype every_second;
    MPI_Request received, sent;
    int *spread = malloc(2 * (size_t)count * sizeof *spread);
    CHECK(spread != NULL, "no memory for %d elements", 2 * count);
    for (int i = 0; i < count; i++)
        spread[2 * i] = w->out[i], spread[2 * i + 1] = -1;
    TRY(MPI_Type_vector(count, 1, 2, MPI_INT, &every_second));
    TRY(MPI_Type_commit(&every_second));
    TRY(MPI_Irecv(w->in, count, MPI_INT, left, TAG, w->comm, &received));
    TRY(MPI_Isend(spread, 1, every_second, right, TAG, w->comm, &sent));
    TRY(MPI_Type_free(&every_second));
    TRY(MPI_Wait(&received, status));
    TRY(MPI_Wait(&sent, MPI_STATUS_IGNORE));
    free(spread);
}

static void by_isendrecv(struct worker *w, int count, MPI_Status *status)
{
    MPI_Request both;
    TRY(MPI_Isendrecv(w->out, count, MPI_INT, right, TAG, w->in, count, MPI_INT, left, TAG,
                      w->comm, &both));
    TRY(MPI_Wait(&both, status));
}

static void by_bsend(struct worker *w, int count, MPI_Status *status)
{
    TRY(MPI_Bsend(w->out, count, MPI_INT, right, TAG, w->comm));
    TRY(MPI_Recv(w->in, count, MPI_INT, left, TAG, w->comm, status));
}

static void exchange(struct worker *w, int kind, int round, int count)
{
    static const char *const NAMES[KINDS] = {"sendrecv", "persistent", "probe", "mprobe",
                                             "wildcard", "issend", "vector", "isendrecv", "bsend"};
    MPI_Status status;
    for (int i = 0; i < count; i++)
        w->in[i] = -1, w->out[i] = value(test_rank, w->number, round, i);
    switch (kind) {
    case 0:
        TRY(MPI_Sendrecv(w->out, count, MPI_INT, right, TAG, w->in, count, MPI_INT, left, TAG,
                         w->comm, &status));
        break;
    case 1: by_persistent(w, count, &status); break;
    case 2: by_probe(w, count, &status, false); break;
    case 3: by_probe(w, count, &status, true); break;
    case 4: by_wildcard(w, count, &status, false); break;
    case 5: by_wildcard(w, count, &status, true); break;
    case 6: by_vector(w, count, &status); break;
    case 7: by_isendrecv(w, count, &status); break;
    default: by_bsend(w, count, &status); break;
    }
    check_status(&status, count);
    check(w, round, count, NAMES[kind]);
}

static void *work(void *argument)
{
    static const int COUNTS[] = {1, 300, 6000, INTS_MAX};
    struct worker *w = argument;
    w->in = malloc(INTS_MAX * sizeof *w->in), w->out = malloc(INTS_MAX * sizeof *w->out);
    CHECK(w->in != NULL && w->out != NULL, "no memory for %d elements", INTS_MAX);
    for (int round = 0; round < ROUNDS; round++)
        for (int kind = 0; kind < KINDS; kind++)
            exchange(w, kind, round, COUNTS[(round + kind) % 4]);
    free(w->in), free(w->out);
    return NULL;
}

/* A communicator that is freed while its last messages are under way, again and again: its number
 * is soon another's. */
static void *come_and_go(void *argument)
{
    struct worker *w = argument;
    for (int round = 0; round < 4 * ROUNDS; round++) {
        MPI_Comm comm;
        MPI_Request both[2];
        int in = -1, out = value(test_rank, w->number, round, 0);
        TRY(MPI_Comm_dup(w->comm, &comm));
        TRY(MPI_Irecv(&in, 1, MPI_INT, left, TAG, comm, &both[0]));
        TRY(MPI_Isend(&out, 1, MPI_INT, right, TAG, comm, &both[1]));
        TRY(round % 2 == 0 ? MPI_Comm_free(&comm) : MPI_Comm_disconnect(&comm));
        TRY(MPI_Waitall(2, both, MPI_STATUSES_IGNORE));
        CHECK(in == value(left, w->number, round, 0), "round %d: got %d", round, in);
    }
    return NULL;
}

/* Far more threads than communicators: those of one take turns, each with a tag of its own. */
static void *crowd(void *argument)
{
    struct worker *w = argument;
    for (int round = 0; round < ROUNDS; round++) {
        int in = -1, out = value(test_rank, w->number, round, 1);
        TRY(MPI_Sendrecv(&out, 1, MPI_INT, right, w->number, &in, 1, MPI_INT, left, w->number,
                         w->comm, MPI_STATUS_IGNORE));
        CHECK(in == value(left, w->number, round, 1), "thread %d: got %d", w->number, in);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    threads_start(&argc, &argv);
    left = (test_rank + test_size - 1) % test_size, right = (test_rank + 1) % test_size;
    MPI_Comm comms[COMMS];
    static struct worker workers[CROWD];
    struct threads several, goers;
    static char room[COMMS * KINDS * (INTS_MAX * sizeof(int) + MPI_BSEND_OVERHEAD)];
    TRY(MPI_Buffer_attach(room, sizeof room));
    for (int i = 0; i < COMMS; i++)
        TRY(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
    for (int i = 0; i < CROWD; i++)
        workers[i] = (struct worker){.number = i, .comm = comms[i % COMMS]};
    threads_begin(&several, COMMS - 2, work, workers, sizeof *workers);
    threads_begin(&goers, 2, come_and_go, workers + COMMS - 2, sizeof *workers);
    threads_join(&several);
    threads_join(&goers);
    threads_run(CROWD, crowd, workers, sizeof *workers);
    void *back;
    int bytes;
    TRY(MPI_Buffer_detach(&back, &bytes));
    CHECK(back == room, "another buffer came back");
    for (int i = 0; i < COMMS; i++)
        TRY(MPI_Comm_free(&comms[i]));
    test_finish();
    return 0;
}
