import json
from dataclasses import asdict, replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from dunlin import calibration, checkout, network_calibration, simulated_plot, simulation
from dunlin.calibration import Value
from dunlin.errors import DunlinError
from dunlin.libraries import Library
from dunlin.peers import simulated
from dunlin.peers.machine_state import LOOKS, State, best, fastest
from dunlin.simulation import Part, Request, Result
from test_run import dunlin

PATH = [
    {"cost": "network_latency", "ns": 6000.0, "times": 6},
    {"cost": "copy", "ns": 4000.0, "times": 1},
    {"cost": "lines", "ns": 10.0, "times": 2},
]


def line(size: int, asked: str | None, algorithm: str, us: float | None) -> str:
    outcome = (
        {
            "completion_ns": us * 1e3,
            "mean_local_ns": 1.0,
            "network_messages": 3,
            "network_bytes": 24,
            "path": PATH,
        }
        if us is not None
        else None
    )
    return json.dumps(
        {
            "results": 4,
            "operation": "allreduce",
            "nodes": 4,
            "ppn": 2,
            "bytes": size,
            "asked": asked,
            "oversubscribed": False,
            "algorithm": algorithm,
            "outcome": outcome,
            "parameter": {"name": "radix", "value": 4} if "k" in algorithm else None,
        }
    )


@pytest.fixture
def fake_sim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that prints results, and keeps its arguments."""
    told = [
        line(8, None, "ring", 10.0),
        line(8, "knomial", "knomial", 5.0),
        line(64, None, "ring", 10.0),
        line(64, "direct", "direct", None),
    ]
    program = program_that_prints(tmp_path, told)
    monkeypatch.setattr(simulation, "program", lambda: program)
    return tmp_path


def program_that_prints(at: Path, lines: list[str]) -> Path:
    program = at / "dunlin-sim"
    text = "".join(f"echo '{text}'\n" for text in lines)
    program.write_text(
        f'#!/bin/sh\n[ "$3" != none ] || {{ echo "dunlin-sim: no none" >&2; exit 1; }}\n'
        f'echo "$@" > {at}/arguments\n{text}'
    )
    program.chmod(0o755)
    return program


def test_the_choice_stands_beside_the_fastest(fake_sim: Path) -> None:
    said = dunlin(
        "simulate",
        "allreduce",
        "--machine",
        "m",
        "--nodes",
        "4",
        "--bytes",
        "8,64",
        "--algorithms",
        "all",
        "--why",
        "--plot",
        fake_sim / "times.svg",
    )
    text = " ".join(said.split())
    assert "8 B ring 10.0 µs knomial:4, 5.00 µs: 2.00 times as fast" in text
    assert "60 % in 6 latencies of the network of 1.00 µs each and 40 % in 1 copies" in text
    assert "an estimate, not a measurement" in text
    assert (fake_sim / "times.svg").read_text().startswith("<?xml")
    arguments = (fake_sim / "arguments").read_text()
    assert "--operations allreduce --nodes 4 --ppn 2 --bytes 8,64" in arguments
    assert "--algorithms selected,all" in arguments
    assert "--built-in" not in arguments
    dunlin("simulate", "allreduce", "--algorithms", "ring,selected", "--built-in")
    assert "--built-in" in (fake_sim / "arguments").read_text()
    assert "--algorithms selected,ring" in (fake_sim / "arguments").read_text()


def test_what_libraries_would_run_stands_beside_what_dunlin_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = [line(8, None, "ring", 10.0), line(8, "mpich", "knomial", 25.0)]
    monkeypatch.setattr(simulation, "program", lambda: program_that_prints(tmp_path, told))
    results = [result for result, _ in simulation.run(Request("m", ["allreduce"])) if result]
    assert [result.library for result in results] == [None, "mpich"]
    said = " ".join(dunlin("simulate", "allreduce", "--algorithms", "mpich").split())
    assert "bytes a call runs time MPICH 5 8 B ring 10.0 µs knomial:4 (2.50)" in said
    assert "fastest" not in said
    dunlin("simulate", "allreduce", "--algorithms", "mpich", "--plot", tmp_path / "times.svg")
    assert "what MPICH 5 would run" in (tmp_path / "times.svg").read_text()


def test_what_is_given_up_is_counted_without_a_time(fake_sim: Path) -> None:
    results = list(simulation.run(Request("m", ["allreduce"])))
    assert [result is None for result, _ in results] == [False, False, False, True]
    assert {count for _, count in results} == {4}


@pytest.mark.usefixtures("fake_sim")
def test_what_the_program_refuses_is_told() -> None:
    with pytest.raises(DunlinError, match=r"^no none$"):
        list(simulation.run(Request("none", ["allreduce"])))
    with pytest.raises(DunlinError, match="say which operation"):
        dunlin("simulate")
    with pytest.raises(DunlinError, match="--nodes: "):
        dunlin("simulate", "allreduce", "--nodes", "many")


@pytest.mark.usefixtures("fake_sim")
def test_what_would_be_ignored_is_refused() -> None:
    with pytest.raises(DunlinError, match="--published goes alone, without the operation and --pl"):
        dunlin("simulate", "allreduce", "--published", "--plot", "a.svg")
    with pytest.raises(DunlinError, match="--study goes alone, without --table"):
        dunlin("simulate", "--study", "s", "--table", "t.toml")
    with pytest.raises(DunlinError, match="--machines goes alone, without --published"):
        dunlin("simulate", "--machines", "--published")


def at_ppn(ppn: int, us: float, size: int = 2048, **more: Any) -> Result:
    fixed = {"selected": False, "library": None} | more
    return Result("allgather", 50, ppn, size, "ring", None, fixed["selected"], False, us, us,
                  0, 0, (), fixed["library"])  # fmt: skip


def test_one_size_is_drawn_over_ranks_per_node() -> None:
    results = [at_ppn(ppn, 2.0 * ppn, selected=True) for ppn in (64, 2)]
    results += [at_ppn(ppn, 9.0 * ppn, library="mpich") for ppn in (64, 2)]
    (panel,) = simulated_plot.panels(results)
    assert panel.title == "allgather of 2 KiB, 50 nodes"
    assert simulated_plot.lines_of(panel) == {"ring": [(2, 4.0), (64, 128.0)]}
    assert simulated_plot.choices_of(panel) == {
        "what a call runs": [(2, 4.0), (64, 128.0)],
        "what MPICH 5 would run": [(2, 18.0), (64, 576.0)],
    }


def test_several_sizes_are_drawn_for_each_layout() -> None:
    results = [at_ppn(ppn, 1.0, size) for ppn in (2, 8) for size in (8, 64)]
    titles = [panel.title for panel in simulated_plot.panels(results)]
    assert titles == [
        "allgather, 50 nodes with 2 ranks each",
        "allgather, 50 nodes with 8 ranks each",
    ]


def test_small_parts_of_a_path_are_left_out() -> None:
    result = Result(
        "bcast",
        1,
        2,
        8,
        "ring",
        None,
        True,
        False,
        10.0,
        9.0,
        0,
        0,
        (Part("copy", 9.9, 1), Part("lines", 0.1, 1)),
    )
    assert simulation.path_in_words(result) == "99 % in 1 copies in a rank's own memory"


def test_a_model_is_made_of_what_was_measured(tmp_path: Path) -> None:
    def rate(bench: str, **columns: float) -> dict[str, object]:
        return {"bench": bench, "bytes": 64 << 10, **columns}

    costs = [
        {"bench": "remote_copy", "bytes": 16 << 10, "bytes_per_ns": 32.0},
        rate("reduce", bytes_per_ns=90.0),
        rate("memory_copy_one", bytes_per_ns=12.0),
        rate("fresh_memory", bytes_per_ns=8.0),
        rate("memory_copy_all", bytes_per_ns=20.0),
    ]
    limits = [
        rate("memory_copy", mb_per_s=120e3),
        {"bench": "memory_copy", "bytes": 1 << 20, "mb_per_s": 50e3},
        {"bench": "single_copy", "bytes": 1024, "min_us": 1.0},
        {"bench": "single_copy", "bytes": 1 << 20, "min_us": 71.0},
        {"bench": "single_copy", "bytes": 32 << 20, "median_us": 4194.304},
    ]
    apart = [
        {"bench": "latency", "bytes": 8, "median_us": 0.1},
        {"bench": "latency", "bytes": 16 << 10, "median_us": 1.1},
        {"bench": "latency", "bytes": 64 << 10, "median_us": 0.1 + 96 * 1.024 / 32},
        {"bench": "latency", "bytes": 1 << 20, "median_us": 0.1 + 1024 * 1.024 / 16},
    ]
    # One pair, four pairs on one core, and two for each core: a switch, and 1 and 2 us for 16 KiB.
    together, crowd, crowds = (
        [
            {"bench": "pairs", "bytes": 8, "median_us": us},
            {"bench": "pairs", "bytes": 16 << 10, "median_us": us + more_us},
        ]
        for us, more_us in ((1.22, 1.0), (4 * (0.02 + 1.2 * 1.3), 9.0), (3.0, 2 * 2.0))
    )
    exchange = [{"bench": "barrier", "bytes": 0, "in_a_row_us": 0.58}]
    alone = {"barrier": 0.1, "call": 0.14, "levels": 0.19,
             "plain": 0.15, "scratch": 0.27, "once": 0.2, "twice": 0.25}  # fmt: skip
    found = calibration.Measured(costs, limits, apart, exchange, together, crowd, crowds, alone)
    values = calibration.node(found, {"own": 1e6, "all": 3e6})
    assert values["line_ns"].value == pytest.approx(80)
    assert values["switch_ns"].value == pytest.approx(800)
    assert values["switch_growth"].value == pytest.approx(0.05)
    assert values["shared_core_slowdown"].value == pytest.approx(2)
    assert values["message_ns"].value == pytest.approx(200)
    assert values["general_call_ns"].value == pytest.approx(40)
    assert values["data_call_ns"].value == pytest.approx(40)
    assert values["general_verb_ns"].value == pytest.approx(40)
    assert values["general_copy_ns"].value == pytest.approx(10)
    assert values["levels_ns"].value == pytest.approx(50)
    assert values["page_fault_ns"].value == pytest.approx(512)
    assert values["single_copy_memory_bytes_per_ns"].value == pytest.approx(8)
    assert values["bounce_copy_bytes_per_ns"].value == pytest.approx(32)
    assert values["long_message_bytes_per_ns"].value == pytest.approx(16)
    assert values["numa_bytes_per_ns"].value == 40
    assert values["single_copy_bytes_per_ns"].value == pytest.approx((1 << 20) / 70e3)
    text = calibration.text("here", 2, values)
    assert "cores_per_cache = 2" in text
    assert "[node.line_ns]\ncache = 80 " in text
    assert values["single_copy_page_lock_ns"].source == "assumed: few cores cannot tell"
    at_once = {"bench": "single_copy_at_once", "bytes": 15 * (128 << 10), "bytes_per_ns": 8.192}
    values = calibration.node(replace(found, costs=[*costs, at_once]), {"own": 1e6, "all": 3e6})
    assert values["single_copy_page_lock_ns"].value == pytest.approx(500)
    assert "by 15 at once" in values["single_copy_page_lock_ns"].source
    with pytest.raises(DunlinError, match="printed no `reduce`"):
        calibration.node(replace(found, costs=costs[:1]), {})


def test_a_launch_whose_ranks_were_lucky_in_their_places_does_not_count() -> None:
    def launch(short: float, long: float) -> list[dict[str, object]]:
        return [{"bench": "pairs", "bytes": size, "median_us": us}
                for size, us in ((8, short), (16 << 10, long))]  # fmt: skip

    lucky, usual, slow = launch(4.0, 4.9), launch(3.2, 6.6), launch(4.2, 7.9)
    for launches in permutations((lucky, usual, slow)):
        assert calibration.middle(launches) == usual


def test_rounds_give_a_median_and_say_how_far_they_went() -> None:
    rounds = [{"a": Value(value, "seen"), "b": Value(1, "assumed")} for value in (3.0, 1.0, 2.0)]
    found = calibration.combined(rounds)
    assert found == {"a": Value(2, "seen: 1 to 3"), "b": Value(1, "assumed")}


@pytest.mark.parametrize(("times", "is_kept"), [(1, False), (2, True), (3, True)])
def test_what_is_not_seen_in_every_round_is_kept_if_most_have_it(times: int, is_kept: bool) -> None:
    for rounds in permutations([{"a": Value(4, "seen")}] * times + [{}] * (3 - times)):
        assert ("a" in calibration.combined(rounds)) == is_kept


def test_whole_numbers_are_written_whole() -> None:
    assert calibration.Value(262144, "x").line("a").startswith("a = 262144 ")
    assert calibration.Value(1234.56, "x").line("a").startswith("a = 1235 ")


def between_hosts(latency_us: float = 10.0, burst: int = 0) -> network_calibration.Measured:
    """A network whose figures are known, on hosts of one machine."""

    def row(bench: str, size: int, **columns: float) -> dict[str, object]:
        return {"bench": bench, "bytes": size, **columns}

    # A core takes 2 and 3 us for a message, 1 more over a connection, and moves 4 bytes in 1 ns.
    costs = [
        row("message_costs", size, send_us=2 + way + size / 4e3, receive_us=3 + way + size / 4e3)
        for size, way in ((8, 0), (1 << 10, 0), (12 << 10, 1), (24 << 10, 1))
    ]
    rates = {"median_mb_per_s": 2000.0, "messages_per_s": 5e5}
    pair = [row("bandwidth", size, **rates) for size in (8, 1 << 20)]
    pairs = [row("bandwidth", size, **(rates | {"median_mb_per_s": 5e3})) for size in (8, 1 << 20)]
    # The cores take 1.024 us more for 2 KiB, and 2 and 8.192 for 16. So many bytes pass at once.
    latency = [
        row("latency", 8, median_us=latency_us + 5, p99_us=latency_us + 5),
        row("latency", 2048, median_us=latency_us + 6.024 + max(2048 - burst, 0) / 2e3),
        row("latency", 16384, median_us=latency_us + 15.192 + (16384 - burst) / 2e3),
    ]
    together = [row("pairs", 8, median_us=11.0)]
    crowd = [row("pairs", 8, median_us=4 * (5.0 + 1.6 * 6.0))]
    crossing = [row("bandwidth_both_ways", 1 << 20, median_mb_per_s=2500.0)]
    return network_calibration.Measured(latency, costs, pair, pairs, together, crowd, crossing)


def test_a_network_is_what_lies_between_the_cores() -> None:
    fabric = {"fabric": "udp+tcp", "packet_bytes_max": 1372}
    found = network_calibration.values(between_hosts(), fabric)
    assert found["latency_ns"].value == pytest.approx(10e3, rel=0.01)
    assert found["latency_spread"].value == 0
    assert found["send_ns"].value == pytest.approx(2e3, rel=0.01)
    assert found["copy_bytes_per_ns"].value == pytest.approx(4)
    assert found["connection_ns"].value == pytest.approx(1000)
    assert found["datagram_bytes_max"].value == 4095
    assert found["acknowledge_ns"].value == 100_000
    assert "burst_bytes" not in found
    assert found["flow_bytes_per_ns"].value == 2
    assert found["adapter_bytes_per_ns"].value == 5
    assert found["switch_ns"].value == pytest.approx(4e3, rel=0.01)
    assert found["switch_growth"].value == pytest.approx(0.1, rel=0.01)
    text = network_calibration.text(found, fabric, shared=True)
    assert "hosts_share_cores = true" in text
    assert "eager_bytes_max = 262144" in text
    assert "rendezvous_copies = true" in text


def test_a_fabric_of_an_adapter_has_its_packets_and_one_way() -> None:
    fabric = {"fabric": "ofi+tcp", "packet_bytes_max": 8928}
    found = network_calibration.values(between_hosts(), fabric)
    assert found["packet_bytes"].value == 8928
    assert "connection_ns" not in found
    assert "acknowledge_ns" not in found
    text = network_calibration.text(found, fabric, shared=False)
    assert "rendezvous_copies = false" in text


def test_a_token_bucket_is_seen_where_it_makes_a_difference() -> None:
    fabric = {"fabric": "udp+tcp", "packet_bytes_max": 1372}
    for latency_us, seen in ((-4.0, True), (10.0, False)):
        found = network_calibration.values(between_hosts(latency_us, burst=3000), fabric)
        assert ("burst_bytes" in found) == seen
    # What lets 2 KiB pass is seen by a longer message.
    for burst in (3000, 1200):
        found = network_calibration.values(between_hosts(-4.4, burst=burst), fabric)
        assert found["burst_bytes"].value == pytest.approx(burst, rel=0.01)


def test_a_core_that_hosts_share_carries_so_many_bytes_but_no_less_than_one_pair_moved() -> None:
    fabric = {"fabric": "udp+tcp", "packet_bytes_max": 1372}
    measured = between_hosts()
    found = network_calibration.values(measured, fabric)
    assert found["core_bytes_per_ns"].value == 2.5
    assert "core_bytes_per_ns = 2.5" in network_calibration.text(found, fabric, shared=True)
    slow = [{"bench": "bandwidth_both_ways", "bytes": 1 << 20, "median_mb_per_s": 900.0}]
    found = network_calibration.values(replace(measured, crossing=slow), fabric)
    assert found["core_bytes_per_ns"].value == found["flow_bytes_per_ns"].value
    found = network_calibration.values(replace(measured, crossing=None), fabric)
    assert "core_bytes_per_ns" not in found


def test_a_measured_machine_can_be_simulated(tmp_path: Path) -> None:
    fabric = {"fabric": "tcp", "packet_bytes_max": 65160}
    values = network_calibration.values(replace(between_hosts(), together=None), fabric)
    model = tmp_path / "mine.toml"
    laptop = (checkout.ROOT / "machines" / "epyc-2core.toml").read_text()
    model.write_text(laptop + network_calibration.text(values, fabric, shared=False))
    request = simulation.Request(str(model), ["barrier"], [2], [1], [0], ["dissemination"])
    ((result, _),) = simulation.run(request)
    # One message each way at the same time.
    assert result is not None
    assert result.completion_us == pytest.approx(15, rel=0.2)


def test_caches_are_a_cores_own_and_its_share_of_the_last(tmp_path: Path) -> None:
    for index, (kind, size, cpus) in enumerate(
        [
            ("Data", "48K", "0"),
            ("Instruction", "32K", "0"),
            ("Unified", "1024K", "0"),
            ("Unified", "32768K", "0-15"),
        ]
    ):
        at = tmp_path / f"index{index}"
        at.mkdir()
        for name, text in (("type", kind), ("size", size), ("shared_cpu_list", cpus)):
            (at / name).write_text(text)
    found = calibration.caches(4, tmp_path)
    assert found == {"own": 1 << 20, "all": (1 << 20) + (8 << 20)}


def test_a_comparison_tells_the_order_of_algorithms_apart_where_they_differ() -> None:
    def call(size: int, *times: tuple[float, float]) -> list[simulated.Point]:
        return [
            simulated.Point(2, 1, "bcast", size, f"a{i}", i == 0, *pair, "model.toml")
            for i, pair in enumerate(times)
        ]

    alike = call(8, (3.0, 10.0), (2.0, 10.5), (1.0, 11.0))
    apart = call(1024, (1.0, 10.0), (2.0, 20.0), (3.0, 30.0))
    heads, cells = (
        [cell.strip() for cell in line.split("|")]
        for line in (simulated.HEAD.splitlines()[0], simulated.line("2 hosts of 1", alike + apart))
    )
    row = dict(zip(heads, cells, strict=True))
    assert (row["rank correlation"], row["where they differ"]) == ("0.00", "1.00")
    assert (row["pairs in order"], row["worst loss"]) == ("100%", "1.10")


def test_several_rounds_say_how_well_a_measurement_orders_algorithms() -> None:
    def of_round(number: int, *measured: float) -> list[simulated.Point]:
        return [
            simulated.Point(1, 4, "bcast", 8, f"a{i}", i == 0, told, us, "model.toml", number)
            for i, (told, us) in enumerate(zip((1.0, 4.0, 3.0), measured, strict=True))
        ]

    first, alike, other = of_round(1, 1.0, 2, 3), of_round(2, 1.1, 2.1, 3.1), of_round(2, 1, 3, 2)
    assert simulated.between_rounds(first) is None
    assert simulated.of_rounds(first) == []
    assert simulated.between_rounds(first + alike) == pytest.approx(1)
    assert simulated.between_rounds(first + other) == pytest.approx(0.5)
    # The simulation has the last two the other way round.
    apart = simulated.apart_in_order(first + alike)
    assert apart is not None
    assert (apart.part, apart.in_order) == pytest.approx((1, 2 / 3))
    # Of two pairs of times, in any order, both of one are first in 2 of 6 cases.
    assert apart.by_chance == pytest.approx(1 / 3)
    # What rounds do not agree on is nobody's order.
    apart = simulated.apart_in_order(first + other)
    assert apart is not None
    assert (apart.part, apart.in_order) == pytest.approx((2 / 3, 1))
    text = simulated.report(first + other)
    assert "correlation of 0.50" in text
    assert "would be about 0.71" in text
    assert "67% of all pairs of algorithms apart (33% by chance)" in text
    assert "100% of these in the same order (50% by chance)" in text


def test_rounds_are_compared_by_what_both_have_measured() -> None:
    def point(number: int, name: str, us: float) -> simulated.Point:
        return simulated.Point(1, 4, "bcast", 8, name, False, us, us, "model.toml", number)

    # In the second round `a` failed; its third time is none to compare with the others' second.
    first = [point(1, name, us) for name, us in zip("abcd", (1.0, 2, 3, 4), strict=True)]
    second = [point(2, name, us) for name, us in zip("bcd", (2.0, 3, 4), strict=True)]
    third = [point(3, name, us) for name, us in zip("abcd", (10.0, 20, 30, 40), strict=True)]
    assert simulated.between_rounds(first + second + third) == pytest.approx(1)
    assert simulated.between_rounds(first[:1] + second + third[:1]) is None
    # Two rounds have measured one of these, and two the other, but only one has measured both.
    apart = [point(1, "a", 1), point(2, "a", 1), point(2, "b", 2), point(3, "b", 20)]
    assert simulated.apart_in_order(apart) is None
    found = simulated.apart_in_order([*apart, point(1, "b", 2)])
    assert found is not None
    assert (found.part, found.in_order) == (1, 1)


def test_what_was_measured_is_simulated_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SystemExit, match="what an earlier run has measured"):
        simulated.again(tmp_path)
    points = [
        simulated.Point(1, ppn, "bcast", size, name, False, 1.0, 2.0, f"{ppn}.toml")
        for ppn in (2, 4) for size in (8, 64) for name in ("a", "gone")
    ]  # fmt: skip
    text = json.dumps([asdict(point) for point in points])
    (tmp_path / "simulation.json").write_text(text)
    asked = []

    def predicted(model: Path, layout: object, _: str, sizes: object) -> simulated.Predicted:
        asked.append((model, layout, sizes))
        return {(8, "a"): (3.0, True), (64, "a"): (4.0, False)}

    monkeypatch.setattr(simulated, "predicted", predicted)
    found = [(p.ppn, p.bytes, p.simulated_us, p.selected) for p in simulated.again(tmp_path)]
    assert found == [(2, 8, 3, True), (2, 64, 4, False), (4, 8, 3, True), (4, 64, 4, False)]
    assert asked == [(tmp_path / f"{ppn}.toml", (1, ppn), [8, 64]) for ppn in (2, 4)]


def test_a_launch_counts_if_the_machine_was_in_the_state_of_the_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    near, far = State(0.11, 1.5), State(0.25, 5.6)
    library = Library("here", Path("mpicc"), Path("mpirun"))
    job = simulated.Job(library, simulated.Model(library, None, Path("m.toml")), 1, 2, 1)
    looks = iter([far, near, far, near, near])
    launches = iter([{8: 1.0}, {8: 2.0}])
    monkeypatch.setattr(simulated, "half_round_trips", lambda _: next(looks))
    monkeypatch.setattr(simulated.Job, "measured", lambda *_: next(launches))
    assert job.in_state(near, "bcast", "cico", [8]) == {8: 2.0}
    monkeypatch.setattr(simulated, "half_round_trips", lambda _: far)
    monkeypatch.setattr(simulated, "PATIENCE_S", 0.05)
    assert job.in_state(near, "bcast", "cico", [8]) == {}


def test_the_fastest_of_what_was_measured_counts() -> None:
    near, far = State(0.11, 1.5), State(0.25, 5.6)
    assert near.is_like(State(0.14, 1.9))
    assert not near.is_like(State(0.11, 5.6))
    assert not near.is_like(State(0.25, 1.5))
    seen = iter([far] * (LOOKS - 1) + [near])
    assert fastest(lambda: next(seen)) == near
    rows = [
        [{"bench": "a", "bytes": 8, "median_us": us, "bytes_per_ns": rate, "mb_per_s": rate}]
        for us, rate in ((3.0, 1.0), (1.0, 3.0), (2.0, 2.0))
    ]
    assert best(rows) == [
        {"bench": "a", "bytes": 8, "median_us": 1.0, "bytes_per_ns": 3.0, "mb_per_s": 3.0}
    ]
