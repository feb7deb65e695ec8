"""Finds the functions of Rust, C and Python sources and how long they are. No compiler: comments,
strings and characters are blanked first, then brackets are matched, which is enough for sources a
formatter has seen."""

import ast
import re
from dataclasses import dataclass

# What must not be mistaken for code. Order matters: a comment may hold quotes and a string slashes.
RUST_NOISE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|b?r(?P<hashes>\#*)".*?"(?P=hashes)|b?"(?:\\.|[^"\\])*"|"""
    r"""b?'(?:\\(?:u\{[^}]*\}|x..|.)|[^'\\\n])'""",
    re.DOTALL,
)
C_NOISE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|^[ \t]*\#(?:\\\n|[^\n])*""",
    re.DOTALL | re.MULTILINE,
)
RUST_FUNCTION = re.compile(r"\bfn\s+(\$?\w+)")
C_FUNCTION = re.compile(r"(\w+)\s*\([^;{}]*\)\s*$")
OPENING, CLOSING = "([{", ")]}"


@dataclass(frozen=True)
class Span:
    """One function: its name, its first line (from 1) and how many lines it takes."""

    name: str
    line: int
    lines: int


def blank(text: str, noise: re.Pattern) -> str:
    """The text with noise replaced by spaces; every line and column stays where it was."""
    return noise.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def line_of(text: str, offset: int) -> int:
    """The line, from 1, of an offset."""
    return text.count("\n", 0, offset) + 1


def closing_brace(code: str, opening: int) -> int:
    """The offset of the brace that closes the one at `opening`, or the end of the text."""
    depth = 0
    for at in range(opening, len(code)):
        depth += (code[at] == "{") - (code[at] == "}")
        if depth == 0:
            return at
    return len(code) - 1


def body_of(code: str, start: int) -> int | None:
    """The brace that opens the body of the function declared at `start`; None where it has none."""
    depth = 0
    for at in range(start, len(code)):
        char = code[at]
        if depth == 0 and char == "{":
            return at
        if depth == 0 and char in ";}":
            return None
        depth += (char in OPENING) - (char in CLOSING)
    return None


def rust_functions(text: str) -> list[Span]:
    """Every `fn` with a body, nested ones too."""
    code = blank(text, RUST_NOISE)
    spans = []
    for match in RUST_FUNCTION.finditer(code):
        opening = body_of(code, match.end())
        if opening is not None:
            first = line_of(code, match.start())
            last = line_of(code, closing_brace(code, opening))
            spans.append(Span(match.group(1), first, last - first + 1))
    return spans


def c_functions(text: str) -> list[Span]:
    """Every function definition; `extern "C" { ... }` is looked into, other braces are skipped."""
    code = blank(text, C_NOISE)
    spans = []
    at, declaration = 0, 0
    while at < len(code):
        if code[at] == "{":
            before = code[declaration:at]
            match = C_FUNCTION.search(before)
            if match is None and re.search(r"\bextern\s*$", before):
                at = declaration = at + 1
                continue
            end = closing_brace(code, at)
            if match is not None:
                first = line_of(code, declaration + len(before) - len(before.lstrip()))
                spans.append(Span(match.group(1), first, line_of(code, end) - first + 1))
            at = declaration = end + 1
        elif code[at] in ";}":
            at = declaration = at + 1
        else:
            at += 1
    return spans


def python_functions(text: str) -> list[Span]:
    """Every `def`, nested ones too."""
    return [
        Span(node.name, node.lineno, (node.end_lineno or node.lineno) - node.lineno + 1)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
