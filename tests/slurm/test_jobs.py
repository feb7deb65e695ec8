"""Jobs under a real Slurm that are ended from outside, and the errors for requests that contradict
the job."""

import hashlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
import unittest
from pathlib import Path

import pytest

from dunlin import checkout, programs
from dunlin.watchdog import words_of
from tests import unless
from tests.slurm import slurm

pytestmark = [pytest.mark.root, pytest.mark.slow]
HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BIN = checkout.PREFIX / "bin"
MPIRUN = BIN / "mpirun"
NO_SLURM = slurm.obstacle() or (None if MPIRUN.exists() else f"there is no {MPIRUN}: make build")
TWO_NODES = ["--quiet", "--nodes=2", "--ntasks-per-node=2"]
SALLOC = ["salloc", *TWO_NODES]
PATIENCE_S = 30
POLL_S = 0.05
INPUT_BYTES = 1 << 20
SEED = 1


@unless(NO_SLURM)
class Jobs(unittest.TestCase):
    slurm: slurm.Slurm
    directory: Path
    programs: dict[str, Path]

    @classmethod
    def setUpClass(cls):
        cls.slurm = cls.enterClassContext(slurm.Slurm())
        cls.directory = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        mpi, at = checkout.dunlin(), ROOT / "tests" / "c"
        cls.programs = {name: programs.compiled(at / f"{name}.c", mpi, cls.directory)
                        for name in ("ring", "abort")}

    def run_job(self, *words, given: bytes = b"", **more: str) -> tuple[int, str, str]:
        """Status, output and errors of a command where users log in."""
        done = subprocess.run(self.slurm.command(*words), env=self.slurm.environment(**more),
                              input=given, capture_output=True, timeout=PATIENCE_S, check=False)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def start(self, *words) -> subprocess.Popen:
        """A command whose first line of output is waited for."""
        job = subprocess.Popen(self.slurm.command(*words), env=self.slurm.environment(), text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
        self.addCleanup(job.kill)
        assert job.stdout is not None
        self.assertEqual(job.stdout.readline(), "there\n")
        return job

    def nothing_is_left(self, said: str = "") -> None:
        """No job and no process, after a moment."""
        self.wait_for(lambda: not self.slurm.jobs())
        self.assertEqual(self.slurm.leftovers(), [], said)

    def wait_for(self, is_so) -> None:
        """Waits until something is so."""
        deadline = time.monotonic() + PATIENCE_S
        while not is_so():
            self.assertLess(time.monotonic(), deadline, self.slurm.said())
            time.sleep(POLL_S)

    def cancel(self) -> None:
        """scancel of every job there is."""
        numbers = [line.split()[0] for line in self.slurm.jobs()]
        self.assertEqual(len(numbers), 1)
        self.slurm.call("scancel", *numbers)

    def test_the_network_between_the_nodes_of_a_job_is_calibrated_and_algorithms_measured(self):
        model = self.directory / "mine.toml"
        status, said, why = self.run_job(
            "salloc", "--quiet", "--nodes=2", "--ntasks-per-node=1", sys.executable, "-m", "dunlin",
            "calibrate", model, "--in-job", "--rounds", "1", "--at", checkout.PREFIX)
        self.assertEqual(status, 0, said + why)
        found = tomllib.loads(model.read_text())
        self.assertGreater(found["network"]["send_ns"], found["node"]["message_ns"])
        self.nothing_is_left()
        table = self.directory / "job.toml"
        status, said, why = self.run_job(
            "salloc", "--quiet", "--nodes=2", "--ntasks-per-node=1", sys.executable, "-m", "dunlin",
            "tune", table, "--measure", "--in-job", "--machine", model, "--nodes", "2", "--ppn",
            "1", "--operations", "allreduce", "--bytes", "8", "--rounds", "3", "--at",
            checkout.PREFIX)
        self.assertEqual(status, 0, said + why)
        self.assertIn("# Algorithms measured on the job of ", table.read_text())
        self.nothing_is_left()

    def test_scancel_ends_an_mpirun_within_salloc(self):
        job = self.start(*SALLOC, MPIRUN, "sh", "-c", "echo there; sleep 1000")
        self.cancel()
        _, said = job.communicate(timeout=PATIENCE_S)
        self.assertNotEqual(job.returncode, 0)
        self.nothing_is_left(said)

    def test_scancel_ends_ranks_that_srun_has_started(self):
        for protocol in ("pmi2", "pmix"):
            job = self.start("srun", "--nodes=1", "--ntasks=4", f"--mpi={protocol}", "sh", "-c",
                             "[ $SLURM_PROCID = 0 ] && echo there; sleep 1000")
            self.cancel()
            _, said = job.communicate(timeout=PATIENCE_S)
            self.assertNotEqual(job.returncode, 0)
            self.nothing_is_left(said)

    def test_scancel_ends_a_batch_job(self):
        out = self.directory / "cancelled"
        script = f"#!/bin/sh\nexec {MPIRUN} sh -c 'echo there; trap : TERM; sleep 1000; sleep 1000'"
        file = self.directory / "job"
        file.write_text(script)
        self.slurm.call("sbatch", *TWO_NODES, f"--output={out}", file)
        self.wait_for(lambda: out.exists() and out.read_text().count("there") == 4)
        self.cancel()
        self.nothing_is_left()

    def test_an_mpirun_that_is_killed_takes_its_ranks_with_it(self):
        job = self.start(*SALLOC, MPIRUN, "sh", "-c", "echo there; sleep 1000")
        mpirun = [pid for pid in self.slurm.login.processes()
                  if " ".join(words_of(pid)).startswith(f"{MPIRUN} sh")]
        self.assertEqual(len(mpirun), 1)
        os.kill(mpirun[0], signal.SIGKILL)
        job.communicate(timeout=PATIENCE_S)
        self.nothing_is_left()

    def test_a_rank_that_dies_is_named_with_its_node(self):
        node = self.slurm.names[1]
        status, _, said = self.run_job(
            *SALLOC, MPIRUN, "sh", "-c", "[ $DUNLIN_JOB_RANK = 2 ] && kill -SEGV $$; sleep 1000")
        self.assertEqual(status, 128 + signal.SIGSEGV)
        self.assertRegex(said, rf"^mpirun: rank 2 \(pid \d+ on {node}\) was killed by signal 11 ")
        self.nothing_is_left()

    def test_the_code_of_an_abort_comes_back(self):
        status, _, said = self.run_job(*SALLOC, MPIRUN, self.programs["abort"])
        self.assertEqual(status, 7, said)
        self.nothing_is_left()

    def test_what_goes_through_srun_is_not_changed(self):
        given = random.Random(SEED).randbytes(INPUT_BYTES)
        status, out, said = self.run_job(*SALLOC, MPIRUN, "-n", 1, "sha256sum", given=given)
        self.assertEqual((status, out), (0, f"{hashlib.sha256(given).hexdigest()}  -\n"), said)
        lines = "".join(f"{i} a\tb\r \u00e4\n" for i in range(10000))
        status, out, said = self.run_job(*SALLOC, MPIRUN, "-n", 1, "cat", given=lines.encode())
        self.assertEqual((status, out == lines), (0, True), said)

    def test_the_job_script_of_the_packaging_runs_as_it_is(self):
        out = self.directory / "result"
        status, _, said = self.run_job(
            "sbatch", "--wait", f"--output={out}", ROOT / "packaging" / "slurm.sh",
            self.programs["ring"], PATH=f"{BIN}:{slurm.PATH}")
        self.assertEqual(status, 0, said + (out.read_text() if out.exists() else ""))
        text = out.read_text()
        self.assertIn(f"2 hosts with 4 slots: {','.join(f'{n}:2' for n in self.slurm.names)}", text)
        self.assertIn("mpirun would start 4 ranks", text)
        self.nothing_is_left()

    def refused(self, text: str, *words, status: int = 2) -> None:
        """A command ends with one sentence of mpirun or a rank that contains a text."""
        ended, _, said = self.run_job(*words)
        ours = {line.split(": ", 1)[1] for line in said.splitlines()
                if line.startswith(("mpirun: ", "dunlin: "))}
        self.assertEqual((ended, len(ours)), (status, 1), said)
        self.assertIn(text, ours.pop())

    def test_what_contradicts_the_job_is_refused(self):
        first = self.slurm.names[0]
        has = "which has " + ",".join(f"{name}:2" for name in self.slurm.names)
        self.refused("slots (", *SALLOC, MPIRUN, "-n", 5, "true")
        self.refused(has, *SALLOC, MPIRUN, "-host", "elsewhere", "true")
        self.refused(f"3 ranks on host {first}, but", *SALLOC, MPIRUN, "-host", f"{first}:3",
                     "true")
        status, out, said = self.run_job(*SALLOC, MPIRUN, "-n", 5, "--oversubscribe", "echo", "ran")
        self.assertEqual((status, out), (0, "ran\n" * 5), said)

    def test_cpus_that_were_asked_for_each_task_are_known(self):
        status, out, said = self.run_job("salloc", "--quiet", "--nodes=1", "--ntasks=2",
                                         "--cpus-per-task=2", BIN / "dunlin-info", "launch")
        self.assertEqual(status, 0, said)
        self.assertIn("1 host with 2 slots, 2 CPUs for each", out)

    def test_an_mpirun_in_every_task_starts_nothing(self):
        ended, out, said = self.run_job("srun", "--nodes=1", "--ntasks=2", MPIRUN, "echo", "ran")
        self.assertEqual((ended, out), (2, ""), said)
        self.assertRegex(said, r"srun has started this mpirun as task [01] of 2, and each would")

    def test_ranks_without_a_protocol_are_no_jobs_of_one(self):
        self.refused("offers no way to find the others: use `srun --mpi=pmix`", "srun", "--nodes=1",
                     "--ntasks=1", "--mpi=none", "--quiet", "env", "SLURM_STEP_NUM_TASKS=2",
                     self.programs["ring"], status=16)
