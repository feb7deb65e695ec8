"""Work on every node of a launch, done by the launcher that started it there: no other way onto a
node is sure to be open."""

import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from dunlin import execution, libraries, stacks
from dunlin.errors import DunlinError
from dunlin.libraries import Library, Place

# To reach all nodes; looking at the stacks comes on top of it.
REACH_TIMEOUT_S = 60.0
DETAIL_CHARACTERS = 200
# Slurm starts nothing beside a step that has all cores, unless it is told that they are shared.
BESIDE = {"SLURM_OVERLAP": "1"}


class Nodes:
    """The nodes of one launch. `environment` and `options` are what the launch itself has."""

    def __init__(
        self, library: Library, place: Place, environment: Mapping[str, str],
        options: list[str], mark: str,
    ):  # fmt: skip
        self.library, self.options, self.mark = library, options, mark
        self.place = replace(place, ranks_per_node=1)
        self.environment = environment

    def stacks(self, program: Path, directory: Path) -> tuple[dict[str, str], str | None]:
        """Of all ranks that were reached, and else why not. The directory is one that all nodes
        see: what launchers print of several nodes may be mixed up."""
        if self.place.nodes == 1:
            return stacks.here(self.mark, program), None
        with tempfile.TemporaryDirectory(prefix=".stacks-", dir=directory) as at:
            words = ["dunlin.stacks", self.mark, str(program), at]
            fault = self._do(words, REACH_TIMEOUT_S + stacks.ALL_TIMEOUT_S)
            found = stacks.left_in(Path(at))
        return {**stacks.here(self.mark, program), **found} if fault else found, fault

    def end_leftovers(self) -> None:
        """Ends ranks on other nodes that a launcher left behind when it was ended itself."""
        if self.place.nodes > 1:
            self._do(["dunlin.watchdog", self.mark], REACH_TIMEOUT_S)

    def _do(self, module: list[str], timeout_s: float) -> str | None:
        """Runs a module of ours once on each node; returns what went wrong, in a sentence."""
        # Not the mark of the launch: what bears that one is looked at, and ended.
        mark = f"{self.mark}+"
        environment = {**self.environment, **BESIDE}
        with tempfile.TemporaryDirectory(prefix="dunlin-") as at:
            hostfile = Path(at) / "hosts" if self.place.hosts else None
            if hostfile:
                libraries.write_hostfile(self.library, self.place, hostfile)
            words = libraries.launcher_words(self.library, self.place, hostfile)
            command = [*words, *self.options, sys.executable, "-m", *module]
            try:
                ended = execution.execute(command, environment, timeout_s, mark=mark, together=True)
            except DunlinError as error:
                return str(error)
        if (code := ended.exit_code) == 0:
            return None
        said = ended.detail[-DETAIL_CHARACTERS:]
        how = f"did not end within {timeout_s:g} s" if code is None else f"ended with {code}"
        return f"`{words[0]}` {how} when it was to look at every node: {said or 'it said nothing'}"
