"""One rank of one run of mpi4py's own tests: mpi4py's test program does everything, this file only
records the outcome of each test. Usage: record.py TESTS OUT [options of the program].

OUT.RANK gets one JSON object per line: first all tests of the run, then the start and the end of
each, so that a rank that dies or hangs has said where it was."""

import contextlib
import importlib
import json
import os
import sys
import unittest
from pathlib import Path

# What a test may have come to; a worse word later on (a subtest, a cleanup) wins.
ORDER = ["passed", "skipped", "failed"]


def single_tests(suite):
    """The tests of a suite, without the suites in it."""
    for entry in suite:
        if isinstance(entry, unittest.TestSuite):
            yield from single_tests(entry)
        else:
            yield entry


class Record:
    """The file of this rank; opened when the rank is known."""

    def __init__(self, out: str, rank: int):
        self.file = Path(f"{out}.{rank}").open("w", encoding="utf-8")  # noqa: SIM115 (to the end)

    def write(self, **entry):
        """Each line is out before the next test begins: the rank may not live to see the end."""
        self.file.write(json.dumps(entry) + "\n")
        self.file.flush()


class Result(unittest.TextTestResult):
    """Says in the record what unittest says on the screen."""

    record: Record

    def startTest(self, test):
        self.outcome = ORDER[0]
        self.record.write(start=test.id())
        super().startTest(test)

    def stopTest(self, test):
        self.record.write(end=test.id(), outcome=self.outcome)
        super().stopTest(test)

    def worsen(self, test, outcome, why=""):
        """A whole class or module that fails or is skipped has no start and no end."""
        self.outcome = max(getattr(self, "outcome", ORDER[0]), outcome, key=ORDER.index)
        if why or not isinstance(test, unittest.TestCase):
            self.record.write(note=test.id(), outcome=outcome, why=why)

    def addError(self, test, err):
        self.worsen(test, "failed", f"{err[0].__name__}: {err[1]}")
        super().addError(test, err)

    def addFailure(self, test, err):
        self.worsen(test, "failed", f"{err[0].__name__}: {err[1]}")
        super().addFailure(test, err)

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.worsen(test, "failed", f"{err[0].__name__}: {err[1]}")
        super().addSubTest(test, subtest, err)

    def addSkip(self, test, reason):
        self.worsen(test, "skipped", reason)
        super().addSkip(test, reason)

    def addUnexpectedSuccess(self, test):
        self.worsen(test, "failed", "it was expected to fail and passed")
        super().addUnexpectedSuccess(test)


class Runner(unittest.TextTestRunner):
    """Writes down the tests before the first of them runs."""

    out: str
    resultclass = Result  # type: ignore[assignment]

    def run(self, test):
        mpi = importlib.import_module("mpi4py.MPI")
        Result.record = Record(self.out, mpi.COMM_WORLD.Get_rank())
        Result.record.write(tests=[t.id() for t in single_tests(test)])
        return super().run(test)


def main() -> None:
    sys.dont_write_bytecode = True  # Ranks would write the same files at the same time.
    tests, Runner.out, *options = sys.argv[1:]
    sys.path.insert(0, os.fspath(tests))
    program = importlib.import_module("main")
    # A status other than 0 would make mpirun end the ranks that are still at it.
    with contextlib.suppress(SystemExit):
        program.main(module=None, argv=["main.py", *options], testRunner=Runner)


if __name__ == "__main__":
    main()
