"""The places in files that printed text names: of errors, warnings and stacks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_FILE = re.compile(r"(?P<file>[^\s(][^\n(]*?\.m):(?P<line>\d+)(?::\d+)?")
_FUNCTION = re.compile(
    r"^(?:> In|Error in|Error using) (?P<file>[A-Za-z][\w.>/]*) \(line (?P<line>\d+)\)",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Place:
    """A line of a file, or of the file of a function, and where the text names it."""

    start: int
    end: int
    file: str
    line: int


def printed_places(text: str, stream: str) -> Iterator[Place]:
    """The places in a text, in order.

    What a script prints names one only as stacks do: ``> In f (line 3)``.
    """
    patterns = (_FUNCTION,) if stream == "out" else (_FUNCTION, _FILE)
    found = [match for pattern in patterns for match in pattern.finditer(text)]
    for match in sorted(found, key=lambda m: m.start()):
        yield Place(*match.span(), match["file"].strip(), int(match["line"]))
