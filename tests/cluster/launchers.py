"""Other people's launchers over the hosts of cluster.py: what `make test-cluster` runs under
each."""

import os
import shlex
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path

from dunlin import checkout
from dunlin.errors import DunlinError
from dunlin.peers import libraries
from scripts.run_tests import PYTHON, Step
from tests.cluster.cluster import RSH, Cluster

RANKS_PER_HOST = 2
# Those about messages, one of each kind of collective, communicators and sessions, and the ways in
# which a job ends before its time. Not `segfault`: what is said of a signal is the launcher's word.
PROGRAMS = ["sendrecv", "nonblocking", "wildcards", "persistent", "flood", "sizes", "bcast",
            "allreduce", "alltoall", "comm_kinds", "session", "threads", "ring", "abort",
            "fatal_error", "exit_"]
# With all programs: what a launcher says of a signal is its own business.
OF_SIGNALS = ["segfault"]
# mpi4py's modules of messages, and one of each kind of those of collective operations: a launcher
# that does not know that its hosts share cores lets them wait for each other.
MESSAGES = ["test_p2p", "test_cco_buf", "test_cco_obj", "test_cco_nb_buf", "test_cco_vec"]
SOME_MESSAGES = ["test_p2p_buf"]
# Where little time is left: that ranks find each other, and how jobs end.
FEW_PROGRAMS = ["sendrecv", "allreduce", "comm_kinds", "abort", "exit_"]
ALL_MESSAGES = ["test_p2p", "test_cco"]


def options(name: str, values: Iterable) -> list:
    """An option for each value."""
    return [word for value in values for word in (name, value)]


class HowMuch(Enum):
    """Of the tests that there are."""

    FEW = auto()
    SOME = auto()
    WHOLE = auto()


@dataclass
class Launcher:
    """One of them, and the protocol that ranks speak with it."""

    peer: str  # whose wheel has it
    program: str
    protocol: str
    modules: list[str] = field(default_factory=list)  # of mpi4py

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.peer}'s {self.program}, {self.protocol}"

    def arguments(self, at: Path, hosts: list[str]) -> str:
        """What it is told, so that it starts ranks on the hosts in turn."""
        names = ",".join(hosts)
        if self.peer == "mpich":
            words = ["-launcher", "ssh", "-launcher-exec", RSH, "-hosts", names]
        else:
            # A wheel does not lie where it was built for, and this launcher passes nothing on
            # unless told.
            words = ["--allow-run-as-root", "--prefix", at, "--prtemca", "plm_ssh_agent", RSH,
                     "--host", names, "--map-by", "node:oversubscribe",
                     *options("-x", ["DUNLIN_PMI", "LD_LIBRARY_PATH", "OMP_NUM_THREADS"])]
        return shlex.join(map(str, words))

    def programs(self, how_much: HowMuch, ranks: int) -> list:
        """Which C programs, as options of tests/run.py."""
        if how_much is HowMuch.WHOLE:
            return options("--without", OF_SIGNALS)
        names = PROGRAMS if how_much is HowMuch.SOME else FEW_PROGRAMS
        return [*options("-n", range(2, ranks + 1)), *options("-k", names)]

    def steps(self, net: Cluster, built: list, how_much: HowMuch) -> list[Step]:
        """All that is run under it, from the first host; some of the tests take two minutes."""
        try:
            at = libraries.install(self.peer)
        except DunlinError as why:
            return [Step(f"{self.name}: C programs and mpi4py", [], absent=str(why))]
        how = ["--mpirun", at / self.program,
               f"--mpirun-args={self.arguments(at.parent, net.names)}"]
        here, ranks = net.hosts[0].command, RANKS_PER_HOST * len(net.hosts)
        programs = [PYTHON, "tests/run.py", "--mpicc", checkout.PREFIX / "bin/mpicc", *how, *built,
                    *self.programs(how_much, ranks)]
        # PRRTE hands on only what is there.
        settings = {"DUNLIN_PMI": self.protocol,
                    "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", "")}
        on = "" if how_much is HowMuch.WHOLE else f" on 2 to {ranks} ranks"
        steps = [Step(f"{self.name}: C programs{on}", here(*programs), settings)]
        # These would show nothing of the launcher that the C programs do not.
        if how_much is not HowMuch.FEW:
            chosen = ALL_MESSAGES if how_much is HowMuch.WHOLE else self.modules
            modules = [PYTHON, "-m", "tests.mpi4py.suite", "-n", ranks, *how,
                       *options("-k", chosen)]
            steps.append(Step(f"{self.name}: mpi4py's tests", here(*modules), settings))
        return steps


LAUNCHERS = [
    Launcher("mpich", "mpiexec", "pmi1", MESSAGES),
    Launcher("mpich", "mpiexec", "pmi2", SOME_MESSAGES),
    Launcher("openmpi", "prterun", "pmix", MESSAGES),
]
