"""What kind of machine a launch ran on: recorded with every one, because the reason for a strange
figure is looked for weeks later."""

import os
import platform
import socket
from pathlib import Path
from typing import Any

# Variables that change how MPI behaves; the rest of an environment is nobody's business.
TELLING = (
    "DUNLIN_", "MPIR_", "MPICH_", "I_MPI_", "OMPI_", "PRTE_", "PMIX_", "UCX_", "FI_", "MV2_",
    "MVP_", "OMP_", "SLURM_MPI", "SLURM_JOB_ID", "PBS_JOBID", "KMP_", "PSM2_", "RDMAV_",
    "LD_PRELOAD",
)  # fmt: skip

CLOCK = "/sys/devices/system/clocksource/clocksource0"


def _first_line(path: str) -> str | None:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").split("\n", 1)[0].strip()
    except OSError:
        return None


def _cpu_model() -> str:
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name.strip() in ("model name", "CPU part"):
            return value.strip()
    return platform.machine()


def cgroup_cores(process: str = "/proc/self/cgroup", mounted: str = "/sys/fs/cgroup") -> (
    float | None
):  # fmt: skip
    """How many cores the control group grants: the least of what it and those above it do, in
    either version of control groups; None where none sets a limit."""
    try:
        lines = Path(process).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    granted = []
    for line in lines:
        _, controllers, group = [*line.split(":", 2), "", ""][:3]
        of_cpu = "cpu" in controllers.split(",")
        if controllers and not of_cpu:
            continue
        # In a container the group's own name may not be there: then what is mounted is the group.
        root = Path(mounted) / ("cpu" if of_cpu else "")
        below = root / group.lstrip("/")
        granted += [_granted(at) for at in (below, *below.parents) if at.is_relative_to(root)]
    return min((cores for cores in granted if cores is not None), default=None)


def _granted(directory: Path) -> float | None:
    quota, _, period = (_first_line(f"{directory}/cpu.max") or "").partition(" ")
    if not quota:
        quota = _first_line(f"{directory}/cpu.cfs_quota_us") or ""
        period = _first_line(f"{directory}/cpu.cfs_period_us") or ""
    if quota.isdigit() and period.isdigit() and int(period) > 0:
        return int(quota) / int(period)
    return None


def usable_cores() -> int:
    """Cores that this process may run on, by affinity."""
    return len(os.sched_getaffinity(0))


def memory_kib() -> int:
    """Of the whole machine."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 1024


def describe() -> dict[str, Any]:
    """This machine, now."""
    cpu = "/sys/devices/system/cpu"
    return {
        "host": socket.gethostname(), "kernel": platform.release(), "system": _system(),
        "architecture": platform.machine(), "cpu": _cpu_model(), "cores": os.cpu_count(),
        "usable_cores": usable_cores(), "cgroup_cores": cgroup_cores(), "memory_kib": memory_kib(),
        "governor": _first_line(f"{cpu}/cpu0/cpufreq/scaling_governor"),
        "threads_per_core": threads_per_core(),
        "turbo_off": _first_line(f"{cpu}/intel_pstate/no_turbo"),
        "load_1m": os.getloadavg()[0],
        "huge_pages": _first_line("/sys/kernel/mm/transparent_hugepage/enabled"),
        "clock_source": _first_line(f"{CLOCK}/current_clocksource"),
    }  # fmt: skip


def _system() -> str:
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    except OSError:
        return platform.system()


def threads_per_core() -> int | None:
    """How many processors the kernel shows for one core."""
    siblings = _first_line("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list")
    if siblings is None:
        return None
    return sum(
        int(last or first) - int(first) + 1
        for first, _, last in (part.partition("-") for part in siblings.split(","))
    )


def telling(environment: dict[str, str]) -> dict[str, str]:
    """The part of an environment that is recorded; bytes that are no UTF-8 cannot be, and must not
    cost the launch."""
    return {
        name: value.encode(errors="surrogateescape").decode(errors="replace")
        for name, value in sorted(environment.items())
        if name.startswith(TELLING)
    }
