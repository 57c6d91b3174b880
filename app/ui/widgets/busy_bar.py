"""A thin bar whose light walks along it while something takes long."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.ui.support.theme import theme

STEPS = 12
LIGHT = 0.3


class BusyBar(QWidget):
    """Walks when told to and paints nothing but itself; a style's animation costs runs more.

    Attributes:
        share: what is done of the whole, from 0 to 1; None while nobody knows.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self._step = 0
        self.share: float | None = None
        self.setAccessibleName(name)
        self.setFixedSize(72, 4)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def walk(self) -> None:
        """One step to the right, and from the end to the beginning."""
        self._step = (self._step + 1) % STEPS
        self.update()

    def show_share(self, share: float | None) -> None:
        """Show how much is done, or that nobody knows."""
        if share != self.share:
            self.share = share
            self.setToolTip("" if share is None else f"{share:.0%} of the passes of a parfor")
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The groove, and the light on it."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().colour("border"))
        if self.share is not None:
            done = round(self.width() * self.share)
            painter.fillRect(0, 0, done, self.height(), theme().colour("accent"))
            painter.end()
            return
        light = round(self.width() * LIGHT)
        left = round((self.width() - light) * self._step / (STEPS - 1))
        painter.fillRect(left, 0, light, self.height(), theme().colour("accent"))
        painter.end()
