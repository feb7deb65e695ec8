"""Programs of MPICH and Intel MPI, started by our mpirun on two hosts: one job, whose ranks share
memory on their host and reach the others over the network."""

import subprocess

import pytest

from tests import unless
from tests.cluster import cluster
from tests.cluster.cluster import RSH, Cluster
from tests.launchers.foreign import MPIRUN, MPIRUN_MISSING, Foreign, said

pytestmark = pytest.mark.root
OBSTACLE = cluster.obstacle() or MPIRUN_MISSING
PATIENCE_S = 60
RANKS_PER_HOST = 3
# The link between the hosts, and nothing that is not in a wheel.
NETWORK = {"FI_PROVIDER": "tcp", "FI_TCP_IFACE": "eth0"}


class OnTwoHosts(Foreign):
    """The tests of a library."""

    network: dict[str, str]

    def setUp(self):
        self.net = self.enterContext(Cluster(2))
        self.addCleanup(lambda: self.assertEqual(self.net.leftovers(), {}))

    def run_ranks(self, *words, by=()) -> subprocess.CompletedProcess:
        """The program under our mpirun on the first host."""
        line = self.net.hosts[0].command(
            MPIRUN, "--rsh", RSH, "-host", ",".join(self.net.names), "-ppn", RANKS_PER_HOST, *by,
            self.program, *words)
        environment = {**self.environment, **NETWORK, **self.network}
        return subprocess.run(line, env=environment, capture_output=True, text=True,
                              timeout=PATIENCE_S, check=False)

    def test_ranks_of_all_hosts_are_one_job(self):
        for by in ([], ["--map-by", "node"]):
            with self.subTest(by=by):
                done = self.run_ranks(by=by)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                expected = said(2 * RANKS_PER_HOST, RANKS_PER_HOST)
                self.assertEqual(sorted(done.stdout.splitlines()), expected)

    def test_an_abort_elsewhere_has_its_code(self):
        done = self.run_ranks("abort")
        self.assertEqual(done.returncode, 42, done.stderr)
        rank, host = 2 * RANKS_PER_HOST - 1, self.net.names[1]
        self.assertRegex(done.stderr, rf"mpirun: rank {rank} called MPI_Abort with code 42 \(pid "
                                      rf"\d+ on {host}\)")


@unless(OBSTACLE)
class Mpich(OnTwoHosts):
    __test__ = True
    peer = "mpich"
    network = {"MPIR_CVAR_CH4_NETMOD": "ofi"}


@unless(OBSTACLE)
class Intel(OnTwoHosts):
    __test__ = True
    peer = "intel"
    network = {"I_MPI_FABRICS": "shm:ofi", "I_MPI_PIN": "off"}
