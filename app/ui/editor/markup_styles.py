"""Colours for what a live script has beside its code: marks, prose, headings, the appendix.

The lexer takes all of it for comments, and colours anew what follows an edit; so the marks are set
again after each edit, before anything is painted.
"""

from __future__ import annotations

import re

from PySide6.QtCore import QObject, QTimer

from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.surface import MarkupStyle

_MARKS = re.compile(
    rb"^[ \t]*(?P<mark>%\[text(?::table|:tableOfContents)?\](?:\{[^\n]*?\})?[ ]?)"
    rb"(?P<prose>(?P<heading>\#{1,3}[ ])?[^\n]*)$"
    rb"|(?P<tail>[ \t]*%\[(?:output|control):[^\n]*)$"
    rb"|(?P<appendix>^%\[appendix\])",
    re.MULTILINE | re.VERBOSE,
)


class MarkupStyles(QObject):
    """Keeps the styles of one editor's markup; other views of the text show them too."""

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self._from = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.refresh)
        editor.modified.connect(self._on_modified)
        self.refresh()

    def _on_modified(self, _what: int, position: int, *_rest: object) -> None:
        editor = self._editor
        self._from = min(self._from, editor.positionFromLine(editor.lineFromPosition(position)))
        self._timer.start(0)

    def refresh(self) -> None:
        """Set the styles from the first edited line on."""
        editor, start = self._editor, self._from
        self._from = end = editor.textLength()
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
                return
            if mark["tail"]:
                self._style(start + mark.start(), start + mark.end(), MarkupStyle.MARK)
                continue
            self._style(start + mark.start(), start + mark.end("mark"), MarkupStyle.MARK)
            prose = MarkupStyle.HEADING if mark["heading"] else MarkupStyle.PROSE
            self._style(start + mark.start("prose"), start + mark.end(), prose)

    def _style(self, start: int, end: int, style: MarkupStyle) -> None:
        self._editor.startStyling(start, 0)
        self._editor.setStyling(end - start, style)
