"""The margin of a page: the sections on the screen, their bars, and the triangles that run them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QPainter, QPen

from app.ui.documents.margin import WIDTH, Extent, paint_section
from app.ui.documents.page_layout import SECTION_GAP
from app.ui.documents.runs import Section
from app.ui.support.theme import theme

if TYPE_CHECKING:
    from app.ui.documents.document_view import DocumentView


class SectionMargin:
    """What is left of the rows of one page."""

    def __init__(self, page: DocumentView) -> None:
        self._page = page
        self._extents: list[Extent] = []
        self._looks: list[tuple[object, ...]] = []
        self._hot: Section | None = None

    def find(self) -> None:
        """Look where the sections on the screen are and how they stand; what else the page shows
        is painted anew only when one of them has moved, because a live figure is dear to paint."""
        page, before, looks = self._page, self._places(), self._looks
        offset, high = page.verticalScrollBar().value(), page.viewport().height()
        spans: dict[int, tuple[int, int]] = {}
        for row in page.rows:
            top, bottom = row.top - offset, row.top + row.height - offset
            spans[row.segment.section] = spans.get(row.segment.section, (top, 0))[0], bottom
        self._extents = [
            Extent(section, *spans[section.first])
            for section in page.runs.sections
            if section.first in spans
            and spans[section.first][1] > -200
            and spans[section.first][0] < high
        ]
        self._looks = [(e.section.phase, e.section.stale, e.section.summary) for e in self._extents]
        if self._places() != before:
            page.viewport().update()
        elif self._looks != looks:
            page.viewport().update(QRect(page.across()[0] - WIDTH, 0, WIDTH, high))

    def _places(self) -> list[tuple[int, int, int]]:
        return [(extent.section.first, extent.top, extent.bottom) for extent in self._extents]

    def paint(self, painter: QPainter, part: QRect) -> None:
        """Bars, triangles, costs, and lines between sections, as far as they lie in a part."""
        left, width = self._page.across()
        for extent in self._extents:
            y = extent.top - SECTION_GAP // 2
            if extent.section.first > 1 and part.top() <= y <= part.bottom():
                painter.setPen(QPen(theme().colour("border"), 1))
                painter.drawLine(left, y, left + width, y)
            if part.left() <= left:
                paint_section(painter, extent, left - WIDTH, hot=extent.section is self._hot)

    def section_at(self, spot: QPoint) -> Section | None:
        """The section whose triangle is there."""
        left = self._page.across()[0] - WIDTH
        return next((e.section for e in self._extents if e.button(left).contains(spot)), None)

    def point_at(self, spot: QPoint) -> None:
        """Light the triangle below the pointer."""
        hot, viewport = self.section_at(spot), self._page.viewport()
        if hot is not self._hot:
            self._hot = hot
            pointing, arrow = Qt.CursorShape.PointingHandCursor, Qt.CursorShape.ArrowCursor
            viewport.setCursor(pointing if hot else arrow)
            viewport.setToolTip("Run this section (Ctrl+Enter)" if hot else "")
            viewport.update()
