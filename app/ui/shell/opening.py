"""What opening a file means that is no text: the code that brings its values into the workspace."""

from __future__ import annotations

import re
from pathlib import Path

_STATEMENTS = {
    ".mat": "load({file})",
    ".fig": "openfig({file});",
    **dict.fromkeys((".xlsx", ".xls", ".ods"), "{name} = readtable({file});"),
    **dict.fromkeys(
        (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".gif"), "{name} = imread({file});"
    ),
    **dict.fromkeys(
        (".wav", ".flac", ".ogg", ".mp3"), "[{name}, {name}_rate] = audioread({file});"
    ),
}
_TABLES = dict.fromkeys((".csv", ".tsv", ".txt", ".dat"), "{name} = readtable({file});")
"""Texts that are tables where somebody wants values of them."""


def loading_code(path: Path, *, values: bool = False) -> str:
    """The statement that takes a file's data into the workspace; nothing for a text to be edited.

    Args:
        path: the file.
        values: whether values are wanted of a text, too, as where it is dropped on the workspace.
    """
    known = {**_STATEMENTS, **(_TABLES if values else {})}
    statement = known.get(path.suffix.lower(), "")
    quoted = str(path).replace("'", "''")
    return statement.format(file=f"'{quoted}'", name=_variable(path.stem))


def _variable(stem: str) -> str:
    """A name of a variable after that of a file."""
    name = re.sub(r"\W", "_", stem, flags=re.ASCII)[:50]
    return name if name[:1].isalpha() else f"x{name}"
