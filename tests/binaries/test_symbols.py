"""The symbols of Dunlin's libraries for programs of other families beside those of the libraries
that they stand for: a program that asks for a public function or object finds it, and an object has
the size with which the program was linked (copy relocations)."""

import re
import subprocess
import tomllib
import unittest
from dataclasses import dataclass
from pathlib import Path

from dunlin import checkout
from dunlin.errors import DunlinError
from tests.binaries import families
from tests.peer_suites import debian

LEFT_OUT = Path(__file__).with_name("left_out.toml")
# MPI_Send, PMPI_Send, MPIX_Comm_shrink; names in capitals belong to the Fortran interface.
FUNCTION = re.compile(r"^P?MPIX?_(\w_)?[A-Z][a-z0-9]\w*$")
# mpi_send_, pmpi_send__, MPI_SEND, mpi_send_f08_, pmpir_send_f08ts_, __mpi_f08_types_MOD_mpi_int;
# not what a compiler needs for polymorphic handles, and not Fortran's copies of C functions.
SUBROUTINE = re.compile(r"^(?:(?:p?mpir?_\w+|__mpi_\w+|P?MPI_[A-Z0-9_]+|ompi_f08_\w+)$)")
# `OMPI_DECLSPEC extern struct ompi_predefined_op_t ompi_mpi_op_max;`, `extern int * const
# MPI_UNWEIGHTED MPICH_API_PUBLIC;`
OBJECT = re.compile(r"\bextern [^;{(/]*?(\w+)(?: MPICH_API_PUBLIC)?;")


@dataclass(frozen=True)
class Symbol:
    """A dynamic symbol that a library defines."""

    kind: str  # FUNC, OBJECT
    bytes: int


def symbols(library: Path) -> dict[str, Symbol]:
    """By name, without versions."""
    command = ["readelf", "--dyn-syms", "--wide", str(library)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    fields = (line.split() for line in lines)
    return {f[7].split("@")[0]: Symbol(f[3], int(f[2], 0))
            for f in fields if len(f) >= 8 and f[3] in ("FUNC", "OBJECT") and f[6] != "UND"}


def public(origin: families.Origin) -> dict[str, Symbol]:
    """What a program may ask for: functions by their names, and the objects that the header
    declares."""
    text = "\n".join(header.read_text(errors="replace") for header in origin.headers)
    objects = set(OBJECT.findall(text))
    return {name: symbol for name, symbol in symbols(origin.library).items()
            if (symbol.kind == "FUNC" and FUNCTION.match(name)) or
            (symbol.kind == "OBJECT" and name in objects)}


def missing(origin: families.Origin, left_out: set[str]) -> list[str]:
    """What Dunlin's library lacks of a library's public symbols, by name."""
    mine, theirs = symbols(families.ours(origin.family)), public(origin)
    absent = [name for name in theirs if name not in mine]
    other = [f"{name}: {mine[name].bytes} bytes, not {symbol.bytes}"
             for name, symbol in theirs.items()
             if name in mine and symbol.kind == "OBJECT" and mine[name].bytes != symbol.bytes]
    return sorted(name for name in absent if name not in left_out) + sorted(other)


def missing_in_fortran(origin: families.Origin, left_out: list[re.Pattern[str]]) -> list[str]:
    """The symbols that Dunlin's libraries for Fortran lack."""
    places = [origin.library.with_name(path.name) for path in
              families.ours_for_fortran(origin.family)]
    theirs = {name: symbol for path in places for name, symbol in symbols(path).items()}
    mine = {name: symbol for path in families.ours_for_fortran(origin.family)
            for name, symbol in symbols(path).items()}
    return sorted(name for name in theirs if SUBROUTINE.match(name) and name not in mine
                  and not any(pattern.fullmatch(name) for pattern in left_out))


def read_left_out() -> dict[str, set[str]]:
    """The symbols that Dunlin leaves out, by family."""
    content = tomllib.loads(LEFT_OUT.read_text())
    return {family: {name for group in content.get(family, {}).values()
                     for name in group.get("names", [])}
            for family in families.LIBRARY}


def read_left_out_in_fortran(family: str) -> list[re.Pattern[str]]:
    """Patterns of the symbols that the libraries for Fortran leave out."""
    content = tomllib.loads(LEFT_OUT.read_text())
    return [re.compile(pattern) for group in content[family].values()
            for pattern in group.get("in_fortran", [])]


class Symbols(unittest.TestCase):
    """Each library's symbols are in ours."""

    maxDiff = None

    def setUp(self):
        for family in families.LIBRARY:
            if not families.ours(family).exists():
                self.skipTest(f"{checkout.PREFIX} has no {families.LIBRARY[family]}")

    def check(self, name):
        try:
            origin = families.ORIGINS[name]()
        except (DunlinError, debian.Unable) as why:
            self.skipTest(str(why))
        self.assertGreater(len(public(origin)), 700, "the pattern finds what there is")
        self.assertEqual(missing(origin, read_left_out()[origin.family]), [])

    def test_of_mpich_5_0(self):
        self.check("mpich")

    def test_of_intel_mpi(self):
        self.check("intel")

    def test_of_open_mpi_5_0(self):
        self.check("openmpi")

    def test_of_mpich_4_0(self):
        self.check("debian-mpich")

    def test_of_open_mpi_4_1(self):
        self.check("debian-openmpi")

    def check_fortran(self, name):
        try:
            origin = families.ORIGINS[name]()
        except (DunlinError, debian.Unable) as why:
            self.skipTest(str(why))
        left_out = read_left_out_in_fortran(origin.family)
        self.assertEqual(missing_in_fortran(origin, left_out), [])

    def test_of_mpich_4_0_in_fortran(self):
        self.check_fortran("debian-mpich")

    def test_of_open_mpi_4_1_in_fortran(self):
        self.check_fortran("debian-openmpi")

    def test_what_is_left_out_is_not_there(self):
        for family, names in read_left_out().items():
            self.assertEqual(sorted(names & set(symbols(families.ours(family)))), [],
                             "take them out of left_out.toml")
