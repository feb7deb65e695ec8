"""The C programs of collective operations where each rank seems to have a core: by rules that a
small machine never comes to. Ranks yield, since in truth they share cores."""

import os
import subprocess
import sys
from pathlib import Path

from dunlin import checkout

HERE = Path(__file__).resolve().parent
SHIM = checkout.ROOT / "build" / "own_cores.so"
PROGRAMS = ["coll", "scan", "reduc", "bcast", "persistent", "window_away", "window_complete",
            "window_computing", "window_histories"]


def main() -> int:
    """Builds what tells them so, and runs them."""
    SHIM.parent.mkdir(exist_ok=True)
    subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", SHIM, HERE / "own_cores.c", "-ldl"],
                   check=True)
    chosen = [word for name in PROGRAMS for word in ("-k", name)]
    words = [sys.executable, str(HERE / "run.py"), "--prefix", str(checkout.PREFIX),
             "--mpirun-args=--bind-to none", *chosen]  # fmt: skip
    environment = {**os.environ, "LD_PRELOAD": str(SHIM), "DUNLIN_WAIT": "yield"}
    return subprocess.run(words, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
