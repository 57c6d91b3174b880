"""The tabs of open files: dragged along their strip, or out of it to be seen in a second view."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRect, Signal
from PySide6.QtGui import QContextMenuEvent, QMouseEvent

from app.ui.editor.split import SplitArea
from app.ui.widgets.tab_drag import DraggableTabs, DropTarget


class _FileDrag:
    """The file in front on its way to the second view."""

    def __init__(self, area: SplitArea, settle: Callable[[], object]) -> None:
        self._area, self._settle, self._editor = area, settle, area.front()
        self._target = DropTarget(area.window())  # a splitter makes room for what it holds

    def follow(self, place: QPoint) -> None:
        """Light up where the file would be seen."""
        landing = self._area.landing(place)
        if landing is not None:
            corner = self._area.mapTo(self._area.window(), landing.area.topLeft())
            self._target.show_at(QRect(corner, landing.area.size()))
        else:
            self._target.hide()

    def drop(self, place: QPoint) -> None:
        """Show the file in the second view."""
        landing = self._area.landing(place)
        self.cancel()
        if landing is not None and self._editor is not None:
            self._area.show_beside(self._editor, landing.orientation)

    def cancel(self) -> None:
        """The tabs stand as they did."""
        self._settle()
        self._target.hide()
        self._target.deleteLater()


class FileTabs(DraggableTabs):
    """The strip over the editor.

    Attributes:
        menu_wanted: carries the tab's number and a place of the screen.
        split: where files are seen that are dragged out.
    """

    menu_wanted = Signal(int, QPoint)

    def __init__(self) -> None:
        super().__init__()
        self.split: SplitArea | None = None
        self._front = self._taken = -1

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Keep in mind which tab was in front, and which one is taken."""
        self._front, self._taken = self.currentIndex(), self.tabAt(event.position().toPoint())
        super().mousePressEvent(event)

    def begin_drag(self) -> _FileDrag:
        """A file leaves the strip."""
        assert self.split is not None
        return _FileDrag(self.split, self._settle)

    def _settle(self) -> None:
        """Take the tab back to where it was among the others, and behind the one in front."""
        self.moveTab(self.currentIndex(), self._taken)
        self.setCurrentIndex(self._front)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the tab there."""
        index = self.tabAt(event.pos())
        if index >= 0:
            self.menu_wanted.emit(index, event.globalPos())
