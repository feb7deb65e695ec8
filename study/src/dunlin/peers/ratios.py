"""Programs that do the same in two ways, by the same processes in turns (`bench/bench_turns.h`):
their ratios, medians over launches."""

import argparse
from pathlib import Path

from dunlin import checkout, programs
from dunlin.libraries import Library
from dunlin.stats import median
from dunlin.words import columns

RANKS = 2
# Medians of seven still differ by 5 %: each launch places its memory elsewhere.
LAUNCHES = 21


def options(about: str | None) -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--prefix", type=Path, default=checkout.PREFIX,
                        help="where Dunlin is installed (default: build/prefix)")
    parser.add_argument("--launches", type=int, default=LAUNCHES, help="default: %(default)d")
    return parser.parse_args()


def show(library: Library, program: Path, launches: int, one: str, other: str) -> None:
    """Runs a program, whose columns are those of `one` and `other`, and prints a table."""
    by_name: dict[str, list[dict[str, float]]] = {}
    for _ in range(launches):
        for row in programs.rows(library, RANKS, program):
            by_name.setdefault(row["bench"], []).append(row)
    table = []
    for name, rows in by_name.items():
        keys = (f"{one.lower()}_ns", f"{other.lower()}_ns", "ratio")
        mine, theirs, ratio = (median([r[key] for r in rows]) for key in keys)
        ratios = [r["ratio"] for r in rows]
        table.append([name, f"{mine:.0f}", f"{theirs:.0f}", f"{ratio:.3f}",
                      f"{min(ratios):.3f} to {max(ratios):.3f}"])
    heads = ["8 bytes", f"{one} ns", f"{other} ns", "ratio", "of single launches"]
    print(columns(heads, table))
