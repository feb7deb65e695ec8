"""Studies made of formulas and seeded luck: clean ones, in which nothing is to be found, and the
means to plant something in them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import numpy as np

from dunlin.model import Placement, Run, Sample, write
from dunlin.summary import Cell, Key, Study, cells_from, load

LAUNCHES = 5
RANKS_PER_NODE = (2, 4, 8, 16, 32, 48, 64, 96)
SIZES = (8, 64, 512, 4096, 32768)
COLLECTIVES = ("allgather", "allreduce", "bcast", "gather", "reduce")
CORES = 128
WHEN = datetime(2026, 1, 1, tzinfo=UTC)

Change = Callable[[Key, float], float]


@dataclass
class Recipe:
    """What a study consists of."""

    libraries: Sequence[str] = ("first", "second")
    profiles: Sequence[str] = ("none",)
    nodes: int = 4
    ranks_per_node: Sequence[int] = RANKS_PER_NODE
    sizes: Sequence[int] = SIZES
    benchmarks: Sequence[str] = COLLECTIVES
    launches: int = LAUNCHES
    change: Change = field(default=lambda _key, value: value)


def small(seed: int) -> Recipe:
    """Of every sort a little, so that a thousand are judged in less than a minute."""
    libraries = ("first", "second") if seed % 4 == 0 else ("first",)
    return Recipe(
        libraries=libraries,
        ranks_per_node=(2, 4, 8, 16, 32, 64, 96),
        launches=3 + seed % 4,
    )


def _course(rng: np.random.Generator) -> Callable[[float, float], float]:
    """A smooth time over ranks and bytes, of a shape drawn by lot: rounds, a linear or quadratic
    amount of data, or a power of the ranks."""
    start, per_round = rng.uniform(1, 20), rng.uniform(0.5, 10)
    per_rank = rng.uniform(0, 0.3)
    per_byte = 10 ** rng.uniform(-4.5, -2.5)
    power = rng.uniform(0.0, 1.3)
    quadratic = rng.choice([0.0, 1e-3]) * rng.uniform(0, 1)

    def value(ranks: float, size: float) -> float:
        grown = start + per_round * np.log2(ranks) + per_rank * ranks + quadratic * ranks**2
        return float(grown + per_byte * size * ranks**power)

    return value


def clean(seed: int, recipe: Recipe | None = None) -> Study:
    """A study without a finding: smooth courses, each a library's own, and log-normal launches of
    a machine that may be quiet or not; now and then a launch that was half as slow again."""
    recipe = recipe or Recipe()
    rng = np.random.default_rng(seed)
    sigma = float(rng.choice([0.01, 0.03, 0.06, 0.1, 0.15]))
    courses = _consistent(rng, recipe)
    rows, runs, order = [], [], 0
    places = product(recipe.libraries, recipe.profiles, recipe.ranks_per_node, recipe.benchmarks)
    for library, profile, rpn, benchmark in places:
        course = courses[library, benchmark]
        for repetition in range(recipe.launches):
            run_id = f"{library}-{profile}-{benchmark}-{rpn}-{repetition}"
            runs.append(make_run(run_id, library, profile, recipe.nodes, rpn, benchmark, order))
            order += 1
            luck = 1.5 if rng.random() < 0.01 else 1.0
            noise = luck * np.exp(sigma * rng.standard_normal(len(recipe.sizes)))
            for size, factor in zip(recipe.sizes, noise, strict=True):
                key = Key(
                    "alpha",
                    library,
                    profile,
                    recipe.nodes,
                    rpn,
                    benchmark,
                    size,
                    "time_us",
                    "global",
                )
                value = course(recipe.nodes * rpn, size) * float(factor)
                rows.append((key, run_id, recipe.change(key, value)))
    shuffled = rng.permutation(len(runs))
    for run, place in zip(runs, shuffled, strict=True):
        run.order = int(place)
    return Study("synthetic", runs, cells_from(rows))


def _consistent(
    rng: np.random.Generator, recipe: Recipe
) -> dict[tuple[str, str], Callable[[float, float], float]]:
    """Courses under which no operation is slower than others that do its work."""
    courses = {}
    for library in recipe.libraries:
        base = _course(rng)
        for benchmark in recipe.benchmarks:
            factor = FACTORS.get(benchmark, 1.0)
            courses[library, benchmark] = _scaled(base, factor)
    return courses


FACTORS = {
    "gather": 0.8,
    "reduce": 0.9,
    "bcast": 0.8,
    "allgather": 0.95,
    "allreduce": 1.2,
    "alltoall": 1.3,
}


def _scaled(
    base: Callable[[float, float], float], factor: float
) -> Callable[[float, float], float]:
    return lambda ranks, size: factor * base(ranks, size)


# Copying it is much faster than making one.
_RUN = Run(
    run_id="", study="synthetic", system="alpha", library="", library_version="1.0", nodes=1,
    ranks_per_node=1, benchmark="", started=WHEN, seconds=1.0, exit_code=0,
    machine={"cores": CORES, "kernel": "6.1"},
)  # fmt: skip


def make_run(
    run_id: str, library: str, profile: str, nodes: int, rpn: int, benchmark: str, order: int
) -> Run:
    """A launch that went well; its placement is left out, as most launchers leave it."""
    return _RUN.model_copy(
        update={
            "run_id": run_id, "library": library, "vendor": library, "profile": profile,
            "nodes": nodes, "ranks_per_node": rpn, "benchmark": benchmark, "order": order,
            "command": ["mpirun", "-n", str(nodes * rpn), benchmark],
        }
    )  # fmt: skip


def placed(run: Run, cpus: Callable[[int], str], hosts: int | None = None) -> Run:
    """The same launch with each rank's place on record."""
    hosts = hosts or run.nodes
    ranks = range(run.nodes * run.ranks_per_node)
    places = [
        Placement(rank=r, host=f"host{r * hosts // len(ranks)}", cpus=cpus(r % run.ranks_per_node))
        for r in ranks
    ]
    return run.model_copy(update={"placement": places})


def with_values(study: Study, change: Callable[[Cell], np.ndarray]) -> Study:
    """The same study with every cell's values replaced."""
    cells = [replace(c, values=change(c)) for c in study.cells]
    return Study(study.name, study.runs, cells)


SHOWN_LAYOUTS = (
    ("alpha", tuple((1, n) for n in (2, 4, 8, 16, 24, 32, 48, 64))),
    ("beta", ((2, 8), (4, 8), (8, 8))),
)
SHOWN = ("latency", "bandwidth", "startup", "weather", *COLLECTIVES, "alltoall", "barrier")
UNSIZED = ("startup", "barrier", "weather")
SPEEDS = {"one": 1.0, "two<&>": 1.3, "three": 0.9}
SHOWN_SIZES = tuple(2**i for i in range(0, 21, 2))


def showcase(directory: Path) -> Study:
    """A study with something of everything, as raw lines in a directory: two systems, three
    libraries, a profile, a knee, a cliff, a hang, and the marks that must be escaped."""
    rng = np.random.default_rng(7)
    (directory / "raw").mkdir(parents=True)
    order = 0
    for (system, layouts), library, benchmark in product(
        SHOWN_LAYOUTS,
        ("one", "two<&>", "three"), SHOWN,
    ):  # fmt: skip
        speed = SPEEDS[library] * float(rng.uniform(0.95, 1.05))
        for profile in ("none", "tuned") if library == "one" else ("none",):
            faster = 0.85 if profile == "tuned" else 1.0
            for (nodes, rpn), repetition in product(layouts, range(6)):
                if benchmark in ("latency", "bandwidth") and (nodes, rpn) != layouts[0]:
                    continue
                run_id = f"{system}-{order:05}"
                run = make_run(run_id, library, profile, nodes, rpn, benchmark, order)
                run = run.model_copy(update={"system": system, "repetition": repetition})
                order += 1
                scale = speed * faster * float(np.exp(0.04 * rng.standard_normal()))
                samples = _shown_samples(run, scale, rng)
                if library == "three" and benchmark == "alltoall" and rpn == 64 and repetition == 2:
                    run = run.model_copy(update={
                        "status": "hang", "message": "no end after 60 s; ranks wait in <Alltoall>",
                    })  # fmt: skip
                    samples = []
                write(directory / "raw" / f"{run_id}.jsonl", run, samples)
    return load(directory)


def _shown_samples(run: Run, scale: float, rng: np.random.Generator) -> list[Sample]:
    ranks = run.nodes * run.ranks_per_node
    sizes = (0,) if run.benchmark in UNSIZED else SHOWN_SIZES
    samples = []
    for size in sizes:
        time = (0.4 + 1.6 * (run.nodes > 1)) * np.log2(ranks) + size * 1.1e-4
        if run.benchmark in ("allgather", "alltoall", "gather"):
            time += size * ranks * 0.8e-4 * run.ranks_per_node ** (run.nodes > 1)
        if run.benchmark == "alltoall":
            time *= 1.2
        if run.library == "two<&>" and run.benchmark in ("allreduce", "reduce"):
            time *= 1 + max(0, run.ranks_per_node - 32) / 12
        if run.library == "three" and run.benchmark == "bcast" and size >= 4096:
            time *= 4
        if run.benchmark == "startup":
            time = 60_000 + 900 * ranks
        if run.benchmark == "weather":
            time = 4e9 / ranks + 1.5e6 * np.log2(ranks)
        value = float(time * scale * np.exp(0.02 * rng.standard_normal()))
        rate = run.benchmark == "bandwidth"
        samples.append(Sample(
            run_id=run.run_id, benchmark=run.benchmark, bytes=size,
            metric="bandwidth_mbps" if rate else "time_us",
            clock="local" if run.benchmark == "latency" else "global",
            values=[size / value] if rate else [value], iterations=1,
        ))  # fmt: skip
    return samples


def latency_samples(run_id: str) -> list[Sample]:
    """A small launch's samples."""
    return [
        Sample(run_id=run_id, benchmark="latency", bytes=2**i, metric="time_us", values=[1.0 + i])
        for i in range(5)
    ]
