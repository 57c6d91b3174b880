"""One axis of a plot: pyqtgraph's axis with MATLAB's ticks, labels and grid."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from app.engine.figures.dates import DATE, date_labels, date_ticks
from app.engine.figures.ticks import (
    enough_ticks,
    linear_ticks,
    log_ticks,
    minor_log_ticks,
    tick_label,
)
from app.ui.plots.labels.label import Label, power_label
from app.ui.plots.paint_support import told
from app.ui.plots.ruler_model import RulerModel
from app.ui.plots.style import Style, font, line_pen

TICK_GAP = 5.0
SPACING = {"bottom": 50.0, "top": 50.0, "left": 34.0, "right": 34.0}


class Ruler(pg.AxisItem):  # type: ignore[misc]
    """Ticks, labels and grid along one side of a view box; dragging or turning the wheel over it
    scales that axis alone.

    Attributes:
        side: bottom, top, left or right.
        shift: pixels from its side to where it stands: axes may cross at the origin.
    """

    def __init__(self, side: str, style: Style) -> None:
        super().__init__(side)
        self.side = side
        self.model = RulerModel()
        self._style = style
        self._known: dict[str, Any] = {}
        self._known_for: tuple[Any, ...] = ()
        self.shift = 0.0
        self.setZValue(-1)
        self.enableAutoSIPrefix(enable=False)

    def set_model(self, model: RulerModel, style: Style) -> None:
        """Show another state of the model."""
        if model != self.model or style is not self._style:
            self.model, self._style, self._known = model, style, {}
        self.setLogMode(model.log, model.log)
        self.update()

    # --- ticks ----------------------------------------------------------------------------

    @property
    def horizontal(self) -> bool:
        """Whether it runs across."""
        return self.side in ("bottom", "top")

    def length(self) -> float:
        """Pixels along the axis."""
        view = self.linkedView()
        if view is None:
            return 1.0
        return float(view.width() if self.horizontal else view.height())

    def limits(self) -> tuple[float, float]:
        """Data limits that are shown."""
        low, high = sorted(self.range)
        if self.model.log:
            return 10.0 ** max(low, -300.0), 10.0 ** min(high, 300.0)
        return low, high

    def _known_value(self, name: str, make: Callable[[], Any]) -> Any:
        """What follows from the limits and the length, worked out once for them."""
        now = (*self.range, self.length())
        if now != self._known_for:
            self._known, self._known_for = {}, now
        if name not in self._known:
            self._known[name] = make()
        return self._known[name]

    def ticks(self) -> list[float]:
        """Data values of the ticks."""
        found: list[float] = self._known_value("ticks", self._make_ticks)
        return found

    def _make_ticks(self) -> list[float]:
        low, high = self.limits()
        if self.model.ticks is not None:
            slack = 1e-9 * (high - low)
            return [tick for tick in self.model.ticks if low - slack <= tick <= high + slack]
        intervals = max(3, min(10, int(self.length() / SPACING[self.side])))
        if self.model.tick_format.startswith(DATE):
            return date_ticks((low, high), max(2, intervals // 2))
        if not self.model.log:
            return enough_ticks((low, high), intervals) if high > low else []
        found = log_ticks((low, high), intervals)
        return found if len(found) > 1 else linear_ticks((low, high), max(2, intervals // 2))

    def minor_ticks(self) -> list[float]:
        """Data values of the ticks without labels."""
        if self.model.log:
            low, high = self.limits()
            return minor_log_ticks((low, high)) if high / low < 1e9 else []
        if not (self.model.minor_grid or self.model.minor):
            return []
        major = self.ticks()
        if len(major) < 2:
            return []
        step = (major[1] - major[0]) / 5
        low, high = self.limits()
        first = math.ceil(low / step)
        return [k * step for k in range(first, math.floor(high / step) + 1)]

    def exponent(self) -> int:
        """The power of ten that is written once beside the axis; 0 for none."""
        if self.model.log or self.model.labels is not None or self.model.tick_format:
            return 0
        if self.model.exponent is not None:
            return self.model.exponent
        largest = max((abs(tick) for tick in self.ticks()), default=0.0)
        power = math.floor(math.log10(largest)) if largest > 0 else 0
        return power if power >= 5 or power <= -4 else 0

    def texts(self) -> list[str]:
        """The labels of the ticks."""
        ticks = self.ticks()
        if self.model.labels is not None:
            return self._given_labels(ticks)
        if self.model.tick_format.startswith(DATE):
            form = self.model.tick_format.partition(":")[2]
            return date_labels(ticks, self.limits(), form)
        if self.model.tick_format:
            return [_formatted_tick(self.model.tick_format, tick) for tick in ticks]
        if self.model.log:
            return [power_label(tick) for tick in ticks]
        scale = 10.0 ** self.exponent()
        return [tick_label(round(tick / scale, 10)) for tick in ticks]

    def _given_labels(self, ticks: list[float]) -> list[str]:
        labels = self.model.labels or ()
        if not labels or self.model.ticks is None:
            return [labels[i % len(labels)] if labels else "" for i in range(len(ticks))]
        names = {tick: labels[i % len(labels)] for i, tick in enumerate(self.model.ticks)}
        return [names.get(tick, "") for tick in ticks]

    def position(self, value: float) -> float:
        """Pixels from the view box's left or top edge."""
        low, high = self.range
        place = math.log10(value) if self.model.log and value > 0 else value
        part = (place - low) / (high - low) if high != low else 0.0
        return part * self.length() if self.horizontal else (1 - part) * self.length()

    # --- looks ----------------------------------------------------------------------------

    def font(self) -> QFont:
        """The font of the labels."""
        return font(self.model.size, family=self.model.family)

    def _labels(self) -> list[Label]:
        found: list[Label] = self._known_value("labels", self._make_labels)
        return found

    def _make_labels(self) -> list[Label]:
        ink = self.model.color or self._style.muted
        used = self.font()
        return [Label(text, used, ink, self.model.interpreter) for text in self.texts()]

    def thickness(self) -> float:
        """The room that the labels need beside the view box."""
        if not self.model.shown:
            return 0.0
        sizes = [label.size for label in self._labels()]
        if not sizes:
            return TICK_GAP
        if self.model.rotation:
            angle = math.radians(self.model.rotation)
            reach = [
                abs(s.width() * math.sin(angle)) + abs(s.height() * math.cos(angle)) for s in sizes
            ]
        else:
            reach = [s.height() if self.horizontal else s.width() for s in sizes]
        outside = max(0.0, -self.model.tick_length)
        below = 0.75 * QFontMetricsF(self.font()).height() if self.horizontal else 0.0
        return max(reach) + TICK_GAP + outside + (below if self.exponent() else 0.0)

    def excess(self) -> tuple[float, float]:
        """How far the first and the last label reach over the left and the right edge."""
        if self.model.rotation:
            return 0.0, 0.0
        places = [
            (self.position(tick), label.size.width() / 2)
            for tick, label in zip(self.ticks(), self._labels(), strict=True)
        ]
        return (
            max((half - place for place, half in places), default=0.0),
            max((place + half for place, half in places), default=0.0) - self.length(),
        )

    def overhang(self) -> float:
        """The room the power of ten needs above the view box."""
        return QFontMetricsF(self.font()).height() if self.exponent() and not self.horizontal else 0

    def boundingRect(self) -> QRectF:
        """Its strip and the view box, where grid and ticks are drawn."""
        view = self.linkedView()
        own = QRectF(0, 0, self.size().width(), self.size().height())
        if view is None:
            return own
        return own.united(self.mapRectFromItem(view, view.rect())).adjusted(-40, -22, 40, 22)

    def shape(self) -> Any:
        """Only the strip takes the mouse."""
        from PySide6.QtGui import QPainterPath

        made = QPainterPath()
        made.addRect(QRectF(0, 0, self.size().width(), self.size().height()))
        return made

    @told
    def paint(self, painter: QPainter, *_args: Any) -> None:
        """Grid, ticks, labels."""
        view = self.linkedView()
        if view is None:
            return
        box = self.mapRectFromItem(view, view.rect())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        if self.model.grid or self.model.minor_grid:
            self._paint_grid(painter, box)
        if self.shift:
            across = self.horizontal
            box = box.adjusted(0 if across else self.shift, 0, 0, self.shift if across else 0)
        if self.model.shown:
            self._paint_ticks(painter, box)
            self._paint_labels(painter, box)

    def _grid_line(self, box: QRectF, value: float) -> QLineF:
        """The line through the whole box at a data value."""
        place = round(self.position(value))
        if self.horizontal:
            x = box.left() + min(place, box.width() - 1)
            return QLineF(x, box.top(), x, box.bottom() - 1)
        y = box.top() + min(place, box.height() - 1)
        return QLineF(box.left(), y, box.right() - 1, y)

    def _paint_grid(self, painter: QPainter, box: QRectF) -> None:
        given, alpha, dashes = self.model.grid_style
        color = QColor(given or self._style.grid)
        minor = self.model.minor_grid or (self.model.log and self.model.grid)
        if minor:
            color.setAlphaF(0.5 * alpha)
            painter.setPen(QPen(color, 1))
            painter.drawLines([self._grid_line(box, tick) for tick in self.minor_ticks()])
        if self.model.grid:
            color.setAlphaF(alpha)
            painter.setPen(_grid_pen(color, dashes))
            painter.drawLines([self._grid_line(box, tick) for tick in self.ticks()])

    def _paint_ticks(self, painter: QPainter, box: QRectF) -> None:
        length = self.model.tick_length
        painter.setPen(QPen(self.model.color or self._style.frame, self.model.width))
        if self.model.color is not None or self.shift:  # else the frame draws it
            painter.drawLine(self._edge(box))
        painter.drawLines(self._tick_lines(box, self.ticks(), length))
        if self.model.log or self.model.minor or self.model.minor_grid:
            painter.drawLines(self._tick_lines(box, self.minor_ticks(), 0.6 * length))
        if self.model.both:
            painter.drawLines(self._tick_lines(box, self.ticks(), -length))

    def _edge(self, box: QRectF) -> QLineF:
        """The line of the axis."""
        match self.side:
            case "bottom":
                return QLineF(box.left(), box.bottom() - 1, box.right() - 1, box.bottom() - 1)
            case "top":
                return QLineF(box.left(), box.top(), box.right() - 1, box.top())
            case "left":
                return QLineF(box.left(), box.top(), box.left(), box.bottom() - 1)
        return QLineF(box.right() - 1, box.top(), box.right() - 1, box.bottom() - 1)

    def _tick_lines(self, box: QRectF, ticks: list[float], length: float) -> list[QLineF]:
        made = []
        for tick in ticks:
            line = self._grid_line(box, tick)
            near, far = (
                (line.p2(), line.p1())
                if self.side in ("bottom", "right")
                else (line.p1(), line.p2())
            )
            made.append(_first_pixels(near, far, length))
            if self.model.box and length > 0:
                made.append(_first_pixels(far, near, length))
        return made

    def _paint_labels(self, painter: QPainter, box: QRectF) -> None:
        gap = TICK_GAP + max(0.0, -self.model.tick_length)
        last = -math.inf
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        order = sorted(zip(self.ticks(), self._labels(), strict=True), key=self._order)
        for tick, label in order:
            place = self.position(tick)
            extent = label.size.width() if self.horizontal else label.size.height()
            if not self.model.rotation and place - extent / 2 < last + (
                4 if self.horizontal else -3
            ):
                continue
            last = place + extent / 2
            self._draw_label(painter, box, label, place, gap)
        if self.exponent():
            self._paint_exponent(painter, box)

    def _order(self, pair: tuple[float, Label]) -> float:
        return self.position(pair[0])

    def _draw_label(
        self, painter: QPainter, box: QRectF, label: Label, place: float, gap: float
    ) -> None:
        rotation = self.model.rotation
        match self.side:
            case "bottom" if rotation:
                anchor = QPointF(box.left() + place, box.bottom() + gap)
                label.draw(painter, anchor, 1.0 if rotation > 0 else 0.0, 0.5, rotation)
            case "bottom":
                label.draw(painter, QPointF(box.left() + place, box.bottom() + gap - 1), 0.5, 0.0)
            case "top":
                label.draw(painter, QPointF(box.left() + place, box.top() - gap + 1), 0.5, 1.0)
            case "left":
                label.draw(
                    painter, QPointF(box.left() - gap, box.top() + place), 1.0, 0.5, rotation
                )
            case _:
                label.draw(painter, QPointF(box.right() + gap, box.top() + place), 0.0, 0.5)

    def _paint_exponent(self, painter: QPainter, box: QRectF) -> None:
        ink = self.model.color or self._style.muted
        label = Label(f"×10^{{{self.exponent()}}}", font(0.92 * self.model.size), ink)
        if self.horizontal:
            label.draw(
                painter, QPointF(box.right() + 2, box.bottom() + self.thickness() + 1), 1.0, 1.0
            )
        elif self.side == "left":
            label.draw(painter, QPointF(box.left(), box.top() - 2), 0.0, 1.0)
        else:
            label.draw(painter, QPointF(box.right(), box.top() - 2), 1.0, 1.0)

    # --- pyqtgraph's own layout is not used -----------------------------------------------

    def _updateWidth(self) -> None:
        """Widths are set by the axes."""

    def _updateHeight(self) -> None:
        """Heights are set by the axes."""


def _grid_pen(color: QColor, dashes: str) -> QPen:
    pen = line_pen(color, dashes, 0.5)
    if dashes == "-":
        pen.setWidthF(1.0)
    return pen


def _first_pixels(start: QPointF, towards: QPointF, length: float) -> QLineF:
    """The first ``length`` pixels of a way; backwards for a negative length."""
    way = QLineF(start, towards)
    if way.length() == 0:
        return way
    part = length / way.length()
    return QLineF(start, way.pointAt(part))


def _formatted_tick(pattern: str, tick: float) -> str:
    """A tick in one of MATLAB's formats."""
    named = {
        "usd": "$%,.2f",
        "eur": "€%,.2f",
        "gbp": "£%,.2f",
        "percentage": "%g%%",
        "degrees": "%g°",
    }.get(pattern, pattern)
    if "," in named:
        before, _, after = named.partition("%")
        return f"{before}{tick:,.2f}" if "f" in after else f"{before}{tick:,g}"
    try:
        return named % tick
    except (TypeError, ValueError):
        return tick_label(tick)
