import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

import synthetic
from dunlin import anomalies
from dunlin.anomalies import Finding, Limits, launches
from dunlin.model import Run
from dunlin.summary import Cell, Key, Study
from synthetic import Recipe

CLEAN_STUDIES = 1000
# At most one clean study in a hundred may raise a false alarm.
FALSE_ALARMS_MAX = CLEAN_STUDIES // 100
FINE_SIZES = (8, 64, 512, 1024, 4096, 8192, 16384, 32768)


def of_kind(findings: list[Finding], kind: str) -> list[Finding]:
    return [f for f in findings if f.kind == kind]


def first_alarm(seed: int) -> str | None:
    found = anomalies.find_all(synthetic.clean(seed, synthetic.small(seed)))
    return f"{found[0].kind} at seed {seed}" if found else None


def test_a_thousand_clean_studies_raise_at_most_one_percent_of_false_alarms() -> None:
    workers = len(os.sched_getaffinity(0))
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        found = list(pool.map(first_alarm, range(CLEAN_STUDIES), chunksize=50))
    assert len(found) == CLEAN_STUDIES
    alarms = [alarm for alarm in found if alarm is not None]
    assert len(alarms) <= FALSE_ALARMS_MAX, alarms


def only(key: Key, value: float, benchmark: str, past: int, factor: float) -> float:
    """Slower past a count of ranks per node."""
    return value * factor if key.benchmark == benchmark and key.ranks_per_node > past else value


@pytest.mark.parametrize("seed", range(4))
def test_a_knee_is_found_though_only_one_count_lies_past_it(seed: int) -> None:
    recipe = Recipe(
        launches=3, ranks_per_node=(2, 4, 8, 16, 32, 46, 64, 126), sizes=(2048, 4096, 8192),
        change=lambda k, v: only(k, v, "allgather", 64, 8.0),
    )  # fmt: skip
    found = of_kind(anomalies.find_all(synthetic.clean(seed, recipe)), "knee")
    assert {(f.key.library, f.key.benchmark) for f in found if f.key} == {
        ("first", "allgather"), ("second", "allgather"),
    }  # fmt: skip


def test_of_three_counts_only_growth_beyond_the_square_is_a_knee() -> None:
    def studied(factor: float) -> list[Finding]:
        recipe = Recipe(
            ranks_per_node=(2, 4, 8), change=lambda k, v: only(k, v, "bcast", 2, factor)
        )
        return of_kind(anomalies.find_all(synthetic.clean(1, recipe)), "knee")

    assert studied(2.0) == []
    found = studied(12.0)
    assert {f.key.benchmark for f in found if f.key} == {"bcast"}
    assert {f.key.ranks_per_node for f in found if f.key} == {2}
    assert "the square of the ranks explains" in found[0].text


def test_a_knee_where_ranks_outnumber_cores_says_so_and_is_a_note() -> None:
    recipe = Recipe(ranks_per_node=(2, 4, 8), change=lambda k, v: only(k, v, "bcast", 2, 40.0))
    study = synthetic.clean(1, recipe)
    study.runs = [r.model_copy(update={"machine": {"usable_cores": 2}}) for r in study.runs]
    found = of_kind(anomalies.find_all(study), "knee")
    assert {f.severity for f in found} == {"note"}
    assert "There are 2 cores for them" in found[0].text


def test_a_knee_of_many_operations_at_one_place_is_one_finding() -> None:
    recipe = Recipe(change=lambda k, v: v * 4 if k.ranks_per_node > 48 else v)
    found = of_kind(anomalies.find_all(synthetic.clean(3, recipe)), "knee")
    assert [f.key.library for f in found if f.key] == ["first", "second"]
    assert found[0].title == "first on alpha: a knee past 48 ranks per node in 5 operations"
    assert {row[0] for row in found[0].rows} == set(synthetic.COLLECTIVES)


@pytest.mark.parametrize("seed", range(20))
def test_a_planted_knee_is_found_where_it_was_planted(seed: int) -> None:
    def knee(key: Key, value: float) -> float:
        past = max(0, key.ranks_per_node - 48)
        return value * (1 + past / 20) if key.benchmark == "allreduce" else value

    found = of_kind(anomalies.find_all(synthetic.clean(seed, Recipe(change=knee))), "knee")
    assert {f.key.benchmark for f in found if f.key} == {"allreduce"}
    assert {f.key.library for f in found if f.key} == {"first", "second"}
    for finding in found:
        assert finding.key is not None
        assert finding.key.ranks_per_node in (32, 48, 64)
        assert f"past {finding.key.ranks_per_node} ranks per node" in finding.text
        assert finding.figure is not None
        assert finding.figure.mark == finding.key.ranks_per_node
        assert len(finding.rows) == len(synthetic.RANKS_PER_NODE)


@pytest.mark.parametrize("seed", range(20))
def test_a_planted_cliff_is_found_where_it_was_planted(seed: int) -> None:
    def cliff(key: Key, value: float) -> float:
        return 4 * value if key.benchmark == "bcast" and key.bytes >= 8192 else value

    recipe = Recipe(change=cliff, sizes=FINE_SIZES, ranks_per_node=(2, 4, 8))
    found = of_kind(anomalies.find_all(synthetic.clean(seed, recipe)), "cliff")
    assert {(f.key.benchmark, f.key.bytes) for f in found if f.key} == {("bcast", 8192)}
    assert all("between 4 KiB and 8 KiB" in f.title for f in found)
    assert all("8 KiB" in f.text and f.figure and len(f.rows) == len(FINE_SIZES) for f in found)


def test_a_single_size_out_of_line_is_called_a_bump() -> None:
    def bump(key: Key, value: float) -> float:
        return 4 * value if key.bytes == 1024 else value

    recipe = Recipe(change=bump, sizes=FINE_SIZES, ranks_per_node=(4,), benchmarks=("bcast",))
    found = of_kind(anomalies.find_all(synthetic.clean(3, recipe)), "cliff")
    assert found
    assert all("a bump between 512 B and 1 KiB" in f.title for f in found)


def test_a_violated_guideline_names_both_sides() -> None:
    def slow(key: Key, value: float) -> float:
        return 8 * value if key.benchmark == "allgather" else value

    found = of_kind(anomalies.find_all(synthetic.clean(5, Recipe(change=slow))), "guideline")
    assert {f.title for f in found} == {"allgather is slower than gather and then bcast"}
    assert "gather" in found[0].text
    assert "bcast" in found[0].text


def test_fewer_bytes_that_take_longer_are_found() -> None:
    def slow(key: Key, value: float) -> float:
        return 50 * value if key.bytes == 8 and key.benchmark == "reduce" else value

    found = of_kind(anomalies.find_all(synthetic.clean(6, Recipe(change=slow))), "monotony")
    assert {(f.key.benchmark, f.key.bytes) for f in found if f.key} == {("reduce", 8)}


def one_cell(benchmark: str, size: int, metric: str, value: float, nodes: int = 2) -> Study:
    key = Key("alpha", "first", "none", nodes, 1, benchmark, size, metric, "local")
    return Study("one", [], [Cell(key, ("a", "b"), np.array([value, value]))])


@pytest.mark.parametrize(
    ("study", "reason"),
    [
        (one_cell("latency", 8, "time_us", -1.0), "-1"),
        (one_cell("latency", 8, "time_us", float("nan")), "nan"),
        (one_cell("latency", 8, "time_us", 0.05), "between nodes"),
        (one_cell("latency", 8, "time_us", 0.002, nodes=1), "between cores"),
        (one_cell("barrier", 0, "time_us", 0.01), "between nodes"),
        (one_cell("allgather", 1 << 24, "time_us", 4.0), "a core writes at most"),
        (one_cell("iallgather", 1 << 24, "time_us", 4.0), "a core writes at most"),
        (one_cell("latency", 1 << 24, "time_us", 4.0), "a core writes at most"),
        (one_cell("bandwidth", 1 << 20, "bandwidth_mbps", 2e6, nodes=1), "a core writes"),
        (one_cell("message_rate", 1 << 20, "rate_per_s", 2e6, nodes=1), "a core writes"),
    ],
)
def test_what_no_machine_can_do_is_impossible(study: Study, reason: str) -> None:
    found = of_kind(anomalies.find_all(study), "impossible")
    assert len(found) == 1
    assert found[0].severity == "wrong"
    assert reason in found[0].text


def test_a_collective_faster_than_the_wire_is_impossible_once_the_wire_is_known() -> None:
    study = one_cell("alltoall", 1 << 20, "time_us", 10.0)
    assert not anomalies.find_all(study)
    found = anomalies.find_all(study, Limits(wire_mbps=12_500.0))
    assert [f.kind for f in found] == ["impossible"]
    assert "12.5 GB/s" in found[0].text


@pytest.mark.parametrize(
    ("benchmark", "metric", "value"),
    [("latency", "time_us", 20.0), ("gather", "time_us", 20.0), ("ireduce", "time_us", 20.0),
     ("message_rate", "rate_per_s", 1e6)],
)  # fmt: skip
def test_the_wire_bounds_what_passes_a_single_node_too(
    benchmark: str, metric: str, value: float
) -> None:
    def found(clock: str) -> list[str]:
        study = one_cell(benchmark, 1 << 20, metric, value)
        cells = [replace(c, key=replace(c.key, clock=clock)) for c in study.cells]
        return [f.kind for f in anomalies.find_all(study.only(cells), Limits(wire_mbps=12_500.0))]

    assert found("global") == ["impossible"]
    # By their own clocks ranks of a rooted operation may be done before its bytes have passed.
    assert found("local") == ([] if benchmark in ("gather", "ireduce") else ["impossible"])


def test_a_blocking_operation_slower_than_its_nonblocking_form_is_found() -> None:
    recipe = Recipe(
        benchmarks=("bcast", "ibcast"), launches=6,
        change=lambda k, v: 30.0 + 15.0 * (k.benchmark == "bcast"),
    )  # fmt: skip
    quiet = synthetic.clean(1, recipe)
    found = of_kind(anomalies.find_all(quiet), "guideline")
    assert {f.title for f in found} == {"bcast is slower than ibcast"}


def test_cores_in_words_that_are_no_list_are_not_known() -> None:
    assert launches.cpus("0-2,7") == {0, 1, 2, 7}
    assert launches.cpus("unbound") == frozenset()


def test_bandwidth_above_the_memorys_is_impossible() -> None:
    study = one_cell("bandwidth", 1 << 20, "bandwidth_mbps", 90_000.0, nodes=1)
    assert not anomalies.find_all(study)
    assert anomalies.find_all(study, Limits(memory_mbps=50_000.0))


def run_on(rpn: int = 4, nodes: int = 2) -> Run:
    return synthetic.make_run("r", "first", "none", nodes, rpn, "bcast", 0)


def test_ranks_as_asked_for_are_in_their_place() -> None:
    assert launches.judge(synthetic.placed(run_on(), str)) is None


def test_ranks_on_one_host_in_place_of_two_are_misplaced() -> None:
    wrong = launches.judge(synthetic.placed(run_on(), str, hosts=1))
    assert wrong is not None
    assert "1 host with 8 ranks, not on 2 hosts with 4" in wrong.what


def test_ranks_that_share_one_core_of_many_are_misplaced() -> None:
    wrong = launches.judge(synthetic.placed(run_on(), lambda _rank: "0"))
    assert wrong is not None
    assert "4 ranks on host0 had to share 1 core of its 128" in wrong.what


def test_a_misplaced_launch_becomes_a_finding() -> None:
    study = synthetic.clean(0)
    study.runs[3] = synthetic.placed(study.runs[3], lambda _rank: "0-1,5", hosts=1)
    found = of_kind(anomalies.find_all(study), "placement")
    assert len(found) == 1
    assert found[0].severity == "wrong"
    assert ("0", "host0", "0-1,5") in found[0].rows


def test_binding_by_one_library_only_is_noted() -> None:
    study = synthetic.clean(0, synthetic.Recipe(ranks_per_node=(4,)))
    study.runs = [
        synthetic.placed(r, str if r.library == "first" else lambda _rank: "0-127")
        for r in study.runs
    ]
    found = of_kind(anomalies.find_all(study), "placement")
    assert [f.severity for f in found] == ["note"]
    assert "first confined each rank" in found[0].text


def test_a_hang_is_named_with_its_message() -> None:
    study = synthetic.clean(0)
    study.runs[0] = study.runs[0].model_copy(
        update={"status": "hang", "message": "no end after 60 s"}
    )
    found = anomalies.find_all(study)
    assert [f.kind for f in found] == ["hang"]
    assert "no end after 60 s" in found[0].text


def test_loud_launches_are_noise() -> None:
    rng = np.random.default_rng(4)
    study = synthetic.with_values(
        synthetic.clean(0, synthetic.Recipe(ranks_per_node=(4,))),
        lambda c: c.values * rng.lognormal(0, 0.8, c.launches),
    )
    found = anomalies.find_all(study)
    assert {f.kind for f in found} == {"noise"}


def test_one_slow_launch_is_noted_and_named() -> None:
    study = synthetic.clean(0)
    bad = study.runs[7].run_id

    def slowed(cell: Cell) -> np.ndarray:
        return np.where(np.array(cell.run_ids) == bad, 6 * cell.values, cell.values)

    found = anomalies.find_all(synthetic.with_values(study, slowed))
    assert [f.kind for f in found] == ["noise"]
    assert bad in found[0].text


def test_a_machine_that_slows_down_is_noticed() -> None:
    study = synthetic.clean(2)
    order = {r.run_id: r.order for r in study.runs}

    def slowed(cell: Cell) -> np.ndarray:
        share = np.array([order[r] for r in cell.run_ids]) / len(order)
        return cell.values * (1 + 0.5 * share)

    found = anomalies.find_all(synthetic.with_values(study, slowed))
    assert any("became slower while the study ran" in f.title for f in found)


def test_what_makes_figures_worthless_comes_first() -> None:
    study = synthetic.clean(0)
    study.runs[0] = study.runs[0].model_copy(update={"status": "failed", "message": "exit 1"})
    key = replace(study.cells[0].key, benchmark="latency")
    study.cells.append(Cell(key, ("x",), np.array([-1.0])))
    severities = [f.severity for f in anomalies.find_all(study)]
    assert severities == ["wrong", "wrong"]
