"""Changes of a document's lines: each is one step to undo, in the one text that all views show."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from app.ui.editor.code_editor import CodeEditor

TEXT = "%[text] "
PUBLISHED = "% "


@contextmanager
def one_step(editor: CodeEditor) -> Iterator[None]:
    """What is changed inside is undone together."""
    editor.beginUndoAction()
    try:
        yield
    finally:
        editor.endUndoAction()


def insert_lines(editor: CodeEditor, line: int, lines: list[str]) -> None:
    """Insert lines behind ``line`` (from 1; 0 is the beginning)."""
    text = "\n".join(lines)
    if line == 0:
        editor.insertText(0, text + "\n")
        return
    place = editor.lineEndPosition(min(line, editor.lineCount()) - 1)
    editor.insertText(place, "\n" + text)


def delete_lines(editor: CodeEditor, first: int, last: int) -> None:
    """Delete lines ``first`` to ``last`` (from 1) with one line end."""
    start = editor.positionFromLine(first - 1)
    if last < editor.lineCount():
        end = editor.positionFromLine(last)
    else:
        end = editor.textLength()
        start = editor.lineEndPosition(first - 2) if first > 1 else 0
    editor.deleteRange(start, end - start)


def replace_part(editor: CodeEditor, line: int, first: int, last: int, text: str) -> None:
    """Put text in place of the columns ``first`` to ``last`` (from 1, without the last) of a
    line."""
    replace_line(editor, line, _spliced_text(editor.line_text(line - 1), first, last, text))


def replace_line(editor: CodeEditor, line: int, text: str) -> None:
    """Give a line another text: only what differs is replaced."""
    before = editor.line_text(line - 1)
    if before == text:
        return
    same = 0
    while same < min(len(before), len(text)) and before[same] == text[same]:
        same += 1
    tail = 0
    while (
        tail < min(len(before), len(text)) - same
        and before[len(before) - 1 - tail] == text[len(text) - 1 - tail]
    ):
        tail += 1
    start = editor.positionFromLine(line - 1) + len(before[:same].encode())
    old = len(before[same : len(before) - tail].encode())
    editor.setTargetRange(start, start + old)
    new = text[same : len(text) - tail]
    editor.replaceTarget(len(new.encode()), new)


def _spliced_text(text: str, first: int, last: int, new: str) -> str:
    return text[: first - 1] + new + text[last - 1 :]


def replace_all(editor: CodeEditor, text: str) -> None:
    """Make the whole text another one by changing only the lines between the first and the last
    that differ."""
    before, after = editor.lines(), text.split("\n")
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while (
        tail < min(len(before), len(after)) - head
        and before[len(before) - 1 - tail] == after[len(after) - 1 - tail]
    ):
        tail += 1
    if head == len(before) == len(after):
        return
    start = editor.positionFromLine(head)
    end = editor.lineEndPosition(len(before) - 1 - tail)
    new = "\n".join(after[head : len(after) - tail])
    if head > len(before) - 1 - tail:  # lines come in, none go
        new, end = f"{new}\n", start
        if head == len(before):
            start = end = editor.textLength()
            new = "\n" + new[:-1]
    elif head > len(after) - 1 - tail:  # lines go, none come in
        end = editor.positionFromLine(len(before) - tail) if tail else editor.textLength()
        start = start if tail or not head else editor.lineEndPosition(head - 1)
        new = ""
    editor.setTargetRange(start, end)
    editor.replaceTarget(len(new.encode()), new)
