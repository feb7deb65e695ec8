"""`make test-cluster`: the tests of one host across two, two ranks on each at a time, over every
fabric, also over links that lose, duplicate and reorder packets; under the launchers of MPICH and
Open MPI; then jobs whose links go down and to whose ports outsiders send. One line per step; the
last line counts single tests.

Links under faults get the tests of messages and collective operations, all others all of it; with
`--quick` every scene gets a few tests, but udp all C programs. Ranks say at the end what was sent
again."""

import argparse
import contextlib
import os
import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dunlin import checkout, execution
from scripts import demo, run_tests
from scripts.run_tests import PYTEST, PYTHON, Count, Step
from tests.cluster import cluster, faults
from tests.cluster.cluster import RSH, Cluster
from tests.cluster.launchers import LAUNCHERS, HowMuch, Launcher
from tests.efa import standin
from tests.efa.standin import Device
from tests.mpi4py import suite

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RANKS_PER_HOST = 2
FAULTS = {"DUNLIN_NET_FAULTS": "seed=1,drop=0.02,duplicate=0.01,reorder=0.2"}
PER_MILLE_LOST, PER_MILLE_DOUBLED, PER_MILLE_REORDERED = 20, 10, 200
# Of the C programs: between nodes a receiver's memory is bounded, so a sender waits instead.
ON_ONE_NODE = ["no_memory_left"]
# Whoever has a device waits, as it begins MPI, until all say whether they have one, too.
WAITS_FOR_NOBODY = ["vci_late"]
# Those of messages, of collective operations and of windows.
MESSAGES = ["test_p2p", "test_cco", "test_rma", "test_win"]
# One of each of their kinds: where every module would take too long.
SOME_MESSAGES = ["test_p2p", "test_cco_buf", "test_cco_obj", "test_cco_nb_buf", "test_cco_vec",
                 "test_rma"]
FEW_MESSAGES = ["test_p2p_buf", "test_cco_buf", "test_rma"]
ONE_MODULE = FEW_MESSAGES[:1]
# Of the C programs, under faults and over libfabric, whose providers are slow here: those about
# messages, one of each kind of collective, and those of windows.
SOME_PROGRAMS = ["sendrecv", "nonblocking", "wildcards", "send_modes", "persistent", "partitioned",
                 "probe", "flood", "sizes", "bcast", "allreduce", "alltoall", "window"]
# Fewer still: where it costs much to start a job.
FEW_PROGRAMS = ["nonblocking", "persistent", "sendrecv", "flood", "allreduce", "window_epochs",
                "failed_buffers"]
# Where a progress thread serves both the network and the node.
PROGRAMS_BESIDE_THREAD = ["async_progress", *FEW_PROGRAMS]
# Ranks that are late, and such as show what it costs when nobody wakes who sleeps.
PROGRAMS_OF_SLEEPERS = ["sleepers", "sendrecv", "allreduce", "window_locks", "window_epochs"]
REPORTED = {"sent": "packets sent", "again": "again", "twice": "duplicates"}


def chosen(option: str, words: Sequence[str]) -> list[str]:
    """An option for each word."""
    return [part for word in words for part in (option, word)]


@dataclass
class Scene:
    """A fabric, settings, and what is wrong with the links."""

    name: str
    settings: dict[str, str]
    faults: list[Callable] = field(default_factory=list)  # of the cluster
    programs: list[str] = field(default_factory=list)  # of C; none: all
    modules: list[str] = field(default_factory=list)  # of mpi4py; none: all
    without: list[str] = field(default_factory=list)  # C programs that do not apply
    loses: bool = False  # packets have to be sent again

    def steps(self, net: Cluster, built: list) -> list[Step]:
        """All that is run in it, from the first host. Two or three ranks take the hosts in turn;
        four fill them, so that neighbours share one."""
        spread = ["--rsh", RSH, "-host", ",".join(net.names), "-ppn", RANKS_PER_HOST]
        words = "--mpirun-args=" + " ".join(map(str, spread))
        here, ranks = net.hosts[0].command, RANKS_PER_HOST * len(net.hosts)
        programs = [PYTHON, "tests/run.py", "--prefix", checkout.PREFIX, "--lacks",
                    "docs/coverage.md", *built, *chosen("--without", [*ON_ONE_NODE, *self.without]),
                    *chosen("-k", self.programs)]
        modules = [PYTHON, "-m", "tests.mpi4py.suite", "-n", ranks, words,
                   *chosen("--without", suite.LOCAL), *chosen("-k", self.modules)]
        return [
            Step(f"{self.name}: C programs on 2 and 3 ranks",
                 here(*programs, "-n", 2, "-n", 3, f"{words} --map-by node"), self.settings),
            Step(f"{self.name}: C programs on 4 ranks", here(*programs, "-n", ranks, words),
                 self.settings),
            Step(f"{self.name}: mpi4py's tests", here(*modules), self.settings),
        ]


def on_devices(directory: Path, quick: bool) -> list[Scene]:
    """What `auto` takes where all hosts have a device of a fast network: packets in any order,
    remote reads. One of `tests/efa` stands in. To open one takes half a second here, most of it in
    constructors of libraries that Debian's libfabric is linked with, so `quick` starts few jobs."""
    if why := standin.obstacle():
        print(f"no device: {why}", flush=True)
        return []
    device = Device(directory)
    settings = {"DUNLIN_NET_FABRIC": "auto", "DUNLIN_NET_REPORT": "end"}
    without_reads = {**settings, **device.environment("reads=0,queue=8")}
    return [
        Scene("device", {**settings, **device.environment()}, [], FEW_PROGRAMS if quick else [],
              ONE_MODULE if quick else SOME_MESSAGES, without=WAITS_FOR_NOBODY),
        Scene("device without reads", without_reads, [], FEW_PROGRAMS if quick else SOME_PROGRAMS,
              ONE_MODULE if quick else SOME_MESSAGES[:1]),
    ]


def scenes(quick: bool, directory: Path) -> list[Scene]:
    """Every fabric as it is, and the one that may lose packets, made to; a few tests if `quick`."""
    most = FEW_PROGRAMS if quick else []
    some = FEW_PROGRAMS if quick else SOME_PROGRAMS
    broken = [
        lambda net: faults.loss(net, PER_MILLE_LOST),
        lambda net: faults.duplication(net, PER_MILLE_DOUBLED),
        lambda net: faults.reordering(net, PER_MILLE_REORDERED),
    ]

    def over(name: str, **settings: str) -> dict[str, str]:
        return {"DUNLIN_NET_FABRIC": name, "DUNLIN_NET_REPORT": "end", **settings}

    return [
        Scene("auto", over("auto"), [], most, ONE_MODULE if quick else SOME_MESSAGES),
        Scene("udp", over("udp"), modules=FEW_MESSAGES if quick else []),
        *(Scene(name, over(name), [], most, ONE_MODULE if quick else [])
          for name in ("tcp", "ofi:udp", "ofi:tcp")),
        *on_devices(directory / "efa", quick),
        *(Scene(f"{name}, asleep", over(name, DUNLIN_WAIT="sleep"), [], PROGRAMS_OF_SLEEPERS,
                ["test_p2p_buf_matched"]) for name in ("udp", "tcp")),
        Scene("auto, progress thread", over("auto", DUNLIN_PROGRESS="thread"), [],
              PROGRAMS_BESIDE_THREAD, ["test_cco_nb_buf"]),
        Scene("udp, injected faults", over("udp", **FAULTS), [], SOME_PROGRAMS,
              ONE_MODULE if quick else MESSAGES, loses=True),
        Scene("udp, bad links", over("udp"), broken, some,
              ONE_MODULE if quick else SOME_MESSAGES, loses=True),
    ]


def reported() -> dict[str, int]:
    """What the ranks of mpi4py's tests have said of the network at their ends, summed up."""
    logs = suite.WORK.glob("logs-np*/*.log")
    said = "".join(log.read_text(errors="replace") for log in logs)
    lines = [line for line in said.splitlines() if "packets sent" in line]
    return {name: sum(int(n) for line in lines for n in re.findall(rf"\b{word} (\d+)", line))
            for name, word in REPORTED.items()}


def judge(scene: Scene) -> Count:
    """Says what the network has seen. Where it was made to lose packets and nothing was sent again,
    the faults were not there."""
    sums = reported()
    share = 100 * sums["again"] / max(sums["sent"], 1)
    print(f"  {sums['sent']} packets, {sums['again']} sent again ({share:.2f} %), "
          f"{sums['twice']} came twice", flush=True)
    if not scene.loses:
        return Count()
    if sums["again"] > 0:
        return Count(passed=1)
    return Count(failed=1, failures=[f"{scene.name}: no packet was sent again"])


def run_steps(net: Cluster, steps: list[Step]) -> Count:
    """One after the other, none of which may leave anything behind."""
    total = Count()
    for step in steps:
        result = run_tests.run(step)
        total.passed += result.passed
        total.failed += result.failed
        total.failures += result.failures
        if left := net.leftovers():
            print(f"  left behind: {left}", flush=True)
            net.end_processes()
            total.failed += 1
            total.failures.append(f"{step.name}: left behind: {left}")
    return total


def run_scene(scene: Scene, built: list) -> list[Count]:
    """On hosts of its own."""
    with contextlib.ExitStack() as stack:
        net = stack.enter_context(Cluster())
        for fault in scene.faults:
            stack.enter_context(fault(net))
        done = run_steps(net, scene.steps(net, built))
    return [done, judge(scene)]


def run_launcher(launcher: Launcher, built: list, how_much: HowMuch) -> Count:
    """On hosts of its own."""
    with Cluster() as net:
        return run_steps(net, launcher.steps(net, built, how_much))


def prepare(directory: str) -> list:
    """Builds and fetches what tests need: the hosts reach each other and nobody else. Returns the
    options by which the C programs are found."""
    run_tests.LOGS.mkdir(parents=True, exist_ok=True)
    os.chdir(ROOT)
    suite.fetch_sources()
    demo.OUT.mkdir(parents=True, exist_ok=True)
    demo.build_mpi4py()
    where = ["--build-dir", directory]
    execution.call([PYTHON, "tests/run.py", "--prefix", checkout.PREFIX, *where, "--only-build"],
                   limit_s=run_tests.STEP_TIMEOUT_S)
    return [*where, "--built"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-k", metavar="TEXT", default="",
                        help="only scenes and launchers that contain TEXT")
    parser.add_argument("--quick", action="store_true",
                        help="a few tests everywhere: 15 minutes")
    parser.add_argument("--whole", action="store_true",
                        help="under other launchers every C program on all its numbers of ranks, "
                             "and all tests of messages and collective operations")
    options = parser.parse_args()
    if why := cluster.obstacle("nft"):
        print(f"skipped: {why}\n0 passed, 0 failed")
        return
    with tempfile.TemporaryDirectory(prefix="cluster-tests-") as directory:
        built = prepare(directory)
        wanted = [scene for scene in scenes(options.quick, Path(directory))
                  if options.k in scene.name]
        counts = [count for scene in wanted for count in run_scene(scene, built)]
        how_much = HowMuch.WHOLE if options.whole else \
            HowMuch.FEW if options.quick else HowMuch.SOME
        counts += [run_launcher(one, built, how_much)
                   for one in LAUNCHERS if options.k in one.name]
    # `make test` has run these two.
    if options.k in "jobs" and not options.quick:
        counts.append(run_tests.run(Step("jobs under faults", [*PYTEST, HERE / "test_jobs.py"])))
    if options.k in "departures" and not options.quick:
        counts.append(run_tests.run(Step("what sends have promised leaves",
                                         [*PYTEST, HERE / "test_departures.py"])))
    run_tests.conclude(counts)


if __name__ == "__main__":
    main()
