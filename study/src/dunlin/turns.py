"""Whose turn it is: what is compared is measured right after one another, so that whatever else the
machine does falls on all alike, and in another order each time, so that nobody is always first."""

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def in_turns(groups: Iterable[Sequence[T]], seed: str) -> Iterator[T]:
    """One round: the groups in random order, and the members of each in random order."""
    generator = random.Random(seed)
    shuffled = list(groups)
    generator.shuffle(shuffled)
    for group in shuffled:
        yield from generator.sample(group, len(group))
