"""The card that is seen while the window is being made: it is painted before the heavy imports."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QSplashScreen

from app.ui.support.fonts import ui_font
from app.ui.support.icons import application_icon
from app.ui.support.theme import theme

WIDTH, HEIGHT, LOGO = 320, 132, 48


def show_starting(over: QRect) -> QSplashScreen:
    """Show the card in the middle of where the window will be."""
    scale = QApplication.primaryScreen().devicePixelRatio()
    picture = QPixmap(round(WIDTH * scale), round(HEIGHT * scale))
    picture.setDevicePixelRatio(scale)
    picture.fill(theme().colour("raised"))
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(theme().colour("border_strong"))
    painter.drawRect(QRectF(0.5, 0.5, WIDTH - 1, HEIGHT - 1))
    logo = application_icon().pixmap(round(LOGO * scale), round(LOGO * scale))
    painter.drawPixmap(QRectF(32, (HEIGHT - LOGO) / 2, LOGO, LOGO).toRect(), logo)
    painter.setPen(theme().colour("text"))
    painter.setFont(ui_font(20))
    painter.drawText(QRectF(100, 38, WIDTH - 110, 30), Qt.AlignmentFlag.AlignVCenter, "Fuselab")
    painter.setPen(theme().colour("muted"))
    painter.setFont(ui_font(12))
    painter.drawText(QRectF(100, 68, WIDTH - 110, 22), Qt.AlignmentFlag.AlignVCenter, "Starting…")
    painter.end()
    card = QSplashScreen(picture)
    card.setAccessibleName("Fuselab is starting")
    card.move(over.center() - card.rect().center())
    card.show()
    QApplication.processEvents()
    return card
