"""The rules of CONTRIBUTING.md that a program can check. Each rule takes a tree and returns what
breaks it; no rule changes anything."""

import json
import re
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path

from tests.style import circles, spans

FUNCTION_LINES_MAX = 70
FILE_LINES_MAX = 650
LINE_COLUMNS_MAX = 100
RATCHET = "tests/style/ratchet.json"

# An arrow (a dependency of one crate on another) only ever points down this list. `launch` stands
# above `shm`: it creates the segment and reads the waits the ranks publish there. `sim` stands
# above `coll`: it runs the algorithms. `fabric`, `wire` and `sim` have their place before they
# exist.
ORDER = [
    "abi", "engine", "sim", "coll", "datatype", "launch", "fabric", "pmi", "wire", "shm", "linkage",
    "machine", "seal", "copy", "base", "api",
]
# Programs to one side, and all they may be built on: the wrapper shares the settings' names, info
# reads and explains the tables, the choice of a network, and how ranks would be started. The
# Fortran entry points call the C functions of another library.
ASIDE = {
    "wrapper": {"base"},
    "info": {"api", "base", "coll", "fabric", "launch", "linkage", "machine", "pmi", "shm"},
    "fortran": {"api"},
}
# Algorithms, layouts and protocols are proved by tests that run them everywhere; memory safety is
# not among the things they should have to worry about.
WITHOUT_UNSAFE = ["api", "base", "coll", "datatype", "linkage", "seal", "wire", "sim"]

SOURCES = {".rs", ".c", ".h", ".py", ".sh"}
TEXTS = SOURCES | {".md", ".toml", ".txt", ".yml", ""}
FUNCTIONS_OF = {
    ".rs": spans.rust_functions,
    ".c": spans.c_functions,
    ".h": spans.c_functions,
    ".py": spans.python_functions,
}
SKIPPED = {".git", "target", "build", ".venv", "__pycache__", "bench-results", "shared"}

# The tree speaks of itself alone: no path of somebody's machine, no number of a note that readers
# cannot open. Schemes of other people's documents (https://...) are none of these.
FOREIGN = [
    (re.compile(r"(?<![\w./~$}-])/(?:work|root|home/\w+|tmp/[\w-]+)/"), "a path of one machine"),
    (re.compile(r"\bissue #?\d+", re.IGNORECASE), "a number that leads nowhere for a reader"),
]

UNSAFE = re.compile(r"\bunsafe\s*(\{|impl\b)")
PIECEMEAL = re.compile(r"\beprint(ln)?!")
# Sources of what runs inside ranks and launchers, without tests.
SPEAKS = re.compile(r"crates/(?!info/|wrapper/)\w+/src/(?!.*tests?\.rs$)")


@dataclass(frozen=True)
class Broken:
    """One place that breaks a rule."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}"


class Tree:
    """The files of a checkout, or of an unpacked archive."""

    def __init__(self, root: Path):
        self.root = root
        self.files = sorted(self._tracked() or self._walked())

    def _tracked(self) -> list[str]:
        if not (self.root / ".git").exists():
            return []
        done = subprocess.run(
            ["git", "-C", self.root, "ls-files", "--cached", "--others", "--exclude-standard"],
            capture_output=True, text=True, check=False)
        return [f for f in done.stdout.splitlines() if self._counts(f)]

    def _walked(self) -> list[str]:
        return [
            str(p.relative_to(self.root)) for p in self.root.rglob("*")
            if self._counts(str(p.relative_to(self.root)))
        ]

    def _counts(self, name: str) -> bool:
        path = Path(name)
        return not SKIPPED & set(path.parts) and (self.root / path).is_file()

    def read(self, name: str) -> str:
        """The text of a file."""
        return (self.root / name).read_text(encoding="utf-8", errors="replace")

    def with_suffix(self, suffixes) -> list[str]:
        """The files with one of these suffixes."""
        return [f for f in self.files if Path(f).suffix in suffixes]

    def manifests(self) -> dict[str, dict]:
        """The Cargo.toml of every crate, by the name of its directory."""
        paths = sorted(self.root.glob("crates/*/Cargo.toml"))
        return {p.parent.name: tomllib.loads(p.read_text()) for p in paths}


def needs(manifest: dict) -> set[str]:
    """The crates of this workspace a crate is built on; what only its tests use is free."""
    tables = [manifest, *manifest.get("target", {}).values()]
    names = {
        name for table in tables for kind in ("dependencies", "build-dependencies")
        for name in table.get(kind, {})
    }
    return {n.removeprefix("dunlin-") for n in names if n.startswith("dunlin-")}


def arrows(tree: Tree) -> list[Broken]:
    """Dependencies between crates point down, and every crate has its place."""
    broken = []
    for crate, manifest in tree.manifests().items():
        path = f"crates/{crate}/Cargo.toml"
        if crate in ASIDE:
            broken += [Broken(path, 1, f"{crate} stands aside and must not depend on {other}")
                       for other in sorted(needs(manifest) - ASIDE[crate])]
        elif crate not in ORDER:
            broken.append(Broken(path, 1, f"{crate} has no place in ORDER of tests/style/rules.py"))
        else:
            below = ORDER[ORDER.index(crate) + 1:]
            broken += [Broken(path, 1, f"the arrow {crate} -> {other} points up")
                       for other in sorted(needs(manifest)) if other not in below]
    return broken


def import_circles(tree: Tree) -> list[Broken]:
    """No modules of a crate, or of one folder in it, import one another."""
    broken = []
    for crate in tree.manifests():
        source = f"crates/{crate}/src/"
        files = {f.removeprefix(source): tree.read(f) for f in tree.with_suffix({".rs"})
                 if f.startswith(source)}
        bad = circles.of_folder(files)
        broken += [Broken(f"{source}lib.rs", 1, f"{', '.join(circle)} import one another: move "
                          "what they share into a module below them") for circle in bad]
    return broken


def unsafe_forbidden(tree: Tree) -> list[Broken]:
    """Some crates give up `unsafe` altogether."""
    return [
        Broken(f"crates/{crate}/src/lib.rs", 1, "`#![forbid(unsafe_code)]` is missing")
        for crate in tree.manifests() if crate in WITHOUT_UNSAFE
        and "#![forbid(unsafe_code)]" not in tree.read(f"crates/{crate}/src/lib.rs")
    ]


def readmes(tree: Tree) -> list[Broken]:
    """Each crate opens with a short README: purpose, may use, must not use."""
    return [Broken(f"crates/{crate}", 1, "README.md is missing") for crate in tree.manifests()
            if not (tree.root / "crates" / crate / "README.md").exists()]


def long_functions(tree: Tree) -> dict[str, Broken]:
    """Functions over the limit, by the key under which the ratchet knows them."""
    found = {}
    for name in tree.with_suffix(FUNCTIONS_OF):
        for span in FUNCTIONS_OF[Path(name).suffix](tree.read(name)):
            if span.lines > FUNCTION_LINES_MAX:
                text = f"{span.name} has {span.lines} lines; the limit is {FUNCTION_LINES_MAX}"
                found[f"{name} {span.name} {span.lines}"] = Broken(name, span.line, text)
    return found


def long_files(tree: Tree) -> dict[str, Broken]:
    """Files over the limit, by the key under which the ratchet knows them."""
    found = {}
    for name in tree.with_suffix(SOURCES):
        count = len(tree.read(name).splitlines())
        if count > FILE_LINES_MAX:
            text = f"the file has {count} lines; the limit is {FILE_LINES_MAX}"
            found[f"{name} {count}"] = Broken(name, 1, text)
    return found


def ratcheted(found: dict[str, Broken], allowed: list[str]) -> list[Broken]:
    """What is neither on the list of old exceptions nor at most as long as it was there."""
    lines_max = {key: int(lines) for key, lines in (entry.rsplit(" ", 1) for entry in allowed)}
    broken = []
    for entry, place in found.items():
        key, lines = entry.rsplit(" ", 1)
        if int(lines) > lines_max.get(key, 0):
            broken.append(place)
    return broken


def exceptions(tree: Tree) -> dict[str, list[str]]:
    """The list of old exceptions; it may only shrink."""
    path = tree.root / RATCHET
    return json.loads(path.read_text()) if path.exists() else {"functions": [], "files": []}


def function_lengths(tree: Tree) -> list[Broken]:
    """Functions fit on a screen."""
    return ratcheted(long_functions(tree), exceptions(tree)["functions"])


def file_lengths(tree: Tree) -> list[Broken]:
    """One noun per file."""
    return ratcheted(long_files(tree), exceptions(tree)["files"])


def line_lengths(tree: Tree) -> list[Broken]:
    """Two files fit beside each other on a screen."""
    return [
        Broken(name, i, f"the line has {len(line)} columns; the limit is {LINE_COLUMNS_MAX}")
        for name in tree.with_suffix(SOURCES)
        for i, line in enumerate(tree.read(name).splitlines(), 1) if len(line) > LINE_COLUMNS_MAX
    ]


def has_reason(lines: list[str], at: int) -> bool:
    """Is there a `SAFETY:` on this line or in the comment above the statement it belongs to?"""
    if "SAFETY:" in lines[at]:
        return True
    for line in reversed(lines[:at]):
        text = line.strip()
        if text.startswith("//"):
            if "SAFETY:" in text:
                return True
        elif not text.startswith("#[") and (text == "" or text[-1] in ";{}"):
            return False
    return False


def unsafe_reasons(tree: Tree) -> list[Broken]:
    """Each `unsafe` block and implementation says why it is sound."""
    broken = []
    for name in tree.with_suffix({".rs"}):
        text = tree.read(name)
        code, lines = spans.blank(text, spans.RUST_NOISE), text.splitlines()
        for match in UNSAFE.finditer(code):
            line = spans.line_of(code, match.start())
            if not has_reason(lines, line - 1):
                broken.append(Broken(name, line, "`unsafe` without a `SAFETY:` reason above it"))
    return broken


def whole_messages(tree: Tree) -> list[Broken]:
    """What ranks and launchers say on standard error is one write each (`engine/exit.rs`,
    `launch/failure.rs`): the macros write piece by piece, and a process may be killed between."""
    return [
        Broken(name, spans.line_of(code, match.start()), "a message must be one write, not eprint!")
        for name in tree.with_suffix({".rs"}) if SPEAKS.match(name)
        for code in [spans.blank(tree.read(name), spans.RUST_NOISE)]
        for match in PIECEMEAL.finditer(code)
    ]


def foreign_words(tree: Tree) -> list[Broken]:
    """The tree speaks of itself alone."""
    return [
        Broken(name, i, f"{what}: {match.group()}")
        for name in tree.with_suffix(TEXTS)
        for i, line in enumerate(tree.read(name).splitlines(), 1)
        for pattern, what in FOREIGN if (match := pattern.search(line))
    ]


ALL = [arrows, import_circles, unsafe_forbidden, readmes, function_lengths, file_lengths,
       line_lengths, unsafe_reasons, whole_messages, foreign_words]
