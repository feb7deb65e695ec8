"""Checks over recorded machines; what records is tried on the text that the tools print."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dunlin.cli import app
from dunlin.doctor import checks, record
from dunlin.doctor.host import Host, Interface, Tool

OURS = Tool("mpicc", "/opt/a/bin/mpicc", "/opt/a/bin/mpicc")
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
        ({"memlock_bytes": 65536, "rdma_devices": ("mlx5_0",), "providers": ("verbs",)},
         "wrong", "only 64 KiB of memory may be locked", "memlock unlimited"),
        ({"open_files": 1024}, "note", "1024 files", "ulimit -n"),
        ({"transparent_huge_pages": "never"}, "note", "huge pages are off", "madvise"),
        ({"governor": "powersave"}, "note", "`powersave`", "cpupower"),
        ({"interfaces": ()}, "note", "no network interface", "ip address"),
        ({"interfaces": (Interface("eth0", "10.0.0.1"), Interface("docker0", "172.17.0.1", True))},
         "warning", "docker0 lead nowhere", "btl_tcp_if_include=eth0"),
        ({"interfaces": (Interface("eth0", "10.0.0.1"), Interface("eth1", "10.1.0.1"))},
         "note", "eth0 (10.0.0.1) and eth1 (10.1.0.1)", "FI_TCP_IFACE=eth0"),
        ({"firewall_drops": True}, "warning", "firewall drops", "nft insert rule"),
        ({"rdma_devices": ("efa_0",), "providers": ("efa",), "verbs_usable": False},
         "wrong", "uverbs* cannot be opened", "modprobe ib_uverbs"),
        ({"rdma_devices": ("efa_0",)}, "wrong", "no provider efa for efa_0", "fi_info -l"),
        ({"rdma_devices": ("rdmap0_efa",), "providers": None}, "warning", "no libfabric",
         "apt-get install libfabric"),
        ({"batch_system": "slurm", "slurm_pmi": ("none",)}, "wrong", "speaks only none",
         "--mpi=list"),
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
    host = replace(Host(), memfd=False, shm_free_bytes=None, firewall_drops=True)
    assert [a.severity for a in checks.examine(host)] == ["wrong", "warning", "note"]


def test_interfaces_are_those_that_are_up_with_an_address() -> None:
    listing = json.dumps([
        {"ifname": "lo", "flags": ["UP"], "addr_info": [{"family": "inet", "local": "127.0.0.1"}]},
        {"ifname": "ens5", "flags": ["UP"], "addr_info": [
            {"family": "inet6", "local": "fe80::1"}, {"family": "inet", "local": "10.0.0.7"}]},
        {"ifname": "ens6", "flags": [], "addr_info": [{"family": "inet", "local": "10.0.0.8"}]},
        {"ifname": "docker0", "flags": ["UP"], "addr_info": [
            {"family": "inet", "local": "172.17.0.1"}]},
    ])  # fmt: skip
    assert record.interfaces(listing) == (
        Interface("ens5", "10.0.0.7"), Interface("docker0", "172.17.0.1", True),
    )  # fmt: skip
    assert record.interfaces(None) == ()


def test_a_chain_that_drops_what_arrives_is_seen() -> None:
    chain = (
        "table inet filter {{\n chain x {{\n  type filter hook {} priority 0; policy {};\n }}\n}}"
    )
    assert record.drops(chain.format("input", "drop")) is True
    assert record.drops(chain.format("forward", "drop")) is False
    assert record.drops(chain.format("input", "accept")) is False
    assert record.drops(None) is None


def test_providers_and_pmi_are_read_from_the_tools_lists() -> None:
    assert record.providers("efa:\n    version: 120.10\ntcp:\n    version: 120.10\n") == (
        "efa", "tcp",
    )  # fmt: skip
    listing = (
        "MPI plugin types are...\n\tnone\n\tpmi2\n\tpmix\nspecific pmix plugin versions: pmix_v4"
    )
    assert record.slurm_pmi(listing) == ("none", "pmi2", "pmix")


def test_tools_are_found_in_the_order_of_path(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / name).mkdir()
        tool = tmp_path / name / "mpicc"
        tool.write_text("#!/bin/sh\n")
        tool.chmod(0o755)
    found = record.tools(f"{tmp_path}/b:{tmp_path}/missing:{tmp_path}/a")
    assert [t.path for t in found] == [str(tmp_path / n / "mpicc") for n in ("b", "a")]


def test_this_machine_is_examined_without_an_error() -> None:
    done = CliRunner().invoke(app, ["doctor"])
    assert done.exit_code == 0, done.output
    assert "groups of checks" in done.output
