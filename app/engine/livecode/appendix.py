"""The trailer of a live script: entries with data, kept line by line as the file has them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from app.records import record

Data: TypeAlias = Mapping[str, Any]

HEAD = re.compile(r"^%\[appendix\](?P<attributes>\{.*\})?[ \t]*$")
_ENTRY = re.compile(r"^%\[(?P<key>[\w:]+)\][ \t]*$")
_DATA = re.compile(r"^%[ \t]+data: ?(?P<json>.*)$")
_RULE = "%---"
MOST_PIXELS = 100_000


@record
class Problem:
    """Something in the markup that does not fit together; nothing is dropped for it."""

    line: int
    message: str


@dataclass(frozen=True)
class _Entry:
    """One entry: its key ("" for what stands in front of the first one), and all its lines."""

    key: str
    lines: tuple[str, ...]

    def without_data(self) -> list[str]:
        """What is left when the entry goes: lines that no rule of the format explains."""
        rest = self.lines[1:] if self.key else self.lines
        return [line for line in rest if line.strip() not in ("", _RULE) and not _DATA.match(line)]


class Appendix:
    """The entries of an appendix.

    Args:
        lines: of the file, from the head of the appendix on; none where there is no appendix.
        first: the number of the first of them.
        report: is told of what cannot be read: a line and a message.

    Attributes:
        data: of the entries by key, such as ``output:126e6871``.
    """

    def __init__(self, lines: list[str], first: int, report: Callable[[int, str], None]) -> None:
        self._lines = lines
        self._entries = tuple(_entries_of(lines))
        self.data: dict[str, Data] = {}
        key, inside = "", ""
        for number, line in enumerate(lines[1:], first + 1):
            if entry := _ENTRY.match(line):
                key, inside = entry["key"], ""
                if key in self.data:
                    report(number, f"a second entry {key}")
                self.data[key] = {}
            elif (found := _DATA.match(line)) and key:
                self.data[key] = read_data(found["json"], number, report)
            elif line.startswith("%{") and key.startswith("app:"):
                inside = "%}"  # apps keep XML in a block comment
            elif inside:
                inside = "" if line.startswith(inside) else inside
            elif line.strip() not in ("", _RULE):
                report(number, "this is not an entry of an appendix")

    def with_data(self, wanted: Mapping[str, Data]) -> list[str]:
        """The lines of an appendix with these entries: those that stay the same stay as they are
        written, and lines that are no part of an entry are kept."""
        if wanted == self.data:
            return self._lines
        made = [*self._lines[:1]] or ["%[appendix]" + '{"version":"1.0"}']
        if not self._lines:
            made.append(_RULE)
        left = dict(wanted)
        for entry in self._entries:
            if entry.key and entry.key not in wanted:
                made += entry.without_data()
            elif entry.key and wanted[entry.key] != self.data[entry.key]:
                if entry.key in left:
                    made += (*_entry_lines(entry.key, wanted[entry.key]), *entry.without_data())
            else:
                made += entry.lines
            left.pop(entry.key, None)
        while len(made) > 1 and not made[-1].strip():
            made.pop()
        if made[-1].strip() != _RULE:
            made.append(_RULE)
        for key, data in left.items():
            made += _entry_lines(key, data)
        return [*made, ""]


def _entries_of(lines: list[str]) -> Iterator[_Entry]:
    key, held = "", list[str]()
    for line in lines[1:]:
        if entry := _ENTRY.match(line):
            if held:
                yield _Entry(key, tuple(held))
            key, held = entry["key"], []
        held.append(line)
    if held:
        yield _Entry(key, tuple(held))


def _entry_lines(key: str, data: Data) -> tuple[str, str, str]:
    return f"%[{key}]", f"%   data: {appendix_json(data)}", _RULE


def read_data(text: str, line: int, report: Callable[[int, str], None]) -> Data:
    """The object that a JSON text is; an empty one, and a report, where it is none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as problem:
        report(line, f"the data are not JSON: {problem}")
        return {}
    if isinstance(found, dict):
        return found
    report(line, "the data are not an object")
    return {}


def texts_in(data: Data, key: str) -> list[str]:
    """The items of a list as texts; none where the data have no list there."""
    held = data.get(key)
    return [str(item) for item in held] if isinstance(held, list) else []


def pixels_in(data: Data, key: str) -> int:
    """The side of a picture; 0 where the data have no number there that a side can be."""
    held = data.get(key)
    if isinstance(held, bool) or not isinstance(held, int | float):
        return 0
    return int(held) if 0 < held <= MOST_PIXELS else 0


def appendix_json(data: Data) -> str:
    """Data as the format writes it: sorted keys, no spaces, escaped slashes."""
    text = json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.replace("/", "\\/")
