"""A program for other MPI libraries, which our mpirun starts: what it says, and how it is built."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import harness  # noqa: E402 (found by the line above, from wherever the test is started)
import peer_libraries  # noqa: E402

MPIRUN = harness.PREFIX / "bin" / "mpirun"
MPIRUN_MISSING = None if MPIRUN.exists() else "make build comes first"
# Each rank says how many it sees, and what it heard: of all, and around the ring. With a word as
# its argument, the last one ends in that way.
PROGRAM = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size, sum, from, near;
    MPI_Comm node;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *end = argc > 1 && rank == size - 1 ? argv[1] : "";
    if (strcmp(end, "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 42);
    if (strcmp(end, "die") == 0)
        abort();
    if (strcmp(end, "leave") == 0)
        _Exit(0);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &from, 1, MPI_INT,
                 (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &near);
    printf("%d of %d: %d, %d, %d\n", rank, size, sum, from, near);
    MPI_Comm_free(&node);
    MPI_Finalize();
    return 0;
}
"""


def said(ranks: int, near: int) -> list[str]:
    """What the program prints, `near` ranks being on each host."""
    total = ranks * (ranks - 1) // 2
    return [f"{r} of {ranks}: {total}, {(r - 1) % ranks}, {near}" for r in range(ranks)]


class Foreign:
    """The program built for a library; each test case of it is one of these."""

    peer = ""

    @classmethod
    def setUpClass(cls):
        try:
            at = peer_libraries.install(cls.peer)
        except (subprocess.CalledProcessError, OSError) as error:
            raise unittest.SkipTest(f"{cls.peer}'s wheel could not be fetched") from error
        directory = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        source = directory / "foreign.c"
        source.write_text(PROGRAM)
        cls.program = peer_libraries.peer(cls.peer).compile(source, directory)
        cls.environment = dict(os.environ)
        if cls.peer == "intel":
            # Without the script that its users source, it does not find its own libfabric.
            libraries = str(at.parent / "lib")
            cls.environment |= {"I_MPI_ROOT": str(at.parent), "LD_LIBRARY_PATH": libraries,
                                "FI_PROVIDER_PATH": libraries}
