"""Looks at this machine. Nothing here changes anything, and nothing fails: what cannot be seen is
recorded as unknown."""

import ctypes
import json
import os
import resource
import shutil
from pathlib import Path
from typing import Any

from dunlin import machine
from dunlin.doctor.host import Adapter, Attempt, Host, Interface, Tool
from dunlin.execution import output_of

TOOLS = ("mpirun", "mpiexec", "mpicc")
# Bridges and tunnels of containers and virtual machines.
VIRTUAL = ("docker", "virbr", "veth", "br-", "cni", "flannel", "podman", "lxc", "tun", "cilium")


def _number(path: str) -> int | None:
    try:
        return int(Path(path).read_text().strip())
    except (OSError, ValueError):
        return None


def _chosen(path: str) -> str | None:
    """The word in brackets, as in `always [madvise] never`."""
    try:
        text = Path(path).read_text()
    except OSError:
        return None
    return text.partition("[")[2].partition("]")[0] or None


def reads_others() -> bool | None:
    """Tries what a rank does: a child reads its parent, as one rank reads another."""

    class Vector(ctypes.Structure):
        _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))

    library = ctypes.CDLL(None, use_errno=True)
    if not hasattr(library, "process_vm_readv"):
        return None
    there, here = ctypes.create_string_buffer(b"dunlin"), ctypes.create_string_buffer(6)
    parent, child = os.getpid(), os.fork()
    if child == 0:
        local = Vector(ctypes.addressof(here), 6)
        remote = Vector(ctypes.addressof(there), 6)
        count = library.process_vm_readv(
            parent, ctypes.byref(local), ctypes.c_ulong(1), ctypes.byref(remote),
            ctypes.c_ulong(1), ctypes.c_ulong(0),
        )  # fmt: skip
        os._exit(0 if count == 6 else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def _memfd() -> bool:
    try:
        os.close(os.memfd_create("dunlin-doctor"))
    except OSError:
        return False
    return True


def _shm() -> tuple[int | None, bool]:
    try:
        space = os.statvfs("/dev/shm")
    except OSError:
        return None, False
    return space.f_bavail * space.f_frsize, os.access("/dev/shm", os.W_OK)


def _limit(which: int) -> tuple[int | None, int | None]:
    """What holds and what it may be raised to; None is no limit."""
    soft, hard = (None if n == resource.RLIM_INFINITY else n for n in resource.getrlimit(which))
    return soft, hard


def interfaces(listing: str | None) -> tuple[Interface, ...] | None:
    """From `ip -json address`: those that are up and have an address; None where there is no such
    command."""
    try:
        found = json.loads(listing) if listing else None
    except ValueError:
        return None
    return None if found is None else tuple(i for link in found if (i := _interface(link)))


def _interface(link: dict[str, Any]) -> Interface | None:
    name = link.get("ifname", "")
    if name == "lo" or "UP" not in link.get("flags", []):
        return None
    # Addresses that are good on one link only say nothing; of others the older sort comes first.
    usable = [a for a in link.get("addr_info", []) if a.get("scope", "global") == "global"]
    usable.sort(key=lambda a: a.get("family") != "inet")
    if not usable:
        return None
    first = usable[0]
    return Interface(name, first["local"], name.startswith(VIRTUAL), first.get("prefixlen", 0))


def drops(ruleset: str | None) -> str | None:
    """The chain that drops or refuses what arrives and no rule has let in, by its policy or by a
    last rule without a condition; the empty word if there is none."""
    if ruleset is None:
        return None
    table = chain = ""
    arriving = False
    for line in map(str.strip, ruleset.splitlines()):
        words = line.rstrip(" {").split()
        if words[:1] == ["table"]:
            table = " ".join(words[1:])
        elif words[:1] == ["chain"]:
            chain, arriving = " ".join(words[1:]), False
        elif "hook input" in line:
            arriving = True
            if "policy drop" in line:
                return f"{table} {chain}"
        elif arriving and words[:1] in (["drop"], ["reject"]):
            return f"{table} {chain}"
    return ""


def firewall() -> str | None:
    """Who guards this host. Any user may ask which services run; rules are shown to root alone."""
    for service in ("firewalld", "ufw"):
        if (output_of("systemctl", "is-active", service) or "").strip() == "active":
            return service
    return drops(output_of("nft", "list", "ruleset"))


def providers(listing: str | None) -> tuple[str, ...] | None:
    """Names from `fi_info -l`: lines `name:`."""
    if listing is None:
        return None
    names = [
        line.strip().rstrip(":") for line in listing.splitlines()
        if line.strip().endswith(":") and ";" not in line
    ]  # fmt: skip
    return tuple(names)


def attempt(listing: str | None) -> Attempt | None:
    """From `dunlin-info network --json`."""
    try:
        told = json.loads(listing or "{}")
    except ValueError:
        return None
    tried = told.get("attempt")
    if not tried:
        return None
    devices = tuple(device["name"] for device in told["devices"])
    return Attempt(told["opened_as"], devices, tried["works"], tried["outcome"])


def slurm_pmi(listing: str | None) -> tuple[str, ...] | None:
    """Names from `srun --mpi=list`."""
    if listing is None:
        return None
    # Older ones print it as a message of theirs.
    names = [line.strip().removeprefix("srun:").strip() for line in listing.splitlines()]
    return tuple(n for n in names if n and " " not in n and ":" not in n)


def slurm_default(listing: str | None) -> str | None:
    """What srun uses where nobody says: MpiDefault of `scontrol show config`."""
    for line in (listing or "").splitlines():
        name, _, value = line.partition("=")
        if name.strip() == "MpiDefault":
            return value.strip()
    return None


def tools(path: str) -> tuple[Tool, ...]:
    """MPI's programs on a PATH, in its order."""
    found = []
    for directory in path.split(os.pathsep):
        for name in TOOLS:
            file = Path(directory or ".") / name
            if file.is_file() and os.access(file, os.X_OK):
                found.append(Tool(name, str(file), str(file.resolve())))
    return tuple(found)


def adapters(directory: str = "/sys/class/infiniband") -> tuple[Adapter, ...]:
    """By their driver: names such as rdmap0s6 say nothing."""
    there = Path(directory)
    if not there.is_dir():
        return ()
    return tuple(
        Adapter(at.name, (at / "device" / "driver").resolve().name)
        for at in sorted(there.iterdir())
    )


def _verbs_usable() -> bool:
    files = list(Path("/dev/infiniband").glob("uverbs*"))
    return any(os.access(file, os.R_OK | os.W_OK) for file in files)


def record() -> Host:
    """This machine, now."""
    free, writable = _shm()
    slurm = shutil.which("srun") is not None
    pbs = shutil.which("qsub") is not None
    governor = machine.describe()["governor"]
    spoken = output_of("srun", "--mpi=list") if slurm else None
    return Host(
        ptrace_scope=_number("/proc/sys/kernel/yama/ptrace_scope"),
        cma=reads_others(),
        memfd=_memfd(),
        shm_free_bytes=free,
        shm_writable=writable,
        cores=os.cpu_count() or 1,
        usable_cores=len(os.sched_getaffinity(0)),
        cgroup_cores=machine.cgroup_cores(),
        threads_per_core=machine.threads_per_core(),
        memory_bytes=machine.memory_kib() * 1024,
        memlock_bytes=_limit(resource.RLIMIT_MEMLOCK)[0],
        open_files=_limit(resource.RLIMIT_NOFILE)[0],
        open_files_hard=_limit(resource.RLIMIT_NOFILE)[1],
        transparent_huge_pages=_chosen("/sys/kernel/mm/transparent_hugepage/enabled"),
        shared_huge_pages=_chosen("/sys/kernel/mm/transparent_hugepage/shmem_enabled"),
        governor=governor,
        numa_nodes=len(list(Path("/sys/devices/system/node").glob("node[0-9]*"))),
        numa_balancing=bool(_number("/proc/sys/kernel/numa_balancing")),
        interfaces=interfaces(output_of("ip", "-json", "address")),
        firewall=firewall(),
        adapters=adapters(),
        verbs_usable=_verbs_usable(),
        providers=providers(output_of("fi_info", "-l")),
        attempt=attempt(output_of("dunlin-info", "network", "--json")),
        ucx=shutil.which("ucx_info") is not None,
        batch_system="slurm" if slurm else "pbs" if pbs else None,
        slurm_pmi=slurm_pmi(spoken),
        slurm_default=slurm_default(output_of("scontrol", "show", "config")) if slurm else None,
        pbs_spawn=shutil.which("pbs_tmrsh") is not None or shutil.which("pbsdsh") is not None,
        tools=tools(os.environ.get("PATH", "")),
    )
