/* Packing: consecutive values in the program's buffer, sent as MPI_PACKED, and external32 byte
 * by byte. */
/* ranks: 1 2 */
#include "harness.h"

enum { ROOM = 256, TAG = 9 };

struct values {
    int number;
    double real;
    short column[3];
};

static const struct values given = {0x01020304, -1.5, {1, -2, 300}};

static void make_column(MPI_Datatype *column)
{
    TRY(MPI_Type_vector(3, 1, 2, MPI_SHORT, column));
    TRY(MPI_Type_commit(column));
}

/* The column is every second short. */
static void spread(short spaced[6])
{
    for (int i = 0; i < 6; i++)
        spaced[i] = i % 2 ? 77 : given.column[i / 2];
}

static void check(const struct values *seen, const short spaced[6], const char *how)
{
    CHECK(seen->number == given.number, "%s: the int is %#x", how, seen->number);
    CHECK(seen->real == given.real, "%s: the double is %g", how, seen->real);
    for (int i = 0; i < 6; i++) {
        int wanted = i % 2 ? -1 : given.column[i / 2];
        CHECK(spaced[i] == wanted, "%s: short %d is %d; must be %d", how, i, spaced[i], wanted);
    }
}

static int pack(char *buffer, MPI_Datatype column)
{
    short spaced[6];
    int position = 0, sizes[3], sum;
    spread(spaced);
    TRY(MPI_Pack(&given.number, 1, MPI_INT, buffer, ROOM, &position, MPI_COMM_WORLD));
    TRY(MPI_Pack(&given.real, 1, MPI_DOUBLE, buffer, ROOM, &position, MPI_COMM_WORLD));
    TRY(MPI_Pack(spaced, 1, column, buffer, ROOM, &position, MPI_COMM_WORLD));
    TRY(MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &sizes[0]));
    TRY(MPI_Pack_size(1, MPI_DOUBLE, MPI_COMM_WORLD, &sizes[1]));
    TRY(MPI_Pack_size(1, column, MPI_COMM_WORLD, &sizes[2]));
    sum = sizes[0] + sizes[1] + sizes[2];
    CHECK(position <= sum, "packed %d bytes; MPI_Pack_size promised %d", position, sum);
    return position;
}

static void unpack(const char *buffer, int size, MPI_Datatype column, const char *how)
{
    struct values seen = {0};
    short spaced[6] = {-1, -1, -1, -1, -1, -1};
    int position = 0;
    TRY(MPI_Unpack(buffer, size, &position, &seen.number, 1, MPI_INT, MPI_COMM_WORLD));
    TRY(MPI_Unpack(buffer, size, &position, &seen.real, 1, MPI_DOUBLE, MPI_COMM_WORLD));
    TRY(MPI_Unpack(buffer, size, &position, spaced, 1, column, MPI_COMM_WORLD));
    CHECK(position == size, "%s: %d of %d bytes were unpacked", how, position, size);
    check(&seen, spaced, how);
}

static void packed_messages(MPI_Datatype column)
{
    int next = (test_rank + 1) % test_size, previous = (test_rank + test_size - 1) % test_size;
    char out[ROOM], in[ROOM];
    int size = pack(out, column), count = -1;
    MPI_Status status;
    unpack(out, size, column, "packed here");
    TRY(MPI_Sendrecv(out, size, MPI_PACKED, next, TAG, in, ROOM, MPI_PACKED, previous, TAG,
                     MPI_COMM_WORLD, &status));
    TRY(MPI_Get_count(&status, MPI_PACKED, &count));
    CHECK(count == size, "%d bytes of MPI_PACKED arrived; %d were sent", count, size);
    unpack(in, size, column, "packed elsewhere");
}

/* Data packed in pieces matches a receive of one structure. */
static void packed_to_structure(void)
{
    int next = (test_rank + 1) % test_size, previous = (test_rank + test_size - 1) % test_size;
    struct values seen = {0};
    char out[ROOM];
    int lengths[] = {1, 1, 3}, position = 0;
    MPI_Aint at[] = {offsetof(struct values, number), offsetof(struct values, real),
                     offsetof(struct values, column)};
    MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE, MPI_SHORT}, structure;
    TRY(MPI_Type_create_struct(3, lengths, at, types, &structure));
    TRY(MPI_Type_commit(&structure));
    TRY(MPI_Pack(&given.number, 1, MPI_INT, out, ROOM, &position, MPI_COMM_WORLD));
    TRY(MPI_Pack(&given.real, 1, MPI_DOUBLE, out, ROOM, &position, MPI_COMM_WORLD));
    TRY(MPI_Pack(given.column, 3, MPI_SHORT, out, ROOM, &position, MPI_COMM_WORLD));
    TRY(MPI_Sendrecv(out, position, MPI_PACKED, next, TAG, &seen, 1, structure, previous, TAG,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(seen.number == given.number && seen.real == given.real, "structure: %#x, %g",
          seen.number, seen.real);
    CHECK(memcmp(seen.column, given.column, sizeof given.column) == 0, "structure: the column");
    TRY(MPI_Type_free(&structure));
}

static void external(MPI_Datatype column)
{
    static const unsigned char wanted[] = {1, 2, 3, 4, 0xbf, 0xf8, 0, 0, 0, 0, 0, 0,
                                           0, 1, 0xff, 0xfe, 1, 0x2c};
    unsigned char buffer[ROOM];
    struct values seen = {0};
    short spaced[6], back[6] = {-1, -1, -1, -1, -1, -1};
    MPI_Aint position = 0, size = -1;
    spread(spaced);
    TRY(MPI_Pack_external("external32", &given.number, 1, MPI_INT, buffer, ROOM, &position));
    TRY(MPI_Pack_external("external32", &given.real, 1, MPI_DOUBLE, buffer, ROOM, &position));
    TRY(MPI_Pack_external("external32", spaced, 1, column, buffer, ROOM, &position));
    CHECK(position == sizeof wanted, "external32: %ld bytes; must be %zu", (long)position,
          sizeof wanted);
    for (size_t i = 0; i < sizeof wanted; i++)
        CHECK(buffer[i] == wanted[i], "external32: byte %zu is %#x; must be %#x", i, buffer[i],
              wanted[i]);
    TRY(MPI_Pack_external_size("external32", 2, column, &size));
    CHECK(size == 12, "external32: two columns have %ld bytes; must be 12", (long)size);
    position = 0;
    TRY(MPI_Unpack_external("external32", buffer, sizeof wanted, &position, &seen.number, 1,
                            MPI_INT));
    TRY(MPI_Unpack_external("external32", buffer, sizeof wanted, &position, &seen.real, 1,
                            MPI_DOUBLE));
    TRY(MPI_Unpack_external("external32", buffer, sizeof wanted, &position, back, 1, column));
    CHECK(position == sizeof wanted, "external32: unpacked %ld bytes", (long)position);
    check(&seen, back, "external32");
}

/* The MPI_Count forms. */
static void large_counts(MPI_Datatype column)
{
    unsigned char buffer[ROOM];
    MPI_Count position = 0, size = -1;
    short spaced[6], back[6] = {-1, -1, -1, -1, -1, -1};
    struct values seen = given;
    spread(spaced);
    TRY(MPI_Pack_c(spaced, 1, column, buffer, ROOM, &position, MPI_COMM_WORLD));
    TRY(MPI_Pack_size_c(1, column, MPI_COMM_WORLD, &size));
    CHECK(size >= position && position >= 6, "packed %ld bytes; MPI_Pack_size_c says %ld",
          (long)position, (long)size);
    size = position, position = 0;
    TRY(MPI_Unpack_c(buffer, size, &position, back, 1, column, MPI_COMM_WORLD));
    check(&seen, back, "large counts");
}

int main(int argc, char **argv)
{
    MPI_Datatype column;
    test_start(&argc, &argv);
    make_column(&column);
    packed_messages(column);
    packed_to_structure();
    external(column);
    large_counts(column);
    TRY(MPI_Type_free(&column));
    test_finish();
    return 0;
}
