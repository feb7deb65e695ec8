"""Fortran programs in the manner of applications, over two hosts: this machine under two names.
Ranks take the hosts in turn, so that most neighbours are on the other one."""

import os
import subprocess
import sys
import unittest

from dunlin import checkout
from dunlin.peers import fortran
from tests import ROOT, unless

PROGRAMS = ["conjugate_gradient", "fourier_transform", "hydrodynamics"]
RANKS = ["2", "4", "8"]
RUNS = len(PROGRAMS) * len(RANKS)
HOSTS = f"--rsh {ROOT / 'tests' / 'rsh_here'} -host 127.0.0.1,127.0.0.2 -ppn 4 --map-by node"
PATIENCE_S = 300


@unless(fortran.obstacle(checkout.dunlin()))
class TwoHosts(unittest.TestCase):
    def over(self, fabric: str) -> None:
        words = [sys.executable, str(ROOT / "tests" / "run.py"), "--prefix", str(checkout.PREFIX),
                 *[word for name in PROGRAMS for word in ("-k", name)],
                 *[word for ranks in RANKS for word in ("-n", ranks)], f"--mpirun-args={HOSTS}"]
        done = subprocess.run(words, env=os.environ | {"DUNLIN_NET_FABRIC": fabric},
                              capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(f"\n{RUNS} passed, 0 failed", done.stdout)

    def test_programs_get_their_known_results_over_the_usual_fabric(self):
        self.over("auto")

    def test_programs_get_their_known_results_over_datagrams(self):
        self.over("udp")

    def test_programs_get_their_known_results_over_connections(self):
        self.over("tcp")


if __name__ == "__main__":
    unittest.main()
