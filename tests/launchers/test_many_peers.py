"""A rank with more than a thousand peers on other hosts, under the limits of descriptors that
systems set. The hosts are this machine under several names."""

import os
import resource
import subprocess
import unittest
from pathlib import Path

import psutil

from dunlin import checkout, programs
from tests import unless

HERE = Path(__file__).resolve().parent
RSH = HERE.parent / "rsh_here"
PREFIX_MISSING = None if (checkout.PREFIX / "bin" / "mpicc").exists() else "make build comes first"
HOSTS = [f"h{number}:64" for number in range(1, 18)]
PEERS = 17 * 64 - 1
DESCRIPTORS = 1024
PATIENCE_S = 200
MEMORY_BYTES = 8 << 30
NO_MEMORY = None if psutil.virtual_memory().available > MEMORY_BYTES else "too little free memory"


def few_descriptors() -> None:
    """As `ulimit -n`: for what is started, for good."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))


def a_soft_limit() -> None:
    """As login shells have it: processes may raise it."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, hard))


def can_be_raised() -> bool:
    """Whether a soft limit may become large enough for a connection to each peer."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return hard == resource.RLIM_INFINITY or hard > 2 * PEERS


@unless(PREFIX_MISSING or NO_MEMORY)
class ManyPeers(unittest.TestCase):
    maxDiff = None

    def star(self, fabric: str, limit) -> None:
        program = programs.compiled(HERE / "many_peers.c", checkout.dunlin())
        mpirun = checkout.PREFIX / "bin" / "mpirun"
        words = [str(mpirun), "--rsh", str(RSH), "-host", ",".join(HOSTS), "-genv",
                 "DUNLIN_NET_FABRIC", fabric, "-genv", "DUNLIN_NET_TIMEOUT", "150", str(program)]
        # A thousand ranks on a few cores do not get their turn in the time that is usual, and
        # neither do the agents that start them.
        done = subprocess.run(words, env=os.environ | {"DUNLIN_AGENT_TIMEOUT": "150"},
                              capture_output=True, text=True, timeout=PATIENCE_S,
                              preexec_fn=limit, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(f"{PEERS} peers, 0 wrong", done.stdout)

    def test_a_thousand_peers_by_datagrams_whatever_the_limit(self):
        self.star("auto", few_descriptors)

    @unittest.skipUnless(can_be_raised(), "the hard limit of descriptors is too low")
    def test_a_thousand_peers_by_connections_where_the_soft_limit_may_be_raised(self):
        self.star("tcp", a_soft_limit)


if __name__ == "__main__":
    unittest.main()
