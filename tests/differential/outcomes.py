"""What the other libraries did, as a table in the tree, and how it is compared with what Dunlin
does."""

import fnmatch
import lzma
import re
import textwrap
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
# One line for each case: its name and an outcome for each of PEERS; `=` is the one before.
TABLE = HERE / "peers.tsv.xz"
REASONS = HERE / "reasons.toml"
PEERS = ["mpich", "openmpi", "intel"]
SHOWN = {"mpich": "MPICH", "openmpi": "Open MPI", "intel": "Intel MPI"}

# A crash, a hang, an end of the process or a function that is not there say nothing of what is
# right.
NO_ANSWER = re.compile(r"absent$|crashes|hangs|ends the process")


def answers(outcome: str) -> bool:
    """Does a library's outcome say what a call may do?"""
    return not NO_ANSWER.search(outcome)


def accepts(outcome: str) -> bool:
    """Did the call succeed?"""
    return outcome.startswith("ok")


@dataclass(frozen=True)
class Difference:
    """A case in which Dunlin does not do what every other library that answers does."""

    case: str
    ours: str
    theirs: dict[str, str]

    @property
    def kind(self) -> str:
        """`refused`, `accepted`, `class`, `output` or `crash`; `by all` where no other library that
        answers is with Dunlin."""
        answered = [outcome for outcome in self.theirs.values() if answers(outcome)]
        if not answers(self.ours):
            return "crash"
        accepted = [outcome for outcome in answered if accepts(outcome)]
        if accepts(self.ours):
            if len(accepted) == 0:
                return "accepted by none"
            return "accepted by some" if len(accepted) < len(answered) else "output"
        if not accepted:
            return "class"
        return "refused by none" if len(accepted) == len(answered) else "refused by some"


def compare(ours: dict[str, str], peers: dict[str, dict[str, str]]) -> list[Difference]:
    """All differences, in the order of the cases."""
    found = []
    for case, outcome in ours.items():
        theirs = peers[case]
        answered = [other for other in theirs.values() if answers(other)]
        if not answers(outcome) and outcome in theirs.values():
            continue
        if any(other != outcome for other in answered) or not answers(outcome):
            found.append(Difference(case, outcome, theirs))
    return found


def write_table(outcomes: dict[str, dict[str, str]]) -> None:
    """Keeps the outcomes of the peers: by peer, by case."""
    lines = []
    for case in outcomes[PEERS[0]]:
        row = [outcomes[peer].get(case, "absent") for peer in PEERS]
        short = ["=" if i and cell == row[i - 1] else cell for i, cell in enumerate(row)]
        lines.append("\t".join([case, *short]))
    TABLE.write_bytes(lzma.compress("\n".join(lines).encode(), preset=9))


def read_table() -> dict[str, dict[str, str]]:
    """The outcomes of the peers: by case, by peer."""
    table = {}
    for line in lzma.decompress(TABLE.read_bytes()).decode().splitlines():
        case, *cells = line.split("\t")
        for i, cell in enumerate(cells):
            if cell == "=":
                cells[i] = cells[i - 1]
        table[case] = dict(zip(PEERS, cells, strict=True))
    return table


@dataclass
class Reason:
    """Why some differences stay."""

    title: str
    why: str
    cases: list[str]
    kinds: list[str]

    def covers(self, difference: Difference) -> bool:
        """Is it the reason for this one?"""
        return (not self.kinds or difference.kind in self.kinds) and any(
            fnmatch.fnmatchcase(difference.case, pattern) for pattern in self.cases)


def reasons() -> list[Reason]:
    """The reasons; the first that covers a difference is its reason."""
    entries = tomllib.loads(REASONS.read_text())["reason"]
    return [Reason(e["title"], " ".join(e["why"].split()), e.get("cases", ["*"]),
                   e.get("kinds", [])) for e in entries]


@dataclass
class Explained:
    """Differences by reason, and those that have none."""

    by_reason: list[tuple[Reason, list[Difference]]]
    without: list[Difference]


def explain(differences: list[Difference]) -> Explained:
    """Finds each difference's reason."""
    known = reasons()
    groups: list[list[Difference]] = [[] for _ in known]
    without: list[Difference] = []
    for difference in differences:
        at = next((i for i, reason in enumerate(known) if reason.covers(difference)), None)
        (without if at is None else groups[at]).append(difference)
    return Explained(list(zip(known, groups, strict=True)), without)


def cell(text: str) -> str:
    """Text for a table."""
    return text.replace("|", "\\|")


def page(cases: int, functions: int, explained: Explained) -> str:
    """docs/differences.md."""
    groups = explained.by_reason
    kinds = Counter(d.kind for _, group in groups for d in group)
    total = sum(kinds.values())
    lines = [
        "# Where Dunlin does something else than the other libraries", "",
        "This page is generated by `make differential` from a differential test",
        "([tests/differential](../tests/differential)): programs generated from one description",
        f"run {cases:,} cases on Dunlin, MPICH 5.0.2, Open MPI 5.0.11 and Intel MPI 2021.18.1.", "",
        f"- {functions} functions with null, zero, negative, freed and other edge arguments, one at"
        " a time and", "  beside an empty count or a null process;",
        "- every predefined operator on every predefined datatype, in eight calls, on two ranks;",
        "- what may be called before, between and after `MPI_Init` and `MPI_Finalize`, and who"
        " hears of an", "  error.", "",
        "An outcome is success with what the call wrote, or an error class. A crash, a hang or a"
        " function that", "a library lacks says nothing about what is right.", "",
        f"In {cases - total:,} cases Dunlin does what every library that answers does. In the other"
        f" {total:,}", "these do not agree with Dunlin, and mostly not with each other:", "",
        "| kind | cases |", "|---|---:|",
        *(f"| {KINDS[kind]} | {count:,} |" for kind, count in sorted(kinds.items())), "",
        "The rule: where the standard leaves a thing open, or the other libraries agree in"
        " accepting it, Dunlin", "does what they do. What is left has a reason:", "",
    ]
    for reason, group in ((reason, group) for reason, group in groups if group):
        first = group[0]
        outcomes = ", ".join(f"{SHOWN[peer]} `{first.theirs[peer]}`" for peer in PEERS)
        example = (f"{len(group):,} cases, for example `{cell(first.case)}`: Dunlin"
                   f" `{first.ours}`, {outcomes}.")
        lines += [f"## {reason.title}", "", textwrap.fill(reason.why, 100), "",
                  textwrap.fill(example, 100, break_on_hyphens=False), ""]
    return "\n".join(lines).rstrip() + "\n"


KINDS = {
    "accepted by none": "Dunlin accepts, no other library does",
    "accepted by some": "Dunlin accepts, as some of the others do",
    "class": "all refuse, with different error classes",
    "crash": "Dunlin gives no answer",
    "output": "all accept, and answer different things",
    "refused by none": "Dunlin refuses, all others that answer accept",
    "refused by some": "Dunlin refuses, as some of the others do",
}
