"""Files that must be whole or not there at all, whatever happens to the process or the machine."""

import os
from pathlib import Path


def write_whole(file: Path, text: str) -> None:
    """Writes a file in one step. On the disk it stands under its name only after its content does:
    without waiting for the content, a machine that goes down leaves an empty file behind."""
    partial = file.with_suffix(".partial")
    with partial.open("w", encoding="utf-8") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    partial.replace(file)
    directory = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
