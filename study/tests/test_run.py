import functools
import inspect
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from typer.testing import CliRunner

from dunlin import discover, execution, model, plan, stacks, store, studyfile, watchdog
from dunlin.cli import app
from dunlin.errors import DunlinError
from dunlin.launching import misplacement
from dunlin.libraries import Place
from dunlin.model import Placement, Run
from dunlin.runner import alone

Make = Callable[..., Path]
HANG = """#include <unistd.h>
int main(void) { for (;;) pause(); }
"""
PATIENCE_S = 60.0
# Spent with the first launch: for what one launch shows as well as many.
ONE_LAUNCH = "budget = 0.001"
PREFIX = Path(__file__).resolve().parents[2] / "build" / "prefix"
MPI_HANG = """#include <mpi.h>
int main(void)
{
    int rank, word;
    MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) MPI_Recv(&word, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
"""


def dunlin(*words: object) -> str:
    result = CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def runs_in(directory: Path) -> list[Run]:
    return [model.read(file)[0] for file in sorted((directory / store.RAW).glob("*.jsonl"))]


def wanted(directory: Path) -> list[str]:
    loaded, _ = studyfile.load(directory)
    return sorted(launch.run_id for launch in plan.all_launches(loaded))


def marks(directory: Path) -> set[str]:
    return {watchdog.mark_of(run_id, directory) for run_id in wanted(directory)}


def wait_until(true: Callable[[], bool]) -> None:
    """For what another process does; the test fails only if it never comes."""
    end = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_study_runs_and_is_in_the_store(study: Make) -> None:
    directory = study()
    assert "8 launches done, complete" in dunlin("study", "run", directory)
    assert [run.run_id for run in runs_in(directory)] == wanted(directory)
    with store.connect(directory, read_only=True) as connection:
        rows = connection.execute(
            "SELECT library, vendor, library_version, status, count(*) FROM runs GROUP BY ALL "
            "ORDER BY ALL"
        ).fetchall()
        assert rows == [("one", "mpich", "9.9", "ok", 4), ("two", "mpich", "9.9", "ok", 4)]
        sizes = connection.execute("SELECT DISTINCT bytes FROM samples ORDER BY 1").fetchall()
        assert sizes == [(8,), (64,)]


def test_a_record_tells_where_and_how(study: Make) -> None:
    directory = study(ONE_LAUNCH)
    dunlin("study", "run", directory)
    run = runs_in(directory)[0]
    assert run.machine["kernel"] == os.uname().release
    assert run.command[0].endswith("/mpiexec")
    assert [place.rank for place in run.placement] == [0, 1]


def test_libraries_take_turns_within_a_case_and_rounds_differ(study: Make) -> None:
    loaded, _ = studyfile.load(study("launches_max = 30\nuntil = 0.1"))
    rounds = [plan.round_of(loaded, repetition) for repetition in range(30)]
    for launches in rounds:
        cases = [launch.point.case for launch in launches]
        assert cases[0] == cases[1]
        assert cases[2] == cases[3]
        assert {launch.point.library for launch in launches[:2]} == {"one", "two"}
    orders = {tuple(launch.point for launch in launches) for launches in rounds}
    assert len(orders) == 8, "two cases in two orders, two libraries in two orders in each"
    assert rounds == [plan.round_of(loaded, repetition) for repetition in range(30)]


def test_a_study_that_has_begun_is_resumed_not_run(study: Make) -> None:
    directory = study(ONE_LAUNCH)
    dunlin("study", "run", directory)
    with pytest.raises(DunlinError, match="it has begun already; use `dunlin study resume"):
        dunlin("study", "run", directory)


def test_killed_half_way_no_point_is_lost_and_none_is_done_twice(
    study: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory, journal = study(), tmp_path / "journal"
    monkeypatch.setenv("FAKE_JOURNAL", str(journal))
    monkeypatch.setenv("FAKE_SECONDS", "0.1")
    command = [sys.executable, "-m", "dunlin", "study", "run", str(directory)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        wait_until(lambda: len(list((directory / store.RAW).glob("*.jsonl"))) >= 3)
        child.send_signal(signal.SIGKILL)
    before = {file.name: file.read_text() for file in (directory / store.RAW).glob("*.jsonl")}
    assert 3 <= len(before) < 8
    dunlin("study", "resume", directory)
    assert [run.run_id for run in runs_in(directory)] == wanted(directory)
    for name, text in before.items():
        assert (directory / store.RAW / name).read_text() == text
    # The mark of what is none of the study's launches, as of a probe, is no name.
    launched = Counter(line for line in journal.read_text().split() if "-" in line)
    assert set(launched) == set(wanted(directory))
    twice = [run_id for run_id, times in launched.items() if times > 1]
    assert len(twice) <= 1, "only the launch that was cut off"
    assert not set(twice) & {name.removesuffix(".jsonl") for name in before}


def test_what_a_killed_runner_leaves_behind_is_ended(study: Make) -> None:
    directory = study(ONE_LAUNCH)
    mark = watchdog.mark_of(wanted(directory)[0], directory)
    with subprocess.Popen(["sleep", "1000"], env={**os.environ, watchdog.MARK: mark}) as left:
        wait_until(lambda: bool(watchdog.processes(mark)))
        dunlin("study", "run", directory)
        assert left.wait(PATIENCE_S) == -signal.SIGKILL


def test_what_a_copy_of_a_study_runs_is_left_alone(study: Make) -> None:
    """Its launches have the same names."""
    directory = study(ONE_LAUNCH)
    copies = [watchdog.mark_of(run_id, directory.with_name("copy")) for run_id in wanted(directory)]
    others = [
        subprocess.Popen(["sleep", "1000"], env={**os.environ, watchdog.MARK: mark})
        for mark in copies
    ]
    wait_until(lambda: all(watchdog.processes(mark) for mark in copies))
    dunlin("study", "run", directory)
    assert [other.poll() for other in others] == [None] * len(others)
    for other in others:
        other.kill()
        other.wait()


def test_a_launch_of_another_system_is_left_alone(study: Make) -> None:
    """A batch job of the same study may be running on this very machine."""
    directory = study(ONE_LAUNCH, measure='[systems.other]\nbackend = "slurm"')
    launches = plan.all_launches(studyfile.load(directory)[0])
    run_id = next(la.run_id for la in launches if la.point.case.system == "other")
    other = watchdog.mark_of(run_id, directory)
    with subprocess.Popen(["sleep", "1000"], env={**os.environ, watchdog.MARK: other}) as left:
        wait_until(lambda: bool(watchdog.processes(other)))
        dunlin("study", "run", directory, "--system", "here")
        assert left.poll() is None
        left.kill()


def test_systems_do_not_wait_for_each_others_rounds(study: Make) -> None:
    directory = study(measure="[systems.there]", benchmarks=("latency",))
    assert "8 launches done, complete" in dunlin("study", "run", directory)


def test_a_runner_that_is_told_to_end_ends_what_it_started(
    study: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory, journal = study(), tmp_path / "journal"
    monkeypatch.setenv("FAKE_JOURNAL", str(journal))
    monkeypatch.setenv("FAKE_SECONDS", "1000")
    command = [sys.executable, "-m", "dunlin", "study", "run", str(directory)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        wait_until(lambda: bool(watchdog.marked() & marks(directory)))
        child.terminate()
        assert child.wait(PATIENCE_S) == 128 + signal.SIGTERM
    assert not watchdog.marked() & marks(directory)
    assert runs_in(directory) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_while_a_process_starts_does_not_leave_it_behind(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(*_: object) -> None:
        raise KeyboardInterrupt

    class Interrupted(subprocess.Popen[bytes]):
        """Signalled once the process runs, before its maker knows of it."""

        def __init__(self, words: list[str], **how: Any):
            super().__init__(words, **how)
            signal.raise_signal(number)

    before = signal.signal(number, end)
    monkeypatch.setattr(subprocess, "Popen", Interrupted)
    try:
        with pytest.raises(KeyboardInterrupt):
            execution.execute(["sleep", "1000"], {}, PATIENCE_S, mark="interrupted")
        assert signal.getsignal(number) is end
    finally:
        signal.signal(number, before)
    assert not watchdog.processes("interrupted")


def test_an_interrupted_study_says_how_to_go_on(study: Make, tmp_path: Path) -> None:
    directory = study()
    command = [sys.executable, "-m", "dunlin", "study", "run", str(directory)]
    slow = {**os.environ, "FAKE_SECONDS": "1000"}
    # Where the tests run in the background the signal is ignored, which is inherited.
    heed = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=slow, stderr=pipe, text=True, preexec_fn=heed) as child:
        wait_until(lambda: bool(watchdog.marked() & marks(directory)))
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=PATIENCE_S)
    assert said == f"Stopped. `dunlin study resume {directory}` does the rest.\n"
    assert child.returncode == 128 + signal.SIGINT
    assert not watchdog.marked() & marks(directory)


def test_a_study_is_checked_before_it_begins(study: Make) -> None:
    directory = study(measure='[systems.there]\nbackend = "slurm"\nlaunches_per_job = 3')
    said = dunlin("study", "check", directory)
    assert "t: 8 points, 16 launches to do, about " in said
    assert "one: mpich 9.9, " in said
    assert "system there: 3 jobs of 01:00:00, which look for one, two themselves" in said


def test_what_sheds_its_environment_is_ended_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watchdog, "ENDING_S", 0.3)
    script = f"env -i sleep 1000 & echo $! > {tmp_path}/pid; wait"
    mark = {**os.environ, watchdog.MARK: "shed"}
    child = subprocess.Popen(["sh", "-c", script], env=mark, start_new_session=True)
    wait_until(lambda: (tmp_path / "pid").exists() and bool((tmp_path / "pid").read_text()))
    pid = int((tmp_path / "pid").read_text())
    wait_until(lambda: watchdog.environment_of(psutil.Process(pid)) == {})
    watchdog.end(child, "shed")
    assert watchdog.session_of(pid) is None


def test_a_rank_in_python_is_a_rank(tmp_path: Path) -> None:
    script = tmp_path / "stuck.py"
    script.write_text(f"#!{sys.executable}\nimport time\ntime.sleep(1000)\n")
    script.chmod(0o755)
    mark = {**os.environ, watchdog.MARK: "python", "PMI_RANK": "3"}
    with subprocess.Popen([script], env=mark) as child:
        wait_until(lambda: list(stacks.here("python", script)) == ["3"])
        child.kill()


def test_a_hang_is_recorded_with_stacks_and_the_study_goes_on(study: Make) -> None:
    directory = study(
        '[programs.stuck]\nsource = "stuck.c"\n[run]\ntimeout = 8',
        measure='[[measure]]\nbenchmarks = ["stuck"]\nscales = ["1:3"]\nlibraries = ["one"]',
        benchmarks=("latency",),
    )
    (directory / "stuck.c").write_text(HANG)
    said = dunlin("study", "run", directory)
    assert "6 launches done, 2 hang, complete" in said
    hangs = [run for run in runs_in(directory) if run.status == "hang"]
    assert len(hangs) == 2
    for run in hangs:
        assert run.message is not None
        assert "did not end within 8 s" in run.message
        assert run.stacks is not None
        assert sorted(run.stacks) == ["0", "1", "2"]
        for stack in run.stacks.values():
            assert "State:" in stack
            assert "pause" in stack or "wchan" in stack
    assert not watchdog.marked() & marks(directory), "nothing is left running"
    assert "stuck" in dunlin("study", "status", directory)


@pytest.mark.skipif(not (PREFIX / "bin" / "mpicc").exists(), reason="Dunlin is not built")
def test_a_hang_of_dunlin_says_who_waits_for_whom(study: Make) -> None:
    directory = study()
    (directory / "stuck.c").write_text(MPI_HANG)
    (directory / "study.toml").write_text(f"""
name = "t"
[systems.here]
[libraries.dunlin]
prefix = "{PREFIX}"
[programs.stuck]
source = "stuck.c"
[[measure]]
benchmarks = ["stuck"]
scales = ["1:2"]
[repeat]
launches = 1
[run]
timeout = 3
""")
    dunlin("study", "run", directory)
    (run,) = runs_in(directory)
    assert run.status == "hang"
    assert run.vendor == "dunlin"
    assert run.message is not None
    assert "rank 0: waits in MPI_Recv on MPI_COMM_WORLD for rank 1, tag 7" in run.message
    assert sorted(run.stacks or {}) == ["0", "1"]


def test_a_failure_is_recorded_with_its_words_and_given_up_after_two(
    study: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_FAILS", "latency")
    directory = study("launches_max = 9\nuntil = 0.5")
    dunlin("study", "run", directory)
    failed = [run for run in runs_in(directory) if run.status == "failed"]
    assert len(failed) == 2 * 2
    assert {run.message for run in failed} == {"ended with 3: nothing works today"}


def test_ranks_that_are_not_where_they_should_be_are_told(
    study: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_CPUS", "1")
    directory = study(benchmarks=("latency",))
    dunlin("study", "run", directory)
    runs = runs_in(directory)
    assert {run.status for run in runs} == {"misplaced"}
    assert runs[0].message is not None
    assert "2 ranks share core 1 of" in runs[0].message


def test_ranks_may_share_cores_of_a_host_that_has_not_enough_of_them() -> None:
    def places(usable: int) -> list[Placement]:
        cpus = ["0", "1", "2", "0", "1", "0"]  # b's third rank goes back to its first core
        return [
            Placement(rank=i, host="aaabbb"[i], cpus=cpus[i], usable=usable if i > 2 else 3)
            for i in range(6)
        ]

    place = Place(2, 3)
    assert misplacement(places(2), place, pinned=True) is None
    wrong = misplacement(places(3), place, pinned=True)
    assert wrong == "2 ranks share core 0 of b, though there is one for each"
    assert misplacement(places(3), place, pinned=False) is None, "the launcher's choice"


def test_launches_go_on_until_the_interval_is_narrow(study: Make) -> None:
    """The fake gives the same values each time: three launches are enough to be certain."""
    directory = study("launches_max = 9\nuntil = 0.05", benchmarks=("latency",))
    dunlin("study", "run", directory)
    assert Counter(run.repetition for run in runs_in(directory)) == {0: 2, 1: 2, 2: 2}


def test_a_budget_ends_a_study(study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_SECONDS", "0.2")
    directory = study("budget = 0.3")
    assert "the budget is spent" in dunlin("study", "run", directory)
    assert 1 <= len(runs_in(directory)) <= 2


def test_the_end_of_a_launch_is_seen_when_it_comes(
    study: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Start-up is what a launch takes as a whole: who looks now and then measures that instead."""

    really = time.sleep

    def sleep(seconds: float) -> None:
        # The compiler before it may be waited for in any way.
        callers = {(level.frame.f_globals["__name__"], level.function) for level in inspect.stack()}
        assert ("dunlin.execution", "_wait") not in callers, "looks now and then"
        really(seconds)

    directory = study(ONE_LAUNCH)
    monkeypatch.setenv("FAKE_SECONDS", "0.2")
    monkeypatch.setattr(time, "sleep", sleep)
    dunlin("study", "run", directory)
    assert runs_in(directory)[0].seconds > 0.2


def test_two_runners_do_not_disturb_each_other(study: Make) -> None:
    directory = study()
    with alone(directory, "run"), pytest.raises(DunlinError, match="another `dunlin study`"):
        dunlin("study", "run", directory)


def test_a_library_that_is_not_there_stops_a_study_before_it_begins(
    study: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discover, "find", list)  # nothing
    directory = study()
    file = directory / "study.toml"
    file.write_text(file.read_text().replace("[libraries.two]\nprefix", "[libraries.two]\n#"))
    with pytest.raises(DunlinError, match=r"`libraries.two`: no library of that name .*: none"):
        dunlin("study", "run", directory)
    assert runs_in(directory) == []


@pytest.mark.parametrize("example", ["laptop", "demo", "nasa", "osu"])
def test_every_example_is_a_valid_study(example: str, tmp_path: Path) -> None:
    dunlin("study", "new", tmp_path / "s", "--example", example)
    loaded, _ = studyfile.load(tmp_path / "s")
    assert plan.round_of(loaded, 0)
    with pytest.raises(DunlinError, match="it exists already"):
        dunlin("study", "new", tmp_path / "s")


def test_the_nasa_study_has_its_points(tmp_path: Path) -> None:
    dunlin("study", "new", tmp_path / "s", "--example", "nasa")
    loaded, _ = studyfile.load(tmp_path / "s")
    cases = plan.cases_of(loaded)
    largest = [case for case in cases if case.system == "discover"]
    assert len(largest) == 11 * 9
    assert {case.sizes for case in largest} == {(2048, 4096, 8192), ()}
    assert {(case.nodes, case.ranks_per_node) for case in largest} >= {
        (50, 2),
        (50, 126),
        (64, 126),
    }
    assert all(len(points) == 4 for points in cases.values()), "four sets of settings"
