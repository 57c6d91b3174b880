"""Painting that fails: told at once, and never into Qt."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from PySide6.QtGui import QPainter

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
