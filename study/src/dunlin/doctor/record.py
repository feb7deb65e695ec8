"""Looks at this machine. Nothing here changes anything, and nothing fails: what cannot be seen is
recorded as unknown."""

import ctypes
import json
import os
import resource
import shutil
import subprocess
from pathlib import Path

from dunlin import machine
from dunlin.doctor.host import Host, Interface, Tool

TOOLS = ("mpirun", "mpiexec", "mpicc")
COMMAND_SECONDS_MAX = 10
# Bridges and tunnels of containers and virtual machines.
VIRTUAL = ("docker", "virbr", "veth", "br-", "cni", "flannel", "podman", "lxc", "tun", "cilium")


def output_of(*command: str) -> str | None:
    """What a command prints; None where there is none or it fails."""
    if shutil.which(command[0]) is None:
        return None
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=COMMAND_SECONDS_MAX, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout + done.stderr if done.returncode == 0 else None


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


def _limit(which: int) -> int | None:
    soft = resource.getrlimit(which)[0]
    return None if soft == resource.RLIM_INFINITY else soft


def interfaces(listing: str | None) -> tuple[Interface, ...]:
    """From `ip -json address`: those that are up and have an address."""
    try:
        found = json.loads(listing or "[]")
    except ValueError:
        return ()
    made = []
    for link in found:
        name = link.get("ifname", "")
        addresses = [a["local"] for a in link.get("addr_info", []) if a.get("family") == "inet"]
        if name != "lo" and addresses and "UP" in link.get("flags", []):
            made.append(Interface(name, addresses[0], name.startswith(VIRTUAL)))
    return tuple(made)


def drops(ruleset: str | None) -> bool | None:
    """Does a chain that hooks into what arrives drop by default?"""
    if ruleset is None:
        return None
    return any(
        "hook input" in line and "policy drop" in line for line in ruleset.splitlines()
    )  # fmt: skip


def providers(listing: str | None) -> tuple[str, ...] | None:
    """Names from `fi_info -l`: lines `name:`."""
    if listing is None:
        return None
    names = [
        line.strip().rstrip(":") for line in listing.splitlines()
        if line.strip().endswith(":") and ";" not in line
    ]  # fmt: skip
    return tuple(names)


def slurm_pmi(listing: str | None) -> tuple[str, ...] | None:
    """Names from `srun --mpi=list`."""
    if listing is None:
        return None
    names = [line.strip() for line in listing.splitlines()]
    return tuple(n for n in names if n and " " not in n and ":" not in n)


def tools(path: str) -> tuple[Tool, ...]:
    """MPI's programs on a PATH, in its order."""
    found = []
    for directory in path.split(os.pathsep):
        for name in TOOLS:
            file = Path(directory or ".") / name
            if file.is_file() and os.access(file, os.X_OK):
                found.append(Tool(name, str(file), str(file.resolve())))
    return tuple(found)


def _names(directory: str) -> tuple[str, ...]:
    there = Path(directory)
    return tuple(sorted(p.name for p in there.iterdir())) if there.is_dir() else ()


def _verbs_usable() -> bool:
    files = list(Path("/dev/infiniband").glob("uverbs*"))
    return any(os.access(file, os.R_OK | os.W_OK) for file in files)


def record() -> Host:
    """This machine, now."""
    free, writable = _shm()
    slurm = shutil.which("srun") is not None
    pbs = shutil.which("qsub") is not None
    governor = machine.describe()["governor"]
    return Host(
        ptrace_scope=_number("/proc/sys/kernel/yama/ptrace_scope"),
        cma=reads_others(),
        memfd=_memfd(),
        shm_free_bytes=free,
        shm_writable=writable,
        cores=os.cpu_count() or 1,
        usable_cores=len(os.sched_getaffinity(0)),
        cgroup_cores=machine.cgroup_cores(),
        memlock_bytes=_limit(resource.RLIMIT_MEMLOCK),
        open_files=_limit(resource.RLIMIT_NOFILE),
        transparent_huge_pages=_chosen("/sys/kernel/mm/transparent_hugepage/enabled"),
        governor=governor,
        interfaces=interfaces(output_of("ip", "-json", "address")),
        firewall_drops=drops(output_of("nft", "list", "ruleset")),
        rdma_devices=_names("/sys/class/infiniband"),
        verbs_usable=_verbs_usable(),
        providers=providers(output_of("fi_info", "-l")),
        batch_system="slurm" if slurm else "pbs" if pbs else None,
        slurm_pmi=slurm_pmi(output_of("srun", "--mpi=list")) if slurm else None,
        tools=tools(os.environ.get("PATH", "")),
    )
