"""Where the ranks of a measurement go: this node, hosts that were named, or those of a job."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dunlin.errors import DunlinError
from dunlin.libraries import Library

WORDS = ("{launcher}", "--oversubscribe", "-n", "{ranks}", "-ppn", "{ranks_per_node}")
# Within a job of several nodes, this one is alone.
ALONE = {"DUNLIN_ALLOCATION": "none"}


@dataclass(frozen=True)
class Hosts:
    """Where ranks go. Without names and outside a job: to this node."""

    names: Sequence[str] = ()
    rsh: str | None = None
    in_job: bool = False

    @property
    def here(self) -> bool:
        """Whether all ranks are on this node."""
        return not self.names and not self.in_job

    def library(self, library: Library, nodes: int) -> Library:
        """The library as it starts ranks on the first so many of them."""
        if self.here:
            return replace(library, environment={**library.environment, **ALONE})
        if self.in_job:
            return replace(library, launch=WORDS)
        reached = ["--rsh", self.rsh] if self.rsh else []
        names = ",".join(self.names[:nodes])
        return replace(library, launch=(*WORDS, "-host", names, *reached))


def asked(hosts: str | None, rsh: str | None, in_job: bool) -> Hosts:
    """By the options --hosts, --rsh and --in-job."""
    if hosts is not None and in_job:
        raise DunlinError("--hosts and --in-job both say where ranks go; give one of them")
    if hosts is None and rsh is not None:
        raise DunlinError("--rsh says how to reach --hosts; name them, too")
    names = [name.strip() for name in (hosts or "").split(",") if name.strip()]
    if hosts is not None and not names:
        raise DunlinError(f"--hosts is `{hosts}`; it must name hosts, as in a,b")
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise DunlinError(f"--hosts names {', '.join(twice)} twice; each host is one node")
    return Hosts(names, rsh, in_job)
