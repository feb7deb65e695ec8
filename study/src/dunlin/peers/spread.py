"""The libraries across the hosts of a cluster: how each one's launcher starts ranks there, and the
settings under which it is at its best over TCP. Beside them bare sockets."""

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from dunlin import checkout, execution, libraries, programs
from dunlin.libraries import DUNLIN, Library
from dunlin.peers.libraries import (
    CALM,
    INTEL_WAITS,
    MPICH_YIELDS,
    OPENMPI_YIELDS,
    OVERSUBSCRIBED,
    Contender,
    Setting,
    peer,
)

# Where Dunlin is told which fabric to take: a column each.
FABRICS = ["udp", "tcp", "ofi"]
FABRIC = "DUNLIN_NET_FABRIC"
BARE = {"bare udp": "udp", "bare tcp": "tcp"}

# Starts ranks on hosts that are namespaces of this machine, in the place of ssh.
RSH = checkout.ROOT / "tests" / "cluster" / "rsh"

# UCX would find out that all is one machine, and not use the network at all.
UCX_TCP = {"UCX_TLS": "tcp,self", "UCX_NET_DEVICES": "eth0"}
# On one of two hosts MPICH's libfabric picks the loopback interface, unless told.
OFI_TCP = {"FI_PROVIDER": "tcp", "FI_TCP_IFACE": "eth0"}
MPICH_UCX = {"MPIR_CVAR_CH4_NETMOD": "ucx", **UCX_TCP}
MPICH_OFI = {"MPIR_CVAR_CH4_NETMOD": "ofi", **OFI_TCP}
OPENMPI_ANYWHERE = {"PRTE_MCA_plm_ssh_agent": str(RSH)}
# By default Open MPI leaves a UCX alone that finds nothing but TCP.
OPENMPI_UCX = OPENMPI_ANYWHERE | {
    "OMPI_MCA_pml": "ucx", "OMPI_MCA_opal_common_ucx_tls": "any",
    "OMPI_MCA_opal_common_ucx_devices": "any", **UCX_TCP,
}
# Ranks of one host share memory here, which with UCX they would do with all others too.
OPENMPI_TCP = OPENMPI_ANYWHERE | {"OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self,sm,tcp"}
INTEL_TCP = {"I_MPI_FABRICS": "shm:ofi", **OFI_TCP}
# It takes a host with a core for each of its ranks for one where nobody needs to yield; but the
# hosts share the cores here.
INTEL_YIELDS = {"I_MPI_THREAD_YIELD": "3", "I_MPI_PAUSE_COUNT": "0", "I_MPI_SPIN_COUNT": "1"}

SETTINGS = {
    "mpich": [
        Setting("ucx tcp", MPICH_UCX, (CALM,)),
        Setting("ofi tcp", MPICH_OFI, (CALM,)),
        Setting("ucx tcp, throttle", MPICH_UCX | MPICH_YIELDS, (OVERSUBSCRIBED,)),
        Setting("ofi tcp, throttle", MPICH_OFI | MPICH_YIELDS, (OVERSUBSCRIBED,)),
    ],
    "openmpi": [
        Setting("ucx tcp", OPENMPI_UCX, (CALM,)),
        Setting("btl tcp", OPENMPI_TCP, (CALM,)),
        Setting("ucx tcp, yield", OPENMPI_UCX | OPENMPI_YIELDS, (OVERSUBSCRIBED,)),
        Setting("btl tcp, yield", OPENMPI_TCP | OPENMPI_YIELDS, (OVERSUBSCRIBED,)),
    ],
    "intel": [
        Setting("ofi tcp", INTEL_TCP, (CALM,)),
        Setting("ofi tcp, yield", INTEL_TCP | INTEL_YIELDS, (OVERSUBSCRIBED,)),
        Setting("ofi tcp, wait mode", INTEL_TCP | INTEL_WAITS, (OVERSUBSCRIBED,)),
    ],
}
# Under a cap for each flow more connections help those that can have them. Open MPI 5.0.11 takes
# the option and opens one connection nevertheless.
FLOWS = 4
OPENMPI_FLOWS = Setting(f"btl tcp, {FLOWS} links",
                        OPENMPI_TCP | {"OMPI_MCA_btl_tcp_links": str(FLOWS)}, (CALM,))


class Host(Protocol):
    """One of the hosts."""

    name: str

    def address(self) -> str:
        """On its first link."""

    def command(self, *words: object) -> list[str]:
        """The command line that runs a command there."""


class Hosts(Protocol):
    """All of them."""

    mtu: int

    @property
    def hosts(self) -> Sequence[Host]:
        """One by one."""


@dataclass
class Bare(Contender):
    """Sockets without MPI, as if they were a library: netlimits.c starts both sides, and is told
    which program it is to be."""

    net: Hosts | None = None

    def build(self, names: Iterable[str]) -> None:
        """The one there is."""
        source = programs.sources() / "netlimits.c"
        program = programs.compiled(source, self.library, checkout.BUILT)
        self.programs = dict.fromkeys(names, program)

    def command(self, program: str, ranks: int, *arguments: object) -> list[str]:
        """Run on the first host."""
        assert self.net is not None
        first, second = self.net.hosts[:2]
        return first.command(self.programs[program], second.name, second.address(),
                             first.address(), self.net.mtu, "--mode", BARE[self.name],
                             "--op", program, *arguments)


def launch_words(library: Library, net: Hosts) -> tuple[str, ...]:
    """How ranks get onto the hosts, run by the first of them: Hydra's way, Open MPI's, Dunlin's."""
    names, ranks = ",".join(host.name for host in net.hosts), ("-n", "{ranks}")
    each = "{ranks_per_node}"
    if library.family == libraries.OPEN:
        slots = ",".join(f"{host.name}:{each}" for host in net.hosts)
        words = ["--host", slots, "--map-by", f"ppr:{each}:node"]
    elif library.family == libraries.HYDRA:
        words = ["-launcher", "ssh", "-launcher-exec", str(RSH), "-hosts", names, "-ppn", each]
    else:
        words = ["-host", names, "-ppn", each, "--rsh", str(RSH)]
    return tuple(net.hosts[0].command("{launcher}", *words, *ranks))


def over(contender: Contender, net: Hosts) -> Contender:
    """Its ranks spread over the hosts, the first ones on the first host."""
    library = replace(contender.library, launch=launch_words(contender.library, net))
    return replace(contender, library=library, nodes=len(net.hosts))


def contender(name: str, net: Hosts) -> Contender:
    """A peer across the hosts."""
    library = peer(name)
    if name == "intel":
        # Without the script that its users source, it does not find its own libfabric.
        at = str(library.prefix / "lib")
        own = {"LD_LIBRARY_PATH": at, "FI_PROVIDER_PATH": at}
        library = replace(library, environment={**library.environment, **own})
    return over(Contender(library, SETTINGS[name]), net)


def dunlin_lacks(prefix: Path) -> str | None:
    """Why Dunlin cannot be measured, in a sentence."""
    mpirun = checkout.dunlin(prefix).launcher
    if not mpirun.exists():
        return f"there is no {mpirun}; `make build` first"
    if "--rsh" not in execution.call([mpirun, "--help"]):
        return "its mpirun does not start ranks on several hosts yet (no --rsh in its --help)"
    return None


def dunlin(prefix: Path, net: Hosts, fabric: str | None = None, **more: str) -> Contender:
    """Dunlin across the hosts: with the fabric it chooses, or one it is told."""
    library, setting = checkout.dunlin(prefix), Setting("none", {})
    if fabric is not None:
        setting = Setting(fabric, {FABRIC: fabric, **more})
        library = replace(library, name=f"{DUNLIN} {fabric}")
    return over(Contender(library, [setting]), net)


def bare(name: str, net: Hosts) -> Contender:
    """The bare sockets."""
    cc = Path(shutil.which("cc") or "cc")
    settings = [Setting("-", {}, only=program) for program in ("latency", "bandwidth")]
    return Bare(Library(name, cc, cc), settings, net=net)
