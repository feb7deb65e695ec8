"""Files: written whole or not at all, whatever happens to the process or the machine, and read with
a sentence about what is wrong with them."""

import os
from pathlib import Path

from dunlin.errors import DunlinError

# The longest file that is read at once; results of a whole machine take a thousandth of it.
BYTES_MAX = 256 << 20


def write_whole(file: Path, text: str) -> None:
    """Writes a file in one step. On the disk it stands under its name only after its content does:
    without waiting for the content, a machine that goes down leaves an empty file behind."""
    partial = file.with_suffix(".partial")
    try:
        with partial.open("w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        partial.replace(file)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    directory = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def read_text(file: Path, *, errors: str = "strict", bytes_max: int = BYTES_MAX) -> str:
    """The text of a file, without the mark that spreadsheets put before it. A file that is not
    there is left to the caller, who knows what it was for."""
    try:
        with file.open("rb") as content:
            found = content.read(bytes_max + 1)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise DunlinError(f"it cannot be read: {error.strerror}", file=file) from None
    if len(found) > bytes_max:
        raise DunlinError(f"it has more than {bytes_max} bytes, the most that is read", file=file)
    try:
        text = found.decode("utf-8-sig", errors=errors)
    except UnicodeDecodeError as error:
        line = 1 + found.count(b"\n", 0, error.start)
        raise DunlinError("this is not UTF-8", file=file, line=line) from None
    return text.replace("\r\n", "\n")
