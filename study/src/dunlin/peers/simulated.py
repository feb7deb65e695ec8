"""`make bench-simulation`: collective operations as `dunlin simulate` predicts them, beside what
they take here: every algorithm, on this node and on hosts that are network namespaces of it. The
model is measured first, by single cores and pairs of ranks alone, as `dunlin calibrate` does."""

import argparse
import contextlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations, groupby, pairwise, permutations
from math import comb, exp, log, sqrt
from pathlib import Path
from statistics import mean, median
from typing import TYPE_CHECKING

from rich.console import Console

from dunlin import (
    checkout,
    collective_launch,
    measured_machine,
    network_calibration,
    simulation,
)
from dunlin.cli import told
from dunlin.collective_launch import Launch
from dunlin.errors import DunlinError
from dunlin.libraries import Library
from dunlin.peers import cases, rounds, spread
from dunlin.peers.cases import KIB, MIB
from dunlin.peers.machine_state import TURNS, State, best, fastest, half_round_trips
from dunlin.simulation import Request
from dunlin.ticker import Ticker

if TYPE_CHECKING:
    from tests.cluster.cluster import Cluster

NODE_RANKS = [2, 4, 8, 16]
HOSTS, HOST_RANKS = [2, 3, 4], [1, 2, 4]
SIZES = [8, KIB, 16 * KIB, 128 * KIB, MIB]
# Algorithms that take longer than so many times the fastest are not asked for.
GIVE_UP = 20.0
# What counts as near.
NEAR = 0.4
ALGORITHMS_MIN = 3
# Where the slowest takes so many times as long as the fastest, there is an order to find.
APART = 2.0
# What takes so many times as long is slower, whatever else the machine did.
NOISE = 1.2
WORST_SHOWN = 12
# So long a launch is made again if the machine was not in the right state before and after it.
PATIENCE_S = 8


@dataclass(frozen=True)
class Point:
    """A call by one algorithm."""

    nodes: int
    ppn: int
    operation: str
    bytes: int
    algorithm: str
    selected: bool  # what a call runs
    simulated_us: float
    measured_us: float
    model: str  # the file in the directory of results
    round: int = 1  # in which it was measured

    @property
    def ratio(self) -> float:
        """Of simulated to measured."""
        return self.simulated_us / self.measured_us

    @property
    def error(self) -> float:
        """As a part of what was measured."""
        return abs(self.ratio - 1)

    @property
    def layout(self) -> tuple[int, int]:
        """Nodes, and ranks of each."""
        return self.nodes, self.ppn

    @property
    def call(self) -> tuple[int, int, str, int, str]:
        """What algorithms compete for, while the machine is in one state."""
        return self.nodes, self.ppn, self.operation, self.bytes, self.model


def correlation(points: Sequence[Point]) -> float | None:
    """Of the orders in which algorithms of one call are fast (Spearman's); none of a few."""
    return _correlation([p.simulated_us for p in points], [p.measured_us for p in points])


def _correlation(one: Sequence[float], other: Sequence[float]) -> float | None:
    from scipy.stats import spearmanr  # takes long to load

    # Where all take the same time, there is no order.
    if len(one) < ALGORITHMS_MIN or len(set(one)) == 1 or len(set(other)) == 1:
        return None
    return float(spearmanr(one, other)[0])


def differ(points: Sequence[Point]) -> bool:
    """Whether algorithms of one call are far apart."""
    measured = [point.measured_us for point in points]
    return max(measured) > APART * min(measured)


def pairs_in_order(points: Sequence[Point]) -> list[bool]:
    """Of each pair of algorithms that differ by more than noise: whether the faster one is the
    faster one in simulation, too."""
    pairs = combinations(sorted(points, key=lambda point: point.measured_us), 2)
    return [fast.simulated_us < slow.simulated_us for fast, slow in pairs
            if slow.measured_us > NOISE * fast.measured_us]  # fmt: skip


def loss(points: Sequence[Point]) -> float:
    """How many times as long as the fastest takes what the simulation thinks fastest."""
    chosen = min(points, key=lambda point: point.simulated_us)
    return chosen.measured_us / min(point.measured_us for point in points)


def by_call(points: Iterable[Point]) -> list[list[Point]]:
    """The algorithms of each call."""
    ordered = sorted(points, key=lambda point: point.call)
    return [list(group) for _, group in groupby(ordered, key=lambda point: point.call)]


# Of one algorithm, by round.
Rounds = dict[int, Point]


def repeats(points: Iterable[Point]) -> list[dict[str, Rounds]]:
    """The calls that were measured in several rounds, by algorithm."""
    calls: dict[tuple[object, ...], dict[str, Rounds]] = {}
    for point in points:
        call = calls.setdefault((point.layout, point.operation, point.bytes), {})
        call.setdefault(point.algorithm, {})[point.round] = point
    return [call for call in calls.values() if len({n for of in call.values() for n in of}) > 1]


def between_rounds(points: Iterable[Point]) -> float | None:
    """The rank correlation of two rounds that follow each other, by the algorithms that both have
    measured: how reliable one round is. None if there was one."""
    found = []
    for call in repeats(points):
        for first, second in pairwise(sorted({number for of in call.values() for number in of})):
            both = [of for of in call.values() if first in of and second in of]
            found.append(_correlation(*([of[number].measured_us for of in both]
                                        for number in (first, second))))  # fmt: skip
    known = [value for value in found if value is not None]
    return mean(known) if known else None


@dataclass(frozen=True)
class Apart:
    """Pairs of algorithms of a call that rounds tell apart."""

    part: float  # of all pairs
    by_chance: float  # how large that would be of times without any order
    in_order: float  # of those apart, in the same order in simulation: by chance a half


def in_both(one: Rounds, other: Rounds) -> tuple[list[Point], list[Point]]:
    """Two algorithms in the rounds that have measured both."""
    numbers = sorted(one.keys() & other.keys())
    return [one[number] for number in numbers], [other[number] for number in numbers]


def apart_in_order(points: Iterable[Point]) -> Apart | None:
    """Pairs of which the slowest time of one is below the fastest of the other, in at least two
    rounds that have measured both."""
    pairs = [pair for call in repeats(points) for of in combinations(call.values(), 2)
             if len((pair := in_both(*of))[0]) > 1]  # fmt: skip
    apart = [(fast, slow) for pair in pairs for fast, slow in permutations(pair)
             if max(p.measured_us for p in fast) < min(p.measured_us for p in slow)]  # fmt: skip
    if not apart:
        return None
    right = mean(mean(p.simulated_us for p in fast) < mean(p.simulated_us for p in slow)
                 for fast, slow in apart)  # fmt: skip
    by_chance = mean(2 / comb(2 * len(one), len(one)) for one, _ in pairs)
    return Apart(len(apart) / len(pairs), by_chance, right)


def of_rounds(points: Sequence[Point]) -> list[str]:
    """What several rounds say of the measurement itself."""
    reliability, apart = between_rounds(points), apart_in_order(points)
    if reliability is None or apart is None:
        return []
    # What is right correlates with one round by the root of that: both rounds have noise.
    ceiling = sqrt(max(reliability, 0))
    return ["", f"Two rounds order the algorithms of a call with a rank correlation of "
            f"{reliability:.2f}: that of a simulation without any error with one round would be "
            f"about {ceiling:.2f}.",
            f"Rounds tell {apart.part:.0%} of all pairs of algorithms apart "
            f"({apart.by_chance:.0%} by chance); the simulation has {apart.in_order:.0%} of these "
            "in the same order (50% by chance)."]  # fmt: skip


def line(name: str, points: Sequence[Point]) -> str:
    """A row of the table."""
    calls = by_call(points)
    orders = [(value, differ(call)) for call in calls if (value := correlation(call)) is not None]
    found, apart = [value for value, _ in orders], [value for value, far in orders if far]
    losses = [loss(call) for call in calls]
    ordered = [right for call in calls for right in pairs_in_order(call)]
    cells = [name]
    for some in ([point for point in points if point.selected], list(points)):
        if not some:
            cells += ["0", "", "", ""]
            continue
        errors, ratios = [p.error for p in some], [log(p.ratio) for p in some]
        near = mean(error <= NEAR for error in errors)
        cells += [str(len(some)), f"{median(errors):.0%}", f"{near:.0%}"]
        cells += [f"{exp(mean(ratios)):.2f}"]
    cells += [f"{mean(some):.2f}" if some else "" for some in (found, apart)]
    cells += [f"{mean(ordered):.0%}" if ordered else ""]
    cells += [f"{exp(mean(map(log, losses))):.2f}", f"{max(losses):.2f}"]
    return "| " + " | ".join(map(str, cells)) + " |"


OF_ERRORS = "median error | within 40 % | simulated / measured"
HEAD = (f"| job | calls | {OF_ERRORS} | all algorithms | {OF_ERRORS} | rank correlation "
        f"| where they differ | pairs in order | loss | worst loss |\n{'|---' * 14}|")  # fmt: skip


def layout_name(layout: tuple[int, int]) -> str:
    """In words."""
    nodes, ppn = layout
    return f"{ppn} ranks" if nodes == 1 else f"{nodes} hosts of {ppn}"


def report(points: Sequence[Point]) -> str:
    """Errors by job, by operation, and where they are largest."""
    lines = [HEAD]
    for layout in sorted({point.layout for point in points}):
        lines.append(line(layout_name(layout), [p for p in points if p.layout == layout]))
    for name, some in (("one node", [p for p in points if p.nodes == 1]),
                       ("hosts", [p for p in points if p.nodes > 1]), ("all", list(points))):
        if some:
            lines.append(line(name, some))
    lines += ["", HEAD]
    for operation in sorted({point.operation for point in points}):
        lines.append(line(operation, [p for p in points if p.operation == operation]))
    lines += ["", "Farthest off of what calls run:"]
    worst = sorted((p for p in points if p.selected), key=lambda p: -abs(log(p.ratio)))
    lines += [f"  {p.operation} of {p.bytes} bytes by {layout_name(p.layout)}, {p.algorithm}: "
              f"simulated {p.simulated_us:.3g} us, measured {p.measured_us:.3g}"
              for p in worst[:WORST_SHOWN]]  # fmt: skip
    lines += of_rounds(points)
    return "\n".join(lines) + "\n"


# By size and algorithm: what it takes, and whether a call runs it.
Predicted = dict[tuple[int, str], tuple[float, bool]]


def predicted(model: Path, layout: tuple[int, int], operation: str,
             sizes: Sequence[int]) -> Predicted:  # fmt: skip
    """What the simulation says of every algorithm."""
    nodes, ppn = layout
    found: Predicted = {}
    for algorithms in (["all"], ["selected"]):
        request = Request(str(model), [operation], [nodes], [ppn], sizes, algorithms,
                          give_up=GIVE_UP)  # fmt: skip
        for result, _ in simulation.run(request):
            if result is not None:
                found[result.bytes, result.algorithm] = result.completion_us, result.selected
    return found


def again(out: Path) -> list[Point]:
    """The points that the last run has left there, simulated anew on the models beside them."""
    file = out / "simulation.json"
    if not file.exists():
        sys.exit(f"{file} is not there; --again simulates what an earlier run has measured")
    points = [Point(**record) for record in json.loads(file.read_text())]
    anew = []
    for call in groupby(points, key=lambda point: (point.layout, point.operation, point.model)):
        (layout, operation, model), some = call[0], list(call[1])
        found = predicted(out / model, layout, operation, sorted({point.bytes for point in some}))
        for point in some:
            if (point.bytes, point.algorithm) in found:
                simulated, selected = found[point.bytes, point.algorithm]
                anew.append(replace(point, simulated_us=simulated, selected=selected))
    if left_out := len(points) - len(anew):
        print(f"{left_out} points are of algorithms that are not simulated now", file=sys.stderr)
    return anew


@dataclass
class Model:
    """Models of this machine, one for each state that was its fastest for a while; on hosts, where
    a line within a node is little of all, one for all."""

    library: Library  # on one node
    between: Library | None  # on two hosts
    file: Path  # of the first; a number is added
    known: list[tuple[State, Path]] = field(default_factory=list)

    def now(self) -> tuple[State, Path]:
        """The state that is the fastest now, and its file."""
        state = fastest(lambda: half_round_trips(self.library))
        for of, file in self.known:
            if self.between or of.is_like(state):
                return of, file
        file = self.file.with_stem(f"{self.file.stem}-{len(self.known) + 1}")
        cpus = sorted(os.sched_getaffinity(0))
        with tempfile.TemporaryDirectory() as directory:
            _, text = measured_machine.measure(
                self.library, self.between, Path(directory), cpus, 1,
                repeated=lambda run: best([run() for _ in range(TURNS)]),
            )  # fmt: skip
        file.write_text(text)
        self.known.append((state, file))
        return state, file


@dataclass(frozen=True)
class Job:
    """A job, and the model that predicts its calls."""

    library: Library
    model: Model
    nodes: int
    ppn: int
    round: int

    def calls(self, operation: str, sizes: Sequence[int], tell: "Teller") -> Iterator[Point]:
        """All calls of one operation, in one state of the machine."""
        layout = self.nodes, self.ppn
        state, model = self.model.now()
        expected = predicted(model, layout, operation, sizes)
        found: dict[tuple[int, str], float] = {}
        for turn in range(1, (TURNS if self.nodes == 1 else 1) + 1):
            for algorithm in sorted({algorithm for _, algorithm in expected}):
                tell.say(f"{operation} by {layout_name(layout)}, {algorithm}, turn {turn}")
                for size, us in self.in_state(state, operation, algorithm, sizes).items():
                    call = size, algorithm
                    found[call] = min(us, found.get(call, us))
        missing = {algorithm for _, algorithm in expected} - {algorithm for _, algorithm in found}
        if missing:
            names = ", ".join(sorted(missing))
            print(f"{operation} by {layout_name(layout)} has no times of {names}", file=sys.stderr)
        for call, us in found.items():
            if call in expected:
                simulated, selected = expected[call]
                yield Point(*layout, operation, *call, selected, simulated, us, model.name,
                            self.round)  # fmt: skip

    def in_state(
        self, state: State, operation: str, algorithm: str, sizes: Sequence[int]
    ) -> dict[int, float]:
        """Times by size, on one node while the machine is in this state: that may last for a
        moment only. Empty if it is not seen before and after any launch."""
        if self.nodes > 1:
            return self.measured(operation, algorithm, sizes)

        def is_there() -> bool:
            return half_round_trips(self.model.library).is_like(state)

        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            if is_there():
                found = self.measured(operation, algorithm, sizes)
                if is_there():
                    return found
        return {}

    def measured(self, operation: str, algorithm: str, sizes: Sequence[int]) -> dict[int, float]:
        """Times by size; none if it fails."""
        program = collective_launch.program(self.library, checkout.BUILT)
        forced = collective_launch.forced(operation, algorithm)
        try:
            return Launch(self.library, program, self.nodes, self.ppn, operation, sizes,
                          forced).run()  # fmt: skip
        except DunlinError as why:
            print(f"{operation} by {algorithm} {why}", file=sys.stderr)
            return {}


@dataclass
class Teller:
    """What is going on, and how much of it is left."""

    ticker: Ticker
    jobs: int
    done: int = 0

    def say(self, words: str) -> None:
        """Within a job."""
        self.ticker.say(self.done, self.jobs, words)


@dataclass
class Few:
    """The first hosts of a cluster."""

    mtu: int
    hosts: Sequence[spread.Host]


def spread_over(net: "Cluster", prefix: Path, hosts: int) -> Library:
    """Dunlin on the first few of the hosts."""
    library = spread.dunlin(prefix, Few(net.mtu, net.hosts[:hosts])).library
    return replace(library, environment={**library.environment, **network_calibration.YIELDS})


@dataclass(frozen=True)
class Plan:
    """What is compared."""

    prefix: Path
    out: Path
    operations: Sequence[str]
    sizes: Sequence[int]
    layouts: Sequence[tuple[int, int]]
    mbit: int
    rounds: int

    def points(self, tell: Teller) -> Iterator[Point]:
        """Of all rounds."""
        self.out.mkdir(parents=True, exist_ok=True)
        for number in range(1, self.rounds + 1):
            yield from self.on_node(number, tell)
            yield from self.on_hosts(number, tell)

    def on_node(self, number: int, tell: Teller) -> Iterator[Point]:
        """One round of the jobs on this node."""
        library = checkout.dunlin(self.prefix)
        model = Model(library, None, self.out / f"node-{number}.toml")
        for layout in [layout for layout in self.layouts if layout[0] == 1]:
            yield from self.of_job(Job(library, model, *layout, number), tell)

    def on_hosts(self, number: int, tell: Teller) -> Iterator[Point]:
        """One round of the jobs on hosts that are namespaces."""
        from tests.cluster import faults  # only a checkout has them
        from tests.cluster.cluster import Cluster

        layouts = [layout for layout in self.layouts if layout[0] > 1]
        if not layouts:
            return
        most = max(nodes for nodes, _ in layouts)
        with Cluster(hosts=most) as net, faults.slow_links(net, self.mbit):
            two = spread_over(net, self.prefix, 2)
            library = checkout.dunlin(self.prefix)
            model = Model(library, two, self.out / f"hosts-{number}.toml")
            for layout in layouts:
                library = spread_over(net, self.prefix, layout[0])
                yield from self.of_job(Job(library, model, *layout, number), tell)
                net.end_processes()

    def of_job(self, job: Job, tell: Teller) -> Iterator[Point]:
        """All operations of one job."""
        for operation in self.operations:
            sizes = [0] if operation == "barrier" else self.sizes
            yield from job.calls(operation, sizes, tell)
        tell.done += 1


def parse() -> argparse.Namespace:
    """The command line."""
    parser = rounds.parser("simulation", __doc__, "fewer operations, up to 128 KiB: 20 minutes")
    parser.set_defaults(launches=1)
    parser.add_argument("--operations", nargs="+", metavar="NAME", choices=cases.OPERATIONS_FULL,
                        help="these operations (default: all; with --quick the most common)")
    parser.add_argument("--only", choices=["node", "hosts"], help="one node, or several hosts")
    parser.add_argument("--sizes", nargs="+", type=int, metavar="BYTES",
                        help="these sizes (default: 8 B to 1 MiB; with --quick to 128 KiB)")
    parser.add_argument("--again", action="store_true",
                        help="measure nothing: simulate anew what the last run has measured, on "
                             "the models that it has left")
    parser.add_argument("--mbit", type=int, default=500, metavar="N",
                        help="of the links between hosts (default: %(default)s)")
    options = rounds.parse(parser)
    options.operations = options.operations or (
        cases.OPERATIONS if options.quick else cases.OPERATIONS_FULL)
    options.sizes = options.sizes or (SIZES[:-1] if options.quick else SIZES)
    return options


def layouts_of(options: argparse.Namespace) -> list[tuple[int, int]]:
    """Nodes and ranks of each."""
    node = [(1, ranks) for ranks in NODE_RANKS] if options.only != "hosts" else []
    hosts = [(n, ranks) for n in HOSTS for ranks in HOST_RANKS] if options.only != "node" else []
    return [layout for layout in node + hosts
            if not options.ranks or layout[0] * layout[1] in options.ranks]


def main() -> None:
    """All comparisons."""
    from tests.cluster.cluster import obstacle  # only a checkout has it

    options = parse()
    layouts, began = layouts_of(options), time.monotonic()
    if options.again:
        print(report(again(options.out)))
        return
    if any(nodes > 1 for nodes, _ in layouts) and (why := obstacle()):
        print(f"no hosts: {why}", file=sys.stderr)
        layouts = [layout for layout in layouts if layout[0] == 1]
    plan = Plan(options.prefix, options.out, options.operations, options.sizes, layouts,
                options.mbit, options.launches)
    points: list[Point] = []

    def end() -> str:
        text = rounds.end_with(report(points), began, options)
        rounds.save(options.out, "simulation", [asdict(point) for point in points], text)
        return text

    with Ticker(Console(stderr=True)) as ticker, contextlib.suppress(KeyboardInterrupt):
        for point in plan.points(Teller(ticker, len(layouts) * plan.rounds)):
            if points and point.operation != points[-1].operation:
                end()  # what there is, should this be killed
            points.append(point)
    if not points:
        sys.exit("nothing was measured")
    print(end())


if __name__ == "__main__":
    told(main)
