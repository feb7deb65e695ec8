"""The benchmark programs build without a warning, run, and say what they promise."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import harness  # noqa: E402 (found beside this file, from wherever the test is started)

STRICT = ["-std=c11", "-O2", "-Wall", "-Wextra", "-pedantic", "-Werror"]
SHORT = ["-n", "5", "--warmup", "1", "--min", "8", "--max", "32"]


class Programs(unittest.TestCase):
    """Built once, strictly, with the Dunlin of build/prefix."""

    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.mpi, cls.built = harness.dunlin(), {}
        for name in [*harness.PROGRAMS_OF_MPI, "limits"]:
            cls.built[name] = Path(directory.name) / name
            harness.call([cls.mpi.mpicc, *STRICT, "-o", cls.built[name],
                          harness.BENCH / f"{name}.c"])

    def rows(self, name, ranks):
        return self.mpi.rows(ranks, self.built[name], *SHORT)

    def test_latency_has_a_row_per_size_and_orders_its_statistics(self):
        rows = self.rows("latency", 2)
        self.assertEqual([r["bytes"] for r in rows], [8, 16, 32])
        for r in rows:
            self.assertTrue(0 < r["min_us"] <= r["median_us"] <= r["p99_us"], r)

    def test_bandwidth_is_bytes_times_messages(self):
        for r in self.rows("bandwidth", 2):
            self.assertAlmostEqual(r["mb_per_s"], r["bytes"] * r["messages_per_s"] * 1e-6,
                                   delta=0.01 + r["mb_per_s"] * 0.01)

    def test_ring_runs_on_three_ranks(self):
        self.assertEqual([r["ranks"] for r in self.rows("ring", 3)], [3, 3, 3])

    def test_the_price_over_a_cache_line_is_a_positive_ratio(self):
        row = self.mpi.rows(2, self.built["pingpong_vs_line"], "-n", 3)[0]
        self.assertGreater(row["ratio"], 0)

    def test_packing_has_a_ratio_to_the_loop_for_every_block(self):
        rows = self.rows("pack", 1)
        self.assertEqual([r["bytes"] for r in rows], [8, 32, 512])
        for r in rows:
            self.assertGreater(min(r["pack_ratio"], r["unpack_ratio"]), 0, r)

    def test_startup_starts_and_ends(self):
        self.assertGreater(self.mpi.seconds(2, self.built["startup"]), 0)

    def test_limits_tell_the_line_and_every_copy_size(self):
        rows = harness.json_lines(harness.call([self.built["limits"], *SHORT, "--json"]))
        self.assertEqual([r["bench"] for r in rows], ["cache_line"] + ["memory_copy"] * 3)

    def test_a_misspelt_option_ends_with_a_sentence(self):
        with self.assertRaisesRegex(SystemExit, "--iterations.*is not an option"):
            harness.call([self.built["limits"], "--iterations", "3"])


if __name__ == "__main__":
    unittest.main()
