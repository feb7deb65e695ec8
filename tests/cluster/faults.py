"""Faults of the links between cluster.py's hosts, by nftables and tc: kernels without NETEM have
these. Each is a context: the fault lasts as long as the `with` block."""

import contextlib
import re
from collections.abc import Iterator

from tests.cluster.cluster import SWITCH, Cluster, Host, Unable, call

TABLE = "dunlin_faults"
PER_MILLE = 1000
QUEUE_PACKETS = 10_000
# A class without a limit that matters, and what it may send at once: the segments of a large send.
FREE = (100_000, 256 * 1024)
# What goes through this one comes later: a small packet by 10 us, one of 1,500 bytes by 240 us.
SLOW = (50, 200)
FLOW_BURST_BYTES = 128 * 1024
FLOWS_MAX = 64
OTHERS = 0xff
# One packet: what comes at once passes one after the other. No queue of a switch is endless, but a
# sender that finds this one full would measure its own retransmissions.
SLOW_LINK_BURST_BYTES = 1600
SLOW_LINK_QUEUE_BYTES = 64 << 20


def nft(host: Host, *lines: str) -> None:
    """Adds rules on a host."""
    for line in lines:
        call("ip", "netns", "exec", host.name, "nft", line)


def tc(host: Host, *words) -> None:
    """`tc` on a host."""
    call("tc", "-n", host.name, *words)


@contextlib.contextmanager
def table(cluster: Cluster, family: str) -> Iterator[None]:
    """A table of nftables on every host."""
    try:
        for host in cluster.hosts:
            nft(host, f"add table {family} {TABLE}")
        yield
    finally:
        for host in cluster.hosts:
            with contextlib.suppress(Unable):
                nft(host, f"delete table {family} {TABLE}")


@contextlib.contextmanager
def loss(cluster: Cluster, per_mille: int) -> Iterator[None]:
    """Each host loses so many of a thousand packets that arrive. At output the sender would be told
    of it, which no network does."""
    with table(cluster, "ip"):
        for host in cluster.hosts:
            nft(host, f"add chain ip {TABLE} in {{ type filter hook input priority 0; }}",
                f"add rule ip {TABLE} in iifname != lo numgen random mod {PER_MILLE} "
                f"< {per_mille} counter drop")
        yield


@contextlib.contextmanager
def duplication(cluster: Cluster, per_mille: int) -> Iterator[None]:
    """So many of a thousand packets that leave are sent twice."""
    with table(cluster, "netdev"):
        for host in cluster.hosts:
            for link in range(cluster.links):
                nft(host, f"add chain netdev {TABLE} out{link} {{ type filter hook egress device "
                    f"eth{link} priority 0; }}",
                    f"add rule netdev {TABLE} out{link} numgen random mod {PER_MILLE} "
                    f"< {per_mille} counter dup to eth{link}")
        yield


@contextlib.contextmanager
def classes(cluster: Cluster, limits: list[tuple[int, int]]) -> Iterator[None]:
    """Queues with limits of their own (Mb/s, bytes at once) on every link of every host: classes
    1:1, 1:2 and so on, and for all other packets 1:ff without a limit."""
    try:
        for host in cluster.hosts:
            for link in range(cluster.links):
                at = ["dev", f"eth{link}"]
                tc(host, "qdisc", "add", *at, "root", "handle", "1:", "htb", "default", "ff")
                for number, (mbit, burst) in [*enumerate(limits, 1), (OTHERS, FREE)]:
                    tc(host, "class", "add", *at, "parent", "1:", "classid", f"1:{number:x}",
                       "htb", "rate", f"{mbit}mbit", "burst", burst, "cburst", burst)
                    tc(host, "qdisc", "add", *at, "parent", f"1:{number:x}", "pfifo", "limit",
                       QUEUE_PACKETS)
        yield
    finally:
        for host in cluster.hosts:
            for link in range(cluster.links):
                with contextlib.suppress(Unable):
                    tc(host, "qdisc", "del", "dev", f"eth{link}", "root")


@contextlib.contextmanager
def reordering(cluster: Cluster, per_mille: int) -> Iterator[None]:
    """So many of a thousand packets go through a slower queue and are overtaken."""
    with classes(cluster, [SLOW]), table(cluster, "ip"):
        for host in cluster.hosts:
            nft(host, f"add chain ip {TABLE} out {{ type filter hook output priority 0; }}",
                f"add rule ip {TABLE} out numgen random mod {PER_MILLE} < {per_mille} "
                "counter meta priority set 1:1")
        yield


@contextlib.contextmanager
def cap_per_flow(cluster: Cluster, mbit: int) -> Iterator[None]:
    """Each flow of TCP or UDP gets at most this rate, as one 5-tuple does in clouds. Flows take the
    classes in turn, so no two share one before all are taken."""
    limits = [(mbit, FLOW_BURST_BYTES)] * FLOWS_MAX
    with classes(cluster, limits), table(cluster, "ip"):
        for host in cluster.hosts:
            to_class = ", ".join(f"{n} : 1:{n:x}" for n in range(1, FLOWS_MAX + 1))
            nft(host, f"add chain ip {TABLE} out {{ type filter hook output priority 0; }}",
                f"add rule ip {TABLE} out ct mark 0 ct mark set numgen inc mod {FLOWS_MAX} "
                "offset 1",
                f"add rule ip {TABLE} out meta priority set ct mark map {{ {to_class} }}")
        yield


def flows(host: Host, link: int = 0) -> int:
    """How many of the classes have sent something: the flows so far, if no two share one."""
    shown = call("tc", "-n", host.name, "-s", "class", "show", "dev", f"eth{link}")
    sent = re.findall(r"class htb 1:(\w+) .*\n Sent (\d+) bytes", shown)
    return sum(int(number, 16) != OTHERS and int(count) > 0 for number, count in sent)


@contextlib.contextmanager
def slow_links(cluster: Cluster, mbit: int) -> Iterator[None]:
    """Each link carries at most this rate, in each direction: at its host, and where there is a
    switch also at the switch's port."""
    ends = [(host.name, f"eth{link}") for host in cluster.hosts for link in range(cluster.links)]
    if cluster.has_switch:
        ends += [(SWITCH, f"port{host.index}-{link}") for host in cluster.hosts
                 for link in range(cluster.links)]
    try:
        for at, device in ends:
            call("tc", "-n", at, "qdisc", "add", "dev", device, "root", "tbf", "rate",
                 f"{mbit}mbit", "burst", SLOW_LINK_BURST_BYTES, "limit", SLOW_LINK_QUEUE_BYTES)
        yield
    finally:
        for at, device in ends:
            with contextlib.suppress(Unable):
                call("tc", "-n", at, "qdisc", "del", "dev", device, "root")


@contextlib.contextmanager
def link_down(host: Host, link: int = 0) -> Iterator[None]:
    """One host's link is down: it has no route, the other side no carrier."""
    host.link_set(False, link)
    try:
        yield
    finally:
        host.link_set(True, link)
