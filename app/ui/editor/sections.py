"""Sections of a script, comments and indentation: what editing commands know of the language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from app.source import section_title

_SECTION = re.compile(r"^\s*(%%|##)(\s|$)")
_OPENS = re.compile(
    r"^\s*(if|for|parfor|while|switch|try|function|classdef|methods|properties|events|enumeration"
    r"|arguments|spmd|unwind_protect|do)\b"
)
_MIDDLE = re.compile(r"^\s*(else|elseif|case|otherwise|catch|unwind_protect_cleanup)\b")
_CLOSES = re.compile(
    r"^\s*(end|endif|endfor|endwhile|endswitch|endfunction|end_try_catch"
    r"|end_unwind_protect|until)\b"
)
WIDTH = 4


class Section(NamedTuple):
    """Lines ``first`` to ``last`` (from 1, inclusive) and the title behind ``%%``."""

    first: int
    last: int
    title: str


def is_section_line(line: str) -> bool:
    """True for a line that begins a section."""
    return bool(_SECTION.match(line))


def sections(lines: Sequence[str]) -> list[Section]:
    """The sections of a script; what stands before the first ``%%`` is one of its own."""
    starts = [n for n, line in enumerate(lines, 1) if is_section_line(line)]
    if not starts or starts[0] != 1:
        starts.insert(0, 1)
    ends = [start - 1 for start in starts[1:]] + [max(len(lines), 1)]
    return [Section(a, b, _title(lines, a)) for a, b in zip(starts, ends, strict=True)]


def _title(lines: Sequence[str], first: int) -> str:
    line = lines[first - 1].strip() if lines else ""
    return section_title(line.lstrip("%#")) if is_section_line(line) else ""


def section_at(lines: Sequence[str], line: int) -> Section:
    """What runs for ``line`` (from 1): its section, with those that a statement joins to it."""
    from app.engine.livecode.running import spanned_sections

    found = sections(lines)
    parts = spanned_sections("\n".join(lines), [(s.first, s.last) for s in found])
    first, last = next(p for p in reversed(parts) if p[0] <= line or p[0] == 1)
    return Section(first, last, _title(lines, first))


def toggle_comments(lines: Sequence[str]) -> list[str]:
    """Comment the lines, or uncomment them when all that hold anything are comments."""
    filled = [line for line in lines if line.strip()]
    if filled and all(line.lstrip().startswith("%") for line in filled):
        return [re.sub(r"^(\s*)% ?", r"\1", line) for line in lines]
    margin = min((_indent(line) for line in filled), default=0)
    return [line[:margin] + "% " + line[margin:] if line.strip() else line for line in lines]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def opener(line: str) -> str:
    """The keyword with which ``line`` opens a block that it does not close itself."""
    from app.engine.session import language_service

    match = _OPENS.match(line)
    return match.group(1) if match and language_service.block_opener(line) else ""


def block_lines(lines: Sequence[str], line: int) -> list[int]:
    """The lines (from 1) that open, divide and close the block with a keyword on ``line``."""
    text = lines[line - 1]
    start = line - 1
    if not opener(text):
        if not (_MIDDLE.match(text) or _CLOSES.match(text)):
            return []
        depth = 0
        for start in range(line - 2, -1, -1):
            if _CLOSES.match(lines[start]):
                depth += 1
            elif opener(lines[start]):
                if depth == 0:
                    break
                depth -= 1
        else:
            return []
    return _block_from(lines, start)


def _block_from(lines: Sequence[str], start: int) -> list[int]:
    found, depth = [start + 1], 0
    for number in range(start + 1, len(lines)):
        if opener(lines[number]):
            depth += 1
        elif _CLOSES.match(lines[number]):
            if depth == 0:
                return [*found, number + 1]
            depth -= 1
        elif depth == 0 and _MIDDLE.match(lines[number]):
            found.append(number + 1)
    return []


def keyword_range(line: str) -> tuple[int, int]:
    """Where the word that begins a line stands."""
    word = re.match(r"\s*(\w+)", line)
    return word.span(1) if word else (0, 0)


def leaves_block(line: str) -> bool:
    """True when ``line`` closes or divides a block."""
    return bool(_MIDDLE.match(line) or _CLOSES.match(line))


def closes(line: str) -> bool:
    """True when ``line`` begins with the end of a block."""
    return bool(_CLOSES.match(line))


def dedented_column(lines: Sequence[str], unit: int = WIDTH) -> int | None:
    """Where the last line belongs when it closes or divides a block; None when it does not."""
    last = lines[-1]
    middle = _MIDDLE.match(last)
    if not middle and not _CLOSES.match(last):
        return None
    depth = 0
    for line in reversed(lines[:-1]):
        if _CLOSES.match(line):
            depth += 1
        elif opener(line):
            if depth == 0:
                inside_switch = middle is not None and opener(line) == "switch"
                return _indent(line.expandtabs(WIDTH)) + (unit if inside_switch else 0)
            depth -= 1
    return None
