from dataclasses import replace

import pytest

from dunlin import gains, limits, simulation
from dunlin.commands import simulate
from dunlin.commands.gains import _most as most_of
from dunlin.errors import DunlinError
from dunlin.simulation import Request, Result
from test_run import dunlin


def result(
    nodes: int, size: int, name: str, us: float, selected: bool = False, library: str | None = None
) -> Result:
    return Result(
        "bcast", nodes, 8, size, name, None, selected, False, us, us, 0, 0, (), library
    )  # fmt: skip


# `fast` is tuned; on 8 nodes and 64 bytes it loses 4 % to `other`, which is within the tolerance.
RESULTS = [
    result(2, 64, "slow", 4.0, selected=True),
    result(2, 64, "fast", 2.0),
    result(2, 64, "slow", 4.0, library="openmpi"),
    result(2, 64, "worse", 16.0, library="mpich"),
    result(8, 64, "slow", 8.0, selected=True),
    result(8, 64, "fast", 1.04),
    result(8, 64, "other", 1.0),
    result(8, 64, "other", 1.0, library="openmpi"),
    result(8, 64, "fast", 1.04, library="mpich"),
]


def test_a_tuned_table_is_set_against_the_built_in_rules_and_those_of_libraries() -> None:
    found = gains.gains_of(RESULTS)
    assert [gain.algorithm for gain in found] == ["fast", "fast"]
    told = gains.summary(found, gains.BUILT_IN)
    assert (told.least, told.least_at.scale) == (2.0, (2, 8))
    assert told.most == pytest.approx(8.0 / 1.04)
    theirs = gains.summary(found, "openmpi")
    assert theirs.least == pytest.approx(1.0 / 1.04)
    assert theirs.mean == pytest.approx((2.0 / 1.04) ** 0.5)


def test_what_only_a_library_would_run_is_no_candidate_of_the_table() -> None:
    only = result(2, 64, "theirs", 1.0, library="mpich")
    found = gains.gains_of([*RESULTS[:3], only])
    assert [gain.algorithm for gain in found] == ["fast"]
    assert found[0].ratios["mpich"] == 0.5


def test_jobs_that_are_too_large_for_all_to_all_are_left_out() -> None:
    asked = list(gains.requests("m", ["alltoallv", "bcast"], [4, 32], [8, 64], [8]))
    assert [(r.operations, r.nodes, r.ppn) for r in asked] == [
        (["alltoallv"], [4], [8, 64]),
        (["alltoallv"], [32], [8]),
        (["bcast"], [4], [8, 64]),
        (["bcast"], [32], [8]),
    ]
    assert asked[0].algorithms == ["selected", "all", "openmpi", "mpich"]
    assert all(request.built_in for request in asked)


def test_jobs_that_are_too_large_are_counted_and_all_of_them_an_error() -> None:
    assert limits.left_out(["bcast", "alltoall", "reduce"], [4, 32], [8, 64]) == [
        "alltoall on 1 of 4 layouts (more than 256 ranks)",
        "bcast and reduce on 1 of 4 layouts (more than 1,024 ranks)",
    ]
    assert limits.left_out(["bcast"], [4], [8]) == []
    with pytest.raises(DunlinError, match="alltoall on 1 of 1 layout "):
        limits.left_out(["alltoall"], [64], [126])


def test_where_rules_know_no_size_all_sizes_count_against_others() -> None:
    def of(size: int, name: str, us: float, library: str | None = None) -> Result:
        selected = name == "slow" and library is None
        return replace(
            result(2, size, name, us, selected, library), operation="gatherv"
        )  # fmt: skip

    results = [
        of(size, name, us * scale, library)
        for size, scale in ((8, 1.0), (1024, 4.0))
        for name, us, library in (
            ("slow", 6.0 / scale, None), ("fast", 1.0, None), ("slow", 6.0 / scale, "openmpi"),
            ("other", 2.0, "mpich"),
        )
    ]  # fmt: skip
    (gain,) = gains.gains_of(results)
    assert most_of([gain]) == "gatherv 2:8 by `fast`"
    (kept,) = gains.gains_of(r for r in results if r.algorithm != "fast")
    assert most_of([kept]) == "nothing"
    assert (gain.algorithm, gain.bytes) == ("fast", 0)
    # 6 µs at both sizes, and 1 and 4 by the table.
    assert gain.ratios == pytest.approx({gains.BUILT_IN: 3.0, "openmpi": 3.0, "mpich": 2.0})


def test_the_command_makes_a_table_for_each_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Request] = []

    def answers(request: Request) -> list[Result]:
        asked.append(request)
        return RESULTS if len(asked) % 2 else []

    monkeypatch.setattr(simulate, "results_of", answers)
    monkeypatch.setattr(simulation, "machines", lambda: [{"name": "m", "cores": 48}])
    said = " ".join(
        dunlin("gains", "--machines", "m", "--operations", "bcast", "--nodes", "2,8",
               "--ppn", "8,64,96").split()
    )  # fmt: skip
    assert "m operation calls built-in rules Open MPI 5 MPICH 5" in said
    assert "bcast 2 3.92 (2.00, 7.69) 1.39 (0.96, 2) 2.83 (1.00, 8)" in said
    assert "Most over the built-in rules: bcast 8:8 64 B by `fast`." in said
    assert asked[0].ppn == [8, 48]
    with pytest.raises(DunlinError, match="every job is too large"):
        dunlin("gains", "--machines", "m", "--operations", "alltoall", "--nodes", "64",
               "--ppn", "126")  # fmt: skip
