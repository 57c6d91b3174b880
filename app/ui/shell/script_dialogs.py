"""Dialogs beside a script's work: its messages, and its progress with a way to cancel."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.engine.dialog_state import Dialog
from app.engine.protocol import DialogUpdated, FigureClosed, FigureInput
from app.ui.support.bridge import Bridge
from app.ui.widgets.panel_parts import label
from app.ui.widgets.question_dialog import told

PROGRESS_WIDTH = 380
STEPS = 1000
Act = Callable[..., None]
"""What was done: an action of ``FigureInput``, and the id of what it was done to."""


class ScriptDialogs(QObject):
    """One dialog for each message (``msgbox`` …) and progress (``waitbar`` …) of the script."""

    def __init__(self, parent: QWidget, bridge: Bridge, busy: Callable[[], bool]) -> None:
        super().__init__(parent)
        self._parent, self._busy = parent, busy
        self._held: set[int] = set()
        self._post = bridge.post
        self.shown: dict[int, MessageDialog | ProgressDialog] = {}
        bridge.subscribe(DialogUpdated, self._on_updated)
        bridge.subscribe(FigureClosed, self._on_closed)

    def _on_updated(self, event: DialogUpdated) -> None:
        make = MessageDialog if event.dialog.kind == "message" else ProgressDialog
        if not isinstance(self.shown.get(event.number), make):
            self._end(event.number)  # its number may have been given away at once
            self.shown[event.number] = make(self._parent, partial(self._post_action, event.number))
        (self._held.add if event.dialog.held else self._held.discard)(event.number)
        self.shown[event.number].show_state(event.dialog)

    def _on_closed(self, event: FigureClosed) -> None:
        self._end(event.number)

    def _end(self, number: int) -> None:
        self._held.discard(number)
        dialog = self.shown.pop(number, None)
        if dialog is not None:
            dialog.hide()
            dialog.deleteLater()

    def _post_action(self, number: int, action: str, target: int = 0) -> None:
        if action == "close" and number in self._held and self._busy():
            action = "cancel"
        data = ("Value", (1.0,)) if action == "control" else ()
        self._post(FigureInput(number, action, target, data))


class _ScriptDialog(QDialog):
    """Beside the window, without its keyboard; whether it closes is for the script to say."""

    def __init__(self, parent: QWidget, act: Act) -> None:
        super().__init__(parent)
        self.act = act
        self.setModal(False)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(16, 14, 16, 12)
        self.column.setSpacing(10)

    def closeEvent(self, event: QCloseEvent) -> None:
        """The script may only note that it is to end."""
        event.ignore()
        self.act("close")

    def reject(self) -> None:
        """Escape is a wish to close, too."""
        self.act("close")


class MessageDialog(_ScriptDialog):
    """A text beside its icon, until it is read."""

    def __init__(self, parent: QWidget, act: Act) -> None:
        super().__init__(parent, act)
        self.setAccessibleName("Message")
        self._told = QWidget()
        self.column.addWidget(self._told)
        self.button = QPushButton("OK")
        self.button.setDefault(True)
        self.button.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.button)
        self.column.addLayout(row)

    def show_state(self, state: Dialog) -> None:
        """Show what ``DialogUpdated`` carries."""
        self.setWindowTitle(state.title or "Fuselab")
        before, self._told = self._told, told(state.text, state.icon)
        self.column.replaceWidget(before, self._told)
        before.deleteLater()
        self.setVisible(state.visible)


class ProgressDialog(_ScriptDialog):
    """A bar, what is being done, and the script's own buttons."""

    def __init__(self, parent: QWidget, act: Act) -> None:
        super().__init__(parent, act)
        self.setAccessibleName("Progress")
        self.setFixedWidth(PROGRESS_WIDTH)
        self.text = label()
        self.text.setWordWrap(True)
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(6)
        self.share = label("", "muted")
        self._buttons = QHBoxLayout()
        self._buttons.addWidget(self.share)
        self._buttons.addStretch(1)
        self.made: dict[int, QPushButton] = {}
        self.column.addWidget(self.text)
        self.column.addWidget(self.bar)
        self.column.addLayout(self._buttons)

    def show_state(self, state: Dialog) -> None:
        """Show what ``DialogUpdated`` carries."""
        part, text = state.part, state.text
        self.setWindowTitle(state.title or "Progress")
        self.text.setText(text)
        self.text.setVisible(bool(text))
        self.bar.setRange(0, 0 if part is None else STEPS)
        self.bar.setValue(0 if part is None else round(part * STEPS))
        self.share.setText(f"{part:.0%}" if state.share and part is not None else "")
        self.share.setVisible(bool(self.share.text()))
        for number, title in state.buttons:
            if number not in self.made:
                button = self.made[number] = QPushButton()
                button.clicked.connect(partial(self._press, number))
                self._buttons.addWidget(button)
            self.made[number].setText(title)
        for number in self.made.keys() - {n for n, _ in state.buttons}:
            self.made.pop(number).deleteLater()
        self.setVisible(state.visible)

    def _press(self, number: int, *_checked: bool) -> None:
        self.made[number].setEnabled(False)
        self.act("control" if number else "cancel", number)
