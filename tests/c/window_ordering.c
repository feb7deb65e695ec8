/* What one origin does is compared with a model of its part of each target's memory: accumulates
 * without anything between them take effect in their order, whatever their layouts and lengths;
 * puts are there after a flush or the end of an epoch; results have come, and buffers may change,
 * as soon as an operation is complete at its origin. SEED=N repeats a run. */
/* ranks: 1 2 3 4 */
/* timeout: 180 */
#include "window_kinds.h"

enum { REGION = 3000, TURNS = 24, OPERATIONS_MAX = 10, ARENA_BYTES = 1 << 20 };

/* The epochs in which the operations are. */
enum style { LOCK_ALL, LOCK, FENCE, GROUPS, STYLES };

static const char *const style_names[] = {"lock_all", "lock", "fence", "post and start"};

/* `blocks` blocks of `length` elements, `stride` apart, from element `first` on. */
struct layout {
    int first, blocks, length, stride;
};

/* What must have come when the operations are complete. */
struct pending {
    int64_t *result, *expected;
    int elements, step;
    MPI_Request request;
};

static struct window window;
static enum style style;
static int64_t *model; /* of this rank's region at each target */
static int turn;
static struct pending pending[OPERATIONS_MAX];
static int pendings;
static char *arena;
static size_t arena_used;
static MPI_Group everybody;

static void *from_arena(size_t bytes)
{
    void *at = arena + arena_used;
    arena_used += (bytes + 15) / 16 * 16;
    CHECK(arena_used <= ARENA_BYTES, "the arena is too small for %zu bytes", arena_used);
    return at;
}

static int elements_of(struct layout l)
{
    return l.blocks * l.length;
}

static int element_at(struct layout l, int i)
{
    return l.first + i / l.length * l.stride + i % l.length;
}

/* A layout within elements [from, to). */
static struct layout draw_layout(int from, int to)
{
    struct layout l = {.length = 1, .blocks = 1, .stride = 1};
    unsigned room = (unsigned)(to - from), form = window_random(4);
    if (form == 1) {
        l.length = 1 + (int)window_random(room < 20 ? room : 20);
    } else if (form == 2) {
        l.length = 1 + (int)window_random(room);
    } else if (form == 3) {
        l.length = 1 + (int)window_random(room < 6 ? room : 6);
        l.stride = l.length + (int)window_random(4);
        l.blocks = 1 + (int)window_random(room / (unsigned)l.stride);
        while ((l.blocks - 1) * l.stride + l.length > (int)room)
            l.blocks--;
    }
    if (l.blocks < 1)
        l.blocks = 1;
    int extent = (l.blocks - 1) * l.stride + l.length;
    l.first = from + (int)window_random(room - (unsigned)extent + 1);
    return l;
}

static MPI_Datatype type_of(struct layout l)
{
    MPI_Datatype type;
    TRY(MPI_Type_vector(l.blocks, l.length, l.stride, MPI_INT64_T, &type));
    TRY(MPI_Type_commit(&type));
    return type;
}

static bool is_dense(struct layout l)
{
    return l.blocks == 1 || l.length == l.stride;
}

/* The target's side of an operation; a dense one has a predefined datatype. */
struct there {
    MPI_Datatype type;
    int count;
    MPI_Aint place;
};

static struct there begin_there(int target, struct layout l)
{
    struct there t = {MPI_INT64_T, elements_of(l), 0};
    t.place = window_place(&window, target, window.rank * REGION + l.first);
    if (!is_dense(l) || (l.blocks > 1 && window_random(2))) {
        t.type = type_of(l);
        t.count = 1;
    }
    return t;
}

static void end_there(struct there *t)
{
    if (t->type != MPI_INT64_T)
        TRY(MPI_Type_free(&t->type));
}

/* The origin's side: dense, or every second element. */
static MPI_Datatype draw_here(int *step)
{
    MPI_Datatype type;
    *step = 1 + (int)window_random(2);
    if (*step == 1)
        return MPI_INT64_T;
    TRY(MPI_Type_create_resized(MPI_INT64_T, 0, 16, &type));
    TRY(MPI_Type_commit(&type));
    return type;
}

static void end_here(MPI_Datatype *type)
{
    if (*type != MPI_INT64_T)
        TRY(MPI_Type_free(type));
}

static int64_t combine(MPI_Op op, int64_t here, int64_t there)
{
    if (op == MPI_SUM)
        return here + there;
    if (op == MPI_BXOR)
        return here ^ there;
    if (op == MPI_MAX)
        return here > there ? here : there;
    return op == MPI_REPLACE ? here : there;
}

static MPI_Op draw_op(void)
{
    const MPI_Op ops[] = {MPI_SUM, MPI_REPLACE, MPI_NO_OP, MPI_MAX, MPI_BXOR};
    return ops[window_random(5)];
}

static int64_t draw_value(void)
{
    return (int64_t)window_random(1 << 30) - (1 << 29);
}

static struct pending *expect(int target, struct layout l, int step)
{
    struct pending *p = &pending[pendings++];
    p->elements = elements_of(l);
    p->step = step;
    p->request = MPI_REQUEST_NULL;
    p->result = from_arena((size_t)(p->elements * step) * sizeof(int64_t));
    p->expected = from_arena((size_t)p->elements * sizeof(int64_t));
    for (int i = 0; i < p->elements; i++) {
        p->result[i * step] = -777;
        p->expected[i] = model[target * REGION + element_at(l, i)];
    }
    return p;
}

/* A compare-and-swap, which half of the time finds what it compares with. */
static void swap_one(int target, struct layout l)
{
    struct pending *p = expect(target, l, 1);
    int64_t *operands = from_arena(2 * sizeof *operands), *at = &model[target * REGION + l.first];
    operands[0] = draw_value();
    operands[1] = window_random(2) ? *at : *at + 1;
    TRY(MPI_Compare_and_swap(&operands[0], &operands[1], p->result, MPI_INT64_T, target,
                             window_place(&window, target, window.rank * REGION + l.first),
                             window.win));
    if (operands[1] == *at)
        *at = operands[0];
}

/* An accumulate by any of the functions; requests only where the standard allows them: in passive
 * epochs. */
static void accumulate_one(int target)
{
    struct layout l = draw_layout(0, REGION);
    if (elements_of(l) == 1 && window_random(3) == 0) {
        swap_one(target, l);
        return;
    }
    int n = elements_of(l), step, form = (int)window_random(style <= LOCK ? 4 : 2);
    bool fetches = form % 2 == 1;
    MPI_Op op = draw_op();
    if (op == MPI_NO_OP && !fetches)
        op = MPI_REPLACE;
    MPI_Datatype here = draw_here(&step);
    struct there t = begin_there(target, l);
    int64_t *mine = from_arena((size_t)(n * step) * sizeof *mine);
    for (int i = 0; i < n; i++)
        mine[i * step] = draw_value();
    struct pending *p = expect(target, l, step);
    if (!fetches)
        p->elements = 0;
    if (form == 0)
        TRY(MPI_Accumulate(mine, n, here, target, t.place, t.count, t.type, op, window.win));
    else if (form == 2)
        TRY(MPI_Raccumulate(mine, n, here, target, t.place, t.count, t.type, op, window.win,
                            &p->request));
    else if (form == 1 && n == 1 && window_random(2))
        TRY(MPI_Fetch_and_op(mine, p->result, MPI_INT64_T, target, t.place, op, window.win));
    else if (form == 1)
        TRY(MPI_Get_accumulate(mine, n, here, p->result, n, here, target, t.place, t.count,
                               t.type, op, window.win));
    else
        TRY(MPI_Rget_accumulate(mine, n, here, p->result, n, here, target, t.place, t.count,
                                t.type, op, window.win, &p->request));
    for (int i = 0; i < n; i++) {
        int64_t *at = &model[target * REGION + element_at(l, i)];
        *at = combine(op, mine[i * step], *at);
    }
    end_there(&t);
    end_here(&here);
}

static void begin(int target)
{
    if (style == LOCK)
        TRY(MPI_Win_lock(window_random(4) ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, target, 0,
                         window.win));
    if (style == GROUPS) {
        TRY(MPI_Win_post(everybody, 0, window.win));
        TRY(MPI_Win_start(everybody, 0, window.win));
    }
}

static void wait_for_requests(void)
{
    for (int i = 0; i < pendings; i++)
        TRY(MPI_Wait(&pending[i].request, MPI_STATUS_IGNORE));
}

static void check_results(const char *after)
{
    for (int n = 0; n < pendings; n++) {
        const struct pending *p = &pending[n];
        for (int i = 0; i < p->elements; i++)
            CHECK(p->result[i * p->step] == p->expected[i],
                  "%s, %s, SEED=%lu, turn %d: after %s, element %d of %d of operation %d is %lld; "
                  "it must be %lld",
                  window_kind_names[window.kind], style_names[style], window_seed, turn, after, i,
                  p->elements, n, (long long)p->result[i * p->step], (long long)p->expected[i]);
    }
    pendings = 0;
}

/* Ends operations at the origin in one of the ways, where the epoch has one: the results must be
 * there, and what was sent may change. */
static void complete_at_origin(int target)
{
    if (style > LOCK || window_random(2))
        return;
    if (window_random(2))
        TRY(MPI_Win_flush_local(target, window.win));
    else
        TRY(MPI_Win_flush_local_all(window.win));
    wait_for_requests();
    check_results("a local flush");
    memset(arena, 0x5a, arena_used);
    arena_used = 0;
}

/* Ends operations at their target. */
static void complete(int target)
{
    complete_at_origin(target);
    if (style == LOCK_ALL && window_random(2))
        TRY(MPI_Win_flush_all(window.win));
    else if (style == LOCK_ALL)
        TRY(MPI_Win_flush(target, window.win));
    else if (style == LOCK)
        TRY(MPI_Win_unlock(target, window.win));
    else if (style == FENCE)
        TRY(MPI_Win_fence(0, window.win));
    else {
        TRY(MPI_Win_complete(window.win));
        TRY(MPI_Win_wait(window.win));
    }
    wait_for_requests();
    check_results("the synchronisation");
    arena_used = 0;
}

static void accumulates(int target)
{
    begin(target);
    for (int n = 1 + (int)window_random(OPERATIONS_MAX); n > 0; n--)
        accumulate_one(target);
    complete(target);
}

static void put_one(int target, int from, int to)
{
    struct layout l = draw_layout(from, to);
    int n = elements_of(l), step;
    MPI_Datatype here = draw_here(&step);
    struct there t = begin_there(target, l);
    int64_t *mine = from_arena((size_t)(n * step) * sizeof *mine);
    struct pending *p = &pending[pendings++];
    *p = (struct pending){.request = MPI_REQUEST_NULL};
    for (int i = 0; i < n; i++)
        model[target * REGION + element_at(l, i)] = mine[i * step] = draw_value();
    if (style <= LOCK && window_random(2))
        TRY(MPI_Rput(mine, n, here, target, t.place, t.count, t.type, window.win, &p->request));
    else
        TRY(MPI_Put(mine, n, here, target, t.place, t.count, t.type, window.win));
    end_there(&t);
    end_here(&here);
}

static void get_one(int target)
{
    struct layout l = draw_layout(0, REGION);
    int n = elements_of(l), step;
    MPI_Datatype here = draw_here(&step);
    struct there t = begin_there(target, l);
    struct pending *p = expect(target, l, step);
    if (style <= LOCK && window_random(2))
        TRY(MPI_Rget(p->result, n, here, target, t.place, t.count, t.type, window.win,
                     &p->request));
    else
        TRY(MPI_Get(p->result, n, here, target, t.place, t.count, t.type, window.win));
    end_there(&t);
    end_here(&here);
}

/* Puts to places that do not overlap, then gets of anything. */
static void puts_and_gets(int target)
{
    int count = 1 + (int)window_random(OPERATIONS_MAX);
    begin(target);
    for (int i = 0; i < count; i++)
        put_one(target, REGION / count * i, REGION / count * (i + 1));
    complete(target);
    begin(target);
    for (int n = 1 + (int)window_random(OPERATIONS_MAX); n > 0; n--)
        get_one(target);
    complete(target);
}

/* All that is in this rank's memory is what its origins have written. */
static void check_memory(void)
{
    int64_t *rows = test_alloc((size_t)(REGION * window.size) * sizeof *rows);
    TRY(MPI_Alltoall(model, REGION, MPI_INT64_T, rows, REGION, MPI_INT64_T, window.comm));
    const int64_t *memory = window.memory;
    for (int i = 0; i < REGION * window.size; i++)
        CHECK(memory[i] == rows[i],
              "%s, %s, SEED=%lu: element %d of the region of rank %d is %lld; it must be %lld",
              window_kind_names[window.kind], style_names[style], window_seed, i % REGION,
              i / REGION, (long long)memory[i], (long long)rows[i]);
    free(rows);
    TRY(MPI_Barrier(window.comm));
}

static void run_style(enum style chosen)
{
    style = chosen;
    if (style == LOCK_ALL)
        TRY(MPI_Win_lock_all(0, window.win));
    if (style == FENCE)
        TRY(MPI_Win_fence(0, window.win));
    /* All ranks take as many turns of the same kind, for some ends are collective. */
    for (turn = 0; turn < TURNS; turn++) {
        int target = (int)window_random((unsigned)window.size);
        if (turn % 3 == 2)
            puts_and_gets(target);
        else
            accumulates(target);
    }
    if (style == LOCK_ALL)
        TRY(MPI_Win_unlock_all(window.win));
    if (style == FENCE)
        TRY(MPI_Win_fence(MPI_MODE_NOSUCCEED, window.win));
    TRY(MPI_Barrier(window.comm));
    check_memory();
}

static void run(enum window_kind kind)
{
    window_make(&window, kind, (MPI_Aint)test_size * REGION, sizeof(int64_t));
    model = calloc((size_t)(REGION * window.size), sizeof *model);
    CHECK(model, "no memory");
    TRY(MPI_Win_get_group(window.win, &everybody));
    for (int chosen = 0; chosen < STYLES; chosen++)
        run_style(chosen);
    TRY(MPI_Group_free(&everybody));
    free(model);
    window_free(&window);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    window_start_random();
    arena = test_alloc(ARENA_BYTES);
    for (int kind = 0; kind < WINDOW_KINDS; kind++)
        run(kind);
    free(arena);
    test_finish();
}
