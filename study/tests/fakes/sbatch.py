#!/usr/bin/env python3
"""A Slurm that is none: `sbatch` runs a job at once, `squeue` knows of no others, `scontrol` writes
lists of nodes out. FAKE_SLURM is its spool."""

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
    number = str(len(list(SPOOL.iterdir())) + 1)
    (SPOOL / number).write_text(script.read_text())
    environment = {
        **os.environ, "SLURM_JOB_ID": number, "SLURM_JOB_NODELIST": f"n[1-{asked['nodes']}]",
        "SLURM_NNODES": asked["nodes"], "SLURM_NTASKS_PER_NODE": asked["ntasks-per-node"],
    }  # fmt: skip
    with out.open("w") as file:
        subprocess.call(["bash", script], env=environment, stdout=file, stderr=subprocess.STDOUT)
    print(f"{number};fake")


def scontrol() -> None:
    last = int(re.fullmatch(r"n\[1-(\d+)\]", sys.argv[-1])[1])  # type: ignore[index]
    print("\n".join(f"n{i + 1}" for i in range(last)))


if Path(sys.argv[0]).name == "sbatch":
    sbatch()
elif Path(sys.argv[0]).name == "scontrol":
    scontrol()
