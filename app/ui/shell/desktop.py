"""What scripts ask of the window: files to edit, panels to show, progress with a way to cancel."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.engine.protocol import FigureClosed, FigureInput, FigureUpdated, OpenFile, ShowPanel
from app.ui.support.bridge import Bridge
from app.ui.widgets.panel_parts import label

if TYPE_CHECKING:
    from app.ui.plots.series_arrays import Exported
    from app.ui.shell.main_window import MainWindow

WIDTH = 380
STEPS = 1000


class DesktopRequests(QObject):
    """Does what ``edit``, ``open``, ``openvar``, ``workspace``, ``doc`` … ask for."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        window.bridge.subscribe(OpenFile, self._on_open_file)
        window.bridge.subscribe(ShowPanel, self._on_show_panel)
        self.progress = ProgressDialogs(window, window.bridge)

    def _on_open_file(self, event: OpenFile) -> None:
        window, path = self._window, Path(event.file)
        if not event.file:
            window.editors.new()
        elif event.line:
            window.open_location(event.file, event.line)
        elif path.is_file():
            window.open_file(path)
        else:
            window.editors.new_at(path)

    def _on_show_panel(self, event: ShowPanel) -> None:
        window = self._window
        window.docks.show_panel(event.panel)
        panel = window.panel(event.panel)
        if event.panel == "command":
            window.to_command_window()
        elif event.panel == "variable":
            panel.open_variable(event.argument)  # type: ignore[attr-defined]
        elif event.panel == "help" and event.argument != "doc":
            panel.open(event.argument)  # type: ignore[attr-defined]


class ProgressDialogs(QObject):
    """One dialog for each ``waitbar`` of the script."""

    def __init__(self, parent: QWidget, bridge: Bridge) -> None:
        super().__init__(parent)
        self._parent = parent
        self._post = bridge.post
        self.dialogs: dict[int, ProgressDialog] = {}
        bridge.subscribe(FigureUpdated, self._on_updated)
        bridge.subscribe(FigureClosed, self._on_closed)

    def _on_updated(self, event: FigureUpdated) -> None:
        if event.figure.get("progress") is None:
            return
        dialog = self.dialogs.get(event.number)
        if dialog is None:
            wish = partial(self._act, event.number)
            dialog = self.dialogs[event.number] = ProgressDialog(self._parent, wish)
        dialog.show_model(event.figure)

    def _on_closed(self, event: FigureClosed) -> None:
        dialog = self.dialogs.pop(event.number, None)
        if dialog is not None:
            dialog.hide()
            dialog.deleteLater()

    def _act(self, number: int, action: str, target: int = 0) -> None:
        data = ("Value", (1.0,)) if action == "control" else ()
        self._post(FigureInput(number, action, target, data))


class ProgressDialog(QDialog):
    """A bar, what is being done, and the script's own buttons; the keyboard stays where it is."""

    def __init__(self, parent: QWidget, act: Callable[..., None]) -> None:
        super().__init__(parent)
        self._act = act
        self.setModal(False)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAccessibleName("Progress")
        self.setFixedWidth(WIDTH)
        self.text = label()
        self.text.setWordWrap(True)
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.bar = QProgressBar()
        self.bar.setRange(0, STEPS)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(6)
        self.share = label("", "muted")
        self._buttons = QHBoxLayout()
        self._buttons.addWidget(self.share)
        self._buttons.addStretch(1)
        self._made: dict[int, QPushButton] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 12)
        layout.setSpacing(10)
        layout.addWidget(self.text)
        layout.addWidget(self.bar)
        layout.addLayout(self._buttons)

    def show_model(self, model: Exported) -> None:
        """Show another state of the figure that the dialog stands for."""
        part, text = model["progress"]
        self.setWindowTitle(model["Name"] or "Progress")
        self.text.setText(text)
        self.text.setVisible(bool(text))
        self.bar.setValue(round(part * STEPS))
        self.share.setText(f"{part:.0%}")
        controls = {c["id"]: c for c in model["children"] if c["kind"] == "uicontrol"}
        for number in controls.keys() - self._made.keys():
            button = self._made[number] = QPushButton()
            button.clicked.connect(partial(self._press, number))
            self._buttons.addWidget(button)
        for number, control in controls.items():
            self._made[number].setText(" ".join(control["texts"]) or "Cancel")
        self.setVisible(bool(model["Visible"]))

    def _press(self, number: int, *_checked: bool) -> None:
        self._made[number].setEnabled(False)
        self._act("control", number)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Whether it closes is for the script to say, which may only note that it is to end."""
        event.ignore()
        self._act("close")

    def reject(self) -> None:
        """Escape is a wish to close, too."""
        self._act("close")
