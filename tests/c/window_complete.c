/* What an origin has put is on its way when MPI_Win_complete returns, however much it is: the
 * target's MPI_Win_wait ends while the origin computes without a call of MPI. */
/* ranks: 2 3 */
/* timeout: 120 */
#include "window_kinds.h"

enum { PUTS = 10000, WORDS = 125, GAPPED_FROM = 50, GAPPED_TO = 160 };

static int64_t numbers[PUTS];
static MPI_Datatype gapped;

/* A look at memory that another rank changes meanwhile. */
__attribute__((noinline, no_sanitize("thread"))) static bool is_told(const volatile int *told)
{
    return *told != 0;
}

/* Words with gaps at the target, so that only the target can store them: each time the same. */
static void put_gapped(const struct window *w)
{
    TRY(MPI_Put(numbers, WORDS, MPI_INT64_T, 1, window_place(w, 1, 0), 1, gapped, w->win));
}

static void put_all(const struct window *w)
{
    for (int i = 0; i < PUTS; i++)
        TRY(MPI_Put(&numbers[i], 1, MPI_INT64_T, 1, window_place(w, 1, i), 1, MPI_INT64_T, w->win));
}

/* So many puts with gaps, or if none all. */
static void epoch(const struct window *w, int gapped_puts, volatile int *told)
{
    MPI_Group all, other;
    int peer = 1 - w->rank, apart = gapped_puts ? 2 : 1, count = gapped_puts ? WORDS : PUTS;
    TRY(MPI_Comm_group(w->comm, &all));
    if (w->rank == 0) {
        TRY(MPI_Group_incl(all, 1, &peer, &other));
        TRY(MPI_Win_start(other, 0, w->win));
        for (int i = 0; i < gapped_puts; i++) put_gapped(w);
        if (!gapped_puts)
            put_all(w);
        TRY(MPI_Win_complete(w->win));
        while (!is_told(told)) {
        }
        *told = 0;
        TRY(MPI_Group_free(&other));
    } else if (w->rank == 1) {
        TRY(MPI_Group_incl(all, 1, &peer, &other));
        TRY(MPI_Win_post(other, 0, w->win));
        test_sleep_ms(1);
        TRY(MPI_Win_wait(w->win));
        for (int i = 0; i < count; i++)
            CHECK(((int64_t *)w->memory)[i * apart] == i, "%s, %d puts with gaps: element %d",
                  window_kind_names[w->kind], gapped_puts, i);
        *told = 1;
        TRY(MPI_Group_free(&other));
    }
    TRY(MPI_Group_free(&all));
    TRY(MPI_Barrier(MPI_COMM_WORLD));
}

static void run(enum window_kind kind, volatile int *told)
{
    struct window w;
    window_make(&w, kind, PUTS, sizeof(int64_t));
    epoch(&w, 0, told);
    for (int n = GAPPED_FROM; n < GAPPED_TO; n++) epoch(&w, n, told);
    window_free(&w);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    test_need_ranks(2);
    for (int i = 0; i < PUTS; i++) numbers[i] = i;
    TRY(MPI_Type_vector(WORDS, 1, 2, MPI_INT64_T, &gapped));
    TRY(MPI_Type_commit(&gapped));
    if (window_is_one_host()) {
        int *told, unit;
        MPI_Aint bytes;
        MPI_Win win;
        TRY(MPI_Win_allocate_shared(test_rank == 0 ? sizeof *told : 0, sizeof *told, MPI_INFO_NULL,
                                    MPI_COMM_WORLD, &told, &win));
        TRY(MPI_Win_shared_query(win, 0, &bytes, &unit, &told));
        if (test_rank == 0)
            *told = 0;
        TRY(MPI_Barrier(MPI_COMM_WORLD));
        run(WINDOW_CREATED, told);
        run(WINDOW_DYNAMIC, told);
        run(WINDOW_ALLOCATED, told);
        TRY(MPI_Win_free(&win));
    }
    TRY(MPI_Type_free(&gapped));
    test_finish();
}
