"""The libraries of peer_libraries.py across the hosts of a cluster: how each one's launcher starts
ranks there, and the settings under which it is at its best over TCP. Beside them bare sockets."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import harness
import peer_libraries
from harness import Mpi
from peer_libraries import (CALM, CROWDED, DUNLIN, MPICH_YIELDS, OPENMPI, OPENMPI_YIELDS, Library,
                            Setting)

sys.path.insert(0, str(harness.ROOT / "tests" / "cluster"))
from cluster import RSH, Cluster  # noqa: E402 (found by the line above)

# Where Dunlin is told which fabric to take: a column each.
FABRICS = ["udp", "tcp", "ofi"]
FABRIC = "DUNLIN_NET_FABRIC"
BARE = {"bare udp": "udp", "bare tcp": "tcp"}

# UCX would find out that all is one machine, and not use the network at all.
UCX_TCP = {"UCX_TLS": "tcp,self", "UCX_NET_DEVICES": "eth0"}
# On one of two hosts MPICH's libfabric picks the loopback interface, unless told.
OFI_TCP = {"FI_PROVIDER": "tcp", "FI_TCP_IFACE": "eth0"}
MPICH_UCX = {"MPIR_CVAR_CH4_NETMOD": "ucx", **UCX_TCP}
MPICH_OFI = {"MPIR_CVAR_CH4_NETMOD": "ofi", **OFI_TCP}
OPENMPI_ANYWHERE = OPENMPI | {"PRTE_MCA_plm_ssh_agent": str(RSH)}
# By default Open MPI leaves a UCX alone that finds nothing but TCP.
OPENMPI_UCX = OPENMPI_ANYWHERE | {
    "OMPI_MCA_pml": "ucx", "OMPI_MCA_opal_common_ucx_tls": "any",
    "OMPI_MCA_opal_common_ucx_devices": "any", **UCX_TCP,
}
# Ranks of one host share memory here, which with UCX they would do with all others too.
OPENMPI_TCP = OPENMPI_ANYWHERE | {"OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self,sm,tcp"}
INTEL_TCP = {"I_MPI_FABRICS": "shm:ofi", "I_MPI_PIN": "off", **OFI_TCP}
# It takes a host with a core for each of its ranks for one where nobody needs to yield; but the
# hosts share the cores here.
INTEL_YIELDS = {"I_MPI_THREAD_YIELD": "3", "I_MPI_PAUSE_COUNT": "0", "I_MPI_SPIN_COUNT": "1"}

SETTINGS = {
    "mpich": [
        Setting("ucx tcp", MPICH_UCX, (CALM,)),
        Setting("ofi tcp", MPICH_OFI, (CALM,)),
        Setting("ucx tcp, throttle", MPICH_UCX | MPICH_YIELDS, (CROWDED,)),
        Setting("ofi tcp, throttle", MPICH_OFI | MPICH_YIELDS, (CROWDED,)),
    ],
    "openmpi": [
        Setting("ucx tcp", OPENMPI_UCX, (CALM,)),
        Setting("btl tcp", OPENMPI_TCP, (CALM,)),
        Setting("ucx tcp, yield", OPENMPI_UCX | OPENMPI_YIELDS, (CROWDED,)),
        Setting("btl tcp, yield", OPENMPI_TCP | OPENMPI_YIELDS, (CROWDED,)),
    ],
    "intel": [
        Setting("ofi tcp", INTEL_TCP, (CALM,)),
        Setting("ofi tcp, yield", INTEL_TCP | INTEL_YIELDS, (CROWDED,)),
        Setting("ofi tcp, wait mode", INTEL_TCP | peer_libraries.INTEL_WAITS, (CROWDED,)),
    ],
}
# Under a cap for each flow more connections help those that can have them. Open MPI 5.0.11 takes
# the option and opens one connection nevertheless.
FLOWS = 4
OPENMPI_FLOWS = Setting(f"btl tcp, {FLOWS} links",
                        OPENMPI_TCP | {"OMPI_MCA_btl_tcp_links": str(FLOWS)}, (CALM,))


@dataclass
class Spread(Mpi):
    """A library whose ranks are spread over the hosts, the first ones on the first host."""

    net: Cluster | None = None
    launcher: Callable[[int], list] = field(default=lambda _: [])  # for so many ranks per host

    def command(self, ranks: int, program, *arguments) -> list[str]:
        """Run by the first host."""
        words = [*self.launcher(ranks // len(self.net.hosts)), "-n", ranks, program, *arguments]
        return self.net.hosts[0].command(*words)


@dataclass
class Bare(Mpi):
    """Sockets without MPI, as if they were a library: netlimits.c starts both sides."""

    net: Cluster | None = None
    protocol: str = "udp"

    def compile(self, source: Path, directory: Path) -> Path:
        """The program of that name is an option of the one there is."""
        program = super().compile(harness.BENCH / "netlimits.c", directory)
        return program.with_name(source.stem)

    def command(self, ranks: int, program, *arguments) -> list[str]:
        """Run on the first host."""
        first, second = self.net.hosts[:2]
        return first.command(program.with_name("netlimits"), second.name, second.address(),
                             first.address(), self.net.mtu, "--mode", self.protocol,
                             "--op", program.name, *arguments)


def launcher(name: str, at: Path, net: Cluster) -> Callable[[int], list]:
    """How ranks get onto the hosts: Hydra's way, Open MPI's, Dunlin's."""
    hosts = ",".join(net.names)
    if name == "openmpi":
        return lambda each: [at / "mpiexec", "--host", ",".join(f"{h}:{each}" for h in net.names),
                             "--map-by", f"ppr:{each}:node"]
    if name in peer_libraries.PACKAGES:
        return lambda each: [at / "mpiexec", "-launcher", "ssh", "-launcher-exec", RSH,
                             "-hosts", hosts, "-ppn", each]
    return lambda each: [at / "mpirun", "-host", hosts, "-ppn", each, "--rsh", RSH]


def peer(name: str, net: Cluster) -> Library:
    """A peer across the hosts."""
    alone = peer_libraries.peer(name)
    at = alone.mpicc.parent
    environment = dict(alone.environment)
    if name == "intel":
        # Without the script that its users source, it does not find its own libfabric.
        libraries = str(at.parent / "lib")
        environment |= {"LD_LIBRARY_PATH": libraries, "FI_PROVIDER_PATH": libraries}
    mpi = Spread(name, alone.mpicc, [], environment, net, launcher(name, at, net))
    return Library(name, mpi, SETTINGS[name])


def dunlin_lacks(prefix: Path) -> str | None:
    """Why Dunlin cannot be measured yet, in a sentence."""
    mpirun = prefix / "bin" / "mpirun"
    if not mpirun.exists():
        return f"there is no {mpirun}; `make build` first"
    done = subprocess.run([mpirun, "--help"], capture_output=True, text=True, check=False)
    if "--rsh" not in done.stdout:
        return "its mpirun does not start ranks on several hosts yet (no --rsh in its --help)"
    return None


def dunlin(prefix: Path, net: Cluster, fabric: str | None = None) -> Library:
    """Dunlin across the hosts: with the fabric it chooses, or one it is told."""
    bin_ = prefix / "bin"
    name, setting = DUNLIN, Setting("none", {})
    if fabric is not None:
        name, setting = f"{DUNLIN} {fabric}", Setting(fabric, {FABRIC: fabric})
    mpi = Spread(name, bin_ / "mpicc", [], {}, net, launcher(DUNLIN, bin_, net))
    return Library(name, mpi, [setting])


def bare(name: str, net: Cluster) -> Library:
    """The bare sockets."""
    mpi = Bare(name, Path(shutil.which("cc") or "cc"), [], {}, net, BARE[name])
    return Library(name, mpi, [Setting("-", {}, only=program)
                               for program in ("latency", "bandwidth")])
