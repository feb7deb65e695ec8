#!/usr/bin/env python3
"""In how many rounds a receiver waits for its sender's next call, over every fabric, over healthy
links and over links that lose packets: `departures.c` on two hosts, as root."""

import argparse
import contextlib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from dunlin import checkout, programs
from tests.cluster import cluster, faults
from tests.cluster.cluster import RSH, Cluster

HERE = Path(__file__).resolve().parent
BUILT = checkout.ROOT / "build" / "cluster-tests"
KINDS = ["300x1000", "10x20000", "50x60000", "late-50x20000", "bcast-300x8", "bsend-1x1000000",
         "freed-1x1000000", "first-1x8", "first-1x20000"]
FABRICS = ["auto", "udp", "tcp", "ofi:tcp", "ofi:udp"]
PER_MILLE_LOST = 20
# Receivers of which each gets the sender's first message.
RECEIVERS_OF_FIRST = 10
PATIENCE_S = 300


def waited(net: Cluster, fabric: str, kind: str, rounds: int, seconds: float,
           prefix: Path = checkout.PREFIX) -> tuple[int, int]:
    """In how many rounds of how many a receiver waited."""
    mpi = checkout.dunlin(prefix)
    program = programs.compiled(HERE / "departures.c", mpi, BUILT)
    receivers = RECEIVERS_OF_FIRST if kind.startswith("first") else 1
    first, second = net.names
    with tempfile.TemporaryDirectory() as directory:
        line = [mpi.launcher, "--rsh", RSH, "-host", f"{first}:1,{second}:{receivers}",
                "-n", 1 + receivers, program, Path(directory) / "arrived", kind, rounds, seconds]
        done = subprocess.run(net.hosts[0].command(*line), text=True, capture_output=True,
                              env={**os.environ, "DUNLIN_NET_FABRIC": fabric}, check=False,
                              timeout=PATIENCE_S)
    said = re.fullmatch(rf"{re.escape(kind)}: waited in (\d+) of (\d+)\n", done.stdout)
    if done.returncode != 0 or not said:
        raise AssertionError(f"{fabric}, {kind}: {done.returncode}, {done.stdout}{done.stderr}")
    return int(said[1]), int(said[2])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prefix", type=Path, default=checkout.PREFIX)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=0.5, help="computed at most in a round")
    parser.add_argument("-k", metavar="TEXT", default="", help="only kinds that contain TEXT")
    parser.add_argument("--fabrics", nargs="+", default=FABRICS)
    options = parser.parse_args()
    if why := cluster.obstacle("nft"):
        sys.exit(why)
    with Cluster() as net:
        for lost in (0, PER_MILLE_LOST):
            for fabric in options.fabrics:
                with faults.loss(net, lost) if lost else contextlib.nullcontext():
                    for kind in (kind for kind in KINDS if options.k in kind):
                        n, of = waited(net, fabric, kind, options.rounds, options.seconds,
                                       options.prefix)
                        print(f"{fabric:8} lost {lost / 10} %  {kind:16} {n:3} of {of}",
                              flush=True)


if __name__ == "__main__":
    main()
