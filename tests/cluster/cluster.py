#!/usr/bin/env python3
"""Hosts on one machine, for tests and measurements: network namespaces joined by veth pairs (two
hosts: one pair; else: a switch in a namespace of its own), each with a name and addresses.

    cluster.py run [--hosts N] [--mtu N] [--links N] [--] COMMAND...   # on the first host
    cluster.py clean                                # remove what a crashed run has left

Only one cluster is there at a time. Memory, files and process numbers are the machine's own: only
networks and host names are separate."""

import argparse
import contextlib
import ctypes
import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
# The launcher for the hosts, in the place of ssh.
RSH = HERE / "rsh"
# What is made bears this prefix, so that it can be found again.
PREFIX = "dunlin-"
SWITCH = f"{PREFIX}switch"
NAMESPACES = Path("/run/netns")
# `ip netns exec` shows the files here to its command in the place of those in /etc.
FILES = Path("/etc/netns")
STATE = Path("/run/dunlin-cluster")
TOOLS = {"ip": "iproute2", "tc": "iproute2", "unshare": "util-linux", "hostname": "hostname"}
MTU_DEFAULT = 1500
# Host i has the address 10.77.0.i on its first link, 10.78.0.i on its second and so on.
NETWORK_FIRST = 77
CLONE_NEWNET = 0x40000000  # <sched.h>; os.setns came with Python 3.12
# What ends together with a job may end a little after it.
GRACE_S = 2.0
PATIENCE_S = 10
POLL_S = 0.02


class Unable(Exception):
    """Why there can be no cluster here."""


def call(*words, check: bool = True) -> str:
    """Runs a command and returns what it printed; its own words if it fails."""
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False)
    if check and done.returncode != 0:
        raise Unable(f"`{' '.join(map(str, words))}` failed: {done.stderr.strip()}")
    return done.stdout


def obstacle(*more_tools: str) -> str | None:
    """Why there can be no cluster here, in a sentence; None where it can be made."""
    if os.geteuid() != 0:
        return "making hosts out of network namespaces needs root"
    for tool in [*TOOLS, *more_tools]:
        if shutil.which(tool) is None:
            package = TOOLS.get(tool, {"nft": "nftables"}.get(tool, tool))
            return f"there is no `{tool}` (Debian: {package})"
    try:
        call("ip", "netns", "add", f"{PREFIX}probe")
        call("ip", "netns", "del", f"{PREFIX}probe")
    except Unable as why:
        return f"this system makes no network namespaces: {why}"
    return None


def processes_on(host: str) -> list[int]:
    """The processes that use a host's network."""
    return [int(pid) for pid in call("ip", "netns", "pids", host, check=False).split()]


def end_processes(host: str) -> list[int]:
    """Kills what still runs on a host; returns what it was."""
    ended = processes_on(host)
    deadline = time.monotonic() + GRACE_S
    while (alive := processes_on(host)) and time.monotonic() < deadline:
        for pid in alive:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(POLL_S)
    return ended


def clean() -> None:
    """Removes every host there is, and what runs on it."""
    for at in sorted(NAMESPACES.glob(f"{PREFIX}*")):
        end_processes(at.name)
        call("ip", "netns", "del", at.name)
    for at in FILES.glob(f"{PREFIX}*"):
        shutil.rmtree(at)
    for at in STATE.glob("refused-*"):
        at.unlink()


def enter(network: int) -> None:
    """Moves this thread to another network namespace."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.setns(network, CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "setns")


class Host:
    """One host: its name, and what is run on it."""

    def __init__(self, index: int):
        self.index = index
        self.name = f"{PREFIX}{index}"

    def address(self, link: int = 0) -> str:
        """Its address on one of the links."""
        return f"10.{NETWORK_FIRST + link}.0.{self.index}"

    def command(self, *words) -> list[str]:
        """The command line that runs a command there, in the caller's environment."""
        return ["ip", "netns", "exec", self.name, "unshare", "--uts", "sh", "-c",
                'hostname "$0" && exec "$@"', self.name, *map(str, words)]

    def ip(self, *words) -> None:
        """`ip` in its namespace."""
        call("ip", "-n", self.name, *words)

    def link_set(self, up: bool, link: int = 0) -> None:
        """Takes one of its links down, or up again."""
        self.ip("link", "set", f"eth{link}", "up" if up else "down")

    def links_up(self) -> int:
        """How many of its links have a carrier, as the system has it."""
        shown = call("ip", "-n", self.name, "-o", "link", "show")
        return sum(" eth" in line and " state UP " in line for line in shown.splitlines())

    def refuse(self, refuses: bool) -> None:
        """Whether it turns rsh away, as a host does to which there is no key."""
        mark = STATE / f"refused-{self.name}"
        mark.touch() if refuses else mark.unlink(missing_ok=True)

    @contextlib.contextmanager
    def entered(self) -> Iterator[None]:
        """Inside, this thread's new sockets are on the host's network, where they stay."""
        here = Path("/proc/self/ns/net")
        with here.open("rb") as home, (NAMESPACES / self.name).open("rb") as there:
            enter(there.fileno())
            try:
                yield
            finally:
                enter(home.fileno())

    def socket(self, kind: int, family: int = socket.AF_INET, protocol: int = 0) -> socket.socket:
        """A socket of this process there: to see what arrives, or to send as an outsider."""
        with self.entered():
            return socket.socket(family, kind, protocol)

    def read(self, path: str) -> str:
        """A file of /proc/net as the host has it."""
        with self.entered():
            return Path(path.replace("/proc/net/", "/proc/thread-self/net/")).read_text()

    def processes(self) -> list[int]:
        """What runs on it."""
        return processes_on(self.name)


class Cluster:
    """All hosts, from `with` to its end."""

    def __init__(self, hosts: int = 2, mtu: int = MTU_DEFAULT, links: int = 1):
        self.hosts = [Host(i) for i in range(1, hosts + 1)]
        self.mtu, self.links = mtu, links

    @property
    def names(self) -> list[str]:
        """The hosts' names."""
        return [host.name for host in self.hosts]

    @property
    def has_switch(self) -> bool:
        """Whether links end at a switch: two hosts have a cable between them."""
        return len(self.hosts) != 2

    def __enter__(self) -> "Cluster":
        STATE.mkdir(exist_ok=True)
        # Held as long as the hosts are there, and given back by the system however this ends.
        self.lock = (STATE / "lock").open("w")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("another cluster is there; waiting until it is gone", file=sys.stderr)
            fcntl.flock(self.lock, fcntl.LOCK_EX)
        self.signals = {s: signal.signal(s, end_politely) for s in (signal.SIGTERM, signal.SIGHUP)}
        try:
            clean()
            self.make()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        clean()
        for number, handler in self.signals.items():
            signal.signal(number, handler)
        self.lock.close()

    def make(self) -> None:
        """Namespaces, names, links."""
        for host in self.hosts:
            call("ip", "netns", "add", host.name)
            host.ip("link", "set", "lo", "up")
            self.write_names(host)
        if self.has_switch:
            call("ip", "netns", "add", SWITCH)
        for link in range(self.links):
            self.join(link)
            for host in self.hosts:
                host.ip("addr", "add", f"{host.address(link)}/24", "dev", f"eth{link}")
                host.ip("link", "set", f"eth{link}", "mtu", self.mtu, "up")
        # The system takes up to a second to call them so.
        self.wait_for("links that are up", lambda: all(h.links_up() == self.links
                                                       for h in self.hosts))

    def wait_for(self, what: str, is_so) -> None:
        """Waits until something is so."""
        deadline = time.monotonic() + PATIENCE_S
        while not is_so():
            if time.monotonic() > deadline:
                raise Unable(f"no {what} after {PATIENCE_S} s")
            time.sleep(POLL_S)

    def write_names(self, host: Host) -> None:
        """What it takes for /etc/hosts."""
        lines = ["127.0.0.1 localhost"]
        lines += [f"{h.address()} {h.name}" for h in self.hosts]
        directory = FILES / host.name
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "hosts").write_text("\n".join(lines) + "\n")

    def join(self, link: int) -> None:
        """One link of every host: a cable between two, else a switch."""
        name = f"eth{link}"
        if not self.has_switch:
            a, b = self.hosts
            a.ip("link", "add", name, "type", "veth", "peer", "name", name, "netns", b.name)
            return
        bridge = f"br{link}"
        call("ip", "-n", SWITCH, "link", "add", bridge, "type", "bridge")
        call("ip", "-n", SWITCH, "link", "set", bridge, "mtu", self.mtu, "up")
        for host in self.hosts:
            port = f"port{host.index}-{link}"
            host.ip("link", "add", name, "type", "veth", "peer", "name", port, "netns", SWITCH)
            call("ip", "-n", SWITCH, "link", "set", port, "master", bridge, "mtu", self.mtu, "up")

    def leftovers(self) -> dict[str, list[int]]:
        """What runs on the hosts although nothing should, after a short grace."""
        deadline = time.monotonic() + GRACE_S
        while True:
            found = {h.name: pids for h in self.hosts if (pids := h.processes())}
            if not found or time.monotonic() > deadline:
                return found
            time.sleep(POLL_S)

    def end_processes(self) -> None:
        """Kills what runs on the hosts."""
        for host in self.hosts:
            end_processes(host.name)


def end_politely(number, _frame) -> None:
    """A signal ends the program by way of all its `finally` and `with`."""
    sys.exit(128 + number)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("clean", help="remove what a crashed run has left")
    run = verbs.add_parser("run", help="make the hosts, run a command on the first, remove them")
    run.add_argument("--hosts", type=int, default=2, metavar="N", help="default: %(default)s")
    run.add_argument("--mtu", type=int, default=MTU_DEFAULT, metavar="N",
                     help="bytes of a packet (default: %(default)s)")
    run.add_argument("--links", type=int, default=1, metavar="N",
                     help="links of each host (default: %(default)s)")
    run.add_argument("command", nargs=argparse.REMAINDER, help="without one: a shell")
    options = parser.parse_args()
    if why := obstacle():
        sys.exit(f"no cluster: {why}")
    if options.verb == "clean":
        with Cluster(hosts=0):
            return
    with Cluster(options.hosts, options.mtu, options.links) as cluster:
        command = options.command[options.command[:1] == ["--"]:] or [os.environ.get("SHELL", "sh")]
        sys.exit(subprocess.run(cluster.hosts[0].command(*command), check=False).returncode)


if __name__ == "__main__":
    main()
