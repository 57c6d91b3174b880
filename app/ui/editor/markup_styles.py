"""Colours for what a live script has beside its code: marks, prose, headings, the appendix, which
is folded when it comes.

The lexer takes all of it for comments, and colours anew what follows an edit; so the marks are set
again after each edit, before anything is painted: of its line alone where what follows means what
it did, which is then not coloured, nor painted, again.
"""

from __future__ import annotations

import re

from PySide6.QtCore import QObject, Qt, Signal
from pyside6_scintilla import Scintilla

from app.ui.editor import folding
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.surface import MarkupStyle

_MARKS = re.compile(
    rb"^[ \t]*(?P<mark>%\[text\](?:\{[^\n]*?\})?[ ]?)"
    rb"(?P<prose>(?P<heading>\#{1,6}[ ])?[^\n]*)$"
    rb"|(?P<tail>[ \t]?%\[(?:output|control|task|text:anchor):[^\n]*)$"
    rb"|(?P<appendix>^%\[appendix\])"
    rb"|(?P<whole>^[ \t]*%\[text:(?:table|tableOfContents)\][^\n]*)$",
    re.MULTILINE | re.VERBOSE,
)

_OUTSIDE = Scintilla.FoldLevel.Base.value
_HEADER = Scintilla.FoldLevel.HeaderFlag.value


class MarkupStyles(QObject):
    """Keeps the styles of one editor's markup; other views of the text show them too."""

    _edited = Signal()

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self._from = 0
        self._only: int | None = None
        self._appendix = -1
        self._folds = True
        self._waits = False
        # A timer, even of no time, would come after the lexer's colours were painted.
        self._edited.connect(self._refresh_edited, Qt.ConnectionType.QueuedConnection)
        editor.before_painting.append(self._refresh_edited)
        editor.modified.connect(self._on_modified)
        self.refresh()

    def _on_modified(
        self, _what: int, position: int, _length: int, added: int, *_rest: object
    ) -> None:
        editor = self._editor
        line = editor.lineFromPosition(position)
        first = editor.positionFromLine(line)
        alone = not added and (self._only == line or not self._waits)
        self._only = line if alone else None
        if 0 <= self._appendix < first:
            first = self._appendix
        self._from = min(self._from, first)
        if self._appendix >= 0 and not self._waits:  # the lexer will open it
            folded = map(editor.line_text, folding.folds(editor))
            self._folds = any(text.startswith("%[appendix]") for text in folded)
        if not self._waits:
            self._waits = True
            self._edited.emit()

    def _refresh_edited(self) -> None:
        if self._waits:
            self.refresh()

    def refresh(self) -> None:
        """Set the styles of the line that was edited, or from the first edited one on."""
        only, self._only, self._waits = self._only, None, False
        if only is None or not self._refresh_line(only):
            self._refresh_from(self._from)
        self._from = self._editor.textLength()

    def _refresh_line(self, line: int) -> bool:
        """Set the styles of a line and the next; False where what follows means something else."""
        editor = self._editor
        start, last = editor.positionFromLine(line), editor.lineCount() - 1
        end = editor.positionFromLine(line + 2) if line + 2 <= last else editor.textLength()
        if editor.endStyled() > editor.lineEndPosition(line) or 0 <= self._appendix < end:
            return False
        found = self._marks_between(start, end)
        before = self._meanings(line)
        editor.colourise(start, end)
        if self._meanings(line) != before or any(mark["appendix"] for mark in found):
            return False
        for mark in found:
            self._style_mark(start, mark)
        editor.startStyling(editor.textLength(), 0)  # what follows has its styles
        return True

    def _meanings(self, line: int) -> list[tuple[int, int, int]]:
        """What the lexer hands on from a line and the next one: states, styles of ends, folds."""
        editor = self._editor
        return [
            (
                editor.lineState(number),
                editor.styleAt(max(0, editor.positionFromLine(number + 1) - 1)),
                editor.foldLevel(number),
            )
            for number in range(line, min(line + 2, editor.lineCount() - 1))
        ]

    def _marks_between(self, start: int, end: int) -> list[re.Match[bytes]]:
        return list(_MARKS.finditer(bytes(self._editor.textRange(start, end).data())))

    def _refresh_from(self, start: int) -> None:
        editor = self._editor
        end = editor.textLength()
        self._appendix = -1
        found = self._marks_between(start, end)
        if not found:
            return
        last = found[-1]
        code_end = start + last.start() if last["appendix"] else end
        editor.colourise(start, code_end)
        for mark in found:
            if mark["appendix"]:
                self._style(start + mark.start(), end, MarkupStyle.APPENDIX)
                self._fold_from(start + mark.start())
                return
            self._style_mark(start, mark)

    def _style_mark(self, start: int, mark: re.Match[bytes]) -> None:
        """Set the styles of a mark that was found in the text behind ``start``."""
        if mark["tail"]:
            self._style(start + mark.start(), start + mark.end(), MarkupStyle.MARK)
            return
        if mark["whole"]:
            self._style(start + mark.start(), start + mark.end(), MarkupStyle.APPENDIX)
            return
        self._style(start + mark.start(), start + mark.end("mark"), MarkupStyle.MARK)
        prose = MarkupStyle.HEADING if mark["heading"] else MarkupStyle.PROSE
        self._style(start + mark.start("prose"), start + mark.end(), prose)

    def _fold_from(self, place: int) -> None:
        """Let the appendix be folded at its head; it is when it is seen for the first time."""
        editor, self._appendix = self._editor, place
        head, last = editor.lineFromPosition(place), editor.lineCount() - 1
        if head == last:
            return
        editor.setFoldLevel(head, _OUTSIDE | _HEADER)
        for line in range(head + 1, last + 1):
            editor.setFoldLevel(line, _OUTSIDE + 1)
        if self._folds and editor.foldExpanded(head):
            editor.foldLine(head, 0)

    def _style(self, start: int, end: int, style: MarkupStyle) -> None:
        self._editor.startStyling(start, 0)
        self._editor.setStyling(end - start, style)
