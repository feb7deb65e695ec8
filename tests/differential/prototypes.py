"""The functions of MPI as our header declares them."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
HEADER = ROOT / "include" / "mpi.h"
COVERAGE = ROOT / "docs" / "coverage.md"


@dataclass(frozen=True)
class Parameter:
    """One parameter of a function: `const int ranks[]` is an array of `int`."""

    base: str
    name: str
    pointer: bool
    array: bool
    const: bool

    @property
    def key(self) -> str:
        """Type and name as the tables of `kinds` have them."""
        star = "*" if self.pointer else ""
        array = "[]" if self.array else ""
        return f"{'const ' if self.const else ''}{self.base} {star}{self.name}{array}"


@dataclass(frozen=True)
class Function:
    """A function and its parameters."""

    name: str
    parameters: tuple[Parameter, ...]

    @property
    def large(self) -> bool:
        """Does it take counts of type MPI_Count?"""
        return self.name.endswith("_c")

    @property
    def plain(self) -> str:
        """The name of the form with counts of type int."""
        return self.name.removesuffix("_c")


def parameter(text: str) -> Parameter:
    """Takes `const MPI_Datatype sendtypes[]` apart."""
    words = re.sub(r"\s+", " ", text.strip())
    array = words.endswith("]")
    words = re.sub(r"(\[\d*\])+$", "", words)
    match = re.fullmatch(r"(const )?(\w+) ?(\**) ?(\w+)", words)
    if match is None:
        raise ValueError(f"`{text}` is no parameter that this understands")
    const, base, stars, name = match.groups()
    return Parameter(base, name, bool(stars), array, bool(const))


def implemented() -> set[str]:
    """The functions that Dunlin has."""
    return set(re.findall(r"^- \[x\] (\w+)", COVERAGE.read_text(), re.M))


def functions(wanted: set[str]) -> list[Function]:
    """The functions of the header that are wanted, those that return an int."""
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.S)
    found = []
    for name, inside in re.findall(r"^int (MPI_\w+)\(([^;]*?)\);", text, re.M):
        if name in wanted:
            words = [] if inside == "void" else inside.split(",")
            found.append(Function(name, tuple(parameter(word) for word in words)))
    return found


def declared(headers: list[Path]) -> set[str]:
    """The functions that another library's headers declare."""
    text = "".join(header.read_text(errors="replace") for header in headers)
    return set(re.findall(r"\b(MPI_\w+)\s*\(", text))


def error_classes() -> list[str]:
    """The names of the error classes."""
    names = re.findall(r"^#define (MPI_ERR_\w+)\s", HEADER.read_text(), re.M)
    return ["MPI_SUCCESS", *(n for n in names if n != "MPI_ERR_LASTCODE")]
