"""How figures look in each theme: canvas, rulers, grid, text, and colours that stay readable."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QPen

from app.ui.support.contrast import contrast
from app.ui.support.fonts import ui_font
from app.ui.support.theme import theme

POINT = 4 / 3
"""Logical pixels per typographic point."""

_PAPER = {
    "canvas": "#ffffff",
    "plot": "#ffffff",
    "frame": "#3c4250",
    "ink": "#1b1f29",
    "muted": "#4c5464",
    "grid": "#1e2430",
}
_NIGHT = {
    "canvas": "#16181d",
    "plot": "#111317",
    "frame": "#6d7585",
    "ink": "#e4e8f0",
    "muted": "#b2b9c6",
    "grid": "#e4e8f0",
}
# The first seven colours of MATLAB's order, lightened where a dark canvas would swallow them.
_NIGHT_ORDER = {
    "#0072bd": "#3ea2f0",
    "#d95319": "#ff7a45",
    "#edb120": "#f5c146",
    "#7e2f8e": "#c07be0",
    "#77ac30": "#8fd14f",
    "#4dbeee": "#63d0ff",
    "#a2142f": "#f2607a",
    "#000000": "#e4e8f0",
    "#0000ff": "#6d8bff",
    "#ff0000": "#ff6b6b",
    "#008000": "#4fc46a",
    "#ff00ff": "#ff7bff",
}

LEAST_CONTRAST = 3.0
"""Of what is drawn on a dark canvas with it."""


@dataclass(frozen=True)
class Style:
    """Colours of a figure.

    Attributes:
        dark: whether the canvas is dark.
        canvas: around the axes.
        plot: inside the axes.
        frame: rulers, ticks and box.
        ink: titles and labels.
        muted: tick labels.
        grid: grid lines, drawn faintly.
    """

    dark: bool
    canvas: QColor
    plot: QColor
    frame: QColor
    ink: QColor
    muted: QColor
    grid: QColor

    def color(self, kept: object, auto: QColor | None = None) -> QColor:
        """A colour of the model; ``auto`` is what automatic means, nothing is transparent."""
        if isinstance(kept, tuple | list):
            made = self.series_color((float(kept[0]), float(kept[1]), float(kept[2])))
            if len(kept) == 4:
                made.setAlphaF(float(kept[3]))
            return made
        if kept == "none":
            return QColor(Qt.GlobalColor.transparent)
        return QColor(self.ink if auto is None else auto)

    def paper_color(self, kept: object, auto: QColor) -> QColor:
        """The colour of a ground, as it is said; ``auto`` is what automatic means."""
        if isinstance(kept, tuple | list):
            return QColor.fromRgbF(*(min(1.0, max(0.0, part)) for part in kept[:3]))
        return self.color(kept, auto)

    def series_color(self, rgb: tuple[float, float, float]) -> QColor:
        """An RGB triple, made readable on a dark canvas; parts that are no part of one are none of
        it."""
        color = QColor.fromRgbF(*(part if 0.0 <= part <= 1.0 else 0.0 for part in rgb))
        shown = _night_color(color.name()) if self.dark else color.name()
        return color if shown == color.name() else QColor(shown)


@cache
def _night_color(code: str) -> str:
    """The usual colours have their own for the night; others keep their hue, as light as it takes
    to see them."""
    if code in _NIGHT_ORDER:
        return _NIGHT_ORDER[code]
    color, behind = QColor(code), QColor(_NIGHT["plot"])
    while contrast(color, behind) < LEAST_CONTRAST:
        hue, lighter = max(0.0, color.hslHueF()), min(1.0, color.lightnessF() + 0.02)
        color = QColor.fromHslF(hue, color.hslSaturationF(), lighter)
    return color.name()


def _style(colors: dict[str, str], *, dark: bool) -> Style:
    return Style(dark, **{name: QColor(code) for name, code in colors.items()})


PAPER = _style(_PAPER, dark=False)
"""Dark ink on white: the light theme, and exports."""
NIGHT = _style(_NIGHT, dark=True)
"""Light ink on near-black: the dark theme."""


def style_on(base: Style, kept: object) -> Style:
    """The style whose ink can be read on a figure of that colour."""
    if not isinstance(kept, tuple | list):
        return base
    red, green, blue = kept
    light = 0.299 * red + 0.587 * green + 0.114 * blue > 0.5
    chosen = PAPER if light else NIGHT
    return base if chosen is base else replace(chosen, canvas=QColor.fromRgbF(*kept))


def current_style() -> Style:
    """The style that goes with the window's theme."""
    return NIGHT if theme().dark else PAPER


_OWN_FONTS = frozenset(("helvetica", "default", "fixedwidth", ""))


def font(points: float, *, bold: bool = False, italic: bool = False, family: str = "") -> QFont:
    """A figure font; ``points`` as scripts give them, ``family`` before the window's own."""
    made = ui_font(max(6, round(points * 1.2)))
    if family.lower() not in _OWN_FONTS:
        made.setFamilies([family, *made.families()])
    made.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    made.setItalic(italic)
    return made


_DASHES = {"--": (8.0, 5.0), ":": (1.6, 3.2), "-.": (8.0, 4.0, 1.6, 4.0)}


def width_pixels(points: float) -> float:
    """A line width in logical pixels; hairlines stay visible."""
    return max(1.25, points * POINT)


def dash_lengths(line_style: str, width: float) -> tuple[float, ...]:
    """Lengths of dashes and gaps in pixels; empty for a solid line."""
    return tuple(part * max(1.0, 0.6 + 0.4 * width) for part in _DASHES.get(line_style, ()))


def line_pen(color: QColor, line_style: str, points: float) -> QPen:
    """A pen for a line of the model."""
    if line_style == "none":
        return QPen(Qt.PenStyle.NoPen)
    width = width_pixels(points)
    pen = QPen(
        color, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
    )
    dashes = dash_lengths(line_style, width)
    if dashes:
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setDashPattern([length / width for length in dashes])
    return pen
