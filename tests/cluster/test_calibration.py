"""`dunlin calibrate` between two hosts: a model that `dunlin simulate` reads, and by which `dunlin
tune` finds what it measures there."""

import subprocess
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

import pytest

from dunlin.checkout import PREFIX
from tests import unless
from tests.cluster import cluster
from tests.cluster.cluster import RSH, Cluster

pytestmark = pytest.mark.root
MPIRUN = Path(PREFIX) / "bin" / "mpirun"
NO_MPIRUN = None if MPIRUN.exists() else f"there is no {MPIRUN}: make build"
PATIENCE_S = 120


@unless(cluster.obstacle() or NO_MPIRUN)
class Calibration(unittest.TestCase):
    def test_the_network_between_two_hosts_is_measured_and_can_be_simulated(self):
        directory = self.enterContext(tempfile.TemporaryDirectory())
        net = self.enterContext(Cluster(2))
        model = Path(directory) / "mine.toml"
        options = ["--at", PREFIX, "--hosts", ",".join(net.names), "--rsh", RSH, "--rounds", 1]
        self.dunlin(net, "calibrate", model, *options)
        network = tomllib.loads(model.read_text())["network"]
        # A message takes the cores some time, and the hosts are one machine.
        self.assertGreater(network["send_ns"] + network["receive_ns"], 100)
        self.assertGreater(network["adapter_bytes_per_ns"], 0.01)
        self.assertTrue(network["hosts_share_cores"])
        self.assertGreaterEqual(network["core_bytes_per_ns"], network["flow_bytes_per_ns"])
        said = self.dunlin(net, "simulate", "allreduce", "--machine", model, "--nodes", "2",
                           "--ppn", "2", "--bytes", "8")
        self.assertIn("allreduce", said)
        table = Path(directory) / "two.toml"
        said = self.dunlin(net, "tune", table, "--measure", "--machine", model, *options[:-2],
                           "--nodes", "2", "--ppn", "1", "--operations", "allreduce", "--bytes",
                           "8", "--rounds", "3")
        self.assertIn(f"written to {table}, measured", said)
        self.assertIn(f"measured on {', '.join(net.names)}, ", table.read_text())
        times = table.with_suffix(".measured.jsonl").read_text().splitlines()
        self.assertGreater(len(times), 3)
        self.assertEqual(net.leftovers(), {})

    def dunlin(self, net: Cluster, *words) -> str:
        """What the command prints on the first host."""
        line = net.hosts[0].command(sys.executable, "-m", "dunlin", *words)
        done = subprocess.run(line, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout


if __name__ == "__main__":
    unittest.main()
