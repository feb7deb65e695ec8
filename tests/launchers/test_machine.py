"""Which table of algorithms the ranks of a job use, where hosts differ."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from dunlin import checkout, programs

HERE = Path(__file__).parent
HOSTS = ["127.0.0.2", "127.0.0.3"]
PATIENCE_S = 60


def packets_of_each(directory: Path, hpc7g: str, machine: str) -> list[int]:
    """That rank 1 sends for each broadcast and barrier."""
    program = programs.compiled(HERE / "machine.c", checkout.dunlin(), directory)
    command: list[str | Path] = [
        checkout.PREFIX / "bin" / "mpirun", "--rsh", HERE / "rsh_to_hpc7g",
        "-host", ",".join(HOSTS), "-n", "2", program]  # fmt: skip
    environment = {
        "HPC7G": hpc7g, "DUNLIN_MACHINE": machine, "DUNLIN_NET_REPORT": "end",
        "DUNLIN_NET_INTERFACE": "lo", "DUNLIN_NET_FABRIC": "tcp",
    }  # fmt: skip
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True,
                          timeout=PATIENCE_S, check=True)  # fmt: skip
    sent = re.findall(r"rank 1: tcp: packets sent (\d+)", done.stderr)
    return [int(count) // 100 for count in sent]


@pytest.mark.root
@pytest.mark.skipif(not (checkout.PREFIX / "bin").exists(), reason="make build comes first")
@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="both hosts are this one: 2 ranks, 2 cores")
def test_the_host_of_rank_0_decides_for_all_ranks_unless_the_user_does(tmp_path: Path) -> None:
    segments = packets_of_each(tmp_path, "", "hpc7g")
    whole = packets_of_each(tmp_path, "", "none")
    assert segments != whole, "tables/hpc7g.toml chooses as the built-in rules: change machine.c"
    for hpc7g, machine, expected in [
        (HOSTS[0], "", segments),
        # The other host alone would have the table.
        (HOSTS[1], "", whole),
        (HOSTS[0], "none", whole),
        ("", "epyc-2core", whole),
    ]:
        assert packets_of_each(tmp_path, hpc7g, machine) == expected, (hpc7g, machine)
