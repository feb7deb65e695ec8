"""`make test-binaries`: programs of Debian 12, the binaries as they are in their packages, on
Dunlin and on the MPI library that they are linked with.

The packages are unpacked below build/, not installed. debian_programs.toml describes the programs
in the words of tests/fortran_programs; what both libraries compute must agree, and the times are
medians of runs in turns. Where it says `alone`, programs check their results themselves."""

import argparse
import shutil
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from dunlin import checkout
from tests.binaries import families
from tests.fortran_programs import run as programs
from tests.peer_suites import debian

TABLE = Path(__file__).with_name("debian_programs.toml")
INPUTS = Path(__file__).with_name("inputs")
RUNS = families.BUILD / "debian-runs"
RANKS = 4
# Of Dunlin and the library that a program is linked with.
WHICH = {None: slice(2), "dunlin": slice(1), "own": slice(1, 2)}


@dataclass(frozen=True)
class Installed(programs.Library):
    """A library on which binaries run, and where those are."""

    root: Path
    family: str

    def words(self, ranks: int = 1) -> dict[str, str]:
        """What braces in the table stand for."""
        usr = self.root / "usr"
        return super().words(ranks) | {
            "usr": str(usr), "lib": str(usr / "lib/x86_64-linux-gnu"), "inputs": str(INPUTS),
            "family": self.family}


def library_path(root: Path, first: str = "") -> str:
    """Where the loader looks for a package's libraries. BLAS and LAPACK are those that Debian's
    alternatives would choose."""
    lib = root / families.DEBIAN_LIBRARIES
    folders = [lib, lib / "blas", lib / "lapack", root / "usr" / "lib"]
    return ":".join(filter(None, [first, *map(str, folders)]))


def libraries(family: str, root: Path, prefix: Path) -> list[Installed]:
    """Dunlin, and the library that the packages of a family ask for."""
    def on(name: str, launcher: str, path: str) -> Installed:
        cc, fc, cxx = ("mpicc.openmpi", "mpifort.openmpi", "mpicxx.openmpi")
        started = f"env LD_LIBRARY_PATH={path} {launcher}"
        return Installed(name, cc, fc, cxx, started, root, family)

    theirs = library_path(root)
    mine = library_path(root, str(families.ours(family, prefix).parent))
    found = [on("dunlin", f"{prefix}/bin/mpirun", mine)]
    if family == "mpich":
        found.append(on("mpich", f"{root}/usr/bin/mpiexec.hydra", theirs))
    elif launcher := shutil.which("mpirun.openmpi"):
        found.append(on("openmpi", f"{launcher} --oversubscribe --allow-run-as-root", theirs))
    return found


def prepare(name: str, program: dict, library: Installed) -> Path:
    """An empty folder with the program's input."""
    at = RUNS / library.name / name
    shutil.rmtree(at, ignore_errors=True)
    at.mkdir(parents=True)
    for line in program.get("prepare", []):
        path = library_path(library.root)
        programs.shell(f"export LD_LIBRARY_PATH={path}; {line.format(**library.words())}", at,
                       at / "prepare.log")
    return at


def try_program(name: str, program: dict, family: str, options: argparse.Namespace) -> list[bool]:
    """Runs the cases of a program; what came out of each."""
    prefix = options.prefix.resolve()
    title = f"{name}-{family}"
    try:
        root = debian.with_needed(program["packages"], families.DEBIAN)
        only = options.only or ("dunlin" if family in program.get("alone", []) else None)
        chosen = libraries(family, root, prefix)[WHICH[only]]
        places = {library.name: prepare(name, program, library) for library in chosen}
    except debian.Unable as why:
        print(f"FAIL  {title}  {why}", flush=True)
        return [False]
    return [programs.judge(title, case, places, list(chosen), options.turns, ranks, RUNS)
            for case in programs.cases_of(program)
            if any(text in case["name"] for text in options.k or [""])
            for ranks in options.n or case.get("ranks", [RANKS])]


def main() -> int:
    table = tomllib.loads(TABLE.read_text())
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", nargs="*", help=f"of {', '.join(table)}")
    parser.add_argument("-k", action="append", help="only cases whose names contain this text")
    parser.add_argument("-n", type=int, action="append", help=f"ranks (default: {RANKS})")
    parser.add_argument("--turns", type=int, default=3, help="runs on each library (default: 3)")
    parser.add_argument("--only", choices=[name for name in WHICH if name],
                        help="on Dunlin alone, or on the programs' own libraries")
    parser.add_argument("--family", choices=list(families.LIBRARY), help="only its programs")
    parser.add_argument("--prefix", type=Path, default=checkout.PREFIX)
    options = parser.parse_args()
    if unknown := set(options.programs) - set(table):
        print(f"no program {sorted(unknown)}; there are {sorted(table)}", file=sys.stderr)
        return 2
    results = [result for name in options.programs or table
               for family in table[name].get("families", ["openmpi"])
               if options.family in (None, family)
               for result in try_program(name, table[name], family, options)]
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    return 0 if results and all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
