"""Fortran libraries that are loaded while a program runs each have a block of MPI's variables."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from dunlin import checkout

SOURCE = """
subroutine sum_in_place_{name}(values, n)
  use mpi
  integer :: n, values(n), ierror
  call MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierror)
end subroutine
"""
# As an extension module of Python is loaded: its symbols are not for others.
LOADER = """
import ctypes
import sys

mpi = ctypes.CDLL(sys.argv[1])
mpi.MPI_Init(None, None)
for name in sys.argv[2:]:
    library = ctypes.CDLL(name, mode=ctypes.RTLD_LOCAL)
    symbol = "sum_in_place_" + name.rsplit("lib", 1)[1].removesuffix(".so") + "_"
    values = (ctypes.c_int * 3)(5, 6, 7)
    getattr(library, symbol)(values, ctypes.byref(ctypes.c_int(3)))
    print(*values)
mpi.MPI_Finalize()
"""


@unittest.skipUnless(shutil.which("gfortran"), "there is no gfortran")
class LoadedLibraries(unittest.TestCase):
    def loaded(self, *options: str) -> str:
        with tempfile.TemporaryDirectory() as directory:
            libraries = []
            for name in ("one", "two", "three"):
                source = Path(directory) / f"{name}.f90"
                source.write_text(SOURCE.format(name=name))
                libraries.append(Path(directory) / f"lib{name}.so")
                subprocess.run([checkout.PREFIX / "bin/mpifort", "-shared", "-fPIC", *options,
                                source, "-o", libraries[-1]], cwd=directory, check=True)
            mpi = checkout.PREFIX / "lib/libmpi_abi.so.1"
            done = subprocess.run([sys.executable, "-c", LOADER, mpi, *libraries], text=True,
                                  capture_output=True, timeout=60, check=True)
            return done.stdout

    def test_each_has_its_own_variables(self):
        self.assertEqual(self.loaded(), "5 6 7\n" * 3)

    def test_a_library_that_is_bound_to_itself(self):
        self.assertEqual(self.loaded("-Wl,-Bsymbolic"), "5 6 7\n" * 3)


if __name__ == "__main__":
    unittest.main()
