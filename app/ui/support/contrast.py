"""How well two colours are told apart, as the web's guidelines count it."""

from __future__ import annotations

from PySide6.QtGui import QColor


def contrast(first: QColor, second: QColor) -> float:
    """From 1 to 21: text needs 4.5, what only accompanies it 3."""
    darker, lighter = sorted((luminance(first), luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(color: QColor) -> float:
    """How bright a colour is seen, from 0 to 1."""
    parts = (color.redF(), color.greenF(), color.blueF())
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
