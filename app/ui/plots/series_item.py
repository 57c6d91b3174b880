"""Graphics items inside a plot box: one per series on the host, one per run of device series."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Signal
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QGraphicsItem

from app.ui.plots.device.frame_picture import picture_of
from app.ui.plots.device.renderer import Frame, Renderer
from app.ui.plots.device.renderer_pool import FrameRequest, is_synchronous, renderer_for
from app.ui.plots.device.series_layers import buffer_of, layers_of
from app.ui.plots.host import boxes as draw_boxes
from app.ui.plots.host import images as draw_images
from app.ui.plots.host import lines as draw_lines
from app.ui.plots.host import shapes as draw_shapes
from app.ui.plots.host import texts as draw_texts
from app.ui.plots.host.brush import Brush
from app.ui.plots.host.contour_labels import write_places
from app.ui.plots.labels.label import Label
from app.ui.plots.paint_support import is_drawing, sharpness_of, told, unit_of
from app.ui.plots.polar_frame import Disc
from app.ui.plots.series_arrays import Exported, Window, count_of
from app.ui.plots.style import PAPER, Style, font

DRAWERS: dict[str, Callable[[Brush, Exported], None]] = {
    "line": draw_lines.draw_line,
    "animatedline": draw_lines.draw_line,
    "stair": draw_lines.draw_stair,
    "stem": draw_lines.draw_stem,
    "errorbar": draw_lines.draw_errorbar,
    "area": draw_lines.draw_area,
    "constantline": draw_lines.draw_constantline,
    "bar": draw_shapes.draw_bar,
    "histogram": draw_shapes.draw_histogram,
    "patch": draw_shapes.draw_patch,
    "polygon": draw_shapes.draw_patch,
    "rectangle": draw_shapes.draw_rectangle,
    "quiver": draw_shapes.draw_quiver,
    "scatter": draw_shapes.draw_scatter,
    "image": draw_images.draw_image,
    "surface": draw_images.draw_flat_surface,
    "contour": draw_images.draw_contour,
    "text": draw_texts.draw_text,
    "boxchart": draw_boxes.draw_boxchart,
}
"""How each kind of series is painted on the host."""


MARGIN = 14
"""Pixels that markers may reach over the edge of the box."""


MOST_STROKES = 20_000
"""Series of more points are put into SVG and PDF files as pictures."""
SHARP = 3.0
"""Pixels of these pictures for one of the screen."""


def _is_heavy(brush: Brush, series: Exported) -> bool:
    """Whether a file would hold very many marks of a series one by one."""
    kinds = ("line", "animatedline", "scatter", "stem")
    if series["kind"] not in kinds or count_of(series["YData"]) <= MOST_STROKES:
        return False
    bare = "line" in series["kind"] and series["Marker"] == "none"
    return not (bare and brush.line(series).is_sorted)  # which is thinned


class BoxItem(pg.GraphicsObject):  # type: ignore[misc]
    """Paints in pixels over the whole plot box; ``drawn`` says that a new picture has come.

    Attributes:
        axes: the axes' snapshot.
        style: colours.
    """

    drawn = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.axes: Exported = {}
        self.style = PAPER
        self.log = (False, False)
        self.cache: dict[str, Any] = {}

    def show_series(self, series: list[Exported], axes: Exported, style: Style) -> None:
        """Show other series, or the same ones in another state."""
        self.axes, self.style, self.cache = axes, style, {}
        self.update()

    def retire(self) -> None:
        """Let go of the data at once: device buffers must not wait for the cycle collector."""
        self.axes = {}
        self.cache = {}

    def boundingRect(self) -> QRectF:
        """The whole visible part, and what markers need around it."""
        rect = QRectF(self.viewRect())
        view = self.getViewBox()
        if view is None or view.width() < 1 or view.height() < 1:
            return rect
        across, up = rect.width() / view.width(), rect.height() / view.height()
        return rect.adjusted(-MARGIN * across, -MARGIN * up, MARGIN * across, MARGIN * up)

    def viewTransformChanged(self) -> None:
        """Repaint when the window moves."""
        self.prepareGeometryChange()
        self.update()

    @told
    def paint(self, painter: QPainter, *_args: Any) -> None:
        """Set up a brush and paint."""
        view = self.getViewBox()
        if view is None:
            return
        painter.save()
        try:
            brush = self._brush(painter, view)
            if brush.window.width > 0 and brush.window.height > 0:
                box = QRectF(0, 0, brush.window.width, brush.window.height)
                painter.setClipRect(box)
                if "polar" in self.axes:
                    painter.setClipPath(Disc(self.axes, box).outline())
                self.paint_box(brush)
        finally:
            painter.restore()

    def _brush(self, painter: QPainter, view: Any) -> Brush:
        """A brush whose painter starts at the corner of the box."""
        (low_x, high_x), (low_y, high_y) = view.viewRange()
        transform = painter.worldTransform()
        first = transform.map(QPointF(low_x, low_y))
        last = transform.map(QPointF(high_x, high_y))
        box = QRectF(first, last).normalized()
        left, right = (low_x, high_x) if first.x() <= last.x() else (high_x, low_x)
        top, bottom = (high_y, low_y) if last.y() <= first.y() else (low_y, high_y)
        unit = unit_of(painter)
        painter.resetTransform()
        painter.scale(unit, unit)
        painter.translate(round(box.left() / unit), round(box.top() / unit))
        window = Window(
            left,
            right,
            bottom,
            top,
            round(box.width() / unit),
            round(box.height() / unit),
            *self.log,
        )
        return Brush(painter, window, self.style, self.axes, self.cache)

    @abstractmethod
    def paint_box(self, brush: Brush) -> None:
        """Paint; the painter's origin is the corner of the box."""


class SeriesItem(BoxItem):
    """One series drawn by Qt.

    Attributes:
        series: what it shows; empty while it is out of use.
    """

    def __init__(self) -> None:
        super().__init__()
        self.series: Exported = {}

    def show_series(self, series: list[Exported], axes: Exported, style: Style) -> None:
        """Show another series."""
        (self.series,) = series
        super().show_series(series, axes, style)

    def retire(self) -> None:
        """Let go of the data at once."""
        super().retire()
        self.series = {}

    def paint_box(self, brush: Brush) -> None:
        """Draw the series."""
        drawer = DRAWERS.get(self.series.get("kind", ""))
        if drawer is None:
            return
        if is_drawing(brush.painter) and _is_heavy(brush, self.series):
            self._paint_picture(brush, drawer)
        else:
            drawer(brush, self.series)

    def _paint_picture(self, brush: Brush, drawer: Callable[[Brush, Exported], None]) -> None:
        """A picture in a drawing: of so much that nobody could open the file."""
        box = QRectF(0, 0, brush.window.width, brush.window.height)
        box.adjust(-MARGIN, -MARGIN, MARGIN, MARGIN)
        made = QImage(
            round(box.width() * SHARP),
            round(box.height() * SHARP),
            QImage.Format.Format_ARGB32_Premultiplied,
        )
        made.setDevicePixelRatio(SHARP)
        made.fill(0)
        painter = QPainter(made)
        painter.translate(MARGIN, MARGIN)
        painter.setClipRect(QRectF(0, 0, brush.window.width, brush.window.height))
        try:
            drawer(replace(brush, painter=painter), self.series)
        finally:
            painter.end()
        brush.painter.setClipRect(box)
        brush.painter.drawImage(box, made)


class DeviceItem(BoxItem):
    """Consecutive series drawn by the device in one picture.

    Attributes:
        series: the series, the first one at the bottom.
        frame: the last picture.
        wants_data: whether the data shall be sent again, as from another device.
    """

    def __init__(self) -> None:
        super().__init__()
        self.series: list[Exported] = []
        self.frame: Frame | None = None
        self._shown: Window | None = None
        self._key: object = None
        self._asked: object = None
        self._last: tuple[Brush, float] | None = None
        self._state = 0
        self._request = FrameRequest(self._receive, self)
        self._request.failed.connect(self._on_failure)
        self._failed_before = False
        self.wants_data = False

    def show_series(self, series: list[Exported], axes: Exported, style: Style) -> None:
        """Show other series; the last picture stays until the device has drawn them."""
        self.series = series
        self._state += 1
        self._request.failure = ""
        super().show_series(series, axes, style)

    def show_data(self, series: list[Exported], axes: Exported) -> None:
        """Show other numbers of the same series: painted when the device has drawn them."""
        self.series, self.axes, self.cache = series, axes, {}
        self._state += 1
        self._request.failure = ""
        renderer = renderer_for(buffer_of(series[0])) if series else None
        if self._last is None or renderer is None or is_synchronous() or not _is_on_screen(self):
            self.update()
            return
        brush, ratio = self._last
        self._ask(replace(brush, axes=axes, cache=self.cache), ratio, renderer)

    def retire(self) -> None:
        """Let go of the data at once."""
        super().retire()
        self.series = []
        self.frame = self._shown = self._key = self._asked = self._last = None
        self._request.forget()

    def paint_box(self, brush: Brush) -> None:
        """Have the device draw when anything changed, and show the last picture."""
        window = brush.window
        ratio = sharpness_of(brush.painter)
        brush.margin = MARGIN
        renderer = renderer_for(buffer_of(self.series[0])) if self.series else None
        if self._request.failure:
            self._last = None
            _say(brush, f"The device cannot draw this: {self._request.failure}")
            return
        if renderer is not None:
            self._ask(brush, ratio, renderer)
        sharp = window.wider(MARGIN, ratio)
        if self.frame is not None and self._shown is not None:
            # An older picture is only shown inside: it may have moved.
            reach = MARGIN if self._shown == sharp else 0
            box = QRectF(0, 0, window.width, window.height)
            brush.painter.setClipRect(box.adjusted(-reach, -reach, reach, reach))
            brush.painter.drawImage(_window_inside(self._shown, window), picture_of(self.frame))
            for series in self.series:
                if series.get("places") and series["ShowText"]:
                    write_places(brush, series)

    def _ask(self, brush: Brush, ratio: float, renderer: Renderer) -> None:
        """Have the device draw what it has not drawn, nor been asked for."""
        sharp = brush.window.wider(MARGIN, ratio)
        key = sharp, self.style.dark, self._state
        waits = not is_synchronous()
        if waits:
            self._last = replace(brush, painter=QPainter()), ratio
        if key == self._key or (waits and key == self._asked):
            return
        layers, margin = layers_of(self.series, brush, ratio), round(MARGIN * ratio)
        if waits:
            self._asked = key
            self._request.ask(key, renderer, layers, sharp, margin)
        else:
            self._keep(key, renderer.render(layers, sharp, margin))

    def _keep(self, key: object, frame: Frame) -> None:
        self.frame, self._key = frame, key
        self._shown = key[0]  # type: ignore[index]

    def _receive(self, key: object, frame: Frame) -> None:
        """A picture for the screen is there."""
        if not self.series:
            return
        self._failed_before = False
        self._keep(key, frame)
        self.update()
        self.drawn.emit()

    def _on_failure(self) -> None:
        """Ask for the data again, once: the device that it was on may be gone."""
        if self.series and not self._failed_before:
            self._failed_before = self.wants_data = True
            self.drawn.emit()


def _is_on_screen(item: QGraphicsItem) -> bool:
    """Whether somebody may see an item: what is out of sight is drawn when it comes."""
    scene = item.scene()
    views = scene.views() if scene is not None else ()
    return any(not view.viewport().visibleRegion().isEmpty() for view in views)


def _say(brush: Brush, text: str) -> None:
    """A sentence in the middle of the box."""
    label = Label(text, font(9), brush.style.muted, "none")
    label.draw(brush.painter, QPointF(brush.window.width / 2, brush.window.height / 2))


def _window_inside(shown: Window, window: Window) -> QRectF:
    """Where a picture of one window is inside another."""
    left, right = window.x_pixels(np.array([shown.left, shown.right])).tolist()
    top, bottom = window.y_pixels(np.array([shown.top, shown.bottom])).tolist()
    return QRectF(QPointF(left, top), QPointF(right, bottom))
