"""Names in the sources are the field's terms (docs/glossary.md): words that it replaced stay away,
in identifiers and in names of files. A word counts as a part of a name: `lane` is found in
`send_lane` and `LANES_MAX`, not in `plane`."""

import re
import unittest
from pathlib import Path

from tests.style import rules

ROOT = Path(__file__).resolve().parents[2]

# A word of our own, the term to use instead, and, where the word means something else elsewhere,
# the folders in which it does not come back.
REPLACED = [
    ("letterbox", "fast box", ""),
    ("stand_in", "CMA target", "crates/shm/"),
    ("chaos", "fault injection", "crates/"),
    ("lane", "connection", "crates/"),
    ("ground", "interface configuration", "crates/"),
    ("spot", "remote key", "crates/"),
    ("beacon", "keep-alive", "crates/"),
    ("lamp", "keep-alive", "crates/"),
    ("bell", "wake-up", "crates/"),
    ("nap", "sleep", "crates/"),
    ("landing", "inbound transfer", "crates/"),
    ("landed", "completed", "crates/engine/src/"),
    ("outlook", "dry run", "crates/"),
    ("starter", "process manager, bootstrap command", "crates/"),
    ("lent", "single copy, exposed", "crates/"),
    ("lend", "expose", "crates/"),
    ("lends", "single copy", "crates/"),
    ("two_level_posted", "two_level_cico", ""),
    ("crowded", "oversubscribed", "crates/"),
    ("joint_copy", "cooperative copy", "crates/"),
    ("last_words", "abort message", "crates/"),
    ("taker", "packet handler", "crates/"),
    ("parcels", "peer blocks", "crates/coll/"),
    ("pull", "CTS", "crates/wire/src/"),
    ("offer", "RTS, provider", "crates/wire/src/"),
    ("strangers", "unauthenticated", "crates/fabric/"),
    ("meeting", "operation context", "crates/engine/"),
    ("recipe", "schedule", "crates/engine/"),
    ("board", "collective segment", "crates/"),
    ("slab", "bounce buffer", "crates/shm/"),
]
NOT_CODE = {
    ".rs": re.compile(r'//[^\n]*|"(?:\\.|[^"\\])*"'),
    ".c": re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL),
    ".h": re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL),
    ".py": re.compile(r'#[^\n]*|""".*?"""|"(?:\\.|[^"\\\n])*"', re.DOTALL),
}
NAME = re.compile(r"[A-Za-z_]\w*")
HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def snake(name: str) -> str:
    """A name in lower case with underscores."""
    return HUMP.sub("_", name).lower()


def found_in(name: str, word: str) -> bool:
    """Whether the word, or its plural, is a part of the name."""
    return re.search(rf"(?:^|_){word}s?(?:_|$)", snake(name)) is not None


def without_texts(suffix: str, source: str) -> str:
    """The source without comments and strings; lines keep their numbers."""
    return NOT_CODE[suffix].sub(lambda m: "\n" * m.group().count("\n"), source)


def replaced_words(tree: rules.Tree) -> list[rules.Broken]:
    """Names that use a word which the glossary has replaced."""
    broken = []
    for path in tree.with_suffix(NOT_CODE):
        words = [(word, term) for word, term, where in REPLACED if path.startswith(where)]
        if path.startswith("tests/style/"):
            continue
        for word, term in words:
            if found_in(Path(path).stem, word):
                broken.append(rules.Broken(path, 1, f"'{word}' in its name: say {term}"))
        for number, line in enumerate(
                without_texts(Path(path).suffix, tree.read(path)).splitlines(), 1):
            for name in set(NAME.findall(line)):
                for word, term in words:
                    if found_in(name, word):
                        broken.append(rules.Broken(path, number, f"{name}: say {term}"))
    return broken


class Vocabulary(unittest.TestCase):
    """The tree, and names that must and must not be found."""

    def test_names_use_the_terms_of_the_glossary(self):
        """No name has a word that was replaced."""
        broken = replaced_words(rules.Tree(ROOT))
        if broken:
            self.fail("\n".join(["", *map(str, broken)]))

    def test_a_word_is_found_as_a_part_of_a_name_alone(self):
        """In each of the three styles, and its plural."""
        for name in ("send_lane", "LANES_MAX", "OpenLane", "lanes"):
            self.assertTrue(found_in(name, "lane"), name)
        for name in ("plane", "laned", "misplanes"):
            self.assertFalse(found_in(name, "lane"), name)
