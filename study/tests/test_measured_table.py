"""Tables of measured times, their confirmation and the rounds of launches, which are made up."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from rich.console import Console

from dunlin import measured_table, measured_tuning, tuning
from dunlin.errors import DunlinError
from dunlin.measured_tuning import TABLE, Call, Compared
from dunlin.stats import Interval
from dunlin.ticker import Ticker
from dunlin.tuning import BUILT_IN
from dunlin.tuning_rounds import Journal, Rounds, Turn, turns_of
from test_tuning import result

CALL = ("bcast", 1, 4, 8)
ROUNDS = 6


def costs_of(**times: Sequence[float]) -> tuning.Costs:
    found = measured_tuning.costs_of(samples(**times), {4: True}, [CALL])
    return found["bcast"][0]


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
    # Where nothing is beside that, there is nothing to measure.
    assert measured_tuning.candidates([result(1, 4, 8, "mine", 1.0, selected=True)], 2.0) == {}


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
        found = measured_tuning.costs_of(
            samples(built_in=[1.0] * ROUNDS, a=times), {4: True}, [CALL]
        )
        (costs,) = found["bcast"]
        assert costs.oversubscribed
        assert [rule.algorithm for rule in tuning.rules_of(costs)] == algorithms
    # Nor does a gain of less than 5 %.
    for gain, count in ((0.96, 0), (0.94, 1)):
        found = measured_tuning.costs_of(
            samples(built_in=[1.0] * 6, a=[gain] * 6), {4: True}, [CALL]
        )
        assert len(tuning.rules_of(found["bcast"][0])) == count
    # The medians are told as they are.
    times_of = measured_tuning.times_of(samples(built_in=[1.0] * ROUNDS, a=unproved))
    assert times_of == {"bcast": {(1, 4, 8): {BUILT_IN: 1.0, "a": 0.5}}}


def test_where_a_rule_is_needed_it_runs_what_is_proved() -> None:
    cells = {(1, 4, size): {BUILT_IN: 1.0, f"a{size}": 0.92, "b": 1.0} for size in (8, 64, 512)}
    rules = tuning.rules_of(tuning.Costs(True, cells, measured_tuning.GAIN_MIN))
    assert {rule.algorithm for rule in rules} == {"a8", "a64", "a512"}
    # Where none is needed, a rule of something as fast may go on.
    cells = {(1, 4, size): {BUILT_IN: 1.0, "b": b} for size, b in ((8, 0.9), (64, 1.0), (512, 0.9))}
    (rule,) = tuning.rules_of(tuning.Costs(True, cells, measured_tuning.GAIN_MIN))
    assert rule.covers((1, 4, 64))


def test_rules_end_where_the_measurement_does() -> None:
    times = {BUILT_IN: series(1.0), "a": series(0.5)}
    ppn = {2: False, 4: False, 8: False}
    for operation, bytes_ in (("bcast", (1, 4096)), ("gatherv", (0, None))):
        calls = [(operation, 1, ranks, size) for ranks in ppn for size in (8, 512)]
        # Nothing is known of 4 ranks, whose launches failed.
        found = {call: times for call in calls if call[2] != 4}
        (costs,) = measured_tuning.costs_of(found, ppn, calls)[operation]
        rules = tuning.rules_of(costs)
        assert [rule.ppn for rule in rules] == [(2, 2), (6, 8)]
        assert {rule.bytes for rule in rules} == {bytes_}
    assert tuning.beyond([64]) == (64, 64)


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
CALLS: list[Call] = [(*JOB, size) for size in SIZES]
TIMES = {BUILT_IN: {8: 1.0, 512: 1.0}, "a": {8: 0.5, 512: 0.6}}


def table_of(world: World, rounds: Rounds) -> measured_table.MeasuredTable:
    wanted = {JOB: dict.fromkeys(world.times, SIZES)}
    table = measured_table.made(rounds.measure("choosing", turns_of(wanted)), {4: True}, {}, CALLS)
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
    # Half a step beyond the sizes that were measured.
    assert [part.rules[0].bytes for part in table.parts] == [(1, 4096)]
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
    less = table.after(found)
    assert [less.chosen((*JOB, size)) for size in SIZES] == ["a", BUILT_IN]
    assert less.text() != table.text()


def test_what_could_not_be_measured_beside_the_built_in_rules_goes_back(tmp_path: Path) -> None:
    # At once, or when what looked slower is measured again.
    for broken, back in ((0, CALLS), (ROUNDS, CALLS[1:])):
        world = World(TIMES)
        rounds = world.rounds(tmp_path)
        table = table_of(world, rounds)
        world.slower_by_table = {512: [3.0] * 2 * ROUNDS}
        rounds.launch = failing(world, broken)
        found = confirm(table, rounds)
        assert (found.given_back, list(found.unmeasured)) == (back, back)
        assert [line[:14] for line in found.lines()] == ["Not measured: "] * len(back)
        assert "could not be measured." in found.statement(ROUNDS)[-1]
        left = table.after(found)
        assert [left.chosen(call) for call in CALLS] == [
            BUILT_IN if call in back else "a" for call in CALLS
        ]


def failing(world: World, broken: int) -> Callable[[Turn], dict[int, float]]:
    """Launches of which those by the built-in rules fail after so many."""
    count = itertools.count()

    def launch(turn: Turn) -> dict[int, float]:
        if turn.choice == BUILT_IN and next(count) >= broken:
            raise DunlinError("no room")
        return world.launch(turn)

    return launch


def test_a_table_says_what_was_confirmed(tmp_path: Path) -> None:
    world = World(TIMES | {"b": {8: 0.7, 512: 0.7}})
    rounds = world.rounds(tmp_path)
    table = table_of(world, rounds)
    assert "# 2 calls: 1.83 times as fast as by the built-in rules; 0 % behind" in table.text()
    # It gains 3 % with the table; the other call is slower, and its a is none of the fastest now.
    world.slower_by_table = {8: [1.94] * ROUNDS, 512: [3.0] * 2 * ROUNDS}
    found = confirm(table, rounds)
    assert found.next_to_nothing == [(*JOB, 8)]
    assert "1 of them gained less than 5 %, or no more than the noise" in found.statement(6)[2]
    world = World(TIMES | {"b": {8: 0.7, 512: 0.7}})
    rounds = world.rounds(tmp_path)
    table = table_of(world, rounds)
    world.slower_by_table = {8: [1.5] * ROUNDS, 512: [3.0] * 2 * ROUNDS}
    text = table.after(confirm(table, rounds)).text()
    assert "# 1 call: 1.33 times as fast as by the built-in rules" in text
    assert "1 call stays with the built-in rules; 43 % behind the fastest" in text


def test_after_a_confirmation_nothing_runs_that_was_not_confirmed(tmp_path: Path) -> None:
    # At both sizes b is next: it was never confirmed, so it does not take over.
    world = World(TIMES | {"b": {8: 0.7, 512: 0.7}})
    rounds = world.rounds(tmp_path)
    table = table_of(world, rounds)
    world.slower_by_table = {512: [3.0] * 2 * ROUNDS}
    less = table.after(confirm(table, rounds))
    assert [less.chosen((*JOB, size)) for size in SIZES] == ["a", BUILT_IN]


def test_rules_of_a_file_say_which_calls_they_may_decide() -> None:
    rule = {"nodes_min": 2, "ranks_max": 8, "bytes_max": 64, "oversubscribed": False}

    def may(call: Call, crowded: bool = False) -> bool:
        return measured_table.may_decide([{"bytes_min": 1 << 30}, rule], call, crowded)

    assert may(("bcast", 2, 4, 64))
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
    assert found.statement(ROUNDS) == ["2 calls failed with the table."]
    assert table.after(found).count() == 0
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
    # Where only the built-in choice is left, there is nothing to compare it with.
    only = {name: times[name] for name in (BUILT_IN, "b")}
    found = World(only).rounds(tmp_path).choose({JOB: dict.fromkeys(only, SIZES)})
    assert len(found[*JOB, 8][BUILT_IN]) == 3
    # Where rules know no size, what is good at one has rounds of all.
    world = World(times)
    found = world.rounds(tmp_path).choose({("gatherv", 1, 4): dict.fromkeys(times, SIZES)})
    assert [len(found["gatherv", 1, 4, 512][name]) for name in times] == [ROUNDS, ROUNDS, 3]


def test_what_fails_late_is_no_candidate_by_what_it_took_before(tmp_path: Path) -> None:
    world = World(TIMES | {"b": {8: 0.7, 512: 0.7}})
    rounds, calls = world.rounds(tmp_path), itertools.count()

    def launch(turn: Turn) -> dict[int, float]:
        if turn.choice == "a" and next(calls) == 4:
            raise DunlinError("no room")
        return world.launch(turn)

    rounds.launch = launch
    found = rounds.choose({JOB: dict.fromkeys(world.times, SIZES)})
    assert [set(found[call]) for call in CALLS] == [{BUILT_IN, "b"}] * 2


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
    # Without --resume the older one is kept, and older ones, too.
    for name in ("t.before.jsonl", "t.before2.jsonl"):
        assert Journal(file, {"of": "that"}, resume=False).former == tmp_path / name
    assert len((tmp_path / "t.before.jsonl").read_text().splitlines()) == 1 + 2 * (ROUNDS + 1)


def test_the_interval_is_told_as_a_speed() -> None:
    found = Compared(0.5, Interval(0.4, 0.8, 0.95))
    assert str(found) == "2.00 times as fast (1.25 to 2.50)"
