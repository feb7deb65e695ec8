"""What the programs share that measure libraries in turns, round by round: the command line, and
the files they leave."""

import argparse
import json
from pathlib import Path

import harness
import peer_libraries

RESULTS = harness.ROOT / "bench-results"
LAUNCHES, LAUNCHES_QUICK = 7, 3


def parser(name: str, about: str, quick: str) -> argparse.ArgumentParser:
    """The common part of a command line of the program that leaves NAME.json and NAME.txt."""
    made = argparse.ArgumentParser(description=about)
    made.add_argument("--ranks", type=int, nargs="+", help="these numbers of ranks")
    made.add_argument("--launches", type=int,
                      help=f"rounds (default {LAUNCHES}; with --quick {LAUNCHES_QUICK})")
    made.add_argument("--quick", action="store_true", help=quick)
    made.add_argument("--prefix", type=Path, default=harness.PREFIX,
                      help="where Dunlin is installed (default: build/prefix)")
    made.add_argument("--out", type=Path, default=RESULTS,
                      help=f"directory for {name}.json and {name}.txt (default: bench-results)")
    return made


def add_libraries(made: argparse.ArgumentParser) -> None:
    """Which libraries, and at which sizes."""
    made.add_argument("--sizes", type=int, nargs="+", metavar="BYTES", help="these sizes")
    made.add_argument("--libraries", default=",".join(peer_libraries.NAMES), metavar="A,B",
                      help="of %(default)s (the default)")


def parse(made: argparse.ArgumentParser) -> argparse.Namespace:
    """The options, with the number of rounds and the libraries by name."""
    options = made.parse_args()
    options.prefix = options.prefix.resolve()
    options.launches = options.launches or (LAUNCHES_QUICK if options.quick else LAUNCHES)
    if "libraries" in options:
        options.libraries = options.libraries.split(",")
        for name in options.libraries:
            if name not in peer_libraries.NAMES:
                known = ", ".join(peer_libraries.NAMES)
                made.error(f"--libraries has `{name}`; it knows {known}")
    return options


def save(out: Path, name: str, records: list[dict], text: str) -> None:
    """Leaves the figures for programs and the table for people."""
    out.mkdir(parents=True, exist_ok=True)
    (out / f"{name}.json").write_text(json.dumps(records, indent=1) + "\n")
    (out / f"{name}.txt").write_text(text)
