"""Stacks of ranks that do not end: of many at once, and of those on other nodes."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dunlin import stacks, watchdog
from dunlin.words import spans
from test_run import dunlin, runs_in, wait_until

Make = Callable[..., Path]
HANG = """#include <unistd.h>
int main(void) { for (;;) pause(); }
"""
TWO_NODES = '[[measure]]\nbenchmarks = ["stuck"]\nscales = ["2:2"]\nlibraries = ["one"]'


@contextmanager
def ranks(mark: str, many: int) -> Iterator[Path]:
    """Processes that look like ranks of a launch."""
    program = Path(sys.executable).resolve()
    command = [str(program), "-ISc", "import time; time.sleep(1000)"]
    children = [
        subprocess.Popen(command, env={**os.environ, watchdog.MARK: mark, "PMI_RANK": str(i)})
        for i in range(many)
    ]
    try:
        wait_until(lambda: len(watchdog.processes(mark)) == many)
        yield program
    finally:
        for child in children:
            child.kill()
            child.wait()


def test_debuggers_look_at_several_ranks_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each waits until all have begun: one after the other, none would ever say anything."""
    script = (
        f"touch {tmp_path}/$0; while [ $(ls {tmp_path} | wc -l) -lt 3 ]; do sleep 0.05; done; "
        "echo '#0 all are here'"
    )
    monkeypatch.setattr(stacks, "_debugger", lambda pid, _: ["sh", "-c", script, str(pid)])
    with ranks("together", 3) as program:
        found = stacks.here("together", program)
    assert list(found) == ["0", "1", "2"]
    assert all(text.startswith("#0 all are here") for text in found.values())


def test_a_time_limit_is_for_all_ranks_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stacks, "ALL_TIMEOUT_S", 0.0)
    monkeypatch.setattr(stacks, "_debugger", lambda *_: ["sh", "-c", "echo '#0 debugged'"])
    with ranks("late", 2) as program:
        found = stacks.here("late", program)
    for text in found.values():
        assert "no debugger: the 0 s for all ranks were used up" in text
        assert "State:" in text, "the kernel's view costs nothing"


def left_of(directory: Path) -> set[str]:
    return {mark for mark in watchdog.marked() if f"@{directory}" in mark}


@pytest.fixture
def two_nodes(study: Make) -> Iterator[Path]:
    """A study that hangs on two hosts, which the fake library only pretends to have."""
    directory = study(
        'failures_max = 1\n[programs.stuck]\nsource = "stuck.c"\n[run]\ntimeout = 1',
        system='hosts = ["a", "b"]', measure=TWO_NODES, benchmarks=("latency",),
    )  # fmt: skip
    (directory / "stuck.c").write_text(HANG)
    yield directory
    for mark in left_of(directory):
        watchdog.end_processes(mark)


def test_stacks_of_other_nodes_come_through_the_launcher(two_nodes: Path) -> None:
    dunlin("study", "run", two_nodes)
    (run,) = [run for run in runs_in(two_nodes) if run.status == "hang"]
    assert sorted(run.stacks or {}) == ["0", "1", "2", "3"]
    assert "(stacks of ranks: 0-3)" in (run.message or "")
    assert not list(two_nodes.glob(".stacks-*"))
    assert not left_of(two_nodes), "nothing is left, on the other node neither"


def test_a_node_that_is_not_reached_is_named_and_why(
    two_nodes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_UNREACHED", "b")
    dunlin("study", "run", two_nodes)
    assert left_of(two_nodes), "where nobody comes nobody ends anything"
    run = next(run for run in runs_in(two_nodes) if run.status == "hang")
    assert sorted(run.stacks or {}) == ["0", "1"]
    assert "stacks of ranks: 0-1; not taken of ranks 2-3: `" in (run.message or "")
    assert "ended with 7 when it was to look at every node: no way to b" in (run.message or "")


def test_ranks_are_told_as_spans() -> None:
    assert spans([3, 0, 1, 7, 2]) == "0-3, 7"
    assert spans([]) == ""
