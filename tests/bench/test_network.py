"""The comparison between hosts, without hosts: no library is started."""

import unittest
from pathlib import Path

from dunlin.libraries import DUNLIN, Library, command
from dunlin.peers import network, rounds, spread, table
from dunlin.peers.cases import Plan
from dunlin.peers.libraries import CALM, OVERSUBSCRIBED, Contender, Setting
from tests.bench.test_peers import LATENCY, contender, run
from tests.cluster.cluster import Cluster

NET = Cluster(hosts=2)
AT = Path("bin")


class Libraries(unittest.TestCase):
    def test_half_of_the_ranks_start_on_each_host(self):
        for name, words in [("mpich", "-hosts dunlin-1,dunlin-2 -ppn 4"),
                            ("openmpi", "--host dunlin-1:4,dunlin-2:4 --map-by ppr:4:node"),
                            (DUNLIN, "-host dunlin-1,dunlin-2 -ppn 4")]:
            there = spread.over(Contender(Library(name, AT, AT, vendor=name), []), NET)
            line = " ".join(command(there.library, 8, "program", "--json", nodes=there.nodes))
            self.assertIn(words, line)
            self.assertTrue(line.endswith("-n 8 program --json"), line)

    def test_bare_sockets_run_what_the_program_is_called(self):
        bare = spread.bare("bare tcp", NET)
        bare.programs = {"bandwidth": Path("built/netlimits")}
        line = " ".join(bare.command("bandwidth", 2, "--json"))
        self.assertIn("built/netlimits dunlin-2 10.77.0.2 10.77.0.1 1500", line)
        self.assertTrue(line.endswith("--mode tcp --op bandwidth --json"), line)

    def test_one_sided_operations_are_measured_of_libraries_alone(self):
        wanted = network.onesided_cases(Plan(2, full=False))
        self.assertEqual([c.benchmark for c in wanted], ["onesided", "passive_target"])
        for case in wanted:
            self.assertEqual(spread.bare("bare tcp", NET).settings_for(CALM, case.program), [])

    def test_every_peer_has_a_setting_in_every_case(self):
        part = network.hosts_part(Plan(2, full=True), NET, [DUNLIN], AT)
        self.assertEqual({c.situation for c in part.cases}, {CALM, OVERSUBSCRIBED})
        for case in part.cases:
            for name, settings in spread.SETTINGS.items():
                there = contender(name, settings=settings)
                self.assertTrue(there.settings_for(case.situation, case.program), (name, case))


class Table(unittest.TestCase):
    def test_only_other_libraries_are_peers(self):
        found = table.records([
            run("dunlin", LATENCY, [2.0]), run("dunlin udp", LATENCY, [1.0]),
            run("bare udp", LATENCY, [1.0]), run("mpich", LATENCY, [4.0])])
        point, = table.points(found)
        self.assertEqual((point["ratio"], len(point["all"])), (0.5, 4))

    def test_two_fabrics_can_be_compared(self):
        part = network.datagrams_part(Plan(2, full=False), NET, [], AT)
        found = table.records([run("dunlin tcp", LATENCY, [3.0]),
                                    run("dunlin udp", LATENCY, [4.0])])
        point, = table.points(found, part.us, part.peer)
        self.assertEqual(point["ratio"], 0.75)

    def test_a_library_without_a_setting_for_a_program_is_left_out(self):
        bare = contender("bare udp", settings=[Setting("-", {}, only="bandwidth")])
        self.assertEqual(rounds.runs_of([LATENCY], [bare]), [[]])
