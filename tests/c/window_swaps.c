/* MPI_Compare_and_swap of every kind of predefined type, also of those that the standard does not
 * name for it: floating point, complex, pairs. Bits are compared. */
/* ranks: 1 2 4 */
#include "harness.h"

enum { CELL_BYTES = 32, ADDITIONS = 50 };

typedef struct {
    MPI_Datatype type;
    const char *name;
} named_type;

/* Cells of zeros become ones, of the bytes that belong to the type; then they are left alone. */
static void all_types(MPI_Win win)
{
    const named_type types[] = {
        {MPI_FLOAT, "MPI_FLOAT"},           {MPI_DOUBLE, "MPI_DOUBLE"},
        {MPI_LONG_DOUBLE, "MPI_LONG_DOUBLE"}, {MPI_C_COMPLEX, "MPI_C_COMPLEX"},
        {MPI_C_DOUBLE_COMPLEX, "MPI_C_DOUBLE_COMPLEX"}, {MPI_FLOAT_INT, "MPI_FLOAT_INT"},
        {MPI_DOUBLE_INT, "MPI_DOUBLE_INT"}, {MPI_SHORT_INT, "MPI_SHORT_INT"},
        {MPI_2INT, "MPI_2INT"},             {MPI_PACKED, "MPI_PACKED"},
        {MPI_WCHAR, "MPI_WCHAR"},           {MPI_INT16_T, "MPI_INT16_T"},
    };
    const unsigned char zeros[CELL_BYTES] = {0};
    unsigned char ones[CELL_BYTES];
    memset(ones, 1, sizeof ones);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        MPI_Datatype type = types[i].type;
        unsigned char found[CELL_BYTES] = {0}, again[CELL_BYTES] = {0};
        TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, test_size - 1, 0, win));
        TRY(MPI_Put(zeros, 1, type, test_size - 1, 0, 1, type, win));
        TRY(MPI_Win_flush(test_size - 1, win));
        TRY(MPI_Compare_and_swap(ones, zeros, found, type, test_size - 1, 0, win));
        TRY(MPI_Compare_and_swap(zeros, zeros, again, type, test_size - 1, 0, win));
        TRY(MPI_Win_unlock(test_size - 1, win));
        int size;
        TRY(MPI_Type_size(type, &size));
        CHECK(memcmp(found, zeros, sizeof zeros) == 0, "%s: zeros were there", types[i].name);
        int packed = 0;
        unsigned char bytes[CELL_BYTES];
        TRY(MPI_Pack(again, 1, type, bytes, sizeof bytes, &packed, MPI_COMM_WORLD));
        CHECK(packed == size && memcmp(bytes, ones, (size_t)packed) == 0,
              "%s: the first swap has not been seen by the second", types[i].name);
    }
}

/* -0.0 equals 0.0, but its bits differ. */
static void bits_are_compared(MPI_Win win)
{
    double minus = -0.0, plus = 0.0, five = 5, found = 1, left = 1;
    TRY(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
    TRY(MPI_Put(&minus, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, win));
    TRY(MPI_Win_flush(0, win));
    TRY(MPI_Compare_and_swap(&five, &plus, &found, MPI_DOUBLE, 0, 0, win));
    TRY(MPI_Win_flush(0, win));
    TRY(MPI_Get(&left, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, win));
    TRY(MPI_Win_unlock(0, win));
    CHECK(memcmp(&found, &minus, sizeof minus) == 0 && memcmp(&left, &minus, sizeof minus) == 0,
          "-0.0 was taken for 0.0: found %g, left %g", found, left);
}

/* A sum in floating point that all ranks add to, as programs do it without a lock. */
static void sum(MPI_Win win)
{
    double start = 0, total = 0;
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    TRY(MPI_Win_lock_all(0, win));
    if (test_rank == 0) {
        TRY(MPI_Put(&start, 1, MPI_DOUBLE, 0, 1, 1, MPI_DOUBLE, win));
        TRY(MPI_Win_flush(0, win));
    }
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < ADDITIONS; i++) {
        double guess = 0, found = -1;
        while (found != guess) {
            guess = found < 0 ? 0 : found;
            double next = guess + 0.5;
            TRY(MPI_Compare_and_swap(&next, &guess, &found, MPI_DOUBLE, 0, 1, win));
            TRY(MPI_Win_flush(0, win));
        }
    }
    TRY(MPI_Barrier(MPI_COMM_WORLD));
    TRY(MPI_Get(&total, 1, MPI_DOUBLE, 0, 1, 1, MPI_DOUBLE, win));
    TRY(MPI_Win_unlock_all(win));
    CHECK(total == 0.5 * ADDITIONS * test_size, "the sum is %g, not %g", total,
          0.5 * ADDITIONS * test_size);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    MPI_Aint bytes = 2 * CELL_BYTES;
    for (int is_created = 0; is_created < 2; is_created++) {
        void *memory = is_created ? test_alloc((size_t)bytes) : NULL;
        MPI_Win win;
        if (is_created)
            TRY(MPI_Win_create(memory, bytes, CELL_BYTES, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
        else
            TRY(MPI_Win_allocate(bytes, CELL_BYTES, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
        all_types(win);
        bits_are_compared(win);
        sum(win);
        TRY(MPI_Win_free(&win));
        if (is_created)
            free(memory);
    }
    test_finish();
}
