"""Which modules of a crate import one another in circles."""

import re
from pathlib import PurePath

# A module, and where it may be followed by another one: `crate::a::B`, `use crate::{a, b::C}`.
ONE = re.compile(r"\bcrate::(\w+)")
SEVERAL = re.compile(r"\bcrate::\{([^;]*)\};", re.DOTALL)
TESTS = re.compile(r"#\[cfg\(test\)\]\s*(#\[path[^\n]*\]\s*)?mod tests\b.*", re.DOTALL)


def modules_of(files: dict[str, str]) -> dict[str, set[str]]:
    """What each top-level module of a crate imports, from its files (path below `src`, text)."""
    names = {PurePath(path).parts[0].removesuffix(".rs") for path in files}
    imports: dict[str, set[str]] = {name: set() for name in names}
    for path, text in files.items():
        name = PurePath(path).parts[0].removesuffix(".rs")
        if path.endswith("tests.rs") or name in ("lib", "main"):
            continue
        code = "\n".join(line.split("//")[0] for line in TESTS.sub("", text).splitlines())
        words = set(ONE.findall(code))
        for group in SEVERAL.findall(code):
            words |= set(re.findall(r"(?:^|,)\s*(\w+)", group))
        imports[name] |= (words & names) - {name}
    return imports


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
