"""Packets that no rank has sent: what an eavesdropper can put on the wire, and what arrives at an
open port by chance."""

import random
import socket
import struct
from collections.abc import Iterator

from tests.cluster.cluster import Host

ETHERNET_BYTES = 14
IP_BYTES = 20
UDP_BYTES = 8
ETH_P_IP = 0x0800
FRAME_BYTES_MAX = 65536
# What of a captured packet is sent again: cut after so many bytes, within the header and behind it.
CUTS = [0, 1, 7, 8, 16, 20, 30, 47, 48, 49, 60]
RANDOM_PACKETS = 200
# So many packets are sent in all, of those heard.
FORGED_PACKETS = 100_000
# Connections that say nothing, at each port.
CROWD = 600
RANDOM_BYTES_MAX = 1400
HEARD_MAX = 200
HEAR_S = 0.5


def ports_of(host: Host, table: str, state: str | None = None) -> set[int]:
    """The local ports of a host's sockets, from /proc/net/udp or tcp."""
    found = set()
    for line in host.read(f"/proc/net/{table}").splitlines()[1:]:
        words = line.split()
        if state is None or words[3] == state:
            found.add(int(words[1].split(":")[1], 16))
    return found


def checksum(header: bytes) -> int:
    """Of an IP header whose own checksum is 0."""
    total = sum(struct.unpack(f"!{len(header) // 2}H", header))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff


def with_payload(frame: bytes, payload: bytes) -> bytes:
    """The same frame of UDP with another payload. Without a checksum of UDP: the captured one is
    not filled in where the device would do it."""
    at = ETHERNET_BYTES + IP_BYTES
    udp = frame[at:at + 4] + struct.pack("!HH", UDP_BYTES + len(payload), 0)
    ip = bytearray(frame[ETHERNET_BYTES:at])
    ip[2:4] = struct.pack("!H", IP_BYTES + len(udp) + len(payload))
    ip[10:12] = b"\0\0"
    ip[10:12] = struct.pack("!H", checksum(bytes(ip)))
    return frame[:ETHERNET_BYTES] + bytes(ip) + udp + payload


def payload_of(frame: bytes) -> bytes:
    """What a frame of UDP carries."""
    return frame[ETHERNET_BYTES + IP_BYTES + UDP_BYTES:]


def port_of(frame: bytes) -> int:
    """To which port a frame of UDP goes."""
    at = ETHERNET_BYTES + IP_BYTES + 2
    return struct.unpack("!H", frame[at:at + 2])[0]


def is_udp_to(frame: bytes, host: Host) -> bool:
    """Is it one of UDP to this host, with no options of IP?"""
    return (frame[ETHERNET_BYTES:ETHERNET_BYTES + 1] == b"\x45"
            and frame[ETHERNET_BYTES + 9] == socket.IPPROTO_UDP
            and frame[ETHERNET_BYTES + 16:ETHERNET_BYTES + 20]
            == socket.inet_aton(host.address()))


def on_the_wire(host: Host) -> socket.socket:
    """A socket that sees what arrives at a host's first link, and sends, in whole frames."""
    wire = host.socket(socket.SOCK_RAW, socket.AF_PACKET, socket.htons(ETH_P_IP))
    wire.bind(("eth0", ETH_P_IP))
    return wire


def hear(wire: socket.socket, to: Host, mtu: int) -> list[bytes]:
    """Frames of UDP that arrive there and can be sent again."""
    wire.settimeout(HEAR_S)
    heard: list[bytes] = []
    try:
        while len(heard) < HEARD_MAX:
            frame = wire.recv(FRAME_BYTES_MAX)
            if is_udp_to(frame, to) and len(frame) <= mtu + ETHERNET_BYTES:
                heard.append(frame)
    except TimeoutError:
        pass
    return heard


def forged(frame: bytes, chance: random.Random) -> Iterator[bytes]:
    """What can be made of a packet: itself, with another key, cut, with something behind it."""
    payload = payload_of(frame)
    yield with_payload(frame, payload)
    yield with_payload(frame, bytes([payload[0] ^ 1]) + payload[1:])
    yield from (with_payload(frame, payload[:cut]) for cut in CUTS)
    yield with_payload(frame, payload[:len(payload) // 2])
    yield with_payload(frame, payload[:60] + chance.randbytes(20))
    yield with_payload(frame, chance.randbytes(chance.randrange(RANDOM_BYTES_MAX)))


def disturb_udp(by: Host, to: Host, mtu: int, seed: int) -> int:
    """Sends forged packets to all ports of a job on a host; returns how many."""
    chance, count = random.Random(seed), 0
    with on_the_wire(to) as there, on_the_wire(by) as wire:
        heard = hear(there, to, mtu)
        while heard and count < FORGED_PACKETS:
            for frame in heard:
                for packet in forged(frame, chance):
                    wire.send(packet)
                    count += 1
    with by.socket(socket.SOCK_DGRAM) as stranger:
        for frame in heard:
            stranger.sendto(payload_of(frame), (to.address(), port_of(frame)))
            count += 1
        for port in ports_of(to, "udp"):
            for _ in range(RANDOM_PACKETS):
                stranger.sendto(chance.randbytes(chance.randrange(RANDOM_BYTES_MAX)),
                                (to.address(), port))
                count += 1
    return count


def disturb_tcp(by: Host, to: Host, seed: int) -> list[socket.socket]:
    """Connects to all ports of a job on a host and says nothing, or something senseless; returns
    the connections, which stay open."""
    chance, made = random.Random(seed), []
    for port in ports_of(to, "tcp", state="0A"):
        for count in [0, 1, 16, 64, RANDOM_BYTES_MAX, FRAME_BYTES_MAX]:
            stranger = by.socket(socket.SOCK_STREAM)
            made.append(stranger)
            try:
                stranger.connect((to.address(), port))
                stranger.setblocking(False)
                stranger.send(chance.randbytes(count))
            except OSError:
                continue  # It has been turned away: that is as good.
    return made


def crowd_tcp(by: Host, to: Host) -> list[socket.socket]:
    """Connects to all ports of a job on a host, many times, and says nothing."""
    made = []
    for port in ports_of(to, "tcp", state="0A"):
        for _ in range(CROWD):
            stranger = by.socket(socket.SOCK_STREAM)
            stranger.setblocking(False)
            made.append(stranger)
            try:
                stranger.connect((to.address(), port))
            except OSError:
                continue  # It is under way, or turned away.
    return made
