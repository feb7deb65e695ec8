import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from dunlin import simulated_study, simulation, studyfile, summary
from dunlin.commands import simulate
from dunlin.errors import DunlinError
from dunlin.simulation import Request, Result
from dunlin.studyfile import Study
from test_run import dunlin

TEXT = """
name = "s"
[systems.hpc7g]
backend = "slurm"
[libraries.dunlin]
[libraries.openmpi-5]
[libraries.intel]
[profiles.none]
[profiles.set]
environment = { A = "1" }
[[measure]]
benchmarks = ["bcast", "barrier", "latency"]
scales = ["4:8"]
sizes = [8, 1024]
[repeat]
launches = 6
"""


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    at = tmp_path / "mine"
    at.mkdir()
    (at / "study.toml").write_text(TEXT)
    return at


def study_of(directory: Path) -> Study:
    return studyfile.load(directory)[0]


def answers(request: Request) -> Iterable[Result]:
    (library,) = request.algorithms
    for size in reversed(request.sizes):
        us = 10.0 * (1 + (library == "openmpi")) + request.seed / 100 + size / 1000
        yield Result(
            request.operations[0], 4, 8, size, "a", None, library == "selected", False, us,
            us / 2, 0, 0, (), None if library == "selected" else library,
        )  # fmt: skip


def test_launches_that_cannot_be_simulated_are_named_with_their_reason(directory: Path) -> None:
    found = simulated_study.feasible(study_of(directory))
    # Two operations by two libraries, six times.
    assert len(found.launches) == 24
    told = " ".join(found.left_out)
    assert "`latency` is no operation" in told
    assert "the choices of `intel` are not known; those of dunlin, openmpi and mpich are" in told
    assert "what the settings of profile `set` do is not modelled" in told


def test_records_say_that_nothing_was_measured_and_have_both_clocks(directory: Path) -> None:
    study = study_of(directory)
    launches = simulated_study.feasible(study).launches
    made = list(simulated_study.records(study, launches, lambda _: "hpc7g", answers))
    run, samples = next((r, s) for r, s in made if (r.library, r.benchmark) == ("dunlin", "bcast"))
    assert run.system == "hpc7g (simulated)"
    assert run.study == "s (simulated)"
    assert run.message == "simulated on the model hpc7g: nothing was measured"
    assert run.machine == {"model": "hpc7g"}
    assert [(s.bytes, s.clock) for s in samples] == [
        (8, "global"), (8, "local"), (1024, "global"), (1024, "local"),
    ]  # fmt: skip
    assert samples[1].values[0] == samples[0].values[0] / 2
    theirs = {r.library_version for r, _ in made if r.library == "openmpi-5"}
    assert theirs == {"choices of Open MPI 5, simulated"}
    assert len({r.run_id for r, _ in made}) == 24


def test_libraries_of_one_round_see_the_same_latencies_and_rounds_others(directory: Path) -> None:
    study, asked = study_of(directory), list[Request]()

    def noted(request: Request) -> Iterable[Result]:
        asked.append(request)
        return answers(request)

    launches = simulated_study.feasible(study).launches
    list(simulated_study.records(study, launches, lambda _: "m", noted))
    seeds = {(tuple(r.operations), tuple(r.algorithms), r.seed) for r in asked}
    assert len(seeds) == 24
    assert {r.seed for r in asked} == set(range(1, 7))


def test_a_system_without_a_model_is_asked_for_one(directory: Path) -> None:
    study, here = study_of(directory), directory
    assert simulated_study.model_of(study, "hpc7g", {"hpc7g"}, here) == "hpc7g"
    with pytest.raises(DunlinError, match="which model stands for system `hpc7g`"):
        simulated_study.model_of(study, "hpc7g", {"c5n"}, here)
    for named, found in (
        ("c5n", "c5n"), ("none", "none"), ("x.toml", str(directory / "x.toml")),
        ("/models/x.toml", "/models/x.toml"),
    ):  # fmt: skip
        text = TEXT.replace('"slurm"', f'"slurm"\nmodel = "{named}"')
        (directory / "study.toml").write_text(text)
        assert simulated_study.model_of(study_of(directory), "hpc7g", {"c5n"}, here) == found


@pytest.fixture
def simulated(directory: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, str, list[Request]]:
    asked: list[Request] = []

    def noted(request: Request) -> list[Result]:
        asked.append(request)
        return list(answers(request))

    monkeypatch.setattr(simulate, "_results", noted)
    monkeypatch.setattr(simulation, "machines", lambda: [{"name": "hpc7g"}])
    said = " ".join(dunlin("simulate", "--study", directory).split())
    return directory.with_name("mine-simulated"), said, asked


def test_a_simulated_study_lies_beside_the_measured_one(
    simulated: tuple[Path, str, list[Request]], directory: Path
) -> None:
    into, said, asked = simulated
    assert "24 launches simulated, not measured" in said
    assert not (directory / "raw").exists()
    assert summary.load(into).simulated
    # What is there is not done again.
    assert len(asked) == 24
    dunlin("simulate", "--study", directory)
    assert len(asked) == 24


def test_what_was_simulated_in_another_way_is_done_again(
    simulated: tuple[Path, str, list[Request]], directory: Path
) -> None:
    into, _, asked = simulated
    before = summary.load(into)
    (directory / "study.toml").write_text("seed = 100\n" + TEXT)
    assert "24 launches simulated" in dunlin("simulate", "--study", directory)
    assert len(asked) == 48
    assert {request.seed for request in asked[24:]} == set(range(100, 106))
    after = summary.load(into)
    # The store has the new values, and nothing of the old ones.
    assert repr(after) != repr(before)
    file = directory / "x.toml"
    file.write_text("")
    (directory / "study.toml").write_text(
        "seed = 100\n" + TEXT.replace('"slurm"', '"slurm"\nmodel = "x.toml"')
    )
    for _ in range(2):
        dunlin("simulate", "--study", directory)
        assert len(asked) == 72
    assert {request.machine for request in asked[48:]} == {str(file)}
    later = file.stat().st_mtime + 60
    os.utime(file, (later, later))
    dunlin("simulate", "--study", directory)
    assert len(asked) == 96


def test_reports_comparisons_and_anomalies_say_that_it_is_simulated(
    simulated: tuple[Path, str, list[Request]], tmp_path: Path
) -> None:
    into = simulated[0]
    assert summary.NOT_MEASURED in dunlin("anomalies", into)
    compared = " ".join(dunlin("compare", "dunlin", "openmpi-5", "--study", into).split())
    assert summary.NOT_MEASURED in compared
    assert "slower" in compared
    dunlin("report", into)
    page = (into / "report.html").read_text()
    assert summary.NOT_MEASURED in page
    assert '<p class="kind">MPI study, simulated</p>' in page
