"""The flame graph: calls as bars, as wide as the time they took; a click zooms into one."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from app.ui.run_model.call_tree import Call
from app.ui.support import formats
from app.ui.support.fonts import ui_font
from app.ui.support.theme import theme, theme_hub

BAR, SIDE, LEAST = 22, 10, 1.5
Placed = tuple[Call, QRectF]


class FlameGraph(QWidget):
    """Draws a tree of calls from the top down; a double click goes to the line."""

    place_wanted = Signal(str, int)

    def __init__(self) -> None:
        super().__init__()
        self._root = Call("run", "")
        self._top = self._root
        self.setAccessibleName("Flame graph")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        theme_hub().changed.connect(self.update)

    def show_tree(self, root: Call) -> None:
        """Draw another run."""
        alone = list(root.calls.values())
        self._root = self._top = alone[0] if len(alone) == 1 else root
        widest = sorted(root.calls.values(), key=lambda c: -c.ms)[:5]
        texts = (f"{c.name} {formats.milliseconds(c.ms)}" for c in widest)
        self.setAccessibleDescription(", ".join(texts))
        self.setMinimumHeight(_depth(root) * BAR + 2 * SIDE)
        self.update()

    def sizeHint(self) -> QSize:
        """Room for a few levels."""
        return QSize(400, 6 * BAR)

    def zoom(self, call: Call | None) -> None:
        """Let one call take the whole width; None shows everything."""
        self._top = call or self._root
        self.update()

    def placed(self) -> list[Placed]:
        """Every call that is wide enough to be seen, with its bar."""
        width = max(self.width() - 2 * SIDE, 1)
        return list(_place(self._top, float(SIDE), float(width), float(SIDE)))

    def call_at(self, place: QPointF) -> Call | None:
        """The call under a position."""
        return next((call for call, area in self.placed() if area.contains(place)), None)

    # --- painting and input -------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Bars, with names where there is room."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(ui_font(12))
        for call, area in self.placed():
            share = call.own_ms / self._root.ms if self._root.ms else 0.0
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme().colour("heat", 50 + round(170 * min(share * 2, 1.0))))
            painter.drawRoundedRect(area.adjusted(0, 0, -1, -2), 3, 3)
            if area.width() > 36:
                self._paint_text(painter, call, area.adjusted(7, 0, -5, -2))
        painter.end()

    def _paint_text(self, painter: QPainter, call: Call, area: QRectF) -> None:
        text = f"{call.name}   {formats.milliseconds(call.ms)}"
        elide = Qt.TextElideMode.ElideRight
        painter.setPen(theme().colour("text"))
        short = painter.fontMetrics().elidedText(text, elide, int(area.width()))
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, short)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Zoom into a call; a click on the widest one shows everything again."""
        call = self.call_at(event.position())
        self.zoom(None if call is self._top else call)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Go to the line of a call."""
        call = self.call_at(event.position())
        if call is not None and call.line:
            self.place_wanted.emit(call.file, call.line)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape shows everything."""
        if event.key() == Qt.Key.Key_Escape:
            self.zoom(None)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Tooltips say what a bar is."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            call = self.call_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), self.words(call) if call else "", self)
            return True
        return super().event(event)

    def words(self, call: Call) -> str:
        """A call in words."""
        share = formats.percent(call.ms, self._root.ms)
        own = formats.milliseconds(call.own_ms)
        return f"{call.name}\n{formats.milliseconds(call.ms)}, {share} of the run; {own} itself"


def _depth(call: Call) -> int:
    return 1 + max((_depth(c) for c in call.calls.values()), default=0)


def _place(call: Call, x: float, width: float, y: float) -> Iterator[Placed]:
    yield call, QRectF(x, y, width, BAR)
    for inner in sorted(call.calls.values(), key=lambda c: -c.ms):
        part = width * inner.ms / call.ms if call.ms else 0.0
        if part >= LEAST:
            yield from _place(inner, x, part, y + BAR)
        x += part
