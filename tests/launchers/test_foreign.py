"""Programs of other MPI libraries, started by our mpirun."""

import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from foreign import MPIRUN, MPIRUN_MISSING, Foreign, said  # noqa: E402 (found by the line above)

PATIENCE_S = 60
# More of them than a test machine has cores.
RANKS = 8
CODE = 42


class Speaks(Foreign):
    """Those with which mpirun can talk."""

    def run_ranks(self, ranks: int, *words, between=()) -> subprocess.CompletedProcess:
        """The program under our mpirun."""
        line = [MPIRUN, "-n", str(ranks), *between, self.program, *words]
        return subprocess.run(line, env=self.environment, capture_output=True, text=True,
                              timeout=PATIENCE_S, check=False)

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


@unittest.skipIf(MPIRUN_MISSING, MPIRUN_MISSING)
class Mpich(Speaks, unittest.TestCase):
    peer = "mpich"


@unittest.skipIf(MPIRUN_MISSING, MPIRUN_MISSING)
class Intel(Speaks, unittest.TestCase):
    peer = "intel"


if __name__ == "__main__":
    unittest.main()
