"""The report's page: what it says, and how a real browser shows it."""

import re
import shutil
import warnings
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import synthetic
from dunlin.cli import app
from dunlin.model import write
from dunlin.report import page, plots, ratios, sections, theme
from dunlin.summary import Cell, Key, Study, cells_from

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# What text needs against its background to be read: WCAG 2, level AA.
CONTRAST_LEAST = 4.5
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}


@pytest.fixture(scope="session")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return synthetic.showcase(tmp_path_factory.mktemp("showcase") / "study")


@pytest.fixture(scope="session")
def file(study: Study, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    page.write(page.contents(study), path)
    return path


class Names(HTMLParser):
    """Ids, references and everything that would be fetched."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.fetched: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            if name == "id" and value:
                self.ids.append(value)
            if name in ("src", "href", "xlink:href") and value and not value.startswith("#"):
                self.fetched.append(value)


def test_the_page_fetches_nothing_and_names_nothing_twice(file: Path) -> None:
    text = file.read_text()
    names = Names()
    names.feed(text)
    assert names.fetched == []
    assert "url(http" not in text
    assert not names.tags & {"script", "link", "iframe", "img"}
    assert len(names.ids) == len(set(names.ids))


def test_every_part_of_the_page_is_there(file: Path) -> None:
    text = file.read_text()
    parts = ("short", "findings", "point-to-point", "collectives", "ranks-per-node", "scale",
             "programs", "start-up", "profiles", "ratios", "method")  # fmt: skip
    places = [text.index(f'id="{part}"') for part in parts]
    assert places == sorted(places)
    assert "alltoall hangs with three" in text
    assert "bcast: a cliff between 1 KiB and 4 KiB" in text
    assert "allreduce: a knee past 32 ranks per node" in text


def test_names_from_outside_are_escaped(file: Path) -> None:
    text = file.read_text()
    assert "two<&>" not in text
    assert "two&lt;&amp;&gt;" in text
    assert "<Alltoall>" not in text


def test_no_colour_of_a_plot_escapes_the_theme(file: Path) -> None:
    drawn = re.findall(r"<svg role=.*?</svg>", file.read_text(), re.DOTALL)
    assert len(drawn) > 20
    for svg in drawn:
        assert not re.findall(r"(?:stroke|fill): #(?!000000|ffffff)[0-9a-f]{6}", svg)


def test_a_study_of_one_launch_of_one_library_makes_a_page(tmp_path: Path) -> None:
    key = Key("s", "only", "none", 1, 2, "latency", 8, "time_us", "local")
    run = synthetic.make_run("r", "only", "none", 1, 2, "latency", 0)
    one = Study("one", [run], cells_from([(key, "r", 1.5)]))
    text = page.render(page.contents(one))
    assert "Nothing in this study deserves a second look" in text
    assert "Between two ranks" in text
    assert 'id="ratios"' not in text


def section(study: Study, anchor: str) -> sections.Section:
    return next(s for s in page.all_sections(study) if s.anchor == anchor)


def test_an_application_has_bars_for_each_scale_and_is_no_collective(study: Study) -> None:
    drawn = {d.name: d for d in section(study, "programs").drawings}
    bars = drawn["weather-time-us-beta-bars"]
    assert isinstance(bars, plots.Bars)
    assert [where for where, _ in bars.groups] == [
        f"{nodes} nodes with 8 ranks each" for nodes in (2, 4, 8)
    ]
    values = [bar.value for bar in bars.groups[0][1]]
    assert len(values) == 4
    assert values == sorted(values)
    others = [d.title for a in ("collectives", "scale") for d in section(study, a).drawings]
    assert not any("weather" in title for title in others)
    assert study.kinds["weather"] == "program"
    assert study.kinds["barrier"] == "collective"


def test_an_application_at_one_scale_is_shown(tmp_path: Path) -> None:
    key = Key("s", "only", "none", 1, 2, "my-solver", 0, "time_us", "global")
    run = synthetic.make_run("r", "only", "none", 1, 2, "my-solver", 0)
    one = Study("one", [run], cells_from([(key, "r", 2.5e6)]))
    assert [d.title for d in section(one, "programs").drawings] == ["my-solver"]
    assert "2.50 s" in page.render(page.contents(one))


def test_systems_stand_beside_each_other_where_they_measured_the_same() -> None:
    both = [
        replace(c, key=replace(c.key, system=system))
        for system in ("discover", "aitken") for c in synthetic.clean(1).cells
    ]  # fmt: skip
    panels = section(Study("two", [], both), "systems").drawings
    assert {len(p.lines) for p in panels if isinstance(p, plots.Panel)} == {2}
    labels = [line.label for line in panels[0].lines] if isinstance(panels[0], plots.Panel) else []
    assert labels == ["aitken", "discover"]
    assert page.all_sections(synthetic.clean(1))[-1].anchor != "systems"


def test_few_sizes_share_a_panel_over_ranks_per_node() -> None:
    few = synthetic.clean(1, synthetic.Recipe(sizes=(2048, 4096, 8192)))
    panel = section(few, "sizes").drawings[0]
    assert isinstance(panel, plots.Panel)
    assert [line.label for line in panel.lines] == ["2 KiB", "4 KiB", "8 KiB"]


def test_names_of_drawings_that_would_be_the_same_are_kept_apart() -> None:
    twins = [
        replace(c, key=replace(c.key, system=system))
        for system in ("a b", "a-b") for c in synthetic.clean(1).cells
    ]  # fmt: skip
    names = [d.name for s in page.all_sections(Study("twins", [], twins)) for d in s.drawings]
    assert len(names) == len(set(names))


def test_one_launch_of_each_side_makes_no_point_sure() -> None:
    def one(library: str, value: float) -> Cell:
        key = Key("s", library, "none", 1, 2, "latency", 8, "time_us", "local")
        return cells_from([(key, library, value)])[0]

    pair = ratios.library_pairs(Study("two", [], [one("a", 1.0), one("b", 9.0)]), "a")[0]
    assert pair.sure == frozenset()
    assert not pair.decidable
    assert pair.interval is None


def test_a_profile_that_helps_is_named_with_its_mean(file: Path) -> None:
    text = file.read_text()
    assert re.search(r"helps most is tuned with one on (alpha|beta): on average over \d+", text)
    assert "The profile that hurts" not in text


def test_of_layouts_that_vary_more_than_sizes_the_heat_map_shows_layouts() -> None:
    made = ratios.library_pairs(synthetic.clean(1, synthetic.Recipe(sizes=(8, 64))), "first")
    assert ratios.heat_map(made[0]).columns == tuple(f"4:{n}" for n in synthetic.RANKS_PER_NODE)
    few = synthetic.Recipe(sizes=(8, 64, 512), ranks_per_node=(2, 4))
    made = ratios.library_pairs(synthetic.clean(1, few), "first")
    assert ratios.heat_map(made[0]).columns == ("8B", "64B", "512B")


def test_times_of_two_clocks_in_a_panel_are_told_apart() -> None:
    def cell(library: str, clock: str) -> Cell:
        key = Key("s", library, "none", 2, 2, "bcast", 8, "time_us", clock)
        return cells_from([(key, library, 3.0)])[0]

    panel = section(Study("x", [], [cell("a", "local"), cell("b", "global")]), "collectives")
    first = panel.drawings[0]
    assert isinstance(first, plots.Panel)
    assert [line.label for line in first.lines] == ["a, ranks' own clocks", "b"]


def test_standings_have_columns_for_what_was_measured_only() -> None:
    table = page.render(page.contents(synthetic.clean(1))).partition('class="standings"')[2]
    assert ">Collectives</th>" in table.partition("</table>")[0]
    assert ">Start-up</th>" not in table.partition("</table>")[0]


def test_eight_libraries_have_eight_looks() -> None:
    assert len({(k.colour, k.marker) for k in (theme.look(n, 0) for n in range(8))}) == 8


def test_the_command_writes_the_page_and_the_plots(study: Study, tmp_path: Path) -> None:
    run = synthetic.make_run("r", "one", "none", 1, 2, "latency", 0)
    small = tmp_path / "small"
    (small / "raw").mkdir(parents=True)
    write(small / "raw" / "r.jsonl", run, synthetic.latency_samples("r"))
    done = CliRunner().invoke(app, ["report", str(small), "--plots", str(tmp_path / "plots")])
    assert done.exit_code == 0, done.output
    assert (small / "report.html").exists()
    names = sorted(p.suffix for p in (tmp_path / "plots").iterdir())
    assert names == [".png", ".svg"]
    assert (tmp_path / "plots").glob("*.svg").__next__().read_text().startswith("<?xml")


def test_drawings_are_the_same_every_time(study: Study) -> None:
    drawing = page.all_sections(study)[0].drawings[0]
    first, second = (plots.svg_text(plots.draw(drawing)) for _ in range(2))
    assert first == second


def test_the_standings_count_every_shared_point_once(study: Study) -> None:
    count, ranked = ratios.standings(study)
    assert sum(s.fastest for s in ranked) == count > 0
    assert min(m for s in ranked for m in s.means if m is not None) >= 1.0


@pytest.mark.parametrize(("ratio", "step"), [(1.0, 0), (2.0, 5), (0.5, -5), (9.0, 5), (0.1, -5)])
def test_heat_is_even_on_both_sides_of_one(ratio: float, step: int) -> None:
    assert ratios.step_of(ratio) == step


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(a: str, b: str) -> float:
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_every_series_shows_on_its_paper() -> None:
    # Lines need 3:1, as graphical objects do.
    assert all(contrast(light, "#ffffff") >= 3 for light, _ in theme.SERIES)
    assert all(contrast(dark, "#1a2128") >= 3 for _, dark in theme.SERIES)


def chromium() -> str | None:
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    executable = chromium()
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        warnings.warn("the page is not tested in a browser: no playwright", stacklevel=1)
        pytest.skip("playwright is not installed: pip install './study[test]'")
    if executable is None:
        warnings.warn("the page is not tested in a browser: no chromium", stacklevel=1)
        pytest.skip("Chromium is not installed: scripts/setup.sh --browser, as root")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        yield started
        started.close()


def opened(browser: Any, file: Path, viewport: dict[str, int], scheme: str) -> Any:
    context = browser.new_context(viewport=viewport, color_scheme=scheme, offline=True)
    shown = context.new_page()
    shown.problems = []
    shown.on("console", lambda message: shown.problems.append(message.text))
    shown.on("pageerror", lambda error: shown.problems.append(str(error)))
    shown.goto(file.as_uri())
    return shown


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
def test_a_browser_shows_the_page_without_complaint_and_without_sideways_scrolling(
    browser: Any, file: Path, viewport: dict[str, int], scheme: str
) -> None:
    shown = opened(browser, file, viewport, scheme)
    assert shown.problems == []
    assert shown.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    assert shown.locator("svg.plot").count() > 20
    empty = shown.evaluate(
        "[...document.querySelectorAll('svg.plot')].filter(s => s.getBoundingClientRect().height"
        " < 60).length"
    )
    assert empty == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_and_lines_take_the_colours_of_the_readers_theme(
    browser: Any, file: Path, scheme: str
) -> None:
    shown = opened(browser, file, DESK, scheme)
    colours = shown.evaluate(
        "() => { const of = (s, p) => getComputedStyle(document.querySelector(s))[p];"
        " return {ink: of('body', 'color'), paper: of('body', 'backgroundColor'),"
        " card: of('.panels>figure', 'backgroundColor'),"
        " advice: of('.advice', 'color'), tick: of('svg.plot text', 'fill')}; }"
    )

    def as_hex(text: str) -> str:
        return "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", text)[:3])

    named = {name: as_hex(text) for name, text in colours.items()}
    assert (luminance(named["paper"]) > 0.5) == (scheme == "light")
    for ink, paper in (("ink", "paper"), ("advice", "card"), ("tick", "card")):
        assert contrast(named[ink], named[paper]) >= CONTRAST_LEAST, (ink, named)


def test_the_data_behind_a_plot_opens_by_a_click(browser: Any, file: Path) -> None:
    shown = opened(browser, file, DESK, "light")
    details = shown.locator(".panels details").first
    assert not details.locator("table").is_visible()
    details.locator("summary").click()
    assert details.locator("table").is_visible()


def test_no_table_is_wider_than_paper(browser: Any, file: Path) -> None:
    shown = opened(browser, file, {"width": 688, "height": 980}, "light")
    shown.emulate_media(media="print")
    wide = shown.evaluate(
        "[...document.querySelectorAll('section table')].filter(t => t.checkVisibility()"
        " && t.getBoundingClientRect().right > 689).length"
    )
    assert shown.locator("table.heat").count() > 1
    assert wide == 0


def test_the_page_prints(browser: Any, file: Path) -> None:
    shown = opened(browser, file, DESK, "dark")
    shown.emulate_media(media="print")
    assert not shown.locator("nav").is_visible()
    # On paper a dark theme would be a page of ink.
    ink = shown.evaluate("getComputedStyle(document.body).color")
    assert luminance("#" + "".join(f"{int(p):02x}" for p in re.findall(r"\d+", ink))) < 0.2
    assert len(shown.pdf(format="A4")) > 10_000
