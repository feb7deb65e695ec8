"""Between hosts: does each one answer commands, do connections and datagrams to ports that the
kernel picks arrive in both directions, and is the same launcher there? A small program on the other
host and this one try what launchers and ranks do; when it has ended nothing is left behind."""

import json
import shlex
import shutil
import socket
import subprocess
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from threading import Timer
from typing import Any

from dunlin import words
from dunlin.doctor.checks import Ailment, choose, let_in
from dunlin.doctor.host import Host

RSH = "ssh -o BatchMode=yes -o ConnectTimeout=5"
CONNECT_SECONDS_MAX = 3.0
PROBE_SECONDS_MAX = 40.0
# Datagrams may be lost; so many are not, unless something takes them.
DATAGRAMS = 5

# What runs there: it says where it listens, tries to reach this host by each of its addresses, and
# waits for what this host sends. It needs Python 3.6 and nothing else.
PROBE = f"""
import json, shutil, socket, sys
tcp_port, udp_port, addresses = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
family = socket.AF_INET6 if ":" in addresses[0] else socket.AF_INET
tcp = socket.socket(family, socket.SOCK_STREAM)
udp = socket.socket(family, socket.SOCK_DGRAM)
tcp.bind(("", 0)); tcp.listen(8); udp.bind(("", 0)); udp.settimeout({CONNECT_SECONDS_MAX})
print(json.dumps({{"tcp": tcp.getsockname()[1], "udp": udp.getsockname()[1],
                  "mpirun": shutil.which("mpirun") or shutil.which("mpiexec")}}), flush=True)
connected = []
for address in addresses:
    for _ in range({DATAGRAMS}):
        try:
            udp.sendto(address.encode(), (address, udp_port))
        except OSError:
            pass
    try:
        socket.create_connection((address, tcp_port), {CONNECT_SECONDS_MAX}).close()
        connected.append(address)
    except OSError:
        pass
try:
    heard = bool(udp.recvfrom(64))
except OSError:
    heard = False
print(json.dumps({{"connected": connected, "heard": heard}}), flush=True)
"""


@dataclass(frozen=True)
class Link:
    """What was found out about one other host."""

    host: str
    # Why it does not answer commands; None if it does.
    refused: str | None = None
    launcher: str | None = None
    # Of this host's addresses those that the other one reached, by connection and by datagram.
    addresses: tuple[str, ...] = ()
    connected: tuple[str, ...] = ()
    datagrams: tuple[str, ...] = ()
    # What of this host reached the other one.
    connects: bool = True
    heard: bool = True


def try_host(host: str, addresses: Sequence[str], rsh: str = RSH) -> Link:
    """Tries both directions. Addresses are those of this host, of one family."""
    family = socket.AF_INET6 if ":" in addresses[0] else socket.AF_INET
    with ExitStack() as stack:
        tcp = stack.enter_context(socket.socket(family, socket.SOCK_STREAM))
        udp = stack.enter_context(socket.socket(family, socket.SOCK_DGRAM))
        tcp.bind(("", 0))
        tcp.listen(len(addresses))
        udp.bind(("", 0))
        ports = [str(own.getsockname()[1]) for own in (tcp, udp)]
        command = [*shlex.split(rsh), host, "python3", "-u", "-", *ports, *addresses]
        try:
            process = stack.enter_context(subprocess.Popen(
                command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            ))  # fmt: skip
        except OSError as error:
            return Link(host, refused=str(error))
        # A host that answers half of it must not keep anybody waiting.
        end = Timer(PROBE_SECONDS_MAX, process.kill)
        stack.callback(end.cancel)
        end.start()
        return _talk(process, host, tuple(addresses), udp)


def _talk(
    process: subprocess.Popen[str], host: str, addresses: tuple[str, ...], udp: socket.socket
) -> Link:
    assert process.stdin and process.stdout and process.stderr
    try:
        process.stdin.write(PROBE)
        process.stdin.close()
    except OSError:
        pass  # It ended before it read; its own words say why.
    process.stdin = None
    first = _record(process.stdout.readline())
    if first is None:
        process.kill()
        said = process.stderr.read().strip().splitlines()
        return Link(host, refused=said[-1] if said else "it said nothing")
    there = _address_of(host, udp.family)
    connects = _connects(there, first["tcp"])
    # To a name that nobody knows nothing can be sent; then nothing is heard there either.
    with suppress(OSError):
        for _ in range(DATAGRAMS):
            udp.sendto(b"dunlin", (there, first["udp"]))
    output, _ = process.communicate()
    second = _record(output) or {"connected": [], "heard": False}
    return Link(
        host, None, first["mpirun"], addresses, tuple(second["connected"]), _arrived(udp), connects,
        second["heard"],
    )  # fmt: skip


def _record(line: str) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _address_of(host: str, family: int) -> str:
    name = host.rpartition("@")[2]
    try:
        return str(socket.getaddrinfo(name, None, family)[0][4][0])
    except OSError:
        # A name that only ssh's configuration knows.
        return name


def _connects(address: str, port: int) -> bool:
    try:
        socket.create_connection((address, port), CONNECT_SECONDS_MAX).close()
    except OSError:
        return False
    return True


def _arrived(udp: socket.socket) -> tuple[str, ...]:
    """The addresses by which datagrams reached this host: each says the one it was sent to."""
    udp.setblocking(False)
    found: set[str] = set()
    while True:
        try:
            found.add(udp.recv(64).decode(errors="replace"))
        except BlockingIOError:
            return tuple(sorted(found))


def judge(link: Link, here: Host) -> list[Ailment]:
    """What is wrong between this host and another."""
    if link.refused is not None:
        return [Ailment(
            "wrong", f"{link.host} runs no command for this host: {link.refused}",
            "mpirun starts ranks on other hosts by ssh, without a person to type a password.",
            f"ssh {link.host} python3 --version   # if it asks for a password: ssh-copy-id "
            f"{link.host}",
        )]  # fmt: skip
    return [*_inward(link, here), *_outward(link), *_launcher(link)]


def _inward(link: Link, here: Host) -> list[Ailment]:
    found = []
    lost: dict[tuple[str, ...], list[str]] = {}
    for what, reached in (("connections", link.connected), ("datagrams", link.datagrams)):
        lost.setdefault(tuple(a for a in link.addresses if a not in reached), []).append(what)
    for addresses, kinds in lost.items():
        what, names = words.listed(kinds), ", ".join(addresses)
        good = [a for a in link.addresses if a not in addresses]
        if addresses and not good:
            found.append(Ailment(
                "wrong", f"no {what} from {link.host} arrive here ({names})",
                "Ranks listen on ports that the kernel picks; what is dropped looks like a hang "
                "at start-up.", let_in(here),
            ))  # fmt: skip
        elif addresses:
            interface = next((i.name for i in here.interfaces or () if i.address in good), good[0])
            found.append(Ailment(
                "warning", f"{what} from {link.host} arrive at {', '.join(good)}, not at {names}",
                "Both are addresses of this host; a library that picks the wrong network waits for "
                "ever.", choose(interface),
            ))  # fmt: skip
    return found


def _outward(link: Link) -> list[Ailment]:
    return [
        Ailment(
            "wrong", f"no {what} from here arrive at {link.host}",
            "Ranks listen on ports that the kernel picks; what is dropped looks like a hang at "
            "start-up.", f"ssh {link.host} dunlin doctor   # says what its firewall drops",
        )
        for what, arrives in (("connections", link.connects), ("datagrams", link.heard))
        if not arrives
    ]  # fmt: skip


def _launcher(link: Link) -> list[Ailment]:
    own = shutil.which("mpirun") or shutil.which("mpiexec")
    if own is None or own == link.launcher:
        return []
    theirs = f"is {link.launcher}" if link.launcher else "is not on PATH"
    return [Ailment(
        "warning", f"mpirun is {own} here; for commands on {link.host} it {theirs}",
        "Launchers start their helpers there by the same name or path, in a shell that is no "
        "login and reads fewer files.",
        f"ssh {link.host} 'echo $PATH'   # and set it in ~/.bashrc, above the line that returns "
        "early",
    )]  # fmt: skip
