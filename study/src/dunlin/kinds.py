"""What sort of thing a benchmark is, told by its name and, where nobody knows the name, by whether
it was measured over sizes: a program of the study's own, say an application, has none."""

from collections.abc import Iterable
from typing import Literal

from dunlin.benchmarks import COLLECTIVES

Kind = Literal["point-to-point", "collective", "start-up", "memory", "program"]

# In the order in which a page shows them. The one-sided ones are OSU's.
POINT_TO_POINT = (
    "latency", "multi_latency", "latency_threads", "bandwidth", "bibandwidth", "message_rate",
    "ring", "put", "get", "put_bandwidth", "put_bibandwidth", "get_bandwidth", "accumulate",
    "get_accumulate", "fetch_and_op", "compare_and_swap",
)  # fmt: skip
SINGLE: dict[str, Kind] = {"startup": "start-up", "memory": "memory"}
OPERATIONS = frozenset({*COLLECTIVES, "alltoallw", "neighbor_alltoallw"})


def operation(benchmark: str) -> str:
    """The collective behind a name: `allreduce` of `iallreduce` and `allreduce_persistent`; the
    name itself where it is none."""
    name = benchmark.removesuffix("_persistent")
    blocking = name.removeprefix("i")
    return blocking if blocking in OPERATIONS else name


def kind_of(benchmark: str, sizes: Iterable[int]) -> Kind:
    """Of one benchmark that was measured at these sizes."""
    if benchmark in SINGLE:
        return SINGLE[benchmark]
    if benchmark in POINT_TO_POINT:
        return "point-to-point"
    if operation(benchmark) in OPERATIONS or set(sizes) != {0}:
        return "collective"
    return "program"
