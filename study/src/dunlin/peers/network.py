"""`make bench-network`: messages between two hosts, Dunlin beside MPICH, Open MPI and Intel MPI
over TCP and beside bare sockets, in turns; each peer's best setting counts. The hosts are network
namespaces of this machine, which a checkout's `tests/cluster` makes."""

import argparse
import contextlib
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from dunlin.cli import told
from dunlin.libraries import DUNLIN
from dunlin.peers import cases, rounds, spread, table
from dunlin.peers.cases import KIB, MIB, Case, Plan
from dunlin.peers.libraries import Contender, is_peer
from dunlin.peers.spread import BARE, FABRICS, FLOWS, Hosts
from dunlin.peers.table import Record

if TYPE_CHECKING:
    from tests.cluster.cluster import Cluster

SIZES = [8, KIB, 8 * KIB, 64 * KIB, MIB, 4 * MIB]
ALLREDUCE_SIZES = [8, 64 * KIB]
ALLREDUCE_RANKS = [2, 4, 8]
CAP_MBIT = 1000
CAP_SIZES = [64 * KIB, MIB]
ROOTED_RANKS = 8
ROOTED_SIZES = [8, KIB, 8 * KIB, 64 * KIB]
SCENARIOS = ["hosts", "cap", "datagrams"]
ONESIDED_OPERATIONS = "put,get,fetch_and_op"
BENCHMARKS = ["latency", "bandwidth", "allreduce", "onesided", "passive_target"]


@dataclass
class Part:
    """One comparison: what is measured of whom, under which fault, and who is compared."""

    title: str
    cases: list[Case]
    contenders: list[Contender]
    us: str
    peer: Callable[[str], bool] = is_peer
    cap_mbit: int | None = None


def pair_cases(plan: Plan, sizes: list[int], benchmarks: list[str]) -> list[Case]:
    """Two ranks, a host each."""
    figures = {"latency": cases.MICROSECONDS, "bandwidth": cases.MEGABYTES}
    arguments = [*plan.sized(sizes), *plan.budget(100, 50)]
    return [Case(name, name, name, 2, figures[name], arguments, plan.situation(2))
            for name in benchmarks]


def collective_case(plan: Plan, op: str, ranks: int, sizes: list[int]) -> Case:
    """One operation, half of the ranks on each host."""
    return Case(op, f"{op}, {ranks} ranks", "collective", ranks, cases.collective_figure(op),
                ["--op", op, *plan.sized(sizes), *plan.budget(100, 50)], plan.situation(ranks))


def onesided_cases(plan: Plan) -> list[Case]:
    """Remote memory of the other host, and a target there that computes."""
    words = ["--op", ONESIDED_OPERATIONS, "--flavor", "allocate", "--sync", "lock_all,lock_unlock",
             *plan.sized(cases.ONESIDED_SIZES), *plan.budget(100, 20)]
    # Where the origin's host and the target's have a core for both, a thread that helps the target
    # may be put onto the origin's, which two machines never do.
    passive = replace(cases.passive_target(plan), arguments=["--pin"])
    return [Case("onesided", "one-sided", "onesided", 2, cases.MICROSECONDS, words,
                 plan.situation(2), by_row=True), passive]


def hosts_part(plan: Plan, net: Hosts, names: list[str], prefix: Path) -> Part:
    """The aims: latency, bandwidth, allreduce, one-sided communication."""
    wanted = pair_cases(plan, SIZES, ["latency", "bandwidth"])
    wanted += [collective_case(plan, "allreduce", ranks, ALLREDUCE_SIZES)
              for ranks in plan.multiples(ALLREDUCE_RANKS)]
    wanted += onesided_cases(plan)
    found = [spread.contender(n, net) for n in names if n != DUNLIN]
    if DUNLIN in names:
        found += [spread.dunlin(prefix, net, f) for f in (None, *FABRICS)]
    found += [spread.bare(name, net) for name in BARE]
    return Part("two hosts", wanted, found, DUNLIN)


def cap_part(plan: Plan, net: Hosts, names: list[str], prefix: Path) -> Part:
    """One flow gets 1 Gb/s, as a cloud has it: who has several?"""
    found = [spread.contender(n, net) for n in names if n != DUNLIN]
    for one in found:
        if one.name == "openmpi":
            one.settings = [*one.settings, spread.OPENMPI_FLOWS]
    us = spread.dunlin(prefix, net, "tcp", DUNLIN_NET_FLOWS=str(FLOWS))
    if DUNLIN in names:
        found.append(us)
    return Part(f"{CAP_MBIT} Mb/s for each flow", pair_cases(plan, CAP_SIZES, ["bandwidth"]),
                found, us.name, cap_mbit=CAP_MBIT)


def datagrams_part(plan: Plan, net: Hosts, _names: list[str], prefix: Path) -> Part:
    """Reliable datagrams without order (as SRD) beside unreliable ones (as UD), on the same link:
    roots that need not keep what they sent until it is acknowledged."""
    wanted = [collective_case(plan, op, ROOTED_RANKS, ROOTED_SIZES)
             for op in ("scatterv", "gatherv", "allreduce")]
    reliable, unreliable = (spread.dunlin(prefix, net, f) for f in ("tcp", "udp"))
    return Part("reliable unordered beside unreliable datagrams", wanted, [reliable, unreliable],
                reliable.name, lambda name: name == unreliable.name)


PARTS = {"hosts": hosts_part, "cap": cap_part, "datagrams": datagrams_part}


def capped(net: "Cluster", mbit: int | None) -> contextlib.AbstractContextManager[None]:
    """Each flow gets so much."""
    from tests.cluster import faults  # as in `main`

    return contextlib.nullcontext() if mbit is None else faults.cap_per_flow(net, mbit)


def run_part(part: Part, net: "Cluster", launches: int) -> tuple[list[Record], str]:
    """Measures; returns the records and what a reader wants to see."""
    wanted = [c for c in part.cases if any(
        one.settings_for(c.situation, c.program) for one in part.contenders)]
    for one in part.contenders:
        one.build({case.program for case in wanted})
    with capped(net, part.cap_mbit):
        runs = rounds.measure(rounds.runs_of(wanted, part.contenders), launches, net.end_processes)
    records = table.records(runs)
    text = table.report(records, None, part.us, part.peer)
    named = [{"scenario": part.title, **record} for record in records]
    return named, f"== {part.title} ==\n\n{text}"


def parse() -> argparse.Namespace:
    """The command line."""
    parser = rounds.parser("network", __doc__, "some ten minutes on two cores")
    rounds.add_libraries(parser)
    parser.add_argument("--only", nargs="+", choices=SCENARIOS, default=SCENARIOS,
                        help="these comparisons (default: all)")
    parser.add_argument("--benchmarks", nargs="+", choices=BENCHMARKS, default=BENCHMARKS,
                        help="of the first comparison, these (default: all)")
    parser.add_argument("--mtu", type=int, default=1500, metavar="BYTES",
                        help="of the link (default: %(default)s)")
    return rounds.parse(parser)


def without_dunlin(options: argparse.Namespace) -> None:
    """Leaves Dunlin out where it cannot run on several hosts, and says so."""
    why = spread.dunlin_lacks(options.prefix)
    if why is not None and DUNLIN in options.libraries:
        print(f"Dunlin is left out: {why}", file=sys.stderr)
        options.libraries.remove(DUNLIN)
    if DUNLIN not in options.libraries:
        options.only = [name for name in options.only if name != "datagrams"]


def main() -> None:
    """All comparisons."""
    from tests.cluster.cluster import Cluster, obstacle  # only a checkout has them

    options = parse()
    if why := obstacle("nft"):
        sys.exit(f"no benchmark of the network: {why}")
    without_dunlin(options)
    plan = Plan(len(os.sched_getaffinity(0)), not options.quick, options.ranks, options.sizes)
    began, records, texts = time.monotonic(), [], []
    with Cluster(hosts=2, mtu=options.mtu) as net:
        for name in options.only:
            part = PARTS[name](plan, net, options.libraries, options.prefix)
            if name == "hosts":
                part.cases = [c for c in part.cases if c.benchmark in options.benchmarks]
            found, text = run_part(part, net, options.launches)
            records += found
            texts.append(text)
            print(text, flush=True)
    text = rounds.end_with(f"MTU {options.mtu}", began, options)
    print(text)
    rounds.save(options.out, "network", records, "\n".join([*texts, text]))


if __name__ == "__main__":
    told(main)
