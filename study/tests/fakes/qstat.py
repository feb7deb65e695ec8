#!/usr/bin/env python3
"""What the PBS that is none says of its jobs: `qstat -f` of several, `qselect` by name. Those whose
numbers are in FAKE_PBS_ALIVE run; each call leaves a line in the spool."""

import os
import sys
from pathlib import Path

SPOOL = Path(os.environ["FAKE_PBS"])
ALIVE = os.environ.get("FAKE_PBS_ALIVE", "").split()
TORQUE = os.environ.get("FAKE_PBS_DIALECT") == "torque"


def qstat(jobs: list[str]) -> int:
    status = 0
    for job in jobs:
        known = (SPOOL / f"{job}.name").exists()
        if job in ALIVE or (TORQUE and known):
            state = "R" if job in ALIVE else "C"
            # The server's name in full, as qsub does not always print it.
            print(f"Job Id: {job}.site.org\n    Job_Name = x\n    job_state = {state}\n")
        elif known:
            print(f"qstat: {job} Job has finished, use -x or -H", file=sys.stderr)
            status = 35
        else:
            print(f"qstat: Unknown Job Id {job}", file=sys.stderr)
            status = 153
    return status


def qselect(name: str) -> int:
    for file in SPOOL.glob("*.name"):
        if file.read_text() == name and (TORQUE or file.stem in ALIVE):
            print(file.stem)
    return 0


called = Path(sys.argv[0]).name
with (SPOOL / "calls").open("a") as calls:
    calls.write(f"{called} {' '.join(sys.argv[1:])}\n")
if called == "qselect" and sys.argv[1] == "-N":
    sys.exit(qselect(sys.argv[2]))
if called == "qstat" and sys.argv[1] == "-f":
    sys.exit(qstat(sys.argv[2:]))
sys.exit(f"{called}: illegal option {sys.argv[1]}")
