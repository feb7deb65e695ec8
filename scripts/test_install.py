"""`make install` makes a prefix that users put on PATH and nothing else: it may be moved, its
wrapper finds its own header and library, and pkg-config tells the same."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = Path("/usr/share/modules/init/sh")  # where Debian has them
FORTRAN = ROOT / "tests" / "cmake"  # small programs for two ranks
EXPECTED = [
    "bin/mpirun", "bin/mpiexec", "bin/mpicc", "bin/mpicxx", "bin/mpic++", "bin/mpifort",
    "bin/dunlin-info", "bin/dunlin-sim",
    "lib/libmpi_abi.so", "lib/libmpi_abi.so.1", "lib/libmpi_abi_fortran.so.1",
    "lib/pkgconfig/dunlin.pc", "lib/pkgconfig/dunlin-fortran.pc",
    "include/mpi.h", "include/mpif.h", "share/dunlin/fortran/mpi_f08.f90",
    "share/doc/dunlin/README.md", "share/dunlin/slurm.sh", "share/dunlin/pbs.sh",
]
PROGRAM = """\
#include <mpi.h>
int main(void)
{
    int rank, sum;
    MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum == 3 ? 0 : 1;
}
"""


class Installed(unittest.TestCase):
    """A prefix that was installed at one place and moved to another."""

    at: Path
    prefix: Path

    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.at = Path(directory.name)
        target = os.environ.get("CARGO_TARGET_DIR", str(ROOT / "target"))
        subprocess.run([ROOT / "scripts/prefix.sh", target, cls.at / "first"], check=True)
        subprocess.run([ROOT / "scripts/modules.sh", cls.at / "first"], check=True)
        cls.prefix = cls.at / "second place"  # a space is where shell scripts go wrong
        shutil.move(cls.at / "first", cls.prefix)
        (cls.at / "hello.c").write_text(PROGRAM)

    def call(self, *command, **environment):
        path = f"{self.prefix / 'bin'}:{os.environ['PATH']}"
        return subprocess.run(
            command, cwd=self.at, env={**os.environ, "PATH": path, **environment},
            capture_output=True, text=True, timeout=60, check=False)

    def assert_runs_on_three(self, program):
        done = self.call("mpirun", "-n", "3", program)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_everything_is_in_its_place(self):
        missing = [name for name in EXPECTED if not (self.prefix / name).exists()]
        self.assertEqual(missing, [])

    def test_a_program_built_by_the_wrapper_runs_without_further_settings(self):
        done = self.call("mpicc", "hello.c", "-o", "hello")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_runs_on_three("./hello")

    def test_the_users_tables_are_obeyed_and_a_mistake_in_them_ends_the_job(self):
        self.call("mpicc", "hello.c", "-o", "tabled")
        table = self.at / "table.toml"
        for algorithm in ["ring", "rabenseifner", "reduce_bcast", "recursive_doubling"]:
            table.write_text(f"[[allreduce]]\nalgorithm = '{algorithm}'\n")
            done = self.call("mpirun", "-n", "3", "./tabled", DUNLIN_COLL_TUNING=str(table))
            self.assertEqual(done.returncode, 0, algorithm + done.stdout + done.stderr)
            told = self.call("dunlin-info", "explain", "allreduce", "--ppn", "3", "--bytes", "4",
                             DUNLIN_COLL_TUNING=str(table))
            self.assertIn(f"runs {algorithm}\n", told.stdout)
        table.write_text("[[allreduce]]\nalgorithm = 'rign'\n")
        done = self.call("mpirun", "-n", "3", "./tabled", DUNLIN_COLL_TUNING=str(table))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(f"{table}:2: `rign`", done.stdout + done.stderr)

    def with_modules(self, script):
        """Runs a script in a shell that knows modules, and of Dunlin only where its are."""
        modules = str(self.prefix / "share" / "modulefiles")
        begin = f'. {MODULES} && module use "$0" && '
        clean = {name: value for name, value in os.environ.items()
                 if name in ("HOME", "PATH", "LANG", "TMPDIR")}
        return subprocess.run(["sh", "-c", begin + script, modules], cwd=self.at, env=clean,
                              capture_output=True, text=True, timeout=60, check=False)

    @unittest.skipUnless(MODULES.exists(), "there is no environment-modules")
    def test_the_module_is_all_a_user_needs(self):
        done = self.with_modules(
            "module load dunlin && mpicc hello.c -o moduled && mpirun -n 3 ./moduled && "
            'echo "$MPI_HOME"; ldd moduled; module unload dunlin; echo "[$LD_LIBRARY_PATH]"; '
            "command -v mpicc dunlin-info")
        lines = done.stdout.splitlines()
        self.assertEqual(lines[:1], [str(self.prefix)], done.stderr)
        library = str(self.prefix / "lib" / "libmpi_abi.so.1")
        self.assertTrue(any(library in line for line in lines), done.stdout)
        self.assertIn("[]", lines, "unloaded")
        self.assertNotIn(str(self.prefix / "bin"), "".join(lines[lines.index("[]"):]))

    @unittest.skipUnless(MODULES.exists(), "there is no environment-modules")
    def test_two_mpi_libraries_are_not_loaded_together(self):
        other = self.at / "others" / "mpich"
        other.mkdir(parents=True)
        (other / "1").write_text("#%Module1.0\n")
        done = self.with_modules(f'module use "{other.parent}"; module load mpich; '
                                 "module load dunlin; echo $MPI_HOME")
        self.assertEqual(done.stdout, "\n")
        self.assertIn("conflict", done.stderr)

    @unittest.skipUnless(shutil.which("c++"), "there is no C++ compiler")
    def test_the_wrapper_for_cplusplus_builds_cplusplus(self):
        source = self.at / "hello.cpp"
        source.write_text("#include <vector>\n" + PROGRAM)
        done = self.call("mpicxx", "hello.cpp", "-o", "hello++")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_runs_on_three("./hello++")

    @unittest.skipUnless(shutil.which("pkg-config"), "there is no pkg-config")
    def test_pkg_config_tells_a_place_that_exists(self):
        pkgconfig = str(self.prefix / "lib/pkgconfig")
        done = self.call("pkg-config", "--variable=includedir", "dunlin",
                         PKG_CONFIG_PATH=pkgconfig)
        told = done.stdout.strip().replace("\\", "")
        self.assertTrue((Path(told) / "mpi.h").exists(), done.stdout + done.stderr)

    @unittest.skipUnless(shutil.which("gfortran"), "there is no gfortran")
    @unittest.skipUnless(shutil.which("pkg-config"), "there is no pkg-config")
    def test_pkg_config_tells_gfortran_the_modules_and_libraries(self):
        flags = "$(pkg-config --cflags --libs dunlin-fortran)"
        for source in ["hello.f", "hello.f90"]:
            done = self.call("sh", "-c", f"eval gfortran {FORTRAN / source} -o hello_pc {flags}",
                             PKG_CONFIG_PATH=str(self.prefix / "lib/pkgconfig"))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.call("mpirun", "-n", "2", "./hello_pc").returncode, 0, source)

    @unittest.skipUnless(shutil.which("gfortran"), "there is no gfortran")
    def test_installed_modules_serve_a_user_who_cannot_write(self):
        done = self.call("mpifort", str(FORTRAN / "hello.f90"), "-o", "hello_f08",
                         XDG_CACHE_HOME="/dev/null")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.call("mpirun", "-n", "2", "./hello_f08").returncode, 0)

    def test_the_library_names_itself_as_the_standard_says(self):
        library = (self.prefix / "lib/libmpi_abi.so.1").read_bytes()
        self.assertIn(b"\0libmpi_abi.so.1\0", library)
