"""Colours for what a live script has beside its code: marks, prose, headings, the appendix, which
is folded when it comes.

The lexer takes all of it for comments, and colours anew what follows an edit; so the marks are set
again after each edit, before anything is painted.
"""

from __future__ import annotations

import re

from PySide6.QtCore import QObject, QTimer
from pyside6_scintilla import Scintilla

from app.ui.editor import folding
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.surface import MarkupStyle

_MARKS = re.compile(
    rb"^[ \t]*(?P<mark>%\[text(?::table|:tableOfContents)?\](?:\{[^\n]*?\})?[ ]?)"
    rb"(?P<prose>(?P<heading>\#{1,6}[ ])?[^\n]*)$"
    rb"|(?P<tail>[ \t]*%\[(?:output|control|task|text:anchor):[^\n]*)$"
    rb"|(?P<appendix>^%\[appendix\])",
    re.MULTILINE | re.VERBOSE,
)

_OUTSIDE = Scintilla.FoldLevel.Base.value
_HEADER = Scintilla.FoldLevel.HeaderFlag.value


class MarkupStyles(QObject):
    """Keeps the styles of one editor's markup; other views of the text show them too."""

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self._from = 0
        self._appendix = -1
        self._folds = True
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.refresh)
        editor.modified.connect(self._on_modified)
        self.refresh()

    def _on_modified(self, _what: int, position: int, *_rest: object) -> None:
        editor = self._editor
        first = editor.positionFromLine(editor.lineFromPosition(position))
        if 0 <= self._appendix < first:
            first = self._appendix
        self._from = min(self._from, first)
        if self._appendix >= 0 and not self._timer.isActive():  # the lexer will open it
            folded = map(editor.line_text, folding.folds(editor))
            self._folds = any(text.startswith("%[appendix]") for text in folded)
        self._timer.start(0)

    def refresh(self) -> None:
        """Set the styles from the first edited line on."""
        editor, start = self._editor, self._from
        self._from = end = editor.textLength()
        self._appendix = -1
        content = bytes(editor.textRange(start, end).data())
        found = list(_MARKS.finditer(content))
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
            if mark["tail"]:
                self._style(start + mark.start(), start + mark.end(), MarkupStyle.MARK)
                continue
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
