"""Jobs on two hosts under faults of the network between them: a link goes down for a while or for
ever, packets are lost, duplicated and reordered, outsiders send to the job's ports."""

import contextlib
import itertools
import os
import queue
import re
import resource
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

import pytest

from dunlin import checkout, programs
from tests import unless
from tests.cluster import attacker, cluster, faults
from tests.cluster.cluster import RSH, Cluster

pytestmark = [pytest.mark.root, pytest.mark.slow]
HERE = Path(__file__).resolve().parent
MPIRUN = checkout.PREFIX / "bin" / "mpirun"
NO_CLUSTER = cluster.obstacle("nft") or (
    None if MPIRUN.exists() else f"there is no {MPIRUN}: make build")
BUILT = checkout.ROOT / "build" / "cluster-tests"
RANKS_PER_HOST = 2
FABRICS = os.environ.get("CLUSTER_TEST_FABRICS", "auto udp tcp").split()
# A job says something every 50 ms; on a loaded machine, with faults, much later.
PATIENCE_S = 60
DOWN_S = 3
# Seconds after which a silent peer counts as lost, in the test that waits for it.
SILENCE_S = 4
# In which a job ends once its peers count as lost: TCP adds a try of its own.
ENDING_S = 6
# How long a rank computes that is silent for much longer than the timeout of that test.
BUSY_S = 5
SEED = 1
FIRST_PORT = 20000
SECURITIES = ["off", "authenticate", "encrypt"]
# A rank needs some forty for itself and its peers here.
DESCRIPTORS_FEW = 100
LINES_UNDER_FAULT = 20


class Traffic:
    """traffic.c on all hosts, watched from outside."""

    def __init__(self, net: Cluster, settings: dict[str, str], descriptors: int | None = None):
        self.directory = tempfile.TemporaryDirectory()
        self.file = Path(self.directory.name) / "over"
        mpi = checkout.dunlin()
        program = programs.compiled(HERE / "traffic.c", mpi, BUILT)
        self.job = subprocess.Popen(
            net.hosts[0].command(mpi.launcher, "--rsh", RSH, "-host", ",".join(net.names), "-ppn",
                                 RANKS_PER_HOST, "-n", RANKS_PER_HOST * len(net.hosts),
                                 program, self.file),
            env={**os.environ, "DUNLIN_NET_REPORT": "end", **settings}, text=True,
            preexec_fn=None if descriptors is None else lambda: resource.setrlimit(
                resource.RLIMIT_NOFILE, (descriptors, descriptors)),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert self.job.stdout is not None
        self.out = self.job.stdout
        self.lines: queue.Queue = queue.Queue()
        self.output: list[str] = []
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self) -> None:
        """Takes the job's lines as they come; None is the end."""
        for line in self.out:
            self.lines.put(line)
        self.lines.put(None)

    def next_line(self) -> str | None:
        """The next line, which has to come in time."""
        try:
            line = self.lines.get(timeout=PATIENCE_S)
        except queue.Empty:
            raise AssertionError(f"the job says nothing for {PATIENCE_S} s: {self.said}") from None
        if line is not None:
            self.output.append(line)
        return line

    @property
    def said(self) -> str:
        """What it has said but that it goes on."""
        return "".join(line for line in self.output if not line.startswith("round"))

    def goes_on(self, lines: int = 1) -> None:
        """Waits until it has gone on from now, for so many lines."""
        while not self.lines.empty():
            self.next_line()
        while (line := self.next_line()) is not None:
            lines -= line.startswith("round")
            if lines == 0:
                return
        raise AssertionError(f"the job has ended: {self.said}")

    def end(self) -> int:
        """Reads to the end; the exit status."""
        while self.next_line() is not None:
            pass
        return self.job.wait(PATIENCE_S)

    def ends_well(self) -> str:
        """Asks it to end; what it has said."""
        self.file.touch()
        status = self.end()
        if status != 0 or "ok traffic\n" not in self.output:
            raise AssertionError(f"the job ended with {status}: {self.said}")
        return self.said

    def close(self) -> None:
        """Ends it, however it is."""
        if self.job.poll() is None:
            self.job.kill()
        self.job.wait()
        self.reader.join(PATIENCE_S)
        self.out.close()
        self.directory.cleanup()


def counted(said: str, what: str) -> int:
    """A figure of the ranks' reports, summed up."""
    return sum(int(n) for n in re.findall(rf"{what} (\d+)", said))


@unless(NO_CLUSTER)
class Jobs(unittest.TestCase):
    def setUp(self):
        self.net = self.enterContext(Cluster())

    @contextlib.contextmanager
    def traffic(self, fabric: str, descriptors: int | None = None, **settings: str):
        """A job that goes on; nothing of it may be left behind."""
        job = Traffic(self.net, {"DUNLIN_NET_FABRIC": fabric, **settings}, descriptors)
        try:
            job.goes_on()
            yield job
        finally:
            job.close()
            left = self.net.leftovers()
            self.net.end_processes()
        self.assertEqual(left, {})

    def test_a_link_that_is_down_for_a_while_holds_a_job_up_but_does_not_end_it(self):
        for fabric in FABRICS:
            with self.subTest(fabric=fabric), self.traffic(fabric) as job:
                with faults.link_down(self.net.hosts[1]):
                    time.sleep(DOWN_S)
                job.goes_on()
                job.ends_well()

    def test_a_link_that_stays_down_ends_the_job_with_one_sentence(self):
        for fabric in FABRICS:
            silence = {"DUNLIN_NET_TIMEOUT": str(SILENCE_S)}
            with self.subTest(fabric=fabric), self.traffic(fabric, None, **silence) as job:
                began = time.monotonic()
                with faults.link_down(self.net.hosts[1]):
                    self.assertNotEqual(job.end(), 0)
                    took_s = time.monotonic() - began
                    self.assertEqual(self.net.leftovers(), {})
            # Every rank finds out by itself; the user hears of it once. TCP has a timer of its own,
            # and may have been about to connect.
            why = rf"not answered for {SILENCE_S} s|is lost|cannot be reached"
            self.assertRegex(job.said, r"\Ampirun: rank \d \(pid \d+ on dunlin-\d\) cannot go on: "
                                       rf".*(?:{why}).*\n\Z")
            self.assertLess(took_s, SILENCE_S + ENDING_S, job.said)

    def test_connections_that_are_cut_between_two_packets_end_the_job_with_one_sentence(self):
        program = programs.compiled(HERE / "severed.c", checkout.dunlin(), BUILT)
        line = [MPIRUN, "--rsh", RSH, "-host", ",".join(self.net.names), "-n", 2, program]
        for fabric, how in itertools.product(["auto", "tcp"], ["shut", "reset"]):
            with self.subTest(fabric=fabric, how=how):
                done = subprocess.run(self.net.hosts[0].command(*line, how), text=True, check=False,
                                      env={**os.environ, "DUNLIN_NET_FABRIC": fabric},
                                      capture_output=True, timeout=PATIENCE_S)
                self.assertRegex(done.stdout, r"\Asevered [1-9]\d*\n\Z")
                self.assertRegex(done.stderr, r"\Ampirun: rank 0 \(pid \d+ on dunlin-1\) cannot go "
                                              r"on: the connection to rank 1 .*has.*\n\Z")
                self.assertEqual(done.returncode, 1)

    def test_a_rank_that_computes_for_long_is_not_taken_for_lost(self):
        mpi = checkout.dunlin()
        program = programs.compiled(HERE / "busy.c", mpi, BUILT)
        settings = {"DUNLIN_NET_FABRIC": "udp", "DUNLIN_NET_TIMEOUT": "1"}
        command = self.net.hosts[0].command(mpi.launcher, "--rsh", RSH, "-n", len(self.net.hosts),
                                            "-host", ",".join(self.net.names), program, BUSY_S)
        done = subprocess.run(command, env={**os.environ, **settings}, text=True, check=False,
                              capture_output=True, timeout=PATIENCE_S)
        self.assertEqual((done.returncode, done.stdout), (0, "ok busy\n"), done.stderr)

    def test_ports_are_counted_for_the_sign_of_life_as_well(self):
        program = programs.compiled(HERE / "busy.c", checkout.dunlin(), BUILT)

        def run(last: int) -> subprocess.CompletedProcess:
            settings = {"DUNLIN_NET_FABRIC": "udp", "DUNLIN_NET_FLOWS": "1",
                        "DUNLIN_NET_PORTS": f"{FIRST_PORT}-{last}"}
            line = [MPIRUN, "--rsh", RSH, "-host", ",".join(self.net.names), "-n",
                    len(self.net.hosts), program]
            return subprocess.run(self.net.hosts[0].command(*line), text=True, check=False,
                                  env={**os.environ, **settings}, capture_output=True,
                                  timeout=PATIENCE_S)

        done = run(FIRST_PORT + 1)
        self.assertEqual((done.returncode, done.stdout), (0, "ok busy\n"), done.stderr)
        done = run(FIRST_PORT)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("DUNLIN_NET_PORTS leaves no port for the thread", done.stderr)

    def test_lost_doubled_and_reordered_packets_do_no_harm(self):
        for fault in (faults.loss, faults.duplication, faults.reordering):
            for fabric in FABRICS:
                with self.subTest(fabric=fabric, fault=fault.__name__), \
                        self.traffic(fabric) as job, fault(self.net, 20):
                    job.goes_on(LINES_UNDER_FAULT)
                    said = job.ends_well()
                if fabric == "udp" and fault is faults.loss:
                    self.assertGreater(counted(said, "again"), 0, said)

    def test_strangers_do_no_harm(self):
        for fabric, security in itertools.product(FABRICS, SECURITIES):
            with self.subTest(fabric=fabric, security=security), \
                    self.traffic(fabric, DUNLIN_NET_SECURITY=security) as job, \
                    contextlib.ExitStack() as kept:
                by, to = self.net.hosts
                if fabric == "udp":
                    self.assertGreater(attacker.disturb_udp(by, to, self.net.mtu, SEED), 0)
                for connection in attacker.disturb_tcp(by, to, SEED):
                    kept.enter_context(connection)
                job.goes_on()
                said = job.ends_well()
            if fabric == "udp":
                self.assertGreater(counted(said, "foreign"), 0, said)
                self.assertGreater(counted(said, "duplicates"), 0, said)

    def test_crowds_that_say_nothing_neither_end_a_job_nor_keep_its_peers_out(self):
        for fabric, descriptors in itertools.product(["auto", "tcp"], [None, DESCRIPTORS_FEW]):
            with self.subTest(fabric=fabric, descriptors=descriptors), \
                    self.traffic(fabric, descriptors) as job, contextlib.ExitStack() as kept:
                for by, to in itertools.permutations(self.net.hosts):
                    for connection in attacker.crowd_tcp(by, to):
                        kept.enter_context(connection)
                job.goes_on(LINES_UNDER_FAULT)
                said = job.ends_well()
                self.assertGreater(counted(said, "unauthenticated connections refused"), 0, said)
