/* A hash table with open addressing, spread over the memory of all ranks: each key is inserted by
 * two ranks at once and only one of them succeeds; it then puts the key's value. In the end every
 * key is there once, has its value, and is found by every rank. */
/* ranks: 2 3 4 8 16 */
/* timeout: 120 */
#include "window_kinds.h"

enum { KEYS_PER_RANK = 60, SLOTS_PER_RANK = 80 };

/* A slot has three elements of the window. */
enum { KEY, VALUE, INSERTER, FIELDS };

static struct window table, counters;

static int64_t keys(void)
{
    return (int64_t)KEYS_PER_RANK * test_size;
}

static int64_t slots(void)
{
    return (int64_t)SLOTS_PER_RANK * table.size;
}

/* The n-th key: never 0, and no two are the same, for the multiplier is odd. */
static int64_t key_of(int64_t n)
{
    return (int64_t)((uint64_t)(n + 1) * 0x9e3779b97f4a7c15u);
}

static int64_t value_of(int64_t key)
{
    return key ^ 0x5555555555555555;
}

static int owner_of(int64_t slot)
{
    return (int)(slot % table.size);
}

static MPI_Aint field_of(int64_t slot, int field)
{
    return window_place(&table, owner_of(slot), slot / table.size * FIELDS + field);
}

static int64_t first_slot(int64_t key)
{
    return (int64_t)((uint64_t)key >> 17) % slots();
}

/* Returns the number of keys that the slot's owner had before. */
static int64_t count_one(int owner)
{
    int64_t one = 1, before = -1;
    TRY(MPI_Fetch_and_op(&one, &before, MPI_INT64_T, owner, window_place(&counters, owner, 0),
                         MPI_SUM, counters.win));
    TRY(MPI_Win_flush(owner, counters.win));
    CHECK(before >= 0 && before < SLOTS_PER_RANK, "%s: rank %d had %lld keys",
          window_kind_names[table.kind], owner, (long long)before);
    return before;
}

/* Returns whether this rank has inserted the key, and not another before it. */
static bool insert(int64_t key)
{
    int64_t none = 0, seen = 0, value = value_of(key), me = table.rank;
    int64_t slot = first_slot(key);
    for (int64_t tried = 0;; tried++, slot = (slot + 1) % slots()) {
        CHECK(tried < slots(), "the table is full before key %llx", (long long)key);
        int owner = owner_of(slot);
        TRY(MPI_Compare_and_swap(&key, &none, &seen, MPI_INT64_T, owner, field_of(slot, KEY),
                                 table.win));
        TRY(MPI_Win_flush(owner, table.win));
        if (seen == key)
            return false;
        if (seen != 0)
            continue;
        TRY(MPI_Put(&value, 1, MPI_INT64_T, owner, field_of(slot, VALUE), 1, MPI_INT64_T,
                    table.win));
        TRY(MPI_Put(&me, 1, MPI_INT64_T, owner, field_of(slot, INSERTER), 1, MPI_INT64_T,
                    table.win));
        TRY(MPI_Win_flush_local(owner, table.win));
        count_one(owner);
        return true;
    }
}

/* Inserts this rank's keys forwards and its neighbour's backwards, so that they meet. */
static int64_t insert_all(void)
{
    int64_t inserted = 0, mine = (int64_t)test_rank * KEYS_PER_RANK;
    int64_t other = (mine + KEYS_PER_RANK) % keys();
    for (int64_t i = 0; i < KEYS_PER_RANK; i++) {
        inserted += insert(key_of(mine + i));
        inserted += insert(key_of(other + KEYS_PER_RANK - 1 - i));
    }
    return inserted;
}

static void find(int64_t key)
{
    int64_t slot = first_slot(key), seen[FIELDS] = {0};
    for (int64_t tried = 0; seen[KEY] != key; tried++, slot = (slot + 1) % slots()) {
        int owner = owner_of(slot);
        TRY(MPI_Get(seen, FIELDS, MPI_INT64_T, owner, field_of(slot, KEY), FIELDS, MPI_INT64_T,
                    table.win));
        TRY(MPI_Win_flush(owner, table.win));
        CHECK(seen[KEY] != 0 && tried < slots(), "key %llx is not in the table", (long long)key);
    }
    CHECK(seen[VALUE] == value_of(key), "key %llx has the value %llx", (long long)key,
          (long long)seen[VALUE]);
    CHECK(seen[INSERTER] >= 0 && seen[INSERTER] < table.size, "key %llx is of rank %lld",
          (long long)key, (long long)seen[INSERTER]);
}

static int64_t sum(int64_t mine)
{
    int64_t all;
    TRY(MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD));
    return all;
}

/* Counts what is in this rank's memory, without MPI. */
static void count(int64_t inserted)
{
    const int64_t *part = table.memory, *counter = counters.memory;
    int64_t found = 0, by_all = sum(inserted);
    uint64_t mixed = 0, expected = 0, all = 0;
    for (int64_t i = 0; i < SLOTS_PER_RANK; i++) {
        found += part[i * FIELDS + KEY] != 0;
        mixed += (uint64_t)part[i * FIELDS + KEY];
    }
    CHECK(*counter == found, "%s: the counter says %lld keys, the table has %lld",
          window_kind_names[table.kind], (long long)*counter, (long long)found);
    CHECK(by_all == keys(), "%s: %lld inserts of %lld keys have succeeded",
          window_kind_names[table.kind], (long long)by_all, (long long)keys());
    CHECK(sum(found) == keys(), "the table has not %lld keys", (long long)keys());
    for (int64_t n = 0; n < keys(); n++)
        expected += (uint64_t)key_of(n);
    TRY(MPI_Allreduce(&mixed, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD));
    CHECK(all == expected, "the table has other keys than were inserted");
}

static void run(enum window_kind kind)
{
    window_make(&table, kind, SLOTS_PER_RANK * FIELDS, sizeof(int64_t));
    window_make(&counters, kind, 1, sizeof(int64_t));
    TRY(MPI_Win_lock_all(0, table.win));
    TRY(MPI_Win_lock_all(0, counters.win));
    int64_t inserted = insert_all();
    TRY(MPI_Win_flush_all(table.win));
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    for (int64_t n = 0; n < keys(); n += 1 + test_size / 4)
        find(key_of(n));
    TRY(MPI_Win_unlock_all(counters.win));
    TRY(MPI_Win_unlock_all(table.win));
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    count(inserted);
    window_free(&counters);
    window_free(&table);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    bool is_one_host = window_is_one_host();
    for (int kind = 0; kind < WINDOW_KINDS; kind++)
        if (is_one_host || (kind != WINDOW_SHARED && kind != WINDOW_SHARED_APART))
            run(kind);
    test_finish();
}
