"""mpirun over the hosts of cluster.py: ranks are where they should be, every failure is a sentence
that names the host, and nothing is left on any host."""

import signal
import subprocess
import time
import unittest
from pathlib import Path

import psutil
import pytest

from dunlin.checkout import PREFIX
from dunlin.watchdog import words_of
from tests import unless
from tests.cluster import cluster
from tests.cluster.cluster import RSH, Cluster

pytestmark = pytest.mark.root
NO_CLUSTER = cluster.obstacle()
MPIRUN = Path(PREFIX) / "bin" / "mpirun"
NO_MPIRUN = None if MPIRUN.exists() else f"there is no {MPIRUN}: make build"
PATIENCE_S = 20
HOSTS = 3


@unless(NO_CLUSTER or NO_MPIRUN)
class Launch(unittest.TestCase):
    def setUp(self):
        self.net = self.enterContext(Cluster(HOSTS))
        self.addCleanup(lambda: self.assertEqual(self.net.leftovers(), {}))

    def job(self, *words) -> subprocess.Popen:
        """An mpirun on the first host."""
        line = self.net.hosts[0].command(MPIRUN, "--rsh", RSH, *words)
        return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run_on(self, names, *words) -> tuple[int, str, str]:
        """Status, output and errors of a job on these hosts."""
        job = self.job("-host", ",".join(names), *words)
        out, err = job.communicate(timeout=PATIENCE_S)
        return job.returncode, out, err

    def long_job(self) -> subprocess.Popen:
        """A job that would last, once its ranks run on every host."""
        job = self.job("-host", ",".join(self.net.names), "sleep", "1000")
        deadline = time.monotonic() + PATIENCE_S
        while not all(self.pids(host, "sleep") for host in self.net.hosts):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        return job

    def pids(self, host, name) -> list[int]:
        """The processes of a host that run a program."""
        there = host.processes()
        return [p.pid for p in psutil.process_iter(["name"])
                if p.info["name"] == name and p.pid in there]

    def test_ranks_run_on_the_hosts_they_were_given(self):
        names = self.net.names
        status, out, err = self.run_on(
            [f"{names[0]}:2", names[1], f"{names[2]}:2"], "-l", "hostname")
        self.assertEqual((status, err), (0, ""))
        where = [names[0], names[0], names[1], names[2], names[2]]
        self.assertEqual(sorted(out.splitlines()), [f"[{i}] {n}" for i, n in enumerate(where)])

    def test_a_host_that_does_not_exist_and_one_that_refuses(self):
        names = self.net.names
        status, out, err = self.run_on([names[0], "nowhere"], "hostname")
        self.assertEqual((status, out), (1, ""))
        self.assertRegex(err, r"^mpirun: host nowhere cannot be reached, .* status 255: .*\n$")
        self.net.hosts[1].refuse(True)
        status, out, err = self.run_on(names, "hostname")
        self.assertEqual((status, out), (1, ""))
        self.assertRegex(err, rf"^mpirun: host {names[1]} cannot .*: permission denied\n$")

    def test_a_rank_that_dies(self):
        script = '[ $(hostname) = "$0" ] && kill -SEGV $$; exec sleep 1000'
        status, _, err = self.run_on(self.net.names, "sh", "-c", script, self.net.names[2])
        self.assertEqual(status, 128 + signal.SIGSEGV)
        self.assertRegex(err, rf"^mpirun: rank 2 \(pid \d+ on {self.net.names[2]}\) was killed")

    def test_an_agent_that_dies(self):
        job = self.long_job()
        host = self.net.hosts[1]
        subprocess.run(["kill", "-KILL", *map(str, self.pids(host, "mpirun"))], check=True)
        _, err = job.communicate(timeout=PATIENCE_S)
        self.assertEqual(job.returncode, 1)
        self.assertRegex(err, rf"^mpirun: host {host.name} is lost, ")

    def test_a_launcher_that_dies(self):
        job = self.long_job()
        launcher = [pid for pid in self.pids(self.net.hosts[0], "mpirun")
                    if "--rsh" in words_of(pid)]
        subprocess.run(["kill", "-KILL", *map(str, launcher)], check=True)
        job.communicate(timeout=PATIENCE_S)
