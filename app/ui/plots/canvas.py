"""A figure on the screen: a pyqtgraph view with one item per axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from app.engine.protocol import FigureInput
from app.ui.plots.axes_item import AxesItem
from app.ui.plots.axes_surroundings import own_margins
from app.ui.plots.brush_marks import BrushMarks
from app.ui.plots.canvas_input import CanvasInput
from app.ui.plots.data_changes import is_only_data
from app.ui.plots.figure_controls import ControlLayer
from app.ui.plots.host.texts import draw_annotation
from app.ui.plots.labels.label import Label, label_of
from app.ui.plots.legend_place import Margins
from app.ui.plots.paint_support import told
from app.ui.plots.pinned_tips import PinnedTips
from app.ui.plots.series_arrays import Exported
from app.ui.plots.style import Style, current_style, style_on

_NONE: Margins = (0.0, 0.0, 0.0, 0.0)


class FigureItem(pg.GraphicsWidget):  # type: ignore[misc]
    """Everything in one figure.

    Attributes:
        model: the figure's snapshot.
        axes: the items of its axes by id.
        style: its colours: those of the theme, unless the script has chosen another ground.
        base: the colours of the theme.
        pinned: the data tips of its script.
        brush_marks: the points that were brushed.
    """

    moved = Signal()
    brushed = Signal(int, object)

    def __init__(self, model: Exported, style: Style) -> None:
        super().__init__()
        self.model = model
        self.style = self.base = style
        self.axes: dict[int, AxesItem] = {}
        self._spare: list[AxesItem] = []
        self._aligning = False
        self.pinned = PinnedTips()
        self.brush_marks = BrushMarks(self)
        self._over = OverItem(self)
        self.show_model(model, style)

    def show_model(self, model: Exported, style: Style) -> None:
        """Show another state of the figure: only what has changed, where that is little."""
        wanted = {child["id"]: child for child in model["children"] if child["kind"] == "axes"}
        only_data = style is self.base and self.axes and is_only_data(self.model, model)
        self.model, self.base = model, style
        if only_data:
            for number, child in wanted.items():
                self.axes[number].show_data(child)
            self._mark_points()
            return
        self.style = style = style_on(style, model["Color"])
        for number in set(self.axes) - set(wanted):
            item = self.axes.pop(number)
            item.retire()
            self._spare.append(item)
        for number, child in wanted.items():
            if number not in self.axes:
                self.axes[number] = self._spare.pop() if self._spare else self._new_axes(child)
            self.axes[number].show_model(child, style)
        self._link()
        self.relayout()
        self._mark_points()
        self.update()

    def _mark_points(self) -> None:
        """What is said of single points, and those that were brushed."""
        self.pinned.show(self.axes.values())
        self.brush_marks.show(self.axes.values())

    def _new_axes(self, child: Exported) -> AxesItem:
        made = AxesItem(child, self.style)
        made.setParentItem(self)
        made.moved.connect(self._align)  # other limits have other labels
        made.moved.connect(self.moved)
        made.brushed.connect(self.brushed)
        return made

    def _link(self) -> None:
        """Views of linked axes move together."""
        for item in self.axes.values():
            for letter, link in (("X", item.box.setXLink), ("Y", item.box.setYLink)):
                first = self.axes.get(item.model["linked"].get(letter, 0))
                link(first.box if first is not None and first is not item else None)

    def resizeEvent(self, _event: Any) -> None:
        """Arrange the axes anew."""
        self.relayout()

    def relayout(self) -> None:
        """Give every axes its part of the figure."""
        left, top, right, bottom = self._inner()
        for item in self.axes.values():
            x, y, across, up = item.model["frame"]
            item.setGeometry(
                QRectF(
                    left + x * (right - left),
                    top + (1 - y - up) * (bottom - top),
                    across * (right - left),
                    up * (bottom - top),
                )
            )
        self._align()
        self._over.update()

    def _align(self) -> None:
        """Boxes in one column begin and end at one place across, those in one row up and down;
        those over each other do both."""
        if self._aligning:
            return
        self._aligning = True  # a box that keeps its shape has other limits in another place
        try:
            alone = len(self.axes) < 2
            own = {item: _NONE if alone else own_margins(item) for item in self.axes.values()}
            across = _largest(own, lambda item: _place(item, 0, 2))
            up = _largest(own, lambda item: _place(item, 1, 3))
            for item in own:
                before = item.shared
                (left, _, right, _), (_, above, _, below) = across[item], up[item]
                item.shared = left, above, right, below
                if item.shared != before:
                    item.relayout()
        finally:
            self._aligning = False

    def _texts(self) -> dict[str, Label]:
        """The texts around everything."""
        found = {
            name: label_of(self.model.get(name), self.style)
            for name in ("title", "subtitle", "xlabel", "ylabel")
        }
        return {name: label for name, label in found.items() if label is not None}

    def _inner(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of what the axes share."""
        room = {name: label.size.height() + 8 for name, label in self._texts().items()}
        size = self.size()
        above = room.get("title", 0.0) + max(0.0, room.get("subtitle", 0.0) - 4)
        return (
            room.get("ylabel", 0.0),
            above,
            size.width(),
            size.height() - room.get("xlabel", 0.0),
        )

    @told
    def paint(self, painter: QPainter, *_args: Any) -> None:
        """The canvas and the texts around everything."""
        painter.fillRect(
            self.rect(), self.style.paper_color(self.model["Color"], self.style.canvas)
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left, top, right, bottom = self._inner()
        places = {
            "title": (QPointF((left + right) / 2, 6), 0.0, 0.0),
            "xlabel": (QPointF((left + right) / 2, self.size().height() - 4), 1.0, 0.0),
            "ylabel": (QPointF(4, (top + bottom) / 2), 0.0, 90.0),
        }
        below = self._texts()["title"].size.height() + 8 if "title" in self._texts() else 6.0
        places["subtitle"] = QPointF((left + right) / 2, below), 0.0, 0.0
        for name, label in self._texts().items():
            anchor, down, angle = places[name]
            label.draw(painter, anchor, 0.5, down, angle)


def _place(item: AxesItem, *parts: int) -> tuple[object, ...]:
    """Where axes stand in one direction; those that are not drawn in a plane are by themselves."""
    frame = tuple(round(part, 4) for part in item.model["frame"])
    in_plane = item.space is None and not item.polar
    return (*(frame[part] for part in parts), None if in_plane else frame)


def _largest(
    own: dict[AxesItem, Margins], place: Callable[[AxesItem], tuple[object, ...]]
) -> dict[AxesItem, Margins]:
    """The largest margins among the axes of one place, for each of them; none where it is alone."""
    groups: dict[tuple[object, ...], list[AxesItem]] = {}
    for item in own:
        groups.setdefault(place(item), []).append(item)
    found: dict[AxesItem, Margins] = {}
    for group in groups.values():
        sides = zip(*(own[item] for item in group), strict=True)
        left, above, right, below = map(max, sides) if len(group) > 1 else _NONE
        found |= dict.fromkeys(group, (left, above, right, below))
    return found


class OverItem(pg.GraphicsObject):  # type: ignore[misc]
    """Annotations, over all axes."""

    def __init__(self, figure: FigureItem) -> None:
        super().__init__(figure)
        self._figure = figure
        self.setZValue(50)
        self.setAcceptedMouseButtons(pg.QtCore.Qt.MouseButton.NoButton)

    def boundingRect(self) -> QRectF:
        """The whole figure."""
        return QRectF(QPointF(0, 0), self._figure.size())

    @told
    def paint(self, painter: QPainter, *_args: Any) -> None:
        """Draw them."""
        size = self._figure.size().width(), self._figure.size().height()
        for child in self._figure.model["children"]:
            if child["kind"] == "annotation":
                draw_annotation(painter, size, child, self._figure.style)


class FigureCanvas(pg.GraphicsView):  # type: ignore[misc]
    """The widget of one figure.

    Attributes:
        acted: carries a ``FigureInput``: what somebody did to the figure.
        figure: what it shows.
        controls: the widgets over it.
    """

    acted = Signal(object)

    def __init__(self, model: Exported, parent: QWidget | None = None) -> None:
        super().__init__(parent, useOpenGL=False, background=None)
        self.setObjectName("FigureCanvas")
        self.setAccessibleName(f"Figure {model['number']}")
        self.setAntialiasing(False)
        self._told: dict[tuple[int, str], tuple[Any, ...]] = {}
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.viewport().setMouseTracking(True)
        self.figure = FigureItem(model, current_style())
        self.setCentralItem(self.figure)
        self.controls = ControlLayer(self.viewport())
        self.input = CanvasInput(self)
        for source in (self.controls, self.input):
            source.acted.connect(self.acted)
        self.controls.show_model(model, self.figure.style)
        self.figure.brushed.connect(self._tell_brushed)
        self.figure.moved.connect(self._ask_again)

    def _tell_brushed(self, axes: int, rect: tuple[float, ...]) -> None:
        self.acted.emit(FigureInput(int(self.figure.model["number"]), "brush", axes, rect))

    def _ask_again(self) -> None:
        """Ask for the figure again where the device could not draw it."""
        items = [item for axes in self.figure.axes.values() for item in axes.device_items]
        wanting = [item for item in items if item.wants_data]
        for item in wanting:
            item.wants_data = False
        if wanting:
            self.acted.emit(FigureInput(int(self.figure.model["number"]), "redraw"))

    def show_model(self, model: Exported) -> None:
        """Show another state of the figure."""
        self.figure.show_model(model, self.figure.base)
        self.controls.show_model(model, self.figure.style)

    def resizeEvent(self, event: Any) -> None:
        """Give the controls their places too."""
        super().resizeEvent(event)
        if hasattr(self, "controls"):  # pyqtgraph resizes before we are ready
            self.controls.place()

    def changed_views(self) -> list[FigureInput]:
        """What the mouse has changed since the last time: limits and views of the axes."""
        number = self.figure.model["number"]
        found = []
        for serial, axes in self.figure.axes.items():
            for action, data, home in axes.views():
                if self._told.get((serial, action), home) != data:
                    self._told[serial, action] = data
                    found.append(FigureInput(number, action, serial, data))
        return found

    def retire(self) -> None:
        """Let go of all data: the figure is closed."""
        nothing = dict.fromkeys(("title", "xlabel", "ylabel"))
        self.show_model({**self.figure.model, "children": [], **nothing})

    def set_style(self, style: Style) -> None:
        """Use other colours."""
        self.figure.show_model(self.figure.model, style)
        self.controls.show_model(self.figure.model, self.figure.style)
