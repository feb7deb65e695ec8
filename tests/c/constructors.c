/* Every constructor of datatypes, in its int and its MPI_Count form: the positions and the order
 * of the elements, tested by packing, and by messages to and from lists written by hand. */
/* ranks: 1 2 3 */
#include "harness.h"

enum { MEMORY = 80, ORIGIN = 30, ELEMENTS_MOST = 16, COUNT = 2, TAG = 5, UNTOUCHED = -1 };

/* The expected layout of a type made of ints: positions in ints from the buffer's address, and
 * the extent. */
struct expected {
    const char *name;
    int elements, places[ELEMENTS_MOST];
    int lb, extent;
};

static int memory[MEMORY], list[COUNT * ELEMENTS_MOST];

static int place(const struct expected *e, int i)
{
    return ORIGIN + e->places[i % e->elements] + i / e->elements * e->extent;
}

static int value_at(int where, int rank)
{
    return 1000 * (rank + 1) + where;
}

static void fill_memory(void)
{
    for (int i = 0; i < MEMORY; i++)
        memory[i] = value_at(i, test_rank);
}

static void clear_memory(void)
{
    for (int i = 0; i < MEMORY; i++)
        memory[i] = UNTOUCHED;
}

/* The list must contain the values of `rank` at the positions of `e`. */
static void check_list(const struct expected *e, int rank, const char *how)
{
    for (int i = 0; i < COUNT * e->elements; i++) {
        int wanted = value_at(place(e, i), rank);
        CHECK(list[i] == wanted, "%s, %s: element %d is %d; must be %d", e->name, how, i, list[i],
              wanted);
    }
}

/* Memory must contain the values of `rank` at the positions of `e`, and be untouched elsewhere. */
static void check_memory(const struct expected *e, int rank, const char *how)
{
    int wanted[MEMORY];
    for (int i = 0; i < MEMORY; i++)
        wanted[i] = UNTOUCHED;
    for (int i = 0; i < COUNT * e->elements; i++)
        wanted[place(e, i)] = value_at(place(e, i), rank);
    for (int i = 0; i < MEMORY; i++)
        CHECK(memory[i] == wanted[i], "%s, %s: int %d is %d; must be %d", e->name, how, i - ORIGIN,
              memory[i], wanted[i]);
}

static void check_bounds(const struct expected *e, MPI_Datatype type)
{
    MPI_Aint lb = -1, extent = -1, true_lb = -1, true_extent = -1;
    int size = -1, low = e->places[0], high = e->places[0];
    for (int i = 1; i < e->elements; i++) {
        low = e->places[i] < low ? e->places[i] : low;
        high = e->places[i] > high ? e->places[i] : high;
    }
    TRY(MPI_Type_size(type, &size));
    TRY(MPI_Type_get_extent(type, &lb, &extent));
    TRY(MPI_Type_get_true_extent(type, &true_lb, &true_extent));
    CHECK(size == e->elements * 4, "%s: size %d", e->name, size);
    CHECK(lb == e->lb * 4 && extent == e->extent * 4, "%s: lb %ld, extent %ld; must be %d, %d",
          e->name, (long)lb, (long)extent, e->lb * 4, e->extent * 4);
    CHECK(true_lb == low * 4 && true_extent == (high - low + 1) * 4,
          "%s: true lb %ld, true extent %ld", e->name, (long)true_lb, (long)true_extent);
}

static void check_packing(const struct expected *e, MPI_Datatype type)
{
    int position = 0, bytes = COUNT * e->elements * 4;
    fill_memory();
    TRY(MPI_Pack(memory + ORIGIN, COUNT, type, list, sizeof list, &position, MPI_COMM_WORLD));
    CHECK(position == bytes, "%s: %d bytes packed; must be %d", e->name, position, bytes);
    check_list(e, test_rank, "packed");
    clear_memory();
    position = 0;
    TRY(MPI_Unpack(list, bytes, &position, memory + ORIGIN, COUNT, type, MPI_COMM_WORLD));
    check_memory(e, test_rank, "unpacked");
}

static void check_messages(const struct expected *e, MPI_Datatype type)
{
    int next = (test_rank + 1) % test_size, previous = (test_rank + test_size - 1) % test_size;
    int ints = COUNT * e->elements, back[COUNT * ELEMENTS_MOST], count = -1;
    int *origin = memory + ORIGIN;
    MPI_Status status;
    fill_memory();
    TRY(MPI_Sendrecv(origin, COUNT, type, next, TAG, list, ints, MPI_INT, previous, TAG,
                     MPI_COMM_WORLD, &status));
    check_list(e, previous, "sent");
    TRY(MPI_Get_count(&status, type, &count));
    CHECK(count == COUNT, "%s: %d elements received", e->name, count);
    memcpy(back, list, sizeof back);
    clear_memory();
    TRY(MPI_Sendrecv(back, ints, MPI_INT, previous, TAG, origin, COUNT, type, next, TAG,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    check_memory(e, test_rank, "sent and returned");
    clear_memory();
    for (int i = 0; i < ints; i++)
        memory[place(e, i)] = value_at(place(e, i), test_rank);
    TRY(MPI_Sendrecv_replace(origin, COUNT, type, next, TAG, previous, TAG, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE));
    check_memory(e, previous, "replaced");
}

static void judge(const struct expected *e, MPI_Datatype type)
{
    MPI_Datatype freed = type;
    check_bounds(e, type);
    TRY(MPI_Type_commit(&type));
    check_packing(e, type);
    check_messages(e, type);
    TRY(MPI_Type_free(&freed));
    CHECK(freed == MPI_DATATYPE_NULL, "%s: a freed handle stays", e->name);
}

static void blocks(void)
{
    MPI_Datatype t;
    struct expected contiguous = {"contiguous", 3, {0, 1, 2}, 0, 3};
    struct expected vector = {"vector", 4, {0, 1, 3, 4}, 0, 5};
    struct expected backwards = {"vector backwards", 2, {0, -2}, -2, 3};
    struct expected hvector = {"hvector", 2, {0, 3}, 0, 4};
    TRY(MPI_Type_contiguous(3, MPI_INT, &t));
    judge(&contiguous, t);
    TRY(MPI_Type_contiguous_c(3, MPI_INT, &t));
    judge(&contiguous, t);
    TRY(MPI_Type_vector(2, 2, 3, MPI_INT, &t));
    judge(&vector, t);
    TRY(MPI_Type_vector_c(2, 2, 3, MPI_INT, &t));
    judge(&vector, t);
    TRY(MPI_Type_vector(2, 1, -2, MPI_INT, &t));
    judge(&backwards, t);
    TRY(MPI_Type_create_hvector(2, 1, 12, MPI_INT, &t));
    judge(&hvector, t);
    TRY(MPI_Type_create_hvector_c(2, 1, 12, MPI_INT, &t));
    judge(&hvector, t);
}

static void indexed(void)
{
    MPI_Datatype t;
    int lengths[] = {2, 0, 1}, at[] = {3, 1, 0}, places[] = {4, 0};
    MPI_Count lengths_c[] = {2, 0, 1}, at_c[] = {3, 1, 0}, places_c[] = {4, 0};
    int two[] = {1, 2};
    MPI_Count two_c[] = {1, 2}, bytes_c[] = {8, 20};
    MPI_Aint bytes[] = {8, 20};
    struct expected by_extent = {"indexed", 3, {3, 4, 0}, 0, 5};
    struct expected by_bytes = {"hindexed", 3, {2, 5, 6}, 2, 5};
    struct expected block = {"indexed_block", 4, {4, 5, 0, 1}, 0, 6};
    struct expected hblock = {"hindexed_block", 4, {2, 3, 5, 6}, 2, 5};
    TRY(MPI_Type_indexed(3, lengths, at, MPI_INT, &t));
    judge(&by_extent, t);
    TRY(MPI_Type_indexed_c(3, lengths_c, at_c, MPI_INT, &t));
    judge(&by_extent, t);
    TRY(MPI_Type_create_hindexed(2, two, bytes, MPI_INT, &t));
    judge(&by_bytes, t);
    TRY(MPI_Type_create_hindexed_c(2, two_c, bytes_c, MPI_INT, &t));
    judge(&by_bytes, t);
    TRY(MPI_Type_create_indexed_block(2, 2, places, MPI_INT, &t));
    judge(&block, t);
    TRY(MPI_Type_create_indexed_block_c(2, 2, places_c, MPI_INT, &t));
    judge(&block, t);
    TRY(MPI_Type_create_hindexed_block(2, 2, bytes, MPI_INT, &t));
    judge(&hblock, t);
    TRY(MPI_Type_create_hindexed_block_c(2, 2, bytes_c, MPI_INT, &t));
    judge(&hblock, t);
}

/* A structure of an int and two pairs; its component types are freed before it is used. */
static void structures(void)
{
    MPI_Datatype t, parts[2] = {MPI_INT, MPI_DATATYPE_NULL};
    int lengths[] = {1, 2};
    MPI_Count lengths_c[] = {1, 2}, at_c[] = {0, 12};
    MPI_Aint at[] = {0, 12};
    struct expected structure = {"struct", 5, {0, 3, 4, 5, 6}, 0, 7};
    TRY(MPI_Type_contiguous(2, MPI_INT, &parts[1]));
    TRY(MPI_Type_create_struct(2, lengths, at, parts, &t));
    TRY(MPI_Type_free(&parts[1]));
    judge(&structure, t);
    TRY(MPI_Type_vector(2, 1, 1, MPI_INT, &parts[1]));
    TRY(MPI_Type_create_struct_c(2, lengths_c, at_c, parts, &t));
    TRY(MPI_Type_free(&parts[1]));
    judge(&structure, t);
}

static void subarrays(void)
{
    MPI_Datatype t;
    int sizes[] = {3, 4}, subsizes[] = {2, 2}, starts[] = {1, 1};
    MPI_Count sizes_c[] = {4, 3}, subsizes_c[] = {1, 2}, starts_c[] = {2, 1};
    struct expected rows = {"subarray, C order", 4, {5, 6, 9, 10}, 0, 12};
    struct expected columns = {"subarray, Fortran order", 2, {6, 10}, 0, 12};
    TRY(MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &t));
    judge(&rows, t);
    TRY(MPI_Type_create_subarray_c(2, sizes_c, subsizes_c, starts_c, MPI_ORDER_FORTRAN, MPI_INT,
                                   &t));
    judge(&columns, t);
}

static void distributed(void)
{
    MPI_Datatype t;
    int one_size[] = {7}, cyclic[] = {MPI_DISTRIBUTE_CYCLIC}, pairs[] = {2}, two[] = {2};
    MPI_Count sizes[] = {4, 3};
    int kinds[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE}, grid[] = {2, 1};
    int defaults[] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
    struct expected dealt = {"darray, cyclic", 3, {2, 3, 6}, 0, 7};
    struct expected half = {"darray, block", 6, {6, 7, 8, 9, 10, 11}, 0, 12};
    TRY(MPI_Type_create_darray(2, 1, 1, one_size, cyclic, pairs, two, MPI_ORDER_C, MPI_INT, &t));
    judge(&dealt, t);
    TRY(MPI_Type_create_darray_c(2, 1, 2, sizes, kinds, defaults, grid, MPI_ORDER_C, MPI_INT, &t));
    judge(&half, t);
}

static void others(void)
{
    MPI_Datatype t, original;
    struct expected resized = {"resized", 1, {0}, -1, 3};
    struct expected copy = {"dup", 4, {0, 1, 3, 4}, 0, 5};
    TRY(MPI_Type_create_resized(MPI_INT, -4, 12, &t));
    judge(&resized, t);
    TRY(MPI_Type_create_resized_c(MPI_INT, -4, 12, &t));
    judge(&resized, t);
    TRY(MPI_Type_vector(2, 2, 3, MPI_INT, &original));
    TRY(MPI_Type_dup(original, &t));
    TRY(MPI_Type_free(&original));
    judge(&copy, t);
}

/* A type that is freed while a message uses it remains until that message is complete. */
static void freed_in_use(void)
{
    struct expected e = {"freed in use", 4, {0, 1, 3, 4}, 0, 5};
    int next = (test_rank + 1) % test_size, previous = (test_rank + test_size - 1) % test_size;
    MPI_Datatype t;
    MPI_Request request;
    TRY(MPI_Type_vector(2, 2, 3, MPI_INT, &t));
    TRY(MPI_Type_commit(&t));
    clear_memory();
    TRY(MPI_Irecv(memory + ORIGIN, COUNT, t, previous, TAG, MPI_COMM_WORLD, &request));
    TRY(MPI_Type_free(&t));
    TRY(MPI_Type_contiguous(1, MPI_INT, &t));
    for (int i = 0; i < COUNT * e.elements; i++)
        list[i] = value_at(place(&e, i), test_rank);
    TRY(MPI_Send(list, COUNT * e.elements, MPI_INT, next, TAG, MPI_COMM_WORLD));
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    check_memory(&e, previous, "received");
    TRY(MPI_Type_free(&t));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    blocks();
    indexed();
    structures();
    subarrays();
    distributed();
    others();
    freed_in_use();
    test_finish();
    return 0;
}
