#!/usr/bin/env python3
"""Builds the programs in tests/c and tests/fortran with an MPI's compiler wrappers and runs each
under its mpirun. Those in Fortran are left out where there is no Fortran compiler.

Comments at the top of a program say how it is run; tests/c/harness.h lists them.

    tests/run.py --prefix /opt/dunlin              # bin/mpicc, mpifort and mpirun below it
    tests/run.py --prefix /opt/dunlin -k probe     # only names that contain "probe"
    tests/run.py --prefix ... --lacks docs/coverage.md   # leave out what cannot pass yet
    tests/run.py --mpicc mpicc_abi --mpirun mpiexec   # test another MPI with the same programs
"""

import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(TESTS.parent / "study" / "src"))
try:
    from dunlin import execution
except ModuleNotFoundError as missing:
    sys.exit(f"{missing}: `make setup` brings it, and .venv/bin/python has it then")

SOURCES = [TESTS / "c", TESTS / "fortran"]
CFLAGS = ["-std=c11", "-D_GNU_SOURCE", "-O1", "-g", "-Wall", "-Wextra", "-pthread"]
FFLAGS = ["-O1", "-g"]
KEYS = "ranks|args|expect|output|timeout|preload|kind"
DIRECTIVE = re.compile(rf"^(?:/\*|[C!]) +({KEYS}): (.*?)(?: \*/)?$", re.M)
# A function that a page says is not there: an empty box in a list.
MISSING = re.compile(r"^- \[ \] `?(MPI_\w+)", re.M)
TIMEOUT_S_DEFAULT = 60.0
# How much of a failed run's output is shown.
OUTPUT_LINES_MAX = 40


@dataclasses.dataclass
class Program:
    """A source file and what its comments ask for."""

    source: pathlib.Path
    ranks: list[int]
    arguments: list[str]
    exit: str
    output: str | None
    timeout_s: float | None
    preload: str | None
    kind: str

    @property
    def name(self):
        return self.source.stem

    @property
    def is_fortran(self):
        return self.source.suffix != ".c"


@dataclasses.dataclass
class Run:
    """One start of one program."""

    program: Program
    ranks: int
    arguments: str

    def __str__(self):
        return " ".join(filter(None, [self.program.name, self.arguments, f"n={self.ranks}"]))


def read_program(source):
    """Reads the comments of one source file; ends with a sentence where they are wrong."""
    found: dict[str, list[str]] = {}
    for key, value in DIRECTIVE.findall(source.read_text()):
        found.setdefault(key, []).append(value.strip())
    kind = found.get("kind", ["program"])[0]
    if kind not in ("program", "library", "manual"):
        sys.exit(f"{source}: kind is '{kind}'; it must be library, manual or absent")
    if kind == "program" and "ranks" not in found:
        sys.exit(f"{source}: no comment says `ranks:`; say with how many ranks it runs")
    expected = found.get("expect", ["exit=0"])[0].removeprefix("exit=")
    if expected != "nonzero" and not expected.isdigit():
        sys.exit(f"{source}: expect is '{expected}'; it must be exit=NUMBER or exit=nonzero")
    passing = rf"^ok {re.escape(source.stem)}$" if expected == "0" else None
    return Program(
        source=source,
        ranks=[int(n) for line in found.get("ranks", []) for n in line.split()],
        arguments=found.get("args", [""]),
        exit=expected,
        output=found.get("output", [passing])[0],
        timeout_s=float(found["timeout"][0]) if "timeout" in found else None,
        preload=found.get("preload", [None])[0],
        kind=kind,
    )


def find_tool(given, prefix, names):
    """The path of a wrapper or launcher: as given, below the prefix, or on PATH."""
    for name in [given] if given else names:
        inside = pathlib.Path(prefix) / "bin" / name if prefix else None
        if inside and inside.exists():
            return str(inside)
        if (not prefix or given) and (path := shutil.which(name)):
            return path
    where = f"below {prefix}/bin" if prefix else "on PATH"
    sys.exit(f"no {' or '.join([given] if given else names)} {where}; see --help")


def find_fortran(options):
    """The path of the Fortran wrapper, if the compiler behind it is there."""
    if options.prefix and not options.mpifort:
        wrapper = pathlib.Path(options.prefix) / "bin" / "mpifort"
    else:
        wrapper = options.mpifort and shutil.which(options.mpifort)
    if not wrapper or not pathlib.Path(wrapper).exists():
        return None
    shown = subprocess.run([wrapper, "-show"], capture_output=True, text=True)
    return wrapper if shutil.which((shown.stdout.split() or [""])[0]) else None


def sources(options):
    """The programs that can be built, by name."""
    found = [source for folder in SOURCES for source in folder.iterdir()]
    suffixes = {".c", ".f", ".f90"} if options.mpifort else {".c"}
    return sorted((s for s in found if s.suffix in suffixes), key=lambda s: s.stem)


def built_path(directory, program):
    return directory / (f"lib{program.name}.so" if program.kind == "library" else program.name)


def compile_program(options, directory, program):
    """Returns the compiler's words if it failed, else None."""
    shared = ["-shared", "-fPIC"] if program.kind == "library" else []
    target = built_path(directory, program)
    own = FFLAGS if program.is_fortran else CFLAGS
    wrapper = options.mpifort if program.is_fortran else options.mpicc
    # Modules of a program go with what was built of it.
    place = ["-J", str(directory)] if program.is_fortran else []
    flags = [*own, *options.cflags, *place, *shared]
    command = [wrapper, *flags, str(program.source), "-o", str(target), "-ldl"]
    done = subprocess.run(command, capture_output=True, text=True)
    shown = shlex.join(map(str, command))
    return None if done.returncode == 0 else f"{shown}\n{done.stdout}{done.stderr}"


def missing_functions(page, binary):
    """The functions that a program calls and that `page` says are not there."""
    if not page:
        return []
    missing = set(MISSING.findall(pathlib.Path(page).read_text()))
    symbols = subprocess.run(["nm", "-u", str(binary)], capture_output=True, text=True, check=True)
    called = {line.split()[-1].split("@")[0] for line in symbols.stdout.splitlines()}
    return sorted(called & missing)


def judge(program, status, output, timeout_s):
    """Returns what is wrong with a run, or None."""
    if status is None:
        return f"still running after {timeout_s:g} s"
    if program.exit == "nonzero":
        if status == 0:
            return "exit status is 0; it must not be"
    elif status != int(program.exit):
        return f"exit status is {status}; it must be {program.exit}"
    if program.output and not re.search(program.output, output, re.M):
        return f"the output lacks /{program.output}/"
    return None


def run_one(run, options, directory, libraries):
    """Runs a program once and prints the line about it; returns whether it passed."""
    program = run.program
    command = [options.mpirun, *options.mpirun_args, "-n", str(run.ranks)]
    if program.preload:
        tool = built_path(directory, libraries[program.preload])
        command += ["env", f"LD_PRELOAD={tool}"]
    command += [*options.under, str(built_path(directory, program)), *shlex.split(run.arguments)]
    timeout_s = max(program.timeout_s or 0, options.timeout)
    ended = execution.execute(command, {}, timeout_s, together=True)
    wrong = judge(program, ended.exit_code, ended.out, timeout_s)
    if wrong is None and ended.left:
        wrong = f"{ended.left} process(es) were left behind"
    print(f"{'FAIL' if wrong else 'pass'}  {run}  {ended.seconds:.2f} s", flush=True)
    if wrong:
        print(f"      {wrong}\n      {shlex.join(command)}")
        for line in ended.out.splitlines()[-OUTPUT_LINES_MAX:]:
            print(f"      | {line}")
        sys.stdout.flush()
    return wrong is None


def read_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--prefix", help="where the MPI is installed: bin/mpicc and bin/mpirun")
    parser.add_argument("--mpicc", help="the compiler wrapper (default: mpicc)")
    parser.add_argument("--mpifort", help="the one for Fortran (default: mpifort)")
    parser.add_argument("--mpirun", help="the launcher (default: mpirun, then mpiexec)")
    parser.add_argument(
        "--mpirun-args", default="", help="further arguments for the launcher", type=shlex.split
    )
    parser.add_argument(
        "--cflags", default="", help="further flags for the compiler", type=shlex.split
    )
    parser.add_argument(
        "--under", default="", help="what runs each rank, such as valgrind", type=shlex.split
    )
    parser.add_argument(
        "-k", metavar="TEXT", action="append", help="only names that contain TEXT, or another one"
    )
    parser.add_argument(
        "--without", metavar="NAME", action="append", default=[], help="not the program NAME"
    )
    parser.add_argument(
        "-n", metavar="N", type=int, action="append", help="only runs with N ranks, or another N"
    )
    parser.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=float,
        default=TIMEOUT_S_DEFAULT,
        help="for each run, unless its program asks for more (default: %(default)g)",
    )
    parser.add_argument(
        "--lacks",
        metavar="PAGE",
        help="leave out programs that call functions with an empty box (- [ ] NAME) on this page",
    )
    parser.add_argument("--build-dir", help="where to build, and leave what was built")
    parser.add_argument("--only-build", action="store_true", help="build, and run nothing")
    parser.add_argument(
        "--built", action="store_true", help="what --build-dir holds is what would be built"
    )
    parser.add_argument("-x", action="store_true", help="stop at the first failure")
    options = parser.parse_args()
    options.mpicc = find_tool(options.mpicc, options.prefix, ["mpicc"])
    options.mpifort = find_fortran(options)
    options.mpirun = find_tool(options.mpirun, options.prefix, ["mpirun", "mpiexec"])
    return options


def build(programs, options, directory):
    """Compiles all; returns the names of those that failed."""
    failed = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        words = pool.map(lambda p: compile_program(options, directory, p), programs)
        for program, complaint in zip(programs, words, strict=True):
            if complaint:
                failed.append(program.name)
                print(f"FAIL  {program.name}: it does not compile\n{complaint}", flush=True)
    return failed


def run_all(options, directory):
    if not options.mpifort:
        print("no Fortran compiler: the programs in tests/fortran are left out")
    programs = [read_program(source) for source in sources(options)]
    libraries = {p.name: p for p in programs if p.kind == "library"}
    named = [p for p in programs if any(text in p.name for text in options.k or [""])]
    wanted = [p for p in named if p.name not in options.without]
    needed = {p.preload for p in wanted if p.preload}
    to_build = wanted + [p for p in libraries.values() if p.name in needed and p not in wanted]
    failed = [] if options.built else build(to_build, options, directory)
    counts = {True: 0, False: len(failed)}
    if options.only_build:
        return {True: len(to_build) - len(failed), False: len(failed)}
    for program in wanted:
        if program.kind != "program" or {program.name, program.preload} & set(failed):
            continue
        if missing := missing_functions(options.lacks, built_path(directory, program)):
            print(f"lack  {program.name}: {', '.join(missing)}", flush=True)
            continue
        for ranks in program.ranks:
            for arguments in program.arguments:
                if ranks in (options.n or program.ranks):
                    run = Run(program, ranks, arguments)
                    counts[run_one(run, options, directory, libraries)] += 1
                if options.x and counts[False]:
                    return counts
    return counts


def main():
    options = read_options()
    with tempfile.TemporaryDirectory(prefix="mpi-tests-") as temporary:
        directory = pathlib.Path(options.build_dir or temporary)
        directory.mkdir(parents=True, exist_ok=True)
        counts = run_all(options, directory)
    print(f"{counts[True]} passed, {counts[False]} failed")
    sys.exit(0 if counts[False] == 0 and counts[True] > 0 else 1)


if __name__ == "__main__":
    main()
