/* Random epochs on a window, drawn from a seed and checked against a model. Each origin has an area
 * of its own in the memory of each target, and keeps a copy of it: puts and accumulates, dense and
 * of many derived datatypes, short and longer than a packet, must leave there what the copy says,
 * and gets must find it. All share a word that is summed up, and one that is changed by get and put
 * under an exclusive lock. */
/* ranks: 1 2 3 4 8 */
/* args: 1 */
/* args: 2 */
/* timeout: 120 */
#include "harness.h"

enum { ROUNDS = 12, EPOCHS = 12, STEPS = 10, SLICES = 16, SLICE = 600, AREA = SLICES * SLICE };
enum { SUM, LOCKED, SHARED };
enum round { PASSIVE, FENCE, START_COMPLETE, KINDS };
/* More than a target remembers. */
enum { LAYOUTS = 40 };

struct layout {
    MPI_Datatype type;
    int elements, stride;
};

static struct layout layouts[LAYOUTS];
static MPI_Win win;
static long *memory;
/* What this rank's areas hold, one for each target; what it has added to the sums of all. */
static long *model, added;
/* Of the target that is worked on: slices touched since its last flush, what was sent there, and
 * what gets found. */
static bool touched[SLICES], wanted[SLICES];
static long sent[SLICES][SLICE], got[SLICES][SLICE];
static uint64_t own_draws, common_draws;

/* xorshift64*, of Marsaglia and Vigna. */
static unsigned draw(uint64_t *state, unsigned below)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (unsigned)((*state * 2685821657736338717u) >> 33) % below;
}

static unsigned own(unsigned below)
{
    return draw(&own_draws, below);
}

static void make_layouts(void)
{
    for (int i = 0; i < LAYOUTS; i++) {
        struct layout *l = &layouts[i];
        l->elements = 1 + i % 7;
        l->stride = 2 + i / 7;
        TRY(MPI_Type_vector(l->elements, 1, l->stride, MPI_LONG, &l->type));
        TRY(MPI_Type_commit(&l->type));
    }
}

static MPI_Aint place(int slice)
{
    return SHARED + (MPI_Aint)test_rank * AREA + slice * SLICE;
}

/* An operation on a slice of this rank's area at `target` that nothing has touched since the last
 * flush. */
static void step(int target, int slice)
{
    long *here = &model[target * AREA + slice * SLICE], *values = sent[slice];
    const struct layout *l = &layouts[own(LAYOUTS)];
    bool is_dense = own(2) == 0;
    int lengths[] = {1, 1, 3, 40, SLICE};
    int count = is_dense ? lengths[own(5)] : l->elements;
    int stride = is_dense ? 1 : l->stride, there = is_dense ? count : 1;
    MPI_Datatype type = is_dense ? MPI_LONG : l->type;
    for (int i = 0; i < count; i++)
        values[i] = (long)own(1000000);
    MPI_Aint at = place(slice);
    touched[slice] = true;
    switch (own(4)) {
    case 0:
        TRY(MPI_Put(values, count, MPI_LONG, target, at, there, type, win));
        for (int i = 0; i < count; i++)
            here[i * stride] = values[i];
        break;
    case 1: /* two in a row keep their order */
        TRY(MPI_Accumulate(values, count, MPI_LONG, target, at, there, type, MPI_REPLACE, win));
        TRY(MPI_Accumulate(values, count, MPI_LONG, target, at, there, type, MPI_SUM, win));
        for (int i = 0; i < count; i++)
            here[i * stride] = 2 * values[i];
        break;
    case 2:
        TRY(MPI_Accumulate(values, count, MPI_LONG, target, at, there, type, MPI_SUM, win));
        for (int i = 0; i < count; i++)
            here[i * stride] += values[i];
        break;
    default:
        wanted[slice] = true;
        TRY(MPI_Get(got[slice], SLICE, MPI_LONG, target, at, SLICE, MPI_LONG, win));
    }
}

/* All operations on `target` are complete: gets have found what the model says. */
static void settle(int target)
{
    for (int s = 0; s < SLICES; s++)
        if (wanted[s])
            CHECK(!memcmp(got[s], &model[target * AREA + s * SLICE], sizeof got[s]),
                  "a get of slice %d of rank %d has found something else", s, target);
    memset(touched, 0, sizeof touched);
    memset(wanted, 0, sizeof wanted);
}

/* Operations on `target`, which the end of the epoch completes. */
static void work(int target, bool may_flush)
{
    for (unsigned steps = own(STEPS); steps > 0; steps--) {
        int slice = (int)own(SLICES);
        if (may_flush && (touched[slice] || own(4) == 0)) {
            TRY(MPI_Win_flush(target, win));
            settle(target);
        }
        if (!touched[slice]) step(target, slice);
    }
    long more = (long)own(100);
    TRY(MPI_Accumulate(&more, 1, MPI_LONG, target, SUM, 1, MPI_LONG, MPI_SUM, win));
    added += more;
}

/* One more in a word that only the lock protects; the end of the epoch completes it. */
static void count_under_lock(int target)
{
    static long value;
    value = -1;
    TRY(MPI_Get(&value, 1, MPI_LONG, target, LOCKED, 1, MPI_LONG, win));
    TRY(MPI_Win_flush(target, win));
    value++;
    TRY(MPI_Put(&value, 1, MPI_LONG, target, LOCKED, 1, MPI_LONG, win));
}

/* Returns how often it has counted. */
static long passive_epochs(void)
{
    long counted = 0;
    for (int i = 0; i < EPOCHS; i++) {
        int target = (int)own((unsigned)test_size), other = (int)own((unsigned)test_size);
        bool is_alone = own(2) == 0;
        switch (own(3)) {
        case 0:
            TRY(MPI_Win_lock(is_alone ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, target, 0, win));
            work(target, true);
            if (is_alone) count_under_lock(target);
            counted += is_alone;
            TRY(MPI_Win_unlock(target, win));
            break;
        case 1: /* two locks, in the order of ranks */
            TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target < other ? target : other, 0, win));
            if (target != other)
                TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target < other ? other : target, 0, win));
            work(target, true);
            count_under_lock(other);
            counted++;
            TRY(MPI_Win_unlock(target, win));
            if (target != other) TRY(MPI_Win_unlock(other, win));
            break;
        default:
            TRY(MPI_Win_lock_all(0, win));
            work(target, true);
            TRY(MPI_Win_unlock_all(win));
        }
        settle(target);
    }
    return counted;
}

static void active_epoch(enum round kind, MPI_Group all)
{
    int target = (int)own((unsigned)test_size);
    if (kind == FENCE) {
        TRY(MPI_Win_fence(0, win));
        work(target, false);
        TRY(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    } else {
        TRY(MPI_Win_post(all, 0, win));
        TRY(MPI_Win_start(all, 0, win));
        work(target, false);
        TRY(MPI_Win_complete(win));
        TRY(MPI_Win_wait(win));
    }
    settle(target);
}

/* This rank's memory holds what all models say of it. */
static void check(long counted)
{
    long sums[2] = {added, counted}, all[2], here[2] = {memory[SUM], memory[LOCKED]}, there[2];
    TRY(MPI_Allreduce(sums, all, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    TRY(MPI_Allreduce(here, there, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    CHECK(all[0] == there[0], "%ld was added, %ld is there", all[0], there[0]);
    CHECK(all[1] == there[1], "%ld was counted under locks, %ld is there", all[1], there[1]);
    long *said = test_alloc((size_t)test_size * AREA * sizeof *said);
    TRY(MPI_Alltoall(model, AREA, MPI_LONG, said, AREA, MPI_LONG, MPI_COMM_WORLD));
    for (long i = 0; i < (long)test_size * AREA; i++)
        CHECK(memory[SHARED + i] == said[i], "word %ld of rank %ld's area is %ld, not %ld",
              i % AREA, i / AREA, memory[SHARED + i], said[i]);
    free(said);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    common_draws = argc > 1 ? (uint64_t)atol(argv[1]) * 7919 : 7919;
    own_draws = common_draws * 31 + (uint64_t)test_rank * 1000003 + 1;
    make_layouts();
    size_t words = SHARED + (size_t)test_size * AREA;
    TRY(MPI_Win_allocate((MPI_Aint)(words * sizeof *memory), sizeof *memory, MPI_INFO_NULL,
                         MPI_COMM_WORLD, &memory, &win));
    memset(memory, 0, words * sizeof *memory);
    model = test_alloc((size_t)test_size * AREA * sizeof *model);
    memset(model, 0, (size_t)test_size * AREA * sizeof *model);
    MPI_Group all;
    TRY(MPI_Win_get_group(win, &all));
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    long counted = 0;
    for (int round = 0; round < ROUNDS; round++) {
        enum round kind = (enum round)draw(&common_draws, KINDS);
        if (kind == PASSIVE)
            counted += passive_epochs();
        else
            active_epoch(kind, all);
        TRY(MPI_Barrier(MPI_COMM_WORLD));
        check(counted);
        TRY(MPI_Barrier(MPI_COMM_WORLD));
    }
    TRY(MPI_Group_free(&all));
    for (int i = 0; i < LAYOUTS; i++)
        TRY(MPI_Type_free(&layouts[i].type));
    TRY(MPI_Win_free(&win));
    free(model);
    test_finish();
}
