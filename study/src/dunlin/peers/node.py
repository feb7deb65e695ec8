"""`make bench-peers`: Dunlin beside MPICH, Open MPI and Intel MPI, as PyPI ships them, in turns;
medians over rounds count, and each peer's best setting."""

import argparse
import os
import sys
import time
from pathlib import Path
from typing import Any

from dunlin.cli import told
from dunlin.libraries import DUNLIN
from dunlin.peers import cases, libraries, line_states, rounds, table
from dunlin.peers.cases import Plan
from dunlin.peers.libraries import Contender
from dunlin.peers.rounds import Run


def prepare(options: argparse.Namespace, names: set[str]) -> list[Contender]:
    """Installs the libraries and builds the programs."""
    prefixes = {DUNLIN: options.prefix}
    wanted = options.libraries
    if options.before is not None:
        prefixes[libraries.BEFORE] = options.before
        wanted = [*wanted, libraries.BEFORE]
    found = [libraries.contender(name, prefixes) for name in wanted]
    for contender in found:
        contender.build(names)
    return found


def of_each_state(runs: list[Run]) -> str:
    """Where the machine was in several states: what the launches of each gave."""
    parts = [f"\n{state.title}\n\n{table.report(table.records(there), None)}"
             for state, there in line_states.by_state(runs)]
    return "".join(parts)


def line_ratio(contenders: list[Contender]) -> dict[str, Any] | None:
    """Dunlin's 8 bytes beside the bare cache line, measured in turns."""
    for one in contenders:
        if one.name == DUNLIN and "pingpong_vs_cache_line" in one.programs:
            return one.rows("pingpong_vs_cache_line", 2)[0]
    return None


def parse() -> argparse.Namespace:
    """The command line."""
    parser = rounds.parser("peers", __doc__, "some twenty minutes on two cores")
    rounds.add_libraries(parser)
    parser.add_argument("--only", nargs="+", metavar="PATTERN",
                        help="benchmarks by name or group: latency, 'all*', 'nonblocking*'")
    parser.add_argument("--before", type=Path, metavar="PREFIX",
                        help="another build of Dunlin, to be a peer as well")
    return rounds.parse(parser)


def main() -> None:
    """The whole comparison."""
    options = parse()
    plan = Plan(len(os.sched_getaffinity(0)), not options.quick, options.ranks, options.sizes,
                options.only)
    wanted = cases.cases_of(plan)
    if not wanted:
        sys.exit("nothing has that name; leave out --only to see what there is")
    names = {case.program for case in wanted}
    if any(case.benchmark == "latency" for case in wanted):
        names.add("pingpong_vs_cache_line")
    contenders = prepare(options, names)
    began = time.monotonic()
    look = line_states.looker(contenders[0].library) if plan.cores > 1 else None
    runs = rounds.measure(rounds.runs_of(wanted, contenders), options.launches, look=look)
    records = table.records(runs)
    text = table.report(records, line_ratio(contenders)) + of_each_state(runs)
    text = rounds.end_with(text, began, options)
    rounds.save(options.out, "peers", records, text)
    print(text)


if __name__ == "__main__":
    told(main)
