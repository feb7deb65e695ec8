from collections.abc import Iterable

import pytest
from pydantic import ValidationError

from dunlin import checkout, published, simulated_study
from dunlin.commands import simulate
from dunlin.published import Figure
from dunlin.simulation import Request, Result
from test_run import dunlin


def result(
    size: int, us: float, library: str | None = None, selected: bool = False, nodes: int = 50
) -> Result:
    return Result(
        "allgather", nodes, 126, size, "a", None, selected, False, us, us, 0, 0, (), library
    )  # fmt: skip


def answers(request: Request) -> Iterable[Result]:
    size = request.sizes[0]
    slow = 2.0 if request.machine == "aitken-milan" else 4.0
    yield result(size, slow * 1000, selected=True)
    for library in request.algorithms[1:]:
        if library == "all":
            yield result(size, 500.0)
        else:
            yield result(size, 6000.0, library)


def test_every_published_figure_is_of_a_source_and_of_something_that_can_be_simulated() -> None:
    known = published.read()
    assert {figure.source for figure in known.figure} == set(known.sources)
    simulated = [figure for figure in known.figure if figure.kind != "none"]
    machines = {path.stem for path in (checkout.ROOT / "machines").glob("*.toml")}
    assert {figure.operation for figure in simulated} <= simulated_study.OPERATIONS
    assert {figure.machine for figure in simulated} <= machines
    assert {figure.against for figure in simulated if figure.kind == "machines"} <= machines
    times = {figure.value: figure for figure in known.figure if figure.kind == "time"}
    nasa = times[52210.94]
    assert (nasa.operation, nasa.nodes, nasa.ppn, nasa.sizes) == ("allgather", 50, 126, [2048])
    assert 42353.53 in times


def test_a_time_is_told_for_each_choice_of_algorithms() -> None:
    figure = next(one for one in published.read().figure if one.value == 52210.94)
    found = published.simulated(figure, answers)
    assert [(one.how, one.value) for one in found] == [
        ("Open MPI 5", 6000.0),
        ("MPICH 5", 6000.0),
        ("Dunlin", 4000.0),
    ]
    assert found[0].ratio == pytest.approx(6000.0 / 52210.94)


def test_a_speedup_is_the_largest_over_all_sizes() -> None:
    figure = next(one for one in published.read().figure if one.kind == "speedup")
    figure = figure.model_copy(update={"sizes": [8], "value": 3.0})
    (found,) = published.simulated(figure, answers)
    assert (found.value, found.ratio) == (12.0, 4.0)


def test_two_machines_are_compared_by_what_a_call_runs_on_each() -> None:
    figure = next(one for one in published.read().figure if one.kind == "machines")
    (found,) = published.simulated(figure, answers)
    assert (found.value, found.ratio) == (2.0, 1.0)


def test_a_figure_that_says_nothing_to_simulate_is_refused() -> None:
    with pytest.raises(ValidationError, match="say what is to be simulated"):
        Figure(source="s", place="p", what="w", kind="time")
    with pytest.raises(ValidationError, match="say why nothing is simulated"):
        Figure(source="s", place="p", what="w", kind="none")


def test_the_command_sets_them_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "results_of", lambda request: list(of_all_sizes(request)))
    said = " ".join(dunlin("simulate", "--published").split())
    assert "published 52.2 ms, simulated 6.00 ms (MPICH 5): 0.115 of it" in said
    assert "published 52.2 ms, simulated 4.00 ms (Dunlin): 0.077 of it" in said
    assert "not simulated: a plot without numbers" in said
    assert "the model has it from there" in said


def of_all_sizes(request: Request) -> Iterable[Result]:
    for size in request.sizes:
        us = 1000.0 if "all" in request.algorithms else 4000.0
        yield result(size, us, selected=True)
        for library in request.algorithms:
            if library in ("openmpi", "mpich"):
                yield result(size, 6000.0, library)
