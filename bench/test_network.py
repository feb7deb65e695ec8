"""The comparison between hosts, without hosts: no library is started."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import network  # noqa: E402 (found beside this file, from wherever the test is started)
import network_libraries  # noqa: E402
import peer_table  # noqa: E402
from network_libraries import Bare, Spread, launcher  # noqa: E402
from peer_cases import Plan  # noqa: E402
from peer_libraries import CALM, CROWDED, DUNLIN, Library, Setting  # noqa: E402
from test_peers import LATENCY, library, run  # noqa: E402

from cluster import Cluster  # noqa: E402 (network_libraries has shown where it lies)

NET = Cluster(hosts=2)
AT = Path("bin")


class Libraries(unittest.TestCase):
    def test_half_of_the_ranks_start_on_each_host(self):
        for name, words in [("mpich", "-hosts dunlin-1,dunlin-2 -ppn 4"),
                            ("openmpi", "--host dunlin-1:4,dunlin-2:4 --map-by ppr:4:node"),
                            (DUNLIN, "-host dunlin-1,dunlin-2 -ppn 4")]:
            mpi = Spread(name, AT, [], {}, NET, launcher(name, AT, NET))
            command = " ".join(mpi.command(8, "program", "--json"))
            self.assertIn(words, command)
            self.assertTrue(command.endswith("-n 8 program --json"), command)

    def test_bare_sockets_run_what_the_program_is_called(self):
        mpi = Bare("bare tcp", AT, [], {}, NET, "tcp")
        command = " ".join(mpi.command(2, Path("built/bandwidth"), "--json"))
        self.assertIn("built/netlimits dunlin-2 10.77.0.2 10.77.0.1 1500", command)
        self.assertTrue(command.endswith("--mode tcp --op bandwidth --json"), command)

    def test_every_peer_has_a_setting_in_every_case(self):
        part = network.hosts_part(Plan(2, full=True), NET, [DUNLIN], AT)
        self.assertEqual({c.situation for c in part.cases}, {CALM, CROWDED})
        for case in part.cases:
            for name, settings in network_libraries.SETTINGS.items():
                there = Library(name, None, settings)
                self.assertTrue(there.settings_for(case.situation, case.program), (name, case))


class Table(unittest.TestCase):
    def test_only_other_libraries_are_peers(self):
        found = peer_table.records([
            run("dunlin", LATENCY, [2.0]), run("dunlin udp", LATENCY, [1.0]),
            run("bare udp", LATENCY, [1.0]), run("mpich", LATENCY, [4.0])])
        point, = peer_table.points(found)
        self.assertEqual((point["ratio"], len(point["all"])), (0.5, 4))

    def test_two_fabrics_can_be_compared(self):
        part = network.datagrams_part(Plan(2, full=False), NET, [], AT)
        found = peer_table.records([run("dunlin tcp", LATENCY, [3.0]),
                                    run("dunlin udp", LATENCY, [4.0])])
        point, = peer_table.points(found, part.us, part.peer)
        self.assertEqual(point["ratio"], 0.75)

    def test_a_library_without_a_setting_for_a_program_is_left_out(self):
        bare, case = library("bare udp"), LATENCY
        bare.settings = [Setting("-", {}, only="bandwidth")]
        self.assertEqual(network.peers.runs_of([case], [bare]), [[]])


if __name__ == "__main__":
    unittest.main()
