"""The tree keeps its own rules: one test per rule. `python3 -m tests.style.test_tree --tighten`
rewrites the list of old exceptions, which may only shrink."""

import json
import sys
import unittest
from pathlib import Path

from tests.style import rules

ROOT = Path(__file__).resolve().parents[2]


class TheTree(unittest.TestCase):
    """One method per rule, added below."""


def method_of(rule):
    """A test method that fails with every place that breaks the rule."""
    def method(self):
        broken = rule(rules.Tree(ROOT))
        if broken:
            self.fail("\n".join(["", *map(str, broken)]))
    method.__doc__ = rule.__doc__
    return method


for each in rules.ALL:
    setattr(TheTree, f"test_{each.__name__}", method_of(each))


def shrunk(found: dict, allowed: list[str]) -> list[str]:
    """The old exceptions that are still needed, at no more than they were."""
    known = {entry.rsplit(" ", 1)[0]: int(entry.rsplit(" ", 1)[1]) for entry in allowed}
    now = {entry.rsplit(" ", 1)[0]: int(entry.rsplit(" ", 1)[1]) for entry in found}
    return sorted(f"{key} {min(now[key], lines)}" for key, lines in known.items() if key in now)


def tighten() -> None:
    """Writes the list anew, without what has been mended."""
    tree = rules.Tree(ROOT)
    old = rules.exceptions(tree)
    new = {
        "functions": shrunk(rules.long_functions(tree), old["functions"]),
        "files": shrunk(rules.long_files(tree), old["files"]),
    }
    (ROOT / rules.RATCHET).write_text(json.dumps(new, indent=2) + "\n")


if __name__ == "__main__":
    if sys.argv[1:] != ["--tighten"]:
        sys.exit(__doc__)
    tighten()
