/* A target that has been reached before is reached by a shorter way. What may be done there is the
 * same: nothing once the epoch is over, nothing past the end, nothing of another window that had
 * the same handle; and words of every kind get the right values. */
/* ranks: 1 2 4 */
#include "window_kinds.h"

enum { LONGS = 16, ROUNDS = 200 };

/* Operations that complete, so that the target is known. */
static void reach(const struct window *w, int target)
{
    int64_t seen;
    for (int i = 0; i < 3; i++) {
        int64_t value = i;
        MPI_Aint place = window_place(w, target, LONGS / 2 + w->rank);
        TRY(MPI_Put(&value, 1, MPI_INT64_T, target, place, 1, MPI_INT64_T, w->win));
        TRY(MPI_Win_flush(target, w->win));
        TRY(MPI_Get(&seen, 1, MPI_INT64_T, target, place, 1, MPI_INT64_T, w->win));
        TRY(MPI_Win_flush_local(target, w->win));
        TRY(MPI_Win_flush(target, w->win));
    }
}

static void expect_no_epoch(const struct window *w, int target)
{
    int64_t value = 1, other = 2, result = 3;
    MPI_Aint place = window_place(w, target, 0);
    MPI_Win win = w->win;
    MPI_Datatype type = MPI_INT64_T;
    EXPECT_ERROR(MPI_ERR_RMA_SYNC, MPI_Put(&value, 1, type, target, place, 1, type, win));
    EXPECT_ERROR(MPI_ERR_RMA_SYNC, MPI_Get(&value, 1, type, target, place, 1, type, win));
    EXPECT_ERROR(MPI_ERR_RMA_SYNC,
                 MPI_Accumulate(&value, 1, type, target, place, 1, type, MPI_SUM, win));
    EXPECT_ERROR(MPI_ERR_RMA_SYNC,
                 MPI_Fetch_and_op(&value, &result, type, target, place, MPI_SUM, win));
    EXPECT_ERROR(MPI_ERR_RMA_SYNC,
                 MPI_Compare_and_swap(&value, &other, &result, type, target, place, win));
    EXPECT_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_flush(target, win));
    EXPECT_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_flush_local(target, win));
}

/* Epochs of every kind, one after the other. */
static void epochs_end(const struct window *w, int target)
{
    int64_t value = 7;
    MPI_Aint place = window_place(w, target, 0);
    TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, w->win));
    reach(w, target);
    int other = (target + 1) % w->size;
    if (other != target) expect_no_epoch(w, other);
    TRY(MPI_Win_unlock(target, w->win));
    expect_no_epoch(w, target);
    TRY(MPI_Win_lock_all(0, w->win));
    reach(w, target);
    reach(w, other);
    TRY(MPI_Win_unlock_all(w->win));
    expect_no_epoch(w, target);
    expect_no_epoch(w, other);
    TRY(MPI_Win_fence(MPI_MODE_NOPRECEDE, w->win));
    TRY(MPI_Put(&value, 1, MPI_INT64_T, target, place, 1, MPI_INT64_T, w->win));
    EXPECT_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_flush(target, w->win));
    TRY(MPI_Win_fence(MPI_MODE_NOSUCCEED, w->win));
    expect_no_epoch(w, target);
}

/* What lies outside is refused, and what it would have hit keeps its value. */
static void ends_are_kept(const struct window *w, int target)
{
    int64_t value = -1, seen = -1;
    TRY(MPI_Win_lock(MPI_LOCK_SHARED, target, 0, w->win));
    reach(w, target);
    for (int i = 0; i < 2; i++) {
        MPI_Aint outside = i == 0 ? LONGS : -1;
        EXPECT_ERROR(MPI_ERR_RMA_RANGE, MPI_Put(&value, 1, MPI_INT64_T, target, outside, 1,
                                                MPI_INT64_T, w->win));
        EXPECT_ERROR(MPI_ERR_RMA_RANGE, MPI_Fetch_and_op(&value, &seen, MPI_INT64_T, target,
                                                         outside, MPI_SUM, w->win));
    }
    TRY(MPI_Put(&value, 1, MPI_INT64_T, target, LONGS - 1, 1, MPI_INT64_T, w->win));
    TRY(MPI_Win_unlock(target, w->win));
}

/* A window that is made when another was freed may get its handle. */
static void windows_in_turn(enum window_kind kind)
{
    for (int units = 1; units <= 4; units *= 2) {
        struct window w;
        window_make(&w, kind, LONGS * 8 / units, units);
        int target = (w.rank + 1) % w.size;
        int32_t value = 100 + w.rank, seen = 0;
        TRY(MPI_Win_set_errhandler(w.win, MPI_ERRORS_RETURN));
        TRY(MPI_Win_lock_all(0, w.win));
        for (int i = 0; i < 3; i++) {
            MPI_Aint place = window_place(&w, target, 16 / units);
            TRY(MPI_Put(&value, 1, MPI_INT32_T, target, place, 1, MPI_INT32_T, w.win));
            TRY(MPI_Win_flush(target, w.win));
            TRY(MPI_Get(&seen, 4, MPI_BYTE, target, place, 4, MPI_BYTE, w.win));
            TRY(MPI_Win_flush(target, w.win));
            CHECK(seen == value, "unit %d: %d came back, not %d", units, seen, value);
        }
        TRY(MPI_Win_unlock_all(w.win));
        TRY(MPI_Barrier(MPI_COMM_WORLD));
        int32_t mine;
        memcpy(&mine, (char *)w.memory + 16, sizeof mine);
        int from = (w.rank + w.size - 1) % w.size;
        CHECK(mine == 100 + from, "unit %d: at byte 16 is %d, not %d", units, mine, 100 + from);
        window_free(&w);
    }
}

/* Two windows used in turn, whose numbers differ, each by all ranks at the same time. */
static void counters_of_two_windows(enum window_kind kind)
{
    struct window w[2];
    for (int k = 0; k < 2; k++) window_make(&w[k], kind, LONGS, 8);
    for (int k = 0; k < 2; k++) TRY(MPI_Win_lock_all(0, w[k].win));
    uint32_t old4, one4 = 1;
    int64_t old8, step[2] = {1, 10};
    for (int i = 0; i < ROUNDS; i++)
        for (int k = 0; k < 2; k++) {
            int target = (w[k].rank + i) % w[k].size;
            TRY(MPI_Fetch_and_op(&step[k], &old8, MPI_INT64_T, target,
                                 window_place(&w[k], target, 0), MPI_SUM, w[k].win));
            TRY(MPI_Win_flush(target, w[k].win));
            TRY(MPI_Accumulate(&step[k], 1, MPI_INT64_T, target, window_place(&w[k], target, 1), 1,
                               MPI_INT64_T, MPI_SUM, w[k].win));
            TRY(MPI_Fetch_and_op(&one4, &old4, MPI_UINT32_T, target,
                                 window_place(&w[k], target, 2), MPI_SUM, w[k].win));
            TRY(MPI_Win_flush(target, w[k].win));
        }
    for (int k = 0; k < 2; k++) TRY(MPI_Win_unlock_all(w[k].win));
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    for (int k = 0; k < 2; k++) {
        int64_t found[2];
        uint32_t found4;
        memcpy(found, w[k].memory, sizeof found);
        memcpy(&found4, (char *)w[k].memory + sizeof found, sizeof found4);
        /* All ranks together make ROUNDS additions at each target. */
        int64_t sum = ROUNDS * step[k];
        CHECK(found[0] == sum && found[1] == sum && found4 == ROUNDS,
              "window %d: %lld, %lld and %lld are not %lld, %lld and %d", k, (long long)found[0],
              (long long)found[1], (long long)found4, (long long)sum, (long long)sum, ROUNDS);
        window_free(&w[k]);
    }
}

/* Words of a rank of its own: what each operation leaves there and gives back. */
static void words(const struct window *w, int target)
{
    uint32_t four = UINT32_MAX, two4 = 2, seen4 = 0;
    int64_t eight = -5, two8 = 2, seen8 = 0;
    MPI_Aint at4 = window_place(w, target, 2), at8 = window_place(w, target, 3);
    MPI_Win win = w->win;
    TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win));
    reach(w, target);
    TRY(MPI_Fetch_and_op(&four, &seen4, MPI_UINT32_T, target, at4, MPI_REPLACE, win));
    TRY(MPI_Fetch_and_op(&two4, &seen4, MPI_UINT32_T, target, at4, MPI_SUM, win));
    TRY(MPI_Win_flush(target, win));
    CHECK(seen4 == UINT32_MAX, "%u was there", seen4);
    TRY(MPI_Fetch_and_op(NULL, &seen4, MPI_UINT32_T, target, at4, MPI_NO_OP, win));
    TRY(MPI_Win_flush(target, win));
    CHECK(seen4 == 1, "%u is there, not 1", seen4);
    TRY(MPI_Compare_and_swap(&two4, &seen4, &four, MPI_UINT32_T, target, at4, win));
    TRY(MPI_Win_flush(target, win));
    CHECK(four == 1, "%u was there, not 1", four);
    TRY(MPI_Compare_and_swap(&seen4, &seen4, &four, MPI_UINT32_T, target, at4, win));
    TRY(MPI_Win_flush(target, win));
    CHECK(four == 2, "%u was there, not 2: a swap that must happen did not", four);
    TRY(MPI_Accumulate(&eight, 1, MPI_INT64_T, target, at8, 1, MPI_INT64_T, MPI_REPLACE, win));
    TRY(MPI_Accumulate(&two8, 1, MPI_INT64_T, target, at8, 1, MPI_INT64_T, MPI_PROD, win));
    TRY(MPI_Fetch_and_op(&two8, &seen8, MPI_INT64_T, target, at8, MPI_MAX, win));
    TRY(MPI_Win_flush(target, win));
    CHECK(seen8 == -10, "%lld was there, not -10", (long long)seen8);
    TRY(MPI_Compare_and_swap(&eight, &two8, &seen8, MPI_INT64_T, target, at8, win));
    TRY(MPI_Win_flush(target, win));
    CHECK(seen8 == 2, "%lld was there, not 2", (long long)seen8);
    TRY(MPI_Get(&seen8, 1, MPI_INT64_T, target, at8, 1, MPI_INT64_T, win));
    TRY(MPI_Win_unlock(target, win));
    CHECK(seen8 == -5, "%lld is there, not -5", (long long)seen8);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    for (enum window_kind kind = 0; kind < WINDOW_KINDS; kind++) {
        struct window w;
        window_make(&w, kind, LONGS, 8);
        TRY(MPI_Win_set_errhandler(w.win, MPI_ERRORS_RETURN));
        int target = (w.rank + 1) % w.size;
        for (int i = 0; i < 2; i++) {
            words(&w, target);
            epochs_end(&w, target);
            if (w.starts == NULL) ends_are_kept(&w, target);
        }
        window_free(&w);
        windows_in_turn(kind);
        counters_of_two_windows(kind);
    }
    test_finish();
}
