"""Jobs whose agents are started by a real ssh: on this machine, by any user, and as root between
the hosts of cluster.py. Every failure is one sentence that names the host, and nothing is left."""

import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import psutil
import pytest

from dunlin import checkout, programs
from tests import unless
from tests.cluster import cluster, sshd
from tests.cluster.cluster import Cluster

HERE = Path(__file__).resolve().parent
MPIRUN = checkout.PREFIX / "bin" / "mpirun"
NO_SSH = sshd.obstacle() or (None if MPIRUN.exists() else f"there is no {MPIRUN}: make build")
BUILT = checkout.ROOT / "build" / "cluster-tests"
LOOPBACK = "127.0.0.1"
SSH_PORT = 22
PATIENCE_S = 30
# A documentation address (RFC 5737): in a namespace without a way there the kernel says so at once.
NOWHERE = "192.0.2.1"
# Bears no meaning; found again in the command lines of what a job has started.
MARK_BYTES = 8


class OverSsh(unittest.TestCase):
    def setUp(self):
        directory = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.login = sshd.Login(directory)
        self.addCleanup(self.login.end)

    def run_job(self, *words, on: cluster.Host | None = None) -> tuple[int, str, str]:
        """Status, output and errors of a job."""
        line = [str(w) for w in [MPIRUN, "--rsh", self.login.rsh(), *words]]
        done = subprocess.run(on.command(*line) if on else line, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        return done.returncode, done.stdout, done.stderr


@unless(NO_SSH)
class OnThisMachine(OverSsh):
    """Hosts are names for this machine; ranks are programs that send nothing."""

    def setUp(self):
        super().setUp()
        self.port = sshd.free_port()
        self.login.serve(LOOPBACK, self.port)
        self.login.host("a", LOOPBACK, self.port)
        self.login.host("b", LOOPBACK, self.port)

    def fails(self, host: str, sentence: str) -> None:
        """A job on `a` and another host ends with a sentence, and no rank was started."""
        status, out, err = self.run_job("-host", f"a,{host}", "echo", "started")
        self.assertEqual((status, out), (1, ""), err)
        self.assertRegex(err, rf"^mpirun: host {host} {sentence}.*\n$", self.login.log())

    def test_ranks_start_and_what_they_write_comes_back(self):
        status, out, err = self.run_job("-l", "-host", "a:2,b", "-x", "WORD=a  b'c", "sh", "-c",
                                        'echo "$DUNLIN_JOB_RANK $WORD $SSH_CONNECTION"')
        self.assertEqual((status, err), (0, ""), self.login.log())
        lines = sorted(out.splitlines())
        self.assertEqual([line.rsplit("'c", 1)[0] for line in lines],
                         [f"[{i}] {i} a  b" for i in range(3)])
        # They have come by ssh.
        self.assertTrue(all(f" {LOOPBACK} {self.port}" in line for line in lines), out)

    def test_input_goes_to_the_first_rank_and_a_status_comes_back(self):
        line: list = [MPIRUN, "--rsh", self.login.rsh(), "-host", "a,b", "sh", "-c",
                '[ "$DUNLIN_JOB_RANK" = 0 ] && cat && exit 7; exec sleep 1000']
        done = subprocess.run(line, input="some\nwords\n", capture_output=True, text=True,
                              timeout=PATIENCE_S, check=False)
        self.assertEqual((done.returncode, done.stdout), (7, "some\nwords\n"), done.stderr)

    def test_a_key_that_is_refused(self):
        self.login.host("refused", LOOPBACK, self.port, key="stranger")
        self.fails("refused", r"cannot be reached, `ssh` exited with status 255: .*"
                              r"[Pp]ermission denied")

    def test_a_host_that_is_somebody_else(self):
        self.login.host("other", LOOPBACK, self.port, alias="never-seen")
        self.fails("other", r"cannot be reached, `ssh` exited with status 255: .*"
                            r"Host key verification failed")

    def test_a_host_without_a_server_and_one_without_an_address(self):
        self.login.host("down", LOOPBACK, sshd.free_port())
        self.fails("down", r"cannot be reached, `ssh` exited with status 255: .*refused")
        self.login.host("unknown", "no-such-host.invalid", SSH_PORT)
        self.fails("unknown", r"cannot be reached, `ssh` exited with status 255: .*resolve")

    def test_another_version(self):
        # Both hosts answer so, and either may be the first.
        self.login.force(r"printf '\002Dunlin agent\003\0050.0.1'; sleep 5")
        status, out, err = self.run_job("-host", "a,b", "echo", "started")
        self.assertEqual((status, out), (1, ""), self.login.log())
        self.assertRegex(err, r"^mpirun: host [ab] has another Dunlin: 0\.0\.1 there, \d.* here; "
                              r"all hosts need the same\n$")

    def test_a_connection_that_is_cut_ends_the_job_on_both_sides(self):
        mark = f"1000.{int.from_bytes(os.urandom(MARK_BYTES), 'little')}"
        job = subprocess.Popen([MPIRUN, "--rsh", self.login.rsh(), "-host", "a,b", "sleep", mark],
                               stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.wait_for(lambda: len(bearing(mark, "sleep")) == 2)
        for pid in bearing(str(self.login.directory), "ssh")[:1]:
            os.kill(pid, signal.SIGKILL)
        _, err = job.communicate(timeout=PATIENCE_S)
        self.assertEqual(job.returncode, 1)
        self.assertRegex(err, r"^mpirun: host [ab] is lost, `ssh` was killed by signal 9\n$")
        self.wait_for(lambda: not bearing(mark, "sleep"))

    def wait_for(self, is_so) -> None:
        """Waits until something is so."""
        deadline = time.monotonic() + PATIENCE_S
        while not is_so():
            self.assertLess(time.monotonic(), deadline, self.login.log())
            time.sleep(0.02)


def bearing(text: str, name: str) -> list[int]:
    """The processes of a name with a text in their command line."""
    return [p.pid for p in psutil.process_iter(["name", "cmdline"])
            if p.info["name"] == name and text in " ".join(p.info["cmdline"] or [])]


NO_CLUSTER = NO_SSH or cluster.obstacle()


@pytest.mark.root
@unless(NO_CLUSTER)
class BetweenHosts(OverSsh):
    """Each host has a server, and ranks send each other messages."""

    def setUp(self):
        super().setUp()
        self.net = self.enterContext(Cluster())
        # Before the hosts go, which would end them too.
        self.addCleanup(self.login.end)
        for host in self.net.hosts:
            self.login.host(host.name, host.address(), SSH_PORT)
            self.login.serve(host.address(), SSH_PORT, host)

    def test_a_program_of_mpi_runs_and_ends(self):
        program = programs.compiled(HERE / "busy.c", checkout.dunlin(), BUILT)
        status, out, err = self.run_job("-host", ",".join(self.net.names), "-n", 4, program,
                                        on=self.net.hosts[0])
        self.assertEqual((status, out, err), (0, "ok busy\n", ""), self.login.log())

    def test_a_host_to_which_there_is_no_way(self):
        self.login.host("far", NOWHERE, SSH_PORT)
        status, out, err = self.run_job("-host", f"{self.net.names[0]},far", "echo", "started",
                                        on=self.net.hosts[0])
        self.assertEqual((status, out), (1, ""), err)
        self.assertRegex(err, r"^mpirun: host far cannot be reached, `ssh` exited with status 255: "
                              r".*Network is unreachable.*\n$")
