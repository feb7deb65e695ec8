"""A rank that cannot reach its launcher prints one sentence, with a remedy; docs/launchers.md
quotes each of them."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from dunlin import checkout, programs
from tests import unless

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "launchers.md"
PREFIX_MISSING = None if (checkout.PREFIX / "bin" / "mpicc").exists() else "make build comes first"
PATIENCE_S = 30
# Variables by which launchers are known: none of the surrounding job's may be there.
TRACES = re.compile("PMI|SLURM|OMPI_|MPI_LOCAL|PALS_|DUNLIN_")
# By the name of a test: variables, and what runs between launcher and rank.
CASES = {
    "srun without a protocol": ({"SLURM_STEP_NUM_TASKS": "4", "SLURM_PROCID": "2"}, []),
    "PMI without a way": ({"PMI_SIZE": "2", "PMI_RANK": "0"}, []),
    "Hydra without PMI": ({"MPI_LOCALNRANKS": "2", "MPI_LOCALRANKID": "1"}, []),
    "Open MPI without PMIx": ({"OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "0"}, []),
    "PALS without a protocol": ({"PALS_SIZE": "2", "PALS_RANKID": "0"}, []),
    "PMI in part": ({"PMI_FD": "9"}, []),
    "a descriptor that is closed": ({"PMI_FD": "9", "PMI_RANK": "0", "PMI_SIZE": "2"}, []),
    "a descriptor that is something else": (
        {"PMI_FD": "9", "PMI_RANK": "0", "PMI_SIZE": "2"},
        ["sh", "-c", 'exec 9</dev/null "$0"']),
    "a port without a launcher": ({"PMI_PORT": "127.0.0.1:1", "PMI_ID": "0"}, []),
    "PMIx without its library": (
        {"PMIX_NAMESPACE": "job", "PMIX_RANK": "0", "DUNLIN_LIBPMIX": "/nowhere/libpmix.so"}, []),
    "PMIx that was asked for": ({"DUNLIN_PMI": "pmix"}, []),
    "PMI that was asked for": ({"DUNLIN_PMI": "pmi2"}, []),
    "PMI-2 where there is PMI-1": (
        {"DUNLIN_PMI": "pmi2", "PMI_PORT": "127.0.0.1:1", "PMI_ID": "0"}, []),
}


def plain(text: str) -> str:
    """In one line, without the marks of a table's code."""
    return " ".join(text.replace("`", "").split())


@unless(PREFIX_MISSING)
class Sentences(unittest.TestCase):
    def test_each_is_said_and_quoted(self):
        page = plain(PAGE.read_text())
        clean = {name: value for name, value in os.environ.items() if not TRACES.match(name)}
        with tempfile.TemporaryDirectory() as directory:
            source = ROOT / "tests" / "c" / "ring.c"
            program = programs.compiled(source, checkout.dunlin(), Path(directory))
            for name, (variables, between) in CASES.items():
                with self.subTest(name):
                    done = subprocess.run([*between, program], env={**clean, **variables},
                                          capture_output=True, text=True, timeout=PATIENCE_S,
                                          check=False)
                    said = done.stderr.splitlines()
                    self.assertNotEqual(done.returncode, 0)
                    self.assertEqual((done.stdout, len(said)), ("", 1), done.stderr)
                    sentence = said[0].removeprefix("dunlin: MPI_Init: ").rsplit(" (MPI_ERR_", 1)[0]
                    self.assertIn(plain(sentence), page)
