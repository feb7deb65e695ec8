"""What in a study deserves a second look: knees over ranks per node, cliffs over size, violated
performance guidelines, figures that cannot be, ranks in the wrong place, noise, launches that
failed. Each detector is a pure function of a study; all corrections are made inside it."""

from dunlin.anomalies import cliff, guidelines, knee, launches, limits, noise
from dunlin.anomalies.finding import SEVERITIES, Curve, Figure, Finding
from dunlin.anomalies.limits import Limits
from dunlin.summary import Study

__all__ = ["Curve", "Figure", "Finding", "Limits", "find_all"]


def find_all(study: Study, given: Limits | None = None) -> list[Finding]:
    """All findings, what makes figures worthless first, each kind's strongest first."""
    found = [
        *limits.find(study, given),
        *launches.find(study),
        *knee.find(study),
        *cliff.find(study),
        *guidelines.find(study),
        *noise.find(study),
    ]
    return sorted(found, key=lambda f: (SEVERITIES.index(f.severity), f.kind, -f.strength))
