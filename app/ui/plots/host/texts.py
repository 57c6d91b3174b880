"""Texts inside axes, and annotations over figures."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPolygonF

from app.ui.plots.host.brush import Brush
from app.ui.plots.labels.label import ACROSS, DOWN, Label, label_of
from app.ui.plots.series_arrays import Exported
from app.ui.plots.style import NIGHT, PAPER, Style, font, line_pen


def draw_text(brush: Brush, text: Exported) -> None:
    """A text at a point of the axes."""
    ground = brush.color(text["BackgroundColor"])
    label = label_of(text, brush.style, ink_on(brush.style, ground))
    if label is None:
        return
    x, y = text["Position"][:2]
    if text["Units"].startswith("norm"):
        anchor = QPointF(x * brush.window.width, (1 - y) * brush.window.height)
    else:
        anchor = QPointF(float(brush.data_x(np.array(x))), float(brush.data_y(np.array(y))))
    if not (abs(anchor.x()) < 1e5 and abs(anchor.y()) < 1e5):
        return
    brush.painter.setClipping(bool(text["Clipping"]))
    across, down = ACROSS[text["HorizontalAlignment"]], DOWN[text["VerticalAlignment"]]
    _backdrop(brush, text, label, anchor, (across, down))
    label.draw(brush.painter, anchor, across, down, text["Rotation"])


def _backdrop(
    brush: Brush, text: Exported, label: Label, anchor: QPointF, place: tuple[float, float]
) -> None:
    if text["BackgroundColor"] == "none" and text["EdgeColor"] == "none":
        return
    margin = text["Margin"]
    box = QRectF(
        anchor.x() - place[0] * label.size.width() - margin,
        anchor.y() - place[1] * label.size.height() - margin,
        label.size.width() + 2 * margin,
        label.size.height() + 2 * margin,
    )
    edge = line_pen(brush.color(text["EdgeColor"]), "-", text["LineWidth"])
    if text["EdgeColor"] == "none":
        edge = QPen(Qt.PenStyle.NoPen)
    brush.fill(brush.color(text["BackgroundColor"]), edge)
    brush.painter.drawRect(box)


def draw_annotation(
    painter: QPainter, size: tuple[float, float], item: Exported, style: Style
) -> None:
    """A line, arrow, box, ellipse or text over a figure of that size in pixels."""
    width, height = size
    color = style.color(item["Color"])
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(line_pen(color, item["LineStyle"], item["LineWidth"]))
    if item["Shape"] in ("line", "arrow", "doublearrow", "textarrow"):
        ends = [
            QPointF(x * width, (1 - y) * height) for x, y in zip(item["X"], item["Y"], strict=True)
        ]
        _arrow(painter, item, ends)
        if item["String"]:
            label = Label(item["String"], _font_of(item), color, item["Interpreter"])
            way = QLineF(ends[1], ends[0])
            flat = abs(way.dx()) > 2 * abs(way.dy())
            across = (0.0 if way.dx() > 0 else 1.0) if flat else 0.5
            label.draw(painter, ends[0], across, 0.5 if flat else 1.0 if way.dy() < 0 else 0.0)
        return
    left, bottom, across, up = item["Position"]
    box = QRectF(left * width, (1 - bottom - up) * height, across * width, up * height)
    boxed = item["Shape"] == "textbox"
    face = style.color(item["BackgroundColor"] if boxed else item["FaceColor"])
    if boxed and item["Color"] == "auto":
        color = ink_on(style, face)
    label = Label(
        item["String"], _font_of(item), color, item["Interpreter"], item["HorizontalAlignment"]
    )
    if item["FitBoxToText"] and item["String"]:
        box.setSize(label.size + QSizeF(10, 8))
    if face.alpha():
        face.setAlphaF(item["FaceAlpha"])
    rim = style.color(item["EdgeColor"] if item["EdgeColor"] != "auto" else item["Color"])
    painter.setBrush(face)
    painter.setPen(line_pen(rim, item["LineStyle"], item["LineWidth"]))
    (painter.drawEllipse if item["Shape"] == "ellipse" else painter.drawRect)(box)
    if item["String"]:
        inside = box.adjusted(5, 4, -5, -4)
        part = ACROSS[item["HorizontalAlignment"]], DOWN.get(item["VerticalAlignment"], 0.0)
        spot = QPointF(
            inside.left() + part[0] * inside.width(), inside.top() + part[1] * inside.height()
        )
        label.draw(painter, spot, *part)


def _font_of(item: Exported) -> QFont:
    return font(
        item["FontSize"], bold=item["FontWeight"] == "bold", italic=item["FontAngle"] == "italic"
    )


def ink_on(style: Style, ground: QColor) -> QColor:
    """The theme's ink, or its opposite where the ground is a colour it cannot be read on."""
    if not ground.alpha():
        return style.ink
    light = ground.lightnessF() > 0.5
    return (PAPER if light else NIGHT).ink


def _arrow(painter: QPainter, item: Exported, ends: list[QPointF]) -> None:
    painter.drawLine(QLineF(ends[0], ends[1]))
    if item["Shape"] == "line":
        return
    painter.setBrush(painter.pen().color())
    both = ((ends[0], ends[1]), (ends[1], ends[0]))
    for tail, tip in both[: 2 if item["Shape"] == "doublearrow" else 1]:
        back = QLineF(tip, tail)
        back.setLength(item["HeadLength"])
        side = back.normalVector().unitVector()
        half = item["HeadWidth"] / 2
        across = QPointF(side.dx() * half, side.dy() * half)
        painter.drawPolygon(QPolygonF([tip, back.p2() + across, back.p2() - across]))
