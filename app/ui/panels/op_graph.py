"""The graph of a fusion group: its operations between the arrays that go in and come out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.engine.run_rows import GroupRow
from app.ui.panels.graph_scene import SIGN, Arrow, Item, Scene, build
from app.ui.run_model.fusion_graph import Key, neighbours
from app.ui.run_model.op_chains import chain_text
from app.ui.support.fonts import code_font, ui_font
from app.ui.support.theme import theme, theme_hub

MARGIN = 10
TIP = 4.0


class OpGraph(QWidget):
    """A group with its neighbours; groups and long runs open and close at a click.

    ``chosen`` carries the ids of the operations that were clicked, ``group_wanted`` a group.
    """

    chosen = Signal(object)
    group_wanted = Signal(object)
    line_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.scene = Scene()
        self._groups: Mapping[int, GroupRow] = {}
        self._group: Any = None
        self._drawn: list[tuple[Any, ...]] = []
        self._opened: set[Any] = set()
        self._unfolded: set[Key] = set()
        self._marked: frozenset[int] = frozenset()
        self.setAccessibleName("Operations of the group")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme_hub().changed.connect(self._arrange)

    def show_group(self, groups: Mapping[int, GroupRow], number: Any) -> None:
        """Draw a group of these; another one than before is shown whole, its neighbours closed."""
        if number != self._group:
            self._opened, self._unfolded, self._marked = {number}, set(), frozenset()
        drawn, group = self._drawn, groups[number]
        around = (n for side in neighbours(groups, number) for n in side)
        self._drawn = [_drawn_of(groups[n]) for n in (number, *around)]
        self._groups, self._group = groups, number
        if self._drawn != drawn:
            self.setAccessibleDescription(f"{group.kind}: {chain_text(group.ops)}")
            self._arrange()

    def mark(self, ops: Collection[int]) -> None:
        """Frame these operations of the group."""
        self._marked = frozenset(ops)
        self.update()

    def texts(self) -> list[tuple[str, str]]:
        """What is drawn: role and text."""
        return [(item.role, item.text) for item in self.scene.items]

    def area_of(self, number: int) -> QRectF:
        """Where an operation of the group is drawn; empty when it is folded away."""
        for item in self.scene.items:
            if item.group == self._group and item.node and number in item.node.ops:
                return item.area.translated(self._corner())
        return QRectF()

    def frame_of(self, number: Any) -> QRectF:
        """Where a group is drawn."""
        shapes = (i.area for i in self.scene.items if i.group == number and not i.node)
        return next(shapes, QRectF()).translated(self._corner())

    def toggle(self, number: Any) -> None:
        """Show a group whole, or as one node."""
        self._opened ^= {number}
        self._arrange()

    def _arrange(self) -> None:
        if self._group not in self._groups:
            return
        self.scene = build(self._groups, self._group, self._opened, self._unfolded)
        self.setMinimumSize(self.sizeHint())
        self.update()

    def sizeHint(self) -> QSize:
        """All of it."""
        scene = self.scene
        return QSize(int(scene.width) + 2 * MARGIN, int(scene.height) + 2 * MARGIN)

    def _corner(self) -> QPointF:
        return QPointF(max((self.width() - self.scene.width) / 2, MARGIN), MARGIN)

    def save_svg(self, path: Path) -> None:
        """Save the picture as it is, as vectors."""
        from PySide6.QtSvg import QSvgGenerator

        generator = QSvgGenerator()
        generator.setFileName(str(path))
        generator.setSize(self.size())
        generator.setViewBox(self.rect())
        self.render(generator)

    # --- painting ---------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Frames, arrows, pills."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(self._corner())
        frames = [item for item in self.scene.items if item.role == "frame"]
        for item in frames:
            self._paint_frame(painter, item)
        for arrow in self.scene.arrows:
            self._paint_arrow(painter, arrow)
        told = {(a.points[0].x(), a.points[0].y()): a.text for a in self.scene.arrows if a.told}
        for (x, y), text in told.items():
            self._paint_label(painter, QPointF(x, y), text)
        for item in self.scene.items:
            if item.role != "frame":
                self._paint_pill(painter, item)
        painter.end()

    def _paint_frame(self, painter: QPainter, item: Item) -> None:
        painter.setPen(QPen(theme().colour("border_strong"), 1))
        painter.setBrush(theme().colour("panel"))
        painter.drawRoundedRect(item.area, 6, 6)
        painter.setPen(theme().colour("muted"))
        painter.setFont(ui_font(12))
        title = item.area.adjusted(8, 4, -4, 0)
        painter.drawText(title, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, item.text)

    def _paint_arrow(self, painter: QPainter, arrow: Arrow) -> None:
        style = Qt.PenStyle.DashLine if arrow.back else Qt.PenStyle.SolidLine
        painter.setPen(QPen(theme().colour("border_strong"), 1.3, style))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(_path(arrow))
        painter.setPen(QPen(theme().colour("border_strong"), 1.3))
        for side in (-TIP, TIP):
            painter.drawLine(arrow.points[-1], arrow.points[-1] + QPointF(0.8 * side, -TIP))

    def _paint_label(self, painter: QPainter, start: QPointF, text: str) -> None:
        """What goes along an arrow, on it."""
        painter.setFont(ui_font(11))
        wide = painter.fontMetrics().horizontalAdvance(text) + 6
        area = QRectF(start.x() - wide / 2, start.y() + 3, wide, 14)
        painter.fillRect(area, theme().colour("panel"))
        painter.setPen(theme().colour("muted"))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_pill(self, painter: QPainter, item: Item) -> None:
        operation = item.role in {"op", "run"}
        marked = (
            item.node is not None
            and item.group == self._group
            and bool(self._marked.intersection(item.node.ops))
        )
        edge = theme().colour("accent" if marked else "border_strong")
        plain = operation and not marked
        painter.setPen(Qt.PenStyle.NoPen if plain else QPen(edge, 2 if marked else 1))
        painter.setBrush(theme().colour(f"{item.side}_soft" if operation else "panel"))
        painter.drawRoundedRect(item.area, item.area.height() / 2, item.area.height() / 2)
        painter.setPen(theme().colour(item.side if operation else "muted"))
        painter.setFont(code_font(12) if operation else ui_font(12))
        painter.drawText(item.area, Qt.AlignmentFlag.AlignCenter, item.text)

    # --- mouse ------------------------------------------------------------------------

    def _item_at(self, place: QPointF) -> Item | None:
        return self.scene.item_at(place - self._corner())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose an operation or another group; open and close groups and runs."""
        item = self._item_at(event.position())
        if item is None:
            self._choose(())
        elif item.role in {"group", "frame"}:
            self._press_group(item, event.position() - self._corner())
        elif item.role == "run" and item.node is not None:
            self._unfolded.add(item.node.key)
            self._arrange()
        elif item.group != self._group:
            self.group_wanted.emit(item.group)
        elif item.node is not None:
            self._choose(item.node.ops)

    def _press_group(self, item: Item, place: QPointF) -> None:
        sign = place.x() < item.area.left() + SIGN + 4 and place.y() < item.area.top() + 24
        if sign or (item.role == "group" and item.group == self._group):
            self.toggle(item.group)
        elif item.group != self._group:
            self.group_wanted.emit(item.group)
        else:
            self._choose(())

    def _choose(self, ops: tuple[int, ...]) -> None:
        self.mark(ops)
        self.chosen.emit(ops)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Go to the line of an operation."""
        item = self._item_at(event.position())
        if item is not None and item.node is not None and item.node.lines:
            self.line_wanted.emit(item.node.lines[0])

    def event(self, event: QEvent) -> bool:
        """Tooltips: an operation with its line, shape and class; what goes along an arrow."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.tip_at(QPointF(event.pos())), self)
            return True
        return super().event(event)

    def tip_at(self, place: QPointF) -> str:
        """What is said about a point."""
        item = self._item_at(place)
        if item is not None and item.role != "frame":
            return item.tip
        spot = place - self._corner()
        near = QRectF(spot - QPointF(4, 4), spot + QPointF(4, 4))
        return next((a.text for a in self.scene.arrows if _path(a).intersects(near)), "")


def _drawn_of(group: GroupRow) -> tuple[Any, ...]:
    """What of a group the picture shows; times are not part of it."""
    arrays = group.inputs, group.sources, group.outputs, group.stored
    return group.id, group.kind, group.provider, group.operations, *arrays


def _path(arrow: Arrow) -> QPainterPath:
    """Smooth from rank to rank; straight around the side for what goes back."""
    path = QPainterPath(arrow.points[0])
    for start, end in pairwise(arrow.points):
        if arrow.back:
            path.lineTo(end)
        else:
            middle = (start.y() + end.y()) / 2
            path.cubicTo(QPointF(start.x(), middle), QPointF(end.x(), middle), end)
    return path
