"""Changes of a text that leave carets, breakpoints and marks where they were."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import SequenceMatcher

from app.ui.editor.surface import Surface

MOST_COMPARED = 5000
"""Lines between the first and the last that differ, up to which they are compared one by one."""
MOST_APART = 20_000
"""Lines that are given other texts one by one, so that their marks stay; more go together."""


@contextmanager
def one_step(editor: Surface) -> Iterator[None]:
    """What is changed inside is undone together."""
    editor.beginUndoAction()
    try:
        yield
    finally:
        editor.endUndoAction()


def change_to(editor: Surface, text: str) -> None:
    """Make the whole text another one, as one change; marks of lines that are the same stay."""
    with one_step(editor):
        for start, end, lines in reversed(_differences(editor.lines(), text.split("\n"))):
            _replace_lines(editor, start, end, lines)


def _differences(old: list[str], new: list[str]) -> list[tuple[int, int, list[str]]]:
    """Which lines (from 0, the end excluded) become which."""
    head = _common_prefix_length(old, new)
    tail = _common_prefix_length(old[head:][::-1], new[head:][::-1])
    before, after = old[head : len(old) - tail], new[head : len(new) - tail]
    if len(before) == len(after) or max(len(before), len(after)) > MOST_COMPARED:
        return [(head, head + len(before), after)]
    codes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [(head + a, head + b, after[c:d]) for kind, a, b, c, d in codes if kind != "equal"]


def _replace_lines(editor: Surface, first: int, end: int, lines: list[str]) -> None:
    kept = min(end - first, len(lines))
    if len(lines) > kept:
        insert_lines(editor, first + kept, lines[kept:])
    elif end - first > kept:
        delete_lines(editor, first + kept, end)
    if kept > MOST_APART:
        replace_range(
            editor,
            editor.positionFromLine(first),
            editor.lineEndPosition(first + kept - 1),
            "\n".join(lines[:kept]),
        )
        return
    for number, text in enumerate(lines[:kept], first):
        replace_line(editor, number, text)


def insert_lines(editor: Surface, before: int, lines: list[str]) -> None:
    """Insert lines before the line of a number (from 0), which may be one more than there are.

    They begin behind the end of the line above: what is marked there stays with it.
    """
    text = "\n".join(lines)
    if before == 0:
        editor.insertText(0, text + "\n")
    else:
        editor.insertText(editor.lineEndPosition(before - 1), "\n" + text)


def delete_lines(editor: Surface, first: int, end: int) -> None:
    """Delete lines (from 0, ``end`` excluded) with one line end."""
    begin = editor.lineEndPosition(first - 1) if first else 0
    behind = editor.lineEndPosition(end - 1) if first else editor.positionFromLine(end)
    editor.deleteRange(begin, behind - begin)


def replace_line(editor: Surface, number: int, text: str) -> None:
    """Put other text into a line (from 0); carets and marks beside what differs stay."""
    old = editor.line_text(number)
    before = _common_prefix_length(old, text)
    after = _common_prefix_length(old[before:][::-1], text[before:][::-1])
    start = editor.positionFromLine(number) + len(old[:before].encode())
    end = start + len(old[before : len(old) - after].encode())
    replace_range(editor, start, end, text[before : len(text) - after])


def replace_range(editor: Surface, start: int, end: int, text: str) -> None:
    """Put a text in the place of what stands between two positions (bytes)."""
    editor.setTargetRange(start, end)
    editor.replaceTarget(len(text.encode()), text)


def _common_prefix_length(one: Sequence[str], other: Sequence[str]) -> int:
    """How many characters two texts, or lines two lists, begin with in common."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))
