"""The benchmark programs build without a warning, run, and say what they promise."""

import os
import socket
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

from dunlin import checkout, execution, programs
from dunlin.errors import DunlinError
from dunlin.libraries import Library
from dunlin.peers import fortran
from tests import unless

STRICT = ["-std=c11", "-O2", "-Wall", "-Wextra", "-pedantic", "-Werror"]
PROGRAMS = ["latency", "latency_threads", "threads_rate", "partitioned", "overlap", "bandwidth",
            "collective", "ring", "startup", "memory", "pingpong_vs_cache_line", "pack",
            "pack_layout", "inquiries", "limits", "onesided", "passive_target", "node_costs"]
OPERATIONS = ["put", "get", "accumulate", "get_accumulate", "fetch_and_op", "compare_and_swap"]
FLAVORS = ["allocate", "create", "dynamic", "shared"]
SYNCHRONISATIONS = ["lock_all", "lock", "flush_all", "lock_unlock", "lock_all_unlock", "fence",
                    "pscw"]
SHORT = ["-n", "5", "--warmup", "1", "--min", "8", "--max", "32", "--budget", "0"]


class Programs(unittest.TestCase):
    """Built once, strictly, with the Dunlin of build/prefix."""

    mpi: Library
    built: dict[str, Path]

    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.mpi, cls.built = checkout.dunlin(), {}
        for name in PROGRAMS:
            cls.built[name] = Path(directory.name) / name
            execution.call([cls.mpi.mpicc, *STRICT, "-o", cls.built[name],
                            programs.sources() / f"{name}.c"])

    def said(self, name, ranks, *arguments):
        return programs.rows(self.mpi, ranks, self.built[name], *arguments)

    def rows(self, name, ranks):
        return self.said(name, ranks, *SHORT)

    def test_latency_has_a_row_per_size_and_orders_its_statistics(self):
        rows = self.rows("latency", 2)
        self.assertEqual([r["bytes"] for r in rows], [8, 16, 32])
        for r in rows:
            self.assertTrue(0 < r["min_us"] <= r["median_us"] <= r["p99_us"], r)

    def test_messages_may_cross_and_data_be_written_before(self):
        for name, how in [("latency_both_ways", ["--both-ways"]), ("latency_written", ["--write"]),
                          ("latency_both_ways_written", ["--both-ways", "--write"]),
                          ("latency_ssend", ["--mode", "ssend"])]:
            rows = self.said("latency", 3, *SHORT, *how)
            self.assertEqual([(r["bench"], r["bytes"]) for r in rows],
                             [(name, size) for size in (8, 16, 32)])

    def test_messages_and_operations_go_beside_what_lies_about(self):
        for name in ["posted", "unexpected", "window", "collective"]:
            rows = self.said("latency", 3, *SHORT, "--beside", name)
            self.assertEqual([(r["bench"], r["bytes"]) for r in rows],
                             [(f"latency_beside_{name}", size) for size in (8, 16, 32)])
            rows = self.said("onesided", 2, *SHORT, "--op", "put", "--flavor", "create", "--sync",
                             "lock", "--beside", name)
            self.assertEqual([(r["bench"], r["bytes"]) for r in rows],
                             [(f"put_create_lock_beside_{name}", size) for size in (8, 16, 32)])

    def test_sizes_may_be_named(self):
        rows = self.said("latency", 2, "-n", 3, "--sizes", "16,1K,8")
        self.assertEqual([r["bytes"] for r in rows], [16, 1024, 8])

    def test_buffers_in_turn_change_nothing_but_the_time(self):
        for name in ["latency", "bandwidth", "collective"]:
            rows = self.said(name, 2, *SHORT, "--rotate", 3)
            self.assertTrue({8, 16, 32} <= {r["bytes"] for r in rows}, name)

    def test_threads_have_a_row_per_size(self):
        rows = self.said("latency_threads", 2, *SHORT, "--threads", 3)
        self.assertEqual([(r["bytes"], r["threads"]) for r in rows], [(8, 3), (16, 3), (32, 3)])

    def test_rates_of_threads_are_told_for_shared_and_for_own_communicators(self):
        for mode, communicators in ("shared", 1), ("own", 3):
            for r in self.said("threads_rate", 2, *SHORT, "--threads", 3, "--mode", mode):
                self.assertGreater(r["messages_per_s"], 0)
                self.assertEqual((r["threads"], r["communicators"]), (3, communicators))
        for r in self.said("threads_rate", 1, *SHORT, "--threads", 2, "--mode", "alone"):
            self.assertGreater(r["messages_per_s"], 0)
            self.assertEqual((r["threads"], r["communicators"]), (2, 2))
        said = "--mode is `each`; it must be shared, own or alone"
        with self.assertRaisesRegex(DunlinError, said):
            self.said("threads_rate", 2, "--mode", "each")

    def test_partitions_stand_beside_separate_messages(self):
        for threads in (1, 3):
            rows = self.said("partitioned", 3, *SHORT, "--threads", threads)
            self.assertEqual([(r["bytes"], r["threads"]) for r in rows],
                             [(size, threads) for size in (8, 16, 32)])
            for r in rows:
                self.assertTrue(r["partitioned_us"] > 0 and r["separate_us"] > 0, r)

    def test_an_exchange_has_a_row_per_size_whatever_ranks_have_no_partner(self):
        rows = self.said("overlap", 3, *SHORT)
        self.assertEqual([r["bytes"] for r in rows], [8, 16, 32])
        for r in rows:
            self.assertTrue(r["pure_us"] > 0 and r["compute_us"] > 0, r)

    def test_a_window_may_arrive_in_one_buffer(self):
        for name, ways in ("bandwidth", []), ("bandwidth_both_ways", ["--both-ways"]):
            rows = self.said("bandwidth", 2, *SHORT, "--one-buffer", *ways)
            self.assertEqual([(r["bench"], r["bytes"]) for r in rows],
                             [(f"{name}_one_buffer", size) for size in (8, 16, 32)])

    def test_a_window_may_be_completed_by_any_call(self):
        for mode in "waitany", "waitsome", "testall", "testany", "testsome":
            for r in self.said("bandwidth", 2, *SHORT, "--mode", mode, "--both-ways"):
                self.assertEqual(r["bench"], f"bandwidth_both_ways_{mode}")
                self.assertGreater(r["messages_per_s"], 0)
        with self.assertRaisesRegex(DunlinError, "--mode is `waitfor`; it must be waitall"):
            self.said("bandwidth", 2, "--mode", "waitfor")

    def test_bandwidth_counts_pairs_and_leaves_out_who_has_no_partner(self):
        rows = self.said("bandwidth", 5, *SHORT, "--both-ways")
        self.assertEqual({(r["bench"], r["pairs"]) for r in rows}, {("bandwidth_both_ways", 2)})

    def test_completion_alone_has_no_other_clocks(self):
        rows = self.said("collective", 2, *SHORT, "--op", "barrier,bcast", "--completion")
        self.assertEqual([r["bytes"] for r in rows], [0, 8, 16, 32])
        for r in rows:
            self.assertGreater(r["complete_us"], 0)
            self.assertNotIn("in_a_row_us", r)

    def test_every_collective_has_a_row_per_size_in_every_mode(self):
        for mode, key in [("blocking", "complete_us"), ("nonblocking", "pure_us"),
                          ("persistent", "pure_us")]:
            rows = self.said("collective", 3, *SHORT, "--mode", mode)
            by_op: dict[str, list[int]] = {}
            for r in rows:
                self.assertGreater(r[key], 0, r)
                by_op.setdefault(r["bench"].removesuffix("_" + mode), []).append(r["bytes"])
            self.assertEqual(by_op.pop("barrier"), [0])
            self.assertEqual(len(by_op), 22)
            for sizes in by_op.values():
                self.assertEqual(sizes, [8, 16, 32])

    def test_no_rank_is_done_before_all_are(self):
        for r in self.said("collective", 3, *SHORT, "--op", "barrier,allreduce"):
            self.assertGreaterEqual(r["complete_p99_us"], r["local_us"], r)

    def test_overlap_is_a_share(self):
        rows = self.said("collective", 2, *SHORT, "--op", "allreduce", "--mode",
                             "nonblocking")
        for r in rows:
            self.assertTrue(0 <= r["overlap_percent"] <= 100, r)

    def test_every_value_is_told_and_their_median_is_the_row_s(self):
        rows = self.said("collective", 2, *SHORT, "--op", "bcast", "--samples")
        for size in (8, 16, 32):
            values = {r["clock"]: r["values"] for r in rows
                      if r["bytes"] == size and "values" in r}
            row = next(r for r in rows if r["bytes"] == size and "complete_us" in r)
            self.assertEqual({k: len(v) for k, v in values.items()}, {"local": 5, "global": 5})
            self.assertEqual(sorted(values["global"])[2], row["complete_us"])
            self.assertEqual(sorted(values["local"])[2], row["local_us"])

    def places(self, *options):
        """Where three ranks run that the launcher binds to nothing."""
        free = replace(self.mpi, launch=("{launcher}", "-bind-to", "none", "-n", "{ranks}"))
        program = self.built["latency"]
        return programs.rows(free, 3, program, *SHORT, *options)[0]["placement"]

    def test_each_rank_says_where_it_runs(self):
        place = self.places("--placement")
        self.assertEqual([p["rank"] for p in place], [0, 1, 2])
        for p in place:
            self.assertEqual(p["host"], socket.gethostname())
            self.assertRegex(p["cpus"], r"^[0-9]+([-,][0-9]+)*$")
            self.assertEqual(p["usable"], len(os.sched_getaffinity(0)))

    def test_ranks_take_the_cores_of_their_host_in_turn(self):
        cores = sorted(os.sched_getaffinity(0))
        taken = [int(p["cpus"]) for p in self.places("--pin", "--placement")]
        self.assertEqual(taken, [cores[i % len(cores)] for i in range(3)])

    def test_clocks_synchronised_by_messages_give_times_of_the_same_kind(self):
        """Ranks of one node have one clock: the times must agree as if there were several."""
        rows = self.said("collective", 2, *SHORT, "--op", "barrier,bcast",
                             "--messages-clock")
        self.assertEqual(len(rows), 4)
        for r in rows:
            # A wrong offset between clocks is of the order of the machine's time since its start.
            self.assertTrue(0 < r["complete_us"] < 1e6, r)

    def test_an_unknown_operation_is_named_with_those_there_are(self):
        with self.assertRaisesRegex(DunlinError, "allreduse.*must be all, or some of.*allreduce"):
            self.said("collective", 1, "--op", "barrier,allreduse")

    def test_memory_is_shared_fairly_and_what_is_own_is_part_of_it(self):
        row = self.said("memory", 4)[0]
        self.assertEqual(row["ranks"], 4)
        self.assertTrue(0 < row["init_dirty_kib"] < row["init_pss_kib"] <= row["init_pss_max_kib"])
        self.assertTrue(row["init_pss_kib"] < row["used_pss_kib"] <= row["used_pss_max_kib"])

    def test_bandwidth_is_bytes_times_messages(self):
        for r in self.rows("bandwidth", 2):
            self.assertAlmostEqual(r["mb_per_s"], r["bytes"] * r["messages_per_s"] * 1e-6,
                                   delta=0.01 + r["mb_per_s"] * 0.01)

    def test_ring_runs_on_three_ranks(self):
        self.assertEqual([r["ranks"] for r in self.rows("ring", 3)], [3, 3, 3])

    def test_the_price_over_a_cache_line_is_a_positive_ratio(self):
        row = self.said("pingpong_vs_cache_line", 2, "-n", 3)[0]
        self.assertGreater(row["ratio"], 0)

    def test_packing_has_a_ratio_to_the_loop_for_every_block(self):
        rows = self.rows("pack", 1)
        self.assertEqual([r["bytes"] for r in rows], [8, 32, 512])
        for r in rows:
            self.assertGreater(min(r["pack_ratio"], r["unpack_ratio"]), 0, r)

    def test_every_one_sided_operation_is_measured_on_every_window(self):
        rows = self.said("onesided", 2, *SHORT, "--sizes", "8,64")
        self.assertEqual({r["bench"] for r in rows}, {
            f"{op}_{flavor}_{sync}" for op in OPERATIONS for flavor in FLAVORS
            for sync in SYNCHRONISATIONS})
        for r in rows:
            self.assertTrue(0 < r["min_us"] <= r["median_us"] <= r["p99_us"], r)
            self.assertGreater(r.get("bare_us", 1), 0, r)
        sizes = {name: [r["bytes"] for r in rows if r["bench"] == f"{name}_shared_lock"]
                 for name in ("put", "fetch_and_op")}
        self.assertEqual(sizes, {"put": [8, 64], "fetch_and_op": [8]})

    def test_a_shared_window_stands_beside_bare_instructions_where_the_target_is_passive(self):
        rows = self.said("onesided", 2, *SHORT, "--op", "put", "--flavor", "shared")
        for r in rows:
            passive = not r["bench"].endswith(("_fence", "_pscw"))
            self.assertEqual("to_bare" in r, passive, r)

    def test_operations_at_once_have_a_rate(self):
        rows = self.said("onesided", 2, *SHORT, "--window", 4, "--flavor", "create")
        self.assertIn("put_create_fence_rate", {r["bench"] for r in rows})
        for r in rows:
            self.assertGreater(min(r["operations_per_s"], r["mb_per_s"]), 0, r)

    def test_memory_need_not_begin_with_a_page(self):
        rows = self.said("onesided", 2, *SHORT, "--op", "get", "--sync", "lock", "--offset", 16,
                         "--flavor", "create")
        self.assertEqual({r["bench"] for r in rows}, {"get_create_lock_offset"})

    def test_one_sided_names_and_sizes_are_checked(self):
        for words, complaint in [(["--sync", "fense"], "--sync is `fense`"),
                                 (["--flavor", "made"], "--flavor is `made`"),
                                 (["--op", "put,got"], "--op is `put,got`"),
                                 (["--sizes", "12"], "a size is 12; it must be a multiple of 8")]:
            with self.assertRaisesRegex(DunlinError, complaint):
                self.said("onesided", 2, *words)

    def test_a_target_waits_and_computes(self):
        rows = self.said("passive_target", 2, "-n", 3)
        self.assertEqual([r["bench"] for r in rows],
                         ["passive_put_allocate", "passive_fetch_and_op_allocate"])
        for r in rows:
            self.assertGreater(min(r["waiting_ms"], r["computing_ms"]), 0, r)

    @unless(fortran.obstacle(checkout.dunlin()))
    def test_fortran_is_compared_with_c_in_messages_and_sums(self):
        with tempfile.TemporaryDirectory() as directory:
            program = fortran.build(self.mpi, Path(directory))
            rows = programs.rows(self.mpi, 2, program, "-n", 3)
        self.assertEqual([r["bench"] for r in rows], ["pingpong", "allreduce"])
        for r in rows:
            self.assertGreater(r["ratio"], 0)

    def test_startup_starts_and_ends(self):
        self.assertGreater(programs.seconds(self.mpi, 2, self.built["startup"]), 0)

    def test_limits_tell_the_line_and_every_copy_size(self):
        rows = execution.rows_of(execution.call([self.built["limits"], *SHORT, "--json"]))
        self.assertEqual([r["bench"] for r in rows if r["bench"] != "single_copy"],
                         ["cache_line"] + ["memory_copy"] * 3)
        single = [r["bytes"] for r in rows if r["bench"] == "single_copy"]
        self.assertIn(single, [[], [8, 16, 32]], "none where the system forbids it")

    def test_node_costs_tell_what_a_model_needs(self):
        rows = programs.rows(self.mpi, 2, self.built["node_costs"], "-n", 2, "--sizes", "64,1K")
        self.assertEqual([r["bench"] for r in rows],
                         ["remote_copy", "reduce", "remote_copy", "reduce", "fresh_memory",
                          "memory_copy_one", "memory_copy_all"])
        self.assertTrue(all(row["bytes_per_ns"] > 0 for row in rows))

    def test_a_misspelt_option_ends_with_a_sentence(self):
        with self.assertRaisesRegex(DunlinError, "--iterations.*is not an option"):
            execution.call([self.built["limits"], "--iterations", "3"])
