"""The output of the command window: any amount of text without a hitch."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QWidget
from pyside6_scintilla import Scintilla

from app.engine.livecode.printed_text import rubbed_out
from app.ui.editor.surface import Surface, whole_characters
from app.ui.panels.place_links import PlaceLinks
from app.ui.support import formats
from app.ui.support.theme import scintilla_colour, theme

MOST_LINES = 100_000
LEFT = 10
"""Pixels before each line."""
_STYLES = {"out": 1, "err": 2, "warning": 3, "prompt": 4, "echo": 5, "faint": 6}
_LINKS = {"err": 7, "warning": 8, "out": 9}
"""The styles of places in files, which can be clicked."""
_COMMANDS = frozenset(_STYLES[name] for name in ("prompt", "echo", "faint"))
"""What no printed backspace takes away."""
_TOKENS = {
    "out": "text",
    "err": "error",
    "warning": "warning",
    "prompt": "faint",
    "echo": "text",
    "faint": "faint",
}
_HERE = frozenset(
    {
        Qt.Key.Key_PageUp,
        Qt.Key.Key_PageDown,
        Qt.Key.Key_Control,
        Qt.Key.Key_Shift,
        Qt.Key.Key_Alt,
        Qt.Key.Key_Meta,
        Qt.Key.Key_AltGr,
    }
)
"""Keys that scroll the output, or do nothing by themselves."""


class Transcript(Surface):
    """A read-only, append-only text whose error places can be clicked."""

    place_clicked = Signal(str, int)
    lines_changed = Signal()
    typed = Signal(QKeyEvent)
    interrupted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setAccessibleName("Output")
        self.setReadOnly(True)
        self.setAcceptDrops(False)  # what is dropped is the window's
        self.setUndoCollection(False)
        self.setCaretStyle(Scintilla.CaretStyle.Invisible)
        self.setMarginLeft(LEFT)
        self.setExtraAscent(1)
        self.setExtraDescent(1)
        self.setWrapMode(Scintilla.Wrap.WhiteSpace)
        self.elided = self._told = 0
        self._owed_line_end = False
        self._follows = False
        self.links = PlaceLinks(self, _LINKS, self.place_clicked.emit)
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(self._on_range)
        bar.actionTriggered.connect(lambda: QTimer.singleShot(0, self, self._note_place))

    def apply_theme(self) -> None:
        """Colours of the streams."""
        super().apply_theme()
        for stream, style in _STYLES.items():
            self.styleSetFore(style, scintilla_colour(theme()[_TOKENS[stream]]))
        for stream, style in _LINKS.items():
            self.styleSetFore(style, scintilla_colour(theme()[_TOKENS[stream]]))
            self.styleSetHotSpot(style, True)

    def write(self, text: str, stream: str = "out") -> None:
        """Append text; when there is too much, the oldest lines make room.

        Backspaces take away what was printed before, never a command.
        """
        self._note_place()
        self.links.line = -1
        text, before = rubbed_out(whole_characters(text))
        self._rub_out(before)
        text = self._with_line_ends(self._limited_text(text))
        start = self.textLength()
        self.add(text)
        self.startStyling(start, 0)
        self.setStyling(self.textLength() - start, _STYLES[stream])
        if stream in _LINKS:
            self.links.add(text, start, stream)
        self._drop_old()
        self._tell_elided()
        self.lines_changed.emit()
        if self._follows:
            self.scroll_to_end()

    def _on_range(self, _least: int, most: int) -> None:
        """Long lines are broken after they were written: their ends come into view, too."""
        if self._follows and most - self.firstVisibleLine() <= self.linesOnScreen():
            QTimer.singleShot(0, self, self.scroll_to_end)  # not within its painting

    def clear_all(self) -> None:
        """Forget everything."""
        self.show_text("")
        self.elided = self._told = 0
        self._owed_line_end = False
        self.links.line = -1
        self.lines_changed.emit()

    def scroll_to_end(self) -> None:
        """Show the newest line."""
        self.gotoPos(self.textLength())
        self.scrollToEnd()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Whoever was at the end stays there."""
        super().resizeEvent(event)
        if self._follows and self.textLength():
            self.scroll_to_end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copying, selecting and scrolling stay here; all other keys mean the input line.

        Where nothing is selected, the key that copies interrupts, as it does at the prompt.
        """
        selects = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier) and not event.text()
        if event.matches(QKeySequence.StandardKey.Copy):
            if self.selectionEmpty():
                self.interrupted.emit()
            else:
                self.copy()
        elif selects or event.key() in _HERE or event.matches(QKeySequence.StandardKey.SelectAll):
            super().keyPressEvent(event)
            self._note_place()
        else:
            self.typed.emit(event)

    def _rub_out(self, count: int) -> None:
        """Take the last printed characters away, as far as they are not a command's."""
        end = start = self.textLength()
        if count and self._owed_line_end and not self._is_command(end):
            self._owed_line_end = False
            count -= 1
        while count and start and not self._is_command(start):
            start, count = self.positionBefore(start), count - 1
        if start < end:
            self.setReadOnly(False)
            self.deleteRange(start, end - start)
            self.setReadOnly(True)

    def _is_command(self, position: int) -> bool:
        """Whether what stands before a place was not printed."""
        return position > 0 and self.styleAt(self.positionBefore(position)) in _COMMANDS

    def _with_line_ends(self, text: str) -> str:
        """The last line end waits for more text, so that no empty line stands at the end."""
        text = ("\n" if self._owed_line_end else "") + text
        self._owed_line_end = text.endswith("\n")
        return text[:-1] if self._owed_line_end else text

    @property
    def at_line_start(self) -> bool:
        """True when the next text begins on a line of its own."""
        return self._owed_line_end or self.textLength() == 0

    def _note_place(self) -> None:
        """Whether the newest line is in view, which is where the view goes then."""
        last = self.visibleFromDocLine(self.lineCount() - 1)
        self._follows = self.firstVisibleLine() + self.linesOnScreen() >= last - 1

    def _limited_text(self, text: str) -> str:
        excess = text.count("\n") - MOST_LINES
        if excess <= 0:
            return text
        self.elided += excess + self.lineCount()
        position = 0
        for _ in range(excess):
            position = text.index("\n", position) + 1
        self.show_text("")
        self._told = 0
        return text[position:]

    def _drop_old(self) -> None:
        excess = self.lineCount() - MOST_LINES
        if excess <= MOST_LINES // 10 and not (self.elided and excess > 0):
            return
        self.elided += excess - bool(self._told)
        end = self.positionFromLine(excess)
        self._told = 0
        self.setReadOnly(False)
        self.deleteRange(0, end)
        self.setReadOnly(True)

    def _tell_elided(self) -> None:
        """The first line says how many are not there any more."""
        if self.elided == self._told:
            return
        note = f"… {formats.count(self.elided)} earlier lines are not kept"
        old = self.positionFromLine(1) if self._told else 0
        self.setReadOnly(False)
        self.deleteRange(0, old)
        self.insertText(0, f"{note}\n")
        self.setReadOnly(True)
        self.startStyling(0, 0)
        self.setStyling(len(note.encode()), _STYLES["faint"])
        self._told = self.elided
