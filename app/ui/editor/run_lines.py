"""Where the lines of the last run are in an editor now, until they are edited."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject

from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.marks import Indicator
from app.ui.run_model.line_parts import Part


class RunLines(QObject):
    """Unseen marks that Scintilla moves with the text; an edit of a line takes its mark away.

    The value of a mark is the number that the line had in the run.
    """

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        editor.modified.connect(self._on_modified)

    def note(self, lines: Iterable[int]) -> None:
        """These lines have been run as they are."""
        editor = self._editor
        editor.clear_indicator(Indicator.RUN)
        for line in lines:
            start = editor.positionFromLine(line - 1)
            editor.setIndicatorValue(line)
            editor.indicatorFillRange(start, editor.lineEndPosition(line - 1) - start)

    def now(self) -> dict[int, int]:
        """The lines as they are now by those of the run."""
        editor, found = self._editor, dict[int, int]()
        position, last = 0, editor.textLength()
        while position < last:
            value = editor.indicatorValueAt(Indicator.RUN, position)
            if value:
                found[value] = editor.lineFromPosition(position) + 1
            position = max(editor.indicatorEnd(Indicator.RUN, position), position + 1)
        return found

    def then(self, part: Part) -> Part | None:
        """A part of a line as it was in the run; None where the line is another one since."""
        start = self._editor.positionFromLine(part.line - 1)
        line = self._editor.indicatorValueAt(Indicator.RUN, start)
        return part._replace(line=line) if line else None

    def _on_modified(self, _what: int, position: int, length: int, added: int, *_: object) -> None:
        editor = self._editor
        first = editor.lineFromPosition(position)
        start, end = editor.positionFromLine(first), editor.lineEndPosition(first + max(added, 0))
        editor.setIndicatorCurrent(Indicator.RUN)
        editor.indicatorClearRange(start, end - start)
