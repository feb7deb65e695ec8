"""`make study-demo`: a small study of Dunlin, MPICH, Open MPI and Intel MPI on this machine, and
its report. An interrupted study is resumed; after `make clean` the next one starts from scratch."""

import subprocess
import sys
from pathlib import Path

from dunlin.errors import DunlinError
from dunlin.peers import libraries

ROOT = Path(__file__).resolve().parent.parent
DUNLIN = Path(sys.executable).parent / "dunlin"
STUDY = ROOT / "build" / "study-demo"


def dunlin(*words) -> None:
    """Runs the command; its own words say what went wrong."""
    done = subprocess.run([DUNLIN, *words], check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)


def main() -> None:
    if not DUNLIN.exists():
        sys.exit("the command `dunlin` is not installed: PyPI could not be reached")
    for name in libraries.PACKAGES:
        try:
            libraries.install(name)
        except DunlinError as error:
            sys.exit(str(error))
    if not STUDY.exists():
        dunlin("study", "new", STUDY, "--example", "demo")
    begun = any((STUDY / "raw").glob("*.jsonl"))
    dunlin("study", "resume" if begun else "run", STUDY)
    dunlin("report", STUDY)


if __name__ == "__main__":
    main()
