"""Where the controls of a live script stand while somebody edits their lines: the columns that
their marks say follow, and are written into the text when it is saved or changed anyway."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QObject
from pyside6_scintilla import Scintilla

from app.engine.livecode.control_places import (
    MARK,
    Span,
    code_of,
    meant_place,
    moved_span,
    with_places,
)
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.text_changes import one_step, replace_range

_INSERT = Scintilla.ModificationFlags.InsertText.value


class ControlPlaces(QObject):
    """Follows the edits of one editor. Undoing is an edit like others, so that the marks need no
    step of their own."""

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self._moved: dict[str, Span] = {}
        editor.modified.connect(self._on_modified)

    def text(self) -> str:
        """The text with marks that say where the controls are."""
        text = str(self._editor.text())
        if not self._moved:
            return text
        lines = (self._corrected(line) for line in text.split("\n"))
        return "\n".join(lines)

    def line_text(self, line: int) -> str:
        """A line (from 0) with marks that say where the controls are."""
        return self._corrected(self._editor.line_text(line))

    def _corrected(self, line: str) -> str:
        if not self._moved or "%[control:" not in line:
            return line
        code, places = code_of(line), {}
        for mark in MARK.finditer(line):
            span = self._moved.get(mark["id"])
            if span is not None and span[0] < span[1]:
                places[mark["id"]] = meant_place(mark["kind"], code, *span) or span
        return with_places(line, places)

    def write(self) -> None:
        """Let the marks of the text say where the controls are, as one step to undo."""
        editor = self._editor
        wanted = [
            (number, line, corrected)
            for number, line in enumerate(editor.lines() if self._moved else [])
            if (corrected := self._corrected(line)) != line
        ]
        if not wanted:
            return
        with one_step(editor):
            for number, line, corrected in wanted:
                start = editor.positionFromLine(number) + len(code_of(line).encode())
                marks = corrected[len(code_of(corrected)) :]
                replace_range(editor, start, editor.lineEndPosition(number), marks)

    def _on_modified(
        self, what: int, position: int, _length: int, added: int, text: QByteArray, *_rest: object
    ) -> None:
        editor, inserted = self._editor, bool(what & _INSERT)
        first = editor.lineFromPosition(position)
        line = editor.line_text(first + max(0, added))
        come = bytes(text.data()).decode("utf-8", "replace")
        if inserted and self._moved:
            for mark in MARK.finditer(come):
                self._moved.pop(mark["id"], None)  # it says where it is
        if "%[control:" not in line:
            return
        parts = come.split("\n")
        column = len(editor.slice(editor.positionFromLine(first), position)) + 1
        reached = column
        if inserted:
            reached = len(parts[-1]) + (column if len(parts) == 1 else 1)
        edits_marks = reached > len(code_of(line)) + 1
        for mark in MARK.finditer(line):
            said = int(mark["first"]), int(mark["last"])
            span = self._moved.get(mark["id"], said)
            moved = _followed(span, column, parts, inserted=inserted)
            if edits_marks or moved is None:
                self._moved.pop(mark["id"], None)
            elif moved != span:
                self._moved[mark["id"]] = moved


def _followed(span: Span, column: int, parts: list[str], *, inserted: bool) -> Span | None:
    """Where a value is after a text of these lines came or went at a column; None where its mark
    is on another line now."""
    if len(parts) == 1:
        count = len(parts[0])
        return moved_span(span, column, count) if inserted else moved_span(span, column, 0, count)
    behind = len(parts[-1]) + 1
    if not inserted:
        return span[0] - behind + column, span[1] - behind + column
    if span[0] < column:
        return None
    return span[0] - column + behind, span[1] - column + behind


def live_text(editor: CodeEditor) -> str:
    """The text of an editor whose marks say where its controls are."""
    places = editor.findChild(ControlPlaces)
    return places.text() if isinstance(places, ControlPlaces) else str(editor.text())


def live_line(editor: CodeEditor, line: int) -> str:
    """One line (from 0) of it."""
    places = editor.findChild(ControlPlaces)
    return places.line_text(line) if isinstance(places, ControlPlaces) else editor.line_text(line)


def write_places(editor: CodeEditor) -> None:
    """Let the marks of an editor's text say where its controls are."""
    places = editor.findChild(ControlPlaces)
    if isinstance(places, ControlPlaces):
        places.write()
