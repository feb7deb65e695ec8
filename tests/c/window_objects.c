/* What hangs on windows: attributes, names, hints, groups, error handlers. */
/* ranks: 1 2 */
#include "harness.h"

static int handled;
static int deleted;

static void on_error(MPI_Win *win, int *code, ...)
{
    handled += *win != MPI_WIN_NULL && *code == MPI_ERR_RMA_SYNC;
}

static int on_delete(MPI_Win win, int keyval, void *value, void *extra)
{
    (void)win;
    (void)keyval;
    deleted += value == extra;
    return MPI_SUCCESS;
}

static void predefined(MPI_Win win, void *memory, MPI_Aint bytes, int unit, int flavor)
{
    void *value;
    int flag;
    TRY(MPI_Win_get_attr(win, MPI_WIN_BASE, &value, &flag));
    CHECK(flag && value == memory, "the base is wrong");
    TRY(MPI_Win_get_attr(win, MPI_WIN_SIZE, &value, &flag));
    CHECK(flag && *(MPI_Aint *)value == bytes, "the size is %ld", (long)*(MPI_Aint *)value);
    TRY(MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &value, &flag));
    CHECK(flag && *(int *)value == unit, "the unit is %d", *(int *)value);
    TRY(MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &value, &flag));
    CHECK(flag && *(int *)value == flavor, "the flavor is %d", *(int *)value);
    TRY(MPI_Win_get_attr(win, MPI_WIN_MODEL, &value, &flag));
    CHECK(flag && *(int *)value == MPI_WIN_UNIFIED, "the model is %d", *(int *)value);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    double memory[3];
    MPI_Win win;
    TRY(MPI_Win_create(memory, sizeof memory, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    predefined(win, memory, sizeof memory, 8, MPI_WIN_FLAVOR_CREATE);

    char name[MPI_MAX_OBJECT_NAME];
    int length, key, flag, extra;
    TRY(MPI_Win_set_name(win, "table"));
    TRY(MPI_Win_get_name(win, name, &length));
    CHECK(length == 5 && strcmp(name, "table") == 0, "the name is %s", name);

    MPI_Errhandler handler;
    TRY(MPI_Win_create_errhandler(on_error, &handler));
    TRY(MPI_Win_set_errhandler(win, handler));
    TRY(MPI_Errhandler_free(&handler));
    CHECK(MPI_Win_unlock(0, win) == MPI_ERR_RMA_SYNC && handled == 1, "the handler is not called");
    TRY(MPI_Win_call_errhandler(win, MPI_ERR_RMA_SYNC));
    CHECK(handled == 2, "the handler is not called");

    void *value = NULL;
    TRY(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, on_delete, &key, &extra));
    TRY(MPI_Win_set_attr(win, key, &extra));
    TRY(MPI_Win_get_attr(win, key, &value, &flag));
    CHECK(flag && value == &extra, "the attribute is wrong");
    TRY(MPI_Win_delete_attr(win, key));
    TRY(MPI_Win_get_attr(win, key, &value, &flag));
    CHECK(!flag && deleted == 1, "the attribute is still there");
    TRY(MPI_Win_set_attr(win, key, &extra));
    TRY(MPI_Win_free_keyval(&key));

    MPI_Info info;
    char hint[MPI_MAX_INFO_VAL + 1];
    TRY(MPI_Win_get_info(win, &info));
    TRY(MPI_Info_get(info, "no_locks", MPI_MAX_INFO_VAL, hint, &flag));
    CHECK(flag && strcmp(hint, "false") == 0, "no_locks is not told");
    TRY(MPI_Info_free(&info));

    MPI_Group group;
    TRY(MPI_Win_get_group(win, &group));
    TRY(MPI_Group_size(group, &length));
    CHECK(length == test_size, "the group has %d processes", length);
    TRY(MPI_Group_free(&group));
    TRY(MPI_Win_free(&win));
    CHECK(deleted == 2, "the attribute was not deleted with the window");
    test_finish();
}
