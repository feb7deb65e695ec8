"""The stall report names the holder of a lock, on whichever host those are that wait for it."""

import os
import re
import signal
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path

from dunlin import checkout, programs
from tests import unless

ROOT = Path(__file__).resolve().parents[2]
PREFIX_MISSING = None if (checkout.PREFIX / "bin" / "mpicc").exists() else "make build comes first"
PATIENCE_S = 60
RANKS, TARGET = 4, 3
# Ranks 0 and 1 are on one host, 2 and 3 on the other. A lock of another host is taken with the
# first message after it.
FUNCTION = {0: "MPI_Win_unlock", 1: "MPI_Win_unlock", 2: "MPI_Win_lock"}
SETTINGS = {"DUNLIN_NET_FABRIC": "udp", "DUNLIN_NET_INTERFACE": "lo"}


@unless(PREFIX_MISSING)
class Stalls(unittest.TestCase):
    def test_whoever_waits_for_a_lock_hears_who_holds_it(self):
        with tempfile.TemporaryDirectory() as directory:
            source = ROOT / "tests" / "c" / "window_held.c"
            program = programs.compiled(source, checkout.dunlin(), Path(directory))
            for holder, mode in [(1, "auto"), (2, "auto"), (1, "messages"), (2, "messages")]:
                with self.subTest(holder=holder, mode=mode):
                    self.check(program, holder, mode)

    def check(self, program: Path, holder: int, mode: str):
        missing = {(rank, FUNCTION[rank]) for rank in FUNCTION if rank != holder}
        line_of_report = re.compile(
            rf"ranks? (\d)(?:-(\d))?: waits in (\w+) on window \d+ \(table\) for rank {TARGET}, "
            rf"held by rank {holder}, for \d+ s")
        mpirun: list[str | Path] = [
            checkout.PREFIX / "bin" / "mpirun", "--rsh", ROOT / "tests" / "rsh_here",
            "-host", "127.0.0.1:2,127.0.0.2:2", "--stall-report", "1", "-n", str(RANKS)]
        job = subprocess.Popen([*mpirun, program, str(holder)], stderr=subprocess.PIPE, text=True,
                               env={**os.environ, **SETTINGS, "DUNLIN_RMA": mode},
                               start_new_session=True)
        late = threading.Timer(PATIENCE_S, os.killpg, (job.pid, signal.SIGTERM))
        late.start()
        assert job.stderr
        said = []
        for line in job.stderr:
            said.append(line)
            if found := line_of_report.search(line):
                first, last, function = found.groups()
                ranks = range(int(first), int(last or first) + 1)
                missing -= {(rank, function) for rank in ranks}
            if not missing:
                break
        late.cancel()
        job.terminate()
        job.communicate()
        self.assertFalse(missing, "".join(said))


if __name__ == "__main__":
    unittest.main()
