"""Files of data: the statement that brings their values into the workspace, by the file's name."""

from __future__ import annotations

import re
from pathlib import Path

_OPENED = {
    ".mat": "load({file})",
    ".fig": "openfig({file});",
    **dict.fromkeys(
        (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".gif"), "{name} = imread({file});"
    ),
    **dict.fromkeys(
        (".wav", ".flac", ".ogg", ".mp3"), "[{name}, {name}_rate] = audioread({file});"
    ),
}
"""Files that have no other use than their values."""
_BOOKS = (".xlsx", ".xlsm", ".xls", ".ods")
_GRIDS = (".csv", ".tsv")
_TEXTS = (".txt", ".dat")
_TABLE = "{name} = readtable({file});"
_WANTED = {
    **_OPENED,
    **dict.fromkeys((*_BOOKS, *_GRIDS, *_TEXTS), _TABLE),
    ".json": "{name} = jsondecode(fileread({file}));",
}
"""All files whose values can be had."""
IMPORTED = f"Data ({' '.join(f'*{ending}' for ending in _WANTED)});;All files (*)"
"""What a dialog shows where such a file is chosen."""


def loading_code(path: Path, *, values: bool = False) -> str:
    """The statement that takes a file's data into the workspace; nothing for a text to be edited.

    Args:
        path: the file.
        values: whether values are wanted of a text, too, as where it is dropped on the workspace.
    """
    statement = (_WANTED if values else _OPENED).get(path.suffix.lower(), "")
    quoted = str(path).replace("'", "''")
    return statement.format(file=f"'{quoted}'", name=variable_name(path.stem))


def is_table(path: Path) -> bool:
    """Whether a file's values are a table, of which somebody may choose what is read and how."""
    return _WANTED.get(path.suffix.lower()) == _TABLE


def is_no_text(path: Path) -> bool:
    """Whether a file is a table that nobody edits as a text."""
    return path.suffix.lower() in _BOOKS


def is_grid(path: Path) -> bool:
    """Whether a file has a table and nothing else, so that to open it is to look at that."""
    return path.suffix.lower() in (*_BOOKS, *_GRIDS)


def variable_name(stem: str) -> str:
    """A name of a variable after that of a file."""
    name = re.sub(r"\W", "_", stem, flags=re.ASCII)[:50]
    return name if name[:1].isalpha() else f"x{name}"
