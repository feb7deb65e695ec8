"""What is wrong with a machine, why that matters to MPI, and the command that mends it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from dunlin import words
from dunlin.doctor.host import Host

Severity = Literal["wrong", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("wrong", "warning", "note")

MIB = 1 << 20
# A hundred ranks with a few megabytes of queues and buffers each.
SHM_LEAST_BYTES = 256 * MIB
# A rank on a thousand others, each with a socket.
OPEN_FILES_LEAST = 4096
RDMA_PROVIDERS = {"efa": "efa", "mlx": "verbs", "hfi": "psm2", "bnxt": "verbs", "irdma": "verbs"}


@dataclass(frozen=True)
class Ailment:
    """One finding."""

    severity: Severity
    what: str
    why: str
    mend: str


Check = Callable[[Host], Iterable[Ailment]]


def memory_of_others(host: Host) -> Iterable[Ailment]:
    """Cross-memory attach."""
    if host.cma is not False:
        return
    scope = host.ptrace_scope
    why = (
        "Large messages inside a node are copied once by process_vm_readv, and twice where that is "
        "not allowed: half of the bandwidth is lost."
    )
    if scope:
        yield Ailment(
            "warning", f"kernel.yama.ptrace_scope is {scope}: ranks may not read each other", why,
            "sysctl -w kernel.yama.ptrace_scope=0",
        )  # fmt: skip
    else:
        yield Ailment(
            "warning", "process_vm_readv is refused, though ptrace_scope allows it", why,
            "docker run --cap-add=SYS_PTRACE ...   # or the container runtime's equal",
        )  # fmt: skip


def shared_memory(host: Host) -> Iterable[Ailment]:
    """Memfd and /dev/shm."""
    if not host.memfd:
        yield Ailment(
            "note", "memfd_create does not work here",
            "Shared memory without a name cannot be left behind by a crash; libraries fall back to "
            "files in /dev/shm.", "uname -r   # Linux 3.17 or later has it",
        )  # fmt: skip
    if host.shm_free_bytes is None or not host.shm_writable:
        yield Ailment(
            "wrong", "/dev/shm is missing or cannot be written to",
            "Ranks on a node exchange messages through it.",
            "mount -t tmpfs -o mode=1777 tmpfs /dev/shm",
        )  # fmt: skip
    elif host.shm_free_bytes < SHM_LEAST_BYTES:
        yield Ailment(
            "warning", f"/dev/shm has only {words.size(host.shm_free_bytes)} left",
            "A rank that touches shared memory beyond it is killed by SIGBUS in the middle of a "
            "run; containers are given 64 MiB.",
            "mount -o remount,size=50% /dev/shm   # docker run --shm-size=1g ...",
        )  # fmt: skip


def cores(host: Host) -> Iterable[Ailment]:
    """What the control group and the affinity leave."""
    quota = host.cgroup_cores
    if quota is not None and quota < host.usable_cores:
        yield Ailment(
            "warning",
            f"the control group grants the time of {quota:g} cores on {host.usable_cores} cores",
            "Ranks that spin while they wait use up the quota, and then all of them stand still "
            "until the next period: latencies of milliseconds.",
            f"mpirun -n {max(1, int(quota))} ...   # or: docker run --cpuset-cpus=0-"
            f"{max(0, int(quota) - 1)} ...",
        )  # fmt: skip
    elif host.usable_cores < host.cores:
        yield Ailment(
            "note", f"{host.usable_cores} of {host.cores} cores may be used here",
            "More ranks than that share cores, although the machine looks as if it had enough.",
            f"mpirun -n {host.usable_cores} ...   # or ask the batch system for more",
        )  # fmt: skip


def limits(host: Host) -> Iterable[Ailment]:
    """Locked memory and open files."""
    if host.memlock_bytes is not None and host.rdma_devices:
        yield Ailment(
            "wrong", f"only {words.size(host.memlock_bytes)} of memory may be locked",
            f"{words.listed(host.rdma_devices)} can send only what is locked; start-up fails, or "
            "the slow path over the kernel is taken in silence.",
            "echo '* - memlock unlimited' > /etc/security/limits.d/mpi.conf   # then log in anew",
        )  # fmt: skip
    if host.open_files is not None and host.open_files < OPEN_FILES_LEAST:
        yield Ailment(
            "note", f"a process may open {host.open_files} files",
            "Launchers and sockets between many hosts need one or more for each rank.",
            "ulimit -n 65536",
        )  # fmt: skip


def speed(host: Host) -> Iterable[Ailment]:
    """Pages and frequency."""
    if host.transparent_huge_pages == "never":
        yield Ailment(
            "note", "transparent huge pages are off",
            "Large buffers cost a miss of the translation cache every 4 KiB.",
            "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
        )  # fmt: skip
    if host.governor not in (None, "performance"):
        yield Ailment(
            "note", f"the processor's frequency is governed by `{host.governor}`",
            "A rank that has slept is slow at first, and measurements differ from launch to "
            "launch.", "cpupower frequency-set -g performance",
        )  # fmt: skip


def network(host: Host) -> Iterable[Ailment]:
    """Interfaces and firewall."""
    real = [i for i in host.interfaces if not i.virtual]
    virtual = [i.name for i in host.interfaces if i.virtual]
    if not real:
        yield Ailment(
            "note", "there is no network interface besides the loopback",
            "Ranks on this host reach each other, but no other host.", "ip address",
        )  # fmt: skip
    if real and virtual:
        yield Ailment(
            "warning", f"{words.listed(virtual)} lead nowhere but into this host",
            "Every host has the same address there; a library that picks it waits for ever for "
            "the others.",
            f"export OMPI_MCA_btl_tcp_if_include={real[0].name} FI_TCP_IFACE={real[0].name} "
            f"HYDRA_IFACE={real[0].name}",
        )  # fmt: skip
    if len(real) > 1:
        names = words.listed([f"{i.name} ({i.address})" for i in real])
        yield Ailment(
            "note", f"there are several networks: {names}",
            "Libraries may choose the slow one, and not all the same.",
            f"export OMPI_MCA_btl_tcp_if_include={real[0].name} FI_TCP_IFACE={real[0].name}",
        )  # fmt: skip
    if host.firewall_drops:
        yield Ailment(
            "warning", "a firewall drops what arrives unasked",
            "Ranks listen on ports that the kernel picks (net.ipv4.ip_local_port_range); what is "
            "dropped looks like a hang at start-up.",
            "nft insert rule inet filter input ip saddr SUBNET_OF_THE_CLUSTER accept",
        )  # fmt: skip


def fast_network(host: Host) -> Iterable[Ailment]:
    """Adapters, their device files, and libfabric's providers."""
    if not host.rdma_devices:
        return
    named = words.listed(host.rdma_devices)
    if not host.verbs_usable:
        yield Ailment(
            "wrong", f"{named} is there, but /dev/infiniband/uverbs* cannot be opened",
            "Without it every library falls back to TCP, most of them without a word.",
            "modprobe ib_uverbs && chmod 0666 /dev/infiniband/uverbs*",
        )  # fmt: skip
    wanted = sorted({
        provider for device in host.rdma_devices for prefix, provider in RDMA_PROVIDERS.items()
        if device.startswith(prefix) or f"_{prefix}" in device
    })  # fmt: skip
    if host.providers is None:
        if "efa" in wanted:
            yield Ailment(
                "warning", f"{named} is there, but no libfabric was found",
                "EFA is reached by libfabric alone.",
                "apt-get install libfabric-bin   # or EFA's own installer",
            )  # fmt: skip
        return
    missing = [provider for provider in wanted if provider not in host.providers]
    if missing:
        yield Ailment(
            "wrong", f"libfabric has no provider {words.listed(missing)} for {named}",
            f"It has {words.listed(host.providers) if host.providers else 'none'}; over those the "
            "adapter is a slow network card.",
            "fi_info -l   # and install a libfabric that was built with it",
        )  # fmt: skip


def batch_system(host: Host) -> Iterable[Ailment]:
    """Who starts the ranks in a job."""
    if host.batch_system != "slurm" or host.slurm_pmi is None:
        return
    if not any(name.startswith("pmi") for name in host.slurm_pmi):
        yield Ailment(
            "wrong", f"srun speaks only {words.listed(host.slurm_pmi) or 'nothing'}",
            "Ranks that srun starts without PMIx or PMI-2 each believe to be alone.",
            "srun --mpi=list   # and ask for Slurm's plugin for PMIx; mpirun works without",
        )  # fmt: skip


def mixed_libraries(host: Host) -> Iterable[Ailment]:
    """A wrapper of one library and the launcher of another."""
    first = {tool.name: tool for tool in reversed(host.tools)}
    compiler = first.get("mpicc")
    launcher = first.get("mpirun") or first.get("mpiexec")
    if compiler and launcher and _prefix(compiler.home) != _prefix(launcher.home):
        yield Ailment(
            "wrong", f"{launcher.name} is {launcher.home}, mpicc is {compiler.home}",
            "A program built for one MPI and started by another runs as that many programs of one "
            "rank, or not at all.",
            f"export PATH={Path(compiler.path).parent}:$PATH",
        )  # fmt: skip
    prefixes = sorted({_prefix(tool.home) for tool in host.tools})
    if len(prefixes) > 1:
        yield Ailment(
            "note", f"several MPI libraries are on PATH: {words.listed(prefixes)}",
            "The first one wins, and the order differs between login and batch shells.",
            "dunlin libs   # tells what each of them is",
        )  # fmt: skip


# Debian keeps several libraries in one prefix and tells them apart by the names of their programs.
FAMILIES = {
    "openmpi": "Open MPI", "opal_wrapper": "Open MPI", "orterun": "Open MPI",
    "prterun": "Open MPI", "prte": "Open MPI", "mpich": "MPICH", "hydra": "MPICH",
}  # fmt: skip


def _prefix(path: str) -> str:
    """What tells one library's programs from another's."""
    prefix, name = str(Path(path).parent.parent), Path(path).name
    family = next((family for word, family in FAMILIES.items() if word in name), None)
    return f"{prefix} ({family})" if prefix == "/usr" and family else prefix


CHECKS: tuple[Check, ...] = (
    memory_of_others, shared_memory, cores, limits, speed, network, fast_network, batch_system,
    mixed_libraries,
)  # fmt: skip


def examine(host: Host) -> list[Ailment]:
    """All findings, the worst first."""
    found = [ailment for check in CHECKS for ailment in check(host)]
    return sorted(found, key=lambda a: SEVERITIES.index(a.severity))
