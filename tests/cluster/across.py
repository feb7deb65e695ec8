"""`make test-cluster`: the tests of one host across two, two ranks on each at a time, over every
fabric, also over links that lose, double and reorder packets; then jobs whose links go down and
whose ports strangers send to. One line per step; the last line counts single tests."""

import argparse
import contextlib
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "scripts"), str(ROOT / "tests" / "mpi4py")]
import cluster  # noqa: E402 (found by the lines above, from wherever the suite is started)
import faults  # noqa: E402
import run_tests  # noqa: E402
import suite  # noqa: E402 (mpi4py's)
from cluster import RSH, Cluster  # noqa: E402
from run_tests import PYTHON, Count, Step, harness  # noqa: E402

RANKS_PER_HOST = 2
FABRICS = {
    "udp": {"DUNLIN_NET_FABRIC": "udp"},
    "tcp": {"DUNLIN_NET_FABRIC": "tcp"},
    "ofi:udp": {"DUNLIN_NET_FABRIC": "ofi:udp"},
    "ofi:tcp": {"DUNLIN_NET_FABRIC": "ofi:tcp"},
}
CHAOS = {"DUNLIN_CHAOS": "seed=1,drop=0.02,duplicate=0.01,reorder=0.2"}
# mpi4py's tests of messages and of collective operations.
MODULES = ["test_p2p", "test_cco"]
# Of the C programs, under faults: those about messages, and one of each kind of collective.
PROGRAMS_UNDER_FAULTS = ["sendrecv", "nonblocking", "flood", "sizes", "bcast",
                         "allreduce", "alltoall"]
PER_MILLE_LOST, PER_MILLE_DOUBLED, PER_MILLE_REORDERED = 20, 10, 200


@dataclass
class Scene:
    """A fabric, settings, and what is wrong with the links."""

    name: str
    settings: dict[str, str]
    faults: list[Callable] = field(default_factory=list)  # of the cluster
    programs: list[str] = field(default_factory=lambda: [""])

    def steps(self, net: Cluster) -> list[Step]:
        """All that is run in it, from the first host."""
        spread = [RSH, "-host", ",".join(net.names), "-ppn", RANKS_PER_HOST]
        words = "--rsh " + " ".join(map(str, spread))
        here, ranks = net.hosts[0].command, RANKS_PER_HOST * len(net.hosts)
        c_programs = [PYTHON, "tests/run.py", "--prefix", harness.PREFIX, "--lacks",
                      "docs/coverage.md", "-n", ranks, f"--mpirun-args={words}"]
        suite = [PYTHON, "tests/mpi4py/suite.py", "-n", ranks, f"--mpirun-args={words}"]
        return [
            *(Step(f"{self.name}: C programs {text}".rstrip(), here(*c_programs, "-k", text),
                   self.settings) for text in self.programs),
            *(Step(f"{self.name}: mpi4py's {text}", here(*suite, "-k", text), self.settings)
              for text in MODULES),
        ]


def scenes() -> list[Scene]:
    """Every fabric as it is; the one that may lose packets, made to."""
    broken = [
        lambda net: faults.loss(net, PER_MILLE_LOST),
        lambda net: faults.duplication(net, PER_MILLE_DOUBLED),
        lambda net: faults.reordering(net, PER_MILLE_REORDERED),
    ]
    return [
        *(Scene(name, settings) for name, settings in FABRICS.items()),
        Scene("udp, chaos", FABRICS["udp"] | CHAOS, [], PROGRAMS_UNDER_FAULTS),
        Scene("udp, bad links", FABRICS["udp"], broken, PROGRAMS_UNDER_FAULTS),
    ]


def run_scene(scene: Scene) -> Count:
    """On hosts of its own, of which nothing may be left."""
    total = Count()
    with contextlib.ExitStack() as stack:
        net = stack.enter_context(Cluster())
        for fault in scene.faults:
            stack.enter_context(fault(net))
        for step in scene.steps(net):
            result = run_tests.run(step)
            if left := net.leftovers():
                print(f"  left behind: {left}", flush=True)
                net.end_processes()
                result.failed += 1
            total.passed += result.passed
            total.failed += result.failed
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-k", metavar="TEXT", default="", help="only scenes that contain TEXT")
    options = parser.parse_args()
    if why := cluster.obstacle("nft"):
        print(f"skipped: {why}\n0 passed, 0 failed")
        return
    run_tests.LOGS.mkdir(parents=True, exist_ok=True)
    os.chdir(ROOT)
    # The hosts reach each other and nobody else: what comes from PyPI is fetched before.
    suite.fetch_sources()
    suite.demo.OUT.mkdir(parents=True, exist_ok=True)
    suite.demo.build_mpi4py()
    counts = [run_scene(scene) for scene in scenes() if options.k in scene.name]
    if options.k in "jobs":
        counts.append(run_tests.run(Step("jobs under faults", [PYTHON, HERE / "test_jobs.py"])))
    failed = sum(c.failed for c in counts)
    print(f"{sum(c.passed for c in counts)} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
