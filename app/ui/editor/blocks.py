"""Lines that find their place while typing: indentation, ``end`` by itself, pasted blocks."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication
from pyside6_scintilla import Scintilla

from app.ui.editor import formatting, sections
from app.ui.editor.marks import Indicator
from app.ui.editor.surface import Surface, is_enter, line_ends, lines_above
from app.ui.editor.text_changes import one_step, replace_range

MOST_LINES = 3000
"""Further than this nobody looks for the end of a block; it counts as closed then."""
MOST_LINES_ABOVE = 500
"""Further up nobody looks for the beginning of a block that a word closes."""
MOST_PASTED = 2000
_END = re.compile(r"\s*end\w*\s*\Z")
_NO_END = frozenset({"", "DO", "UNWIND"})


class Blocks:
    """What Enter, ``end`` and pasting do to the lines of a surface.

    ``closing`` says whether the ``end`` of a block that is begun appears by itself. Such an
    ``end`` makes room when one is typed, so what is typed is what stands there.
    """

    def __init__(self, editor: Surface, closing: Callable[[], bool] = lambda: True) -> None:
        self._editor = editor
        self._closing = closing
        self._moved: tuple[int, int] | None = None
        self._taken: tuple[int, str] | None = None
        editor.indicSetStyle(Indicator.AUTO_END, Scintilla.IndicatorStyle.Hidden)
        editor.charAdded.connect(self._on_char)

    def on_key(self, event: QKeyEvent) -> bool:
        """Do what a key means for lines; False when it means nothing to them."""
        editor = self._editor
        if editor.readOnly() or editor.selectionIsRectangle():
            return False
        key, held = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if is_enter(event) and not held:
            self.new_line()
            return True
        if event.matches(QKeySequence.StandardKey.Paste):
            editor.paste()
            return True
        if key == Qt.Key.Key_Backspace and not held:
            self._give_back()
        return False

    # --- Enter ------------------------------------------------------------------------------

    def new_line(self) -> None:
        """Begin a line at every caret, indented as its block wants it."""
        editor = self._editor
        with one_step(editor):
            carets, shift = [], 0
            for start, end in editor.ranges():
                caret, grown = self._break_line(start + shift, end + shift)
                carets.append(caret)
                shift += grown
            editor.set_carets(carets)
            if len(carets) == 1 and self._closing():
                self._close_block()
        editor.charAdded.emit(ord("\n"))

    def _break_line(self, start: int, end: int) -> tuple[int, int]:
        """Begin a line instead of a range; the new caret, and by how many bytes the text grew."""
        editor = self._editor
        before = editor.textLength()
        line = editor.lineFromPosition(start)
        first, behind = editor.positionFromLine(line), editor.lineEndPosition(line)
        left = editor.slice(first, start)
        while end < editor.lineEndPosition(editor.lineFromPosition(end)):
            if editor.charAt(end) not in (32, 9):
                break
            end += 1
        indent = left
        if left.strip():
            indent = editor.blanks(self._indent_below(line, line_ends(editor, line, start)))
        elif start == behind:
            indent = left or editor.blanks(self._indent_below(line, left))
        if not left.strip():
            start = first  # blanks alone are nothing to keep
        text = "\n" + indent
        replace_range(editor, start, end, text)
        return start + len(text), editor.textLength() - before

    def _indent_below(self, line: int, left: str) -> int:
        from app.engine.session import language_service

        editor = self._editor
        width = language_service.width_of(left)
        at_edge = language_service.block_opener(left) == "FUNCTION" and not width
        if at_edge and not self._functions_nest(line):
            return width
        return language_service.indent_of_next([*lines_above(editor, line), left], editor.indent())

    def _close_block(self) -> None:
        """Put the ``end`` of a block that was just begun below the caret."""
        from app.engine.session import language_service

        editor = self._editor
        line = editor.caret_line - 2
        text = line_ends(editor, line)
        kind = language_service.block_opener(text)
        here = editor.currentPos()
        if kind in _NO_END or here != editor.lineEndPosition(line + 1):
            return
        width = language_service.width_of(text)
        if self._is_closed(line, width):
            return
        if kind == "FUNCTION" and not width and not self._functions_end(line):
            return
        blanks = editor.blanks(width)
        editor.insertText(here, f"\n{blanks}end")
        editor.setIndicatorCurrent(Indicator.AUTO_END)
        editor.indicatorFillRange(here + 1 + len(blanks), 3)

    def _is_closed(self, line: int, width: int) -> bool:
        """True when the block that begins on ``line`` has its end, or a body that waits for one."""
        from app.engine.session import language_service

        editor, depth, first = self._editor, 0, True
        last = min(editor.lineCount(), line + MOST_LINES)
        for number in range(line + 2, last):
            text = line_ends(editor, number)
            if not text.strip():
                continue
            if first and language_service.width_of(text) > width:
                return True
            first = False
            if sections.closes(text):
                if depth == 0:
                    return language_service.width_of(text) == width
                depth -= 1
            elif sections.opener(text):
                depth += 1
        return last < editor.lineCount()

    def _functions_end(self, line: int) -> bool:
        """True when the functions of this text are closed by ``end``, the one on ``line`` apart."""
        from app.engine.session import language_service

        return language_service.functions_end(self._text_without_line(line)) is True

    def _functions_nest(self, line: int) -> bool:
        """False when the other functions of this text have no ``end``, and so no indentation."""
        from app.engine.session import language_service

        return language_service.functions_end(self._text_without_line(line)) is not False

    def _text_without_line(self, line: int) -> str:
        """The text without one line; of a long text what stands around it."""
        lines = self._editor.lines()
        del lines[line]
        return "\n".join(lines[max(0, line - MOST_LINES) : line + MOST_LINES])

    # --- words that leave a block --------------------------------------------------------------

    def _on_char(self, character: int) -> None:
        if chr(character).isalnum() or chr(character) == "_":
            self._give_back()
            self._place_line()
        else:
            self._taken = self._moved = None

    def _place_line(self) -> None:
        """A line that begins to close or divide a block goes back; one that no longer does, not."""
        editor = self._editor
        line = editor.caret_line - 1
        text = line_ends(editor, line)
        if editor.selections() > 1:
            return
        if self._moved is not None and self._moved[0] == line and not sections.leaves_block(text):
            editor.setLineIndentation(line, self._moved[1])
            self._moved = None
            return
        if not sections.leaves_block(text) or editor.currentPos() != editor.lineEndPosition(line):
            return
        above = [*lines_above(editor, line, MOST_LINES_ABOVE), text]
        indent = sections.dedented_column(above, editor.indent())
        if indent is None:
            return
        if indent != editor.lineIndentation(line):
            self._moved = (line, editor.lineIndentation(line))
            editor.setLineIndentation(line, indent)
        if _END.match(text):
            self._take_end(line)

    def _take_end(self, line: int) -> None:
        """The ``end`` that came by itself makes room for the one that was typed."""
        editor = self._editor
        for number in range(line + 1, editor.lineCount()):
            text = editor.line_text(number)
            if text.strip():
                break
        else:
            return
        last = editor.lineEndPosition(number)
        by_itself = editor.indicatorValueAt(Indicator.AUTO_END, last - 3)
        if not by_itself or text.strip() != "end":
            return
        if editor.lineIndentation(number) != editor.lineIndentation(line):
            return
        first = editor.lineEndPosition(number - 1)
        self._taken = (editor.currentPos(), editor.slice(first, last))
        editor.deleteRange(first, last - first)

    def _give_back(self) -> None:
        """The word was not ``end`` after all: the block is open again."""
        taken, self._taken = self._taken, None
        editor = self._editor
        if taken is None or editor.currentPos() not in (taken[0], taken[0] + 1):
            return
        place = editor.lineEndPosition(editor.caret_line - 1)
        editor.insertText(place, taken[1])
        editor.setIndicatorCurrent(Indicator.AUTO_END)
        editor.indicatorFillRange(place + len(taken[1]) - 3, 3)

    # --- pasting ----------------------------------------------------------------------------

    def paste(self, insert: Callable[[], None]) -> None:
        """Paste, and indent whole lines as their new place wants it, as one change."""
        editor = self._editor
        text = QApplication.clipboard().text().replace("\r\n", "\n")
        if not text:
            return  # Scintilla cannot paste from a clipboard that holds nothing at all
        (start, _), *others = editor.ranges()
        line = editor.lineFromPosition(start)
        blank = not editor.slice(editor.positionFromLine(line), start).strip()
        several = 0 < text.rstrip("\n").count("\n") < MOST_PASTED
        if others or not blank or not several or editor.selectionIsRectangle():
            insert()
            return
        with one_step(editor):
            insert()
            self._settle(line, text.rstrip("\n").count("\n") + 1)

    def _settle(self, first: int, count: int) -> None:
        """Move pasted lines sideways together, so that they stand where their block wants them."""
        from app.engine.session import language_service

        editor = self._editor
        lines = [editor.line_text(n) for n in range(first, first + count)]
        made = formatting.reindented_lines("\n".join(["if x", *lines]), editor.indent())[1:]
        widths = [language_service.width_of(line) for line in made]
        base = language_service.indent_of_next(lines_above(editor, first), editor.indent())
        if sections.leaves_block(lines[0]):
            above = [editor.line_text(n) for n in range(max(0, first - 500), first + 1)]
            base = sections.dedented_column(above, editor.indent()) or 0
        lead = widths[0]
        for number, (line, width) in enumerate(zip(lines, widths, strict=True), first):
            if line.strip():
                editor.setLineIndentation(number, max(0, base + width - lead))
