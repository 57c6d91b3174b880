"""Words below a list: the list gets its rows first, the words what is left; a click shows all."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QTextLayout
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.ui.widgets.panel_parts import padded_widget
from app.ui.widgets.row_table import ROW_HEIGHT, RowTable

LEAST_ROWS = 3
_AROUND = 14
"""Above and below the words."""


class FoldedLabel(QLabel):
    """As many lines as fit, the last one shortened; the tip, and a click, have the rest."""

    def __init__(self, role: str) -> None:
        super().__init__()
        self.setProperty("role", role)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.opened = False
        self._lines = 1

    def allow(self, height: int) -> None:
        """Take no more than ``height``, unless a person has opened it."""
        line = self.fontMetrics().lineSpacing()
        self._lines = max(height // line, 1)
        self.setMaximumHeight(16777215 if self.opened else self._lines * line)

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        """Show everything, or fold it again."""
        self.opened = not self.opened
        self.allow(self._lines * self.fontMetrics().lineSpacing())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Whole lines only, and an ellipsis where something is left out."""
        whole = self.heightForWidth(self.width()) <= self.height()
        self.setToolTip("" if whole else self.text())
        self.setCursor(Qt.CursorShape.ArrowCursor if whole else Qt.CursorShape.PointingHandCursor)
        if whole:
            super().paintEvent(event)
            return
        painter = QPainter(self)
        for number, line in enumerate(self._shown_lines()):
            top = number * self.fontMetrics().lineSpacing() + self.fontMetrics().ascent()
            painter.drawText(QPoint(0, top), line)
        painter.end()

    def _shown_lines(self) -> list[str]:
        """The lines as they are broken at this width, the last one shortened."""
        text = self.text().replace("\n", " ")
        layout = QTextLayout(text, self.font())
        starts: list[int] = []
        layout.beginLayout()
        while len(starts) < self._lines and (line := layout.createLine()).isValid():
            line.setLineWidth(self.width())
            starts.append(line.textStart())
        layout.endLayout()
        ends = [*starts[1:], len(text)]
        last = self.fontMetrics().elidedText(
            text[starts[-1] :], Qt.TextElideMode.ElideRight, self.width()
        )
        return [text[a:b] for a, b in zip(starts[:-1], ends, strict=False)] + [last]


class ListAndWords(QWidget):
    """A table, and below it words about the row that is chosen."""

    def __init__(self, table: RowTable[Any], words: FoldedLabel) -> None:
        super().__init__()
        self._table, self._words = table, words
        below = QVBoxLayout(self)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(0)
        below.addWidget(table, 1)
        below.addWidget(padded_widget(words))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The list first."""
        super().resizeEvent(event)
        head = self._table.horizontalHeader().height()
        bar = self._table.horizontalScrollBar().sizeHint().height()
        rows = head + LEAST_ROWS * ROW_HEIGHT + bar
        self._words.allow(self.height() - rows - _AROUND)
