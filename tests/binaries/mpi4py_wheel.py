"""mpi4py's binary wheel from PyPI, untouched, on Dunlin: its own tests, once as it runs with MPICH
and once as with Open MPI. The same list of tests that may fail holds as for mpi4py built for the
standard ABI.

    python -m tests.binaries.mpi4py_wheel -n 2 mpich openmpi"""

import argparse
import subprocess
import sys
import venv
from pathlib import Path

from dunlin import checkout, execution
from dunlin.errors import DunlinError
from scripts import demo
from tests.binaries import families

AT = families.BUILD / "mpi4py"
INSTALL_LIMIT_S = 600


def install() -> Path:
    """The Python of a virtual environment that holds the wheel; made on first use."""
    python = AT / "bin" / "python"
    complete = AT / f"complete-{demo.MPI4PY}"
    if not complete.exists():
        requirements = (checkout.ROOT / "scripts" / "requirements.txt").read_text().splitlines()
        numpy = next(line for line in requirements if line.startswith("numpy"))
        venv.create(AT, with_pip=True, clear=True)
        execution.call([python, "-m", "pip", "install", "-q", "--disable-pip-version-check",
                        "--only-binary", ":all:", demo.MPI4PY, numpy], limit_s=INSTALL_LIMIT_S)
        complete.touch()
    return python


def command(python: Path, family: str, ranks: int, prefix: Path, arguments: list[str]) -> list[str]:
    """The run of mpi4py's tests with the wheel as it is for a family."""
    return [sys.executable, "-m", "tests.mpi4py.suite", "--python", str(python), "-n", str(ranks),
            "--prefix", str(prefix), "--family", family, *arguments]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*", help=f"of {', '.join(families.LIBRARY)}")
    parser.add_argument("-n", type=int, action="append", help="ranks (default: 1, 2, 3 and 4)")
    parser.add_argument("-k", action="append", default=[], help="as for tests.mpi4py.suite")
    parser.add_argument("--prefix", type=Path, default=checkout.PREFIX)
    options = parser.parse_args()
    try:
        python = install()
    except (DunlinError, OSError, subprocess.CalledProcessError) as why:
        print(f"mpi4py's wheel could not be fetched: {why}", file=sys.stderr)
        return 1
    chosen = [word for text in options.k for word in ("-k", text)]
    failed = False
    for family in options.families or families.LIBRARY:
        for ranks in options.n or [1, 2, 3, 4]:
            line = command(python, family, ranks, options.prefix.resolve(), chosen)
            failed |= subprocess.run(line, cwd=checkout.ROOT, check=False).returncode != 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
