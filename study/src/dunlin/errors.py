"""What a person is told when something is wrong: one plain sentence, and the place where it is."""

from pathlib import Path


class DunlinError(Exception):
    """Ends the command with a sentence on standard error and exit status 2."""

    def __init__(
        self,
        message: str,
        *,
        file: Path | str | None = None,
        line: int | None = None,
        key: str | None = None,
    ):
        super().__init__(message)
        self.message, self.file, self.line, self.key = message, file, line, key

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        words = [part for part in (place, self.key and f"`{self.key}`") if part]
        return ": ".join([*words, self.message])
