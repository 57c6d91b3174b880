"""The lines of a cell as they are typed on: marks of the format are not seen, so the caret stays
out of them, and what is cut, copied and pasted has none."""

from __future__ import annotations

import re

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QWidget

from app.engine.livecode.control_places import MARK, TAIL, with_places
from app.ui.editor.split import SecondView
from app.ui.editor.surface import is_enter
from app.ui.editor.text_changes import one_step, replace_range

_PROSE = re.compile(r"^[ \t]*%\[text\](?:\{[^\n]*?\})? ?")
_NESTING = "  "
Key = Qt.Key
Standard = QKeySequence.StandardKey


class CellTyping(QObject):
    """What keys mean in the lines of one cell.

    Attributes:
        first: the first line that is seen, from 0.
        last: the last one.
    """

    def __init__(self, view: SecondView) -> None:
        super().__init__(view)
        self._view = view
        self._prefix = ""
        self.first = self.last = 0

    @property
    def prefix(self) -> str:
        """What every line of text begins with; empty for code."""
        return self._prefix

    @prefix.setter
    def prefix(self, prefix: str) -> None:
        self._prefix = prefix
        self._view.holds_code = not prefix

    def move_lines(self, *, down: bool) -> None:
        """Swap the selected lines with the one above or below, which is the cell's, too."""
        view = self._view
        if not down and view.lineFromPosition(view.selectionStart()) > self.first:
            view.moveSelectedLinesUp()
        elif down and view.lineFromPosition(view.selectionEnd()) < self.last:
            view.moveSelectedLinesDown()

    # --- where the caret may be -------------------------------------------------------------

    def seen(self, line: int) -> tuple[int, int]:
        """The byte positions between which a line (from 0) is seen."""
        view = self._view
        text, start = view.line_text(line), int(view.positionFromLine(line))
        if self.prefix:
            head = _PROSE.match(text)
            hidden = head[0] if head else self.prefix if text.startswith(self.prefix) else ""
            return start + len(hidden.encode()), int(view.lineEndPosition(line))
        tail = TAIL.search(text)
        end = text[: tail.start()] if tail else text
        return start, start + len(end.encode())

    def keep_out_of_marks(self) -> None:
        """The caret and the anchor leave what is not seen."""
        view = self._view
        if view.selections() > 1:
            return
        before = int(view.anchor()), int(view.currentPos())
        anchor, caret = map(self._settled, before)
        if (anchor, caret) != before:
            view.setSelection(caret, anchor)

    def _settled(self, place: int) -> int:
        begin, end = self.seen(int(self._view.lineFromPosition(place)))
        return min(max(place, begin), end)

    # --- keys -------------------------------------------------------------------------------

    def on_key(self, event: QKeyEvent) -> bool:
        """What a key means beside marks; False where it means what it always does."""
        key, held = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.matches(Standard.Copy):
            self.copy()
        elif event.matches(Standard.Cut):
            self.cut()
        elif event.matches(Standard.Paste):
            self.paste()
        elif is_enter(event) and held in (Qt.KeyboardModifier.NoModifier, _SHIFT):
            return self._break_line()
        elif key in (Key.Key_Tab, Key.Key_Backtab) and self.prefix:
            self._nest(back=key == Key.Key_Backtab or held == _SHIFT)
        elif self._spans_marks() and types(event):
            self._replace(event.text())
        elif key in (Key.Key_Left, Key.Key_Right) and not held & Qt.KeyboardModifier.AltModifier:
            return self._step(back=key == Key.Key_Left, extend=bool(held & _SHIFT))
        elif key in (Key.Key_Backspace, Key.Key_Delete):
            return self._delete(back=key == Key.Key_Backspace, held=held)
        else:
            return False
        return True

    def _step(self, *, back: bool, extend: bool) -> bool:
        """From where a line is not seen any more the caret goes to the next one, or the one
        above."""
        view = self._view
        place, line = int(view.currentPos()), view.caret_line - 1
        begin, end = self.seen(line)
        hidden = begin != view.positionFromLine(line) if back else end != view.lineEndPosition(line)
        if not extend and not view.selectionEmpty():
            return False
        if place != (begin if back else end) or not hidden:
            return False
        wanted = line + (-1 if back else 1)
        if self.first <= wanted <= self.last:
            place = self.seen(wanted)[1 if back else 0]
        view.setSelection(place, view.anchor() if extend else place)
        return True

    def _break_line(self) -> bool:
        """Text goes on with its mark; behind code the marks stay with it."""
        view = self._view
        if self.prefix:
            self._replace(f"\n{self.prefix}")
            return True
        if self._spans_marks():
            self._replace("")
        line = view.caret_line - 1
        end = self.seen(line)[1]
        if view.selectionEmpty() and view.currentPos() == end != view.lineEndPosition(line):
            view.setEmptySelection(view.lineEndPosition(line))
        return False

    def _nest(self, *, back: bool) -> None:
        """Lines of text go one level deeper, or back."""
        view = self._view
        ends = view.selectionStart(), view.selectionEnd()
        first, last = (int(view.lineFromPosition(place)) for place in ends)
        with one_step(view):
            for line in range(first, last + 1):
                begin, end = self.seen(line)
                if not back:
                    view.insertText(begin, _NESTING)
                elif view.slice(begin, min(end, begin + len(_NESTING))) == _NESTING:
                    view.deleteRange(begin, len(_NESTING))
        if view.selectionEmpty() and view.currentPos() < self.seen(first)[0] + len(_NESTING):
            view.setEmptySelection(self.seen(first)[0] + (0 if back else len(_NESTING)))

    def _delete(self, *, back: bool, held: Qt.KeyboardModifier) -> bool:
        """Deleting joins what is seen of two lines, and takes no part of a mark."""
        view = self._view
        if not view.selectionEmpty():
            spans = self._spans_marks()
            if spans:
                self._replace("")
            return spans
        place, line = int(view.currentPos()), view.caret_line - 1
        begin, end = self.seen(line)
        if back and place <= begin and line > self.first:
            self._join(line - 1)
        elif not back and place >= end and line < self.last:
            self._join(line)
        elif held == _CONTROL | _SHIFT:  # all of the line on that side
            view.deleteRange(begin if back else place, place - begin if back else end - place)
        elif held & _CONTROL and self.prefix:
            edge = view.wordStartPosition(place - 1, False) if back else None
            if edge is None or edge >= begin:
                return False
            view.deleteRange(begin, place - begin)
        else:
            return False
        return True

    def _join(self, line: int) -> None:
        """Make one line of a line and the next."""
        self._view.setSelection(self.seen(line + 1)[0], self.seen(line)[1])
        self._replace("")

    def _spans_marks(self) -> bool:
        """Whether the selection reaches over marks: what is not seen cannot be typed over."""
        view = self._view
        ends = view.selectionStart(), view.selectionEnd()
        first, last = (int(view.lineFromPosition(place)) for place in ends)
        if view.selections() > 1 or first == last:
            return False
        lines = range(first, last)
        return bool(self.prefix) or any(self.seen(n)[1] != view.lineEndPosition(n) for n in lines)

    def _replace(self, text: str) -> None:
        """Put a text in place of the selection; marks of code that is left stay behind it."""
        view = self._view
        start, end = int(view.selectionStart()), int(view.selectionEnd())
        first, last = int(view.lineFromPosition(start)), int(view.lineFromPosition(end))
        put = text
        if first != last and not self.prefix:
            put, end = self._with_marks(text, start, end), int(view.lineEndPosition(last))
        replace_range(view, start, end, put)
        view.setEmptySelection(start + len(text.encode()))

    def _with_marks(self, text: str, start: int, end: int) -> str:
        """What stands from ``start`` on once a text has come in place of what is before ``end``,
        which is on another line."""
        view = self._view
        first, last = int(view.lineFromPosition(start)), int(view.lineFromPosition(end))
        own, own_end = self.seen(first)[1], int(view.lineEndPosition(first))
        left = len(view.slice(int(view.positionFromLine(first)), start))
        gone = len(view.slice(int(view.positionFromLine(last)), end))
        behind = self.seen(last)[1]
        marks = view.slice(own, own_end)
        if start < own:  # its value and what it gave may be gone
            marks = "".join(m[0] for m in MARK.finditer(marks) if int(m["last"]) <= left + 1)
        tail = view.slice(behind, int(view.lineEndPosition(last)))
        kept = MARK.sub(lambda m: m[0] if int(m["first"]) > gone else "", tail)
        shift = left + len(text) - gone
        places = {
            mark["id"]: (int(mark["first"]) + shift, int(mark["last"]) + shift)
            for mark in MARK.finditer(kept)
        }
        return text + view.slice(end, behind) + marks + with_places(kept, places)

    # --- the clipboard ----------------------------------------------------------------------

    def _selected(self) -> str:
        """What is seen of the selection."""
        view = self._view
        start, end = int(view.selectionStart()), int(view.selectionEnd())
        first, last = int(view.lineFromPosition(start)), int(view.lineFromPosition(end))
        parts = []
        for line in range(first, last + 1):
            begin, stop = self.seen(line)
            parts.append(view.slice(max(begin, start), max(begin, min(stop, end))))
        return "\n".join(parts)

    def copy(self) -> None:
        """Put what is seen of the selection into the clipboard."""
        view = self._view
        if view.selectionEmpty() or view.selections() > 1:
            view.copy()
        else:
            QApplication.clipboard().setText(self._selected())

    def cut(self) -> None:
        """Take it out of the text, too."""
        view = self._view
        if view.selectionEmpty() or view.selections() > 1:
            view.cut()
        else:
            self.copy()
            self._replace("")

    def paste(self) -> None:
        """Lines that are pasted into text are text."""
        view = self._view
        text = QApplication.clipboard().text().replace("\r\n", "\n")
        with one_step(view):
            if self.prefix and text:
                lines = [_PROSE.sub("", line) for line in text.rstrip("\n").split("\n")]
                self._replace(f"\n{self.prefix}".join(lines))
            else:
                if self._spans_marks():
                    self._replace("")
                view.paste()


def types(event: QKeyEvent) -> bool:
    """Whether a key types a character."""
    held = event.modifiers() & (_CONTROL | Qt.KeyboardModifier.AltModifier)
    return bool(event.text()) and event.text().isprintable() and not held


_SHIFT, _CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def typing_of(view: QWidget | None) -> CellTyping | None:
    """What keys mean in a view that is a cell's; None in others."""
    found = view.findChild(CellTyping) if view is not None else None
    return found if isinstance(found, CellTyping) else None
