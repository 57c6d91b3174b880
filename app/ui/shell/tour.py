"""The tour: five quiet cards, each beside what it is about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.ui.widgets.panel_parts import label

if TYPE_CHECKING:
    from app.ui.shell.main_window import MainWindow

_ONWARDS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Right)
WIDTH = 300
GAP = 10


@dataclass(frozen=True)
class Step:
    """One card.

    Attributes:
        title: what it is about.
        text: one or two sentences.
        near: the widget it stands beside.
    """

    title: str
    text: str
    near: Callable[[MainWindow], QWidget]


def steps() -> tuple[Step, ...]:
    """The cards of the tour."""
    return (
        Step(
            "Run a script",
            "F5 runs the file in front, Ctrl+Enter the section at the caret. Plain array code "
            "moves to the GPU automatically when that is faster.",
            lambda w: w.tool_bar.run_button,
        ),
        Step(
            "Read the verdict in the code",
            "Green brackets join lines that became one kernel; the end of the line says what it "
            "cost. Hover to see why fusion stopped.",
            lambda w: w.editors,
        ),
        Step(
            "Four layouts",
            "Classic to write, GPU to see groups, kernels and transfers, Debug to step, Focus for "
            "the code alone: Ctrl+1 to Ctrl+4.",
            lambda w: w.tool_bar.layout_switch,
        ),
        Step(
            "Everything by name",
            "Ctrl+Shift+P finds every command by a few letters and shows its shortcut.",
            lambda w: w.tool_bar.search,
        ),
        Step(
            "Where your data is",
            "The workspace says of each variable whether it lives on the host, on the GPU, on "
            "both, or has not been needed yet.",
            lambda w: w.docks.areas["right"],
        ),
    )


class Tour(QFrame):
    """A card over the window. It has the keyboard until it ends or somebody clicks elsewhere."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._steps = steps()
        self.number = 0
        self.setObjectName("TourCard")
        self.setAccessibleName("Tour")
        self.setFixedWidth(WIDTH)
        self._title = label("", "title")
        self._text = label("", "muted")
        self._text.setWordWrap(True)
        self._count = label("", "caption")
        self.next_button = QPushButton("Next")
        self.next_button.clicked.connect(self.go_on)
        self.skip_button = QPushButton("Skip")
        self.skip_button.clicked.connect(self.end)
        self._arrange()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        window.installEventFilter(self)
        self._show()
        self.setFocus()

    def _arrange(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 12)
        layout.setSpacing(8)
        layout.addWidget(self._title)
        layout.addWidget(self._text)
        row = QHBoxLayout()
        row.addWidget(self._count)
        row.addStretch(1)
        for button in (self.skip_button, self.next_button):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            row.addWidget(button)
        layout.addLayout(row)

    def go_on(self) -> None:
        """The next card, or the end."""
        self.number += 1
        if self.number == len(self._steps):
            self.end()
        else:
            self._show()

    def end(self) -> None:
        """No more cards."""
        self._window.removeEventFilter(self)
        focus, editor = QApplication.focusWidget(), self._window.editors.current()
        if editor is not None and focus is not None and (focus is self or self.isAncestorOf(focus)):
            editor.setFocus()
        self.hide()
        self.deleteLater()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return, Space and Right go on, Left goes back, Escape ends the tour."""
        if event.key() == Qt.Key.Key_Escape:
            self.end()
        elif event.key() in _ONWARDS:
            self.go_on()
        elif event.key() == Qt.Key.Key_Left:
            self.number = max(0, self.number - 1)
            self._show()
        # No other key goes on to what lies below the card.

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The card stays beside its widget."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def _show(self) -> None:
        step = self._steps[self.number]
        self._title.setText(step.title)
        self._text.setText(step.text)
        self._count.setText(f"{self.number + 1} of {len(self._steps)}")
        last = self.number == len(self._steps) - 1
        self.next_button.setText("Done" if last else "Next")
        self.skip_button.setVisible(not last)
        self._place()
        self.show()
        self.raise_()

    def _place(self) -> None:
        """Below its widget where there is room, else inside it, at its right end."""
        self.adjustSize()
        near = self._steps[self.number].near(self._window)
        area = QRect(near.mapTo(self._window, QPoint(0, 0)), near.size())
        below = area.bottom() + GAP
        if below + self.height() < self._window.height() and area.height() < self.height():
            place = QPoint(area.left(), below)
        else:
            corner = QPoint(self.width() + 3 * GAP, self.height() + 3 * GAP)
            place = area.bottomRight() - corner
        x = min(max(place.x(), GAP), self._window.width() - self.width() - GAP)
        y = min(max(place.y(), GAP), self._window.height() - self.height() - GAP)
        self.move(x, y)
