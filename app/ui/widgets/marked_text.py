"""Texts in a table with what was looked for marked in them."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.ui.support.theme import theme

Index = QModelIndex | QPersistentModelIndex


class MarkedText(QStyledItemDelegate):
    """Draws a soft mark behind every match; ``pattern`` gives what is looked for, or None."""

    def __init__(self, pattern: Callable[[], re.Pattern[str] | None], parent: QObject) -> None:
        super().__init__(parent)
        self._pattern = pattern

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The marks, and the text over them."""
        pattern = self._pattern()
        if pattern is not None:
            self._mark(painter, option, index, pattern)
        super().paint(painter, option, index)

    def _mark(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: Index,
        pattern: re.Pattern[str],
    ) -> None:
        shown = QStyleOptionViewItem(option)
        self.initStyleOption(shown, index)
        style = shown.widget.style() if shown.widget else QApplication.style()
        area = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, shown, shown.widget)
        left = area.left() + style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin) + 1
        metrics = QFontMetricsF(shown.font)
        painter.save()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().colour("transfer", 70))
        for found in pattern.finditer(shown.text):
            start, end = (metrics.horizontalAdvance(shown.text[:k]) for k in found.span())
            mark = QRectF(left + start, area.top() + 3, end - start, area.height() - 6)
            painter.drawRoundedRect(mark & QRectF(area), 2, 2)
        painter.restore()
