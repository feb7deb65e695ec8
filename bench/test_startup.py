"""The comparison of start-ups, without starts: no library is there, no launcher is called."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import network_libraries  # noqa: E402 (found beside this file, from wherever the test is started)
import peer_libraries  # noqa: E402
import peer_table  # noqa: E402
import peers  # noqa: E402
import startup  # noqa: E402
from harness import Mpi  # noqa: E402
from network_libraries import Spread, launcher  # noqa: E402
from peer_cases import Plan  # noqa: E402
from peer_libraries import DUNLIN, Library, Setting  # noqa: E402

from cluster import Cluster  # noqa: E402 (network_libraries has shown where it lies)

PREFIX = Path("prefix")


def started_by(name: str) -> list[Library]:
    """All that one peer's launcher starts here."""
    mpi = Mpi(name, Path("mpicc"), ["mpiexec"])
    return startup.under(Library(name, mpi, peer_libraries.SETTINGS[name]), PREFIX)


class Ways(unittest.TestCase):
    def test_all_are_started_by_the_same_command(self):
        for name in startup.LAUNCHERS:
            commands = {tuple(library.mpi.command(2, "program")) for library in started_by(name)}
            self.assertEqual(commands, {("mpiexec", "-n", "2", "program")})

    def test_each_is_built_by_its_own_wrapper_and_nothing_is_not_built(self):
        peer, ours, bare = started_by("mpich")
        self.assertEqual((peer.mpi.mpicc, ours.mpi.mpicc),
                         (Path("mpicc"), PREFIX / "bin" / "mpicc"))
        self.assertEqual(bare.mpi.compile(Path("startup.c"), Path("nowhere")).name, "true")

    def test_what_a_launcher_must_be_told_is_told_for_all_and_what_a_library_wants_is_not(self):
        _, ours, bare = started_by("openmpi")
        for library in (ours, bare):
            self.assertEqual(library.mpi.environment.items() - peer_libraries.OPENMPI.items(),
                             {("LD_LIBRARY_PATH", str(PREFIX / "lib"))})
        self.assertEqual(set(started_by("mpich")[1].mpi.environment), {"LD_LIBRARY_PATH"})

    def test_a_library_of_the_same_abi_does_not_run_our_program(self):
        mpi = Mpi("intel", Path("mpicc"), ["mpiexec"], {"LD_LIBRARY_PATH": "theirs"})
        there = Library("intel", mpi, peer_libraries.SETTINGS["intel"])
        ours = startup.under(there, PREFIX)[1]
        self.assertEqual(ours.mpi.environment["LD_LIBRARY_PATH"], "prefix/lib:theirs")
        self.assertEqual(mpi.environment["LD_LIBRARY_PATH"], "theirs")

    def test_on_hosts_all_are_spread_in_the_same_way(self):
        net = Cluster(hosts=2)
        for name in startup.LAUNCHERS:
            mpi = Spread(name, Path("mpicc"), [], {}, net, launcher(name, Path("bin"), net))
            there = startup.under(Library(name, mpi, network_libraries.SETTINGS[name]), PREFIX)
            commands = {tuple(library.mpi.command(4, "program")) for library in there}
            self.assertEqual(len(commands), 1)
            self.assertIn("dunlin-1", " ".join(commands.pop()))

    def test_every_rank_meets_all_others(self):
        way = startup.Way("a launcher", started_by("mpich"))
        by_case = peers.runs_of(startup.cases(Plan(2, full=False), way), way.libraries)
        for run in (run for runs in by_case for run in runs):
            run.library.programs = {"startup": Path("startup")}
            self.assertEqual(run.command[-2:], ["startup", "--barrier"])
        self.assertEqual([{run.library.name for run in runs} for runs in by_case],
                         [{"mpich", DUNLIN, startup.WITHOUT}] * len(startup.RANKS))


class Table(unittest.TestCase):
    def records(self, way: str, **milliseconds: float) -> list[dict]:
        """Of one launcher and two ranks."""
        case, = startup.cases(Plan(2, False, ranks=[2]), startup.Way(way, []))
        return peer_table.records([
            peers.Run(Library(name.replace("_", " "), None, []), Setting("default", {}), case,
                      [[{"bytes": 0, "ms": ms}]]) for name, ms in milliseconds.items()])

    def test_dunlin_stands_beside_the_best_peer_of_the_same_launcher_alone(self):
        found = [*self.records("one", dunlin=10, mpich=40, without_MPI=5),
                 *self.records("two", dunlin=20, openmpi=40, intel=30)]
        self.assertEqual([line[:7] for line in startup.rows(found)], [
            ["one", "2", "5", "10", "40", "mpich: default", "0.25"],
            ["two", "2", "-", "20", "30", "intel: default", "0.67"]])

    def test_a_peer_that_failed_is_named_and_spoils_nothing(self):
        case, = startup.cases(Plan(2, False, ranks=[2]), startup.Way("one", []))
        broken = peers.Run(Library("intel", None, []), Setting("default", {}), case, error="no")
        found = [*self.records("one", dunlin=10, mpich=40), *peer_table.records([broken])]
        text = startup.report(found)
        self.assertIn("failed: intel under one, 2 ranks: no", text)
        self.assertIn("0.25", text)


if __name__ == "__main__":
    unittest.main()
