"""The card that is seen while the window is being made: it is painted before the heavy imports."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from app.ui.support.fonts import ui_font
from app.ui.support.icons import application_icon
from app.ui.support.theme import theme

WIDTH, HEIGHT, LOGO = 320, 132, 48
MAPPING_MS = 100
"""How long the window manager may take before the start goes on without it."""


def show_starting(over: QRect) -> QWidget:
    """Show the card in the middle of where the window will be; close it when that is there.

    Qt's own ``QSplashScreen`` waits a whole second in its ``show``.
    """
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
    card = QLabel()
    card.setWindowFlags(Qt.WindowType.SplashScreen | Qt.WindowType.FramelessWindowHint)
    card.setPixmap(picture)
    card.resize(WIDTH, HEIGHT)
    card.setAccessibleName("Fuselab is starting")
    card.move(over.center() - card.rect().center())
    card.show()
    await_exposed(card)
    return card


def await_exposed(window: QWidget) -> None:
    """Let a window that was shown appear and paint itself before anything else is begun."""
    clock = QElapsedTimer()
    clock.start()
    while not window.windowHandle().isExposed() and clock.elapsed() < MAPPING_MS:
        QApplication.processEvents()
    window.repaint()
