"""A picture of one fusion group: its inputs, the operations that became one kernel, its outputs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui import formats
from app.ui.editor import verdicts
from app.ui.fonts import code_font, ui_font
from app.ui.theme import theme, theme_hub

PILL = 22
GAP = 18
MARGIN = 10
ROW = 32
MOST_OPS = 60
LONGEST_PASS = 24


class OpGraph(QWidget):
    """Operations as a chain of pills that wraps, between the arrays that go in and come out."""

    def __init__(self) -> None:
        super().__init__()
        self._group: dict[str, Any] = {}
        self.setAccessibleName("Operations of the group")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme_hub().changed.connect(self.update)

    def show_group(self, group: dict[str, Any]) -> None:
        """Draw another group."""
        self._group = group
        self.setAccessibleDescription(f"{group['kind']}: {chain_text(group['ops'])}")
        self.setMinimumHeight(self._height())
        self.update()

    def sizeHint(self) -> QSize:
        """Room for a few rows."""
        return QSize(260, 120)

    def resizeEvent(self, _event: object) -> None:
        """A narrower picture is taller."""
        self.setMinimumHeight(self._height())

    def texts(self) -> list[tuple[str, str]]:
        """What is drawn, in order: role (in, op, out) and text."""
        if not self._group:
            return []
        ins = [("in", array_text(a)) for a in self._group["inputs"]]
        outs = [("out", array_text(a)) for a in self._group["outputs"]]
        return [*ins, *_op_texts(self._group["ops"]), *outs]

    def _places(self) -> list[tuple[str, str, QRectF]]:
        metrics = {"op": QFontMetricsF(code_font(12))}
        plain = QFontMetricsF(ui_font(12))
        x, y, places = float(MARGIN), float(MARGIN), list[tuple[str, str, QRectF]]()
        for role, text in self.texts():
            width = metrics.get(role, plain).horizontalAdvance(text) + 18
            if x > MARGIN and x + width > self.width() - MARGIN:
                x, y = float(MARGIN + GAP), y + ROW
            places.append((role, text, QRectF(x, y, width, PILL)))
            x += width + GAP
        return places

    def _height(self) -> int:
        places = self._places()
        return int(places[-1][2].bottom() + MARGIN) if places else ROW

    def save_svg(self, path: Path) -> None:
        """Save the picture as it is, as vectors."""
        from PySide6.QtSvg import QSvgGenerator

        generator = QSvgGenerator()
        generator.setFileName(str(path))
        generator.setSize(self.size())
        generator.setViewBox(self.rect())
        self.render(generator)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Pills joined by arrows; a wrapped arrow ends at the start of the next row."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        places = self._places()
        for (_, _, before), (_, _, after) in pairwise(places):
            wrapped = before.top() != after.top()
            self._paint_arrow(
                painter, QRectF(0, after.top(), 2, PILL) if wrapped else before, after
            )
        for role, text, area in places:
            self._paint_pill(painter, role, text, area)
        painter.end()

    def _paint_arrow(self, painter: QPainter, before: QRectF, after: QRectF) -> None:
        painter.setPen(QPen(theme().colour("border_strong"), 1.3))
        y, end = before.center().y(), after.left() - 3
        painter.drawLine(QPointF(before.right() + 3, y), QPointF(end, y))
        painter.drawLine(QPointF(end, y), QPointF(end - 4, y - 3))
        painter.drawLine(QPointF(end, y), QPointF(end - 4, y + 3))

    def _paint_pill(self, painter: QPainter, role: str, text: str, area: QRectF) -> None:
        side = verdicts.side_of(self._group)
        operation = role == "op"
        edge = theme().colour("border_strong")
        painter.setPen(QPen(edge) if role in ("in", "out") else Qt.PenStyle.NoPen)
        painter.setBrush(theme().colour(f"{side}_soft" if operation else "panel"))
        painter.drawRoundedRect(area, PILL / 2, PILL / 2)
        painter.setPen(theme().colour(side if operation else "muted"))
        painter.setFont(code_font(12) if operation else ui_font(12))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, text)


def dot_text(group: dict[str, Any]) -> str:
    """A group as a graph in DOT."""
    names = [array_text(a) for a in group["inputs"]]
    lines = ["digraph group {", "  rankdir=LR; node [fontname=monospace];"]
    lines += [f'  in{n} [shape=box, label="{name}"];' for n, name in enumerate(names)]
    lines += [f'  op{n} [shape=ellipse, label="{op}"];' for n, op in enumerate(group["ops"])]
    outs = [array_text(a) for a in group["outputs"]]
    lines += [f'  out{n} [shape=box, label="{name}"];' for n, name in enumerate(outs)]
    lines += [f"  in{n} -> op0;" for n in range(len(names))]
    lines += [f"  op{n} -> op{n + 1};" for n in range(len(group["ops"]) - 1)]
    lines += [f"  op{len(group['ops']) - 1} -> out{n};" for n in range(len(outs))]
    return "\n".join([*lines, "}"]) + "\n"


def _op_texts(ops: Sequence[str]) -> list[tuple[str, str]]:
    texts: list[tuple[str, str]] = []
    for part, count in repeats(ops):
        texts += [("op", op) for op in part]
        if count > 1:
            texts.append(("times", f"the last {len(part)} ×{count}"))
    if len(texts) > MOST_OPS:
        hidden = len(texts) - MOST_OPS
        texts = [*texts[:MOST_OPS], ("times", f"{hidden} more")]
    return texts


def repeats(ops: Sequence[str]) -> list[tuple[tuple[str, ...], int]]:
    """The operations with repeated runs joined: an unrolled loop is shown as one pass."""
    found: list[tuple[tuple[str, ...], int]] = []
    start = 0
    while start < len(ops):
        length, count = _best_repeat(ops, start)
        found.append((tuple(ops[start : start + length]), count))
        start += length * count
    return found


def _best_repeat(ops: Sequence[str], start: int) -> tuple[int, int]:
    best = (1, 1)
    for length in range(1, min(LONGEST_PASS, (len(ops) - start) // 2) + 1):
        part, count = ops[start : start + length], 1
        while ops[start + count * length : start + (count + 1) * length] == part:
            count += 1
        if count > 2 and length * count > best[0] * best[1]:
            best = (length, count)
    return best


def chain_text(ops: Sequence[str]) -> str:
    """The operations in one line, repeated runs joined."""
    parts = []
    for part, count in repeats(list(ops)):
        chain = " → ".join(part)
        parts.append(f"({chain}) ×{count}" if count > 1 else chain)
    return " → ".join(parts)


def array_text(array: dict[str, Any]) -> str:
    """An array at the edge of a group: shape, class, and a mark when it was resident."""
    mark = "■ " if array.get("resident") else ""
    return f"{mark}{formats.size_text(array['shape'])} {array['class']}"
