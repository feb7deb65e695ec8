"""Jobs on two hosts with a device of a fast network, for which one of `tests/efa` stands in: `auto`
takes it where all hosts have one that works, and else says in a sentence what it takes instead."""

import os
import subprocess
from pathlib import Path

import pytest

from dunlin import checkout, programs
from tests.efa import standin
from tests.efa.standin import Device

ROOT = Path(__file__).resolve().parents[2]
MPIRUN = checkout.PREFIX / "bin" / "mpirun"
PATIENCE_S = 120
HOSTS = ["--rsh", ROOT / "tests" / "rsh_here", "-host", "127.0.0.1:2,127.0.0.2:2", "--map-by",
         "node"]
# Messages of all kinds and sizes, collectives, windows; and those that matter to what is lacking.
PROGRAMS = ["sendrecv", "wildcards", "send_modes", "flood", "sizes", "allreduce", "window_epochs",
            "window_transfers", "threads_window_locks"]
SOME_PROGRAMS = ["flood", "sizes", "window_long", "window_transfers"]
BY_DEVICE = "ofi:efa-direct+tcp: packets sent"
BY_UDP_TCP = "udp+tcp: packets sent"

pytestmark = pytest.mark.skipif(
    standin.obstacle() is not None or not MPIRUN.exists(),
    reason=standin.obstacle() or "make build comes first")


@pytest.fixture(scope="module")
def device(tmp_path_factory) -> Device:
    return Device(tmp_path_factory.mktemp("efa"))


@pytest.fixture(scope="module")
def traffic(tmp_path_factory) -> Path:
    """Messages of all sizes between all ranks."""
    return programs.compiled(ROOT / "tests" / "c" / "sizes.c", checkout.dunlin(),
                             tmp_path_factory.mktemp("programs"))


def run(device: Device, *words, faults: str = "", on_rank: str = "", **settings: str):
    """The exit status and the output of a job of four ranks; ranks named by `on_rank`, a pattern of
    the shell, have these faults, or all."""
    common = {**os.environ, "DUNLIN_NET_INTERFACE": "lo", "DUNLIN_NET_REPORT": "end", **settings}
    environment = {**common, **device.environment("" if on_rank else faults)}
    bad = device.environment(faults)["EFA_STANDIN"]
    script = f'case $DUNLIN_JOB_RANK in {on_rank}) export EFA_STANDIN={bad};; esac; exec "$@"'
    start: list = ["sh", "-c", script, "sh"] if on_rank else []
    command = list(map(str, [MPIRUN, *HOSTS, "-n", "4", *start, *words]))
    done = subprocess.run(command, env=environment, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE_S,
                          check=False)
    return done.returncode, done.stdout


def sentences(output: str) -> list[str]:
    """What ranks say beside their reports."""
    said = [line for line in output.splitlines() if line.startswith("dunlin: ")]
    return [line.removeprefix("dunlin: ") for line in said if "packets sent" not in line]


def test_auto_takes_a_device_that_works_and_says_nothing(device: Device, traffic: Path) -> None:
    before = device.counted("tx_pkts"), device.counted("rdma_read_wrs")
    status, output = run(device, traffic)
    assert status == 0, output
    assert output.count(BY_DEVICE) == 4 and sentences(output) == [], output
    assert device.counted("tx_pkts") > before[0]
    assert device.counted("rdma_read_wrs") > before[1]


@pytest.mark.parametrize("faults", ["", "reads=0", "writes=0", "queue=4", "registrations=2",
                                    "read_error=2", "no_peers=1"])
def test_programs_pass_whatever_the_device_lacks(device: Device, faults: str) -> None:
    pass_programs(device, SOME_PROGRAMS if faults else PROGRAMS, faults)


def test_windows_pass_where_the_device_does_every_put_and_get(device: Device) -> None:
    before = device.counted("rdma_read_wrs"), device.counted("rdma_write_wrs")
    pass_programs(device, ["window"], DUNLIN_RMA_REMOTE_MIN="1")
    after = device.counted("rdma_read_wrs"), device.counted("rdma_write_wrs")
    # With the usual bound it is some hundreds.
    assert after[0] - before[0] >= 5000 and after[1] - before[1] >= 5000


def pass_programs(device: Device, names: list[str], faults: str = "", **settings: str) -> None:
    """C programs of the test suite whose names contain one of these."""
    words = [word for name in names for word in ("-k", name)]
    common = {**os.environ, "DUNLIN_NET_INTERFACE": "lo", **settings}
    done = subprocess.run(
        [ROOT / ".venv/bin/python", "tests/run.py", "--prefix", checkout.PREFIX, "-n", "4",
         "--mpirun-args", " ".join(map(str, HOSTS)), *words],
        env=common | device.environment(faults), text=True, cwd=ROOT, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, timeout=4 * PATIENCE_S, check=False)
    assert done.returncode == 0, done.stdout


def test_the_device_does_long_puts_and_gets_while_the_target_computes(device: Device,
                                                                      tmp_path: Path) -> None:
    source = ROOT / "tests" / "efa" / "programs" / "computing.c"
    program = programs.compiled(source, checkout.dunlin(), tmp_path)
    before = device.counted("rdma_read_wrs"), device.counted("rdma_write_wrs")
    status, output = run(device, program, DUNLIN_PROGRESS="none")
    assert status == 0 and "ok computing" in output, output
    after = device.counted("rdma_read_wrs"), device.counted("rdma_write_wrs")
    assert after[0] - before[0] >= 100 and after[1] - before[1] >= 100


def test_a_rank_whose_device_does_not_write_puts_by_messages(device: Device) -> None:
    program = ROOT / "tests" / "c" / "window_transfers.c"
    before = device.counted("rdma_write_wrs")
    status, output = run(device, programs.compiled(program, checkout.dunlin(), device.directory),
                         faults="writes=0", on_rank="2")
    assert status == 0 and "ok window_transfers" in output, output
    assert device.counted("rdma_write_wrs") > before
    [report] = [line for line in output.splitlines() if line.startswith("dunlin: rank 2: ")]
    assert "writes to it 0;" in report


@pytest.mark.parametrize("security", ["authenticate", "encrypt"])
def test_packets_of_a_device_are_sealed(device: Device, traffic: Path, security: str) -> None:
    status, output = run(device, traffic, DUNLIN_NET_SECURITY=security)
    assert status == 0 and output.count(BY_DEVICE) == 4, output


@pytest.mark.parametrize(("faults", "why"), [
    ("no_domain=1", "libfabric cannot set up its domain: Permission denied"),
    ("lose_own=1", "of 4 packets to itself 0 have come back in 2 s"),
    ("registrations=0", "it is asked to pin"),
])
def test_a_device_that_does_not_work_is_not_taken(device: Device, traffic: Path, faults: str,
                                                  why: str) -> None:
    status, output = run(device, traffic, faults=faults)
    assert status == 0 and output.count(BY_UDP_TCP) == 4, output
    [said] = sentences(output)
    assert said.startswith("this host's fast network is not used, but udp+tcp: "), said
    assert why in said


def test_all_ranks_do_without_a_device_where_one_must(device: Device, traffic: Path) -> None:
    status, output = run(device, traffic, faults="no_domain=1", on_rank="2")
    assert status == 0 and output.count(BY_UDP_TCP) == 4, output
    [said] = sentences(output)
    assert said.startswith("ofi:efa-direct is not used, but udp+tcp: rank 2 on "), said


def test_a_rank_that_names_another_fabric_is_an_error_that_names_both(device: Device,
                                                                      traffic: Path) -> None:
    script = 'test $DUNLIN_JOB_RANK = 2 && export DUNLIN_NET_FABRIC=udp; exec "$@"'
    status, output = run(device, "sh", "-c", script, "sh", traffic)
    assert status != 0
    assert "`udp`" in output and "DUNLIN_NET_FABRIC to one of them for all" in output, output


def test_a_peer_that_is_not_reached_gets_its_packets_over_tcp(device: Device,
                                                              traffic: Path) -> None:
    status, output = run(device, traffic, faults="no_peers=1", on_rank="1")
    assert status == 0 and output.count(BY_DEVICE) == 4, output
    [said] = sentences(output)
    assert "rank 1 does not reach rank " in said and "packets go over TCP there" in said


@pytest.mark.parametrize(("faults", "why"), [
    ("send_error=40", "the network has lost rank "),
    ("recv_error=40", "the network has lost a packet to this rank: Input/output error"),
])
def test_an_error_of_the_device_ends_the_job(device: Device, traffic: Path, faults: str,
                                             why: str) -> None:
    status, output = run(device, traffic, faults=faults, on_rank="1")
    assert status != 0 and why in output, output


def test_dunlin_info_tells_what_was_tried(device: Device) -> None:
    def said(faults: str) -> str:
        environment = {**os.environ, "DUNLIN_NET_INTERFACE": "lo", **device.environment(faults)}
        done = subprocess.run([checkout.PREFIX / "bin" / "dunlin-info", "network"], text=True,
                              env=environment, stdout=subprocess.PIPE, check=True)
        return " ".join(done.stdout.split())

    works = said("")
    assert "fabric ofi:efa-direct+tcp: there is a device of a fast network: rdmap0s6" in works
    assert "works: efa-direct on rdmap0s6-rdm: reliable, in any order" in works
    fails = said("no_domain=1")
    assert "fabric udp+tcp" in fails
    assert "tried in vain: libfabric cannot set up its domain" in fails
