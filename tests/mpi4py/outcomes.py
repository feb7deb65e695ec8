"""The outcomes of mpi4py's tests: the records of all ranks combined, and compared with the list of
tests that may fail."""

import json
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

# The parts of MPI that tests may be listed for; everything else must pass.
LISTABLE = {"files", "processes", "revocation", "tools"}


@dataclass
class Outcome:
    """One test, on one rank or on all."""

    word: str  # passed, skipped or failed
    why: str = ""


@dataclass
class RankRecord:
    """What one rank wrote down."""

    tests: list[str] = field(default_factory=list)
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    running: str = ""  # started and not ended
    began: bool = False  # the list of tests is there, if only an empty one


def read(path: Path) -> RankRecord:
    """Reads a record, up to where its rank died."""
    record = RankRecord()
    why: dict[str, str] = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        try:
            entry = json.loads(line)
        except json.JSONDecodeError:
            break  # The rank died in the middle of this line.
        if "tests" in entry:
            record.tests, record.began = entry["tests"], True
        elif "start" in entry:
            record.running = entry["start"]
        elif "note" in entry:
            note(record, why, entry)
        else:
            record.running = ""
            test = entry["end"]
            record.outcomes[test] = Outcome(entry["outcome"], why.get(test, ""))
    return record


def note(record: RankRecord, why: dict[str, str], entry: dict) -> None:
    """Keeps a reason; one of `setUpClass (test_x.Class)` is that of all tests of the class."""
    test = entry["note"]
    why[test] = entry["why"]
    if test.startswith("setUp"):
        inside = test.partition("(")[2].rstrip(")") + "."
        for each in record.tests:
            if each.startswith(inside):
                record.outcomes[each] = Outcome(entry["outcome"], entry["why"])
    elif "(" in test:  # A tearDown, after all tests it could be blamed on: a failure of its own.
        record.outcomes[test] = Outcome(entry["outcome"], entry["why"])


def together(outcomes: list[Outcome]) -> Outcome:
    """A test fails if it fails on any rank, and is skipped if no rank ran it."""
    for rank, outcome in enumerate(outcomes):
        if outcome.word == "failed":
            return Outcome("failed", f"rank {rank}: {outcome.why}")
    ran = any(outcome.word == "passed" for outcome in outcomes)
    return Outcome("passed") if ran else outcomes[0]


def of_module(name: str, ranks: list[RankRecord], trouble: str) -> dict[str, Outcome]:
    """Every test of a module. One that a rank did not end has failed; where the job had trouble
    that no test bears, the module itself has."""
    where = "; ".join(f"rank {i} in {r.running}" for i, r in enumerate(ranks) if r.running)
    lost = Outcome("failed", f"{name} {trouble or 'ended early'}{'; ' if where else ''}{where}")
    tests = dict.fromkeys(t for r in ranks for t in [*r.tests, *r.outcomes])
    found = {t: together([r.outcomes.get(t) or absent(r, t, lost) for r in ranks]) for t in tests}
    went_wrong = trouble or not all(r.began for r in ranks)
    if went_wrong and not any(o.word == "failed" for o in found.values()):
        found[name] = lost
    return found


def absent(record: RankRecord, test: str, lost: Outcome) -> Outcome:
    """A test without an end: lost, unless it is the failure of another rank's tearDown."""
    return lost if test in record.tests or not record.tests else Outcome("skipped")


@dataclass
class Judged:
    """The sums of a run."""

    passed: int = 0
    skipped: int = 0
    failed: list[str] = field(default_factory=list)
    listed_failed: int = 0
    listed_passed: list[str] = field(default_factory=list)

    @property
    def ran(self) -> int:
        """All tests but those that mpi4py skips."""
        return self.passed + len(self.failed) + self.listed_failed

    def add(self, other: "Judged") -> None:
        """Adds a module's sums."""
        self.passed += other.passed
        self.skipped += other.skipped
        self.failed += other.failed
        self.listed_failed += other.listed_failed
        self.listed_passed += other.listed_passed


def judge(found: dict[str, Outcome], listed: set[str]) -> Judged:
    """Holds a module's outcomes against the list."""
    judged = Judged()
    for test, outcome in found.items():
        if outcome.word == "skipped":
            judged.skipped += 1
        elif outcome.word == "passed":
            judged.passed += 1
            judged.listed_passed += [test] if test in listed else []
        elif test in listed:
            judged.listed_failed += 1
        else:
            judged.failed.append(test)
    return judged


@dataclass
class Listed:
    """The tests that may fail; those that would wait for ever for what is lacking are not run."""

    failing: set[str] = field(default_factory=set)
    hanging: set[str] = field(default_factory=set)

    def hanging_in(self, module: str) -> list[str]:
        """The tests of a module that are not run."""
        return sorted(t for t in self.hanging if t.startswith(f"{module}."))


def read_listed(path: Path) -> Listed:
    """The tests that may fail."""
    return listed_tests(tomllib.loads(path.read_text()))


def listed_tests(parts: dict) -> Listed:
    """Checks the list: it names single tests, with a reason, for what may be lacking."""
    listed = Listed()
    for part, entry in parts.items():
        if part not in LISTABLE:
            raise ValueError(f"listed.toml lists tests of `{part}`; only {sorted(LISTABLE)} may "
                             "be lacking")
        if not entry.get("reason"):
            raise ValueError(f"listed.toml gives no reason for {part}; say what is lacking")
        for names, kind in [(entry.get("tests", []), listed.failing),
                            (entry.get("hanging", []), listed.hanging)]:
            for test in names:
                if test.count(".") < 2 or "*" in test or test in listed.failing | listed.hanging:
                    raise ValueError(f"listed.toml names `{test}`; it must be one test of one "
                                     "class, module.Class.test, and stand there once")
                kind.add(test)
    return listed
