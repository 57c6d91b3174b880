"""The formatter: every line where its block wants it, as the language service says."""

from __future__ import annotations

from app.engine import language_service
from app.source import SourceText
from app.ui.editor.code_editor import CodeEditor


def reindented(text: str) -> list[str]:
    """The lines of ``text`` with the indentation of their blocks."""
    made = text
    for edit in reversed(language_service.reindent(SourceText("", text))):
        made = made[: edit.span.start] + edit.text + made[edit.span.end :]
    return made.split("\n")


def indent(editor: CodeEditor, first: int, last: int) -> None:
    """Indent the lines ``first`` to ``last`` (from 0, both included) as one change."""
    before, after = editor.lines(), reindented(editor.text())
    editor.beginUndoAction()
    for number in range(first, min(last + 1, len(before))):
        if before[number] != after[number]:
            replace_line(editor, number, after[number])
    editor.endUndoAction()


def replace_line(editor: CodeEditor, number: int, text: str) -> None:
    """Put other text into a line (from 0)."""
    editor.setTargetRange(editor.positionFromLine(number), editor.lineEndPosition(number))
    editor.replaceTarget(len(text.encode()), text)
