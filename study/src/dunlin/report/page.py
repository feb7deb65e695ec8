"""The page: everything a study says, in one HTML file without a script and without the network."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from jinja2 import Environment, PackageLoader, select_autoescape
from markupsafe import Markup

from dunlin import __version__, anomalies, words
from dunlin.anomalies import Finding, Limits
from dunlin.model import Run
from dunlin.report import plots, sections, theme
from dunlin.report.plots import Bars, Panel
from dunlin.report.ratios import GROUPS, HeatMap, Standing, heat_maps, standings
from dunlin.report.sections import Drawing, Legend, Section
from dunlin.summary import Study

SEVERITY_WORDS = {"wrong": "Wrong", "warning": "Warning", "note": "Note"}
LEGEND_DASHES = {"-": "", "--": "6 3", ":": "1.5 3", "-.": "7 3 1.5 3"}
# SVG of matplotlib's markers, around the origin.
LEGEND_MARKERS = {
    "o": "M-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0 -6.8 0Z",
    "s": "M-3 -3H3V3H-3Z",
    "^": "M0 -3.6L3.6 3.2H-3.6Z",
    "D": "M0 -4L4 0L0 4L-4 0Z",
    "v": "M0 3.6L3.6 -3.2H-3.6Z",
    "P": "M-1.3 -3.6H1.3V-1.3H3.6V1.3H1.3V3.6H-1.3V1.3H-3.6V-1.3H-1.3Z",
}
HEAT_STEPS = range(-5, 6)


@dataclass(frozen=True)
class Card:
    """A finding and its figure."""

    finding: Finding
    figure: Panel | None
    legend: tuple[Legend, ...]


def cards(study: Study, limits: Limits) -> list[Card]:
    """Findings as the page shows them."""
    made = []
    for number, finding in enumerate(anomalies.find_all(study, limits), 1):
        figure = sections.drawing_of(finding, number)
        legend = tuple(Legend(n.label, n.look, not n.faint) for n in figure.lines) if figure else ()
        made.append(Card(finding, figure, legend if len(legend) <= 4 else ()))
    return made


@dataclass(frozen=True)
class Fact:
    """A line of the page's list of what was measured where."""

    name: str
    text: str


def _distinct(values: list[str]) -> str:
    return ", ".join(sorted({v for v in values if v}))


def facts(runs: list[Run]) -> list[Fact]:
    """The environment, as far as launches recorded it."""
    machines = [run.machine for run in runs]

    def recorded(name: str) -> str:
        return _distinct([str(m[name]) for m in machines if m.get(name) is not None])

    found = [
        Fact("Systems", _distinct([run.system for run in runs])),
        Fact("Processor", recorded("cpu")),
        Fact("Architecture", recorded("architecture")),
        Fact("Cores", recorded("cores")),
        Fact("Usable cores", recorded("usable_cores")),
        Fact("Operating system", recorded("system")),
        Fact("Kernel", recorded("kernel")),
        Fact("Frequency governor", recorded("governor")),
        Fact("Huge pages", recorded("huge_pages")),
        Fact("Clock source", recorded("clock_source")),
        Fact("Environment", _environment(runs)),
    ]
    return [fact for fact in found if fact.text]


def _environment(runs: list[Run]) -> str:
    settings: dict[str, set[str]] = {}
    for run in runs:
        for name, value in run.environment.items():
            settings.setdefault(name, set()).add(value)
    shown = [f"{n}={' or '.join(sorted(v))}" for n, v in sorted(settings.items()) if len(v) <= 3]
    return "; ".join(shown[:24])


@dataclass(frozen=True)
class LibraryFact:
    """A library as launches met it."""

    library: str
    profile: str
    version: str
    launches: int
    failed: int


def libraries(runs: list[Run]) -> list[LibraryFact]:
    """What was measured, and how often it went wrong."""
    groups: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.library, run.profile), []).append(run)
    return [
        LibraryFact(
            library, profile,
            _distinct([f"{r.vendor} {r.library_version}".strip() for r in members]),
            len(members), sum(r.status != "ok" for r in members),
        )
        for (library, profile), members in sorted(groups.items())
    ]  # fmt: skip


def in_short(study: Study, count: int, ranked: list[Standing]) -> list[str]:
    """What a reader in a hurry takes away."""
    lines = []
    if len(ranked) > 1 and count:
        shares = [f"{s.library} at {s.fastest}" for s in ranked if s.fastest]
        lines.append(
            f"Of {words.plural(count, 'point')} that every library measured, the fastest was "
            f"{words.listed(shares)}."
        )
    bad = [run for run in study.runs if run.status != "ok"]
    launches = words.plural(len(study.runs), "launch", "launches")
    if bad:
        kinds = sorted({run.status for run in bad})
        counts = [f"{sum(r.status == k for r in bad)} {k}" for k in kinds]
        lines.append(f"Of {launches} {len(bad)} gave no figures: {words.listed(counts)}.")
    else:
        lines.append(f"All of the {launches} gave figures.")
    return lines


def _when(runs: list[Run]) -> str:
    if not runs:
        return ""
    first, last = min(r.started for r in runs), max(r.started for r in runs)

    def day(moment: datetime) -> str:
        return f"{moment.day} {moment:%B %Y}"

    return day(first) if day(first) == day(last) else f"{day(first)} to {day(last)}"


def _plot(drawing: Drawing) -> Markup:
    svg = plots.svg_text(plots.draw(drawing))
    # The drawing is made by us of escaped text; its words come from matplotlib, which escapes.
    return Markup(plots.inline(svg, drawing.name, sections.escape_title(drawing.title)))


def _environment_of_templates() -> Environment:
    made = Environment(
        loader=PackageLoader("dunlin.report", "."), autoescape=select_autoescape(["j2"]),
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    made.globals.update(
        plot=_plot, dashes=LEGEND_DASHES, markers=LEGEND_MARKERS, steps=HEAT_STEPS,
        light=theme.series_css(dark=False), dark=theme.series_css(dark=True),
        severity=SEVERITY_WORDS, listed=words.listed, version=__version__, groups=GROUPS,
    )  # fmt: skip
    return made


def baseline_of(study: Study) -> str:
    """The library that the others stand beside: the one with most points, none preferred."""
    names = study.values_of("library")
    return max(names, key=lambda name: len(study.where(library=name)), default="")


def render(study: Study, limits: Limits | None = None, baseline: str | None = None) -> str:
    """The whole page."""
    count, ranked = standings(study)
    base = baseline or baseline_of(study)
    maps: list[HeatMap] = heat_maps(study, base)
    shown: list[Section] = sections.all_sections(study)
    level = min((c.interval.level for c in study.cells), default=0.0)
    return _environment_of_templates().get_template("page.html.j2").render(
        study=study, cards=cards(study, limits or Limits()), sections=shown, maps=maps,
        baseline=base, count=count, standings=ranked, facts=facts(study.runs),
        libraries=libraries(study.runs), short=in_short(study, count, ranked),
        when=_when(study.runs), level=words.percent(level),
        launches=sorted({c.launches for c in study.cells}),
    )  # fmt: skip


def drawings(study: Study, limits: Limits | None = None) -> list[Panel | Bars]:
    """Every drawing of the page, for files."""
    found: list[Panel | Bars] = [
        d for s in sections.all_sections(study) for _, group in s.groups for d in group
    ]
    return found + [c.figure for c in cards(study, limits or Limits()) if c.figure]


def write(
    study: Study, file: Path, limits: Limits | None = None, baseline: str | None = None
) -> None:
    """The page to its file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(render(study, limits, baseline), encoding="utf-8")
