"""What may be called before MPI_Init, after it and after MPI_Finalize, and which error handler is
called: each case is a process of its own."""

import tempfile
from pathlib import Path

from tests.differential.generate import quoted
from tests.differential.sweep import Program, ending, read

INIT = "MPI_Init(0, 0);"
QUIET = f"{INIT} MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);"
SELF = f"{INIT} MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);"
SESSION = "MPI_Session s; outcome(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &s));"
FLAGS = """{ int a = -1, b = -1; also("initialized", MPI_Initialized(&a));
            also("finalized", MPI_Finalized(&b)); say(" %d %d", a, b); }"""
LEVEL = """{ int level = -1; also("level", MPI_Query_thread(&level));
            say(" %d", level == MPI_THREAD_MULTIPLE); }"""
SESSION_LEVEL = """{ MPI_Info i; char v[99] = "-"; int n = 99, f = 0; MPI_Session_get_info(s, &i);
            MPI_Info_get_string(i, "thread_level", &n, v, &f); say(" %s", v); }"""

# Calls that belong to no communicator, and one that names none.
HOMELESS = {
    "MPI_Type_size of null": "MPI_Type_size(MPI_DATATYPE_NULL, &n)",
    "MPI_Type_contiguous of -1": "MPI_Type_contiguous(-1, MPI_INT, &type)",
    "MPI_Group_size of null": "MPI_Group_size(MPI_GROUP_NULL, &n)",
    "MPI_Info_set of null": 'MPI_Info_set(MPI_INFO_NULL, "a", "b")',
    "MPI_Op_free of MPI_SUM": "MPI_Op_free(&op)",
    "MPI_Keyval of nothing": "MPI_Comm_free_keyval(&n)",
    "MPI_Send on null": "MPI_Send(&n, 1, MPI_INT, 0, 0, MPI_COMM_NULL)",
    "MPI_Comm_size of null": "MPI_Comm_size(MPI_COMM_NULL, &n)",
    "MPI_Reduce_local of MPI_OP_NULL": "MPI_Reduce_local(&n, &m, 1, MPI_INT, MPI_OP_NULL)",
    "MPI_Dims_create of 7 in 2": "MPI_Dims_create(7, 1, &two)",
    "MPI_Error_class of -1": "MPI_Error_class(-1, &n)",
    "MPI_Get_count of null": "MPI_Get_count(&status, MPI_DATATYPE_NULL, &n)",
    "MPI_Alloc_mem of -1": "MPI_Alloc_mem(-1, MPI_INFO_NULL, &pointer)",
    "MPI_Wait with an old request": "MPI_Start(&request)",
}
VARIABLES = """int n = MPI_KEYVAL_INVALID, m = 0, two = 2; MPI_Datatype type; MPI_Op op = MPI_SUM;
    MPI_Status status; void *pointer; MPI_Request request = MPI_REQUEST_NULL;
    (void)m; (void)two; (void)type; (void)op; (void)status; (void)pointer; (void)request;
    memset(&status, 0, sizeof status);"""


def cases() -> dict[str, str]:
    """The cases: C statements by name."""
    found = {
        "before MPI_Init: flags": FLAGS,
        "before MPI_Init: MPI_Get_version": "int a, b; outcome(MPI_Get_version(&a, &b));",
        "before MPI_Init: MPI_Info_create": "MPI_Info i; outcome(MPI_Info_create(&i));",
        "before MPI_Init: MPI_Error_class": "int c; outcome(MPI_Error_class(MPI_ERR_TAG, &c));",
        "before MPI_Init: MPI_Session_create_errhandler":
            "MPI_Errhandler e; outcome(MPI_Session_create_errhandler(on_session_error, &e));",
        "before MPI_Init: MPI_Comm_size": "int n; outcome(MPI_Comm_size(MPI_COMM_WORLD, &n));",
        "before MPI_Init: MPI_Query_thread": LEVEL,
        "before MPI_Init: MPI_Finalize": "outcome(MPI_Finalize());",
        "MPI_Init: flags": INIT + FLAGS,
        "MPI_Init twice": QUIET + "outcome(MPI_Init(0, 0));",
        "MPI_Init: level": INIT + LEVEL,
        "MPI_Init_thread: level":
            "int p; outcome(MPI_Init_thread(0, 0, MPI_THREAD_MULTIPLE, &p));" + LEVEL,
        "MPI_Finalize: flags": INIT + "outcome(MPI_Finalize());" + FLAGS,
        "MPI_Finalize twice": QUIET + "MPI_Finalize(); outcome(MPI_Finalize());",
        "after MPI_Finalize: MPI_Get_version":
            INIT + "MPI_Finalize(); int a, b; outcome(MPI_Get_version(&a, &b));",
        "after MPI_Finalize: MPI_Info_create":
            INIT + "MPI_Finalize(); MPI_Info i; outcome(MPI_Info_create(&i));",
        "after MPI_Finalize: MPI_Comm_size":
            INIT + "MPI_Finalize(); int n; outcome(MPI_Comm_size(MPI_COMM_WORLD, &n));",
        "after MPI_Finalize: MPI_Init": INIT + "MPI_Finalize(); outcome(MPI_Init(0, 0));",
        "session: flags": SESSION + FLAGS,
        "session: level": SESSION + LEVEL + SESSION_LEVEL,
        "session after MPI_Init: level": INIT + SESSION + LEVEL + SESSION_LEVEL,
        "session after MPI_Init_thread: level":
            "int p; MPI_Init_thread(0, 0, MPI_THREAD_MULTIPLE, &p);" + SESSION + LEVEL
            + SESSION_LEVEL,
        "session after MPI_Finalize":
            INIT + "MPI_Finalize();" + SESSION + "also(\"end\", MPI_Session_finalize(&s));",
        "session, MPI_Init after it": SESSION + "MPI_Session_finalize(&s);"
            "also(\"init\", MPI_Init(0, 0));" + FLAGS,
        "session: MPI_Session_finalize twice":
            SESSION + "MPI_Session t = s; MPI_Session_finalize(&s);"
            "also(\"again\", MPI_Session_finalize(&t));",
        "session: MPI_Comm_size of MPI_COMM_WORLD":
            SESSION + "int n; also(\"size\", MPI_Comm_size(MPI_COMM_WORLD, &n));",
    }
    for setting, begin in {"the world's handler": QUIET, "the process's handler": SELF,
                           "no handler": INIT}.items():
        for name, call in HOMELESS.items():
            found[f"{setting} set: {name}"] = f"{begin} {VARIABLES} outcome({call});"
    return found


def names() -> list[str]:
    """What the cases are called, in the order of their numbers."""
    return list(cases())


def program() -> str:
    """The program; its argument is the number of the case."""
    bodies = [f"static void run_{i}(int edge)\n{{\n    (void)edge; {body}\n}}"
              for i, body in enumerate(cases().values())]
    table = [f"    {{{quoted(name)}, run_{i}, 0}}," for i, name in enumerate(cases())]
    return "\n".join([
        '#include "fixture.h"', '#include "objects.h"', *bodies,
        "static const Case cases[] = {", *table, "};",
        "int main(int argc, char **argv)", "{",
        "    return run_alone(cases, sizeof cases / sizeof *cases, argc, argv);", "}", ""])


def run(life: Program) -> dict[str, str]:
    """The outcomes, by name. The end of a process is one here: an error that nobody handles."""
    found = {}
    for number, name in enumerate(names()):
        with tempfile.TemporaryDirectory(prefix="differential-") as directory:
            path = Path(directory) / "record"
            status = life.start(path, number, number)
            record = read(path)
        end = ending(status)
        found[name] = record.outcomes.get(
            number, "fatal" if end == "ends the process" else end)
    return found
