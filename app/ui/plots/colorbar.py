"""The bar that says what colours stand for."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPen

from app.engine.figures.ticks import linear_ticks, log_ticks, tick_label
from app.ui.plots.labels.label import Label, label_of, power_label
from app.ui.plots.paint_support import told
from app.ui.plots.series_arrays import Exported
from app.ui.plots.style import Style, font

THICKNESS = 16.0
GAP = 14.0
TICK = 5.0
_OPPOSITE = {"east": "west", "west": "east", "north": "south", "south": "north"}


class ColorScale(pg.GraphicsWidget):  # type: ignore[misc]
    """A strip of the colour map with ticks, beside the axes, inside of them or anywhere."""

    def __init__(self) -> None:
        super().__init__()
        self._model: Exported | None = None
        self._axes: Exported = {}
        self._style: Style | None = None
        self._bar = QRectF()
        self.setZValue(15)

    def show_model(self, model: Exported, axes: Exported, style: Style) -> None:
        """Show a colour bar of the model."""
        self._model, self._axes, self._style = model, axes, style
        self.update()

    def retire(self) -> None:
        """Let go of the axes' data."""
        self._model, self._axes = None, {}

    # --- where ----------------------------------------------------------------------------

    @property
    def given(self) -> tuple[float, ...]:
        """The place by numbers, in parts of the figure; nothing where it has a name."""
        return () if self._model is None else tuple(self._model["Position"])

    @property
    def side(self) -> str:
        """The side of the axes it is at."""
        location = "east" if self._model is None else self._model["Location"]
        if location == "manual":
            wide = len(self.given) == 4 and self.given[2] > self.given[3]
            return "south" if wide else "east"
        return str(location.removesuffix("outside"))

    @property
    def outside(self) -> bool:
        """Whether it takes room away from the axes."""
        return (
            self._model is not None
            and not self.given
            and (self._model["Location"].endswith("outside"))
        )

    @property
    def titled(self) -> bool:
        """Whether a title stands over it."""
        return self._model is not None and self._model["title"] is not None

    @property
    def vertical(self) -> bool:
        """Whether it stands."""
        return self.side in ("east", "west")

    @property
    def _labels_at(self) -> str:
        """The side of the bar its labels are on: away from the axes, or inside towards them."""
        outward = self.outside or bool(self.given)
        return self.side if outward else _OPPOSITE[self.side]

    def room(self, length: float) -> float:
        """Pixels it takes across, gap and labels included."""
        sizes = [label.size for _tick, label in self._labels(length)]
        reach = max((s.width() if self.vertical else s.height() for s in sizes), default=0.0)
        name = self._name()
        named = 0.0 if name is None else name.size.height() + TICK
        return GAP + THICKNESS + TICK + reach + named

    def place(self, area: QRectF, beyond: float, frame: QRectF) -> None:
        """Stand beside (or in) a box; ``beyond`` is the room of the axes' labels on that side,
        ``frame`` the whole figure."""
        if len(self.given) == 4:
            x, y, across, up = self.given
            bar = QRectF(
                frame.left() + x * frame.width(),
                frame.top() + (1 - y - up) * frame.height(),
                across * frame.width(),
                up * frame.height(),
            )
        else:
            bar = self._bar_rect(area, GAP + beyond if self.outside else -GAP - THICKNESS)
        self.setGeometry(bar)
        self._bar = QRectF(QPointF(0, 0), bar.size())

    def _bar_rect(self, area: QRectF, gap: float) -> QRectF:
        inset = 0.0 if self.outside else GAP
        if self.vertical:
            left = area.right() + gap if self.side == "east" else area.left() - gap - THICKNESS
            return QRectF(left, area.top() + inset, THICKNESS, area.height() - 2 * inset)
        top = area.bottom() + gap if self.side == "south" else area.top() - gap - THICKNESS
        return QRectF(area.left() + inset, top, area.width() - 2 * inset, THICKNESS)

    # --- what -----------------------------------------------------------------------------

    def limits(self) -> tuple[float, float]:
        """The values at its ends."""
        if self._model is not None and self._model["Limits"]:
            return self._model["Limits"]  # type: ignore[no-any-return]
        return self._axes["CLim"]  # type: ignore[no-any-return]

    @property
    def _log(self) -> bool:
        return self._model is not None and self._model["scale"] == "log" and self.limits()[0] > 0

    def _ticks(self, length: float) -> list[tuple[float, str]]:
        model = self._model
        if model is None:
            return []
        intervals = max(2, min(10, int(length / (30 if self.vertical else 50))))
        ticks = linear_ticks(self.limits(), intervals)
        if self._log:
            decades = log_ticks(self.limits(), intervals)
            ticks = decades if len(decades) > 1 else ticks
        if model["TicksMode"] == "manual":
            ticks = model["Ticks"]
        texts = [power_label(tick) if self._log else tick_label(tick) for tick in ticks]
        if model["TickLabelsMode"] == "manual":
            texts = [*model["TickLabels"], *[""] * len(ticks)][: len(ticks)]
        return list(zip(ticks, texts, strict=True))

    def _labels(self, length: float) -> list[tuple[float, Label]]:
        style, model = self._style, self._model
        if style is None or model is None:
            return []
        used = font(model["FontSize"])
        ink = style.color(model["Color"], style.muted)
        return [(tick, Label(text, used, ink)) for tick, text in self._ticks(length)]

    def _name(self) -> Label | None:
        if self._model is None or self._style is None:
            return None
        return label_of(self._model["label"], self._style)

    def _fraction_of_bar(self, value: float) -> float:
        """How far up the bar a value stands."""
        low, high = self.limits()
        if self._log:
            low, high, value = (math.log10(max(v, 1e-300)) for v in (low, high, value))
        part = (value - low) / (high - low)
        return 1 - part if self._model and self._model["Direction"] == "reverse" else part

    # --- painting -------------------------------------------------------------------------

    def boundingRect(self) -> QRectF:
        """The bar and everything written around it."""
        return QRectF(QPointF(0, 0), self.size()).adjusted(-90, -60, 90, 60)

    @told
    def paint(self, painter: QPainter, *_args: Any) -> None:
        """The strip, its ticks, its label and its title."""
        style, model = self._style, self._model
        if style is None or model is None:
            return
        bar = self._bar
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, on=False)
        painter.drawImage(bar, self._strip())
        painter.setPen(QPen(style.color(model["Color"], style.frame), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(bar.adjusted(0, 0, -1, -1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        reach = 0.0
        for tick, label in self._labels(bar.height() if self.vertical else bar.width()):
            part = self._fraction_of_bar(tick)
            if -1e-9 <= part <= 1 + 1e-9:
                self._paint_tick(painter, part, label)
                reach = max(reach, label.size.width() if self.vertical else label.size.height())
        self._paint_name(painter, reach)
        title = label_of(model["title"], style)
        if title is not None:
            title.draw(painter, QPointF(bar.center().x(), bar.top() - 4), 0.5, 1.0)

    def _paint_name(self, painter: QPainter, reach: float) -> None:
        name, bar = self._name(), self._bar
        if name is None:
            return
        away = reach + 2 * TICK
        match self._labels_at:
            case "east":
                name.draw(painter, QPointF(bar.right() + away, bar.center().y()), 0.5, 0.0, 90)
            case "west":
                name.draw(painter, QPointF(bar.left() - away, bar.center().y()), 0.5, 1.0, 90)
            case "south":
                name.draw(painter, QPointF(bar.center().x(), bar.bottom() + away - 3), 0.5, 0.0)
            case _:
                name.draw(painter, QPointF(bar.center().x(), bar.top() - away + 3), 0.5, 1.0)

    def _paint_tick(self, painter: QPainter, part: float, label: Label) -> None:
        bar, side = self._bar, self._labels_at
        if self.vertical:
            y = bar.top() + round((1 - part) * (bar.height() - 1)) + 0.5
            edge, way = (bar.right() - 1, 1) if side == "east" else (bar.left(), -1)
            painter.drawLine(QLineF(edge - 4 * way, y, edge, y))
            label.draw(painter, QPointF(edge + way * (TICK + 1), y), 0.0 if way > 0 else 1.0, 0.5)
        else:
            x = bar.left() + round(part * (bar.width() - 1)) + 0.5
            edge, way = (bar.bottom() - 1, 1) if side == "south" else (bar.top(), -1)
            painter.drawLine(QLineF(x, edge - 4 * way, x, edge))
            label.draw(painter, QPointF(x, edge + way * 4), 0.5, 0.0 if way > 0 else 1.0)

    def _strip(self) -> QImage:
        """One pixel per row of the map."""
        rows = np.ascontiguousarray(self._axes["colormap"])
        reverse = self._model is not None and self._model["Direction"] == "reverse"
        if self.vertical != reverse:
            rows = np.ascontiguousarray(rows[::-1])
        size = (1, len(rows)) if self.vertical else (len(rows), 1)
        picture = QImage(rows.data, *size, 4 * size[0], QImage.Format.Format_RGBA8888)
        return picture.copy()
