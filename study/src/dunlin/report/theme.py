"""Colours that people with any colour vision can tell apart, on light and on dark. A plot is drawn
once, in the colours of the light page; inside the page each becomes a variable of the style sheet,
so that the reader's choice of light or dark reaches the plots as well."""

import re
from dataclasses import dataclass

INK, SOFT, RULE = "#1b2733", "#5b6875", "#dde3e8"
ACCENT = "#c2410c"

# After Okabe and Ito (2008), the light ones darkened until lines of them show on white, and the
# dark ones lightened until they show on black.
SERIES = (
    ("#0067a5", "#62b6f7"),
    ("#d55e01", "#ff9248"),
    ("#00825f", "#35cfa0"),
    ("#9c3d97", "#e29ae0"),
    ("#8a6d00", "#e6c84f"),
    ("#47566b", "#b3c2d6"),
)
MARKERS = ("o", "s", "^", "D", "v", "P")
DASHES = ("-", "--", ":", "-.")


@dataclass(frozen=True)
class Look:
    """How one series is drawn; colour, marker and dashes each suffice to tell two apart."""

    colour: str
    marker: str
    dash: str
    index: int


def look(library: int, profile: int) -> Look:
    """Libraries differ in colour and marker, their profiles in dashes. When the colours have been
    used up they come again with other markers."""
    at = library % len(SERIES)
    marker = MARKERS[(library + library // len(SERIES)) % len(MARKERS)]
    return Look(SERIES[at][0], marker, DASHES[profile % len(DASHES)], at)


_VARIABLES = {
    INK: "ink", SOFT: "soft", RULE: "rule", ACCENT: "accent",
    **{light: f"series-{at}" for at, (light, _) in enumerate(SERIES)},
}  # fmt: skip


def with_variables(svg: str) -> str:
    """Colours of a drawing as variables of the page."""
    for colour, name in _VARIABLES.items():
        svg = re.sub(re.escape(colour), f"var(--{name})", svg, flags=re.IGNORECASE)
    return svg


def series_css(dark: bool) -> str:
    """The variables' values, of one theme."""
    return "".join(f"--series-{at}:{pair[dark]};" for at, pair in enumerate(SERIES))
