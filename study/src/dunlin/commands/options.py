"""Options that several commands take alike."""

from pathlib import Path
from typing import Annotated

import typer

from dunlin.anomalies import Limits

BITS = 8
MBPS_PER_GBPS = 1000.0

StudyDirectory = Annotated[Path, typer.Argument(help="The study's directory.")]
WireGbps = Annotated[float | None, typer.Option(help="What one node's network carries, in Gbit/s.")]
MemoryGbs = Annotated[float | None, typer.Option(help="What one node's memory carries, in GB/s.")]


def limits(wire_gbps: float | None, memory_gbs: float | None) -> Limits:
    """From the units people use: gigabits of a network, gigabytes of memory."""
    return Limits(
        wire_gbps * MBPS_PER_GBPS / BITS if wire_gbps else None,
        memory_gbs * MBPS_PER_GBPS if memory_gbs else None,
    )


def given(context: typer.Context) -> list[tuple[str, str]]:
    """What stands on the command line: names of parameters, and how they are written."""
    return [
        (parameter.name, max(parameter.opts, key=len))
        for parameter in context.command.params
        if parameter.name is not None
        and (source := context.get_parameter_source(parameter.name)) is not None
        and source.name == "COMMANDLINE"
    ]
