"""`dunlin tune --measure` and `--confirm`, with launches that are made up, and one small table of
this machine."""

import itertools
import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from dunlin import collective_launch, discover, hosts
from dunlin import machine as computer
from dunlin.cli import app
from dunlin.collective_launch import Launch
from dunlin.commands import simulate, tune_measured, tune_options
from dunlin.errors import DunlinError
from dunlin.hosts import Hosts
from dunlin.libraries import DUNLIN, Library, command
from dunlin.simulation import Request, Result
from test_run import PREFIX, dunlin
from test_tuning import result


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
    for wrong in (
        ("a", None, True), (None, "ssh", False), (" ,", None, False), ("a,b,a", None, False)
    ):  # fmt: skip
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
    monkeypatch.setattr(tune_measured, "_machine_here", lambda *_: {"model": "mine", "table": None})
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
    assert "2 algorithms are measured beside the built-in choice of 2 jobs" in said
    assert "within 2.00 times of the fastest by simulation of mine" in said
    assert "(0 only once)" in said
    assert "Measured: 1 node, 2 and 4 ranks per node, 8 B and 64 B." in said
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
    assert "is not confirmed" not in result_.output
    dunlin("tune", "here.toml", "--measure", *GRID, "--resume")
    # 2 to show that ranks run, twice; one was interrupted.
    assert count == 2 + 2 + 1 + 2 * 2 * 9 * 2
    # While the table is confirmed, it says that it is not yet.
    count = 9 - 4
    (tmp_path / "here.toml").unlink()
    lines = (tmp_path / "here.measured.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "here.measured.jsonl").write_text("".join(lines[: 1 + 2 * 2 * 9]))
    result_ = CliRunner().invoke(app, ["tune", "here.toml", "--measure", *GRID, "--resume"])
    assert "The table in here.toml is not confirmed." in " ".join(result_.output.split())
    assert "# Not confirmed yet: it is being measured." in (tmp_path / "here.toml").read_text()
    dunlin("tune", "here.toml", "--measure", *GRID, "--resume", "--passes", "0")
    assert "# Not confirmed: with --passes 0" in (tmp_path / "here.toml").read_text()
    # Who forgets --resume hears where it went.
    said = " ".join(dunlin("tune", "here.toml", "--measure", *GRID, "--passes", "0").split())
    assert "is now in here.measured.before.jsonl; with --resume" in said


def test_other_settings_and_another_library_are_not_mixed(
    machine: Callable[[Fake], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(took)
    dunlin("tune", "here.toml", "--measure", *GRID)
    with monkeypatch.context() as changed:
        changed.setenv("DUNLIN_WAIT", "yield")
        with pytest.raises(DunlinError, match=r"measured otherwise \(environment"):
            dunlin("tune", "here.toml", "--measure", *GRID, "--resume")
    (tmp_path / "mpirun").touch()
    with pytest.raises(DunlinError, match=r"measured otherwise \(files"):
        dunlin("tune", "here.toml", "--measure", *GRID, "--resume")


def test_a_table_of_somebody_else_is_measured_from_elsewhere(
    machine: Callable[[Fake], None], tmp_path: Path
) -> None:
    machine(took)
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    table = theirs / "t.toml"
    table.write_text('[[bcast]]\nranks_per_node_max = 8\nalgorithm = "knomial"\n')
    dunlin("tune", "--confirm", table, *GRID)
    assert [file.name for file in theirs.iterdir()] == ["t.toml"]
    assert (tmp_path / "t.confirmed.jsonl").exists()

    def no_room(launch: Launch) -> dict[int, float]:
        if launch.operation == "bcast" and launch.ppn == 4 and not launch.settings:
            raise DunlinError("no room")
        return took(launch)

    # What could not be measured is no confirmation.
    machine(no_room)
    result_ = CliRunner().invoke(app, ["tune", "--confirm", str(table), *GRID])
    assert result_.exit_code == 1
    assert "Not measured: bcast 1:4, 8 B" in result_.output
    assert "2 calls could not be measured." in result_.output


def test_the_cores_of_the_first_host_count(
    machine: Callable[[Fake], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(took)
    here = {"model": "mine", "table": None, "cpus": 6}
    monkeypatch.setattr(tune_measured, "_machine_here", lambda *_: here)
    options = ["--operations", "bcast", "--bytes", "8", "--hosts", "a,b", "--nodes", "1"]
    said = " ".join(dunlin("tune", "t.toml", "--measure", *options).split())
    assert "1 node, 2 and 6 ranks per node" in said
    with pytest.raises(DunlinError, match="another machine: the first host has 6 usable cores"):
        dunlin("tune", "t.toml", "--measure", *options, "--ppn", "8")


def in_a_job(monkeypatch: pytest.MonkeyPatch, nodes: int) -> None:
    hosts = [{"name": f"n{number}", "slots": 2} for number in range(nodes)]
    job = {"system": "Slurm", "job": "17", "hosts": hosts} if nodes else None
    monkeypatch.setattr(tune_measured, "_allocation", lambda _library: job)
    here = {"model": "mine", "table": None, "cpus": 4}
    monkeypatch.setattr(tune_measured, "_machine_here", lambda *_: here)


def test_in_a_job_its_nodes_are_measured(
    machine: Callable[[Fake], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = set()

    def seen(launch: Launch) -> dict[int, float]:
        tried.add(launch.nodes)
        return took(launch)

    machine(seen)
    for nodes, expected in ((5, {1, 5}), (1, {1})):
        tried.clear()
        in_a_job(monkeypatch, nodes)
        dunlin("tune", f"of_{nodes}.toml", "--measure", "--in-job", *GRID)
        assert tried == expected
    tried.clear()
    in_a_job(monkeypatch, 5)
    dunlin("tune", "few.toml", "--measure", "--in-job", "--nodes", "1,2", *GRID)
    assert tried == {1, 2}


def test_in_no_job_or_a_smaller_one_nothing_is_measured(
    machine: Callable[[Fake], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(took)
    words = ["tune", "here.toml", "--measure", "--in-job", *GRID]
    in_a_job(monkeypatch, 0)
    with pytest.raises(DunlinError, match="there is no job of a batch system around"):
        dunlin(*words)
    in_a_job(monkeypatch, 2)
    with pytest.raises(DunlinError, match="--nodes has 3, and Slurm job 17 has 2 nodes"):
        dunlin(*words, "--nodes", "1,3")


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
    for wrong, why in (
        ("[bcast]", "`bcast` is no list of rules; each begins with \\[\\[bcast"),
        ("bcast = 3", "`bcast` is no list of rules"),
        ('[[bcast]]\nnodes_max = "x"', "`nodes_max` of bcast is 'x'; it must be a whole number"),
    ):
        table.write_text(wrong)
        with pytest.raises(DunlinError, match=why):
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
        (["--measure", "--hosts", "a,a"], "--hosts names a twice"),
        (["--measure", "--operations", "bcast, reduec"], "did you mean `reduce`"),
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


@pytest.mark.parametrize(
    ("out", "why"), [(".", "is a directory"), ("none/t.toml", "there is no directory none")]
)
def test_where_no_table_can_be_is_told_before_anything_is_measured(
    machine: Callable[[Fake], None], tmp_path: Path, out: str, why: str
) -> None:
    machine(lambda _: pytest.fail("launched"))
    with pytest.raises(DunlinError, match=why):
        dunlin("tune", out, "--measure", *GRID)
    assert list(tmp_path.iterdir()) == []


def test_a_command_in_a_head_can_be_typed_again() -> None:
    said: list[str] = []
    command_ = typer.Typer()

    @command_.command()
    def tune(context: typer.Context, out: Path, nodes: str = "", at: str = "") -> None:
        said.append(tune_options.typed(context))

    CliRunner().invoke(command_, ["d/t.toml", "--nodes", "1, 2", "--at", "x"])
    assert said == ["t.toml --nodes '1, 2'"]


def test_a_directory_without_dunlin_is_not_passed_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    there = Library("dunlin", tmp_path / "bin/mpicc", tmp_path / "bin/mpirun", vendor=DUNLIN)
    other = Library("dunlin", Path("/o/bin/mpicc"), Path("/o/bin/mpirun"), vendor=DUNLIN)
    monkeypatch.setattr(discover, "find", lambda _at: [other, there])
    assert discover.dunlin() == other
    assert discover.dunlin([tmp_path]) == there
    with pytest.raises(DunlinError, match="--at: there is no Dunlin in "):
        discover.dunlin([tmp_path / "none"])


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


@pytest.mark.skipif(not (PREFIX / "bin" / "mpicc").exists(), reason="Dunlin is not built")
def test_a_small_table_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
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
