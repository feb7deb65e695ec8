"""Spack's recipe, beside the sources it builds:

spack repo add packaging/spack
spack install dunlin
"""

from pathlib import Path

from spack.package import *

SOURCES = Path(__file__).resolve().parents[4]


class Dunlin(Package):
    """An MPI library with its own launcher, of the MPI 5.0 standard ABI."""

    # The checkout in which this recipe lies.
    git = f"file://{SOURCES}"

    license("Apache-2.0 OR MIT")

    version("main", branch="main")

    # Programs find them at run time, where they are there.
    variant("ofi", default=True, description="Messages between nodes over libfabric")
    variant("pmix", default=True, description="Ranks that launchers start by PMIx")

    depends_on("c", type=("build", "run"))
    depends_on("rust@1.85:", type="build")
    depends_on("libfabric", when="+ofi", type="run")
    depends_on("pmix", when="+pmix", type="run")

    provides("mpi@:5.0")

    def install(self, spec, prefix):
        """What `make install` does, without the environment of its tests and without the Fortran
        modules, which `mpifort` builds for its compiler."""
        Executable("cargo")("build", "--release", "--workspace", "--locked")
        Executable("scripts/prefix.sh")("target", prefix)

    def setup_run_environment(self, env):
        """The files of libraries that are loaded when they are needed."""
        if self.spec.satisfies("+ofi"):
            libfabric = join_path(self.spec["libfabric"].prefix.lib, "libfabric.so.1")
            env.set("DUNLIN_NET_LIBFABRIC", libfabric)
        if self.spec.satisfies("+pmix"):
            env.set("DUNLIN_LIBPMIX", join_path(self.spec["pmix"].prefix.lib, "libpmix.so.2"))

    def setup_dependent_build_environment(self, env, dependent_spec):
        """The wrappers, for packages that ask the environment for them."""
        env.set("MPICC", self.prefix.bin.mpicc)
        env.set("MPICXX", self.prefix.bin.mpicxx)
        env.set("MPIF77", self.prefix.bin.mpif77)
        env.set("MPIF90", self.prefix.bin.mpif90)

    def setup_dependent_package(self, module, dependent_spec):
        """The wrappers, for recipes that ask the package for them."""
        self.spec.mpicc = self.prefix.bin.mpicc
        self.spec.mpicxx = self.prefix.bin.mpicxx
        self.spec.mpif77 = self.prefix.bin.mpif77
        self.spec.mpifc = self.prefix.bin.mpifort
