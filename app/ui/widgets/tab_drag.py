"""A strip of tabs that can be dragged out of it, and the light on where they would go."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QTabBar, QWidget

from app.ui.support.theme import theme


class TabDrag(Protocol):
    """A tab on its way; places are those of the screen."""

    def follow(self, place: QPoint) -> None:
        """The mouse is at a place."""

    def drop(self, place: QPoint) -> None:
        """The tab is let go there."""

    def cancel(self) -> None:
        """The tab stays where it was."""


class DropTarget(QWidget):
    """Lights up where something that is dragged would go."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def show_at(self, area: QRect) -> None:
        """Light up a part of the parent, over all that is in it."""
        self.setGeometry(area)
        self.raise_()
        self.show()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A veil with an edge."""
        painter = QPainter(self)
        painter.setPen(theme().colour("accent"))
        painter.setBrush(theme().colour("accent", 40))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()


class DraggableTabs(QTabBar):
    """A tab that leaves the strip is dragged until it is let go, or Escape is pressed."""

    def __init__(self) -> None:
        super().__init__()
        self._pressed: QPoint | None = None
        self._drag: TabDrag | None = None
        self.setExpanding(False)
        self.setDrawBase(False)

    def begin_drag(self) -> TabDrag:
        """The current tab, which is the one that was pressed, leaves the strip."""
        raise NotImplementedError

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A drag may begin here."""
        here = event.position().toPoint()
        if event.button() == Qt.MouseButton.LeftButton and self.tabAt(here) >= 0:
            self._pressed = here
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """What has left the strip follows the mouse."""
        start, here = self._pressed, event.position().toPoint()
        if self._drag is None and start is not None and self._is_outside(here, start):
            self._pressed = None
            self._drag = self.begin_drag()
            self.grabKeyboard()
        if self._drag is None:
            super().mouseMoveEvent(event)
        else:
            self._drag.follow(event.globalPosition().toPoint())

    def _is_outside(self, here: QPoint, start: QPoint) -> bool:
        far = (here - start).manhattanLength() > 4 * QApplication.startDragDistance()
        return far and not self.rect().adjusted(0, -12, 0, 12).contains(here)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """What is dragged is dropped here."""
        super().mouseReleaseEvent(event)
        self._pressed = None
        drag = self._end_drag()
        if drag is not None:
            drag.drop(event.globalPosition().toPoint())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape puts back what is dragged; no other key does anything meanwhile."""
        if self._drag is None:
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Escape:
            drag = self._end_drag()
            if drag is not None:
                drag.cancel()

    def _end_drag(self) -> TabDrag | None:
        drag, self._drag = self._drag, None
        if drag is not None:
            self.releaseKeyboard()
        return drag
