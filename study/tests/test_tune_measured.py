"""`dunlin tune --measure` and `--confirm`: what measured times say, with launches that are made up,
and one small table of this machine."""

import itertools
import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from dunlin import collective_launch, discover, hosts, measured_table, measured_tuning, tuning
from dunlin import machine as computer
from dunlin.cli import app
from dunlin.collective_launch import Launch
from dunlin.commands import simulate, tune_measured
from dunlin.errors import DunlinError
from dunlin.hosts import Hosts
from dunlin.libraries import DUNLIN, Library, command
from dunlin.measured_tuning import TABLE, Call, Compared
from dunlin.simulation import Request, Result
from dunlin.stats import Interval
from dunlin.ticker import Ticker
from dunlin.tuning import BUILT_IN
from dunlin.tuning_rounds import Journal, Rounds, Turn, turns_of
from test_run import PREFIX, dunlin
from test_tuning import result

CALL = ("bcast", 1, 4, 8)
ROUNDS = 6


def series(*values: float) -> dict[int, float]:
    return dict(enumerate(values))


def samples(**times: Sequence[float]) -> dict[Call, dict[str, dict[int, float]]]:
    return {CALL: {name.replace("built_in", BUILT_IN): series(*v) for name, v in times.items()}}


def test_what_the_machine_does_meanwhile_falls_on_both() -> None:
    state = [1.0, 10.0, 2.0, 1.0, 30.0, 1.0]
    noisy = series(*(0.8 * factor for factor in state))
    found = measured_tuning.compared(noisy, series(*state))
    assert found is not None
    assert found.value == pytest.approx(0.8)
    assert found.is_faster
    assert str(found) == "1.25 times as fast (1.25 to 1.25)"
    # A round in which one of them is missing says nothing.
    assert measured_tuning.compared({0: 1.0}, {1: 1.0}) is None


@pytest.mark.parametrize(
    ("times", "faster", "looks", "slower"),
    [
        ([0.9, 0.8, 0.9, 0.8, 0.9, 0.8], True, False, False),
        # One round of six says otherwise: at 95 % that is noise.
        ([0.9, 0.8, 0.9, 0.8, 0.9, 1.01], False, False, False),
        ([1.1, 1.2, 1.1, 1.2, 1.1, 0.99], False, True, False),
        ([1.1, 1.2, 1.1, 1.2, 1.1, 1.2], False, True, True),
        # Next to nothing, if in every round.
        ([1.01, 1.01, 1.01, 1.01, 1.01, 1.01], False, False, False),
    ],
)
def test_only_what_is_beyond_the_noise_counts(
    times: list[float], faster: bool, looks: bool, slower: bool
) -> None:
    found = measured_tuning.compared(series(*times), series(*[1.0] * len(times)))
    assert found is not None
    assert (found.is_faster, found.looks_slower, found.is_slower) == (faster, looks, slower)


def test_simulation_keeps_those_near_the_fastest_and_the_built_in_choice() -> None:
    results = [
        result(1, 4, 8, "far", 2.1),
        result(1, 4, 8, "near", 1.9),
        result(1, 4, 8, "best", 1.0),
        result(1, 4, 8, "mine", 9.0, selected=True),
        result(1, 4, 64, "far", 1.0),
        result(1, 4, 64, "mine", 1.5, selected=True),
        result(1, 4, 64, "mine", 1.5),
    ]
    found = measured_tuning.candidates(results, 2.0)
    assert found == {
        ("bcast", 1, 4): {BUILT_IN: [8, 64], "best": [8], "near": [8], "far": [64]},
    }
    # Where it is not known what a call runs, what simulation thinks that is is measured, too.
    assert measured_tuning.candidates(results, 2.0, selected=True)[CALL[:3]]["mine"] == [64]
    assert measured_tuning.candidates(results, 10.0)[CALL[:3]]["far"] == [8, 64]


def test_an_algorithm_is_measured_at_all_sizes_where_rules_know_none() -> None:
    times = {8: {"a": 1.0, "b": 9.0}, 64: {"a": 9.0, "b": 1.0}}
    results = [
        result(1, 4, size, name, us, operation="gatherv")
        for size, by_name in times.items()
        for name, us in by_name.items()
    ]
    found = measured_tuning.candidates(results, 2.0)
    assert found == {("gatherv", 1, 4): {BUILT_IN: [8, 64], "a": [8, 64], "b": [8, 64]}}


def test_of_other_parameters_the_fastest_is_measured_where_it_beats_the_usual_one() -> None:
    usual = [result(1, 4, size, "knomial:4", 4.0) for size in (8, 64)]
    assert measured_tuning.variants([*usual, result(1, 4, 8, "ring", 1.0)], 2.0) == {
        "bcast": ["knomial:16", "knomial:2", "knomial:8"]  # and not 1
    }
    others = [
        result(1, 4, 8, "knomial:2", 2.0),
        result(1, 4, 8, "knomial:8", 3.0),
        result(1, 4, 64, "knomial:2", 5.0),
    ]
    assert measured_tuning.with_variants(usual, others) == [*usual, others[0]]


def test_what_is_not_proved_to_be_faster_gets_no_rule() -> None:
    half, unproved = [0.5] * ROUNDS, [0.5] * (ROUNDS - 1) + [1.1]
    for times, algorithms in ((half, ["a"]), (unproved, [])):
        found = measured_tuning.costs_of(samples(built_in=[1.0] * ROUNDS, a=times), {4: True})
        (costs,) = found["bcast"]
        assert costs.oversubscribed
        assert [rule.algorithm for rule in tuning.rules_of(costs)] == algorithms
    # Nor does a gain of less than 5 %.
    for gain, count in ((0.96, 0), (0.94, 1)):
        found = measured_tuning.costs_of(samples(built_in=[1.0] * 6, a=[gain] * 6), {4: True})
        assert len(tuning.rules_of(found["bcast"][0])) == count
    # The medians are told as they are.
    times_of = measured_tuning.times_of(samples(built_in=[1.0] * ROUNDS, a=unproved))
    assert times_of == {"bcast": {(1, 4, 8): {BUILT_IN: 1.0, "a": 0.5}}}


def test_where_rules_know_no_size_each_round_has_its_mean() -> None:
    one = {BUILT_IN: series(1.0, 1.0), "a": series(0.5, 0.5)}
    other = {BUILT_IN: series(1.0, 1.0), "a": series(2.0, 8.0), "b": series(1.0, 1.0)}
    found = measured_tuning.times_of({("gatherv", 1, 4, 8): one, ("gatherv", 1, 4, 64): other})
    assert found == {"gatherv": {(1, 4, 0): {BUILT_IN: 1.0, "a": pytest.approx(1.5)}}}


class World:
    """Launches that take what they are to take, and are counted."""

    def __init__(self, times: Mapping[str, Mapping[int, float]]) -> None:
        self.times = times
        self.launched: list[Turn] = []
        self.told: list[str] = []
        self.table: Callable[[int], str] = lambda _size: BUILT_IN
        self.slower_by_table: dict[int, list[float]] = {}  # factors of the first launches

    def launch(self, turn: Turn) -> dict[int, float]:
        self.launched.append(turn)
        if turn.choice == "broken":
            raise DunlinError("it does not run")
        found = {}
        for size in turn.sizes:
            name = self.table(size) if turn.choice == TABLE else turn.choice
            found[size] = self.times[name][size]
            if turn.choice == TABLE and (factors := self.slower_by_table.get(size)):
                found[size] *= factors.pop(0)
        return found

    def rounds(self, at: Path, resume: bool = False, count: int = ROUNDS) -> Rounds:
        journal = Journal(at / "t.jsonl", {"of": "this"}, resume)
        return Rounds(self.launch, journal, Ticker(Console()), self.told.append, count)


JOB = ("bcast", 1, 4)
SIZES = [8, 512]
TIMES = {BUILT_IN: {8: 1.0, 512: 1.0}, "a": {8: 0.5, 512: 0.6}}


def table_of(world: World, rounds: Rounds) -> measured_table.MeasuredTable:
    wanted = {JOB: dict.fromkeys(world.times, SIZES)}
    table = measured_table.made(rounds.measure("choosing", turns_of(wanted)), {4: True}, {})
    world.table = lambda size: table.chosen((*JOB, size))
    return table


def confirm(table: measured_table.MeasuredTable, rounds: Rounds) -> measured_table.Confirmation:
    def decides(call: Call) -> bool:
        return table.chosen(call) != BUILT_IN

    return measured_table.confirm(rounds, table.text(), {JOB: SIZES}, decides)


def test_a_table_that_is_as_fast_as_it_was_is_confirmed(tmp_path: Path) -> None:
    world = World(TIMES)
    rounds = world.rounds(tmp_path)
    table = table_of(world, rounds)
    assert [part.rules[0].bytes for part in table.parts] == [(0, None)]
    found = confirm(table, rounds)
    assert (found.given_back, dict(found.again), len(found.decided)) == ([], {}, 2)
    assert found.found[*JOB, 8].value == 0.5
    ratios = measured_table.ratios_of([(*JOB, size) for size in SIZES], table, found.found)
    assert ratios == {"bcast": [(2.0, (1, 4, 8)), (pytest.approx(1 / 0.6), (1, 4, 512))]}


def test_what_looks_slower_once_stays_and_twice_goes_back(tmp_path: Path) -> None:
    for times_slower, back in ((ROUNDS, []), (2 * ROUNDS, [(*JOB, 512)])):
        world = World(TIMES)
        rounds = world.rounds(tmp_path)
        table = table_of(world, rounds)
        world.slower_by_table = {512: [3.0] * times_slower}
        found = confirm(table, rounds)
        assert (found.given_back, list(found.again)) == (back, [(*JOB, 512)])
        # What is told is of all rounds.
        assert found.found[*JOB, 512].value == pytest.approx(1.2 if times_slower == ROUNDS else 1.8)
    # The first of the sizes keeps its algorithm, and the other one's is the built-in choice.
    less = table.without(found)
    assert [less.chosen((*JOB, size)) for size in SIZES] == ["a", BUILT_IN]
    assert less.text() != table.text()


def test_after_a_confirmation_nothing_runs_that_was_not_confirmed(tmp_path: Path) -> None:
    # At both sizes b is next: it was never confirmed, so it does not take over.
    world = World(TIMES | {"b": {8: 0.7, 512: 0.7}})
    rounds = world.rounds(tmp_path)
    table = table_of(world, rounds)
    world.slower_by_table = {512: [3.0] * 2 * ROUNDS}
    less = table.without(confirm(table, rounds))
    assert [less.chosen((*JOB, size)) for size in SIZES] == ["a", BUILT_IN]


def test_rules_of_a_file_say_which_calls_they_may_decide() -> None:
    rule = {"nodes_min": 2, "ranks_max": 8, "bytes_max": 64, "oversubscribed": False}

    def may(call: Call, crowded: bool | None = False) -> bool:
        return measured_table.may_decide([{"bytes_min": 1 << 30}, rule], call, crowded)

    assert may(("bcast", 2, 4, 64))
    assert may(("bcast", 2, 4, 64), None)
    assert not may(("bcast", 2, 4, 64), True)
    assert not may(("bcast", 1, 4, 64))
    assert not may(("bcast", 2, 5, 64))
    assert not may(("bcast", 2, 4, 65))
    # Its rules know no size.
    assert may(("gatherv", 2, 4, 65))
    assert measured_table.may_decide([{"commutative": True}], ("bcast", 1, 2, 8), True)


def test_what_fails_is_left_out_and_told(tmp_path: Path) -> None:
    world = World(TIMES | {"broken": {}})
    rounds = world.rounds(tmp_path)
    table = table_of(world, rounds)
    assert [turn.choice for turn in world.launched].count("broken") == 1
    assert world.told == ["Left out: bcast 1:4, broken: it does not run"]
    assert table.chosen((*JOB, 8)) == "a"

    def fails(turn: Turn) -> dict[int, float]:
        if turn.choice == TABLE:
            raise DunlinError("no such algorithm")
        return world.launch(turn)

    rounds.launch = fails
    found = confirm(table, rounds)
    assert found.given_back == [(*JOB, 8), (*JOB, 512)]
    assert table.without(found).count() == 0
    # Another table may run.
    rounds.launch = world.launch
    assert confirm(table, rounds).given_back == []


def test_rounds_take_turns_in_an_order_that_is_drawn_and_repeats(tmp_path: Path) -> None:
    orders = []
    for _ in range(2):
        world = World({name: {8: 1.0} for name in (BUILT_IN, "a", "b", "c")})
        groups = turns_of({JOB: {name: [8] for name in world.times}})
        found = world.rounds(tmp_path).measure("choosing", groups)
        assert {name: len(times) for name, times in found[*JOB, 8].items()} == dict.fromkeys(
            world.times, ROUNDS
        )
        order = [turn.choice for turn in world.launched]
        rounds = [tuple(order[i : i + 4]) for i in range(0, len(order), 4)]
        assert {frozenset(names) for names in rounds} == {frozenset(world.times)}
        assert len(set(rounds)) > 1
        orders.append(order)
    assert orders[0] == orders[1]


def test_what_is_hopeless_in_three_rounds_has_no_more(tmp_path: Path) -> None:
    times = {BUILT_IN: {8: 1.0, 512: 1.0}, "a": {8: 0.5, 512: 1.3}, "b": {8: 1.3, 512: 1.3}}
    world = World(times | {"c": {8: 1.2, 512: 1.3}})
    found = world.rounds(tmp_path).choose({JOB: dict.fromkeys(world.times, SIZES)})
    rounds = {
        size: {name: len(times) for name, times in found[*JOB, size].items()} for size in SIZES
    }
    assert rounds == {
        8: {BUILT_IN: ROUNDS, "a": ROUNDS, "b": 3, "c": ROUNDS},
        512: {BUILT_IN: ROUNDS, "a": 3, "b": 3, "c": 3},
    }
    assert [turn.sizes for turn in world.launched if turn.choice == "a"] == (
        [(8, 512)] * 3 + [(8,)] * (ROUNDS - 3)
    )
    # Where rules know no size, what is good at one has rounds of all.
    world = World(times)
    found = world.rounds(tmp_path).choose({("gatherv", 1, 4): dict.fromkeys(times, SIZES)})
    assert [len(found["gatherv", 1, 4, 512][name]) for name in times] == [ROUNDS, ROUNDS, 3]


def test_what_was_measured_before_an_interruption_is_not_measured_again(tmp_path: Path) -> None:
    world = World(TIMES)
    groups = turns_of({JOB: dict.fromkeys(TIMES, SIZES)})
    rounds = world.rounds(tmp_path)
    found = rounds.measure("choosing", groups)
    file = tmp_path / "t.jsonl"
    lines = file.read_text().splitlines(keepends=True)
    assert len(lines) == 1 + 2 * ROUNDS
    # It was killed while it wrote.
    file.write_text("".join(lines[:6]) + lines[6][:20])
    again = World(TIMES)
    assert again.rounds(tmp_path, resume=True).measure("choosing", groups) == found
    assert len(again.launched) == 2 * ROUNDS - 5
    assert len(file.read_text().splitlines()) == 1 + 2 * ROUNDS
    # More rounds may be asked for.
    more = World(TIMES)
    more.rounds(tmp_path, resume=True, count=ROUNDS + 1).measure("choosing", groups)
    assert len(more.launched) == 2
    with pytest.raises(DunlinError, match="was measured otherwise \\(of: this, now that\\)"):
        Journal(file, {"of": "that"}, resume=True)
    with pytest.raises(DunlinError, match="nothing to resume"):
        Journal(tmp_path / "none.jsonl", {}, resume=True)
    # Without --resume the older one is kept for once.
    Journal(file, {"of": "that"}, resume=False)
    assert len((tmp_path / "t.before.jsonl").read_text().splitlines()) == 1 + 2 * (ROUNDS + 1)


def test_ranks_go_where_they_are_to_go() -> None:
    library = Library("dunlin", Path("bin/mpicc"), Path("bin/mpirun"), vendor=DUNLIN)
    named = hosts.asked("a, b,c", "myrsh", in_job=False)
    words = command(named.library(library, 2), 8, "program", nodes=2)
    assert " ".join(words) == (
        "bin/mpirun --oversubscribe -n 8 -ppn 4 -host a,b --rsh myrsh program"
    )
    job = Hosts(in_job=True).library(library, 2)
    assert " ".join(command(job, 8, "p", nodes=2)) == "bin/mpirun --oversubscribe -n 8 -ppn 4 p"
    assert Hosts().library(library, 1).environment == {"DUNLIN_ALLOCATION": "none"}
    for wrong in (("a", None, True), (None, "ssh", False), (" ,", None, False)):
        with pytest.raises(DunlinError, match="--"):
            hosts.asked(*wrong)


Fake = Callable[[Launch], dict[int, float]]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Fake], None]:
    """Dunlin, its simulation, and launches that take what a function says."""
    monkeypatch.chdir(tmp_path)
    library = Library("dunlin", tmp_path / "mpicc", tmp_path / "mpirun", DUNLIN, "9.9")
    monkeypatch.setattr(discover, "dunlin", lambda _at: library)
    monkeypatch.setattr(collective_launch, "program", lambda *_: Path("collective"))
    monkeypatch.setattr(tune_measured, "_machine_here", lambda _: {"model": "mine", "table": None})
    monkeypatch.setattr(computer, "usable_cores", lambda: 4)

    def results_of(request: Request) -> list[Result]:
        assert (request.machine, request.built_in) == ("mine", True)
        return [
            result(1, ppn, size, name, us, selected=name == "ring", operation=operation)
            for operation in request.operations
            for ppn in request.ppn
            for size in request.sizes
            for name, us in (("ring", 3.0), ("knomial:4", 2.0), ("flat", 9.0))
            if request.algorithms == ["selected", "all"]
        ]

    monkeypatch.setattr(simulate, "results_of", results_of)

    def set_(fake: Fake) -> None:
        monkeypatch.setattr(Launch, "run", fake)

    return set_


def took(launch: Launch) -> dict[int, float]:
    """A knomial tree takes half as long as the built-in choice; a table has one."""
    by_tree = launch.settings.get("DUNLIN_COLL_ALGORITHM") == "bcast=knomial:4"
    if table := launch.settings.get("DUNLIN_COLL_TUNING"):
        rules = tomllib.loads(Path(table).read_text()).get("bcast", [])
        by_tree = any(rule["ranks_per_node_max"] >= launch.ppn for rule in rules)
    return dict.fromkeys(launch.sizes, 1.0 if by_tree else 2.0)


GRID = ["--operations", "bcast", "--ppn", "2,4", "--bytes", "8,64"]


def test_a_table_is_measured_confirmed_and_says_so(
    machine: Callable[[Fake], None], tmp_path: Path
) -> None:
    machine(took)
    said = " ".join(dunlin("tune", "here.toml", "--measure", *GRID).split())
    assert "within 2.00 times of the fastest by simulation of mine" in said
    assert "bcast 2.00 times 2.00 times 1:2, 8 B 2.00 times 1:2, 8 B" in said
    assert "as by the built-in rules, measured" in said
    assert "Of 4 calls that the table decides none was slower by more than 2 % twice" in said
    assert "1 rule written to here.toml, measured here" in said
    text = (tmp_path / "here.toml").read_text()
    head = " ".join(line.removeprefix("# ") for line in text.splitlines() if line[:1] == "#")
    assert "by Dunlin 9.9: 9 rounds in turns." in head
    assert "dunlin tune here.toml --operations bcast --ppn 2,4 --bytes 8,64 --measure" in head
    assert "4 calls: 2.00 times as fast as by the built-in rules; 0 % behind the fastest" in head
    assert all(len(line) <= 100 for line in text.splitlines() if not line.startswith("# 4"))
    (rule,) = tomllib.loads(text)["bcast"]
    assert (rule["algorithm"], rule["radix"], rule["ranks_per_node_max"]) == ("knomial", 4, 4)
    # Nothing that is far by simulation was measured; what was is there.
    rows = [json.loads(line) for line in (tmp_path / "here.measured.jsonl").open()]
    keys = " ".join(row["key"] for row in rows[1:])
    assert "flat" not in keys
    # Two jobs, two choices, 9 rounds; chosen and confirmed.
    assert len(rows) == 1 + 2 * 2 * 9 * 2
    # Everything is there: nothing is launched but what shows that ranks run.
    launched = []

    def counted(launch: Launch) -> dict[int, float]:
        launched.append(launch.operation)
        return took(launch)

    machine(counted)
    dunlin("tune", "here.toml", "--measure", *GRID, "--resume")
    assert launched == ["barrier", "barrier"]


def test_rules_that_make_calls_slower_are_narrowed_and_the_rest_is_confirmed_again(
    machine: Callable[[Fake], None], tmp_path: Path
) -> None:
    def slower(launch: Launch) -> dict[int, float]:
        found = took(launch)
        if "DUNLIN_COLL_TUNING" in launch.settings and launch.ppn == 4 and found[8] == 1.0:
            found[8] = 3.0
        return found

    machine(slower)
    result_ = CliRunner().invoke(app, ["tune", "here.toml", "--measure", *GRID])
    assert result_.exit_code == 0, result_.output
    said = " ".join(result_.output.split())
    assert "Slower with the table, twice: bcast 1:4, 8 B, 0.667 times as fast" in said
    text = (tmp_path / "here.toml").read_text()
    assert "Now by the built-in rules: slower with the table, twice: bcast 1:4, 8 B" in text
    # In this made-up world rules know no sizes, so in the next pass the call of 64 B is none of 8.
    rules = tomllib.loads(text).get("bcast", [])
    assert all(rule["ranks_per_node_max"] < 4 or rule["bytes_min"] > 8 for rule in rules)
    assert rules


def test_an_interruption_keeps_what_was_measured(
    machine: Callable[[Fake], None], tmp_path: Path
) -> None:
    count = 0

    def interrupted(launch: Launch) -> dict[int, float]:
        nonlocal count
        count += 1
        if count == 9:
            raise KeyboardInterrupt
        return took(launch)

    machine(interrupted)
    result_ = CliRunner().invoke(app, ["tune", "here.toml", "--measure", *GRID])
    assert result_.exit_code == 130
    assert "here.measured.jsonl: the same command with --resume goes on" in result_.output
    assert len((tmp_path / "here.measured.jsonl").read_text().splitlines()) == 1 + 6
    dunlin("tune", "here.toml", "--measure", *GRID, "--resume")
    # 2 to show that ranks run, twice; one was interrupted.
    assert count == 2 + 2 + 1 + 2 * 2 * 9 * 2


def test_a_table_that_is_there_is_measured_alone(
    machine: Callable[[Fake], None], tmp_path: Path
) -> None:
    table = tmp_path / "t.toml"
    table.write_text('[[bcast]]\nranks_per_node_max = 8\nalgorithm = "knomial"\n')
    machine(took)
    said = " ".join(dunlin("tune", "--confirm", table, "--ppn", "2", "--bytes", "8").split())
    assert "bcast 2.00 times" in said
    assert "none was slower by more than 2 % twice, each time in 9 rounds in turns" in said

    def slower(launch: Launch) -> dict[int, float]:
        return dict.fromkeys(launch.sizes, 3.0 if launch.settings else 2.0)

    machine(slower)
    result_ = CliRunner().invoke(app, ["tune", "--confirm", str(table), "--ppn", "2"])
    assert result_.exit_code == 1
    assert "Slower with the table, twice: bcast 1:2, 8 B, 0.667 times as fast" in result_.output
    factors = itertools.cycle([3.0, 3.0, 0.5])

    def noisy(launch: Launch) -> dict[int, float]:
        return dict.fromkeys(launch.sizes, next(factors) if launch.settings else 1.0)

    machine(noisy)
    said = dunlin("tune", "--confirm", table, "--ppn", "2", "--bytes", "8")
    assert "Slower with the table, twice, if within the noise: bcast 1:2, 8 B" in said
    # It is the caller's file.
    assert table.read_text().startswith("[[bcast]]\nranks_per_node_max = 8")
    table.write_text("[[alltoallw]]\n")
    with pytest.raises(DunlinError, match="it decides no call that is to be measured"):
        dunlin("tune", "--confirm", table)
    table.write_text("[[")
    with pytest.raises(DunlinError, match="no TOML"):
        dunlin("tune", "--confirm", table)
    with pytest.raises(DunlinError, match="there is no table"):
        dunlin("tune", "--confirm", "none.toml")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--rounds", "5"], "--rounds: only with --measure or --confirm"),
        (["--measure", "--confirm"], "leave --confirm out"),
        (["--measure", "--for", "mpich"], "--for: not with --measure"),
        (["--confirm", "--machine", "m"], "--machine: not with --confirm"),
        (["--measure", "--nodes", "1,2"], "--nodes has 2, and this is one"),
        (["--measure", "--hosts", "a,b", "--nodes", "4"], "--hosts names 2 hosts"),
        (["--measure", "--exhaustive", "--factor", "2"], "give one of them"),
        (["--measure", "--ppn", "1"], "of one rank or too large"),
        (["--measure", "--ppn", "2", "--machine", "theirs"], "is of another machine"),
        (["--measure", "--ppn", "3"], "3 ranks on 1 node cannot run: no room"),
    ],
)
def test_what_cannot_be_measured_is_refused(
    machine: Callable[[Fake], None],
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    why: str,
) -> None:
    def no_room(launch: Launch) -> dict[int, float]:
        if launch.ppn == 3:
            raise DunlinError("no room")
        return took(launch)

    machine(no_room)
    if "theirs" in options:
        crowded = Result("bcast", 1, 2, 8, "a", None, True, True, 1.0, 1.0, 0, 0, ())
        monkeypatch.setattr(simulate, "results_of", lambda _request: [crowded])
    with pytest.raises(DunlinError, match=why):
        dunlin("tune", "t.toml", "--operations", "bcast", *options)


def test_a_setting_that_would_decide_is_refused(
    machine: Callable[[Fake], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(took)
    monkeypatch.setenv("DUNLIN_COLL_TUNING", "other.toml")
    with pytest.raises(DunlinError, match="DUNLIN_COLL_TUNING is set"):
        dunlin("tune", "t.toml", "--measure", *GRID)


def test_a_confirmation_without_rules_says_so(machine: Callable[[Fake], None]) -> None:
    machine(lambda launch: dict.fromkeys(launch.sizes, 1.0))
    said = " ".join(dunlin("tune", "here.toml", "--measure", *GRID).split())
    assert "No rule is left: nothing gains more than 5 % and the noise." in said
    assert "0 rules written" in said


def test_the_interval_is_told_as_a_speed() -> None:
    found = Compared(0.5, Interval(0.4, 0.8, 0.95))
    assert str(found) == "2.00 times as fast (1.25 to 2.50)"


@pytest.mark.skipif(not (PREFIX / "bin" / "mpicc").exists(), reason="Dunlin is not built")
def test_a_small_table_of_this_machine(tmp_path: Path) -> None:
    out = tmp_path / "here.toml"
    options: list[Any] = ["--machine", PREFIX.parents[1] / "machines" / "epyc-2core.toml"]
    if computer.usable_cores() != 2:
        options = []
    said = dunlin("tune", out, "--measure", "--at", PREFIX, "--operations", "bcast", "--ppn", "2",
                  "--bytes", "8,64K", "--rounds", "3", "--factor", "1.5", *options)  # fmt: skip
    assert "written to" in said
    text = out.read_text()
    assert "# Algorithms measured on " in text
    tomllib.loads(text)
    rows = (tmp_path / "here.measured.jsonl").read_text().splitlines()
    assert len(rows) > 6
    out.write_text('[[bcast]]\nalgorithm = "binomial"\n')
    # It runs by a table, whatever that is worth.
    result_ = CliRunner().invoke(
        app, ["tune", "--confirm", str(out), "--at", str(PREFIX), "--operations", "bcast", "--ppn",
              "2", "--bytes", "8", "--rounds", "3"],
    )  # fmt: skip
    assert result_.exit_code in (0, 1), result_.output
    assert "Of 1 call that the table decides" in result_.output
