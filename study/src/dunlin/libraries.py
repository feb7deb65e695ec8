"""An MPI library as it is installed somewhere: its compiler wrapper, its launcher, and how that
launcher is told what to start where."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

# What a library says of itself begins like this. Derived libraries stand before those that they
# are derived from, and whose words they repeat.
VENDORS = [
    ("dunlin", re.compile(r"Dunlin\s+(?P<version>\S+)")),
    ("intel", re.compile(r"Intel\(R\) MPI Library (?P<version>\S+)")),
    ("mvapich", re.compile(r"MVAPICH\d?\s+Version\s*:\s*(?P<version>\S+)")),
    ("cray", re.compile(r"CRAY MPICH version (?P<version>\S+)")),
    ("spectrum", re.compile(r"IBM Spectrum MPI,?\s+v?(?P<version>[\w.]+)")),
    ("mpt", re.compile(r"HPE? MPT (?P<version>\S+)")),
    ("openmpi", re.compile(r"Open MPI v?(?P<version>[\w.]+)")),
    ("mpich", re.compile(r"MPICH Version:\s*(?P<version>\S+)")),
]
# What a library's `launch` may hold in braces.
LAUNCH_FIELDS = ("ranks", "nodes", "ranks_per_node", "hostfile", "launcher")
HYDRA, OPEN, DUNLIN, PLAIN = "hydra", "open", "dunlin", "plain"
FAMILIES = {
    "dunlin": DUNLIN, "mpich": HYDRA, "intel": HYDRA, "mvapich": HYDRA, "openmpi": OPEN,
    "spectrum": OPEN,
}  # fmt: skip


def identify(text: str) -> tuple[str, str]:
    """Vendor and version from what `MPI_Get_library_version` returns; ("unknown", "") if new."""
    for vendor, pattern in VENDORS:
        if match := pattern.search(text):
            return vendor, match["version"].rstrip(",")
    return "unknown", ""


@dataclass(frozen=True)
class Library:
    """A library that can be compiled for and run. `launch` replaces the launcher's own way of
    being told where to start ranks: a command with {ranks}, {nodes}, {ranks_per_node} and
    {hostfile}."""

    name: str
    mpicc: Path
    launcher: Path
    vendor: str = "unknown"
    version: str = ""
    text: str = ""
    source: str = ""  # how it was found
    environment: Mapping[str, str] = field(default_factory=dict)
    launch: tuple[str, ...] = ()
    fault: str | None = None  # why it cannot be used, in a sentence

    @property
    def family(self) -> str:
        """Which launcher's options it understands."""
        return FAMILIES.get(self.vendor, PLAIN)

    @property
    def prefix(self) -> Path:
        """Where it is installed."""
        return self.mpicc.parent.parent


@dataclass(frozen=True)
class Place:
    """Where the ranks of a launch go. `hosts` is empty where the launcher knows by itself: on one
    node, or inside a batch job whose system it asks."""

    nodes: int
    ranks_per_node: int
    hosts: tuple[str, ...] = ()

    @property
    def ranks(self) -> int:
        """Of all nodes."""
        return self.nodes * self.ranks_per_node


def _hostfile_line(family: str, host: str, slots: int) -> str:
    if family == OPEN:
        return f"{host} slots={slots}"
    return host if family == PLAIN else f"{host}:{slots}"


def write_hostfile(library: Library, place: Place, at: Path) -> None:
    """The first hosts that there are, in the dialect of the library's launcher."""
    hosts = place.hosts[: place.nodes]
    lines = [_hostfile_line(library.family, host, place.ranks_per_node) for host in hosts]
    at.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _own_words(family: str, place: Place, hostfile: Path | None) -> list[str]:
    words = ["-n", str(place.ranks)]
    if hostfile is None:
        return words
    if family == OPEN:
        spread = f"ppr:{place.ranks_per_node}:node:OVERSUBSCRIBE"
        return [*words, "--map-by", spread, "--hostfile", str(hostfile)]
    if family == PLAIN:
        return [*words, "-machinefile", str(hostfile)]
    return [*words, "-ppn", str(place.ranks_per_node), "-f", str(hostfile)]


def launcher_words(library: Library, place: Place, hostfile: Path | None) -> list[str]:
    """The command line up to the options of a profile and the program."""
    if not library.launch:
        return [str(library.launcher), *_own_words(library.family, place, hostfile)]
    values = (place.ranks, place.nodes, place.ranks_per_node, hostfile or "", library.launcher)
    known = dict(zip(LAUNCH_FIELDS, values, strict=True))
    return [word.format(**known) for word in library.launch]


def command(
    library: Library, ranks: int, program: object, *arguments: object, nodes: int = 1
) -> list[str]:
    """The command line that starts so many ranks of a program."""
    words = launcher_words(library, Place(nodes, ranks // nodes), None)
    return [*words, str(program), *map(str, arguments)]


# Open MPI refuses to run as root and, counting slots, to start more ranks than cores.
_OPEN_ALWAYS = {
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}
_OPEN_AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
_UNBOUND = {
    OPEN: {
        "PRTE_MCA_hwloc_default_binding_policy": "none",
        "OMPI_MCA_hwloc_base_binding_policy": "none",
    },
    "intel": {"I_MPI_PIN": "off"},
}


def necessary_environment(library: Library, *, bound_by_program: bool) -> dict[str, str]:
    """What a library needs to run at all, and, where the programs bind themselves, to leave that
    to them. It is recorded with each run like a profile's variables."""
    found = dict(library.environment)
    if library.family == OPEN:
        found |= _OPEN_ALWAYS | (_OPEN_AS_ROOT if os.geteuid() == 0 else {})
    if bound_by_program:
        found |= _UNBOUND.get(library.family, {}) | _UNBOUND.get(library.vendor, {})
    return found
