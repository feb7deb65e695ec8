"""What the Makefile calls. Its modules import each other, and the measuring code of this tree
rather than of what is installed."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "study" / "src")]
