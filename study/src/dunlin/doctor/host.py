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
    memlock_bytes: int | None = None
    open_files: int | None = 65536
    transparent_huge_pages: str | None = "madvise"
    governor: str | None = "performance"
    interfaces: tuple[Interface, ...] = (Interface("eth0", "10.0.0.1"),)
    firewall_drops: bool | None = False
    rdma_devices: tuple[str, ...] = ()
    verbs_usable: bool = True
    providers: tuple[str, ...] | None = ("tcp", "udp", "shm")
    batch_system: str | None = None
    slurm_pmi: tuple[str, ...] | None = None
    tools: tuple[Tool, ...] = field(default=())
