from dataclasses import replace
from pathlib import Path

import pytest

from dunlin import tuning
from dunlin.commands import simulate
from dunlin.simulation import Request, Result
from dunlin.tuning import Costs, Rule, Segment
from test_run import dunlin


def result(nodes: int, ppn: int, size: int, name: str, us: float, selected: bool = False) -> Result:
    parameter = ("radix", 4) if name.endswith(":4") else None
    return Result("bcast", nodes, ppn, size, name, parameter, selected, us, us, 0, 0, ())


COSTS = Costs(
    {
        8: {"a": 1.0, "b": 1.04, "c": 3.0},
        64: {"a": 2.0, "b": 1.0},
        512: {"b": 2.0, "c": 1.0},
        4096: {"b": 9.0, "c": 1.0},
    }
)


def test_few_segments_keep_every_size_near_the_fastest() -> None:
    segments = tuning.segments_of(COSTS)
    assert segments == (Segment("b", 181), Segment("c", None))
    assert [tuning.chosen(segments, size) for size in (8, 181, 182, 1 << 30)] == [
        "b",
        "b",
        "c",
        "c",
    ]
    assert tuning.segments_of(COSTS, tolerance=0.0)[0] == Segment("a", 22)


def test_an_algorithm_without_a_time_is_never_chosen_for_that_size() -> None:
    assert tuning.one_for_all(COSTS) == (Segment("b", None),)
    assert not tuning.fits((Segment("a", None),), COSTS, tolerance=100.0)


def test_neighbours_that_agree_share_rules_and_others_do_not() -> None:
    fast = {"a": Costs({8: {"a": 1.0, "b": 2.0}}), "b": Costs({8: {"a": 2.0, "b": 1.0}})}
    scales = {
        (2, 1): fast["a"],
        (2, 8): fast["a"],
        (2, 64): fast["b"],
        (4, 1): fast["a"],
        (4, 8): fast["a"],
        (4, 64): fast["b"],
        (8, 1): fast["b"],
        (8, 8): fast["b"],
        (8, 64): fast["b"],
    }
    a, b = (Segment("a", None),), (Segment("b", None),)
    rules = tuning.rules_of("bcast", scales)
    assert set(rules) == {
        Rule((2, 7), (1, 63), a),
        Rule((2, 7), (64, 64), b),
        Rule((8, 8), (1, 64), b),
    }


def test_rules_become_a_table_with_parameters() -> None:
    rule = Rule((2, 4), (8, 63), (Segment("knomial:4", 100), Segment("ring", None)))
    assert tuning.text("bcast", [rule], {"knomial:4": ("radix", 4)}) == (
        "[[bcast]]\nnodes_min = 2\nnodes_max = 4\nranks_per_node_min = 8\nranks_per_node_max = 63\n"
        'bytes_max = 100\nalgorithm = "knomial"\nradix = 4\n\n'
        "[[bcast]]\nnodes_min = 2\nnodes_max = 4\nranks_per_node_min = 8\nranks_per_node_max = 63\n"
        'bytes_min = 101\nalgorithm = "ring"\n'
    )


def test_the_table_is_simulated_again_and_its_gain_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, fast = result(2, 8, 64, "ring", 8.0, True), result(2, 8, 64, "knomial:4", 4.0)
    asked: list[Request] = []

    def answers(request: Request) -> list[Result]:
        asked.append(request)
        if request.table is None:
            return [slow, fast]
        assert 'algorithm = "knomial"' in request.table.read_text()
        return [replace(fast, selected=True)]

    monkeypatch.setattr(simulate, "results_of", answers)
    out = tmp_path / "table.toml"
    said = " ".join(dunlin("tune", out, "--machine", "m", "--operations", "bcast").split())
    assert "bcast 2.00 times 2.00 times 2:8, 64 B 2.00 times 2:8, 64 B" in said
    assert "1 rule written" in said
    assert out.read_text().startswith(
        "# Made by `dunlin tune` from a simulation of m: not measured."
    )
    assert asked[0].algorithms == ["selected", "all"]
    assert asked[1].algorithms == ["selected"]
