"""The programs of tests/c and tests/fortran, compiled by other libraries' own wrappers for their
own ABI, run on Dunlin as they are. c_programs.toml lists those that cannot be, with the reason.

    python -m tests.binaries.c_programs                    # each wrapper, two ranks
    python -m tests.binaries.c_programs mpich -n 1 -n 4
    python -m tests.binaries.c_programs --cflags=-no-pie
    python -m tests.binaries.c_programs debian-mpich --fortran"""

import argparse
import sys
import tomllib
from pathlib import Path

from dunlin import checkout, execution
from dunlin.errors import DunlinError
from tests.binaries import families
from tests.peer_suites import debian

LISTED = Path(__file__).with_name("c_programs.toml")
FORTRAN = checkout.ROOT / "tests" / "fortran"
LIMIT_S = 1800


def left_out(origin: str) -> list[str]:
    """The programs that are not tried with a wrapper."""
    groups = tomllib.loads(LISTED.read_text()).values()
    return sorted({name for g in groups if origin in g["origins"] for name in g["programs"]})


def command(origin: families.Origin, prefix: Path, arguments: list[str]) -> list[str]:
    """The run of tests/run.py with a wrapper, and our launcher."""
    without = [word for name in left_out(origin.name) for word in ("--without", name)]
    fortran = ["--mpifort", str(origin.mpifort)] if origin.mpifort else []
    return [sys.executable, "tests/run.py", "--mpicc", str(origin.mpicc), *fortran,
            "--mpirun", str(prefix / "bin" / "mpirun"), *without, *arguments]


def run(name: str, prefix: Path, arguments: list[str]) -> bool:
    """Builds and runs all programs with a wrapper; tells whether all is well."""
    try:
        origin = families.ORIGINS[name]()
    except (DunlinError, debian.Unable) as why:
        print(f"{name}: skipped: {why}")
        return True
    if not origin.mpicc.exists():
        print(f"{name}: skipped: there is no {origin.mpicc}")
        return True
    print(f"{name}: {origin.mpicc}", flush=True)
    environment = {**origin.environment, **families.on_dunlin(origin.family, prefix)}
    ended = execution.execute(command(origin, prefix, arguments), environment, LIMIT_S,
                              at=checkout.ROOT, together=True)
    lines = ended.out.splitlines()
    print("\n".join(line for line in lines if not line.startswith("pass ")), flush=True)
    return ended.exit_code == 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("origins", nargs="*", help=f"of {', '.join(families.ORIGINS)}")
    parser.add_argument("-n", type=int, action="append", help="ranks (default: 2)")
    parser.add_argument("-k", action="append", default=[], help="as for tests/run.py")
    parser.add_argument("--fortran", action="store_true", help="only programs in Fortran")
    parser.add_argument("--cflags", default="", help="further flags for the compiler")
    parser.add_argument("--prefix", type=Path, default=checkout.PREFIX)
    options = parser.parse_args()
    arguments = [f"--cflags={options.cflags}"]
    arguments += [word for n in options.n or [2] for word in ("-n", str(n))]
    only = sorted(path.stem for path in FORTRAN.glob("*.f*")) if options.fortran else []
    arguments += [word for text in options.k + only for word in ("-k", text)]
    results = [run(name, options.prefix.resolve(), arguments)
               for name in options.origins or families.ORIGINS]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
