/* What an origin has put is on its way when MPI_Win_complete returns, however much it is: the
 * target's MPI_Win_wait ends while the origin computes without a call of MPI. */
/* ranks: 2 3 */
/* timeout: 120 */
#include "window_kinds.h"

enum { PUTS = 10000 };

static int64_t numbers[PUTS];

/* A look at memory that another rank changes meanwhile. */
__attribute__((noinline, no_sanitize("thread"))) static bool is_told(const volatile int *told)
{
    return *told != 0;
}

static void run(enum window_kind kind, volatile int *told)
{
    struct window w;
    MPI_Group all, other;
    window_make(&w, kind, PUTS, sizeof(int64_t));
    int peer = 1 - w.rank;
    TRY(MPI_Comm_group(w.comm, &all));
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    if (w.rank == 0) {
        TRY(MPI_Group_incl(all, 1, &peer, &other));
        TRY(MPI_Win_start(other, 0, w.win));
        for (int i = 0; i < PUTS; i++) {
            numbers[i] = i;
            TRY(MPI_Put(&numbers[i], 1, MPI_INT64_T, 1, window_place(&w, 1, i), 1, MPI_INT64_T,
                        w.win));
        }
        TRY(MPI_Win_complete(w.win));
        while (!is_told(told)) {
        }
        *told = 0;
        TRY(MPI_Group_free(&other));
    } else if (w.rank == 1) {
        TRY(MPI_Group_incl(all, 1, &peer, &other));
        TRY(MPI_Win_post(other, 0, w.win));
        test_sleep_ms(20);
        TRY(MPI_Win_wait(w.win));
        for (int64_t i = 0; i < PUTS; i++)
            CHECK(((int64_t *)w.memory)[i] == i, "%s: element %lld", window_kind_names[kind],
                  (long long)i);
        *told = 1;
        TRY(MPI_Group_free(&other));
    }
    TRY(MPI_Group_free(&all));
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    window_free(&w);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    test_need_ranks(2);
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
    test_finish();
}
