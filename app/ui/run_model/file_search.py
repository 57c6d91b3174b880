"""Finding a text in the files of a folder."""

from __future__ import annotations

import os
import re
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType

MOST_HITS = 5000
_ESCAPE = re.compile(r"\\[0-9nt$\\]|\$[0-9&]")
_LETTERS = {"n": "\n", "t": "\t"}
_NOTHING: Mapping[Path, str] = MappingProxyType({})


@dataclass(frozen=True)
class Query:
    """What is looked for; ``suffix`` limits the files, such as ``.m``."""

    text: str
    folder: Path
    case: bool = False
    word: bool = False
    regex: bool = False
    suffix: str = ".m"

    def pattern(self) -> re.Pattern[str]:
        """The query as a regular expression; ``re.error`` when it is none."""
        text = self.text if self.regex else re.escape(self.text)
        text = rf"\b(?:{text})\b" if self.word else text
        return re.compile(text, 0 if self.case else re.IGNORECASE)


@dataclass(frozen=True)
class Hit:
    """One line that fits, with the columns (from 1) of its first match."""

    file: Path
    line: int
    column: int
    text: str


def search(
    query: Query, cancelled: Callable[[], bool], unsaved: Mapping[Path, str] = _NOTHING
) -> tuple[list[Hit], str]:
    """The hits, and a sentence about what was left out or is wrong with the query.

    ``unsaved`` are texts that stand in editors, and not yet in their files.
    """
    if not query.text:
        return [], ""
    try:
        pattern = query.pattern()
    except re.error as problem:
        return [], f"Not a regular expression: {problem}"
    hits: list[Hit] = []
    from app.engine.session.language_service import code_files

    for file in code_files(query.folder, query.suffix, cancelled):
        if cancelled():
            return hits, ""
        hits += _hits(file, _text(file, unsaved), pattern)
        if len(hits) >= MOST_HITS:
            return hits[:MOST_HITS], f"Only the first {MOST_HITS} lines are shown."
    return hits, ""


def nearest(folder: Path, most: int, seconds: float, suffix: str = ".m") -> list[Path]:
    """Files of code below a folder, the nearest ones first, as many as are found in this time."""
    found: list[Path] = []
    waiting, end = deque([folder]), time.monotonic() + seconds
    while waiting and len(found) < most and time.monotonic() < end:
        try:
            with os.scandir(waiting.popleft()) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
        except OSError:  # it has gone, or is nobody's to read
            continue
        found += [Path(entry) for entry in entries if entry.name.endswith(suffix)]
        waiting += [
            Path(entry)
            for entry in entries
            if not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False)
        ]
    return found[:most]


def references(
    name: str,
    folder: Path,
    cancelled: Callable[[], bool],
    unsaved: Mapping[Path, str] = _NOTHING,
) -> tuple[list[Hit], str]:
    """Every mention of a name in code below ``folder``; comments and texts are not code."""
    from app.engine.session import language_service

    hits: list[Hit] = []
    for file in language_service.code_files(folder, cancelled=cancelled):
        if cancelled() or len(hits) >= MOST_HITS:
            break
        text = _text(file, unsaved)
        for start, _end in _mentions(name, str(file), text):
            line = text.count("\n", 0, start) + 1
            column = start - text.rfind("\n", 0, start)
            hits.append(Hit(file, line, column, text.split("\n")[line - 1].strip()))
    return hits, ""


def _mentions(name: str, file: str, text: str) -> list[tuple[int, int]]:
    """Where code of a file mentions a name, from the first to the last place."""
    from app.engine.session import language_service
    from app.source import SourceText

    if name not in text:
        return []
    mentions = language_service.open_document(SourceText(file, text)).mentions
    spans = {m.occurrence.span for m in mentions if m.occurrence.name == name}
    return [(span.start, span.end) for span in sorted(spans)]


def replace_references(name: str, replacement: str, file: str, text: str) -> tuple[str, int]:
    """The text of a file with what ``references`` finds in it replaced, and how often."""
    places = _mentions(name, file, text)
    for start, end in reversed(places):
        text = text[:start] + replacement + text[end:]
    return text, len(places)


def replace_matches(query: Query, replacement: str, text: str) -> tuple[str, int]:
    """The text with every match replaced, and how many there were; matches are in lines, as
    ``search`` finds them. ``re.error`` where the replacement names a group that there is none of.
    """
    pattern = query.pattern()

    def put(match: re.Match[str]) -> str:
        return filled(replacement, partial(_group, match)) if query.regex else replacement

    lines = [pattern.subn(put, line) for line in text.split("\n")]
    return "\n".join(line for line, _ in lines), sum(count for _, count in lines)


def _group(match: re.Match[str], number: int) -> str:
    try:
        return match[number] or ""
    except IndexError:
        raise re.error(f"there is no group {number}") from None


def filled(template: str, group: Callable[[int], str]) -> str:
    r"""What stands for a match: ``$1`` or ``\1`` is a group of the regular expression, ``$0`` and
    ``$&`` are the match, ``\n`` a line's end, ``\t`` a tab, ``\$`` and ``\\`` those letters."""

    def put(escape: re.Match[str]) -> str:
        letter = escape[0][1]
        if letter.isdigit():
            return group(int(letter))
        if letter == "&":
            return group(0)
        return _LETTERS.get(letter, letter)

    return _ESCAPE.sub(put, template)


def _text(file: Path, unsaved: Mapping[Path, str]) -> str:
    from app.engine.session.language_service import text_of

    return unsaved[file] if file in unsaved else text_of(file)


def _hits(file: Path, text: str, pattern: re.Pattern[str]) -> list[Hit]:
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        match = pattern.search(line)
        if match:
            found.append(Hit(file, number, match.start() + 1, line.strip()))
    return found
