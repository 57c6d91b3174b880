"""Which file is meant where a stack names only a function."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from app import textfile
from app.errors import UsageError
from app.paths import is_file
from app.ui.editor.code_editor import CodeEditor

_HEADER = re.compile(r"[ \t]*function\b(?:[^\n%=(]*=)?[ \t]*(?P<name>[A-Za-z][\w.]*)")


def named_file(
    function: str, line: int, editors: Sequence[CodeEditor], folders: Iterable[Path]
) -> str:
    """The open text or the file that has a function at a line (from 1); "" where none has.

    Files of that name come before those with a local function of that name, and of the former
    those that can be called by it before others that are open.
    """
    parts = re.split(r"[.>/]", function)
    places = list(dict.fromkeys(folders))
    open_ones = {str(e.path or e.untitled): e for e in editors}
    packaged = Path(*(f"+{part}" for part in parts[:-1]), f"{parts[-1]}.m")
    for folder in places:
        for file in (folder / packaged, folder / f"{parts[0]}.m"):
            if is_file(file):
                return str(file)
    for label in open_ones:
        if Path(label).stem == parts[0]:
            return label
    for label, editor in open_ones.items():
        if _function_at(editor.lines(), line) == parts[-1]:
            return label
    for folder in places[:1]:
        for label, lines in _texts(folder):
            if _function_at(lines, line) == parts[-1]:
                return label
    return ""


def _texts(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """The code in a folder; what cannot be read as text has no functions."""
    for file in sorted(folder.glob("*.m")):
        try:
            yield str(file), textfile.read(file).text.split("\n")
        except (OSError, UsageError):
            continue


def _function_at(lines: Sequence[str], line: int) -> str:
    """The function whose header is the last one up to a line."""
    for number in range(min(line, len(lines)) - 1, -1, -1):
        header = _HEADER.match(lines[number])
        if header:
            return header["name"]
    return ""
