"""The comparison with other libraries, on made-up results: no peer is installed or started."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import peer_cases  # noqa: E402 (found beside this file, from wherever the test is started)
import peer_libraries  # noqa: E402
import peer_table  # noqa: E402
import peers  # noqa: E402
from harness import Mpi  # noqa: E402
from peer_cases import Case, Plan  # noqa: E402
from peer_libraries import CALM, CROWDED, Library, Setting  # noqa: E402

LATENCY = Case("latency", "latency", "latency", 2, peer_cases.MICROSECONDS)
BANDWIDTH = Case("bandwidth", "bandwidth", "bandwidth", 2, peer_cases.MEGABYTES)


def library(name, command="/bin/true"):
    """A library whose launcher is some command."""
    return Library(name, Mpi(name, Path("mpicc"), [command]), [], {"latency": Path("latency")})


def run(name, case, values, setting="default", error=None, size=8):
    """What launches gave: one value each."""
    rows = [[{"bytes": size, case.figure.key: v}] for v in values]
    return peers.Run(library(name), Setting(setting, {}), case, rows, error)


class Table(unittest.TestCase):
    def test_the_median_of_the_launches_counts(self):
        record, = peer_table.records([run("mpich", LATENCY, [3.0, 1.0, 2.0])])
        self.assertEqual((record["median_us"], record["spread"], record["launches"]), (2.0, 1.0, 3))

    def test_the_best_setting_of_a_library_counts(self):
        record, = peer_table.records([run("mpich", LATENCY, [2.0], "slow"),
                                      run("mpich", LATENCY, [1.0], "fast")])
        self.assertEqual((record["setting"], record["median_us"]), ("fast", 1.0))
        record, = peer_table.records([run("mpich", BANDWIDTH, [2.0], "fast"),
                                      run("mpich", BANDWIDTH, [1.0], "slow")])
        self.assertEqual(record["setting"], "fast")

    def test_the_best_peer_is_compared_and_the_worst_point_comes_first(self):
        found = peer_table.records([
            run("dunlin", LATENCY, [1.0]), run("mpich", LATENCY, [4.0]),
            run("intel", LATENCY, [2.0]),
            run("dunlin", LATENCY, [3.0], size=64), run("intel", LATENCY, [2.0], size=64)])
        compared = peer_table.points(found)
        self.assertEqual([(p["ours"]["bytes"], p["ratio"], p["best"]["library"])
                          for p in compared], [(64, 1.5, "intel"), (8, 0.5, "intel")])

    def test_below_one_is_good_where_more_is_better_too(self):
        found = peer_table.records([run("dunlin", BANDWIDTH, [400.0]),
                                    run("mpich", BANDWIDTH, [100.0]),
                                    run("openmpi", BANDWIDTH, [200.0])])
        point, = peer_table.points(found)
        self.assertEqual((point["ratio"], point["best"]["library"]), (0.5, "openmpi"))

    def test_twice_as_fast_and_twice_as_slow_cancel_out(self):
        self.assertAlmostEqual(peer_table.geometric_mean([0.5, 2.0]), 1.0)

    def test_a_group_tells_its_worst_point_and_how_many_are_lost(self):
        found = peer_table.records([
            run("dunlin", LATENCY, [4.0]), run("mpich", LATENCY, [2.0]),
            run("dunlin", LATENCY, [1.0], size=64), run("mpich", LATENCY, [2.0], size=64)])
        self.assertEqual(peer_table.group_rows(peer_table.points(found)),
                         [["latency", "1.00", "2.00", "1 of 2"]])

    def test_a_failed_peer_is_recorded_and_does_not_spoil_the_rest(self):
        found = peer_table.records([run("dunlin", LATENCY, [1.0]), run("mpich", LATENCY, [2.0]),
                                    run("intel", LATENCY, [], error="did not end within 60 s")])
        failed, = [r for r in found if "error" in r]
        self.assertEqual(failed["library"], "intel")
        text = peer_table.report(found, None)
        self.assertIn("failed: intel in latency, 2 ranks: did not end within 60 s", text)
        self.assertIn("0.50", text)

    def test_a_library_that_works_under_one_setting_has_not_failed(self):
        found = peer_table.records([run("mpich", LATENCY, [], "slow", error="too slow"),
                                    run("mpich", LATENCY, [1.0], "fast")])
        self.assertEqual([r["setting"] for r in found], ["fast"])

    def test_the_line_is_told_beside_the_eight_bytes(self):
        text = peer_table.report([], {"ratio": 1.5, "mpi_ns": 150.0, "line_ns": 100.0})
        self.assertIn("1.50 times a bare cache line (150 ns, 100 ns", text)


class Launching(unittest.TestCase):
    def test_a_command_that_fails_says_why(self):
        failing = peers.Run(library("mpich", "/bin/false"), Setting("default", {}), LATENCY)
        with self.assertRaisesRegex(peers.Failed, "ended with 1"):
            peers.launch(failing)

    def test_a_failed_setting_is_not_started_again(self):
        silent = peers.Run(library("mpich"), Setting("default", {}), LATENCY)
        peers.measure([[silent]], launches=3)
        self.assertEqual((silent.error, silent.rows), ("printed no result", []))


class Plans(unittest.TestCase):
    def test_ranks_beyond_the_cores_call_for_the_settings_of_a_crowd(self):
        plan = Plan(cores=2, full=False)
        self.assertEqual((plan.situation(2), plan.situation(3)), (CALM, CROWDED))
        mpich = Library("mpich", Mpi("mpich", Path("mpicc"), []), peer_libraries.SETTINGS["mpich"])
        self.assertEqual([s.name for s in mpich.settings_for(CROWDED, "collective")], ["throttle"])

    def test_dunlin_runs_with_no_setting(self):
        self.assertEqual([s.environment for s in peer_libraries.SETTINGS["dunlin"]], [{}])

    def test_every_library_has_a_setting_in_every_case(self):
        for case in peer_cases.cases_of(Plan(cores=2, full=True)):
            for name, settings in peer_libraries.SETTINGS.items():
                there = Library(name, Mpi(name, Path("mpicc"), []), settings)
                self.assertTrue(there.settings_for(case.situation, case.program), (name, case))

    def test_a_part_can_be_asked_for(self):
        plan = Plan(cores=2, full=False, ranks=[4], sizes=[8], only=["all*"])
        cases = peer_cases.cases_of(plan)
        self.assertEqual({(c.benchmark, c.ranks) for c in cases},
                         {(op, 4) for op in ("allreduce", "allgather", "allgatherv", "alltoall",
                                             "alltoallv")})
        self.assertIn("8", cases[0].arguments)

    def test_sixteen_ranks_are_measured_where_they_have_cores(self):
        for cores, there in [(2, False), (16, True)]:
            ranks = {c.ranks for c in peer_cases.collectives(Plan(cores, full=False))}
            self.assertEqual(16 in ranks, there)


if __name__ == "__main__":
    unittest.main()
