"""A model of this machine as it is measured: of a node, and of the network between two."""

import platform
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from dunlin import calibration, network_calibration
from dunlin.calibration import Repeated, Value
from dunlin.hosts import Hosts
from dunlin.libraries import Library


def measure(
    library: Library,
    between: Library | None,
    directory: Path,
    cpus: list[int],
    rounds: int,
    tell: Callable[[str, int], None] = lambda _part, _times: None,
    repeated: Repeated = lambda run: run(),
) -> tuple[dict[str, Value], str]:
    """The values of a model, and its file. Where `between` starts ranks on two hosts, it has a
    network. `tell` hears what is measured now, and which round it is. `repeated` may do a launch
    on this node several times."""
    alone = Hosts().library(library, 1)
    caches, description = calibration.caches(len(cpus)), f"{platform.node()}, measured"
    nodes, networks = [], []
    if between:
        fabric = network_calibration.fabric_of(between)
        if shared := network_calibration.share_cores(between):
            yields = network_calibration.YIELDS
            between = replace(between, environment={**between.environment, **yields})
    for times in range(1, rounds + 1):
        tell("this node", times)
        nodes.append(
            calibration.node(calibration.measure(alone, directory, cpus, repeated), caches)
        )
        if between:
            tell("the network", times)
            measured = network_calibration.measure(between, directory, cpus, shared)
            networks.append(network_calibration.values(measured, fabric))
    node = calibration.combined(nodes)
    if not between:
        return node, calibration.text(description, len(cpus), node)
    network = calibration.combined(networks)
    both = node | network
    text = calibration.text(description, len(cpus), {key: both[key] for key in node})
    return both, text + network_calibration.text(network, fabric, shared)
