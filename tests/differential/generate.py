"""Writes the C program that calls every function with every edge, for the functions that a library
has. The cases and their names are the same for every library."""

from dataclasses import dataclass, field

from tests.differential import kinds
from tests.differential.prototypes import Function, Parameter, error_classes

NUMBERS = {"int", "MPI_Aint", "MPI_Count", "MPI_Offset"}
ROOM = 4


@dataclass
class Variable:
    """How a parameter is declared, which edges it has, how what it received is shown."""

    declare: list[str]
    edges: list[str] = field(default_factory=list)  # statements
    show: str = ""
    free: str = ""
    first: bool = False  # shown before the others


def assigned(name: str, values: list[str]) -> list[str]:
    """Statements that give a parameter each of these values."""
    return [f"{name} = {value}" for value in values]


def scalar(function: Function, p: Parameter) -> Variable:
    """An int and its like, or a handle."""
    table = kinds.SCALARS.get(p.name) if p.base in NUMBERS else kinds.HANDLES[p.base]
    if table is None:
        raise KeyError(f"kinds.SCALARS lacks {p.key} of {function.name}")
    good, edges = table
    if "eighbor_all" in function.name and p.base == "MPI_Comm":
        good = "ring()"
    if function.name == "MPI_Info_get_nkeys":
        edges = [edge for edge in edges if edge != "MPI_INFO_ENV"]  # how many is the library's own
    good = kinds.GOOD.get(function.plain, {}).get(p.name, good)
    return Variable([f"{p.base} {p.name} = {good};"], assigned(p.name, edges))


def text(function: Function, p: Parameter) -> Variable:
    """Text that a call reads, or room for text."""
    if p.const:
        good, edges = kinds.TEXTS[p.name]
        return Variable([f"const char *{p.name} = {good};"], assigned(p.name, edges))
    return Variable(
        [f"static char {p.name}_v[20000]; memset({p.name}_v, 0, 20000);",
         f"char *{p.name} = {p.name}_v;"],
        assigned(p.name, ["NULL"]), "" if p.name == "string" else
        f'if ({p.name}) say(" {p.name}=%.40s", {p.name});')


def memory(function: Function, p: Parameter) -> Variable:
    """A buffer, or the address of a pointer."""
    name = p.name
    if name == "extra_state":
        return Variable([f"void *{name} = NULL;"])
    if name == "base":
        return Variable([f"void *{name}; MPI_Alloc_mem(64, MPI_INFO_NULL, &{name});"],
                        assigned(name, ["NULL"]))
    if name in ("baseptr", "buffer_addr") or (name == "attribute_val" and "_get" in function.name):
        return Variable([f"void *{name}_v = NULL; void *{name} = &{name}_v;"],
                        assigned(name, ["NULL"]), f'say(" {name}=%s", {name}_v ? "set" : "null");')
    if p.const:
        return Variable([f"const void *{name} = in_data;"],
                        assigned(name, kinds.BUFFER_EDGES))
    # What a library keeps in a buffer for its own use is its own affair.
    shown = "" if "attach" in function.name else f'show_bytes("{name}", out_data);'
    return Variable([f"void *{name} = out_data;"], assigned(name, kinds.BUFFER_EDGES), shown)


SHOWN = {
    "int": 'show_int("{0}", {0}_v);', "MPI_Aint": 'show_int("{0}", {0}_v);',
    "MPI_Count": 'show_int("{0}", {0}_v);', "MPI_Comm": 'show_comm("{0}", {0}_v);',
    "MPI_Group": 'show_group("{0}", {0}_v);', "MPI_Datatype": 'show_type("{0}", {0}_v);',
    "MPI_Errhandler": 'show_errhandler("{0}", {0}_v);',
}
NULLS = {
    "MPI_Comm": "MPI_COMM_NULL", "MPI_Group": "MPI_GROUP_NULL", "MPI_Datatype": "MPI_DATATYPE_NULL",
    "MPI_Errhandler": "MPI_ERRHANDLER_NULL", "MPI_Info": "MPI_INFO_NULL", "MPI_Op": "MPI_OP_NULL",
    "MPI_Request": "MPI_REQUEST_NULL", "MPI_Message": "MPI_MESSAGE_NULL",
    "MPI_Session": "MPI_SESSION_NULL",
}
# What is shown by name, since libraries have other numbers for it; a key or a new code by nothing.
NAMED = {
    "result": "show_comparison", "combiner": "show_combiner", "rank": "show_rank",
    "rank_source": "show_rank", "rank_dest": "show_rank", "source": "show_rank",
    "newrank": "show_rank", "provided": "show_level", "status": "show_topology",
}
RANKS = {"ranks2", "sources", "destinations", "neighbors"}
HIDDEN = {"comm_keyval", "type_keyval", "keyval", "errorcode", "address", "resultlen"}
FREED = {
    "MPI_Comm": "free_comm(&{0}_v);", "MPI_Group": "free_group(&{0}_v);",
    "MPI_Datatype": "free_type(&{0}_v);",
}


def show_number(function: Function, p: Parameter) -> str:
    """A number that a call gave back."""
    if p.name == "errorclass":
        return "" if "Add" in function.name else 'say(" %s", class_name(errorclass_v));'
    if p.name in HIDDEN:
        return ""
    return f'{NAMED.get(p.name, "show_int")}("{p.name}", {p.name}_v);'


def result(function: Function, p: Parameter) -> Variable:
    """The address of something that the call writes."""
    name, start = p.name, NULLS.get(p.base, "-77")
    variable = Variable([f"{p.base} {name}_v = {start};", f"{p.base} *{name} = &{name}_v;"],
                        assigned(name, ["NULL"]))
    if p.base == "MPI_Request":
        end = "free_request" if "_init" in function.name else \
            "wait_and_show" if "recv" in function.name else "wait_for"
        variable.show, variable.first = f"if ({name}) {end}(&{name}_v);", True
        return variable
    if p.base in NUMBERS:
        variable.show = show_number(function, p)
    elif p.base in SHOWN:
        variable.show = SHOWN[p.base].format(name)
        variable.free = FREED.get(p.base, "").format(name)
    else:
        variable.show = f'say(" {name}=%s", {name}_v == {start} ? "null" : "made");'
    return variable


def handle_at(function: Function, p: Parameter) -> Variable:
    """The address of a handle that the call reads, and may change."""
    name = p.name
    good, edges = kinds.HANDLES_AT[p.base]
    if "Wait" in function.name:
        edges = [edge for edge in edges if edge != "generalized()"]
    return Variable(
        [f"{p.base} {name}_v = {good};", f"{p.base} *{name} = &{name}_v;"],
        assigned(f"{name}_v", edges) + assigned(name, ["NULL"]),
        f'say(" {name}=%s", {name}_v == {NULLS[p.base]} ? "null" : "kept");',
        f"later(&{name}_v);" if p.base == "MPI_Request" else "")


def status(function: Function, p: Parameter) -> Variable:
    """One status, or several."""
    if p.name == "array_of_statuses":
        return Variable(["MPI_Status statuses_v[2] = {some_status(), some_status()};",
                         "MPI_Status *array_of_statuses = statuses_v;"],
                        assigned("array_of_statuses", ["MPI_STATUSES_IGNORE"]))
    const = "const " if p.const else ""
    flag = any(q.name == "flag" and q.pointer for q in function.parameters)
    shown = "" if p.const else f'if (status != MPI_STATUS_IGNORE{" && flag_v" if flag else ""}) ' \
        'show_status("status", &status_v);'
    return Variable(["MPI_Status status_v = some_status();",
                     f"{const}MPI_Status *status = &status_v;"],
                    assigned("status", ["MPI_STATUS_IGNORE"]), shown)


def array(function: Function, p: Parameter) -> Variable:
    """An array that the call reads, or room for one."""
    name = p.name
    if name == "ranges":
        return Variable(["int ranges_v[2][3] = {{0, 0, 1}, {0, 0, 1}};",
                         "int (*ranges)[3] = ranges_v;"], assigned(name, ["NULL"]))
    given = kinds.ARRAYS.get(name) if p.const or name == "array_of_requests" else None
    if given is None and name == "dims" and function.name == "MPI_Dims_create":
        given = ("0, 0", [])
    const = "const " if p.const else ""
    if given is None:
        start = NULLS.get(p.base, "-77")
        show = "show_ranks" if name in RANKS else "show_ints"
        shown = f'{show}("{name}", {name}_v, {ROOM});' if p.base == "int" else ""
        return Variable([f"{p.base} {name}_v[32] = {{{', '.join([start] * ROOM)}}};",
                         f"{p.base} *{name} = {name}_v;"], assigned(name, ["NULL"]), shown)
    good, edges = given
    good = kinds.GOOD.get(function.plain, {}).get(name, good)
    lines = [f"{p.base} {name}_v[{ROOM}] = {{{good}}};", f"{const}{p.base} *{name} = {name}_v;"]
    statements = ["; ".join(f"{name}_v[{i}] = {value.strip()}"
                            for i, value in enumerate(edge.split(","))) for edge in edges]
    ends = kinds.WEIGHT_EDGES if "weights" in name else ["NULL"]
    shown = "" if p.const or p.base != "int" else f'show_ints("{name}", {name}_v, 2);'
    free = "later(&array_of_requests_v[0]);" if name == "array_of_requests" else ""
    return Variable(lines, statements + assigned(name, ends), shown, free)


def variable(function: Function, p: Parameter) -> Variable:
    """The variable for a parameter."""
    if p.base.endswith(("_function", "_function_c", "_fn")):
        good, edges = kinds.CALLBACKS[p.name]
        good += "_c" if p.base.endswith("_c") else ""
        return Variable([f"{p.base} *{p.name} = {good};"], assigned(p.name, edges))
    if p.base == "char":
        return text(function, p)
    if p.base == "void":
        return memory(function, p)
    if p.base == "MPI_Status":
        return status(function, p)
    if p.array or (p.pointer and "weights" in p.name):
        return array(function, p)
    if not p.pointer:
        return scalar(function, p)
    if function.plain in kinds.READS_HANDLE_AT and p.name != "status" and p.base in NULLS \
            and not (p.base == "MPI_Request" and "Imrecv" in function.name):
        return handle_at(function, p)
    return result(function, p)


def pairs(function: Function, variables: dict[str, Variable]) -> list[str]:
    """Each edge beside an empty count, and beside a null process."""
    if function.large:
        return []
    found = []
    scalars = {p.name for p in function.parameters if not p.pointer and not p.array}
    firsts = [f"{name} = 0" for name in kinds.EMPTY if name in scalars]
    firsts += [f"{name} = MPI_PROC_NULL" for name in kinds.NOBODY if name in scalars]
    for first in firsts:
        for name, other in variables.items():
            if name != first.split()[0]:
                found += [f"{first}; {edge}" for edge in other.edges]
    return found


def edges_of(function: Function, variables: dict[str, Variable]) -> list[str]:
    """All cases of a function as statements; the first changes nothing."""
    single = [edge for v in variables.values() for edge in v.edges]
    more = [] if function.large else kinds.MORE.get(function.name, [])
    return list(dict.fromkeys(["", *single, *more, *pairs(function, variables)]))


def case_name(function: Function, statement: str) -> str:
    """`MPI_Send count=-1`."""
    words = statement.replace(" = ", "=").replace("; ", " & ").replace("_v", "")
    return f"{function.name} {words}".strip()


@dataclass
class Generated:
    """The C text of a function's cases, and their names."""

    code: str
    names: list[str]
    edges: int


def one_function(function: Function) -> Generated:
    """The function that runs the cases of an MPI function."""
    variables = {p.name: variable(function, p) for p in function.parameters}
    statements = edges_of(function, variables)
    lines = [f"static void run_{function.name}(int edge)", "{",
             "    void *left; int left_size; (void)left; (void)left_size;"]
    lines += [f"    {line}" for v in variables.values() for line in v.declare]
    lines.append(f"    {kinds.BEFORE.get(function.plain, '')}")
    lines.append("    switch (edge) {")
    lines += [f"    case {i}: {statement}; break;" for i, statement in enumerate(statements) if i]
    lines.append("    }")
    lines.append(f"    {kinds.READY.get(function.plain, '')}")
    lines.append(f"    if (outcome({function.name}({', '.join(variables)}))) {{")
    shown = sorted(variables.values(), key=lambda v: not v.first)
    lines += [f"        {v.show}" for v in shown if v.show]
    lines.append("    }")
    lines += [f"    {v.free}" for v in variables.values() if v.free]
    lines.append(f"    {kinds.AFTER.get(function.plain, '')}")
    lines.append("}")
    return Generated("\n".join(lines), [case_name(function, s) for s in statements],
                     len(statements))


def class_table() -> str:
    """The error classes that a library has, by name."""
    return "\n".join(f'#ifdef {name}\n{{"{name.removeprefix("MPI_")}", {name}}},\n#endif'
                     for name in error_classes())


def quoted(name: str) -> str:
    """As a C string."""
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def program(functions: list[Function], there: set[str]) -> tuple[str, list[str]]:
    """The program for a library that has the functions of `there`, and the names of its cases."""
    parts = [f'#include "{name}"' for name in ("fixture.h", "objects.h", "show.h")]
    table, names = [], []
    for function in functions:
        if function.name not in there:
            continue
        made = one_function(function)
        parts.append(made.code)
        names += made.names
        table += [f"    {{{quoted(name)}, run_{function.name}, {i}}},"
                  for i, name in enumerate(made.names)]
    parts += ["static const Case cases[] = {", *table, "};",
              "int main(int argc, char **argv)", "{",
              "    return run_cases(cases, sizeof cases / sizeof *cases, clean_up, argc, argv);",
              "}", ""]
    return "\n".join(parts), names
