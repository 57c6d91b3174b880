"""The bar that says what colours stand for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QImage, QPainter, QPen

from app.engine.figures.ticks import linear_ticks, tick_label
from app.ui.plots.label import Label
from app.ui.plots.numbers import Exported
from app.ui.plots.style import Style, font

THICKNESS = 16.0
GAP = 14.0


class ColorScale(pg.GraphicsWidget):  # type: ignore[misc]
    """A strip of the colour map with ticks, beside or below the axes."""

    def __init__(self) -> None:
        super().__init__()
        self._model: Exported | None = None
        self._axes: Exported = {}
        self._style: Style | None = None

    def show_model(self, model: Exported, axes: Exported, style: Style) -> None:
        """Show a colour bar of the model."""
        self._model, self._axes, self._style = model, axes, style
        self.update()

    def retire(self) -> None:
        """Let go of the axes' data."""
        self._model, self._axes = None, {}

    @property
    def vertical(self) -> bool:
        """Whether it stands beside the axes."""
        location = "" if self._model is None else self._model["Location"]
        return "north" not in location and "south" not in location

    def limits(self) -> tuple[float, float]:
        """The values at its ends."""
        if self._model is not None and self._model["Limits"]:
            return self._model["Limits"]  # type: ignore[no-any-return]
        return self._axes["CLim"]  # type: ignore[no-any-return]

    def _ticks(self, length: float) -> list[tuple[float, str]]:
        model = self._model
        if model is None:
            return []
        intervals = max(2, min(10, int(length / (30 if self.vertical else 50))))
        ticks = model["Ticks"] if model["TicksMode"] == "manual" else linear_ticks(
            self.limits(), intervals
        )  # fmt: skip
        texts = [tick_label(tick) for tick in ticks]
        if model["TickLabelsMode"] == "manual":
            texts = [*model["TickLabels"], *[""] * len(ticks)][: len(ticks)]
        return list(zip(ticks, texts, strict=True))

    def _labels(self, length: float) -> list[tuple[float, Label]]:
        style, model = self._style, self._model
        if style is None or model is None:
            return []
        used = font(0.92 * model["FontSize"])
        return [(tick, Label(text, used, style.muted)) for tick, text in self._ticks(length)]

    def room(self, length: float) -> float:
        """Pixels it takes away from the axes, gap included."""
        labels = [label for _tick, label in self._labels(length)]
        if self.vertical:
            reach = max((label.size.width() for label in labels), default=0.0)
        else:
            reach = max((label.size.height() for label in labels), default=0.0)
        named = 20.0 if self._model is not None and self._model["Label"] else 0.0
        return GAP + THICKNESS + 5 + reach + named

    def paint(self, painter: QPainter, *_args: Any) -> None:
        """The strip, its ticks and its label."""
        style, model = self._style, self._model
        if style is None or model is None:
            return
        size = self.size()
        bar = QRectF(0, 0, THICKNESS if self.vertical else size.width(),
                     size.height() if self.vertical else THICKNESS)  # fmt: skip
        painter.drawImage(bar, self._strip())
        painter.setPen(QPen(style.frame, 1))
        painter.setBrush(pg.QtGui.QBrush())
        painter.drawRect(bar.adjusted(0, 0, -1, -1))
        length = bar.height() if self.vertical else bar.width()
        low, high = self.limits()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        reach = 0.0
        for tick, label in self._labels(length):
            part = (tick - low) / (high - low)
            if -1e-9 <= part <= 1 + 1e-9:
                self._paint_tick(painter, bar, part, label)
                reach = max(reach, label.size.width())
        if model["Label"]:
            label = Label(model["Label"], font(model["FontSize"]), style.ink)
            if self.vertical:
                anchor = QPointF(THICKNESS + reach + 10, bar.height() / 2)
                label.draw(painter, anchor, 0.5, 0.0, 90)
            else:
                label.draw(painter, QPointF(bar.width() / 2, THICKNESS + 20), 0.5, 0.0)

    def _paint_tick(self, painter: QPainter, bar: QRectF, part: float, label: Label) -> None:
        if self.vertical:
            y = round((1 - part) * (bar.height() - 1)) + 0.5
            painter.drawLine(QLineF(bar.right() - 4, y, bar.right() - 1, y))
            label.draw(painter, QPointF(bar.right() + 5, y), 0.0, 0.5)
        else:
            x = round(part * (bar.width() - 1)) + 0.5
            painter.drawLine(QLineF(x, bar.bottom() - 4, x, bar.bottom() - 1))
            label.draw(painter, QPointF(x, bar.bottom() + 3), 0.5, 0.0)

    def _strip(self) -> QImage:
        """One pixel per row of the map."""
        rows = np.ascontiguousarray(self._axes["colormap"])
        if self.vertical:
            rows = np.ascontiguousarray(rows[::-1])
            size = (1, len(rows))
        else:
            size = (len(rows), 1)
        picture = QImage(rows.data, *size, 4 * size[0], QImage.Format.Format_RGBA8888)
        return picture.copy()
