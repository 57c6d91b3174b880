"""The formatter: every line where its block wants it, as the language service says."""

from __future__ import annotations

from app.source import SourceText
from app.ui.editor.surface import Surface
from app.ui.editor.text_changes import one_step, replace_line


def reindented_lines(text: str, width: int = 4) -> list[str]:
    """The lines of ``text`` with the indentation of their blocks, ``width`` columns for each."""
    from app.engine.session import language_service

    made = text
    for edit in reversed(language_service.reindent(SourceText("", text), unit=" " * width)):
        made = made[: edit.span.start] + edit.text + made[edit.span.end :]
    return made.split("\n")


def indent(editor: Surface, first: int, last: int) -> None:
    """Indent the lines ``first`` to ``last`` (from 0, both included) as one change."""
    before, after = editor.lines(), reindented_lines(editor.text(), editor.indent())
    with one_step(editor):
        for number in range(first, min(last + 1, len(before))):
            if before[number] != after[number]:
                replace_line(editor, number, after[number])
