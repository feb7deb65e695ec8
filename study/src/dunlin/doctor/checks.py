"""What is wrong with a machine, why that matters to MPI, and the command that mends it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from ipaddress import ip_interface
from pathlib import Path
from typing import Literal

from dunlin import words
from dunlin.doctor.host import Adapter, Host, Tool

Severity = Literal["wrong", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("wrong", "warning", "note")

MIB = 1 << 20
# A hundred ranks with a few megabytes of queues and buffers each.
SHM_LEAST_BYTES = 256 * MIB
# A rank on a thousand others, each with a socket.
OPEN_FILES_LEAST = 4096
# Beyond this libraries start and send; only very large registrations are refused.
MEMLOCK_LEAST_BYTES = 1 << 30
# libfabric's provider for each driver.
PROVIDERS = {
    "efa": "efa", "mlx": "verbs", "hfi1": "psm2", "bnxt": "verbs", "irdma": "verbs", "cxi": "cxi",
}  # fmt: skip
REACHED_BY_UCX = frozenset({"verbs"})


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


def threads_and_memory(host: Host) -> Iterable[Ailment]:
    """What the operating system calls a core, and pages that move."""
    threads = host.threads_per_core or 1
    if threads > 1:
        physical = host.cores // threads
        yield Ailment(
            "note", f"a core shows as {threads}: the {host.cores} here are {physical}",
            f"More than {physical} ranks share the units of a core; what computes gains little, "
            "and what was measured on hosts without this is not to be compared with it.",
            f"mpirun -n {physical} ...   # at most on a host, bound to cores and not to threads",
        )  # fmt: skip
    if host.numa_balancing and host.numa_nodes > 1:
        yield Ailment(
            "note", f"the kernel moves pages between {host.numa_nodes} memory domains by itself",
            "Pages of shared buffers go to and fro and are unmapped now and then to see who uses "
            "them: launches differ more than they would.",
            "sysctl -w kernel.numa_balancing=0   # ranks that are bound need none of it",
        )  # fmt: skip


def limits(host: Host) -> Iterable[Ailment]:
    """Locked memory and open files."""
    locked = host.memlock_bytes
    if locked is not None and host.adapters and locked < host.memory_bytes:
        in_jobs = (
            "; for jobs of Slurm also LimitMEMLOCK=infinity in slurmd's unit"
            if host.batch_system == "slurm" else ""
        )  # fmt: skip
        yield Ailment(
            "wrong" if locked < MEMLOCK_LEAST_BYTES else "note",
            f"only {words.size(locked)} of memory may be locked",
            f"{_named(host.adapters)} can send only what is locked; start-up fails, or "
            "the slow path over the kernel is taken in silence.",
            "echo '* - memlock unlimited' > /etc/security/limits.d/mpi.conf   # then log in anew"
            + in_jobs,
        )  # fmt: skip
    if host.open_files is not None and host.open_files < OPEN_FILES_LEAST:
        hard = host.open_files_hard
        yield Ailment(
            "note", f"a process may open {host.open_files} files",
            "Launchers and sockets between many hosts need one or more for each rank.",
            "ulimit -n $(ulimit -Hn)" if hard is None or hard >= OPEN_FILES_LEAST else
            "echo '* - nofile 65536' > /etc/security/limits.d/files.conf   # then log in anew",
        )  # fmt: skip


def speed(host: Host) -> Iterable[Ailment]:
    """Pages and frequency."""
    if host.transparent_huge_pages == "never":
        yield Ailment(
            "note", "transparent huge pages are off",
            "Large buffers cost a miss of the translation cache every 4 KiB.",
            "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
        )  # fmt: skip
    if host.shared_huge_pages in ("never", "deny"):
        yield Ailment(
            "note", "memory that ranks share has no huge pages",
            "Windows and memory of MPI_Alloc_mem cost a miss of the translation cache every 4 KiB: "
            "gets of 8 bytes from all over a window of 512 MiB take 1.5 to 2 times as long.",
            "echo advise > /sys/kernel/mm/transparent_hugepage/shmem_enabled",
        )  # fmt: skip
    if host.governor not in (None, "performance"):
        yield Ailment(
            "note", f"the processor's frequency is governed by `{host.governor}`",
            "A rank that has slept is slow at first, and measurements differ from launch to "
            "launch.", "cpupower frequency-set -g performance",
        )  # fmt: skip


def network(host: Host) -> Iterable[Ailment]:
    """Interfaces and firewall."""
    if host.interfaces is None:
        return
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
            "the others.", choose(real[0].name),
        )  # fmt: skip
    if len(real) > 1:
        names = words.listed([f"{i.name} ({i.address})" for i in real])
        yield Ailment(
            "note", f"there are several networks: {names}",
            "Libraries may choose the slow one, and not all the same.", choose(real[0].name),
        )  # fmt: skip
    if host.firewall:
        yield Ailment(
            "warning", f"a firewall drops what arrives unasked ({host.firewall})",
            "Ranks listen on ports that the kernel picks (net.ipv4.ip_local_port_range); what is "
            "dropped looks like a hang at start-up.", let_in(host),
        )  # fmt: skip


def choose(interface: str) -> str:
    """Each library by its own name for the same."""
    names = ("DUNLIN_NET_INTERFACE", "OMPI_MCA_btl_tcp_if_include", "FI_TCP_IFACE", "HYDRA_IFACE",
             "I_MPI_HYDRA_IFACE")  # fmt: skip
    return " ".join(["export", *(f"{name}={interface}" for name in names)])


def let_in(host: Host) -> str:
    """The command that opens this host's firewall to its own network."""
    real = [i for i in host.interfaces or () if not i.virtual and i.prefix]
    network = (
        str(ip_interface(f"{real[0].address}/{real[0].prefix}").network) if real
        else "SUBNET_OF_THE_CLUSTER"
    )  # fmt: skip
    if host.firewall == "firewalld":
        zone = f"firewall-cmd --permanent --zone=trusted --add-source={network}"
        return f"{zone} && firewall-cmd --reload"
    if host.firewall == "ufw":
        return f"ufw allow from {network}"
    family = "ip6" if ":" in network else "ip"
    return f"nft insert rule {host.firewall or 'inet filter input'} {family} saddr {network} accept"


def _named(adapters: Iterable[Adapter]) -> str:
    return words.listed([adapter.name for adapter in adapters])


def fast_network(host: Host) -> Iterable[Ailment]:
    """Adapters, their device files, and libfabric's providers."""
    if not host.adapters:
        return
    named = _named(host.adapters)
    if not host.verbs_usable:
        yield Ailment(
            "wrong", f"{named} is there, but /dev/infiniband/uverbs* cannot be opened",
            "Without it every library falls back to TCP, most of them without a word.",
            "modprobe ib_uverbs && chmod 0666 /dev/infiniband/uverbs*",
        )  # fmt: skip
    wanted = sorted({
        provider for adapter in host.adapters for driver, provider in PROVIDERS.items()
        if adapter.driver.startswith(driver)
    })  # fmt: skip
    if host.ucx:
        # Libraries that use UCX reach these adapters without libfabric.
        wanted = [provider for provider in wanted if provider not in REACHED_BY_UCX]
    if host.providers is None:
        if wanted:
            yield Ailment(
                "warning", f"{named} is there, but no libfabric was found",
                f"Programs reach it by libfabric's provider {words.listed(wanted)}.",
                "apt-get install libfabric-bin   # or EFA's own installer",
            )  # fmt: skip
        return
    missing = [provider for provider in wanted if provider not in host.providers]
    if missing:
        yield Ailment(
            "wrong", f"libfabric has no provider {words.listed(missing)} for {named}",
            f"It has {words.listed(host.providers)}; over those the "
            "adapter is a slow network card.",
            "fi_info -l   # and install a libfabric that was built with it",
        )  # fmt: skip


def attempt(host: Host) -> Iterable[Ailment]:
    """What Dunlin makes of an adapter, which it tries before each job on several hosts."""
    tried = host.attempt
    if tried is None:
        return
    named = words.listed(tried.devices)
    if tried.works:
        yield Ailment(
            "note", f"Dunlin sends by {tried.fabric}, over {named}",
            f"It has tried it: {tried.outcome}.",
            "dunlin-info network   # says more; DUNLIN_NET_FABRIC=udp+tcp does without",
        )  # fmt: skip
    else:
        yield Ailment(
            "warning", f"Dunlin has tried {named} in vain and sends by {tried.fabric}",
            f"What went wrong: {tried.outcome}.",
            "dunlin-info network   # once that is mended; DUNLIN_NET_FABRIC=udp+tcp: not to try",
        )  # fmt: skip


def batch_system(host: Host) -> Iterable[Ailment]:
    """Who starts the ranks in a job."""
    if host.batch_system == "pbs" and not host.pbs_spawn:
        yield Ailment(
            "note", "PBS is here, but neither pbs_tmrsh nor pbsdsh",
            "Launchers reach the other nodes of a job by ssh then: its ranks are not the job's, "
            "are not accounted, and outlive a qdel.",
            "ls $PBS_EXEC/bin   # and add it to PATH, or ask for a PBS with its task manager",
        )  # fmt: skip
    if host.batch_system != "slurm" or host.slurm_pmi is None:
        return
    spoken = [name for name in host.slurm_pmi if name.startswith("pmi")]
    if not spoken:
        yield Ailment(
            "wrong", f"srun speaks only {words.listed(host.slurm_pmi)}",
            "Ranks that srun starts without PMIx or PMI-2 each believe to be alone.",
            "srun --mpi=list   # and ask for Slurm's plugin for PMIx; mpirun works without",
        )  # fmt: skip
    elif host.slurm_default == "none":
        best = "pmix" if "pmix" in spoken else spoken[0]
        yield Ailment(
            "warning", "srun speaks to ranks only if it is told how: MpiDefault is none",
            "Ranks that a plain `srun ./program` starts each believe to be alone: as many programs "
            "of one rank.",
            f"export SLURM_MPI_TYPE={best}   # or srun --mpi={best} ./program",
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
            "rank, or not at all.", _same_again(compiler, launcher),
        )  # fmt: skip
    prefixes = sorted({_prefix(tool.home) for tool in host.tools})
    if len(prefixes) > 1:
        yield Ailment(
            "note", f"several MPI libraries are on PATH: {words.listed(prefixes)}",
            "The first one wins, and the order differs between login and batch shells.",
            "dunlin libs   # tells what each of them is",
        )  # fmt: skip


def _same_again(compiler: Tool, launcher: Tool) -> str:
    """The order on PATH mends nothing where both are links in the same directory."""
    if Path(compiler.path).parent == Path(launcher.path).parent:
        return "update-alternatives --config mpi && update-alternatives --config mpirun"
    return f"export PATH={Path(compiler.path).parent}:$PATH"


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
    memory_of_others, shared_memory, cores, threads_and_memory, limits, speed, network,
    fast_network, attempt, batch_system, mixed_libraries,
)  # fmt: skip


def examine(host: Host) -> list[Ailment]:
    """All findings, the worst first."""
    found = [ailment for check in CHECKS for ailment in check(host)]
    return sorted(found, key=lambda a: SEVERITIES.index(a.severity))


def unseen(host: Host) -> list[str]:
    """What could not be looked at, and so is neither right nor wrong."""
    found = {
        "the firewall's rules (root may see them)": host.firewall is None,
        "the network's interfaces (there is no `ip`)": host.interfaces is None,
        "reading other processes' memory": host.cma is None,
        "the frequency's governor": host.governor is None,
        "what srun speaks": host.batch_system == "slurm" and host.slurm_pmi is None,
    }
    return [name for name, missing in found.items() if missing]
