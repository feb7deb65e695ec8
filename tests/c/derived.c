/* Derived datatypes in messages: columns, indexed blocks, structures, resized and negative
 * strides; derived on one side and contiguous on the other, or different on both; short and
 * long. */
/* ranks: 2 */
#include "harness.h"

enum { ROWS = 300, COLUMNS = 200, TAG = 70 };

static int matrix[ROWS][COLUMNS];

static void fill_matrix(void)
{
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            matrix[r][c] = r * 1000 + c;
}

static void clear_matrix(void)
{
    memset(matrix, 0xff, sizeof matrix);
}

/* Only the given column may be set, to the values of column `from`. */
static void check_column(int column, int from, const char *what)
{
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++) {
            int wanted = c == column ? r * 1000 + from : -1;
            CHECK(matrix[r][c] == wanted, "%s: row %d, column %d holds %d; must be %d", what, r, c,
                  matrix[r][c], wanted);
        }
}

static void columns(void)
{
    MPI_Datatype column;
    MPI_Status status;
    int list[ROWS], count = -1;
    TRY(MPI_Type_vector(ROWS, 1, COLUMNS, MPI_INT, &column));
    TRY(MPI_Type_commit(&column));
    if (test_rank == 0) {
        fill_matrix();
        for (int i = 0; i < 2; i++)
            TRY(MPI_Send(&matrix[0][7], 1, column, 1, TAG, MPI_COMM_WORLD));
    } else {
        clear_matrix();
        TRY(MPI_Recv(&matrix[0][3], 1, column, 0, TAG, MPI_COMM_WORLD, &status));
        check_column(3, 7, "column to column");
        TRY(MPI_Get_count(&status, column, &count));
        CHECK(count == 1, "one column is %d columns", count);
        TRY(MPI_Recv(list, ROWS, MPI_INT, 0, TAG, MPI_COMM_WORLD, &status));
        for (int r = 0; r < ROWS; r++)
            CHECK(list[r] == r * 1000 + 7, "column to list: %d at %d", list[r], r);
    }
    TRY(MPI_Type_free(&column));
}

/* A transposition: columns, resized so that the next one begins one int further on, become rows. */
static void transposed(void)
{
    static int turned[COLUMNS][ROWS];
    MPI_Datatype column, next_to_each_other;
    TRY(MPI_Type_vector(ROWS, 1, COLUMNS, MPI_INT, &column));
    TRY(MPI_Type_create_resized(column, 0, sizeof(int), &next_to_each_other));
    TRY(MPI_Type_commit(&next_to_each_other));
    TRY(MPI_Type_free(&column));
    fill_matrix();
    if (test_rank == 0) {
        TRY(MPI_Ssend(matrix, COLUMNS, next_to_each_other, 1, TAG, MPI_COMM_WORLD));
        TRY(MPI_Send(matrix, ROWS * COLUMNS, MPI_INT, 1, TAG, MPI_COMM_WORLD));
    } else {
        TRY(MPI_Recv(turned, ROWS * COLUMNS, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c < COLUMNS; c++)
                CHECK(turned[c][r] == r * 1000 + c, "transposed: %d at %d, %d", turned[c][r], c, r);
        clear_matrix();
        TRY(MPI_Recv(matrix, COLUMNS, next_to_each_other, 0, TAG, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE));
        for (int i = 0; i < ROWS * COLUMNS; i++) {
            int value = i / COLUMNS * 1000 + i % COLUMNS, row = i % ROWS, column_at = i / ROWS;
            CHECK(matrix[row][column_at] == value, "transposing receive: %d at %d, %d",
                  matrix[row][column_at], row, column_at);
        }
    }
    TRY(MPI_Type_free(&next_to_each_other));
}

struct particle {
    char kind;
    double place[3];
    short charge;
    int id;
};

static struct particle particle_of(int i)
{
    struct particle p = {(char)('a' + i % 26), {i, -i, i * 0.5}, (short)(i % 7), i * 3};
    return p;
}

static MPI_Datatype particle_type(void)
{
    MPI_Datatype plain, type;
    int lengths[4] = {1, 3, 1, 1};
    MPI_Aint at[4] = {offsetof(struct particle, kind), offsetof(struct particle, place),
                      offsetof(struct particle, charge), offsetof(struct particle, id)};
    MPI_Datatype types[4] = {MPI_CHAR, MPI_DOUBLE, MPI_SHORT, MPI_INT};
    TRY(MPI_Type_create_struct(4, lengths, at, types, &plain));
    TRY(MPI_Type_create_resized(plain, 0, sizeof(struct particle), &type));
    TRY(MPI_Type_commit(&type));
    TRY(MPI_Type_free(&plain));
    return type;
}

static void structures(int count)
{
    MPI_Datatype type = particle_type();
    struct particle *p = calloc((size_t)count + 1, sizeof *p);
    MPI_Status status;
    int size = -1, got = -1;
    TRY(MPI_Type_size(type, &size));
    CHECK(size == 1 + 24 + 2 + 4, "a particle has size %d; must be 31", size);
    if (test_rank == 0) {
        for (int i = 0; i < count; i++)
            p[i] = particle_of(i);
        TRY(MPI_Send(p, count, type, 1, TAG, MPI_COMM_WORLD));
    } else {
        TRY(MPI_Recv(p, count + 1, type, 0, TAG, MPI_COMM_WORLD, &status));
        TRY(MPI_Get_count(&status, type, &got));
        CHECK(got == count, "%d particles arrive as %d", count, got);
        for (int i = 0; i < count; i++) {
            struct particle w = particle_of(i);
            CHECK(p[i].kind == w.kind && !memcmp(p[i].place, w.place, sizeof w.place) &&
                      p[i].charge == w.charge && p[i].id == w.id,
                  "particle %d of %d is wrong: id %d", i, count, p[i].id);
        }
    }
    free(p);
    TRY(MPI_Type_free(&type));
}

/* Blocks of different lengths, in reverse order. */
static void indexed(void)
{
    int lengths[4] = {3, 0, 5, 2}, at[4] = {90, 50, 20, 0}, data[100], list[10];
    MPI_Datatype blocks;
    TRY(MPI_Type_indexed(4, lengths, at, MPI_INT, &blocks));
    TRY(MPI_Type_commit(&blocks));
    for (int i = 0; i < 100; i++)
        data[i] = test_rank == 0 ? i : -1;
    if (test_rank == 0) {
        TRY(MPI_Send(data, 1, blocks, 1, TAG, MPI_COMM_WORLD));
        TRY(MPI_Send(data, 1, blocks, 1, TAG, MPI_COMM_WORLD));
    } else {
        const int wanted[10] = {90, 91, 92, 20, 21, 22, 23, 24, 0, 1};
        TRY(MPI_Recv(list, 10, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        for (int i = 0; i < 10; i++)
            CHECK(list[i] == wanted[i], "indexed to list: %d at %d; must be %d", list[i], i,
                  wanted[i]);
        TRY(MPI_Recv(data, 1, blocks, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        for (int i = 0; i < 100; i++) {
            bool inside = i < 2 || (i >= 20 && i < 25) || (i >= 90 && i < 93);
            CHECK(data[i] == (inside ? i : -1), "indexed to indexed: %d at %d", data[i], i);
        }
    }
    TRY(MPI_Type_free(&blocks));
}

/* In descending order of addresses. */
static void reversed(void)
{
    int data[50];
    MPI_Datatype back;
    TRY(MPI_Type_create_hvector(50, 1, -(MPI_Aint)sizeof(int), MPI_INT, &back));
    TRY(MPI_Type_commit(&back));
    for (int i = 0; i < 50; i++)
        data[i] = test_rank == 0 ? i : -1;
    if (test_rank == 0) {
        TRY(MPI_Send(&data[49], 1, back, 1, TAG, MPI_COMM_WORLD));
    } else {
        TRY(MPI_Recv(data, 50, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        for (int i = 0; i < 50; i++)
            CHECK(data[i] == 49 - i, "reversed: %d at %d", data[i], i);
    }
    TRY(MPI_Type_free(&back));
}

/* Packed by the sender, received as MPI_PACKED and unpacked; and the reverse. */
static void packed(void)
{
    char buffer[200];
    int position = 0, number = 12, size = -1;
    double value = 2.5;
    if (test_rank == 0) {
        TRY(MPI_Pack_size(1, MPI_DOUBLE, MPI_COMM_WORLD, &size));
        CHECK(size >= 8 && size <= 100, "a double takes %d bytes packed", size);
        TRY(MPI_Pack(&number, 1, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD));
        TRY(MPI_Pack(&value, 1, MPI_DOUBLE, buffer, sizeof buffer, &position, MPI_COMM_WORLD));
        TRY(MPI_Send(buffer, position, MPI_PACKED, 1, TAG, MPI_COMM_WORLD));
        return;
    }
    number = 0, value = 0;
    TRY(MPI_Recv(buffer, sizeof buffer, MPI_PACKED, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    TRY(MPI_Unpack(buffer, sizeof buffer, &position, &number, 1, MPI_INT, MPI_COMM_WORLD));
    TRY(MPI_Unpack(buffer, sizeof buffer, &position, &value, 1, MPI_DOUBLE, MPI_COMM_WORLD));
    CHECK(number == 12 && value == 2.5, "unpacked %d and %g", number, value);
}

/* A type may be freed while a message of that type is in progress. */
static void freed_under_way(void)
{
    static int data[60000];
    MPI_Datatype every_other;
    MPI_Request request;
    TRY(MPI_Type_vector(30000, 1, 2, MPI_INT, &every_other));
    TRY(MPI_Type_commit(&every_other));
    for (int i = 0; i < 60000; i++)
        data[i] = test_rank == 0 ? i : -1;
    if (test_rank == 0)
        TRY(MPI_Isend(data, 1, every_other, 1, TAG, MPI_COMM_WORLD, &request));
    else
        TRY(MPI_Irecv(data, 1, every_other, 0, TAG, MPI_COMM_WORLD, &request));
    TRY(MPI_Type_free(&every_other));
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (int i = 0; i < 60000 && test_rank == 1; i++)
        CHECK(data[i] == (i % 2 ? -1 : i), "every other int: %d at %d", data[i], i);
}

/* Half a derived element: not a whole count, but a number of basic elements. */
static void part_elements(void)
{
    MPI_Datatype triple;
    MPI_Status status = {0};
    int values[6] = {1, 2, 3, 4, 5, 6}, count = -1;
    TRY(MPI_Type_contiguous(3, MPI_INT, &triple));
    TRY(MPI_Type_commit(&triple));
    if (test_rank == 1) {
        TRY(MPI_Send(values, 4, MPI_INT, 0, TAG, MPI_COMM_WORLD));
    } else {
        memset(values, 0, sizeof values);
        TRY(MPI_Recv(values, 2, triple, 1, TAG, MPI_COMM_WORLD, &status));
        CHECK(values[3] == 4 && values[4] == 0, "received %d %d after three ints", values[3],
              values[4]);
        TRY(MPI_Get_count(&status, triple, &count));
        CHECK(count == MPI_UNDEFINED, "4 ints are %d triples; must be MPI_UNDEFINED", count);
        TRY(MPI_Get_elements(&status, triple, &count));
        CHECK(count == 4, "4 ints are %d elements", count);
    }
    TRY(MPI_Status_set_elements(&status, triple, 6)); /* counts basic elements */
    TRY(MPI_Get_elements(&status, triple, &count));
    CHECK(count == 6, "6 elements were set, and are %d", count);
    TRY(MPI_Get_count(&status, triple, &count));
    CHECK(count == 2, "6 ints are %d triples", count);
    TRY(MPI_Type_free(&triple));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    test_need_ranks(2);
    columns();
    transposed();
    for (int count = 1; count < 100000; count *= 10)
        structures(count);
    indexed();
    reversed();
    packed();
    freed_under_way();
    part_elements();
    test_finish();
    return 0;
}
