"""The icons of the window: SVG files of one family, tinted with a token of the theme."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.ui.support.resources import resource, resource_text
from app.ui.support.theme import theme

_SIZES = (16, 20)
_SCALES = (1.0, 2.0)


def icon(name: str, token: str = "text") -> QIcon:
    """The icon ``name`` in the colour of ``token``; greyed when disabled."""
    current = theme()
    return _icon(name, current[token], current["faint"])


@cache
def _icon(name: str, colour: str, disabled: str) -> QIcon:
    result = QIcon()
    for size in _SIZES:
        for scale in _SCALES:
            result.addPixmap(_pixmap(name, colour, size, scale))
            result.addPixmap(_pixmap(name, disabled, size, scale), QIcon.Mode.Disabled)
    return result


def pixmap(name: str, token: str = "text", size: int = 16, scale: float = 1.0) -> QPixmap:
    """One picture of the icon ``name``, ``size`` device-independent pixels wide."""
    return _pixmap(name, theme()[token], size, scale)


@cache
def _pixmap(name: str, colour: str, size: int, scale: float) -> QPixmap:
    source = resource_text("icons", f"{name}.svg").replace("currentColor", colour)
    renderer = QSvgRenderer(QByteArray(source.encode()))
    picture = QPixmap(round(size * scale), round(size * scale))
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    renderer.render(painter, QRectF(0, 0, picture.width(), picture.height()))
    painter.end()
    picture.setDevicePixelRatio(scale)
    return picture


def application_icon() -> QIcon:
    """The icon of the program."""
    return QIcon(str(resource("icons", "fuselab.svg")))
