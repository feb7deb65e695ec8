/* Thousands of live objects of each kind: every handle is new, denotes its object, and is none
 * of the predefined handles. */
/* ranks: 2 */
/* timeout: 120 */
#include "harness.h"

enum { MANY = 20000, COMMS = 3000, SESSIONS = 2000 };

static intptr_t seen[MANY];

static int by_value(const void *a, const void *b)
{
    intptr_t x = *(const intptr_t *)a, y = *(const intptr_t *)b;
    return (x > y) - (x < y);
}

/* The standard reserves the handles up to 0xfff for predefined objects. */
static void all_new(int n, const char *kind)
{
    qsort(seen, (size_t)n, sizeof *seen, by_value);
    CHECK(seen[0] > 0xfff, "a new %s has the predefined handle %#zx", kind, (size_t)seen[0]);
    for (int i = 1; i < n; i++)
        CHECK(seen[i] != seen[i - 1], "two live objects (%s) have the handle %#zx", kind,
              (size_t)seen[i]);
}

static void datatypes(void)
{
    static MPI_Datatype types[MANY];
    for (int i = 0; i < MANY; i++) {
        if (i >= MANY / 2)
            TRY(MPI_Type_dup(types[i - MANY / 2], &types[i]));
        else
            TRY(MPI_Type_contiguous(i + 1, MPI_BYTE, &types[i]));
        CHECK(types[i] != MPI_DATATYPE_NULL, "datatype %d is MPI_DATATYPE_NULL", i);
        seen[i] = (intptr_t)types[i];
    }
    all_new(MANY, "datatype");
    for (int i = 0; i < MANY; i++) {
        int size = -1, wanted = i % (MANY / 2) + 1;
        TRY(MPI_Type_size(types[i], &size));
        CHECK(size == wanted, "datatype %d has %d bytes; must be %d", i, size, wanted);
        TRY(MPI_Type_free(&types[i]));
    }
}

static void first_of(void *in, void *inout, int *len, MPI_Datatype *type)
{
    int size = -1;
    MPI_Type_size(*type, &size);
    CHECK(size == 4, "an operator was given a datatype of %d bytes", size);
    for (int i = 0; i < *len; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

/* Operators and attribute callbacks get the handle, too. */
static void datatypes_in_callbacks(void)
{
    MPI_Datatype types[400];
    MPI_Op op;
    TRY(MPI_Op_create(first_of, 1, &op));
    for (int i = 0; i < 400; i++) {
        int mine[1] = {1}, sum[1] = {0};
        if (i % 2)
            TRY(MPI_Type_dup(MPI_INT, &types[i]));
        else
            TRY(MPI_Type_contiguous(1, MPI_INT, &types[i]));
        TRY(MPI_Type_commit(&types[i]));
        TRY(MPI_Allreduce(mine, sum, 1, types[i], op, MPI_COMM_WORLD));
        CHECK(sum[0] == test_size, "the sum over datatype %d is %d", i, sum[0]);
    }
    for (int i = 0; i < 400; i++)
        TRY(MPI_Type_free(&types[i]));
    TRY(MPI_Op_free(&op));
}

static void groups(void)
{
    static MPI_Group many[MANY];
    MPI_Group world;
    TRY(MPI_Comm_group(MPI_COMM_WORLD, &world));
    for (int i = 0; i < MANY; i++) {
        int rank = i % test_size;
        TRY(MPI_Group_incl(world, 1, &rank, &many[i]));
        CHECK(many[i] != MPI_GROUP_NULL && many[i] != MPI_GROUP_EMPTY, "group %d is null", i);
        seen[i] = (intptr_t)many[i];
    }
    all_new(MANY, "group");
    for (int i = 0; i < MANY; i++) {
        int size = -1;
        TRY(MPI_Group_size(many[i], &size));
        CHECK(size == 1, "group %d has %d members", i, size);
        TRY(MPI_Group_free(&many[i]));
    }
    TRY(MPI_Group_free(&world));
}

static void operators(void)
{
    static MPI_Op many[MANY];
    for (int i = 0; i < MANY; i++) {
        TRY(MPI_Op_create(first_of, i % 2, &many[i]));
        CHECK(many[i] != MPI_OP_NULL, "operator %d is MPI_OP_NULL", i);
        seen[i] = (intptr_t)many[i];
    }
    all_new(MANY, "operator");
    for (int i = 0; i < MANY; i++) {
        int commute = -1;
        TRY(MPI_Op_commutative(many[i], &commute));
        CHECK(commute == i % 2, "operator %d commutes: %d", i, commute);
        TRY(MPI_Op_free(&many[i]));
    }
}

static void handle_nothing(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
}

static void errhandlers(void)
{
    static MPI_Errhandler many[MANY];
    for (int i = 0; i < MANY; i++) {
        TRY(MPI_Comm_create_errhandler(handle_nothing, &many[i]));
        CHECK(many[i] != MPI_ERRHANDLER_NULL, "error handler %d is null", i);
        seen[i] = (intptr_t)many[i];
    }
    all_new(MANY, "error handler");
    for (int i = 0; i < MANY; i++) {
        MPI_Errhandler now = MPI_ERRHANDLER_NULL;
        TRY(MPI_Comm_set_errhandler(MPI_COMM_SELF, many[i]));
        TRY(MPI_Comm_get_errhandler(MPI_COMM_SELF, &now));
        CHECK(now == many[i], "error handler %d comes back as another", i);
        TRY(MPI_Errhandler_free(&many[i]));
    }
    TRY(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
}

static void infos(void)
{
    static MPI_Info many[MANY];
    char value[16], wanted[16];
    for (int i = 0; i < MANY; i++) {
        TRY(MPI_Info_create(&many[i]));
        CHECK(many[i] != MPI_INFO_NULL && many[i] != MPI_INFO_ENV, "info object %d is null", i);
        snprintf(wanted, sizeof wanted, "%d", i);
        TRY(MPI_Info_set(many[i], "number", wanted));
        seen[i] = (intptr_t)many[i];
    }
    all_new(MANY, "info object");
    for (int i = 0; i < MANY; i++) {
        int flag = 0, room = sizeof value;
        snprintf(wanted, sizeof wanted, "%d", i);
        TRY(MPI_Info_get_string(many[i], "number", &room, value, &flag));
        CHECK(flag && !strcmp(value, wanted), "info object %d says %s", i, value);
        TRY(MPI_Info_free(&many[i]));
    }
}

static void keys(void)
{
    static int many[MANY], values[MANY];
    for (int i = 0; i < MANY; i++) {
        TRY(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &many[i],
                                   NULL));
        CHECK(many[i] != MPI_KEYVAL_INVALID, "key %d is MPI_KEYVAL_INVALID", i);
        seen[i] = many[i];
    }
    all_new(MANY, "key");
    for (int i = 0; i < MANY; i += 16)
        TRY(MPI_Comm_set_attr(MPI_COMM_SELF, many[i], &values[i]));
    for (int i = 0; i < MANY; i++) {
        void *value = NULL;
        int flag = -1;
        TRY(MPI_Comm_get_attr(MPI_COMM_SELF, many[i], &value, &flag));
        CHECK(flag == (i % 16 == 0) && (!flag || value == &values[i]), "key %d: flag %d", i, flag);
        if (flag)
            TRY(MPI_Comm_delete_attr(MPI_COMM_SELF, many[i]));
        TRY(MPI_Comm_free_keyval(&many[i]));
    }
}

static void requests(void)
{
    static MPI_Request many[MANY];
    static int got[MANY];
    MPI_Comm self = MPI_COMM_SELF;
    for (int i = 0; i < MANY; i++) {
        if (i % 2)
            TRY(MPI_Irecv(&got[i], 1, MPI_INT, 0, i, self, &many[i]));
        else
            TRY(MPI_Recv_init(&got[i], 1, MPI_INT, 0, i, self, &many[i]));
        CHECK(many[i] != MPI_REQUEST_NULL, "request %d is MPI_REQUEST_NULL", i);
        seen[i] = (intptr_t)many[i];
    }
    all_new(MANY, "request");
    for (int i = 0; i < MANY; i++) {
        if (i % 2) {
            TRY(MPI_Send(&i, 1, MPI_INT, 0, i, self));
            TRY(MPI_Wait(&many[i], MPI_STATUS_IGNORE));
            CHECK(got[i] == i, "receive %d got %d", i, got[i]);
        } else {
            TRY(MPI_Request_free(&many[i]));
        }
    }
}

static void messages(void)
{
    static MPI_Message many[MANY];
    for (int i = 0; i < MANY; i++) {
        TRY(MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_SELF));
        TRY(MPI_Mprobe(0, i, MPI_COMM_SELF, &many[i], MPI_STATUS_IGNORE));
        CHECK(many[i] != MPI_MESSAGE_NULL && many[i] != MPI_MESSAGE_NO_PROC, "message %d", i);
        seen[i] = (intptr_t)many[i];
    }
    all_new(MANY, "message");
    for (int i = 0; i < MANY; i++) {
        int got = -1;
        TRY(MPI_Mrecv(&got, 1, MPI_INT, &many[i], MPI_STATUS_IGNORE));
        CHECK(got == i, "message %d holds %d", i, got);
    }
}

static void communicators(MPI_Comm of, int n)
{
    static MPI_Comm many[COMMS];
    for (int i = 0; i < n; i++) {
        TRY(MPI_Comm_dup(of, &many[i]));
        CHECK(many[i] != MPI_COMM_NULL, "communicator %d is MPI_COMM_NULL", i);
        seen[i] = (intptr_t)many[i];
    }
    all_new(n, "communicator");
    /* The last ones first: none receives a message of another. */
    int size = 0, rank = 0;
    TRY(MPI_Comm_size(of, &size));
    TRY(MPI_Comm_rank(of, &rank));
    for (int i = 0; i < n; i++)
        TRY(MPI_Send(&i, 1, MPI_INT, (rank + 1) % size, 0, many[i]));
    for (int i = n - 1; i >= 0; i--) {
        int got = -1;
        TRY(MPI_Recv(&got, 1, MPI_INT, (rank + size - 1) % size, 0, many[i], MPI_STATUS_IGNORE));
        CHECK(got == i, "communicator %d delivers what was sent on %d", i, got);
    }
    for (int i = 0; i < n; i++)
        TRY(MPI_Comm_free(&many[i]));
}

static void sessions(void)
{
    static MPI_Session many[SESSIONS];
    for (int i = 0; i < SESSIONS; i++) {
        TRY(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &many[i]));
        CHECK(many[i] != MPI_SESSION_NULL, "session %d is MPI_SESSION_NULL", i);
        seen[i] = (intptr_t)many[i];
    }
    all_new(SESSIONS, "session");
    for (int i = 0; i < SESSIONS; i++)
        TRY(MPI_Session_finalize(&many[i]));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    datatypes_in_callbacks();
    datatypes();
    groups();
    operators();
    errhandlers();
    infos();
    keys();
    requests();
    messages();
    communicators(MPI_COMM_SELF, COMMS);
    communicators(MPI_COMM_WORLD, COMMS / 10);
    sessions();
    test_finish();
    return 0;
}
