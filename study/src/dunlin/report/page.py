"""The page: everything a study says, in one HTML file without a script and without the network."""

from dataclasses import dataclass, replace
from math import log
from pathlib import Path

from jinja2 import Environment, PackageLoader, select_autoescape
from markupsafe import Markup

from dunlin import __version__, anomalies, stats, words
from dunlin.anomalies import Finding, Limits
from dunlin.model import Run
from dunlin.report import courses, plots, sections, setting, theme, whole
from dunlin.report.plots import Panel
from dunlin.report.ratios import (
    GROUPS,
    HeatMap,
    Pair,
    Standing,
    heat_map,
    library_pairs,
    point_of,
    profile_pairs,
    standings,
)
from dunlin.report.sections import Drawing, Legend, Looks, Section
from dunlin.summary import NOT_MEASURED, Study

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
class RatioSection:
    """Pairs of sides, each with its heat map."""

    anchor: str
    title: str
    short: str
    lead: str
    pairs: list[tuple[Pair, HeatMap]]


@dataclass(frozen=True)
class Contents:
    """Everything the page is made of."""

    study: Study
    baseline: str
    cards: list[Card]
    sections: list[Section]
    profiles: list[Pair]
    libraries: list[Pair]

    @property
    def drawings(self) -> list[Drawing]:
        """In the order of the page."""
        found = [d for section in self.sections for d in section.drawings]
        return found + [card.figure for card in self.cards if card.figure]


def contents(study: Study, limits: Limits | None = None, baseline: str | None = None) -> Contents:
    """Judged, sorted and compared, but nothing drawn yet."""
    base = baseline or baseline_of(study)
    return Contents(
        study, base, cards(study, limits or Limits()), all_sections(study),
        profile_pairs(study), library_pairs(study, base),
    )  # fmt: skip


def all_sections(study: Study) -> list[Section]:
    """In the order of the page; those without data are left out."""
    looks = Looks(study)
    found = [
        courses.point_to_point(study, looks),
        courses.collectives(study, looks),
        courses.scaling(study, looks, per_node=True),
        courses.scaling(study, looks, per_node=False),
        courses.sizes(study),
        courses.systems(study),
        whole.programs(study, looks),
        whole.start_up(study, looks),
    ]
    _name_apart([drawing for section in found for drawing in section.drawings])
    return [section for section in found if not section.empty]


def _name_apart(drawings: list[Drawing]) -> None:
    """Names become anchors and files: names of systems that differ in a mark only must not make
    two drawings one."""
    taken: dict[str, int] = {}
    for drawing in drawings:
        times = taken[drawing.name] = taken.get(drawing.name, 0) + 1
        if times > 1:
            object.__setattr__(drawing, "name", f"{drawing.name}-{times}")


def in_short(made: Contents, count: int, ranked: list[Standing]) -> list[str]:
    """What a reader in a hurry takes away."""
    lines = []
    if len(ranked) > 1 and count:
        shares = [f"{s.library} at {s.fastest}" for s in ranked if s.fastest]
        lines.append(
            f"Of {words.plural(count, 'point')} that every library measured, the fastest was "
            f"{words.listed(shares)}."
        )
    lines += _furthest(made.libraries) + _profiles(made.profiles)
    return [*lines, _outcome(made.study.runs)]


def _furthest(pairs: list[Pair]) -> list[str]:
    """The largest sure difference between two libraries."""
    found = [(p, rows[0]) for p in pairs for s in (True, False) if (rows := p.certain(slower=s))]
    if not found:
        return []
    one, row = max(found, key=lambda f: abs(log(f[1].ratio.value)))
    ratio, a, b = row.ratio.value, one.comparison.a.name, one.title
    slow, fast = (b, a) if ratio > 1 else (a, b)
    return [
        f"Furthest apart: {slow} takes {words.times(max(ratio, 1 / ratio))} what {fast} takes for "
        f"{point_of(row)}."
    ]


def _profiles(pairs: list[Pair]) -> list[str]:
    """Which profile helps most and which hurts most, over all that was measured with it."""
    if not pairs:
        return []
    telling = [p for p in pairs if p.tells]
    if not telling:
        return ["No profile surely changes much on average."]
    best, worst = min(telling, key=lambda p: p.ratio), max(telling, key=lambda p: p.ratio)
    lines = []
    if best.ratio < 1:
        lines.append(f"The profile that helps most is {best.title}: {_cost(best)}.")
    if worst.ratio > 1:
        lines.append(f"The profile that hurts most is {worst.title}: {_cost(worst)}.")
    return lines


def _cost(one: Pair) -> str:
    points = words.plural(len(one.comparison.rows), "point")
    return f"on average over {points} {one.ratio:.2f} times the cost without"


def _outcome(runs: list[Run]) -> str:
    bad = [run for run in runs if run.status != "ok"]
    launches = words.plural(len(runs), "launch", "launches")
    if not bad:
        return f"All of the {launches} gave figures."
    kinds = sorted({run.status for run in bad})
    counts = [f"{sum(r.status == k for r in bad)} {k}" for k in kinds]
    return f"Of {launches} {len(bad)} gave no figures: {words.listed(counts)}."


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
        point_of=point_of,
    )  # fmt: skip
    return made


def baseline_of(study: Study) -> str:
    """The library that the others stand beside: the one measured at most points, whatever the
    number of its profiles; none is preferred."""
    points: dict[str, set[object]] = {}
    for cell in study.cells:
        points.setdefault(cell.key.library, set()).add(replace(cell.key, library="", profile=""))
    return max(sorted(points), key=lambda name: len(points[name]), default="")


def render(made: Contents) -> str:
    """The whole page."""
    study = made.study
    count, ranked = standings(study)
    systems, facts = setting.facts(study)
    counts = sorted({c.launches for c in study.cells})
    return _environment_of_templates().get_template("page.html.j2").render(
        columns=[at for at in range(len(GROUPS)) if any(s.means[at] is not None for s in ranked)],
        study=study, cards=made.cards, sections=made.sections, baseline=made.baseline,
        ratios=ratio_sections(made), count=count, standings=ranked, systems=systems, facts=facts,
        libraries=setting.libraries(study.runs), short=in_short(made, count, ranked),
        when=setting.when(study.runs), bands=_bands(study), not_measured=NOT_MEASURED,
        launches=words.from_to(counts), single=1 in counts,
        undecidable=any(not p.decidable for p in (*made.profiles, *made.libraries)),
    )  # fmt: skip


def _bands(study: Study) -> str:
    """How sure the bands are, in words."""
    levels = sorted(c.interval.level for c in study.cells if c.launches > 1)
    if not levels:
        return ""
    usual, least = levels[len(levels) // 2], levels[0]
    if least >= stats.LEVEL:
        return f"that cover {words.percent(stats.LEVEL)} or more"
    most = f"that cover {words.percent(usual)} at most points, with so few launches"
    return most if usual == least else f"{most}, and {words.percent(least)} at the worst"


def ratio_sections(made: Contents) -> list[RatioSection]:
    """Profiles beside none, and libraries beside the baseline."""
    found = [
        RatioSection(
            "profiles", "Profiles", "Profiles",
            "Cost with a profile relative to the cost of the same library without: below one the "
            "profile helps, above one it hurts.",
            [(p, heat_map(p)) for p in made.profiles],
        ),
        RatioSection(
            "ratios", f"Ratios beside {made.baseline}", "Ratios",
            f"Cost relative to {made.baseline}: below one is faster, above one slower.",
            [(p, heat_map(p)) for p in made.libraries],
        ),
    ]  # fmt: skip
    return [section for section in found if section.pairs]


def write(made: Contents, file: Path) -> None:
    """The page to its file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(render(made), encoding="utf-8")
