/* Short operations with results wait for others to go with, but no longer than until their origin
 * waits for anything: an epoch's end, a request, or a message. Their results come in their order,
 * whatever goes together, and one that fails tells so and leaves the others right. */
/* ranks: 1 2 3 4 */
/* args: create */
/* args: create messages */
/* args: dynamic */
/* args: dynamic messages */
#include "harness.h"

enum { WORDS = 400, OPERATIONS = 300 };

static int64_t memory[WORDS], results[OPERATIONS], before[OPERATIONS];
static MPI_Win win;
static MPI_Aint bases[4];
static bool is_dynamic;

static void make_window(void)
{
    MPI_Aint own = 0;
    if (!is_dynamic) {
        TRY(MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    } else {
        TRY(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
        TRY(MPI_Win_attach(win, memory, sizeof memory));
        TRY(MPI_Get_address(memory, &own));
    }
    TRY(MPI_Allgather(&own, 1, MPI_AINT, bases, 1, MPI_AINT, MPI_COMM_WORLD));
}

static MPI_Aint at(int rank, int word)
{
    return bases[rank] + word * (MPI_Aint)sizeof(int64_t);
}

/* What can end an epoch, or be waited for in its stead. */
enum end { FLUSH, FLUSH_ALL, FLUSH_LOCAL, UNLOCK, REQUEST, ENDS };

/* Operations of every kind on one word of its own at the next rank, which many packets take; each
 * result is what those before have left. */
static void results_in_order(enum end end)
{
    int target = (test_rank + 1) % test_size, word = test_rank;
    int64_t value = 0, news[OPERATIONS], expected[OPERATIONS];
    MPI_Request request = MPI_REQUEST_NULL;
    TRY(MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win));
    TRY(MPI_Put(&value, 1, MPI_INT64_T, target, at(target, word), 1, MPI_INT64_T, win));
    TRY(MPI_Win_flush(target, win));
    for (int i = 0; i < OPERATIONS; i++) {
        expected[i] = value;
        before[i] = i % 9 == 0 ? value : -1;
        news[i] = i + 1;
        results[i] = -1;
        MPI_Aint there = at(target, word);
        if (i % 3 == 0) {
            TRY(MPI_Compare_and_swap(&news[i], &before[i], &results[i], MPI_INT64_T, target, there,
                                     win));
            value = before[i] == value ? news[i] : value;
        } else if (i % 3 == 1) {
            TRY(MPI_Fetch_and_op(&news[i], &results[i], MPI_INT64_T, target, there, MPI_SUM, win));
            value += news[i];
        } else {
            TRY(MPI_Accumulate(&news[i], 1, MPI_INT64_T, target, there, 1, MPI_INT64_T,
                               MPI_REPLACE, win));
            value = news[i];
            results[i] = expected[i];
        }
    }
    int64_t last = -1;
    if (end == REQUEST) {
        TRY(MPI_Rget_accumulate(NULL, 0, MPI_INT64_T, &last, 1, MPI_INT64_T, target,
                                at(target, word), 1, MPI_INT64_T, MPI_NO_OP, win, &request));
        TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK(last == value, "a request brings %lld, not %lld", (long long)last, (long long)value);
        TRY(MPI_Win_flush(target, win));
    }
    if (end == FLUSH) TRY(MPI_Win_flush(target, win));
    if (end == FLUSH_ALL) TRY(MPI_Win_flush_all(win));
    if (end == FLUSH_LOCAL) TRY(MPI_Win_flush_local(target, win));
    if (end == UNLOCK) {
        TRY(MPI_Win_unlock(target, win));
        TRY(MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win));
    }
    for (int i = 0; i < OPERATIONS; i++)
        CHECK(results[i] == expected[i], "end %d: result %d is %lld, not %lld", end, i,
              (long long)results[i], (long long)expected[i]);
    TRY(MPI_Win_unlock(target, win));
}

/* The target hears of it by its own memory alone, and says so by a message. */
static void sent_before_a_receive(void)
{
    int last = test_size - 1;
    int64_t one = 1, old = -1, seen = 0;
    TRY(MPI_Win_lock_all(0, win));
    if (test_rank == 0) {
        TRY(MPI_Fetch_and_op(&one, &old, MPI_INT64_T, last, at(last, WORDS - 1), MPI_SUM, win));
        TRY(MPI_Recv(&seen, 1, MPI_INT64_T, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(seen == 1, "the target has seen %lld", (long long)seen);
    } else if (test_rank == last) {
        while (seen != 1) {
            TRY(MPI_Fetch_and_op(NULL, &seen, MPI_INT64_T, last, at(last, WORDS - 1), MPI_NO_OP,
                                 win));
            TRY(MPI_Win_flush(last, win));
        }
        TRY(MPI_Send(&seen, 1, MPI_INT64_T, 0, 0, MPI_COMM_WORLD));
    }
    TRY(MPI_Win_unlock_all(win));
    CHECK(test_rank != 0 || old == 0, "the result is %lld", (long long)old);
}

/* A get of memory that is not attached; those around it are done. */
static void one_that_fails(void)
{
    int64_t value = 4711, results_here[3] = {0}, nothing[2];
    MPI_Aint elsewhere[4], own;
    TRY(MPI_Get_address(nothing, &own));
    TRY(MPI_Allgather(&own, 1, MPI_AINT, elsewhere, 1, MPI_AINT, MPI_COMM_WORLD));
    memory[WORDS - 2] = value;
    TRY(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    int target = (test_rank + 1) % test_size, outcome = MPI_SUCCESS;
    TRY(MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win));
    for (int i = 0; i < 3; i++) {
        MPI_Aint there = i == 1 ? elsewhere[target] : at(target, WORDS - 2);
        int error = MPI_Get(&results_here[i], 1, MPI_INT64_T, target, there, 1, MPI_INT64_T, win);
        if (error != MPI_SUCCESS) outcome = error;
    }
    int error = MPI_Win_flush(target, win);
    if (error != MPI_SUCCESS) outcome = error;
    TRY(MPI_Win_unlock(target, win));
    CHECK(outcome != MPI_SUCCESS, "memory that is not attached was read");
    MPI_Error_class(outcome, &outcome);
    CHECK(outcome == MPI_ERR_RMA_RANGE, "the error class is %d", outcome);
    CHECK(results_here[0] == value && results_here[2] == value, "the others brought %lld and %lld",
          (long long)results_here[0], (long long)results_here[2]);
    TRY(MPI_Barrier(MPI_COMM_WORLD));
}

int main(int argc, char **argv)
{
    is_dynamic = argc > 1 && strcmp(argv[1], "dynamic") == 0;
    if (argc > 2) setenv("DUNLIN_RMA", argv[2], 1);
    test_start(&argc, &argv);
    make_window();
    for (enum end end = 0; end < ENDS; end++) results_in_order(end);
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    if (test_size > 1) sent_before_a_receive();
    if (is_dynamic) one_that_fails();
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    TRY(MPI_Win_free(&win));
    test_finish();
}
