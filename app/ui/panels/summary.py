"""The run summary: where the time went, and what to change first."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.ui import formats
from app.ui.comparison import Comparison, Side, verdict
from app.ui.fonts import ui_font
from app.ui.models import advice
from app.ui.models.advice import Advice, Share
from app.ui.panels.curves import Curve, Curves
from app.ui.panels.panel import Context, Panel, label
from app.ui.theme import theme, theme_hub
from app.ui.whatif import Found, WhatIf
from app.ui.whatif import words as whatif_words

BAR = 14
LEGEND = 22
ROW = 24


class ShareBar(QWidget):
    """The parts of the wall time side by side, with a legend below."""

    def __init__(self) -> None:
        super().__init__()
        self.shares: list[Share] = []
        self.setMinimumHeight(BAR + 12 + LEGEND)
        self.setAccessibleName("Where the time went")
        theme_hub().changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """One bar and one line of text."""
        return QSize(400, BAR + 12 + LEGEND)

    def show_shares(self, shares: list[Share]) -> None:
        """Draw other parts."""
        self.shares = shares
        texts = (f"{s.title} {formats.milliseconds(s.ms)}" for s in shares)
        self.setAccessibleDescription(", ".join(texts))
        self._make_room()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The bar, then a dot, a name and a time for each part."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        total, x = sum(s.ms for s in self.shares) or 1.0, 0.0
        for share in self.shares:
            width = share.ms / total * self.width()
            painter.setBrush(theme().colour(share.tint))
            painter.drawRoundedRect(QRectF(x, 0, max(width - 2, 1.5), BAR), 2, 2)
            x += width
        self._paint_legend(painter)
        painter.end()

    def resizeEvent(self, _event: object) -> None:
        """The words wrap where the bar is narrow."""
        self._make_room()

    def _make_room(self) -> None:
        rows = 1 + int(max((y for _, y, _, _ in self._words()), default=0.0))
        self.setMinimumHeight(BAR + 12 + rows * LEGEND)

    def _words(self) -> list[tuple[float, int, str, Share]]:
        """The legend: place, row, text and what it is about."""
        metrics, x, row = QFontMetricsF(ui_font(12)), 0.0, 0
        words: list[tuple[float, int, str, Share]] = []
        for share in self.shares:
            text = f"{share.title}  {formats.milliseconds(share.ms)}"
            width = metrics.horizontalAdvance(text) + 34
            if words and x + width > self.width() + 20:
                x, row = 0.0, row + 1
            words.append((x, row, text, share))
            x += width
        return words

    def _paint_legend(self, painter: QPainter) -> None:
        painter.setFont(ui_font(12))
        for x, row, text, share in self._words():
            y = BAR + 12 + row * LEGEND
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme().colour(share.tint))
            painter.drawEllipse(QRectF(x, y + 4, 8, 8))
            painter.setPen(theme().colour("muted"))
            painter.drawText(QRectF(x + 14, y, self.width(), 16), text)


class CompareBars(QWidget):
    """The times of both sides as bars: warm in full colour, the rest of the cold run pale."""

    def __init__(self) -> None:
        super().__init__()
        self.sides: list[Side] = []
        self.setMinimumHeight(2 * ROW + 24)
        self.setAccessibleName("CPU and GPU compared")
        theme_hub().changed.connect(self.update)

    def show_sides(self, found: list[Side]) -> None:
        """Draw these sides."""
        self.sides = found
        self.setAccessibleDescription(verdict(found))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A line of text, then one bar per side."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(ui_font(13))
        painter.setPen(theme().colour("text"))
        painter.drawText(QRectF(0, 0, self.width(), 20), verdict(self.sides))
        longest = max((max(s.cold_ms, s.warm_ms) for s in self.sides), default=1.0)
        for number, side in enumerate(self.sides):
            self._paint_side(painter, side, 24 + number * ROW, longest)
        painter.end()

    def _paint_side(self, painter: QPainter, side: Side, top: int, longest: float) -> None:
        tint = "device" if side.title == "GPU" else "host"
        room = max(self.width() - 320, 40)
        painter.setPen(theme().colour("muted"))
        painter.setFont(ui_font(12))
        painter.drawText(QRectF(0, top, 40, BAR + 4), side.title)
        painter.setPen(Qt.PenStyle.NoPen)
        for time, alpha in ((side.cold_ms, 70), (side.warm_ms, 255)):
            painter.setBrush(theme().colour(tint, alpha))
            painter.drawRoundedRect(QRectF(44, top, max(time / longest * room, 2), BAR), 2, 2)
        warm, first = (formats.milliseconds(ms) for ms in (side.warm_ms, side.cold_ms))
        text = f"warm {warm}   first {first}"
        painter.setPen(theme().colour("text"))
        left = 44 + max(side.cold_ms, side.warm_ms) / longest * room + 12
        painter.drawText(QRectF(left, top - 1, 270, BAR + 4), text)


class SummaryPanel(Panel):
    """What a person wants to know after F5, in one look."""

    empty_icon = "history"
    empty_title = "No run yet"
    empty_text = "Run a script with F5 to see where its time goes and what to change first."

    def __init__(self, context: Context, comparison: Comparison, whatif: WhatIf) -> None:
        self._comparison, self._whatif = comparison, whatif
        self._compared: list[Side] | None = None
        self._tried: Found | None = None
        super().__init__(context)
        comparison.finished.connect(self._on_compared)
        whatif.finished.connect(self._on_tried)

    def _build(self) -> QWidget:
        inside = QWidget()
        self._baseline: float | None = None
        self._headline = QLabel()
        self._headline.setProperty("role", "figure")
        self._facts = label("", "muted")
        self._bar = ShareBar()
        self._list = QVBoxLayout()
        self._list.setSpacing(6)
        self._pin = QPushButton("Compare later runs with this one")
        self._pin.clicked.connect(self.pin)
        top = QHBoxLayout()
        top.setSpacing(12)
        top.addWidget(self._headline)
        top.addWidget(self._facts, 1)
        top.addWidget(self._pin)
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.setSpacing(12)
        layout.addLayout(top)
        layout.addWidget(self._bar)
        self._sides = CompareBars()
        layout.addWidget(self._sides)
        self.tried_text = label("", "title")
        self.tried = Curves("Times at other sizes")
        layout.addWidget(self.tried_text)
        layout.addWidget(self.tried)
        layout.addLayout(self._list)
        layout.addStretch(1)
        area = QScrollArea()
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setWidget(inside)
        return area

    def _listen(self) -> None:
        self.account.run_finished.connect(self.invalidate)
        self.account.run_started.connect(self._forget)

    def _forget(self) -> None:
        """A run of its own: what was compared and tried before is not about it."""
        if not (self._comparison.active or self._whatif.active):
            self._compared = self._tried = None
        self.invalidate()

    def _is_empty(self) -> bool:
        return self.account.wall_ms is None

    def _on_compared(self, found: list[Side]) -> None:
        self._compared = found
        self.invalidate()

    def _on_tried(self, found: Found | None) -> None:
        self._tried = found
        self.context.notify(whatif_words(found))
        self.invalidate()

    def _show_tried(self) -> None:
        found = self._tried
        self.tried.setVisible(found is not None)
        self.tried_text.setVisible(found is not None)
        if found is not None:
            self.tried_text.setText(whatif_words(found))
            curves = (Curve("CPU", "host", found.host), Curve("GPU", "device", found.device))
            self.tried.show_curves(curves, found.crossing)

    def pin(self) -> None:
        """Compare later runs with this one."""
        self._baseline = self.account.wall_ms
        self._refresh()

    def _refresh(self) -> None:
        account, wall = self.account, self.account.wall_ms or 0.0
        self._headline.setText(formats.milliseconds(wall))
        self._facts.setText(self._facts_text(wall))
        self._sides.setVisible(self._compared is not None)
        self._sides.show_sides(self._compared or [])
        self._show_tried()
        self._bar.show_shares(advice.shares(wall, account.counters))
        found = advice.advise(wall, account.counters, account.transfers,
                              account.groups.values(), account.boundaries)  # fmt: skip
        self._show_advice(found)

    def _facts_text(self, wall: float) -> str:
        counters = self.account.counters
        parts = [
            formats.plural(counters.get("groups", 0), "group"),
            formats.plural(counters.get("dispatches", 0), "dispatch", "dispatches"),
            f"↑ {formats.bytes_text(counters.get('upload_bytes', 0))}",
            f"↓ {formats.bytes_text(counters.get('download_bytes', 0))}",
        ]
        if self._baseline and self._baseline != wall:
            ratio = self._baseline / max(wall, 1e-9)
            word = "faster" if ratio > 1 else "slower"
            times = ratio if ratio > 1 else 1 / ratio
            parts.append(f"{times:.2f}× {word} than the pinned run")
        return "   ".join(parts)

    def _show_advice(self, found: list[Advice]) -> None:
        while (item := self._list.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for one in found:
            self._list.addWidget(self._card(one))
        if not found:
            self._list.addWidget(label("Nothing stands out: no single cause costs 5 %.", "muted"))

    def _card(self, one: Advice) -> QWidget:
        card = QFrame()
        card.setObjectName("Card")
        row = QHBoxLayout(card)
        row.setContentsMargins(12, 8, 8, 8)
        gain = label(f"up to −{formats.milliseconds(one.gain_ms)}", "device")
        gain.setMinimumWidth(110)
        row.addWidget(gain)
        text = QLabel(one.text)
        text.setWordWrap(True)
        row.addWidget(text, 1)
        if one.line:
            show = QPushButton("Show")
            show.clicked.connect(partial(self._open, one.line))
            row.addWidget(show)
        return card

    def _open(self, line: int, *_checked: bool) -> None:
        self.context.open_location(self.account.run_name, line)
