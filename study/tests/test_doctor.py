"""Checks over recorded machines; what records is tried on the text that the tools print."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dunlin import machine
from dunlin.cli import app
from dunlin.doctor import checks, hosts, record
from dunlin.doctor.host import Adapter, Attempt, Host, Interface, Tool
from dunlin.doctor.hosts import Link

OURS = Tool("mpicc", "/opt/a/bin/mpicc", "/opt/a/bin/mpicc")
MLX, EFA = Adapter("mlx5_0", "mlx5_core"), Adapter("rdmap0s6", "efa")
OTHERS = Tool("mpirun", "/usr/bin/mpirun", "/usr/lib/b/bin/mpirun")


def test_a_machine_that_is_ready_gets_no_finding() -> None:
    assert checks.examine(Host()) == []


@pytest.mark.parametrize(
    ("change", "severity", "what", "mend"),
    [
        ({"cma": False, "ptrace_scope": 1}, "warning", "ptrace_scope is 1", "sysctl -w"),
        ({"cma": False, "ptrace_scope": 0}, "warning", "process_vm_readv is refused", "SYS_PTRACE"),
        ({"memfd": False}, "note", "memfd_create", "uname"),
        ({"shm_free_bytes": None}, "wrong", "/dev/shm is missing", "mount -t tmpfs"),
        ({"shm_writable": False}, "wrong", "cannot be written to", "mount -t tmpfs"),
        ({"shm_free_bytes": 64 << 20}, "warning", "only 64 MiB", "--shm-size"),
        ({"cgroup_cores": 2.0}, "warning", "the time of 2 cores on 64", "mpirun -n 2"),
        ({"usable_cores": 8}, "note", "8 of 64 cores", "mpirun -n 8"),
        ({"memlock_bytes": 65536, "adapters": (MLX,), "providers": ("verbs",)},
         "wrong", "only 64 KiB of memory may be locked", "memlock unlimited"),
        ({"memlock_bytes": 65536, "adapters": (MLX,), "providers": ("verbs",),
          "batch_system": "slurm"}, "wrong", "only 64 KiB", "LimitMEMLOCK"),
        ({"memlock_bytes": 1 << 36, "adapters": (MLX,), "providers": ("verbs",)},
         "note", "only 64 GiB of memory may be locked", "memlock unlimited"),
        ({"threads_per_core": 2}, "note", "the 64 here are 32", "mpirun -n 32"),
        ({"numa_nodes": 2, "numa_balancing": True}, "note", "moves pages between 2", "sysctl -w"),
        ({"open_files": 1024}, "note", "1024 files", "ulimit -n"),
        ({"open_files": 1024, "open_files_hard": 1024}, "note", "1024 files", "limits.d"),
        ({"transparent_huge_pages": "never"}, "note", "huge pages are off", "madvise"),
        ({"shared_huge_pages": "never"}, "note", "share has no huge pages", "echo advise"),
        ({"governor": "powersave"}, "note", "`powersave`", "cpupower"),
        ({"interfaces": ()}, "note", "no network interface", "ip address"),
        ({"interfaces": (Interface("eth0", "10.0.0.1"), Interface("docker0", "172.17.0.1", True))},
         "warning", "docker0 lead nowhere", "btl_tcp_if_include=eth0"),
        ({"interfaces": (Interface("eth0", "10.0.0.1"), Interface("eth1", "10.1.0.1"))},
         "note", "eth0 (10.0.0.1) and eth1 (10.1.0.1)", "FI_TCP_IFACE=eth0"),
        ({"firewall": "inet guard input"}, "warning", "firewall drops",
         "nft insert rule inet guard input ip saddr 10.0.0.0/24 accept"),
        ({"firewall": "firewalld"}, "warning", "firewalld", "--add-source=10.0.0.0/24"),
        ({"firewall": "ufw"}, "warning", "ufw", "ufw allow from 10.0.0.0/24"),
        ({"adapters": (EFA,), "providers": ("efa",), "verbs_usable": False},
         "wrong", "uverbs* cannot be opened", "modprobe ib_uverbs"),
        ({"adapters": (EFA,)}, "wrong", "no provider efa for rdmap0s6", "fi_info -l"),
        ({"adapters": (EFA,), "providers": None}, "warning", "no libfabric",
         "apt-get install libfabric"),
        ({"adapters": (MLX,)}, "wrong", "no provider verbs for mlx5_0", "fi_info -l"),
        ({"attempt": Attempt("ofi:efa-direct+tcp", ("rdmap0s6",), True, "4 packets came back")},
         "note", "sends by ofi:efa-direct+tcp, over rdmap0s6", "does without"),
        ({"attempt": Attempt("udp+tcp", ("rdmap0s6",), False, "libfabric cannot open it")},
         "warning", "tried rdmap0s6 in vain and sends by udp+tcp", "dunlin-info network"),
        ({"batch_system": "slurm", "slurm_pmi": ("none",)}, "wrong", "speaks only none",
         "--mpi=list"),
        ({"batch_system": "slurm", "slurm_pmi": ()}, "wrong", "speaks only nothing", "--mpi=list"),
        ({"batch_system": "slurm", "slurm_pmi": ("none", "pmix"), "slurm_default": "none"},
         "warning", "MpiDefault is none", "SLURM_MPI_TYPE=pmix"),
        ({"batch_system": "pbs", "pbs_spawn": False}, "note", "pbs_tmrsh", "PBS_EXEC"),
        ({"tools": (OTHERS, OURS)}, "wrong", "mpicc is /opt/a/bin/mpicc", "export PATH=/opt/a/bin"),
    ],
)  # fmt: skip
def test_each_ailment_says_what_it_is_and_what_mends_it(
    change: dict[str, object], severity: str, what: str, mend: str
) -> None:
    found = checks.examine(replace(Host(), **change))  # type: ignore[arg-type]
    assert found[0].severity == severity
    assert what in found[0].what
    assert mend in found[0].mend
    assert len(found[0].why) > 20


def test_what_cannot_be_seen_is_neither_right_nor_wrong() -> None:
    host = replace(Host(), interfaces=None, firewall=None, cma=None, governor=None)
    assert checks.examine(host) == []
    assert len(checks.unseen(host)) == 4
    assert checks.unseen(Host()) == []


def test_an_adapter_that_ucx_reaches_needs_no_libfabric() -> None:
    host = replace(Host(), adapters=(MLX,), ucx=True)
    assert checks.examine(host) == []
    assert checks.examine(replace(host, providers=None)) == []


def test_locked_memory_matters_only_to_adapters_that_need_it() -> None:
    assert checks.examine(replace(Host(), memlock_bytes=65536)) == []


def test_a_library_by_two_names_is_one_library() -> None:
    tools = (Tool("mpicc", "/usr/bin/mpicc", "/opt/a/bin/mpicc"), replace(OURS, name="mpirun"))
    assert checks.examine(replace(Host(), tools=tools)) == []


def test_alternatives_of_one_prefix_that_point_to_different_libraries_are_mixed() -> None:
    tools = (
        Tool("mpirun", "/usr/bin/mpirun", "/usr/bin/mpiexec.hydra"),
        Tool("mpicc", "/usr/bin/mpicc", "/usr/bin/opal_wrapper"),
    )
    assert checks.examine(replace(Host(), tools=tools))[0].severity == "wrong"


def test_the_worst_comes_first() -> None:
    host = replace(Host(), memfd=False, shm_free_bytes=None, firewall="ufw")
    assert [a.severity for a in checks.examine(host)] == ["wrong", "warning", "note"]


def test_interfaces_are_those_that_are_up_with_an_address() -> None:
    listing = json.dumps([
        {"ifname": "lo", "flags": ["UP"], "addr_info": [{"family": "inet", "local": "127.0.0.1"}]},
        {"ifname": "ens5", "flags": ["UP"], "addr_info": [
            {"family": "inet6", "local": "fe80::1"}, {"family": "inet", "local": "10.0.0.7"}]},
        {"ifname": "ens6", "flags": [], "addr_info": [{"family": "inet", "local": "10.0.0.8"}]},
        {"ifname": "docker0", "flags": ["UP"], "addr_info": [
            {"family": "inet", "local": "172.17.0.1", "prefixlen": 16}]},
        {"ifname": "ens7", "flags": ["UP"], "addr_info": [
            {"family": "inet6", "local": "fe80::2", "scope": "link"},
            {"family": "inet6", "local": "fd00::7", "scope": "global", "prefixlen": 64}]},
    ])  # fmt: skip
    assert record.interfaces(listing) == (
        Interface("ens5", "10.0.0.7"), Interface("docker0", "172.17.0.1", True, 16),
        Interface("ens7", "fd00::7", False, 64),
    )  # fmt: skip
    assert record.interfaces("[]") == ()
    assert record.interfaces(None) is None


RULES = "table inet guard {{\n chain x {{\n  type filter hook {}; policy {};\n  {}\n }}\n}}"


@pytest.mark.parametrize(
    ("hook", "policy", "rule", "chain"),
    [
        ("input", "drop", "", "inet guard x"),
        ("forward", "drop", "", ""),
        ("input", "accept", "", ""),
        ("input", "accept", "ct state established accept", ""),
        # As firewalld has it: all is accepted by policy, and what is left is refused at the end.
        ("input", "accept", "reject with icmpx admin-prohibited", "inet guard x"),
        ("input", "accept", "tcp dport 25 reject", ""),
    ],
)
def test_a_chain_that_drops_what_arrives_is_seen(
    hook: str, policy: str, rule: str, chain: str
) -> None:
    assert record.drops(RULES.format(hook, policy, rule)) == chain
    assert record.drops(None) is None


def test_adapters_are_known_by_their_drivers(tmp_path: Path) -> None:
    (tmp_path / "drivers" / "efa").mkdir(parents=True)
    (tmp_path / "class" / "rdmap0s6" / "device").mkdir(parents=True)
    (tmp_path / "class" / "rdmap0s6" / "device" / "driver").symlink_to(tmp_path / "drivers/efa")
    assert record.adapters(str(tmp_path / "class")) == (EFA,)
    assert record.adapters(str(tmp_path / "missing")) == ()


def test_the_least_that_a_control_group_or_one_above_it_grants_counts(tmp_path: Path) -> None:
    inner = tmp_path / "fs" / "job" / "step"
    inner.mkdir(parents=True)
    (inner / "cpu.max").write_text("max 100000\n")
    (inner.parent / "cpu.max").write_text("250000 100000\n")
    (tmp_path / "two").write_text("0::/job/step\n")
    assert machine.cgroup_cores(str(tmp_path / "two"), str(tmp_path / "fs")) == 2.5
    old = tmp_path / "fs" / "cpu" / "job"
    old.mkdir(parents=True)
    (old / "cpu.cfs_quota_us").write_text("150000\n")
    (old / "cpu.cfs_period_us").write_text("100000\n")
    (tmp_path / "one").write_text("4:memory:/job\n3:cpu,cpuacct:/job\n")
    assert machine.cgroup_cores(str(tmp_path / "one"), str(tmp_path / "fs")) == 1.5
    assert machine.cgroup_cores(str(tmp_path / "none"), str(tmp_path / "fs")) is None


def test_what_dunlin_has_tried_is_read_from_what_it_says() -> None:
    tried = {"works": False, "outcome": "no"}
    told = {"opened_as": "udp+tcp", "devices": [{"name": "a"}, {"name": "b"}], "attempt": tried}
    assert record.attempt(json.dumps(told)) == Attempt("udp+tcp", ("a", "b"), False, "no")
    assert record.attempt(json.dumps({"opened_as": "udp+tcp", "devices": []})) is None
    assert record.attempt(None) is None
    assert record.attempt("no JSON") is None


def test_providers_and_pmi_are_read_from_the_tools_lists() -> None:
    assert record.providers("efa:\n    version: 120.10\ntcp:\n    version: 120.10\n") == (
        "efa", "tcp",
    )  # fmt: skip
    listing = (
        "MPI plugin types are...\n\tnone\n\tpmi2\n\tpmix\nspecific pmix plugin versions: pmix_v4"
    )
    assert record.slurm_pmi(listing) == ("none", "pmi2", "pmix")
    older = "srun: MPI types are...\nsrun: none\nsrun: openmpi\nsrun: pmi2\n"
    assert record.slurm_pmi(older) == ("none", "openmpi", "pmi2")
    assert record.slurm_default("MpiDefault              = none\nMpiParams = (null)") == "none"


def test_tools_are_found_in_the_order_of_path(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / name).mkdir()
        tool = tmp_path / name / "mpicc"
        tool.write_text("#!/bin/sh\n")
        tool.chmod(0o755)
    found = record.tools(f"{tmp_path}/b:{tmp_path}/missing:{tmp_path}/a")
    assert [t.path for t in found] == [str(tmp_path / n / "mpicc") for n in ("b", "a")]


@pytest.fixture
def rsh(tmp_path: Path) -> str:
    """A remote shell that goes nowhere: it drops the host's name and runs the rest here."""
    shell = tmp_path / "rsh"
    shell.write_text('#!/bin/sh\nshift\nexec "$@"\n')
    shell.chmod(0o755)
    return str(shell)


def test_what_passes_in_both_directions_is_tried(rsh: str) -> None:
    link = hosts.try_host("127.0.0.1", ["127.0.0.1"], rsh)
    assert link.refused is None
    assert link.connected == link.datagrams == ("127.0.0.1",)
    assert link.connects
    assert link.heard
    assert hosts.judge(replace(link, launcher=shutil.which("mpirun")), Host()) == []


def test_an_address_that_is_not_reached_is_named(rsh: str) -> None:
    # Nobody's network, by RFC 5737: connections end in nothing or in an error at once.
    link = hosts.try_host("127.0.0.1", ["127.0.0.1", "203.0.113.1"], rsh)
    assert link.connected == ("127.0.0.1",)
    found = hosts.judge(link, Host())
    assert [a.what for a in found if a.severity == "warning"][:1] == [
        "connections and datagrams from 127.0.0.1 arrive at 127.0.0.1, not at 203.0.113.1"
    ]


def test_a_host_that_runs_no_command_says_why(tmp_path: Path) -> None:
    shell = tmp_path / "rsh"
    shell.write_text("#!/bin/sh\necho 'Permission denied (publickey).' >&2\nexit 255\n")
    shell.chmod(0o755)
    found = hosts.judge(hosts.try_host("n1", ["127.0.0.1"], str(shell)), Host())
    assert [a.severity for a in found] == ["wrong"]
    assert "Permission denied (publickey)" in found[0].what
    assert "ssh-copy-id n1" in found[0].mend
    missing = hosts.try_host("n1", ["127.0.0.1"], str(tmp_path / "nothing"))
    assert missing.refused is not None


def test_each_direction_that_is_shut_has_its_mend() -> None:
    here = replace(Host(), firewall="firewalld")
    shut = Link("n1", None, None, ("10.0.0.1",), (), (), connects=False, heard=False)
    found = [a for a in hosts.judge(shut, here) if a.severity == "wrong"]
    assert [a.what for a in found] == [
        "no connections and datagrams from n1 arrive here (10.0.0.1)",
        "no connections from here arrive at n1", "no datagrams from here arrive at n1",
    ]  # fmt: skip
    assert "--add-source=10.0.0.0/24" in found[0].mend
    assert "ssh n1 dunlin doctor" in found[1].mend


def test_this_machine_is_examined_without_an_error() -> None:
    done = CliRunner().invoke(app, ["doctor"])
    assert done.exit_code == 0, done.output
    assert "groups of checks" in done.output
