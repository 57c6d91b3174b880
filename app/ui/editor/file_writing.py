"""Writing files as they were found (see ``app.textfile``): encoding and line ends are kept."""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from pathlib import Path

from app.errors import UsageError
from app.textfile import TextFile

NEW_FILE = TextFile("", "utf-8", "\n")
ENCODING_NAMES = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8 BOM",
    "utf-16": "UTF-16",
    "gb18030": "GB 18030",
    "cp932": "Shift-JIS",
    "latin-1": "Latin-1",
}


def is_protected(path: Path) -> bool:
    """Whether somebody has said that a file is not to be written."""
    try:
        return not (path.stat().st_mode & 0o222 and os.access(path, os.W_OK))
    except OSError:
        return False  # there is none


def write(path: Path, file: TextFile, *, protected: bool = False) -> TextFile:
    """Write ``file`` whole or not at all; the result says which encoding was used.

    Text that the encoding cannot hold is written as UTF-8. OSError where it cannot be written;
    UsageError where it is protected, which putting another file in its place would not heed: a
    person has to want that (``protected``).
    """
    if is_protected(path) and not protected:
        raise UsageError("it is write-protected")
    text = file.text.replace("\n", file.newline)
    try:
        data, used = text.encode(file.encoding), file
    except UnicodeEncodeError:
        data, used = text.encode("utf-8"), replace(file, encoding="utf-8")
    _replace(path.resolve(), data)
    return used


def _replace(path: Path, data: bytes) -> None:
    mode = path.stat().st_mode & 0o7777 if path.exists() else 0o644
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    partial = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        partial.chmod(mode)
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
