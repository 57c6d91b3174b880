"""What is known at one place of a long text before all of it is understood.

The functions of a text are told apart by the lines they begin with. Around the place the text is
read as it is; elsewhere blanks stand for what the place can do without, so that every character
keeps its place.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import pairwise

from app.engine.analysis.analysed_text import Document, known_document, open_document
from app.source import SourceText

WHOLE = 60_000
"""Texts up to this many characters are understood in a moment."""
AROUND = 20_000
"""Of the function at the place, characters before and behind it."""
_FUNCTION = re.compile(r"^[ \t]*function\b", re.MULTILINE)
_DEFINED = re.compile(r"[ \t]*function\b(?:[^=\n(]*=)?[ \t]*([\w.]*)")
_NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)
_TYPED = re.compile(r"[A-Za-z]\w*$", re.ASCII)
_COMMENT = re.compile(r"[ \t]*[%#]")
_END = re.compile(r"[ \t]*end\b")
_BETWEEN = re.compile(r"[ \t]*(?:(?:end|methods|properties|events|enumeration)\b|[%#]|$)")
"""Lines that may stand between two functions."""


def is_quick(source: SourceText) -> bool:
    """Whether all of a text is known in a moment: it is known already, or short."""
    return len(source.text) <= WHOLE or known_document(source) is not None


def document_near(source: SourceText, offset: int) -> Document:
    """What is known around ``offset``: all of a text that is quick, else of the part there."""
    return open_document(source if is_quick(source) else part_around(source, offset))


def part_around(source: SourceText, offset: int) -> SourceText:
    """The text with nothing left far from ``offset`` but the functions that it names there."""
    text = source.text
    edges = [0, *(m.start() for m in _FUNCTION.finditer(text) if m.start()), len(text)]
    here = min(bisect_right(edges, offset), len(edges) - 1) - 1
    first = max(edges[here], text.rfind("\n", 0, max(0, offset - AROUND)) + 1)
    behind = text.find("\n", offset + AROUND) + 1
    last = min(edges[here + 1], behind or len(text))
    named = frozenset(_NAME.findall(text, first, last))
    begun = _TYPED.search(text, first, offset)
    parts = []
    for place, (start, end) in enumerate(pairwise(edges)):
        if place == here:
            parts += [_blank(first - start), text[first:last], _blank(end - last)]
        elif place == 0 and not _FUNCTION.match(text):
            parts.append(text[:end] if end < AROUND else _blank(end))
        else:
            defined = _DEFINED.match(text, start, end)
            name = defined[1] if defined else ""
            kept = name in named or (begun is not None and name.startswith(begun[0]))
            parts.append(_outlined(text[start:end], whole_head=kept))
    return SourceText(source.name, "".join(parts))


def _blank(count: int) -> str:
    """So many characters in place of whole lines."""
    return " " * (count - 1) + "\n" if count else ""


def _outlined(function: str, *, whole_head: bool) -> str:
    """The first lines of a function, with its help, and what closes it and the blocks around it;
    of a function that is not wanted only what closes the blocks around it."""
    lines = function.splitlines(keepends=True)
    depth = _indentation(lines[0])
    behind_head = 1
    while behind_head < len(lines) and (
        lines[behind_head - 1].rstrip().endswith("...") or _COMMENT.match(lines[behind_head])
    ):
        behind_head += 1
    tail = len(lines)
    while tail > behind_head and (
        _BETWEEN.match(lines[tail - 1]) and _indentation(lines[tail - 1]) <= depth
    ):
        tail -= 1
    if not whole_head:
        behind_head = 0
        tail = next((k + 1 for k in range(tail, len(lines)) if _END.match(lines[k])), tail)
    cut = sum(map(len, lines[behind_head:tail]))
    return "".join(lines[:behind_head]) + _blank(cut) + "".join(lines[tail:])


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
