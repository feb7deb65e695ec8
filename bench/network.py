"""`make bench-network`: messages between two hosts, Dunlin beside MPICH, Open MPI and Intel MPI
over TCP and beside bare sockets. The hosts are network namespaces of this machine. As in peers.py
each round runs every library once in every case, and each peer's best setting counts."""

import argparse
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import network_libraries
import peer_cases
import peer_libraries
import peer_table
import peers
import rounds
from network_libraries import BARE, FABRICS, FLOWS
from peer_cases import KIB, MIB, Case, Plan
from peer_libraries import DUNLIN, Library

import faults  # noqa: I001 (network_libraries has shown where it lies)
from cluster import MTU_DEFAULT, Cluster, obstacle

SIZES = [8, KIB, 8 * KIB, 64 * KIB, MIB, 4 * MIB]
ALLREDUCE_SIZES = [8, 64 * KIB]
ALLREDUCE_RANKS = [2, 4, 8]
CAP_MBIT = 1000
CAP_SIZES = [64 * KIB, MIB]
ROOTED_RANKS = 8
ROOTED_SIZES = [8, KIB, 8 * KIB, 64 * KIB]
SCENARIOS = ["hosts", "cap", "datagrams"]
BENCHMARKS = ["latency", "bandwidth", "allreduce"]


@dataclass
class Part:
    """One comparison: what is measured of whom, under which fault, and who is compared."""

    title: str
    cases: list[Case]
    libraries: list[Library]
    us: str
    peer: object = staticmethod(peer_libraries.is_peer)
    cap_mbit: int | None = None


def pair_cases(plan: Plan, sizes: list[int], benchmarks: list[str]) -> list[Case]:
    """Two ranks, a host each."""
    figures = {"latency": peer_cases.MICROSECONDS, "bandwidth": peer_cases.MEGABYTES}
    arguments = [*plan.sized(sizes), *plan.budget(100, 50)]
    return [Case(name, name, name, 2, figures[name], arguments, plan.situation(2))
            for name in benchmarks]


def collective_case(plan: Plan, op: str, ranks: int, sizes: list[int]) -> Case:
    """One operation, half of the ranks on each host."""
    return Case(op, f"{op}, {ranks} ranks", "collective", ranks, peer_cases.collective_figure(op),
                ["--op", op, *plan.sized(sizes), *plan.budget(100, 50)], plan.situation(ranks))


def hosts_part(plan: Plan, net: Cluster, names: list[str], prefix: Path) -> Part:
    """The aims: latency, bandwidth, allreduce."""
    cases = pair_cases(plan, SIZES, ["latency", "bandwidth"])
    cases += [collective_case(plan, "allreduce", ranks, ALLREDUCE_SIZES)
              for ranks in plan.multiples(ALLREDUCE_RANKS)]
    libraries = [network_libraries.peer(n, net) for n in names if n != DUNLIN]
    if DUNLIN in names:
        libraries += [network_libraries.dunlin(prefix, net, f) for f in (None, *FABRICS)]
    libraries += [network_libraries.bare(name, net) for name in BARE]
    return Part("two hosts", cases, libraries, DUNLIN)


def cap_part(plan: Plan, net: Cluster, names: list[str], prefix: Path) -> Part:
    """One flow gets 1 Gb/s, as a cloud has it: who has several?"""
    libraries = [network_libraries.peer(n, net) for n in names if n != DUNLIN]
    for library in libraries:
        if library.name == "openmpi":
            library.settings = [*library.settings, network_libraries.OPENMPI_FLOWS]
    us = network_libraries.dunlin(prefix, net, "tcp")
    us.settings[0].environment["DUNLIN_NET_FLOWS"] = str(FLOWS)
    if DUNLIN in names:
        libraries.append(us)
    return Part(f"{CAP_MBIT} Mb/s for each flow", pair_cases(plan, CAP_SIZES, ["bandwidth"]),
                libraries, us.name, cap_mbit=CAP_MBIT)


def datagrams_part(plan: Plan, net: Cluster, _names: list[str], prefix: Path) -> Part:
    """Reliable datagrams without order (as SRD) beside unreliable ones (as UD), on the same link:
    roots that need not keep what they sent until it is acknowledged."""
    cases = [collective_case(plan, op, ROOTED_RANKS, ROOTED_SIZES)
             for op in ("scatterv", "gatherv", "allreduce")]
    reliable, unreliable = (network_libraries.dunlin(prefix, net, f) for f in ("tcp", "udp"))
    return Part("reliable unordered beside unreliable datagrams", cases, [reliable, unreliable],
                reliable.name, lambda name: name == unreliable.name)


PARTS = {"hosts": hosts_part, "cap": cap_part, "datagrams": datagrams_part}


def run_part(part: Part, net: Cluster, launches: int) -> tuple[list[dict], str]:
    """Measures; returns the records and what a reader wants to see."""
    part.cases = [c for c in part.cases if any(
        library.settings_for(c.situation, c.program) for library in part.libraries)]
    peers.build(part.libraries, {c.program for c in part.cases})
    by_case = peers.runs_of(part.cases, part.libraries)
    try:
        if part.cap_mbit is None:
            peers.measure(by_case, launches, net.end_processes)
        else:
            with faults.cap_per_flow(net, part.cap_mbit):
                peers.measure(by_case, launches, net.end_processes)
    except KeyboardInterrupt:
        print("\ninterrupted; what is there follows", file=sys.stderr)
    records = peer_table.records([run for runs in by_case for run in runs])
    text = peer_table.report(records, None, part.us, part.peer)
    named = [{"scenario": part.title, **record} for record in records]
    return named, f"== {part.title} ==\n\n{text}"


def parse() -> argparse.Namespace:
    """The command line."""
    parser = rounds.parser("network", __doc__, "under ten minutes on two cores")
    rounds.add_libraries(parser)
    parser.add_argument("--only", nargs="+", choices=SCENARIOS, default=SCENARIOS,
                        help="these comparisons (default: all)")
    parser.add_argument("--benchmarks", nargs="+", choices=BENCHMARKS, default=BENCHMARKS,
                        help="of the first comparison, these (default: all)")
    parser.add_argument("--mtu", type=int, default=MTU_DEFAULT, metavar="BYTES",
                        help="of the link (default: %(default)s)")
    return rounds.parse(parser)


def without_dunlin(options: argparse.Namespace) -> None:
    """Leaves Dunlin out where it cannot run on several hosts, and says so."""
    why = network_libraries.dunlin_lacks(options.prefix)
    if why is not None and DUNLIN in options.libraries:
        print(f"Dunlin is left out: {why}", file=sys.stderr)
        options.libraries.remove(DUNLIN)
    if DUNLIN not in options.libraries:
        options.only = [name for name in options.only if name != "datagrams"]


def main() -> None:
    options = parse()
    why = obstacle("nft")
    if why is not None:
        sys.exit(f"no benchmark of the network: {why}")
    without_dunlin(options)
    cores = len(os.sched_getaffinity(0))
    plan = Plan(cores, not options.quick, options.ranks, options.sizes)
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
    minutes = (time.monotonic() - began) / 60
    end = f"{cores} cores, MTU {options.mtu}, {options.launches} launches, {minutes:.1f} min\n"
    print(end)
    rounds.save(options.out, "network", records, "\n".join([*texts, end]))


if __name__ == "__main__":
    main()
