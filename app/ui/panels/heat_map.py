"""A whole matrix as a small picture: sampled elements as colours; a click goes to the place."""

from __future__ import annotations

from math import isfinite

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.engine.inspected import OverviewReady
from app.ui.support.theme import theme, theme_hub

WIDTH, FOOT = 150, 20


class HeatMap(QWidget):
    """Draws what ``OverviewReady`` tells; what is not a number stays empty."""

    place_wanted = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        self.overview: OverviewReady | None = None
        self._image = QImage()
        self.setAccessibleName("Overview of the whole matrix")
        self.setFixedWidth(WIDTH)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        theme_hub().changed.connect(self._draw)
        self.hide()

    def sizeHint(self) -> QSize:
        """A strip beside the grid."""
        return QSize(WIDTH, 120)

    def show_overview(self, overview: OverviewReady | None) -> None:
        """Draw another matrix; None hides the picture."""
        self.overview = overview
        self.setVisible(overview is not None and len(overview.values) > 1)
        if overview is not None:
            self.setAccessibleDescription(self.words())
        self._draw()

    def words(self) -> str:
        """The range of the colours."""
        low, high = self._range()
        return f"{low:.4g} … {high:.4g}"

    def _range(self) -> tuple[float, float]:
        rows = self.overview.values if self.overview else ()
        finite = [v for row in rows for v in row if isfinite(v)]
        return (min(finite), max(finite)) if finite else (0.0, 0.0)

    def _draw(self) -> None:
        if self.overview is None or not self.overview.values:
            return
        rows, (low, high) = self.overview.values, self._range()
        image = QImage(len(rows[0]), len(rows), QImage.Format.Format_ARGB32)
        image.fill(Qt.GlobalColor.transparent)
        scale = 1 / (high - low) if high > low else 0.0
        for y, row in enumerate(rows):
            for x, value in enumerate(row):
                if isfinite(value):
                    image.setPixelColor(x, y, _colour((value - low) * scale))
        self._image = image
        self.update()

    def _area(self) -> QRectF:
        return QRectF(8, 6, self.width() - 16, self.height() - FOOT - 10)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The picture and its range."""
        painter = QPainter(self)
        painter.drawImage(self._area(), self._image)
        painter.setPen(theme().colour("muted"))
        foot = QRectF(8, self.height() - FOOT, self.width() - 16, FOOT)
        painter.drawText(foot, Qt.AlignmentFlag.AlignCenter, self.words())
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the element below the pointer."""
        overview, area = self.overview, self._area()
        if overview is None or not area.contains(event.position()):
            return
        down = (event.position().y() - area.top()) / area.height()
        across = (event.position().x() - area.left()) / area.width()
        row, column = int(down * overview.size[0]), int(across * overview.size[1])
        self.place_wanted.emit(row, column)


def _colour(share: float) -> QColor:
    """From the panel's own colour to the colour of heat."""
    cold, hot = theme().colour("accent_soft"), theme().colour("heat")
    return QColor(
        round(cold.red() + (hot.red() - cold.red()) * share),
        round(cold.green() + (hot.green() - cold.green()) * share),
        round(cold.blue() + (hot.blue() - cold.blue()) * share),
    )
