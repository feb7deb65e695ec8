"""Brings the C benchmark programs, which live beside this package in `bench/`, into what is built,
so that an installed `dunlin` can compile them on the machine it measures."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PROGRAMS = "dunlin/programs"


class ProgramsHook(BuildHookInterface):  # type: ignore[type-arg]
    """A source archive carries them inside the package already; a checkout has them outside."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds each source file to the archive that is about to be made."""
        # An editable install finds them where they are.
        if version == "editable":
            return
        inside = f"src/{PROGRAMS}" if self.target_name == "sdist" else PROGRAMS
        bench = Path(self.root).parent / "bench"
        for source in sorted([*bench.glob("*.[ch]"), *bench.glob("*.f90")]):
            build_data["force_include"][str(source)] = f"{inside}/{source.name}"
