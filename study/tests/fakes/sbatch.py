#!/usr/bin/env python3
"""A Slurm that is none: `sbatch` runs a job at once, `squeue` knows of those in FAKE_SLURM_ALIVE if
it is asked for the cluster `fake`, `scontrol` writes lists of nodes out. FAKE_SLURM is its spool;
if there is a file `silent` in it, squeue does not answer, once."""

import contextlib
import os
import re
import subprocess
import sys
from pathlib import Path

SPOOL = Path(os.environ["FAKE_SLURM"])
OPTION = re.compile(
    r"#SBATCH --(job-name|time|partition|account|constraint|nodes|ntasks-per-node)=(\S+)|"
    r"#SBATCH --exclusive"
)


def sbatch() -> None:
    script, out = Path(sys.argv[-1]), Path(sys.argv[sys.argv.index("--output") + 1])
    asked = {}
    for line in script.read_text().splitlines():
        if line.startswith("#SBATCH"):
            match = OPTION.fullmatch(line)
            if match is None:
                sys.exit(f"sbatch: unrecognized option: {line}")
            asked[match[1]] = match[2]
    tag = sys.argv[sys.argv.index("--job-name") + 1]
    number = str(len(list(SPOOL.glob("*.sh"))) + 1)
    (SPOOL / f"{number}.tag").write_text(tag)
    (SPOOL / f"{number}.sh").write_text(script.read_text())
    environment = {
        **os.environ, "SLURM_JOB_ID": number, "SLURM_JOB_NODELIST": f"n[1-{asked['nodes']}]",
        "SLURM_NNODES": asked["nodes"], "SLURM_NTASKS_PER_NODE": asked["ntasks-per-node"],
    }  # fmt: skip
    with Path(str(out).replace("%%", "%")).open("w") as file:
        subprocess.call(["bash", script], env=environment, stdout=file, stderr=subprocess.STDOUT)
    print(f"{number};fake")


def scontrol() -> None:
    last = int(re.fullmatch(r"n\[1-(\d+)\]", sys.argv[-1])[1])  # type: ignore[index]
    print("\n".join(f"n{i + 1}" for i in range(last)))


def squeue() -> None:
    with contextlib.suppress(FileNotFoundError):
        (SPOOL / "silent").unlink()
        sys.exit("slurm_load_jobs error: Unable to contact slurm controller")
    words = dict(zip(sys.argv, sys.argv[1:], strict=False))
    name = words.get("--name")
    for number in os.environ.get("FAKE_SLURM_ALIVE", "").split():
        named = name in (None, (SPOOL / f"{number}.tag").read_text())
        if named and words.get("--clusters") == "fake":
            print(number)


if Path(sys.argv[0]).name == "sbatch":
    sbatch()
elif Path(sys.argv[0]).name == "scontrol":
    scontrol()
else:
    squeue()
