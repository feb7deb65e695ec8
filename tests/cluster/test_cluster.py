"""The hosts and faults of this directory do what they say."""

import os
import signal
import socket
import subprocess
import time
import unittest
from pathlib import Path

import pytest

from tests import unless
from tests.cluster import cluster, faults
from tests.cluster.cluster import RSH, Cluster

HERE = Path(__file__).resolve().parent
NO_CLUSTER = cluster.obstacle("nft")
PORT = 5555
PACKETS = 2000
PACKET_BYTES = 1000
# The receiver's socket holds this many, if it is told to.
BATCH = 100
BUFFER_BYTES = 1 << 20
PATIENCE_S = 10
SO_RCVBUFFORCE = 33  # <asm-generic/socket.h>; Python has no name for it


def words(host, *command) -> str:
    """What a command prints on a host."""
    return cluster.call(*host.command(*command)).strip()


def rsh(host, *command) -> subprocess.CompletedProcess:
    """A command by way of the stand-in for ssh, from the first host."""
    return subprocess.run([RSH, host, *command], capture_output=True, text=True, check=False)


def pair(net: Cluster):
    """A sender on the first host, bound and connected to a receiver on the second."""
    a, b = net.hosts[0].socket(socket.SOCK_DGRAM), net.hosts[1].socket(socket.SOCK_DGRAM)
    b.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, BUFFER_BYTES)
    b.bind((net.hosts[1].address(), PORT))
    a.connect((net.hosts[1].address(), PORT))
    return a, b


def drained(receiver: socket.socket, wait_s: float) -> list[int]:
    """The numbers of the packets that are there, or come before nothing has come for a while."""
    receiver.settimeout(wait_s)
    found = []
    try:
        while True:
            found.append(int(receiver.recv(PACKET_BYTES)))
    except TimeoutError:
        return found


def arrivals(net: Cluster) -> list[int]:
    """The numbers of the packets that arrive of PACKETS, in the order of their arrival."""
    a, b = pair(net)
    found = []
    with a, b:
        for i in range(PACKETS):
            a.send(b"%d" % i + b" " * (PACKET_BYTES - 8))
            if i % BATCH == BATCH - 1:
                found += drained(b, 0.01)
        return found + drained(b, 0.5)


def out_of_order(found: list[int]) -> int:
    """How many arrived after one with a higher number."""
    highest, count = -1, 0
    for number in found:
        count += number < highest
        highest = max(highest, number)
    return count


def heed_interruptions() -> None:
    """Lets a child be ended by SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.root
@unless(NO_CLUSTER)
class Hosts(unittest.TestCase):
    def test_each_has_its_name_and_reaches_the_others_by_name(self):
        for count in (1, 2, 3):
            with Cluster(hosts=count, mtu=9001, links=2) as net:
                last = net.hosts[-1]
                self.assertEqual(words(last, "hostname"), last.name)
                for link in range(2):
                    with last.socket(socket.SOCK_STREAM) as server, \
                            net.hosts[0].socket(socket.SOCK_STREAM) as client:
                        server.bind((last.address(link), PORT))
                        server.listen()
                        client.settimeout(PATIENCE_S)
                        client.connect((last.address(link), PORT))
                self.assertIn(last.address(), words(net.hosts[0], "getent", "hosts", last.name))
                self.assertIn("mtu 9001", words(last, "ip", "link", "show", "eth1"))

    def test_rsh_joins_words_as_ssh_does_and_carries_no_environment(self):
        with Cluster() as net:
            name = net.names[1]
            os.environ["CLUSTER_TEST"] = "carried"
            done = rsh("-x", name, "hostname;", "echo 'a  b' $CLUSTER_TEST; exit 7")
            del os.environ["CLUSTER_TEST"]
            self.assertEqual((done.stdout, done.returncode), (f"{name}\na  b\n", 7))

    def test_rsh_ends_with_255_where_it_cannot_enter(self):
        with Cluster() as net:
            done = rsh("nowhere", "true")
            self.assertEqual(done.returncode, 255)
            self.assertIn("could not resolve hostname nowhere", done.stderr)
            net.hosts[1].refuse(True)
            self.assertEqual(rsh(net.names[1], "true").returncode, 255)
            net.hosts[1].refuse(False)
            self.assertEqual(rsh(net.names[1], "true").returncode, 0)

    def test_what_runs_on_a_host_is_found_and_ends_with_it(self):
        with Cluster() as net:
            child = subprocess.Popen([RSH, net.names[1], "sleep 1000"])
            deadline = time.monotonic() + PATIENCE_S
            while not net.hosts[1].processes() and time.monotonic() < deadline:
                time.sleep(0.01)
            self.assertIn(net.names[1], net.leftovers())
            self.assertNotIn(net.names[0], net.leftovers())
        self.assertEqual(child.wait(PATIENCE_S), -signal.SIGKILL)

    def test_nothing_is_left_after_an_interruption(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
            # Tests that were started in the background ignore SIGINT, and so would the child.
            child = subprocess.Popen([HERE / "cluster.py", "run", "sh", "-c", "echo; sleep 1000"],
                                     stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                     preexec_fn=heed_interruptions)
            assert child.stdout is not None
            child.stdout.readline()
            child.send_signal(number)
            child.wait(PATIENCE_S)
            child.stdout.close()
            if number == signal.SIGKILL:
                subprocess.run([HERE / "cluster.py", "clean"], check=True)
            self.assertEqual(list(cluster.NAMESPACES.glob(f"{cluster.PREFIX}*")), [])
            self.assertEqual(list(cluster.FILES.glob(f"{cluster.PREFIX}*")), [])


@pytest.mark.root
@unless(NO_CLUSTER)
class Faults(unittest.TestCase):
    def setUp(self):
        self.net = self.enterContext(Cluster())

    def sound(self):
        """Nothing is wrong with the link."""
        self.assertEqual(arrivals(self.net), list(range(PACKETS)))

    def test_without_a_fault_all_arrive_in_order(self):
        self.sound()

    def test_loss(self):
        with faults.loss(self.net, 200):
            found = arrivals(self.net)
        self.assertTrue(0.7 * PACKETS < len(found) < 0.9 * PACKETS, len(found))
        self.sound()

    def test_duplication(self):
        with faults.duplication(self.net, 200):
            found = arrivals(self.net)
        self.assertEqual(set(found), set(range(PACKETS)))
        self.assertTrue(1.1 * PACKETS < len(found) < 1.3 * PACKETS, len(found))
        self.sound()

    def test_reordering(self):
        with faults.reordering(self.net, 200):
            found = arrivals(self.net)
        self.assertEqual(sorted(found), list(range(PACKETS)))
        self.assertGreater(out_of_order(found), PACKETS // 100)
        self.sound()

    def test_each_flow_has_a_cap_of_its_own(self):
        with faults.cap_per_flow(self.net, 100):
            for _ in range(3):
                self.sound()
            self.assertEqual(faults.flows(self.net.hosts[0]), 3)
        self.sound()

    def test_a_link_goes_down_and_comes_back(self):
        a, b = pair(self.net)
        with a, b:
            with faults.link_down(self.net.hosts[1]):
                a.send(b"1")
                self.assertEqual(drained(b, 0.1), [])
            a.send(b"2")
            # The first may have waited for its neighbour's address all the time.
            self.assertIn(2, drained(b, 1))
