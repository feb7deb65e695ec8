/* Are atomic operations on windows linearizable? All ranks draw atomic operations on a few words
 * from a seed and record when each began, what it fetched and when its flush returned. Every value
 * that is written is unique, so what was fetched says which write went before: the writes of a word
 * must form one chain, reads stand between the writes that they saw, and the order must agree with
 * that in which each rank did its operations; on one host also with the clock.
 *
 * The argument says what is drawn: additions, compare-and-swaps, or all mixed with replacements.
 * SEED=N repeats a run. */
/* ranks: 1 2 3 4 8 */
/* args: sum */
/* args: swap */
/* args: mixed */
/* timeout: 120 */
#include "window_kinds.h"

enum { WORDS = 4, OPERATIONS = 300, RANKS_MAX = 16, TARGETS = 2 };

/* What an operation does to a word. */
enum action { READ, ADD, SWAP, REPLACE };

struct event {
    int word, rank;
    int64_t before, after; /* equal: a read */
    int64_t began_ns, ended_ns;
    int64_t order; /* in its word: 2 k for the k-th write, 2 k + 1 for what has read it */
};

static struct window window;
static MPI_Datatype type;
static bool is_wide, is_one_host;
static const char *mode;
static int64_t written; /* by this rank, to make values unique */

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static int64_t load(const void *at)
{
    return is_wide ? *(const int64_t *)at : *(const int32_t *)at;
}

static void store(void *at, int64_t value)
{
    if (is_wide)
        *(int64_t *)at = value;
    else
        *(int32_t *)at = (int32_t)value;
}

/* A value that nobody else writes; additions of 1 to it stay below the next. */
static int64_t fresh(void)
{
    int64_t number = 1 + written++ * RANKS_MAX + window.rank;
    return number * (is_wide ? INT64_C(1) << 32 : 1 << 15);
}

static enum action draw_action(void)
{
    if (window_random(4) == 0)
        return READ;
    if (strcmp(mode, "sum") == 0)
        return ADD;
    if (strcmp(mode, "swap") == 0)
        return SWAP;
    return (enum action)(ADD + window_random(3));
}

/* Starts an operation by one of the functions that can do it; fetches into `result`. */
static void start(enum action action, int target, MPI_Aint place, const int64_t *operands,
                  int64_t *result, MPI_Request *request)
{
    MPI_Op op = action == READ ? MPI_NO_OP : action == ADD ? MPI_SUM : MPI_REPLACE;
    int form = (int)window_random(3);
    *request = MPI_REQUEST_NULL;
    if (action == SWAP)
        TRY(MPI_Compare_and_swap(&operands[0], &operands[1], result, type, target, place,
                                 window.win));
    else if (form == 0)
        TRY(MPI_Fetch_and_op(operands, result, type, target, place, op, window.win));
    else if (form == 1)
        TRY(MPI_Get_accumulate(operands, 1, type, result, 1, type, target, place, 1, type, op,
                               window.win));
    else
        TRY(MPI_Rget_accumulate(operands, 1, type, result, 1, type, target, place, 1, type, op,
                                window.win, request));
}

/* Ends an operation in one of the ways that make it complete at its target. */
static void complete(int target, MPI_Request *request)
{
    if (*request != MPI_REQUEST_NULL && window_random(2))
        TRY(MPI_Wait(request, MPI_STATUS_IGNORE));
    if (window_random(2))
        TRY(MPI_Win_flush(target, window.win));
    else
        TRY(MPI_Win_flush_all(window.win));
    if (*request != MPI_REQUEST_NULL)
        TRY(MPI_Wait(request, MPI_STATUS_IGNORE));
}

static struct event operate(int64_t *last_seen)
{
    struct event e = {.word = (int)window_random(WORDS), .rank = window.rank};
    enum action action = draw_action();
    int target = e.word % TARGETS % window.size;
    MPI_Aint place = window_place(&window, target, e.word);
    int64_t operands[2], result = 0, operand = action == ADD ? 1 : fresh();
    MPI_Request request;
    store(&operands[0], operand);
    store(&operands[1], last_seen[e.word]);
    e.began_ns = now_ns();
    start(action, target, place, operands, &result, &request);
    complete(target, &request);
    e.ended_ns = now_ns();
    e.before = e.after = load(&result);
    if (action == ADD)
        e.after = e.before + 1;
    else if (action == REPLACE || (action == SWAP && e.before == last_seen[e.word]))
        e.after = operand;
    last_seen[e.word] = e.after;
    return e;
}

static int by_word_and_value(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->word != y->word)
        return x->word < y->word ? -1 : 1;
    bool x_reads = x->before == x->after, y_reads = y->before == y->after;
    if (x_reads != y_reads)
        return x_reads ? 1 : -1;
    return (x->before > y->before) - (x->before < y->before);
}

static int by_word_and_order(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->word != y->word)
        return x->word < y->word ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

#define HISTORY "%s, %s, %s: with SEED=%lu, word %d: "
#define HISTORY_VALUES(word)                                                                      \
    window_kind_names[window.kind], is_wide ? "8 bytes" : "4 bytes", mode, window_seed, (word)

/* The event among `count` sorted ones, all writes of one word, that has found `value`. */
static struct event *writer_after(struct event *writes, size_t count, int64_t value)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (writes[middle].before < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && writes[low].before == value ? &writes[low] : NULL;
}

/* Numbers the reads of one word that have seen `value`. */
static void order_reads(struct event *reads, size_t count, int64_t value, int64_t order)
{
    struct event *read = writer_after(reads, count, value);
    for (; read && read < reads + count && read->before == value; read++)
        read->order = order;
}

/* Follows the chain of writes of one word from 0 on; returns its last value. */
static int64_t order_word(struct event *events, size_t count)
{
    size_t writes = 0, followed = 0;
    while (writes < count && events[writes].before != events[writes].after)
        writes++;
    for (size_t i = 0; i < count; i++)
        events[i].order = -1;
    int64_t value = 0;
    for (;; followed++) {
        order_reads(events + writes, count - writes, value, 2 * (int64_t)followed + 1);
        struct event *next = writer_after(events, writes, value);
        if (!next)
            break;
        CHECK(next->order < 0, HISTORY "value %lld was written twice",
              HISTORY_VALUES(next->word), (long long)value);
        next->order = 2 * ((int64_t)followed + 1);
        value = next->after;
    }
    for (size_t i = 0; i < count; i++)
        CHECK(events[i].order >= 0, HISTORY "rank %d found %lld, which another has replaced",
              HISTORY_VALUES(events[i].word), events[i].rank, (long long)events[i].before);
    return value;
}

/* No operation of one word may end before one begins that has gone before it. */
static void check_clock(const struct event *events, size_t count)
{
    int64_t latest = INT64_MIN, latest_below = INT64_MIN;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && events[i].order > events[i - 1].order)
            latest_below = latest;
        CHECK(events[i].ended_ns >= latest_below,
              HISTORY "rank %d found %lld and had ended before an operation began that must have "
                      "gone before",
              HISTORY_VALUES(events[i].word), events[i].rank, (long long)events[i].before);
        if (events[i].began_ns > latest)
            latest = events[i].began_ns;
    }
}

/* The operations of all words in one order: that of each word and of each rank. `all` is sorted by
 * word and order. Each step takes what is next in its rank and may be next in its word. */
static void check_program_order(const struct event *all, size_t count, const size_t *sequence)
{
    size_t next[RANKS_MAX] = {0}, taken = 0;
    int64_t reached[WORDS] = {0};
    /* For each word and order: how many events are still to be taken. */
    size_t *open = calloc(WORDS * (2 * count + 4), sizeof *open);
    CHECK(open, "no memory");
#define OPEN(word, order) open[(size_t)(word) * (2 * count + 4) + (size_t)(order)]
    for (size_t i = 0; i < count; i++)
        OPEN(all[i].word, all[i].order)++;
    for (bool moved = true; moved;) {
        moved = false;
        for (int rank = 0; rank < window.size; rank++) {
            if (next[rank] == OPERATIONS)
                continue;
            const struct event *e = &all[sequence[(size_t)rank * OPERATIONS + next[rank]]];
            while (reached[e->word] < e->order && OPEN(e->word, reached[e->word]) == 0)
                reached[e->word]++;
            if (reached[e->word] != e->order)
                continue;
            OPEN(e->word, e->order)--;
            next[rank]++;
            taken++;
            moved = true;
        }
    }
    CHECK(taken == count,
          "%s, %s: with SEED=%lu, the ranks' orders and the words' contradict each other after "
          "%zu of %zu operations",
          window_kind_names[window.kind], mode, window_seed, taken, count);
    free(open);
#undef OPEN
}

static void check_history(struct event *all, size_t count, int64_t *final)
{
    size_t *sequence = test_alloc(count * sizeof *sequence);
    qsort(all, count, sizeof *all, by_word_and_value);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from; to < count && all[to].word == all[from].word;)
            to++;
        final[all[from].word] = order_word(all + from, to - from);
    }
    qsort(all, count, sizeof *all, by_word_and_order);
    for (size_t from = 0, to; is_one_host && from < count; from = to) {
        for (to = from; to < count && all[to].word == all[from].word;)
            to++;
        check_clock(all + from, to - from);
    }
    /* Each rank's events by its own clock. */
    size_t done[RANKS_MAX] = {0};
    for (size_t i = 0; i < count; i++) {
        int rank = all[i].rank;
        size_t *mine = sequence + (size_t)rank * OPERATIONS, place = done[rank]++;
        for (; place > 0 && all[mine[place - 1]].began_ns > all[i].began_ns; place--)
            mine[place] = mine[place - 1];
        mine[place] = i;
    }
    check_program_order(all, count, sequence);
    free(sequence);
}

/* The words hold what the histories end with. */
static void check_memory(const int64_t *final)
{
    for (int word = 0; word < WORDS; word++) {
        if (word % TARGETS % window.size != window.rank)
            continue;
        int64_t found = load((char *)window.memory + word * window.unit);
        CHECK(found == final[word], HISTORY "memory has %lld, the last value was %lld",
              HISTORY_VALUES(word), (long long)found, (long long)final[word]);
    }
}

static void run(enum window_kind kind, bool wide)
{
    is_wide = wide;
    type = wide ? MPI_INT64_T : MPI_INT32_T;
    window_make(&window, kind, WORDS, wide ? 8 : 4);
    CHECK(window.size <= RANKS_MAX, "%d ranks; at most %d", window.size, RANKS_MAX);
    written = 0;
    int64_t seen[WORDS] = {0}, final[WORDS] = {0};
    struct event mine[OPERATIONS], *all = NULL;
    size_t count = (size_t)OPERATIONS * (size_t)window.size;
    if (window.rank == 0)
        all = test_alloc(count * sizeof *all);
    TRY(MPI_Win_lock_all(0, window.win));
    TRY(MPI_Barrier(window.comm));
    for (int i = 0; i < OPERATIONS; i++)
        mine[i] = operate(seen);
    TRY(MPI_Win_unlock_all(window.win));
    TRY(MPI_Gather(mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, 0, window.comm));
    if (window.rank == 0)
        check_history(all, count, final);
    TRY(MPI_Bcast(final, WORDS, MPI_INT64_T, 0, window.comm));
    check_memory(final);
    free(all);
    window_free(&window);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    CHECK(argc == 2, "the argument is sum, swap or mixed");
    mode = argv[1];
    window_start_random();
    is_one_host = window_is_one_host();
    for (int kind = 0; kind < WINDOW_KINDS; kind++) {
        run(kind, true);
        run(kind, false);
    }
    test_finish();
}
