from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

import synthetic
from dunlin import comparison
from dunlin.cli import app
from dunlin.commands.compare import table
from dunlin.comparison import Comparison, Side
from dunlin.model import write
from dunlin.summary import Cell, Key
from synthetic import Recipe


def sides(ratio: float, launches: int = 8, sigma: float = 0.02) -> tuple[Side, Side]:
    def change(key: Key, value: float) -> float:
        return 100.0 * ratio if key.library == "second" else 100.0

    recipe = Recipe(ranks_per_node=(4,), launches=launches, benchmarks=("bcast",), change=change)
    rng = np.random.default_rng(11)
    study = synthetic.with_values(
        synthetic.clean(1, recipe), lambda c: c.values * rng.lognormal(0, sigma, c.launches)
    )
    return tuple(  # type: ignore[return-value]
        Side(name, tuple(study.where(library=name)), name) for name in ("first", "second")
    )


def compared(ratio: float, launches: int = 8) -> Comparison:
    return comparison.compare(*sides(ratio, launches))


@pytest.mark.parametrize(("ratio", "verdict"), [(1.5, "slower"), (0.5, "faster"), (1.0, "same")])
def test_a_verdict_follows_the_ratio(ratio: float, verdict: str) -> None:
    result = compared(ratio, launches=40 if verdict == "same" else 8)
    assert {row.verdict for row in result.rows} == {verdict}
    assert result.ratio == pytest.approx(ratio, rel=0.05)


def test_three_launches_decide_nothing() -> None:
    result = compared(2.0, launches=3)
    assert {row.verdict for row in result.rows} == {"unclear"}
    assert not result.decidable


def test_all_sizes_together_decide_sooner_than_each_alone() -> None:
    result = compared(1.5, launches=4)
    assert {row.verdict for row in result.rows} == {"unclear"}
    assert result.overall[0].p < comparison.ALPHA
    assert [one.key.bytes for one in result.slower_than(1.1)] == [-1]


def test_a_difference_too_small_to_name_is_not_named_over_all_sizes_either() -> None:
    first, second = sides(1.02, launches=40, sigma=0.01)
    result = comparison.compare(first, second)
    assert result.overall[0].p < comparison.ALPHA
    assert {row.verdict for row in result.rows} == {"same"}
    assert result.overall[0].verdict == "same"
    assert comparison.compare(first, second, smallest=1.01).overall[0].verdict == "slower"


def test_launches_needed_are_those_of_a_family_that_there_is() -> None:
    def alone(side: Side) -> Side:
        return replace(side, cells=tuple(c for c in side.cells if c.key.bytes == 8))

    first, second = sides(2.0, launches=2)
    one_size = comparison.compare(alone(first), alone(second))
    assert one_size.overall == ()
    assert one_size.launches_needed == 4
    assert compared(2.0, launches=2).launches_needed == 4


def test_slower_than_the_limit_must_itself_be_certain() -> None:
    """Certainly slower than before, by about the limit: whether by more, nobody can say."""
    result = comparison.compare(*sides(1.11, launches=12, sigma=0.04))
    assert all(row.p < comparison.ALPHA for row in result.rows)
    assert any(row.ratio.value > 1.1 for row in result.rows)
    assert [one for one in result.slower_than(1.1) if one.key.bytes >= 0] == []
    assert len(result.slower_than(1.02)) == len(result.rows) + 1


def test_an_effect_too_small_to_name_is_not_named() -> None:
    result = compared(1.02, launches=40)
    assert "slower" not in {row.verdict for row in result.rows}


def test_more_bandwidth_is_faster() -> None:
    key = Key("s", "a", "none", 1, 2, "bandwidth", 1024, "bandwidth_mbps", "global")
    values = np.linspace(1000, 1010, 8)
    a = Side("a", (Cell(key, tuple("abcdefgh"), values),))
    b = Side("b", (Cell(key, tuple("abcdefgh"), 2 * values),))
    assert comparison.compare(a, b).rows[0].ratio.value == pytest.approx(0.5, rel=0.02)


def study_at(directory: Path, slower: float) -> Path:
    (directory / "raw").mkdir(parents=True)
    rng = np.random.default_rng(3)
    for library, factor in (("one", 1.0), ("two", slower)):
        for repetition in range(6):
            run_id = f"{library}-{repetition}"
            run = synthetic.make_run(run_id, library, "none", 1, 2, "latency", repetition)
            samples = [
                s.model_copy(update={"values": [v * factor * float(rng.lognormal(0, 0.01))
                                                for v in s.values]})
                for s in synthetic.latency_samples(run_id)
            ]  # fmt: skip
            write(directory / "raw" / f"{run_id}.jsonl", run, samples)
    return directory


def dunlin(*words: object) -> Result:
    return CliRunner().invoke(app, list(map(str, words)))


def test_the_exit_status_tells_ci_that_something_became_slower(tmp_path: Path) -> None:
    study = study_at(tmp_path / "s", 1.3)
    done = dunlin("compare", "one", "two", "--study", study, "--fail-above", 1.1)
    assert done.exit_code == 1, done.output
    assert "Slower by more than 1.10 times" in done.output
    assert dunlin("compare", "one", "two", "--study", study).exit_code == 0
    assert dunlin("compare", f"{study}@two", f"{study}@one", "--fail-above", 1.1).exit_code == 0


def test_two_studies_are_compared_and_drawn(tmp_path: Path) -> None:
    before, after = study_at(tmp_path / "before", 1.0), study_at(tmp_path / "after", 1.0)
    plot = tmp_path / "ratios.svg"
    done = dunlin("compare", before, after, "--plot", plot, "--fail-above", 1.1)
    assert done.exit_code == 0, done.output
    assert "10 points in common" in done.output
    # Two libraries on each side: a row says whose it is.
    a, b = (comparison.side(str(s), tmp_path) for s in (before, after))
    both = comparison.compare(a, b)
    assert set(table(both, all_rows=True).columns[1].cells) == {"one, 1:2", "two, 1:2"}
    assert "end in one of" in str(dunlin("compare", before, after, "--plot", "x.txt").exception)
    assert "</svg>" in plot.read_text()


def test_an_unknown_library_is_named_with_those_there_are(tmp_path: Path) -> None:
    study = study_at(tmp_path / "s", 1.0)
    done = dunlin("compare", "one", "three", "--study", study)
    assert "`three` is neither" in str(done.exception)
    assert "one, two" in str(done.exception)


def test_a_study_that_is_not_there_is_not_looked_for_above(tmp_path: Path) -> None:
    study = study_at(tmp_path / "s", 1.0)
    done = dunlin("compare", f"{study}/typo@one", f"{study}@two")
    assert "typo: there is no such directory" in str(done.exception)


def test_nothing_in_common_is_said(tmp_path: Path) -> None:
    a, b = sides(1.0)
    other = tuple(c for c in b.cells[:0])
    with pytest.raises(Exception, match="no point in common"):
        comparison.compare(a, Side("empty", other))
