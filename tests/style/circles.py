"""Which modules of a crate import one another in circles."""

import re
from pathlib import PurePath

TESTS = re.compile(r"#\[cfg\(test\)\]\s*(#\[path[^\n]*\]\s*)?mod tests\b.*", re.DOTALL)


def imported(code: str, below: str) -> set[str]:
    """The modules of `below` (`crate`, `crate::a`, `super`) that code names: `crate::a::B`, `use
    crate::{a, b::C}`."""
    path = re.escape(below)
    words = set(re.findall(rf"(?<!super::)\b{path}::(\w+)", code))
    for group in re.findall(rf"(?<!super::)\b{path}::\{{([^;]*)\}};", code):
        words |= set(re.findall(r"(?:^|,)\s*(\w+)", group))
    return words


def modules_of(files: dict[str, str], below: str = "crate") -> dict[str, set[str]]:
    """What each module of a crate, or of a module `below`, imports of its neighbours, from their
    files (path in the folder of `below`, text)."""
    names = {PurePath(path).parts[0].removesuffix(".rs") for path in files}
    imports: dict[str, set[str]] = {name: set() for name in names}
    for path, text in files.items():
        parts = PurePath(path).parts
        name = parts[0].removesuffix(".rs")
        if path.endswith("tests.rs") or name in ("lib", "main", "mod"):
            continue
        code = "\n".join(line.split("//")[0] for line in TESTS.sub("", text).splitlines())
        words = imported(code, below)
        if len(parts) == 1:
            words |= imported(code, "super")
        imports[name] |= (words & names) - {name}
    return imports


def folders(files: dict[str, str]) -> dict[str, dict[str, str]]:
    """The files of each folder, by their paths in it."""
    found: dict[str, dict[str, str]] = {}
    for path, text in files.items():
        if len(PurePath(path).parts) > 1:
            folder = PurePath(path).parts[0]
            found.setdefault(folder, {})[path.removeprefix(f"{folder}/")] = text
    return found


def circles(imports: dict[str, set[str]]) -> list[list[str]]:
    """Sets of modules each of which reaches every other, larger than one."""
    reach = {name: set(after) for name, after in imports.items()}
    for middle in imports:
        for name in imports:
            if middle in reach[name]:
                reach[name] |= reach[middle]
    found = {
        tuple(sorted(other for other in reach[name] if name in reach[other]))
        for name in imports if name in reach[name]
    }
    return [list(circle) for circle in sorted(found) if len(circle) > 1]


def of_folder(files: dict[str, str], below: str = "crate") -> list[list[str]]:
    """The circles of a crate, or of a folder `below` in it, and of all folders in that."""
    prefix = below.removeprefix("crate").removeprefix("::")
    found = [[f"{prefix}::{name}" if prefix else name for name in circle]
             for circle in circles(modules_of(files, below))]
    for folder, inside in folders(files).items():
        found += of_folder(inside, f"{below}::{folder}")
    return found
