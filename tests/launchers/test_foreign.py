"""Programs of other MPI libraries, started by our mpirun: with their own libraries, and with
Dunlin's in their place."""

import subprocess
import tempfile
from pathlib import Path

from dunlin import checkout
from tests import unless
from tests.launchers.foreign import MPIRUN, MPIRUN_MISSING, Foreign, said, wheel

PATIENCE_S = 60
# More of them than a test machine has cores.
RANKS = 8
CODE = 42
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
RSH = Path(__file__).resolve().parent.parent / "rsh_here"
FAMILIES = checkout.PREFIX / "lib"
FAMILIES_MISSING = None if (FAMILIES / "openmpi").exists() else "make build comes first"


class Here(Foreign):
    """Started on this host alone."""

    def run_ranks(self, ranks: int, *words, between=()) -> subprocess.CompletedProcess:
        """The program under our mpirun."""
        line = [MPIRUN, "-n", str(ranks), *between, self.program, *words]
        return subprocess.run(line, env=self.environment, capture_output=True, text=True,
                              timeout=PATIENCE_S, check=False)


class Speaks(Here):
    """Those with which mpirun can talk."""

    def test_all_ranks_are_one_job(self):
        done = self.run_ranks(RANKS)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(sorted(done.stdout.splitlines()), said(RANKS, RANKS))

    def test_a_shell_may_stand_between(self):
        done = self.run_ranks(3, between=["sh", "-c", '"$0"; exit $?'])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(sorted(done.stdout.splitlines()), said(3, 3))

    def test_an_abort_has_its_code(self):
        done = self.run_ranks(3, "abort")
        self.assertEqual(done.returncode, CODE, done.stderr)
        self.assertIn(f"mpirun: rank 2 called MPI_Abort with code {CODE} (pid ", done.stderr)

    def test_a_rank_that_dies_ends_the_job(self):
        done = self.run_ranks(3, "die")
        self.assertEqual(done.returncode, 128 + 6, done.stderr)
        self.assertRegex(done.stderr, r"mpirun: rank 2 \(pid .* was killed by signal 6 .*; the "
                                      r"other ranks were ended")

    def test_a_rank_that_leaves_without_finalize_ends_the_job(self):
        done = self.run_ranks(3, "leave")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("exited with status 0 without calling MPI_Finalize; the other ranks were "
                      "ended", done.stderr)


@unless(MPIRUN_MISSING)
class Mpich(Speaks):
    __test__ = True
    peer = "mpich"


@unless(MPIRUN_MISSING)
class Intel(Speaks):
    __test__ = True
    peer = "intel"


@unless(MPIRUN_MISSING)
class OpenMpi(Here):
    """Ranks of it ask by PMIx alone."""

    __test__ = True
    peer = "openmpi"

    def test_several_ranks_are_refused_with_a_sentence(self):
        done = self.run_ranks(2)
        self.assertEqual((done.returncode, done.stdout), (126, ""))
        self.assertRegex(done.stderr, r"^mpirun: `.*` is built with Open MPI \(it needs "
                                      r"libmpi\.so\.40\), .* start it with Open MPI's mpirun\n$")

    def test_one_rank_is_a_job_of_its_own_anyway(self):
        self.environment = self.environment | AS_ROOT
        done = self.run_ranks(1)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines(), said(1, 1))


class Served(Here):
    """Those in whose place Dunlin has a library."""

    abi = "mpich"
    # What its own launcher needs to start two ranks on any machine.
    inner: tuple[str, ...] = ()
    # The library that its ranks then have.
    runs_on = "Dunlin"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        del cls.environment["DUNLIN_ABI"]

    def test_ranks_run_on_dunlin(self):
        done = self.run_ranks(3, "library")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(sorted(done.stdout.splitlines()), [*said(3, 3), *["Dunlin"] * 3])

    def test_a_shell_may_stand_between(self):
        for abi in ([], ["--abi", self.abi]):
            done = self.run_ranks(3, "library", between=[*abi, "sh", "-c", '"$0" $1; exit $?'])
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(sorted(done.stdout.splitlines()), [*said(3, 3), *["Dunlin"] * 3])

    def test_a_launcher_of_its_own_within_a_rank_starts_a_job_of_its_own(self):
        inner = [wheel(self.peer).launcher, *self.inner, "-n", "2"]
        self.environment = self.environment | AS_ROOT
        done = self.run_ranks(1, "library", between=["sh", "-c", '"$@"', "sh", *inner])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(done.stdout.splitlines()), [*said(2, 2), *[self.runs_on] * 2])

    def test_ranks_on_other_hosts_do_as_well(self):
        line = [str(MPIRUN), "--rsh", str(RSH), "-host", "h1:2,h2:2", str(self.program), "library"]
        done = subprocess.run(line, env=self.environment, capture_output=True, text=True,
                              timeout=PATIENCE_S, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(sorted(done.stdout.splitlines()), [*said(4, 2), *["Dunlin"] * 4])

    def test_an_abort_has_its_code(self):
        done = self.run_ranks(3, "abort")
        self.assertEqual(done.returncode, CODE, done.stderr)


@unless(MPIRUN_MISSING or FAMILIES_MISSING)
class MpichOnDunlin(Served):
    __test__ = True
    peer = "mpich"


@unless(MPIRUN_MISSING or FAMILIES_MISSING)
class IntelOnDunlin(Served):
    __test__ = True
    peer = "intel"


@unless(MPIRUN_MISSING or FAMILIES_MISSING)
class OpenMpiOnDunlin(Served):
    __test__ = True
    peer = "openmpi"
    abi = "openmpi"
    inner = ("--map-by", ":oversubscribe")
    runs_on = "Open M"  # which it puts first itself

    def test_a_script_whose_ranks_are_jobs_of_their_own_is_told_so(self):
        with tempfile.TemporaryDirectory() as directory:
            end = Path(directory) / "end"
            line = [MPIRUN, "-n", "2", "--timeout", PATIENCE_S, "env", "-u", "LD_LIBRARY_PATH",
                    self.program, "until", end]
            with subprocess.Popen([str(word) for word in line], env=self.environment | AS_ROOT,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True) as job:
                assert job.stderr and job.stdout
                told = next((text for text in job.stderr if "has loaded" in text), "")
                end.touch()
                said_at_end, errors = job.communicate(timeout=PATIENCE_S)
        self.assertEqual((job.returncode, said_at_end.splitlines()), (0, said(1, 1) * 2), errors)
        self.assertRegex(told, r"^mpirun: rank [01] \(pid \d+\) has loaded `.*libmpi\.so\.40.*`, "
                               r"not Dunlin's .* `mpirun --abi openmpi`")
        self.assertNotIn("has loaded", errors)
