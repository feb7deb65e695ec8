"""Writes the C program that applies every operator to every datatype in every call that reduces."""

from tests.differential.generate import quoted

CALLS = ["MPI_Reduce_local", "MPI_Allreduce", "MPI_Reduce", "MPI_Iallreduce", "MPI_Scan",
         "MPI_Exscan", "MPI_Reduce_scatter_block", "MPI_Reduce_scatter"]
OPERATORS = ["MPI_SUM", "MPI_MIN", "MPI_MAX", "MPI_PROD", "MPI_BAND", "MPI_BOR", "MPI_BXOR",
             "MPI_LAND", "MPI_LOR", "MPI_LXOR", "MPI_MINLOC", "MPI_MAXLOC", "MPI_REPLACE",
             "MPI_NO_OP"]

# Type, form (see `reductions.h`), bytes of the value, extent.
TYPES = [
    *((name, "i", size, size) for name, size in [
        ("CHAR", 1), ("SIGNED_CHAR", 1), ("UNSIGNED_CHAR", 1), ("BYTE", 1), ("PACKED", 1),
        ("WCHAR", 4), ("SHORT", 2), ("INT", 4), ("LONG", 8),
        ("LONG_LONG", 8), ("UNSIGNED_SHORT", 2), ("UNSIGNED", 4), ("UNSIGNED_LONG", 8),
        ("UNSIGNED_LONG_LONG", 8), ("INT8_T", 1), ("UINT8_T", 1), ("INT16_T", 2), ("UINT16_T", 2),
        ("INT32_T", 4), ("UINT32_T", 4), ("INT64_T", 8), ("UINT64_T", 8), ("AINT", 8),
        ("COUNT", 8), ("OFFSET", 8), ("CHARACTER", 1), ("LOGICAL", 4), ("LOGICAL1", 1),
        ("LOGICAL2", 2), ("LOGICAL4", 4), ("LOGICAL8", 8), ("LOGICAL16", 16), ("INTEGER", 4),
        ("INTEGER1", 1), ("INTEGER2", 2), ("INTEGER4", 4), ("INTEGER8", 8), ("INTEGER16", 16)]),
    *((name, "f", size, size) for name, size in [
        ("FLOAT", 4), ("DOUBLE", 8), ("REAL", 4), ("DOUBLE_PRECISION", 8), ("REAL2", 2),
        ("REAL4", 4), ("REAL8", 8)]),
    ("C_BOOL", "b", 1, 1), ("CXX_BOOL", "b", 1, 1),
    ("LONG_DOUBLE", "x", 16, 16), ("REAL16", "q", 16, 16),
    *((name, "c", size, 2 * size) for name, size in [
        ("C_FLOAT_COMPLEX", 4), ("C_DOUBLE_COMPLEX", 8), ("CXX_FLOAT_COMPLEX", 4),
        ("CXX_DOUBLE_COMPLEX", 8), ("COMPLEX", 4), ("DOUBLE_COMPLEX", 8), ("COMPLEX4", 2),
        ("COMPLEX8", 4), ("COMPLEX16", 8)]),
    ("C_LONG_DOUBLE_COMPLEX", "z", 16, 32), ("CXX_LONG_DOUBLE_COMPLEX", "z", 16, 32),
    ("COMPLEX32", "w", 16, 32),
    ("FLOAT_INT", "fi", 4, 8), ("DOUBLE_INT", "fi", 8, 16), ("LONG_INT", "ii", 8, 16),
    ("2INT", "ii", 4, 8), ("SHORT_INT", "ii", 4, 8), ("LONG_DOUBLE_INT", "xi", 16, 32),
    ("2REAL", "ff", 4, 8), ("2DOUBLE_PRECISION", "ff", 8, 16), ("2INTEGER", "ii", 4, 8),
]


def names() -> list[str]:
    """What the cases are called, in the order of their numbers."""
    return [f"{call} {op} MPI_{name}" for call in CALLS for op in OPERATORS
            for name, *_ in TYPES]


def type_table() -> list[str]:
    """The types of a library; those it has not got are not there."""
    lines = []
    for name, form, value, extent in TYPES:
        given = f'"{form}", {value}, {extent}'
        lines += [f"#ifdef MPI_{name}", f'    {{"MPI_{name}", 1, MPI_{name}, {given}}},', "#else",
                  f'    {{"MPI_{name}", 0, MPI_DATATYPE_NULL, {given}}},', "#endif"]
    return lines


def program() -> str:
    """The whole program."""
    cases = [f"    {{{quoted(name)}, run, {i}}}," for i, name in enumerate(names())]
    return "\n".join([
        '#include "fixture.h"', '#include "reductions.h"',
        "static void run(int edge)", "{",
        "    Type types[] = {", *type_table(), "    };",
        "    MPI_Op operators[] = {", f"        {', '.join(OPERATORS)}", "    };",
        f"    const Type *type = &types[edge % {len(TYPES)}];",
        f"    int op = edge / {len(TYPES)} % {len(OPERATORS)};",
        "    if (!type->there || type->handle == MPI_DATATYPE_NULL)",
        '        say("absent");',
        "    else",
        f"        reduce(edge / {len(TYPES) * len(OPERATORS)}, operators[op], type);",
        "}",
        "static const Case cases[] = {", *cases, "};",
        "int main(int argc, char **argv)", "{",
        "    return run_cases(cases, sizeof cases / sizeof *cases, nothing_to_clean, argc, argv);",
        "}", ""])
