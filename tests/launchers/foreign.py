"""A program for other MPI libraries, started by our mpirun: what it prints, and how it is built."""

import os
import tempfile
import unittest
from pathlib import Path

from dunlin import checkout, programs
from dunlin.errors import DunlinError
from dunlin.libraries import Library
from dunlin.peers import libraries

MPIRUN = checkout.PREFIX / "bin" / "mpirun"
MPIRUN_MISSING = None if MPIRUN.exists() else "make build comes first"
# Each rank says how many it sees, and what it heard: of all, and around the ring; and with the word
# `library`, whose it is; with `until`, once there is a file. With another word as its argument, the
# last one ends in that way.
PROGRAM = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size, sum, from, near;
    MPI_Comm node;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1 && strcmp(argv[1], "library") == 0) {
        char name[MPI_MAX_LIBRARY_VERSION_STRING];
        MPI_Get_library_version(name, &sum);
        printf("%.6s\n", name);
    }
    if (argc > 2 && strcmp(argv[1], "until") == 0)
        while (access(argv[2], F_OK) != 0)
            usleep(10000);
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


def wheel(peer: str) -> Library:
    """A library from PyPI; where it cannot be had, the test is left out."""
    try:
        return libraries.peer(peer)
    except DunlinError as error:
        raise unittest.SkipTest(str(error)) from error


class Foreign(unittest.TestCase):
    """The program built for a library; each test case of it is one of these."""

    __test__ = False  # but those made from it
    peer = ""
    program: Path
    environment: dict[str, str]

    @classmethod
    def setUpClass(cls):
        library = wheel(cls.peer)
        directory = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        source = directory / "foreign.c"
        source.write_text(PROGRAM)
        cls.program = programs.compiled(source, library, directory)
        # With its own library, though Dunlin has one in its place.
        cls.environment = {**os.environ, "DUNLIN_ABI": "none"}
        if cls.peer == "intel":
            # Without the script that its users source, it does not find its own libfabric.
            at = str(library.prefix / "lib")
            cls.environment |= {**library.environment, "LD_LIBRARY_PATH": at,
                                "FI_PROVIDER_PATH": at}
