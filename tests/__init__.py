"""Tests of the whole tree. Their modules import each other, and the measuring code of this tree
rather than of what is installed, from wherever they are started with `python -m` or pytest."""

import sys
import unittest
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "study" / "src")]


def unless(obstacle: str | None) -> Callable:
    """Leaves a test case out where something is in its way, and says what."""
    return unittest.skipIf(obstacle is not None, obstacle or "")
