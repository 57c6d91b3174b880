"""Markup set in type: boxes with a base line, measured and painted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen

from app.ui.plots.labels.markup import (
    Accent,
    Fence,
    Fraction,
    Grid,
    Letters,
    Look,
    Node,
    Root,
    Row,
    Scripts,
    Space,
    is_prime,
)
from app.ui.plots.paint_support import is_svg

Painting = Callable[[QPainter, float, float], None]
AXIS = 0.27
"""Ems above the base line at which fractions have their line."""
_SERIF = [
    "Latin Modern Roman",
    "CMU Serif",
    "STIX Two Text",
    "Cambria",
    "Times New Roman",
    "Liberation Serif",
    "DejaVu Serif Condensed",
    "DejaVu Serif",
]


@dataclass(frozen=True, slots=True)
class Box:
    """Something set.

    Attributes:
        width: of it.
        up: how far it reaches over the base line.
        down: how far it reaches below the base line.
        paint: draws it, with its base line beginning at a point.
    """

    width: float
    up: float
    down: float
    paint: Painting


def _paint_nothing(_painter: QPainter, _x: float, _y: float) -> None:
    pass


class Setter:
    """Sets markup in one font and colour."""

    def __init__(self, font: QFont, color: QColor, *, serif: bool = False) -> None:
        self._font = QFont(font)
        if serif:
            self._font.setFamilies(_SERIF)
        self._color = color

    @property
    def air(self) -> float:
        """How far the boxes of letters reach above capitals."""
        metrics = QFontMetricsF(self._font)
        return float(metrics.ascent() - metrics.capHeight())

    # --- looks ----------------------------------------------------------------------------

    def _font_of(self, look: Look) -> QFont:
        made = QFont(self._font)
        size = 1.6 * look.points if look.points else float(self._font.pixelSize())
        made.setPixelSize(max(5, round(size * look.scale)))
        if look.bold:
            made.setWeight(QFont.Weight.Bold)
        made.setItalic(look.italic or self._font.italic())
        if look.family:
            made.setFamilies([look.family, *self._font.families()])
        return made

    def _em(self, look: Look) -> float:
        return float(self._font_of(look).pixelSize())

    def _ink(self, look: Look) -> QColor:
        return QColor.fromRgbF(*look.color) if isinstance(look.color, tuple) else self._color

    def _pen(self, look: Look) -> QPen:
        return QPen(self._ink(look), max(1.0, 0.055 * self._em(look)))

    # --- boxes ----------------------------------------------------------------------------

    def box(self, node: Node) -> Box:
        """Set a part."""
        match node:
            case Letters():
                return self._letters(node)
            case Row():
                return side_by_side([self.box(part) for part in node.parts])
            case Space():
                return Box(node.ems * self._em(node.look), 0.0, 0.0, _paint_nothing)
            case Scripts():
                return self._scripts(node)
            case Fraction():
                return self._fraction(node)
            case Root():
                return self._root(node)
            case Accent():
                return self._accent(node)
            case Fence():
                return self._fence(node)
            case Grid():
                return self._grid(node)

    def _letters(self, node: Letters) -> Box:
        used, ink = self._font_of(node.look), self._ink(node.look)
        metrics = QFontMetricsF(used)
        width = metrics.horizontalAdvance(node.text)

        def paint(painter: QPainter, x: float, y: float) -> None:
            if is_svg(painter):  # outlines fit together in any font
                outline = QPainterPath()
                outline.addText(QPointF(x, y), used, node.text)
                painter.fillPath(outline, ink)
                return
            painter.setFont(used)
            painter.setPen(ink)
            painter.drawText(QPointF(x, y), node.text)

        lean = 0.06 * used.pixelSize() if node.look.italic and len(node.text) == 1 else 0.0
        return Box(width + lean, metrics.ascent(), metrics.descent(), paint)

    def _scripts(self, node: Scripts) -> Box:
        base = self.box(node.base)
        above = None if node.above is None else self.box(node.above)
        below = None if node.below is None else self.box(node.below)
        if node.stacked:
            return _stacked_box(base, above, below)
        rise, drop = 0.42 * base.up, 0.20 * base.up
        if above is not None and below is not None:
            rise, drop = max(rise, above.down + 0.3 * base.up), max(drop, 0.28 * base.up)
        if is_prime(node.above):
            rise = 0.0  # the letter itself stands at the top

        def paint(painter: QPainter, x: float, y: float) -> None:
            base.paint(painter, x, y)
            if above is not None:
                above.paint(painter, x + base.width + 1, y - rise)
            if below is not None:
                below.paint(painter, x + base.width + 1, y + drop)

        width = max((part.width for part in (above, below) if part is not None), default=0.0)
        up = max(base.up, rise + above.up if above is not None else 0.0)
        down = max(base.down, drop + below.down if below is not None else 0.0)
        return Box(base.width + 1 + width, up, down, paint)

    def _fraction(self, node: Fraction) -> Box:
        top, bottom = self.box(node.top), self.box(node.bottom)
        em, pen = self._em(node.look), self._pen(node.look)
        air, axis = 0.08 * em, AXIS * em
        width = max(top.width, bottom.width) + 0.3 * em

        def paint(painter: QPainter, x: float, y: float) -> None:
            top.paint(painter, x + (width - top.width) / 2, y - axis - air - top.down)
            bottom.paint(painter, x + (width - bottom.width) / 2, y - axis + air + bottom.up)
            if node.line:
                painter.setPen(pen)
                painter.drawLine(QLineF(x + 0.06 * em, y - axis, x + width - 0.06 * em, y - axis))

        return Box(
            width, axis + air + top.down + top.up, bottom.up + bottom.down + air - axis, paint
        )

    def _root(self, node: Root) -> Box:
        body = self.box(node.body)
        degree = None if node.degree is None else self.box(node.degree)
        em, pen = self._em(node.look), self._pen(node.look)
        hook, over = 0.55 * em, 0.05 * em
        aside = max(0.0, (degree.width if degree else 0.0) - 0.25 * em)

        def paint(painter: QPainter, x: float, y: float) -> None:
            top, bottom = y - body.up - over, y + body.down
            left = x + aside
            path = QPainterPath(QPointF(left, bottom - 0.45 * (bottom - top)))
            path.lineTo(left + 0.12 * em, bottom - 0.52 * (bottom - top))
            path.lineTo(left + 0.3 * em, bottom - 1)
            path.lineTo(left + hook - 2, top)
            path.lineTo(left + hook + body.width + 2, top)
            painter.strokePath(path, pen)
            if degree is not None:
                degree.paint(painter, x, bottom - 0.6 * (bottom - top))
            body.paint(painter, left + hook, y)

        return Box(aside + hook + body.width + 3, body.up + over + 2, body.down, paint)

    def _accent(self, node: Accent) -> Box:
        body = self.box(node.body)
        em, pen = self._em(node.look), self._pen(node.look)

        def paint(painter: QPainter, x: float, y: float) -> None:
            body.paint(painter, x, y)
            top = y - min(body.up, 0.86 * em) + 0.02 * em
            if node.kind == "under":
                painter.setPen(pen)
                painter.drawLine(QLineF(x, y + 0.16 * em, x + body.width, y + 0.16 * em))
            elif node.kind == "underbrace":
                painter.strokePath(_brace(x, y + body.down, body.width, 0.25 * em), pen)
            elif node.kind == "overbrace":
                painter.strokePath(_brace(x, y - body.up, body.width, -0.25 * em), pen)
            else:
                painter.strokePath(_mark(node.kind, x, top, body.width, em), pen)

        brace = {"overbrace": (0.3, 0.0), "underbrace": (0.1, 0.3)}.get(node.kind, (0.1, 0.0))
        return Box(body.width, body.up + brace[0] * em, body.down + brace[1] * em, paint)

    def _fence(self, node: Fence) -> Box:
        body = self.box(node.body)
        em, pen = self._em(node.look), self._pen(node.look)
        axis = AXIS * em
        half = max(body.up - axis, body.down + axis, 0.5 * em) + 0.04 * em
        left, right = (0.38 * em if sign else 0.0 for sign in (node.left, node.right))

        def paint(painter: QPainter, x: float, y: float) -> None:
            middle = y - axis
            for sign, start in ((node.left, x), (node.right, x + left + body.width)):
                if sign:
                    area = QRectF(start + 0.09 * em, middle - half, 0.2 * em, 2 * half)
                    painter.strokePath(_delimiter(sign, area), pen)
            body.paint(painter, x + left, y)

        return Box(left + body.width + right, half + axis, half - axis, paint)

    def _grid(self, node: Grid) -> Box:
        cells = [[self.box(cell) for cell in row] for row in node.rows]
        em = self._em(node.look)
        columns = max((len(row) for row in cells), default=0)
        widths = [
            max((row[k].width for row in cells if k < len(row)), default=0.0)
            for k in range(columns)
        ]
        ups = [max((cell.up for cell in row), default=0.0) for row in cells]
        downs = [max((cell.down for cell in row), default=0.0) for row in cells]
        height = sum(ups) + sum(downs) + 0.15 * em * max(len(cells) - 1, 0)
        axis, gap = AXIS * em, 0.8 * em

        def paint(painter: QPainter, x: float, y: float) -> None:
            top = y - axis - height / 2
            for row, up, down in zip(cells, ups, downs, strict=True):
                left = x
                for k, cell in enumerate(row):
                    way = node.align[k] if k < len(node.align) else "c"
                    room = widths[k] - cell.width
                    shift = {"l": 0.0, "r": room}.get(way, room / 2)
                    cell.paint(painter, left + shift, top + up)
                    left += widths[k] + gap
                top += up + down + 0.15 * em

        width = sum(widths) + gap * max(columns - 1, 0)
        return Box(width, height / 2 + axis, height / 2 - axis, paint)


def side_by_side(boxes: list[Box]) -> Box:
    """Boxes on one base line."""

    def paint(painter: QPainter, x: float, y: float) -> None:
        for box in boxes:
            box.paint(painter, x, y)
            x += box.width

    return Box(
        sum(box.width for box in boxes),
        max((box.up for box in boxes), default=0.0),
        max((box.down for box in boxes), default=0.0),
        paint,
    )


def _stacked_box(base: Box, above: Box | None, below: Box | None) -> Box:
    """Limits over and under a sign."""
    width = max(part.width for part in (base, above, below) if part is not None)

    def paint(painter: QPainter, x: float, y: float) -> None:
        base.paint(painter, x + (width - base.width) / 2, y)
        if above is not None:
            above.paint(painter, x + (width - above.width) / 2, y - base.up - above.down + 2)
        if below is not None:
            below.paint(painter, x + (width - below.width) / 2, y + base.down + below.up - 3)

    up = base.up + (above.up + above.down - 2 if above is not None else 0.0)
    down = base.down + (below.up + below.down - 3 if below is not None else 0.0)
    return Box(width, up, down, paint)


def _brace(x: float, y: float, width: float, high: float) -> QPainterPath:
    """A brace that lies along a body; it points down where ``high`` is positive."""
    path, bend = QPainterPath(QPointF(x, y)), min(abs(high), width / 4)
    middle = x + width / 2
    path.quadTo(x, y + high / 2, x + bend, y + high / 2)
    path.lineTo(middle - bend, y + high / 2)
    path.quadTo(middle, y + high / 2, middle, y + high)
    path.quadTo(middle, y + high / 2, middle + bend, y + high / 2)
    path.lineTo(x + width - bend, y + high / 2)
    path.quadTo(x + width, y + high / 2, x + width, y)
    return path


def _mark(kind: str, x: float, top: float, width: float, em: float) -> QPainterPath:
    """The mark of an accent over a body."""
    middle, half, high = x + width / 2, max(0.16 * em, 0.36 * width), 0.12 * em
    path = QPainterPath(QPointF(middle - half, top))
    if kind == "hat":
        path.lineTo(middle, top - high)
        path.lineTo(middle + half, top)
    elif kind == "tilde":
        path.cubicTo(
            middle - half / 3,
            top - 2 * high,
            middle + half / 3,
            top + high,
            middle + half,
            top - high / 2,
        )
    elif kind == "bar":
        path.lineTo(middle + half, top)
    elif kind in ("check", "breve"):
        path = QPainterPath(QPointF(middle - half, top - high))
        path.quadTo(middle, top + high, middle + half, top - high)
        if kind == "check":
            path = QPainterPath(QPointF(middle - half, top - high))
            path.lineTo(middle, top)
            path.lineTo(middle + half, top - high)
    elif kind in ("acute", "grave"):
        way = 1.0 if kind == "acute" else -1.0
        path = QPainterPath(QPointF(middle - way * 0.08 * em, top))
        path.lineTo(middle + way * 0.08 * em, top - 1.2 * high)
    elif kind == "ring":
        path = QPainterPath()
        path.addEllipse(QPointF(middle, top - 0.06 * em), 0.08 * em, 0.08 * em)
    elif kind == "vec":
        path.lineTo(middle + half, top)
        path.moveTo(middle + half - 0.6 * high, top - 0.6 * high)
        path.lineTo(middle + half, top)
        path.lineTo(middle + half - 0.6 * high, top + 0.6 * high)
    else:
        path = QPainterPath()
        count = {"dot": 1, "ddot": 2, "dddot": 3}[kind]
        for number in range(count):
            aside = (number - (count - 1) / 2) * 0.24 * em
            path.addEllipse(QPointF(middle + aside, top - 0.02 * em), 0.03 * em, 0.03 * em)
    return path


def _delimiter(sign: str, area: QRectF) -> QPainterPath:
    """A bracket as high as an area."""
    left, right, top, bottom = area.left(), area.right(), area.top(), area.bottom()
    middle = area.center().y()
    path = QPainterPath()
    if sign in ")]}⟩⌋⌉>":  # the mirror image of its partner
        flipped = _delimiter("([{⟨⌊⌈<"[")]}⟩⌋⌉>".index(sign)], area)
        for k in range(flipped.elementCount()):
            spot = flipped.elementAt(k)
            flipped.setElementPositionAt(k, left + right - spot.x, spot.y)
        return flipped
    if sign == "(":
        path.moveTo(right, top)
        path.cubicTo(
            left - 1,
            top + 0.25 * area.height(),
            left - 1,
            bottom - 0.25 * area.height(),
            right,
            bottom,
        )
    elif sign == "{":
        centre, reach = area.center().x(), min(0.2 * area.height(), area.width())
        path.moveTo(right, top)
        path.quadTo(centre, top, centre, top + reach)
        path.lineTo(centre, middle - reach)
        path.quadTo(centre, middle, left, middle)
        path.quadTo(centre, middle, centre, middle + reach)
        path.lineTo(centre, bottom - reach)
        path.quadTo(centre, bottom, right, bottom)
    elif sign in "⟨<":
        path.moveTo(right, top)
        path.lineTo(left, middle)
        path.lineTo(right, bottom)
    elif sign in "[⌊⌈":
        path.moveTo(right, top)
        if sign == "⌊":
            path.moveTo(left, top)
        else:
            path.lineTo(left, top)
        path.lineTo(left, bottom)
        if sign != "⌈":
            path.lineTo(right, bottom)
    elif sign == "/":
        path.moveTo(right, top)
        path.lineTo(left, bottom)
    else:  # one or two lines
        for x in (left, right) if sign == "‖" else (area.center().x(),):
            path.moveTo(x, top)
            path.lineTo(x, bottom)
    return path
