"""The two typefaces of the window: one for the interface, one for code.

They come with the program, so that every machine (and one without any font) shows the same
window; a person's own choice in the settings goes first.
"""

from __future__ import annotations

from functools import cache

from PySide6.QtGui import QFont, QFontDatabase

from app.ui.support.resources import resource

UI_FAMILY = "Inter"
CODE_FAMILY = "JetBrains Mono"
UI_PIXELS = 13
_FALLBACKS = ["Cascadia Mono", "SF Mono", "DejaVu Sans Mono", "Consolas", "monospace"]


class CodeFont:
    """Family and size of code, as the settings say."""

    family = CODE_FAMILY
    points = 10


def use_code_font(family: str, points: int) -> None:
    """Show code in another typeface or size; views take it with the next change of theme.

    The settings may come from a machine with other typefaces: one that is not here is the one
    that comes with the program, whose letters have one width.
    """
    CodeFont.family = family if family and QFontDatabase.hasFamily(family) else CODE_FAMILY
    CodeFont.points = points


def code_families() -> list[str]:
    """The typefaces of this machine whose letters have one width."""
    return [name for name in QFontDatabase.families() if QFontDatabase.isFixedPitch(name)]


def load_fonts() -> None:
    """Make the bundled typefaces known to Qt."""
    for path in sorted(resource("fonts").glob("*.[ot]tf")):
        QFontDatabase.addApplicationFont(str(path))


def ui_font(pixels: int = UI_PIXELS, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The interface typeface, with tabular digits so that columns of numbers line up."""
    font = QFont([UI_FAMILY, "Segoe UI", "SF Pro Text", "DejaVu Sans"])
    font.setPixelSize(pixels)
    font.setWeight(weight)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def code_font(pixels: int = UI_PIXELS) -> QFont:
    """The code typeface; the same object every time, so change a copy."""
    return _code_font(CodeFont.family, pixels)


@cache
def _code_font(family: str, pixels: int) -> QFont:
    font = QFont([family, CODE_FAMILY, *_FALLBACKS])
    font.setPixelSize(pixels)
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setFeature(QFont.Tag("calt"), 0)
    return font
