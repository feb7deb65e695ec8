"""A machine as the doctor sees it. None stands for what could not be found out."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Tool:
    """A program of an MPI library on PATH."""

    name: str
    path: str
    # Where links lead to in the end: two names of one library are no two libraries.
    home: str


@dataclass(frozen=True)
class Interface:
    """A network interface that is up."""

    name: str
    address: str
    virtual: bool = False
    # Bits of the address that its whole network has in common; 0 where that is not known.
    prefix: int = 0


@dataclass(frozen=True)
class Adapter:
    """A network adapter that programs reach without the kernel."""

    name: str
    driver: str


@dataclass(frozen=True)
class Attempt:
    """What came of it when Dunlin tried to use an adapter."""

    # How it sends between hosts now, such as "ofi:efa-direct+tcp".
    fabric: str
    devices: tuple[str, ...]
    works: bool
    # What was tried, and how that ended.
    outcome: str


@dataclass(frozen=True)
class Host:
    """Everything that checks may ask."""

    ptrace_scope: int | None = 0
    # Could a process read the memory of another one that is not its child?
    cma: bool | None = True
    memfd: bool = True
    shm_free_bytes: int | None = 1 << 34
    shm_writable: bool = True
    cores: int = 64
    usable_cores: int = 64
    cgroup_cores: float | None = None
    threads_per_core: int | None = 1
    memory_bytes: int = 1 << 38
    # None: no limit.
    memlock_bytes: int | None = None
    open_files: int | None = 65536
    open_files_hard: int | None = None
    transparent_huge_pages: str | None = "madvise"
    shared_huge_pages: str | None = "advise"
    governor: str | None = "performance"
    numa_nodes: int = 1
    numa_balancing: bool | None = False
    interfaces: tuple[Interface, ...] | None = (Interface("eth0", "10.0.0.1", prefix=24),)
    # Who drops what arrives: "firewalld", "ufw", or a chain of nftables such as "inet filter
    # input"; the empty word is nobody.
    firewall: str | None = ""
    adapters: tuple[Adapter, ...] = ()
    verbs_usable: bool = True
    providers: tuple[str, ...] | None = ("tcp", "udp", "shm")
    ucx: bool = False
    # None: there is no Dunlin on PATH, or it has found nothing to try.
    attempt: Attempt | None = None
    batch_system: str | None = None
    slurm_pmi: tuple[str, ...] | None = None
    slurm_default: str | None = None
    pbs_spawn: bool = True
    tools: tuple[Tool, ...] = field(default=())
