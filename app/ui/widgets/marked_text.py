"""Texts in a table with what was looked for marked in them."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionViewItem

from app.ui.support.theme import theme
from app.ui.widgets.row_table import RowDelegate

Index = QModelIndex | QPersistentModelIndex


class MarkedText(RowDelegate):
    """Draws a soft mark behind every match; ``pattern`` gives what is looked for, or None."""

    def __init__(self, pattern: Callable[[], re.Pattern[str] | None], parent: QObject) -> None:
        super().__init__(parent)
        self._pattern = pattern

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The ground of the row, the marks, and the text over them."""
        shown = QStyleOptionViewItem(option)
        self.initStyleOption(shown, index)
        style = shown.widget.style() if shown.widget else QApplication.style()
        style.drawPrimitive(
            QStyle.PrimitiveElement.PE_PanelItemViewItem, shown, painter, shown.widget
        )
        pattern = self._pattern()
        if pattern is not None:
            self._mark(painter, shown, style, pattern)
        shown.state &= ~(QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver)
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, shown, painter, shown.widget)

    def _mark(
        self,
        painter: QPainter,
        shown: QStyleOptionViewItem,
        style: QStyle,
        pattern: re.Pattern[str],
    ) -> None:
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
