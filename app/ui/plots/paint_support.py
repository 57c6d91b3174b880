"""What all painting shares: errors that are told at once, and the pixels of what is painted on."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from PySide6.QtGui import QPaintEngine, QPainter

SCREEN_DPI = 96.0
SVG_PIXELS = 2.0
"""Pictures in drawings have so many pixels for one of the screen."""
_DRAWINGS = frozenset((QPaintEngine.Type.Pdf, QPaintEngine.Type.SVG))
Paint = Callable[..., None]


def told(paint: Paint) -> Paint:
    """A ``paint`` method whose errors go to the exception hook at once.

    An exception that reaches Qt while a scene is painted ends the process."""

    @functools.wraps(paint)
    def wrapper(item: Any, painter: QPainter, *args: Any) -> None:
        painter.save()
        try:
            paint(item, painter, *args)
        except Exception:
            sys.excepthook(*sys.exc_info())
        finally:
            painter.restore()

    return wrapper


def is_drawing(painter: QPainter) -> bool:
    """Whether strokes and texts are written to a file rather than painted as pixels."""
    return painter.paintEngine().type() in _DRAWINGS


def is_svg(painter: QPainter) -> bool:
    """Whether an SVG file is written, whose reader may have other fonts."""
    return painter.paintEngine().type() == QPaintEngine.Type.SVG


def unit_of(painter: QPainter) -> float:
    """What a pixel of the screen is long where nothing is scaled: a document counts finer ones."""
    if painter.paintEngine().type() != QPaintEngine.Type.Pdf:
        return 1.0
    return painter.device().logicalDpiX() / SCREEN_DPI


def sharpness_of(painter: QPainter) -> float:
    """How many pixels a picture needs for one of the screen."""
    if is_svg(painter):
        return SVG_PIXELS
    return max(1.0, unit_of(painter), painter.device().devicePixelRatioF())
