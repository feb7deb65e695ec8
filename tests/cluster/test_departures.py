"""The data of a send leaves although its sender does not call MPI again: over every fabric, over
healthy links and over links that lose packets."""

import os
import unittest

import pytest

from dunlin import checkout
from tests import unless
from tests.cluster import departures, faults
from tests.cluster.cluster import Cluster, obstacle

pytestmark = [pytest.mark.root, pytest.mark.slow]
MPIRUN = checkout.PREFIX / "bin" / "mpirun"
NO_CLUSTER = obstacle("nft") or (None if MPIRUN.exists() else f"there is no {MPIRUN}: make build")
FABRICS = os.environ.get("CLUSTER_TEST_FABRICS", " ".join(departures.FABRICS)).split()
ROUNDS = 3
# A sender computes no longer than until its receiver has everything: only a failure takes so long.
SECONDS = 20


@unless(NO_CLUSTER)
class Departures(unittest.TestCase):
    def setUp(self):
        self.net = self.enterContext(Cluster())

    def check(self) -> None:
        """No receiver waits for its sender's next call."""
        for fabric in FABRICS:
            for kind in departures.KINDS:
                with self.subTest(fabric=fabric, kind=kind):
                    n, of = departures.waited(self.net, fabric, kind, ROUNDS, SECONDS)
                    self.assertEqual(n, 0, f"of {of}")

    def test_no_receiver_waits_for_the_next_call_of_its_sender(self):
        self.check()

    def test_nor_where_packets_are_lost(self):
        with faults.loss(self.net, departures.PER_MILLE_LOST):
            self.check()
