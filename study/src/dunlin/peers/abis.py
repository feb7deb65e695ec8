"""`make bench-abis`: 8-byte messages and sums through the ABIs of MPICH and Open MPI beside the
same calls through the standard's, by the same two processes in turns (`abi_vs_standard.c`)."""

from dataclasses import replace
from pathlib import Path

from dunlin import checkout, execution, programs
from dunlin.cli import told
from dunlin.libraries import Library
from dunlin.peers import libraries, ratios

NAME = "abi_vs_standard"
# The libraries that programs of each ask for, below PREFIX/lib.
FAMILIES = {"mpich": "mpich", "openmpi": "openmpi"}


def build(dunlin: Library, peer: Library, directory: Path) -> Path:
    """The program, made by a peer's wrapper, with the part for the standard ABI made by ours."""
    sources = programs.sources()
    directory.mkdir(parents=True, exist_ok=True)
    part, program = directory / f"{NAME}.o", directory / NAME
    execution.call([dunlin.mpicc, *programs.OPTIONS, "-c", "-o", part,
                    sources / f"{NAME}_part.c"])
    words = [peer.mpicc, *programs.OPTIONS, "-o", program, sources / f"{NAME}.c", part, "-ldl"]
    execution.call(words, peer.environment)
    return program


def main() -> None:
    """A table for each ABI."""
    options = ratios.options(__doc__)
    prefix = options.prefix.resolve()
    dunlin = checkout.dunlin(prefix)
    for name, folder in FAMILIES.items():
        program = build(dunlin, libraries.peer(name), checkout.BUILT / f"abi-{name}")
        path = {"LD_LIBRARY_PATH": str(prefix / "lib" / folder)}
        print(f"ABI of {name}")
        library = replace(dunlin, environment=dict(dunlin.environment) | path)
        ratios.show(library, program, options.launches, "Abi", "Standard")


if __name__ == "__main__":
    told(main)
