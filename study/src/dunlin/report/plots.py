"""Drawing: small panels of lines and bars by matplotlib, as SVG for the page and as SVG and PNG
files. Panels are as wide as a phone, so that a page can lay them side by side or one below another
without making their words smaller."""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log2
from pathlib import Path
from typing import Any, Literal

import matplotlib as mpl
from matplotlib import ticker
from matplotlib.figure import Figure

from dunlin import words
from dunlin.report import theme
from dunlin.report.theme import Look

Unit = Literal["bytes", "ranks", "number"]

WIDTH_IN, HEIGHT_IN = 3.7, 2.65
# Room for the words around a panel. The same everywhere: axes stand in line, and to find out what
# each one needs takes longer than to draw it.
MARGINS = {"left": 0.145, "right": 0.975, "bottom": 0.165, "top": 0.895}
BAR_IN = 0.27
CHARACTER_IN = 0.068
TIME = "Time"
PNG_DPI = 200
# With more sizes than this, every second or third is labelled.
LABELS_MAX = 6
# An axis of fewer doublings than this is labelled at 1, 2 and 5, else only at powers of ten.
NARROW = 7

mpl.rcParams.update({
    "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 8.5,
    "font.sans-serif": ["DejaVu Sans"],
    "axes.spines.top": False, "axes.spines.right": False,
    "axes.edgecolor": theme.SOFT, "axes.labelcolor": theme.SOFT, "axes.linewidth": 0.8,
    "text.color": theme.INK, "xtick.color": theme.SOFT, "ytick.color": theme.SOFT,
    "grid.color": theme.RULE, "grid.linewidth": 0.7, "lines.linewidth": 1.5,
    "lines.markersize": 3.8, "figure.facecolor": "none", "axes.facecolor": "none",
})  # fmt: skip


@dataclass(frozen=True)
class Line:
    """One series, with its interval where there is one."""

    label: str
    look: Look
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    faint: bool = False


@dataclass(frozen=True)
class Panel:
    """Lines over sizes or ranks."""

    name: str
    title: str
    lines: Sequence[Line]
    x_unit: Unit
    x_label: str
    y_label: str
    mark: float | None = None
    columns: tuple[str, ...] = ()
    rows: Sequence[Sequence[str]] = field(default=())
    # Ratios and places in an order are not times over orders of magnitude.
    linear: bool = False


@dataclass(frozen=True)
class Bar:
    """One library's figure with its interval, and what is written beside it."""

    label: str
    look: Look
    value: float
    low: float
    high: float
    text: str


@dataclass(frozen=True)
class Bars:
    """Bars with their libraries' names, in groups with headings; of a single group it is known
    from elsewhere where it was measured."""

    name: str
    title: str
    groups: Sequence[tuple[str, Sequence[Bar]]]
    columns: tuple[str, ...] = ()
    rows: Sequence[Sequence[str]] = field(default=())


def _tick_size(value: float) -> str:
    return words.size(value).replace(" B", "").replace("iB", "").replace(" ", "")


def _tick_number(value: float, _position: int | None = None) -> str:
    if value >= 1e6:
        return f"{value / 1e6:g}M"
    return f"{value / 1e3:g}k" if value >= 1e3 else f"{value:g}"


def _tick_time(value: float, _position: int | None = None) -> str:
    for unit, size in (("s", 1e6), ("ms", 1e3), ("µs", 1.0)):
        if value >= size:
            return f"{value / size:g} {unit}"
    return f"{value * 1e3:g} ns"


def _thinned(values: list[float]) -> list[float]:
    """Labels at even steps; the smallest and as many as fit."""
    step = -(-len(values) // LABELS_MAX)
    return values[::step]


def _axes(figure: Figure, panel: Panel) -> Any:
    axes = figure.add_subplot()
    xs = sorted({x for line in panel.lines for x in line.x})
    if panel.x_unit != "number":
        axes.set_xscale("symlog" if 0 in xs else "log", base=2, **_linthresh(xs))
        if len(xs) == 1:
            axes.set_xlim(xs[0] / 2, xs[0] * 2)
        shown = _thinned(xs) if panel.x_unit == "bytes" else _apart(xs)
        labels = [_tick_size(x) if panel.x_unit == "bytes" else f"{x:g}" for x in shown]
        axes.xaxis.set_major_locator(ticker.FixedLocator(shown))
        axes.xaxis.set_major_formatter(ticker.FixedFormatter(labels))
        axes.xaxis.set_minor_locator(ticker.NullLocator())
    if not panel.linear:
        _log_y(axes, panel)
    axes.grid(axis="y")
    axes.set_axisbelow(True)
    axes.tick_params(length=2.5)
    return axes


def _log_y(axes: Any, panel: Panel) -> None:
    ys = [y for line in panel.lines for y in (*line.y, *line.low, *line.high) if y > 0]
    axes.set_yscale("log")
    low, high = min(ys, default=1.0), max(ys, default=1.0)
    # A curve that hardly changes must not fill the panel with its noise.
    if high < 4 * low:
        middle = (low * high) ** 0.5
        low, high = middle / 2, middle * 2
    axes.set_ylim(low / 1.25, high * 1.25)
    narrow = log2(high / low) < NARROW
    axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1.0, 2.0, 5.0) if narrow else (1.0,)))
    time = panel.y_label == TIME
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(_tick_time if time else _tick_number))
    axes.yaxis.set_minor_locator(ticker.NullLocator())


def _linthresh(xs: Sequence[float]) -> dict[str, float]:
    return {"linthresh": min(x for x in [*xs, 1.0] if x > 0)} if 0 in xs else {}


def _apart(xs: list[float]) -> list[float]:
    """Of ranks, those that are far enough apart on a logarithmic axis to be read."""
    if not xs:
        return xs
    least = (log2(max(xs[-1], 1)) - log2(max(xs[0], 1))) / (2 * LABELS_MAX)
    shown = [xs[-1]]
    for x in reversed(xs[:-1]):
        if log2(shown[-1]) - log2(x) >= least:
            shown.append(x)
    return shown[::-1]


def draw_panel(panel: Panel) -> Figure:
    """Lines with their intervals as bands."""
    figure = Figure(figsize=(WIDTH_IN, HEIGHT_IN))
    figure.subplots_adjust(**MARGINS)
    axes = _axes(figure, panel)
    for line in panel.lines:
        style = line.look
        if line.low and line.high:
            axes.fill_between(line.x, line.low, line.high, color=style.colour, alpha=0.16, lw=0)
        axes.plot(
            line.x, line.y, color=style.colour, ls=style.dash,
            marker="" if line.faint else style.marker, label=line.label,
            alpha=0.85 if line.faint else 1.0,
        )  # fmt: skip
    if panel.mark is not None:
        axes.axvline(panel.mark, color=theme.ACCENT, lw=1.0, ls=(0, (2, 2)))
    axes.set_xlabel(panel.x_label)
    axes.set_title(panel.y_label, loc="left", fontsize=8.5, color=theme.SOFT)
    return figure


def draw_bars(bars: Bars) -> Figure:
    """Horizontal bars with their values in words, group below group, each as wide as it can be:
    what is compared stands in one group."""
    places = _places(bars)
    height = 0.15 + BAR_IN * (places[-1][0] + 1)
    figure = Figure(figsize=(WIDTH_IN, height))
    every = [bar for _, bar, _ in places if isinstance(bar, Bar)]
    left = 0.12 + CHARACTER_IN * max(len(bar.label) for bar in every)
    words_ = CHARACTER_IN * (1 + max(len(bar.text) for bar in every))
    # Names may take half of the width; the longest value stands behind the longest bar.
    left, right = min(left, WIDTH_IN / 2), min(words_, WIDTH_IN / 3)
    figure.subplots_adjust(left=left / WIDTH_IN, right=0.99, bottom=0.02, top=0.98)
    axes = figure.add_subplot()
    room = 1.0 + right / (0.99 * WIDTH_IN - left - right)
    for at, bar, reach in places:
        if not isinstance(bar, Bar):
            axes.text(0, -at, f" {bar}", va="center", color=theme.SOFT)
            continue
        axes.barh(-at, bar.value / reach, height=0.66, color=bar.look.colour)
        axes.plot([bar.low / reach, bar.high / reach], [-at, -at], color=theme.INK, lw=1.0)
        end = max(bar.high, bar.value) / reach + 0.03
        axes.text(end, -at, bar.text, va="center", color=theme.INK)
    axes.set_xlim(0, room)
    axes.set_ylim(-places[-1][0] - 0.6, 0.6)
    ticks = [-at for at, bar, _ in places if isinstance(bar, Bar)]
    axes.set_yticks(ticks, [bar.label for bar in every])
    axes.tick_params(axis="y", length=0, colors=theme.INK)
    axes.xaxis.set_visible(False)
    axes.spines["bottom"].set_visible(False)
    return figure


def _places(bars: Bars) -> list[tuple[float, Bar | str, float]]:
    """Bars, and headings where there are several groups, each with its place from above and what
    the longest bar of its group reaches."""
    places: list[tuple[float, Bar | str, float]] = []
    at = 0.0
    for heading, group in bars.groups:
        reach = max((max(bar.high, bar.value) for bar in group), default=1.0)
        if len(bars.groups) > 1:
            places.append((at, heading, reach))
            at += 0.9
        for bar in group:
            places.append((at, bar, reach))
            at += 1.0
        at += 0.35
    return places


def draw(drawing: Panel | Bars) -> Figure:
    """Either sort."""
    return draw_panel(drawing) if isinstance(drawing, Panel) else draw_bars(drawing)


_NUMBERED = re.compile(r' id="[A-Za-z][A-Za-z0-9.]*_\d+"')
_HEAD = re.compile(r"^.*?(?=<svg)", re.DOTALL)
_METADATA = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)
_FONT = re.compile(r"font: ([\d.]+px) [^;\"]*")
_SIZE = re.compile(r' (?:width|height)="[\d.]+pt"')
# A hundredth of a point is as much as any screen or paper shows.
_DIGITS = re.compile(r"(\d\.\d\d)\d+")


def svg_text(figure: Figure) -> str:
    """The drawing as it would stand in a file; the same every time."""
    out = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": "dunlin"}):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return out.getvalue()


def inline(svg: str, name: str, title: str) -> str:
    """The drawing as a part of the page: its colours the page's, its names its own."""
    svg = _METADATA.sub("", _HEAD.sub("", svg))
    svg = _NUMBERED.sub("", svg)
    # Markers and clips are named by their content: the same in many panels of a page.
    svg = re.sub(r'(id="|url\(#|href="#)', rf"\g<1>{name}-", svg)
    svg = _FONT.sub(r"font-size: \1; font-family: inherit", svg)
    svg = _DIGITS.sub(r"\1", _SIZE.sub("", svg))
    head = f'<svg role="img" aria-label="{title}" class="plot"'
    return theme.with_variables(svg).replace("<svg", head, 1)


def write_files(drawing: Panel | Bars, directory: Path) -> list[Path]:
    """As SVG and PNG, on white."""
    figure = draw(drawing)
    figure.set_facecolor("white")
    figure.set_layout_engine("constrained")
    figure.suptitle(drawing.title, x=0.01, ha="left", fontsize=9, color=theme.INK)
    if isinstance(drawing, Panel) and len(drawing.lines) > 1:
        figure.legend(loc="outside lower center", ncols=2, fontsize=7, frameon=False)
        figure.set_figheight(HEIGHT_IN + 0.2 + 0.16 * -(-len(drawing.lines) // 2))
    files = [directory / f"{drawing.name}.svg", directory / f"{drawing.name}.png"]
    files[0].write_text(svg_text(figure), encoding="utf-8")
    figure.savefig(files[1], dpi=PNG_DPI)
    return files
