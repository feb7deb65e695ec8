"""What launches themselves tell: those that failed or hung, ranks that were not where they should
be, and ranks that had to share cores while others were free."""

from collections.abc import Sequence
from dataclasses import dataclass

from dunlin import words
from dunlin.anomalies.finding import Finding, Severity, who
from dunlin.model import Run
from dunlin.summary import Key, Study

MESSAGES_SHOWN = 5


def key_of(run: Run) -> Key:
    """A launch's place among the keys of cells."""
    return Key(
        run.system,
        run.library,
        run.profile,
        run.nodes,
        run.ranks_per_node,
        run.benchmark,
        0,
        "time_us",
        "local",
    )


def cpus(text: str) -> frozenset[int]:
    """The processors of a list such as "0-3,8"."""
    found: set[int] = set()
    for part in filter(None, (p.strip() for p in text.split(","))):
        first, _, last = part.partition("-")
        # A launcher's own words, imported from elsewhere, say nothing here.
        if first.isdigit() and (last or first).isdigit():
            found.update(range(int(first), int(last or first) + 1))
    return frozenset(found)


@dataclass(frozen=True)
class Misplaced:
    """What is wrong with a launch's placement, and how badly."""

    what: str
    severity: Severity


def judge(run: Run) -> Misplaced | None:
    """Compares where ranks were with what was asked for."""
    if run.status == "misplaced":
        return Misplaced(run.message or "the launcher placed ranks otherwise than asked", "wrong")
    if not run.placement:
        return None
    hosts: dict[str, list[frozenset[int]]] = {}
    for place in run.placement:
        hosts.setdefault(place.host, []).append(cpus(place.cpus))
    counts = sorted({len(on) for on in hosts.values()})
    if len(hosts) != run.nodes or counts != [run.ranks_per_node]:
        got = f"{words.plural(len(hosts), 'host')} with {words.listed(counts)} ranks"
        asked = f"{words.plural(run.nodes, 'host')} with {run.ranks_per_node}"
        return Misplaced(f"ranks were on {got}, not on {asked}", "wrong")
    return _crowded(run, hosts)


def _crowded(run: Run, hosts: dict[str, list[frozenset[int]]]) -> Misplaced | None:
    cores = run.machine.get("cores")
    if not isinstance(cores, int):
        return None
    for host, ranks in hosts.items():
        allowed = frozenset().union(*ranks)
        if allowed and len(allowed) < len(ranks) <= cores:
            return Misplaced(
                f"{len(ranks)} ranks on {host} had to share "
                f"{words.plural(len(allowed), 'core')} of its {cores}",
                "wrong",
            )
    return None


def find(study: Study) -> list[Finding]:
    """Misplacement and failures, one finding for each library, profile and kind of trouble."""
    return [*_find_misplaced(study.runs), *_find_failed(study.runs), *_find_unlike(study.runs)]


def _find_misplaced(runs: Sequence[Run]) -> list[Finding]:
    groups: dict[tuple[str, str, str, str], list[tuple[Run, Misplaced]]] = {}
    for run in runs:
        wrong = judge(run)
        if wrong is not None:
            group = (run.system, run.library, run.profile, wrong.what)
            groups.setdefault(group, []).append((run, wrong))
    found = []
    for members in groups.values():
        run, wrong = members[0]
        found.append(
            Finding(
                kind="placement",
                severity=wrong.severity,
                title=f"{run.library}: ranks were not placed as asked",
                text=(
                    f"In {words.plural(len(members), 'launch', 'launches')} of {who(key_of(run))} "
                    f"{wrong.what}. What was measured there is something else than its label says."
                ),
                advice=(
                    "Give the launcher's options for hosts and binding in the study's profile, and "
                    "look at the core counts of the cgroup the job ran in."
                ),
                key=key_of(run),
                strength=float(len(members)),
                columns=("Rank", "Host", "Cores"),
                rows=tuple((str(p.rank), p.host, p.cpus) for p in run.placement[:64]),
            )
        )
    return found


def _find_failed(runs: Sequence[Run]) -> list[Finding]:
    groups: dict[tuple[str, str, str, str, str], list[Run]] = {}
    for run in runs:
        if run.status in ("failed", "hang"):
            group = (run.status, run.system, run.library, run.profile, run.benchmark)
            groups.setdefault(group, []).append(run)
    return [_failed(members) for members in groups.values()]


def _failed(members: list[Run]) -> Finding:
    run = members[0]
    hung = run.status == "hang"
    layouts = sorted({words.layout(r.nodes, r.ranks_per_node) for r in members})
    said = next((r.message for r in members if r.message), None)
    text = (
        f"{words.plural(len(members), 'launch', 'launches')} of {run.benchmark} with "
        f"{who(key_of(run))} {'hung' if hung else 'failed'}: {'; '.join(layouts)}."
    )
    return Finding(
        kind=run.status,
        severity="wrong",
        title=f"{run.benchmark} {'hangs' if hung else 'fails'} with {run.library}",
        text=text + (f" It said: {said}" if said else ""),
        advice=(
            "The stacks of all ranks at the time are kept with the launch; they show who waits "
            "for whom."
            if hung
            else "Run the command below by hand to see all of its output."
        ),
        key=key_of(run),
        strength=float(len(members)),
        columns=("Launch", "Exit", "Command"),
        rows=tuple(
            (r.run_id, "" if r.exit_code is None else str(r.exit_code), " ".join(r.command))
            for r in members[:MESSAGES_SHOWN]
        ),
    )


def _bound(run: Run) -> bool | None:
    """Was every rank confined to less than the whole machine? None where that is not known."""
    cores = run.machine.get("cores")
    if not run.placement or not isinstance(cores, int) or run.ranks_per_node > cores:
        return None
    return all(len(cpus(place.cpus)) < cores for place in run.placement)


def _find_unlike(runs: Sequence[Run]) -> list[Finding]:
    """Libraries compared with each other, of which some bind their ranks and some do not."""
    found = []
    for system in sorted({run.system for run in runs}):
        ways: dict[bool, set[str]] = {}
        for run in runs:
            bound = _bound(run) if run.system == system else None
            if bound is not None:
                ways.setdefault(bound, set()).add(run.library)
        always, never = ways.get(True, set()), ways.get(False, set())
        if always - never and never - always:
            some = next(r for r in runs if r.system == system)
            found.append(
                Finding(
                    kind="placement",
                    severity="note",
                    title=f"{system}: some libraries bind their ranks, others do not",
                    text=(
                        f"On {system} {words.listed(sorted(always - never))} confined each rank to "
                        f"cores of its own, {words.listed(sorted(never - always))} did not. A part "
                        "of the difference between them may be the binding's."
                    ),
                    advice="Ask for the same binding in the profile of every library.",
                    key=key_of(some),
                    strength=1.0,
                )
            )
    return found
