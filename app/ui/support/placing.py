"""Windows stand wholly on a screen, where their title and their close button can be reached."""

from __future__ import annotations

from PySide6.QtCore import QMargins, QPoint, QRect
from PySide6.QtGui import QGuiApplication

FRAME = QMargins(8, 40, 8, 8)
"""What a window manager may put around a window."""


def brought_on_screen(place: QRect, near: QPoint) -> QRect:
    """A window's place, made smaller and moved only as far as the screen near a point asks for."""
    screen = QGuiApplication.screenAt(near) or QGuiApplication.primaryScreen()
    room = screen.availableGeometry().marginsRemoved(FRAME)
    brought = QRect(place.topLeft(), place.size().boundedTo(room.size()))
    brought.moveRight(min(brought.right(), room.right()))
    brought.moveBottom(min(brought.bottom(), room.bottom()))
    brought.moveLeft(max(brought.left(), room.left()))
    brought.moveTop(max(brought.top(), room.top()))
    return brought
