"""The command window: a transcript above, an input of any number of lines below it."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pyside6_scintilla import Scintilla

from app.engine import protocol
from app.engine.protocol import RunState
from app.ui.editor import sections
from app.ui.editor.surface import MATLAB, Style, Surface
from app.ui.panels.history import History
from app.ui.panels.panel import Context
from app.ui.panels.transcript import Transcript
from app.ui.theme import scintilla_colour, theme

PROMPT = ">>"
MOST_INPUT_LINES = 12
_BLOCK_END = re.compile(r"^\s*end\w*\s*[;,]?\s*(%.*)?$")


def is_complete(text: str) -> bool:
    """False while brackets, a continuation or a block wait for more lines."""
    stripped = text.rstrip()
    if stripped.endswith("...") or text.count("(") > text.count(")"):
        return False
    if text.count("[") > text.count("]") or text.count("{") > text.count("}"):
        return False
    lines = stripped.split("\n")
    opened = sum(1 for line in lines if sections.opener(line))
    closed = sum(1 for line in lines if _BLOCK_END.match(line))
    return opened <= closed


class CommandInput(Surface):
    """The line being typed; grows with its text."""

    submitted = Signal(str)
    interrupted = Signal()

    def __init__(self, history: History) -> None:
        self._prompt = PROMPT
        super().__init__(MATLAB)
        self.history = history
        self.setAccessibleName("Command")
        self.setMargins(1)
        self.setMarginTypeN(0, Scintilla.MarginType.Text)
        self.setMarginLeft(3)
        self.setExtraAscent(1)
        self.setExtraDescent(1)
        self.setHScrollBar(False)
        self.setVScrollBar(False)
        self.setWrapMode(Scintilla.Wrap.Char)
        self.linesAdded.connect(self._on_lines)
        self.set_prompt(PROMPT)

    def apply_theme(self) -> None:
        """Colours; the prompt in the accent."""
        super().apply_theme()
        self.styleSetFore(Style.LineNumber, scintilla_colour(theme()["accent"]))
        self.styleSetBold(Style.LineNumber, True)

    def set_prompt(self, prompt: str) -> None:
        """Show another prompt, such as the question of ``input``."""
        self._prompt = prompt
        self.setMarginWidthN(0, self.textWidth(Style.LineNumber, prompt) + 18)
        self._on_lines(0)

    def put(self, text: str) -> None:
        """Replace what is typed."""
        self.setText(text)
        self._on_lines(0)
        self.gotoPos(self.textLength())

    def submit(self) -> None:
        """Hand the text over."""
        text = self.text()
        self.history.add(text)
        self.put("")
        self.emptyUndoBuffer()
        self.submitted.emit(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter runs, Shift+Enter adds a line, Up and Down search the history."""
        key, modifiers = event.key(), event.modifiers()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not self.autoCActive():
            self._enter(newline=bool(modifiers & Qt.KeyboardModifier.ShiftModifier))
        elif key == Qt.Key.Key_Up and self._on_first_line():
            self._recall(self.history.older(self.text()))
        elif key == Qt.Key.Key_Down and self._on_last_line():
            self._recall(self.history.newer())
        elif key == Qt.Key.Key_Escape and not self.autoCActive():
            self.history.reset()
            self.put("")
        elif key == Qt.Key.Key_C and modifiers == Qt.KeyboardModifier.ControlModifier:
            self._copy_or_interrupt()
        else:
            super().keyPressEvent(event)

    def _enter(self, *, newline: bool) -> None:
        if newline or not (self.text().endswith("\n") or is_complete(self.text())):
            self.newLine()
        else:
            self.submit()

    def _copy_or_interrupt(self) -> None:
        if self.selectionEmpty():
            self.interrupted.emit()
        else:
            self.copy()

    def _recall(self, text: str | None) -> None:
        if text is not None:
            self.put(text)

    def _on_first_line(self) -> bool:
        return not self.autoCActive() and self.lineFromPosition(self.currentPos()) == 0

    def _on_last_line(self) -> bool:
        last = self.lineCount() - 1
        return not self.autoCActive() and self.lineFromPosition(self.currentPos()) == last

    def _on_lines(self, _count: int) -> None:
        for line in range(self.lineCount()):
            self.marginSetText(line, (" " + self._prompt) if line == 0 else "")
            self.marginSetStyle(line, Style.LineNumber)
        shown = min(self.lineCount(), MOST_INPUT_LINES)
        self.setFixedHeight(shown * self.textHeight(0) + 6)


class CommandWindow(QWidget):
    """Shows what scripts print, and runs what is typed in the same workspace."""

    def __init__(self, context: Context, history_file: Path | None = None) -> None:
        super().__init__()
        self.setObjectName("CommandWindow")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.context = context
        self.transcript = Transcript()
        self.input = CommandInput(History(history_file))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 6, 0, 4)
        layout.setSpacing(0)
        layout.addWidget(self.transcript, 1)
        layout.addWidget(self.input)
        layout.addStretch(0)
        self.transcript.lines_changed.connect(self._fit_transcript)
        self._fit_transcript()
        self.setFocusProxy(self.input)
        self.input.submitted.connect(self._on_submit)
        for part in (self.input, self.transcript):
            part.interrupted.connect(context.bridge.stop_run)
        self.transcript.typed.connect(self._on_typed)
        self.transcript.place_clicked.connect(context.open_location)
        self._subscribe()

    def _subscribe(self) -> None:
        bridge = self.context.bridge
        bridge.subscribe(protocol.OutputText, self._on_output)
        bridge.subscribe(protocol.ErrorRaised, self._on_error)
        bridge.subscribe(protocol.ClearScreen, lambda _event: self.transcript.clear_all())
        bridge.subscribe(protocol.InputWanted, self._on_input_wanted)
        self.context.account.state_changed.connect(self._on_state)

    def echo(self, text: str) -> None:
        """Show a command as if it had been typed."""
        self._fresh_line()
        self.transcript.write(f"{PROMPT} ", "prompt")
        self.transcript.write(text.replace("\n", "\n   ") + "\n", "echo")
        self.transcript.scroll_to_end()

    def _fit_transcript(self) -> None:
        """The input stands right below the output until the output fills the window."""
        lines = min(self.transcript.display_lines(), 500)
        self.transcript.setMaximumHeight(lines * self.transcript.textHeight(0))
        self.transcript.setVisible(lines > 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other widths wrap lines elsewhere."""
        super().resizeEvent(event)
        self._fit_transcript()

    def _fresh_line(self) -> None:
        if not self.transcript.at_line_start:
            self.transcript.write("\n")

    def _on_submit(self, text: str) -> None:
        if self.context.account.state == RunState.WAITING_INPUT:
            self.transcript.write(f"{self.input._prompt}{text}\n", "echo")  # noqa: SLF001
            self.context.post(protocol.ProvideInput(text))
        elif text.strip():
            self.echo(text)
            self.context.post(protocol.RunText(text, "<command>", echo=True))

    def _on_typed(self, event: QKeyEvent) -> None:
        self.input.setFocus()
        self.input.keyPressEvent(event)

    def _on_output(self, event: protocol.OutputText) -> None:
        self.transcript.write(event.text, event.stream)

    def _on_error(self, event: protocol.ErrorRaised) -> None:
        self._fresh_line()
        self.transcript.write(error_text(event), "err")

    def _on_input_wanted(self, event: protocol.InputWanted) -> None:
        self.input.set_prompt(event.prompt or "?")

    def _on_state(self) -> None:
        if self.context.account.state != RunState.WAITING_INPUT:
            self.input.set_prompt(PROMPT)


def error_text(event: protocol.ErrorRaised) -> str:
    """An error as the command window shows it: message, caret, frames to click."""
    lines = [f"Error: {event.message}"]
    if event.caret:
        lines.append(event.caret.rstrip("\n"))
    for name, file, line, _column in event.frames:
        if file and not file.startswith("<"):
            lines.append(f"  in {name} ({file}:{line})")
    return "\n".join(lines) + "\n"
