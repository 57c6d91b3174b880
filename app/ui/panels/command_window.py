"""The command window: a transcript above, an input of any number of lines below it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pyside6_scintilla import Scintilla

from app.engine import protocol
from app.engine.error_text import in_files, stack_lines
from app.engine.run_state import RunState
from app.ui.editor.blocks import Blocks
from app.ui.editor.surface import MATLAB, Style, Surface, display_lines, is_enter
from app.ui.panels.panel import Context
from app.ui.panels.transcript import LEFT, Transcript
from app.ui.run_model.command_history import History
from app.ui.support.theme import scintilla_colour, theme

PROMPT, PAUSED_PROMPT = ">>", "K>>"
ANY_KEY = "Press any key to continue"
MOST_INPUT_LINES = 12
MARGIN_ABOVE, MARGIN_BELOW = 6, 4
PROMPT_GAP = 3
"""What Scintilla leaves between a text in a margin and the margin's right end."""


class CommandInput(Surface):
    """The line being typed; grows with its text.

    Brackets are not closed by themselves here: an open one says that the command goes on.

    Attributes:
        prompt: what stands before it.
        asking: it waits for the answer to a question of a script, which is a single line.
        any_key: the script goes on at any key.
    """

    submitted = Signal(str)
    interrupted = Signal()
    lines_shown = Signal()
    edited = Signal()

    def __init__(self, history: History) -> None:
        self.prompt = PROMPT
        self.asking = self.any_key = False
        super().__init__(MATLAB)
        self.history = history
        self.setAccessibleName("Command")
        self.setMargins(1)
        self.setMarginTypeN(0, Scintilla.MarginType.RText)
        self.setExtraAscent(1)
        self.setExtraDescent(1)
        self.setHScrollBar(False)
        self.setVScrollBar(False)
        self.setWrapMode(Scintilla.Wrap.WhiteSpace)
        self.linesAdded.connect(self._on_lines)
        self.updateUi.connect(self._on_update)
        self._blocks = Blocks(self, lambda: False)
        self.key_handlers.append(self._on_key)
        self._fit_prompt()
        self._on_lines(0)

    def apply_theme(self) -> None:
        """Colours; the prompt in the accent."""
        super().apply_theme()
        self.styleSetFore(Style.LineNumber, scintilla_colour(theme()["accent"]))
        self.styleSetBold(Style.LineNumber, True)
        self._fit_prompt()

    def _fit_prompt(self) -> None:
        """The prompt, and what is typed, stand below those of the transcript."""
        width = self.textWidth(Style.LineNumber, self.prompt)
        self.setMarginWidthN(0, LEFT + width + PROMPT_GAP)
        self.setMarginLeft(self.textWidth(Style.LineNumber, " ") - PROMPT_GAP)

    def set_prompt(self, prompt: str) -> None:
        """Show another prompt, such as the question of ``input``."""
        if prompt == self.prompt:
            return
        self.prompt = prompt
        self._fit_prompt()
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

    def _on_key(self, event: QKeyEvent) -> bool:
        """Enter runs, Shift+Enter adds a line, Up and Down search the history."""
        key, modifiers = event.key(), event.modifiers()
        if self.any_key and event.text() and not modifiers & Qt.KeyboardModifier.ControlModifier:
            self.any_key = False
            self.submitted.emit("")
        elif is_enter(event):
            self._enter(modifiers)
        elif key == Qt.Key.Key_Up and self._on_line(0):
            self._recall(self.history.older(self.text()))
        elif key == Qt.Key.Key_Down and self._on_line(self.lineCount() - 1):
            self._recall(self.history.newer())
        elif key == Qt.Key.Key_Escape:
            self.history.reset()
            self.put("")
        elif key == Qt.Key.Key_C and modifiers == Qt.KeyboardModifier.ControlModifier:
            self._copy_or_interrupt()
        else:
            return False
        return True

    def _enter(self, held: Qt.KeyboardModifier) -> None:
        """Run what is whole; what is not, and anything with Shift, goes on in another line.

        With Control everything is run as it is.
        """
        from app.engine.session import language_service

        newline = bool(held & Qt.KeyboardModifier.ShiftModifier)
        as_it_is = bool(held & Qt.KeyboardModifier.ControlModifier)
        if newline or not (as_it_is or self.asking or language_service.is_complete(self.text())):
            self._blocks.new_line()
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

    def _on_line(self, line: int) -> bool:
        return self.lineFromPosition(self.currentPos()) == line

    def _on_lines(self, _count: int) -> None:
        for line in range(self.lineCount()):
            self.marginSetText(line, self.prompt if line == 0 else "")
            self.marginSetStyle(line, Style.LineNumber)
        self._fit_height()

    def _fit_height(self) -> None:
        """Every line is in view, also where one is broken at the edge, up to a dozen."""
        lines = max(display_lines(self), 1)
        height = min(lines, MOST_INPUT_LINES) * self.textHeight(0) + 6
        if height != self.height() or height != self.maximumHeight():
            self.setFixedHeight(height)
            self.lines_shown.emit()
        if lines <= MOST_INPUT_LINES and self.firstVisibleLine():
            self.setFirstVisibleLine(0)

    def _on_update(self, what: int) -> None:
        """Lines are broken as they are painted."""
        if what & Scintilla.Update.Content:
            QTimer.singleShot(0, self, self._fit_height)
            self.edited.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width breaks lines elsewhere."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            QTimer.singleShot(0, self, self._fit_height)


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
        layout.setContentsMargins(0, MARGIN_ABOVE, 0, MARGIN_BELOW)
        layout.setSpacing(0)
        layout.addWidget(self.transcript, 1)
        layout.addWidget(self.input)
        layout.addStretch(0)
        self.transcript.lines_changed.connect(self._fit_transcript)
        self.input.lines_shown.connect(self._fit_transcript)
        self._fit_transcript()
        self.setFocusProxy(self.input)
        self.input.submitted.connect(self._on_submit)
        for part in (self.input, self.transcript):
            part.interrupted.connect(self._interrupt)
        self.transcript.typed.connect(self._on_typed)
        self.transcript.place_clicked.connect(context.open_location)
        self._subscribe()

    def _subscribe(self) -> None:
        bridge = self.context.bridge
        bridge.subscribe(protocol.OutputText, self._on_output)
        bridge.subscribe(protocol.ErrorRaised, self._on_error)
        bridge.subscribe(protocol.ClearScreen, lambda _event: self.transcript.clear_all())
        bridge.subscribe(protocol.InputWanted, self._on_input_wanted)
        bridge.subscribe(protocol.RunFinished, self._on_finished)
        self.context.run_model.state_changed.connect(self._on_state)

    def echo(self, text: str) -> None:
        """Show a command as if it had been typed."""
        self._fresh_line()
        prompt = f"{PAUSED_PROMPT if self._is_paused else PROMPT} "
        self.transcript.write(prompt, "prompt")
        self.transcript.write(text.replace("\n", "\n" + " " * len(prompt)) + "\n", "echo")
        self.transcript.scroll_to_end()

    def _fit_transcript(self) -> None:
        """The input stands right below the output, of which whole lines are shown."""
        height = self.transcript.textHeight(0)
        room = self.contentsRect().height() - MARGIN_ABOVE - MARGIN_BELOW - self.input.height()
        lines = min(display_lines(self.transcript), max(room // height, 1))
        self.transcript.setMaximumHeight(lines * height)
        self.transcript.setVisible(lines > 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other widths wrap lines elsewhere."""
        super().resizeEvent(event)
        self._fit_transcript()

    def _fresh_line(self) -> None:
        if not self.transcript.at_line_start:
            self.transcript.write("\n")

    def _on_submit(self, text: str) -> None:
        if self.input.asking:  # the state WAITING_INPUT may come a moment after the question
            self.input.asking = False
            if self.input.prompt != ANY_KEY:
                self.transcript.write(f"{self.input.prompt}{text}\n", "echo")
            self.context.post(protocol.ProvideInput(text))
        elif text.strip():
            self.echo(text)
            self.context.post(protocol.RunText(text, echo=True))

    def _interrupt(self) -> None:
        """Stop what runs; in a pause what is typed goes first, and the script with the next key."""
        if self._is_paused and self.input.text():
            self.input.put("")
        else:
            self.context.bridge.stop_run()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click beside the lines means the prompt, too."""
        super().mousePressEvent(event)
        self.input.setFocus()

    def _on_typed(self, event: QKeyEvent) -> None:
        self.input.setFocus()
        self.input.keyPressEvent(event)

    def _on_output(self, event: protocol.OutputText) -> None:
        if event.line:
            return  # the document shows it in place
        self.transcript.write(event.text, event.stream)

    def _on_error(self, event: protocol.ErrorRaised) -> None:
        self._fresh_line()
        self.transcript.write(error_text(event), "err")

    def _on_input_wanted(self, event: protocol.InputWanted) -> None:
        self.input.asking, self.input.any_key = True, event.any_key
        self.input.set_prompt(ANY_KEY if event.any_key else event.prompt or "?")

    @property
    def _is_paused(self) -> bool:
        return self.context.run_model.state == RunState.PAUSED

    def _on_state(self) -> None:
        if self.context.run_model.state != RunState.WAITING_INPUT:
            self.input.asking = self.input.any_key = False
            self.input.set_prompt(PAUSED_PROMPT if self._is_paused else PROMPT)

    def _on_finished(self, event: protocol.RunFinished) -> None:
        if event.status == "interrupted" and not self._is_paused:  # else it was left there
            self._fresh_line()
            self.transcript.write("Operation terminated by user.\n", "err")


def error_text(event: protocol.ErrorRaised) -> str:
    """An error as the command window shows it: message, caret, frames to click."""
    lines = [f"Error: {event.message}"]
    if event.caret:
        lines.append(event.caret.rstrip("\n"))
    if event.details:
        lines.append(event.details.rstrip("\n"))
    lines += stack_lines(in_files(event.frames))
    return "\n".join(lines) + "\n"
