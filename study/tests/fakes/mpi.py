#!/usr/bin/env python3
"""An MPI library that is none: `mpicc` makes a script of any program that includes mpi.h, `mpiexec`
starts it on hosts that it only pretends to have. What tests change stands in FAKE_* variables."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path

ME = Path(__file__).resolve()


def mpicc(arguments: list[str]) -> int:
    if arguments == ["--version"]:
        print("fake 1.0")
        return 0
    source, out = Path(arguments[-1]), Path(arguments[arguments.index("-o") + 1])
    text = source.read_text()
    if "mpi.h" not in text and "bench" not in text:
        return subprocess.call(["cc", *arguments])
    # Only the first rank has anything to say.
    own = f'exec "{sys.executable}" -IS "{ME}" program {source.stem} "$@"'
    out.write_text(f'#!/bin/sh\n[ "$PMI_RANK" = 0 ] || exit 0\n{own}\n')
    out.chmod(out.stat().st_mode | stat.S_IXUSR)
    return 0


def hosts_of(hostfile: str | None, per_node: int, ranks: int) -> list[str]:
    if hostfile is None:
        return [socket.gethostname()] * ranks
    names = [line.split(":")[0] for line in Path(hostfile).read_text().split()]
    return [names[rank // per_node] for rank in range(ranks)]


def mpiexec(arguments: list[str]) -> int:
    options: dict[str, str] = {}
    while arguments and arguments[0].startswith("-"):
        options[arguments[0]] = arguments[1]
        arguments = arguments[2:]
    ranks = int(options["-n"])
    hosts = hosts_of(options.get("-f"), int(options.get("-ppn", ranks)), ranks)
    if journal := os.environ.get("FAKE_JOURNAL"):
        with Path(journal).open("a") as file:
            file.write(os.environ.get("STUDY_RUN_ID", "?").partition("@")[0] + "\n")
    children, mine = [], []
    for rank, host in enumerate(hosts):
        # Everything runs here. But what bears another mark is not seen, as on another host, and
        # what has a session of its own goes on when the launcher is ended.
        elsewhere = f"#{host}" if host != hosts[0] else ""
        mark = os.environ.get("STUDY_RUN_ID", "?")
        if host == os.environ.get("FAKE_UNREACHED") and mark.endswith("+"):
            print(f"no way to {host}", file=sys.stderr)
            return 7
        own = {"PMI_RANK": str(rank), "PMI_SIZE": str(ranks), "FAKE_PLACES": json.dumps(hosts)}
        words = [word + elsewhere if word + "+" == mark else word for word in arguments]
        own["STUDY_RUN_ID"] = mark + elsewhere
        away = bool(elsewhere)
        child = subprocess.Popen(words, env={**os.environ, **own}, start_new_session=away)
        children.append(child)
        mine += [] if away else [child]

    def end(*_: object) -> None:
        for child in mine:
            child.kill()
        os._exit(1)

    signal.signal(signal.SIGTERM, end)
    return max(abs(child.wait()) for child in children)


def program(name: str, arguments: list[str]) -> int:
    ranks = int(os.environ["PMI_SIZE"])
    if name == "identify":
        print(json.dumps({"mpi": "4.1", "ranks": ranks, "text": "MPICH Version:\t9.9\n"}))
        return 0
    if os.environ.get("FAKE_FAILS") == name:
        print("nothing works today", file=sys.stderr)
        return 3
    time.sleep(float(os.environ.get("FAKE_SECONDS", "0")))
    hosts = json.loads(os.environ["FAKE_PLACES"])
    cpus = os.environ.get("FAKE_CPUS", "0-3")
    usable = int(os.environ.get("FAKE_USABLE", "4"))
    places = [
        {"rank": i, "host": host, "cpus": cpus, "usable": usable} for i, host in enumerate(hosts)
    ]
    print(json.dumps({"placement": places}))
    sizes = arguments[arguments.index("--sizes") + 1].split(",") if "--sizes" in arguments else [0]
    for size in map(int, sizes):
        values = [1.0 + size / 100, 1.5 + size / 100, 1.2 + size / 100]
        row = {"bench": name, "bytes": size}
        print(json.dumps({**row, "metric": "time_us", "clock": "local", "values": values}))
        print(json.dumps({**row, "median_us": values[2], "mb_per_s": 7.0}))
    return 0


if __name__ == "__main__":
    called = Path(sys.argv[0]).name
    if sys.argv[1:2] == ["program"]:
        sys.exit(program(sys.argv[2], sys.argv[3:]))
    if called == "mpicc":
        sys.exit(mpicc(sys.argv[1:]))
    if called == "mpiexec":
        sys.exit(mpiexec(sys.argv[1:]))
