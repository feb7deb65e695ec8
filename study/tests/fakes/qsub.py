#!/usr/bin/env python3
"""A PBS that is none, as strict as the real one about the words of a script. A job runs at once, in
the environment that PBS gives: little more than its own variables. FAKE_PBS is its spool, FAKE_PBS_
DIALECT pro or torque. With FAKE_PBS_KILLS, whoever calls it does not live to hear the number."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

SPOOL = Path(os.environ["FAKE_PBS"])
PRO = os.environ.get("FAKE_PBS_DIALECT", "pro") == "pro"
COMMON = [
    r"-N (?P<name>[A-Za-z][\w.+-]{0,14})", r"-l walltime=\d{1,3}:\d\d:\d\d", r"-j oe",
    r"-o (?P<out>\S+)", r"-q \w+", r"-A \w+", r"-W \w+=\S+", r"-m [abe]+",
]  # fmt: skip
OWN = (
    [r"-l select=(?P<nodes>\d+):ncpus=(?P<ncpus>\d+):mpiprocs=(?P<slots>\d+)",
     r"-l place=scatter:excl"]
    if PRO else [r"-l nodes=(?P<nodes>\d+):ppn=(?P<slots>\d+)"]
)  # fmt: skip


def wrong(text: str) -> None:
    sys.exit(f"qsub: {text}")


def directives(script: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for number, line in enumerate(script.read_text().splitlines(), start=1):
        if not line.startswith("#") and line.strip():
            break  # PBS reads directives up to the first command only
        if not line.startswith("#PBS"):
            continue
        matches = [re.fullmatch(f"#PBS {pattern}", line) for pattern in COMMON + OWN]
        match = next((m for m in matches if m), None)
        if match is None:
            wrong(f"illegal directive in line {number}: {line}")
        else:
            found |= match.groupdict()
    late = [li for li in script.read_text().splitlines() if li.startswith("#PBS")]
    if len(late) != len(set(late)):
        wrong("a directive stands twice")
    for needed in ("name", "out", "nodes", "slots"):
        if needed not in found:
            wrong(f"no {needed} was asked for")
    return found


def main() -> None:
    option, tag, file = sys.argv[1:]
    if option != "-N" or not re.fullmatch(r"[A-Za-z][\w.+-]{0,14}", tag):
        wrong(f"illegal name: {option} {tag}")
    script = Path(file).resolve()
    if subprocess.call(["bash", "-n", script]) != 0:
        wrong("the script is no shell script")
    asked = directives(script)
    number = f"{len(list(SPOOL.glob('*.nodes'))) + 1}.fake"
    (SPOOL / f"{number}.name").write_text(tag)
    nodefile = SPOOL / f"{number}.nodes"
    hosts = [f"node{i}" for i in range(int(asked["nodes"]))]
    nodefile.write_text("".join(f"{h}\n" for h in hosts for _ in range(int(asked["slots"]))))
    environment = {
        "HOME": os.environ["HOME"], "PATH": "/usr/bin:/bin", "LANG": "C", "SHELL": "/bin/bash",
        "PBS_JOBID": number, "PBS_NODEFILE": str(nodefile), "PBS_O_WORKDIR": str(Path.cwd()),
        "PBS_ENVIRONMENT": "PBS_BATCH", "PBS_JOBNAME": tag, "PBS_QUEUE": "batch",
        "PBS_O_HOST": "login", "NCPUS": asked.get("ncpus") or asked["slots"],
    }  # fmt: skip
    environment |= {k: v for k, v in os.environ.items() if k.startswith(("FAKE_", "XDG_CACHE"))}
    if "FAKE_PBS_KILLS" in os.environ:
        os.kill(os.getppid(), signal.SIGKILL)
        sys.exit()
    with Path(asked["out"]).open("w") as out:
        subprocess.call(
            ["bash", script], env=environment, stdout=out, stderr=subprocess.STDOUT,
            cwd=environment["HOME"],
        )  # fmt: skip
    print(number)


main()
