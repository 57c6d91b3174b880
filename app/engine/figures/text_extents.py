"""How large texts are: estimated from the widths of letters, since the engine draws nothing."""

from __future__ import annotations

import re

from app.engine.figures.legend_items import legend_items
from app.engine.figures.limits import axis_limits
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.properties import lines_of, row_value
from app.engine.figures.units import PIXELS, normalized_frame, pixels_inside, points_of
from app.engine.values import Value

NARROW, WIDE = frozenset("iljtfrI.,:;'|!()[] "), frozenset("mwMW@%—")
POINT = 96 / 72
_ACROSS = {"left": 0.0, "center": 0.5, "right": 1.0}
_UP = {"bottom": 0.0, "baseline": 0.2, "middle": 0.5, "top": 1.0, "cap": 0.9}


def width_of(line: str) -> float:
    """The width of a line in parts of the letter size."""
    plain = re.sub(r"\\[a-zA-Z]+\s?", "x", re.sub(r"[{}$^_]", "", line))
    return sum(0.3 if c in NARROW else 0.85 if c in WIDE else 0.56 for c in plain)


def pixel_size(text: GraphicsObject) -> tuple[float, float]:
    """Width and height of a text on the screen."""
    lines = text["String"].split("\n")
    letter = float(text["FontSize"]) * POINT
    width, height = letter * max(map(width_of, lines)), 1.35 * letter * len(lines)
    return (height, width) if round(text["Rotation"]) % 180 == 90 else (width, height)


def text_extent(text: GraphicsObject) -> Value:
    """Left, bottom, width and height of a text in its units."""
    width, height = pixel_size(text)
    axes, (x, y) = text.ancestor("axes"), tuple(text["Position"])[:2]
    scale = PIXELS.get(text["Units"])
    if scale is not None:
        across, up = width / scale, height / scale
    else:
        whole = pixels_inside(text.parent)
        part = normalized_frame(axes) if axes is not None else (0.0, 0.0, 1.0, 1.0)
        across, up = width / (whole[0] * part[2]), height / (whole[1] * part[3])
        if axes is not None and text["Units"] == "data":
            (x0, x1), (y0, y1) = (axis_limits(axes, letter) for letter in "XY")
            across, up = across * (x1 - x0), up * (y1 - y0)
    left = x - _ACROSS[text["HorizontalAlignment"]] * across
    return row_value((left, y - _UP[text["VerticalAlignment"]] * up, across, up))


def control_extent(control: GraphicsObject) -> Value:
    """How much room the text of a control takes, in its units, behind two zeros."""
    lines = lines_of(control["String"]) or [""]
    letter = points_of(control) * POINT
    width, height = letter * max(map(width_of, lines)) + 8, 1.35 * letter * len(lines)
    scale = PIXELS.get(control["Units"])
    whole = pixels_inside(control.parent) if scale is None else (scale, scale)
    return row_value((0.0, 0.0, width / whole[0], height / whole[1]))


def _parent_plot_box(holder: GraphicsObject) -> tuple[float, float, float, float]:
    """The plot box of the axes that a legend or colour bar belongs to."""
    return normalized_frame(holder.parent) if holder.parent is not None else (0.0, 0.0, 1.0, 1.0)


def bar_position(bar: GraphicsObject) -> Value:
    """Where a colour bar is, in parts of the figure: where the script put it, or about where it
    stands beside its axes."""
    if len(bar["Position"]) == 4:
        return row_value(tuple(bar["Position"]))
    left, bottom, width, height = _parent_plot_box(bar)
    place = bar["Location"].removesuffix("outside")
    thick, gap = 0.0381 if place in ("east", "west") else 0.0507, 0.02
    if not bar["Location"].endswith("outside"):
        gap = -gap - thick
    if place in ("north", "south"):
        up = bottom + height + gap if place == "north" else bottom - gap - thick
        return row_value((left, up, width, thick))
    across = left + width + gap if place == "east" else left - gap - thick
    return row_value((across, bottom, thick, height))


def legend_position(legend: GraphicsObject) -> Value:
    """The same for a legend."""
    if len(legend["Position"]) == 4 or legend.parent is None:
        return row_value(tuple(legend["Position"]))
    texts = list(legend["String"]) or [s["DisplayName"] for s in legend_items(legend.parent)]
    letter, whole = float(legend["FontSize"]) * POINT, pixels_inside(legend.parent.parent)
    width = (letter * max(map(width_of, texts), default=0.0) + 48) / whole[0]
    height = (1.6 * letter * len(texts) + 8) / whole[1]
    left, bottom, across, up = _parent_plot_box(legend)
    place, air = legend["Location"], 0.02
    x = (
        left + across - width - air
        if "east" in place
        else left + air
        if "west" in place
        else (left + (across - width) / 2)
    )
    y = (
        bottom + up - height - air
        if "north" in place
        else bottom + air
        if "south" in place
        else (bottom + (up - height) / 2)
    )
    return row_value((x, y, width, height))


GETTERS = {
    ("text", "extent"): text_extent,
    ("uicontrol", "extent"): control_extent,
    ("colorbar", "position"): bar_position,
    ("legend", "position"): legend_position,
}
