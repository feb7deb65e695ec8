"""The comparison with other libraries, on made-up results: no peer is installed or started."""

import unittest
from pathlib import Path

from dunlin.errors import DunlinError
from dunlin.libraries import Library
from dunlin.peers import cases, libraries, line_states, rounds, table
from dunlin.peers.cases import Case, Plan
from dunlin.peers.libraries import CALM, OVERSUBSCRIBED, Contender, Setting
from dunlin.stats import geometric_mean

LATENCY = Case("latency", "latency", "latency", 2, cases.MICROSECONDS)
BANDWIDTH = Case("bandwidth", "bandwidth", "bandwidth", 2, cases.MEGABYTES)


def contender(name, launcher="/bin/true", settings=()):
    """A library whose launcher is some command."""
    library = Library(name, Path("mpicc"), Path(launcher))
    return Contender(library, list(settings), programs={"latency": Path("latency")})


def run(name, case, values, setting="default", error=None, size=8):
    """What launches gave: one value each."""
    rows = [[{"bytes": size, case.figure.key: v}] for v in values]
    return rounds.Run(contender(name), Setting(setting, {}), case, rows, error)


class LineStates(unittest.TestCase):
    def test_a_machine_in_two_states_has_two_and_a_stray_look_is_none(self):
        fast, slow = [25.0, 27.0, 30.0] * 10, [155.0, 170.0] * 10
        found = line_states.states([*fast, *slow, 900.0])
        self.assertEqual([(s.least_ns, s.most_ns) for s in found], [(25.0, 30.0), (155.0, 170.0)])

    def test_a_steady_machine_has_one_state_and_no_tables_of_its_own(self):
        steady = run("dunlin", LATENCY, [1.0, 2.0])
        steady.looks = [(25.0, 27.0), (26.0, 30.0)]
        self.assertEqual(line_states.by_state([steady]), [])
        self.assertEqual(line_states.by_state([run("dunlin", LATENCY, [1.0])]), [])

    def test_launches_are_told_apart_and_those_in_between_left_out(self):
        ours = run("dunlin", LATENCY, [1.0, 9.0, 5.0, 3.0])
        ours.looks = [(25.0, 26.0), (160.0, 165.0), (25.0, 165.0), None]
        kept = {state.least_ns: there[0].rows for state, there in line_states.by_state([ours])}
        self.assertEqual({ns: [rows[0]["median_us"] for rows in launches]
                          for ns, launches in kept.items()}, {25.0: [1.0], 160.0: [9.0]})


class Table(unittest.TestCase):
    def test_the_median_of_the_launches_counts(self):
        record, = table.records([run("mpich", LATENCY, [3.0, 1.0, 2.0])])
        self.assertEqual((record["median_us"], record["spread"], record["launches"]), (2.0, 1.0, 3))

    def test_the_best_setting_of_a_library_counts(self):
        record, = table.records([run("mpich", LATENCY, [2.0], "slow"),
                                      run("mpich", LATENCY, [1.0], "fast")])
        self.assertEqual((record["setting"], record["median_us"]), ("fast", 1.0))
        record, = table.records([run("mpich", BANDWIDTH, [2.0], "fast"),
                                      run("mpich", BANDWIDTH, [1.0], "slow")])
        self.assertEqual(record["setting"], "fast")

    def test_the_best_peer_is_compared_and_the_worst_point_comes_first(self):
        found = table.records([
            run("dunlin", LATENCY, [1.0]), run("mpich", LATENCY, [4.0]),
            run("intel", LATENCY, [2.0]),
            run("dunlin", LATENCY, [3.0], size=64), run("intel", LATENCY, [2.0], size=64)])
        compared = table.points(found)
        self.assertEqual([(p["ours"]["bytes"], p["ratio"], p["best"]["library"])
                          for p in compared], [(64, 1.5, "intel"), (8, 0.5, "intel")])

    def test_below_one_is_good_where_more_is_better_too(self):
        found = table.records([run("dunlin", BANDWIDTH, [400.0]),
                                    run("mpich", BANDWIDTH, [100.0]),
                                    run("openmpi", BANDWIDTH, [200.0])])
        point, = table.points(found)
        self.assertEqual((point["ratio"], point["best"]["library"]), (0.5, "openmpi"))

    def test_twice_as_fast_and_twice_as_slow_cancel_out(self):
        self.assertAlmostEqual(geometric_mean([0.5, 2.0]), 1.0)

    def test_a_group_tells_its_worst_point_and_how_many_are_lost(self):
        found = table.records([
            run("dunlin", LATENCY, [4.0]), run("mpich", LATENCY, [2.0]),
            run("dunlin", LATENCY, [1.0], size=64), run("mpich", LATENCY, [2.0], size=64)])
        self.assertEqual(table.group_rows(table.points(found)),
                         [["latency", "1.00", "2.00", "1 of 2"]])

    def test_a_failed_peer_is_recorded_and_does_not_spoil_the_rest(self):
        found = table.records([run("dunlin", LATENCY, [1.0]), run("mpich", LATENCY, [2.0]),
                                    run("intel", LATENCY, [], error="did not end within 60 s")])
        failed, = [r for r in found if "error" in r]
        self.assertEqual(failed["library"], "intel")
        text = table.report(found, None)
        self.assertIn("failed: intel in latency, 2 ranks: did not end within 60 s", text)
        self.assertIn("0.50", text)

    def test_a_library_that_works_under_one_setting_has_not_failed(self):
        found = table.records([run("mpich", LATENCY, [], "slow", error="too slow"),
                                    run("mpich", LATENCY, [1.0], "fast")])
        self.assertEqual([r["setting"] for r in found], ["fast"])

    def test_the_line_is_told_beside_the_eight_bytes(self):
        text = table.report([], {"ratio": 1.5, "mpi_ns": 150.0, "line_ns": 100.0})
        self.assertIn("1.50 times a bare cache line (150 ns, 100 ns", text)


    def test_rows_with_names_of_their_own_are_points_of_their_own(self):
        case = Case("onesided_create", "one-sided", "onesided", 2, cases.MICROSECONDS, by_row=True)
        dunlin, mpich = (rounds.Run(contender(name), Setting("default", {}), case, [[
            {"bench": "put", "bytes": 8, "median_us": us}, {"bench": "get", "bytes": 8,
                                                            "median_us": 2.0}]])
            for name, us in [("dunlin", 1.0), ("mpich", 4.0)])
        broken = rounds.Run(contender("intel"), Setting("default", {}), case, error="no")
        found = table.records([dunlin, mpich, broken])
        self.assertEqual([(p["ours"]["benchmark"], p["ratio"]) for p in table.points(found)],
                         [("get", 1.0), ("put", 0.25)])
        self.assertEqual([(r["library"], r["benchmark"]) for r in found if "error" in r],
                         [("intel", "onesided_create")])

    def test_two_groups_have_a_mean_of_all(self):
        found = table.records([
            run("dunlin", LATENCY, [4.0]), run("mpich", LATENCY, [1.0]),
            run("dunlin", BANDWIDTH, [4.0]), run("mpich", BANDWIDTH, [1.0])])
        self.assertEqual(table.group_rows(table.points(found))[-1],
                         ["all", "1.00", "4.00", "1 of 2"])

    def test_all_counts_an_operation_once_whatever_clocks_it_has(self):
        own = cases.OWN.names("bcast")
        records = [{"ours": {"benchmark": name, "group": name}, "ratio": ratio}
                   for name, ratio in [("bcast", 0.5), (own, 4.0)]]
        self.assertEqual(table.group_rows(records)[-1], ["all", "0.50", "0.50", "0 of 1"])

    def test_one_sided_operations_stand_beside_bare_ones_worst_first(self):
        case = Case("onesided_shared", "one-sided", "onesided", 2, cases.MICROSECONDS, by_row=True)
        rows = [{"bench": name, "bytes": 8, "median_us": us, "bare_us": 0.01,
                 "to_bare": us / 0.01} for name, us in [("put", 0.01), ("get", 0.03)]]
        found = table.records([rounds.Run(contender(name), Setting("default", {}), case, [rows])
                               for name in ("dunlin", "mpich")])
        self.assertEqual(table.bare_rows(found, "dunlin"),
                         [["3.00", "get", "8 B", "30.0", "10.0"],
                          ["1.00", "put", "8 B", "10.0", "10.0"]])
        self.assertIn("Dunlin's one-sided operations beside bare", table.report(found, None))

    def test_a_target_that_computes_is_told_of_every_library(self):
        rows = [{"bench": "passive_put", "bytes": 8, "waiting_ms": 10.0, "computing_ms": 1010.0,
                 "to_waiting": 101.0}]
        case = cases.passive_target(Plan(cores=2, full=False))
        found = table.records([rounds.Run(contender("intel"), Setting("shm", {}), case, [rows])])
        self.assertEqual(table.passive_rows(found),
                         [["101.00", "passive_put", "intel", "shm", "10.0", "1,010"]])


    def test_every_clock_is_a_point_of_its_own_at_its_own_best_setting(self):
        case, = (c for c in cases.collectives(Plan(cores=2, full=False, ranks=[2]))
                 if c.benchmark == "bcast")

        def one(setting, complete, own):
            row = {"bytes": 8, "complete_us": complete, "local_us": own, "after_barrier_us": 1.0,
                   "in_a_row_us": 1.0}
            return rounds.Run(contender("mpich"), Setting(setting, {}), case, [[row]])

        found = table.records([one("a", 1.0, 9.0), one("b", 2.0, 3.0)])
        self.assertEqual(
            [(r["benchmark"], r["group"], r["setting"], r["median_us"]) for r in found],
            [("bcast", "collectives, 2 ranks", "a", 1.0),
             ("bcast, own time", "collectives, 2 ranks, own time", "b", 3.0),
             ("bcast, own time after a barrier", "collectives, 2 ranks, own time after a barrier",
              "a", 1.0),
             ("bcast, in a row", "collectives, 2 ranks, in a row", "a", 1.0)])

    def test_what_a_computation_hides_and_what_persistent_calls_gain_have_tables(self):
        plan = Plan(cores=2, full=False)
        blocking, = (c for c in cases.collectives(plan) if (c.benchmark, c.ranks) == ("bcast", 2))
        persistent, = (c for c in cases.collectives_apart(plan) if c.benchmark == "bcast_init")
        times = {"complete_us": 9.0, "local_us": 4.0, "after_barrier_us": 9.0, "in_a_row_us": 9.0}
        apart = {"pure_us": 2.0, "overall_us": 3.5, "overlap_percent": 25.0}
        found = table.records(
            [rounds.Run(contender("dunlin"), Setting("none", {}), case, [[{"bytes": 8, **row}]])
             for case, row in [(blocking, times), (persistent, apart)]])
        self.assertEqual(table.hidden_rows(found),
                         (["dunlin"], [["bcast_init", "2", "8 B", "25"]]))
        self.assertEqual(table.persistent_rows(found, "dunlin"),
                         [["0.50", "bcast_init", "2", "8 B", "2.00", "4.00"]])
        text = table.report(found, None)
        self.assertIn("Percent of an operation that a computation", text)
        self.assertIn("persistent operations beside its blocking", text)


class Launching(unittest.TestCase):
    def test_a_command_that_fails_says_why(self):
        failing = rounds.Run(contender("mpich", "/bin/false"), Setting("default", {}), LATENCY)
        with self.assertRaisesRegex(DunlinError, "ended with 1"):
            rounds.launch(failing)

    def test_a_failed_setting_is_not_started_again(self):
        silent = rounds.Run(contender("mpich"), Setting("default", {}), LATENCY)
        rounds.measure([[silent]], launches=3)
        self.assertEqual((silent.error, silent.rows), ("printed no result", []))


class Plans(unittest.TestCase):
    def test_ranks_beyond_the_cores_call_for_the_settings_of_a_crowd(self):
        plan = Plan(cores=2, full=False)
        self.assertEqual((plan.situation(2), plan.situation(3)), (CALM, OVERSUBSCRIBED))
        mpich = contender("mpich", settings=libraries.SETTINGS["mpich"])
        self.assertEqual([s.name for s in mpich.settings_for(OVERSUBSCRIBED, "collective")],
                         ["throttle"])

    def test_dunlin_runs_with_no_setting_but_where_it_cannot_see_that_cores_are_free(self):
        with_setting = [s for s in libraries.SETTINGS["dunlin"] if s.environment]
        self.assertEqual([(s.environment, s.situations) for s in with_setting],
                         [(libraries.OVERLAP, (libraries.IDLE,))])

    def test_every_library_has_a_setting_in_every_case(self):
        for case in cases.cases_of(Plan(cores=2, full=True)):
            for name, settings in libraries.SETTINGS.items():
                there = contender(name, settings=settings)
                self.assertTrue(there.settings_for(case.situation, case.program), (name, case))

    def test_a_part_can_be_asked_for(self):
        plan = Plan(cores=2, full=False, ranks=[4], sizes=[8], only=["all*"])
        found = cases.cases_of(plan)
        self.assertEqual({(c.benchmark, c.ranks) for c in found},
                         {(op, 4) for op in ("allreduce", "allreduce_user_op", "allgather",
                                             "allgatherv", "alltoall", "alltoallv",
                                             "allreduce_init", "allgather_init",
                                             "alltoall_init")})
        self.assertIn("8", found[0].arguments)

    def test_structures_are_packed_sent_and_broadcast(self):
        for full, layouts in [(False, 1), (True, 3)]:
            found = cases.structures(Plan(cores=2, full=full))
            self.assertEqual(len(found), 5 * layouts)
            self.assertEqual({c.program for c in found}, {"pack_layout", "latency", "collective"})
            self.assertTrue(all("--layout" in c.arguments for c in found))

    def test_one_sided_rows_can_be_asked_for(self):
        for full, flavors in [(False, 3), (True, 4)]:
            plan = Plan(cores=2, full=full, only=["onesided*", "passive_target"])
            found = cases.cases_of(plan)
            self.assertEqual(len(found), 2 * flavors + 4)
            self.assertTrue(all(c.by_row for c in found))
            self.assertEqual({c.program for c in found}, {"onesided", "passive_target"})

    def test_sixteen_ranks_are_measured_where_they_have_cores(self):
        for cores, there in [(2, False), (16, True)]:
            ranks = {c.ranks for c in cases.collectives(Plan(cores, full=False))}
            self.assertEqual(16 in ranks, there)
