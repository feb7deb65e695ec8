"""The comparison of start-ups, without starts: no library is there, no launcher is called."""

import unittest
from pathlib import Path

from dunlin.libraries import DUNLIN, Library, command, necessary_environment
from dunlin.peers import libraries, rounds, spread, startup, table
from dunlin.peers.cases import Plan
from dunlin.peers.libraries import Contender, Setting
from tests.cluster.cluster import Cluster

PREFIX = Path("prefix")


def mpi(name: str, **environment: str) -> Library:
    """A library that is not there."""
    return Library(name, Path("mpicc"), Path("mpiexec"), vendor=name, environment=environment)


def started_by(name: str) -> list[Contender]:
    """All that one peer's launcher starts here."""
    return startup.under(Contender(mpi(name), libraries.SETTINGS[name]), PREFIX)


class Ways(unittest.TestCase):
    def test_all_are_started_by_the_same_command(self):
        for name in startup.LAUNCHERS:
            commands = {tuple(command(one.library, 2, "program")) for one in started_by(name)}
            self.assertEqual(commands, {("mpiexec", "-n", "2", "program")})

    def test_each_is_built_by_its_own_wrapper_and_nothing_is_not_built(self):
        peer, ours, bare = started_by("mpich")
        self.assertEqual((peer.library.mpicc, ours.library.mpicc),
                         (Path("mpicc"), PREFIX / "bin" / "mpicc"))
        bare.build(["startup"])
        self.assertEqual(bare.programs["startup"].name, "true")

    def test_what_a_launcher_must_be_told_is_told_for_all_and_what_a_library_wants_is_not(self):
        peer, *others = started_by("openmpi")
        needed = necessary_environment(peer.library, bound_by_program=True)
        for one in others:
            told = one.environment(startup.NOTHING)
            self.assertLessEqual({**needed, **libraries.OPENMPI}.items(), told.items())
        own = started_by("mpich")[1].environment(startup.NOTHING)
        self.assertEqual(set(own), {"LD_LIBRARY_PATH"})

    def test_a_library_of_the_same_abi_does_not_run_our_program(self):
        theirs = mpi("intel", LD_LIBRARY_PATH="theirs")
        ours = startup.under(Contender(theirs, libraries.SETTINGS["intel"]), PREFIX)[1]
        self.assertEqual(ours.library.environment["LD_LIBRARY_PATH"], "prefix/lib:theirs")
        self.assertEqual(theirs.environment["LD_LIBRARY_PATH"], "theirs")

    def test_on_hosts_all_are_spread_in_the_same_way(self):
        net = Cluster(hosts=2)
        for name in startup.LAUNCHERS:
            there = startup.under(spread.over(Contender(mpi(name), spread.SETTINGS[name]), net),
                                  PREFIX)
            commands = {tuple(command(one.library, 4, "program", nodes=one.nodes))
                        for one in there}
            self.assertEqual(len(commands), 1)
            self.assertIn("dunlin-1", " ".join(commands.pop()))

    def test_every_rank_meets_all_others(self):
        way = startup.Way("a launcher", started_by("mpich"))
        by_case = rounds.runs_of(startup.cases(Plan(2, full=False), way), way.contenders)
        for run in (run for runs in by_case for run in runs):
            run.library.programs = {"startup": Path("startup")}
            self.assertEqual(run.command[-2:], ["startup", "--barrier"])
        self.assertEqual([{run.library.name for run in runs} for runs in by_case],
                         [{"mpich", DUNLIN, startup.WITHOUT}] * len(startup.RANKS))


class Table(unittest.TestCase):
    def records(self, way: str, **milliseconds: float) -> list[dict]:
        """Of one launcher and two ranks."""
        case, = startup.cases(Plan(2, False, ranks=[2]), startup.Way(way, []))
        return table.records([
            rounds.Run(Contender(mpi(name.replace("_", " ")), []), Setting("default", {}), case,
                      [[{"bytes": 0, "ms": ms}]]) for name, ms in milliseconds.items()])

    def test_dunlin_stands_beside_the_best_peer_of_the_same_launcher_alone(self):
        found = [*self.records("one", dunlin=10, mpich=40, without_MPI=5),
                 *self.records("two", dunlin=20, openmpi=40, intel=30)]
        self.assertEqual([line[:7] for line in startup.rows(found)], [
            ["one", "2", "5", "10", "40", "mpich: default", "0.25"],
            ["two", "2", "-", "20", "30", "intel: default", "0.67"]])

    def test_a_peer_that_failed_is_named_and_spoils_nothing(self):
        case, = startup.cases(Plan(2, False, ranks=[2]), startup.Way("one", []))
        broken = rounds.Run(Contender(mpi("intel"), []), Setting("default", {}), case, error="no")
        found = [*self.records("one", dunlin=10, mpich=40), *table.records([broken])]
        text = startup.report(found)
        self.assertIn("failed: intel under one, 2 ranks: no", text)
        self.assertIn("0.25", text)
