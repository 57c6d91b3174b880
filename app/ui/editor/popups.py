"""Scintilla's lists and call tips in the looks of the window: it has its own idea of borders."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFrame, QListWidget, QWidget


def dress_popups() -> None:
    """Give the list or call tip that has just been shown the edge of the theme."""
    for widget in QApplication.topLevelWidgets():
        if widget.windowType() != Qt.WindowType.ToolTip or not widget.isVisible():
            continue
        if isinstance(widget, QListWidget):
            widget.setObjectName("Completions")
            widget.style().polish(widget)
        elif type(widget) is QWidget:  # a call tip draws a light edge in every theme: cover it
            edge = widget.findChild(QFrame) or QFrame(widget)
            edge.setObjectName("TipEdge")
            edge.setGeometry(widget.rect())
            edge.show()
