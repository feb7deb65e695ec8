r"""The stand-in for a device of Amazon's: builds the provider that libfabric loads, and makes the
directory in which devices are listed. As a program it runs a command where the device is there,
and says what that has counted; such as MPICH's tests of windows, on two hosts, by remote transfers
alone:

    DUNLIN_RMA_REMOTE_MIN=1 python -m tests.efa.standin python -m tests.peer_suites.mpich rma \
        --mpirun-args "--rsh $PWD/tests/rsh_here -host 127.0.0.1:16,127.0.0.2:16 --map-by node"
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
HEADER = Path("/usr/include/rdma/fabric.h")
DEVICE = "rdmap0s6"
# What libfabric calls a library with a provider: lib*-fi.so.
LIBRARY = "libefastandin-fi.so"


def obstacle() -> str | None:
    """Why there is none here."""
    if not HEADER.exists():
        return "libfabric's headers are not installed (libfabric-dev)"
    return None if shutil.which("cc") else "there is no C compiler"


class Device:
    """A device in a directory of its own."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.counters = directory / "class" / DEVICE / "ports" / "1" / "hw_counters"
        self.counters.mkdir(parents=True)
        provider = directory / "provider"
        provider.mkdir()
        sources = sorted(HERE.glob("*.c"))
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-g", "-Wall", "-Wextra", "-Werror", "-o",
                        provider / LIBRARY, *sources, "-lpthread"], check=True)

    def environment(self, faults: str = "") -> dict[str, str]:
        """The variables of processes that have it; `faults` as in device.h, such as `queue=3`."""
        return {
            "EFA_STANDIN": f"dir={self.directory}" + (f",{faults}" if faults else ""),
            "FI_PROVIDER_PATH": str(self.directory / "provider"),
            "DUNLIN_NET_DEVICES": str(self.directory / "class"),
        }

    def counted(self, name: str) -> int:
        """What the device has counted of the endpoints that were closed."""
        file = self.counters / name
        return int(file.read_text()) if file.exists() else 0


def main() -> int:
    with tempfile.TemporaryDirectory() as directory:
        device = Device(Path(directory))
        environment = {**os.environ, "DUNLIN_NET_INTERFACE": "lo", **device.environment()}
        status = subprocess.run(sys.argv[1:], env=environment, check=False).returncode
        counted = (f"{file.name} {file.read_text().strip()}"
                   for file in sorted(device.counters.iterdir()))
        print(f"the device has counted: {', '.join(counted)}")
    return status


if __name__ == "__main__":
    sys.exit(main())
