"""`make test-slurm`: the tests of messages and collective operations in jobs of a real Slurm: ranks
that srun starts, by PMI-2 and by PMIx, and mpirun within salloc and sbatch on two nodes; then jobs
that are ended from outside, and requests that are refused. One line per step; the last line counts
single tests."""

import argparse
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from dunlin import checkout
from scripts import run_tests
from scripts.run_tests import PYTEST, PYTHON, Count, Step
from tests.cluster import across
from tests.cluster.across import MESSAGES, ONE_MODULE, SOME_PROGRAMS, chosen
from tests.slurm import slurm
from tests.slurm.slurm import CPUS_PER_NODE, Slurm

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RANKS_PER_NODE = 2
NODES = 2
RANKS = RANKS_PER_NODE * NODES
# Of the C programs with few ranks, besides those about messages: what launchers are asked for.
PROGRAMS = [*SOME_PROGRAMS, "comm_kinds", "self", "init"]
# How jobs end: srun answers with the largest status of all tasks, also of those it has killed.
ENDS = ["abort", "exit_code"]
# How srun starts ranks; more of them than CPUs may share a step, and one that dies ends it.
SRUN = "--mpi={} --overcommit --overlap --kill-on-bad-exit=1"
# In the whole of it mpirun starts more ranks than there are slots.
MPIRUN = "--mpirun-args=--oversubscribe --map-by node"


def tests(launcher: list, built: list, ranks: list[int],
          modules: Sequence[str]) -> list[tuple[str, list]]:
    """The C programs, and these modules of mpi4py's tests. No numbers of ranks mean every program
    on all its numbers."""
    by_srun = "srun" in launcher
    part: list
    if ranks:
        numbers = [word for n in ranks for word in ("-n", n)]
        part = [*numbers, *chosen("-k", PROGRAMS if by_srun else PROGRAMS + ENDS)]
    else:
        part = chosen("--without", ENDS if by_srun else [])
    programs = ("C programs", [PYTHON, "tests/run.py", "--prefix", checkout.PREFIX, "--lacks",
                               "docs/coverage.md", *built, *launcher, *part])
    mpi4py = ("mpi4py's tests", [PYTHON, "-m", "tests.mpi4py.suite", *launcher, "-n",
                                 max(ranks, default=RANKS), *chosen("-k", modules)])
    return [programs, mpi4py] if modules else [programs]


def steps(there: Slurm, built: list, whole: bool) -> list[Step]:
    """A part that takes five to ten minutes, or the whole of it, on two nodes alone."""
    found = []

    def add(title: str, job: list, launcher: list, ranks: list[int],
            modules: Sequence[str] = ()) -> None:
        if whole:
            ranks, modules = [], MESSAGES
        for name, command in tests(launcher, built, ranks, modules):
            found.append(Step(f"{title}: {name}", there.command(*job, *command),
                              there.environment()))

    for protocol in ("pmi2", "pmix"):
        launcher = ["--mpirun", "srun", f"--mpirun-args={SRUN.format(protocol)}"]
        if not whole:
            add(f"srun --mpi={protocol}", ["salloc", "--nodes=1", f"--ntasks={CPUS_PER_NODE}"],
                launcher, [2])
        spread = [f"{word} --distribution=cyclic" if word is launcher[-1] else word
                  for word in launcher]
        add(f"srun --mpi={protocol}, {NODES} nodes",
            ["salloc", f"--nodes={NODES}", f"--ntasks-per-node={CPUS_PER_NODE}"], spread,
            [2, RANKS], ONE_MODULE if protocol == "pmix" else ())
    size = [f"--nodes={NODES}", f"--ntasks-per-node={RANKS_PER_NODE}"]
    add("salloc, mpirun", ["salloc", *size], [MPIRUN] if whole else [], [3, RANKS])
    add("sbatch, mpirun", [HERE / "batch", *size],
        [MPIRUN if whole else "--mpirun-args=--map-by node"], [2, RANKS], ONE_MODULE)
    return found


def run(there: Slurm, step: Step) -> Count:
    """One step, after which nothing may be left."""
    result = run_tests.run(step)
    if left := [*there.leftovers(), *there.jobs()]:
        print(f"  left behind: {left}", flush=True)
        result.failed += 1
        result.failures.append(f"{step.name}: left behind: {left}")
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-k", metavar="TEXT", default="", help="only steps that contain TEXT")
    parser.add_argument("--whole", action="store_true",
                        help="every C program on all its numbers of ranks, and all tests of "
                             "messages and collective operations")
    options = parser.parse_args()
    if why := slurm.obstacle():
        print(f"skipped: {why}\n0 passed, 0 failed")
        return
    counts = []
    with tempfile.TemporaryDirectory(prefix="slurm-tests-") as directory:
        built = across.prepare(directory)
        with Slurm(NODES) as there:
            wanted = [step for step in steps(there, built, options.whole) if options.k in step.name]
            counts += [run(there, step) for step in wanted]
    if options.k in "jobs":
        counts.append(run_tests.run(Step("jobs", [*PYTEST, HERE / "test_jobs.py"])))
    run_tests.conclude(counts)


if __name__ == "__main__":
    os.chdir(ROOT)
    main()
