from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from dunlin import tuning
from dunlin.commands import simulate
from dunlin.errors import DunlinError
from dunlin.simulation import Request, Result
from dunlin.tuning import BUILT_IN, Costs, Rule
from test_run import dunlin


def result(
    nodes: int,
    ppn: int,
    size: int,
    name: str,
    us: float,
    selected: bool = False,
    operation: str = "bcast",
) -> Result:
    parameter = ("radix", 4) if name.endswith(":4") else None
    return Result(
        operation, nodes, ppn, size, name, parameter, selected, False, us, us, 0, 0, ()
    )  # fmt: skip


def sizes(times: Mapping[int, Mapping[str, float]]) -> Costs:
    return Costs(False, {(2, 8, size): by_name for size, by_name in times.items()})


def chosen(rules: list[Rule], size: int) -> str:
    return next(
        rule.algorithm
        for rule in rules
        if rule.bytes[0] <= size <= (rule.bytes[1] if rule.bytes[1] is not None else size)
    )


def test_few_rules_keep_every_size_near_the_fastest() -> None:
    slow = {BUILT_IN: 9.0}
    rules = tuning.rules_of(
        sizes(
            {
                8: slow | {"a": 1.0, "b": 1.08, "c": 3.0},
                64: slow | {"a": 2.0, "b": 1.0},
                512: slow | {"b": 2.0, "c": 1.0},
                4096: slow | {"b": 9.0, "c": 1.0},
            }
        )
    )
    assert [(rule.algorithm, rule.bytes) for rule in rules] == [("c", (182, None)), ("b", (0, 181))]
    assert [chosen(rules, size) for size in (8, 181, 182, 1 << 30)] == ["b", "b", "c", "c"]


def test_the_choice_of_the_built_in_rules_stays_where_it_is_nearly_as_fast() -> None:
    rules = tuning.rules_of(
        sizes({8: {BUILT_IN: 1.19, "a": 1.0}, 64: {BUILT_IN: 1.3, "a": 1.0}, 512: {BUILT_IN: 1.0}})
    )
    assert [(rule.algorithm, rule.bytes) for rule in rules] == [("a", (23, 181))]
    assert tuning.rules_of(sizes({8: {BUILT_IN: 1.19, "a": 1.0}})) == []


def test_no_rule_makes_a_job_slower_than_the_built_in_ones() -> None:
    slow = {BUILT_IN: 9.0, "a": 1.0}
    between = {BUILT_IN: 1.0, "a": 1.01}
    rules = tuning.rules_of(sizes({8: slow, 64: between, 512: slow}))
    assert [rule.bytes for rule in rules] == [(0, 22), (182, None)]
    rules = tuning.rules_of(sizes({8: slow, 64: between | {"a": 1.0}, 512: slow}))
    assert [rule.bytes for rule in rules] == [(0, None)]


def test_neighbours_in_nodes_and_ranks_share_rules_and_an_earlier_rule_may_be_covered() -> None:
    a = {BUILT_IN: 9.0, "a": 1.0, "b": 2.0}
    b = {BUILT_IN: 9.0, "a": 2.0, "b": 1.0}
    layouts = {
        (2, 1): a, (2, 8): a, (2, 64): b,
        (4, 1): a, (4, 8): a, (4, 64): b,
        (8, 1): b, (8, 8): b, (8, 64): b,
    }  # fmt: skip
    costs = Costs(False, {(nodes, ppn, 8): times for (nodes, ppn), times in layouts.items()})
    rules = tuning.rules_of(costs)
    # A rank of a node alone is like no other, and halfway from 8 to 64 ranks is 22.
    assert rules == [
        Rule((2, 5), (1, 22), (0, None), False, "a"),
        Rule((2, 8), (1, 64), (0, None), False, "b"),
    ]


def test_jobs_that_were_not_simulated_are_not_covered() -> None:
    times = {BUILT_IN: 9.0, "a": 1.0}
    cells = [(1, 2, 8), (1, 4, 8), (2, 2, 8)]
    rules = tuning.rules_of(Costs(False, dict.fromkeys(cells, times)))
    covered = {
        (nodes, ppn)
        for rule in rules
        for nodes in range(rule.nodes[0], rule.nodes[1] + 1)
        for ppn in range(rule.ppn[0], rule.ppn[1] + 1)
    }
    assert covered == {(1, 2), (1, 3), (1, 4), (2, 2)}


def test_operations_whose_rules_know_no_size_get_one_algorithm_and_crowded_nodes_their_own() -> (
    None
):
    results = [
        result(1, 2, 8, "a", 1.0, operation="barrier"),
        result(1, 2, 8, "b", 2.0, True, operation="barrier"),
        result(1, 2, 64, "a", 3.0, operation="barrier"),
        result(1, 2, 64, "b", 2.0, True, operation="barrier"),
        replace(result(1, 4, 8, "a", 1.0, operation="barrier"), oversubscribed=True),
    ]
    free, crowded = tuning.costs_of(results)["barrier"]
    assert (free.oversubscribed, crowded.oversubscribed) == (False, True)
    assert free.by_cell == {(1, 2, 0): pytest.approx({"a": 3.0**0.5, "b": 2.0, BUILT_IN: 2.0})}
    assert list(crowded.by_cell) == [(1, 4, 0)]
    assert tuning.rules_of(free) == []


def test_rules_become_a_table_with_parameters_and_what_they_cost() -> None:
    rules = [
        Rule((1, 4), (8, 63), (0, 100), False, "knomial:4"),
        Rule((2, 4), (8, 63), (101, None), True, "ring"),
    ]
    costs = Costs(
        False,
        {
            (2, 8, 8): {BUILT_IN: 4.0, "knomial:4": 1.0, "ring": 1.0},
            (2, 8, 64): {BUILT_IN: 1.0, "knomial:4": 1.0, "ring": 0.8},
            (2, 8, 512): {BUILT_IN: 1.1, "ring": 1.0},
        },
    )
    rules[1] = replace(rules[1], bytes=(1000, None))
    assert tuning.text("bcast", costs, rules, {"knomial:4": ("radix", 4)}) == (
        "# 2 calls: 2.00 times as fast as by the built-in rules; 12 % behind the fastest of each, "
        "at most 25 % (2:8, 64 B)\n"
        "[[bcast]]\nnodes_max = 4\nranks_per_node_min = 8\nranks_per_node_max = 63\n"
        'oversubscribed = false\nbytes_max = 100\nalgorithm = "knomial"\nradix = 4\n\n'
        "[[bcast]]\nnodes_min = 2\nnodes_max = 4\nranks_per_node_min = 8\nranks_per_node_max = 63\n"
        'oversubscribed = true\nbytes_min = 1000\nalgorithm = "ring"\n\n'
        "# bcast: 1 call stays with the built-in rules; 10 % behind the fastest\n"
    )


def test_the_table_is_simulated_again_and_its_gain_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, fast = result(2, 8, 64, "ring", 8.0, True), result(2, 8, 64, "knomial:4", 4.0)
    asked: list[Request] = []

    def answers(request: Request) -> list[Result]:
        asked.append(request)
        if request.table is None:
            return [slow, fast] if "bcast" in request.operations else []
        assert 'algorithm = "knomial"' in request.table.read_text()
        return [replace(fast, selected=True)] if "bcast" in request.operations else []

    monkeypatch.setattr(simulate, "results_of", answers)
    out = tmp_path / "table.toml"
    said = dunlin("tune", out, "--machine", "m", "--operations", "alltoall,bcast")
    said = " ".join(said.split())
    assert "bcast 2.00 times 2.00 times 2:8, 64 B 2.00 times 2:8, 64 B" in said
    assert "1 rule written" in said
    assert "Not simulated: alltoall on 2 of 15 layouts (more than 256 ranks)." in said
    head = out.read_text().splitlines()[:4]
    assert head[0] == "# Algorithms for m, from a simulation of its model: not measured."
    assert head[1].startswith("#   dunlin tune m.toml --machine m --nodes 1..16 --ppn 1,8,64")
    assert head[3].startswith("#   bcast: mean 2.00 times, most 2.00 times (2:8, 64 B)")
    assert [request.algorithms for request in asked] == [["selected", "all"]] * 2 + [
        ["selected"]
    ] * 2
    # An alltoall has messages from every rank to every other.
    assert asked[0].operations == ["alltoall"]
    assert (asked[0].ranks_max or 0) < (asked[1].ranks_max or 0)
    with pytest.raises(DunlinError, match="every job is too large"):
        dunlin("tune", out, "--machine", "m", "--nodes", "64", "--ppn", "64")
    with pytest.raises(DunlinError, match="--mpich is for --for mpich"):
        dunlin("tune", out, "--machine", "m", "--mpich", "libmpi.so")
