"""A program that calls every routine compiles and links with each of Fortran's interfaces."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from dunlin import checkout

ROOT = Path(__file__).resolve().parents[2]
USUAL_COMPILERS = "gfortran flang-new flang"
COMPILERS = [name for name in os.environ.get("DUNLIN_FC", USUAL_COMPILERS).split()
             if shutil.which(name)]
TIMEOUT_S = 300


def run(command, at=ROOT, compiler=""):
    """What a command says; fails the test where the command fails."""
    done = subprocess.run(
        command, cwd=at, env={**os.environ, "DUNLIN_FC": compiler}, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT_S, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{command}:\n{done.stdout[:20000]}")
    return done.stdout


@unittest.skipUnless(COMPILERS, f"there is none of the Fortran compilers {USUAL_COMPILERS}")
class EveryRoutine(unittest.TestCase):
    def check(self, interface):
        program = run(["cargo", "run", "-q", "-p", "dunlin-api", "--example", "fortran_calls",
                       interface])
        with tempfile.TemporaryDirectory() as directory:
            source = Path(directory) / "calls.f90"
            source.write_text(program)
            for compiler in COMPILERS:
                built = Path(directory) / compiler
                run([checkout.PREFIX / "bin/mpifort", source, "-o", built], directory, compiler)
                self.assertEqual(run([built]), "all routines are there\n")

    def test_the_include_file(self):
        self.check("mpif.h")

    def test_the_module_mpi(self):
        self.check("mpi")

    def test_the_module_mpi_f08(self):
        self.check("mpi_f08")


if __name__ == "__main__":
    unittest.main()
