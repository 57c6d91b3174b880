"""What the last run found out about the lines of an editor, until the lines are edited."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from PySide6.QtCore import QObject, Signal
from pyside6_scintilla import Scintilla

from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.marks import Indicator
from app.ui.run_model.findings import Finding
from app.ui.run_model.run_model import RunModel

_KINDS = (Indicator.COST, Indicator.STOP)


class RunNotes(QObject):
    """Marks the lines; Scintilla moves the marks with the text, and an edit takes them away.

    The value of a mark is the number of its line's findings, so the marks say what is left.
    """

    changed = Signal()

    def __init__(self, editor: CodeEditor, run_model: RunModel) -> None:
        super().__init__(editor)
        self._editor = editor
        self._run_model = run_model
        self._lines: list[list[Finding]] = []
        self._shown: list[Finding] | None = None
        run_model.run_started.connect(self._show)
        run_model.run_finished.connect(self._show)
        editor.modified.connect(self._on_modified)
        self._show()

    @property
    def file(self) -> str:
        """The name of the editor's file in the run model."""
        return str(self._editor.path or self._editor.untitled)

    def findings(self) -> list[Finding]:
        """What still holds, with the lines as they are now."""
        return [
            replace(finding, line=self._editor.lineFromPosition(start) + 1)
            for start, _, noted in self._marks()
            for finding in noted
        ]

    def at(self, position: int) -> list[Finding]:
        """The marked findings at a byte position."""
        value = self._editor.indicatorValueAt(Indicator.COST, position)
        return [f for f in self._lines[value - 1] if f.marked] if value else []

    def _show(self) -> None:
        """Show what a run found; what was shown already is not marked anew on edited lines."""
        if self._run_model.findings is self._shown:
            return
        self._shown = self._run_model.findings
        editor, by_line = self._editor, dict[int, list[Finding]]()
        for kind in _KINDS:
            editor.clear_indicator(kind)
        for finding in self._shown:
            if finding.file == self.file and 0 < finding.line <= editor.lineCount():
                by_line.setdefault(finding.line, []).append(finding)
        self._lines = list(by_line.values())
        for number, noted in enumerate(self._lines, 1):
            self._mark(number, noted)
        self.changed.emit()

    def _mark(self, number: int, noted: list[Finding]) -> None:
        start, end = self._place(noted)
        marked = any(finding.marked for finding in noted)
        self._editor.setIndicatorCurrent(Indicator.COST if marked else Indicator.STOP)
        self._editor.setIndicatorValue(number)
        self._editor.indicatorFillRange(start, end - start)

    def _place(self, noted: list[Finding]) -> tuple[int, int]:
        """The code of the line, in bytes, without its comment."""
        line = noted[0].line - 1
        start, end = self._editor.lineIndentPosition(line), self._editor.lineEndPosition(line)
        comment = next((p for p in range(start, end) if self._is_comment(p)), end)
        while comment > start and chr(self._editor.charAt(comment - 1) & 0xFF).isspace():
            comment -= 1
        return start, comment if comment > start else end

    def _is_comment(self, position: int) -> bool:
        return self._editor.language.styles.get(self._editor.styleAt(position)) == "comment"

    def _marks(self) -> Iterator[tuple[int, int, list[Finding]]]:
        """Start, end and findings of every mark that is left."""
        editor = self._editor
        for kind in _KINDS:
            position, last, seen = 0, editor.textLength(), 0
            while position < last:
                value, end = (
                    editor.indicatorValueAt(kind, position),
                    editor.indicatorEnd(kind, position),
                )
                if value and value != seen:
                    yield position, end, self._lines[value - 1]
                seen = value or seen
                position = max(end, position + 1) if end else last

    def _on_modified(self, what: int, position: int, length: int, *_rest: object) -> None:
        flags = Scintilla.ModificationFlags
        if not self._lines or not what & (flags.InsertText | flags.DeleteText):
            return
        editor = self._editor
        reach = position + (length if what & flags.InsertText else 0)
        start = editor.positionFromLine(editor.lineFromPosition(position))
        end = editor.lineEndPosition(editor.lineFromPosition(reach))
        for kind in _KINDS:
            editor.setIndicatorCurrent(kind)
            editor.indicatorClearRange(start, end - start)
        self.changed.emit()
