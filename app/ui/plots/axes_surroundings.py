"""What stands around the plot box of axes: rulers, legend, colour bar, and the room they take."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF

from app.engine.figures.units import USUAL_PLACE
from app.ui.plots import legend_place
from app.ui.plots.polar_frame import ROOM
from app.ui.plots.series_arrays import Exported, to_axis

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from app.ui.plots.axes_item import AxesItem
    from app.ui.plots.legend import Frame
    from app.ui.plots.legend_place import Margins

PAD = 6.0
FAR = 0.3
"""Texts farther from the plot box, in parts of it, are in no room beside it."""


def place_rulers(axes: AxesItem, area: QRectF) -> None:
    """Give the rulers their places around (or across) the plot box."""
    for side, ruler in axes.rulers.items():
        room = ruler.thickness()
        ruler.shift = _crossing(axes, side, area)
        if ruler.side == "top":
            ruler.setGeometry(QRectF(area.left(), area.top() - room, area.width(), room))
        elif side == "bottom":
            ruler.setGeometry(QRectF(area.left(), area.bottom(), area.width(), room))
        elif ruler.side == "left":
            ruler.setGeometry(QRectF(area.left() - room, area.top(), room, area.height()))
        else:
            ruler.setGeometry(QRectF(area.right(), area.top(), room, area.height()))


def _crossing(axes: AxesItem, side: str, area: QRectF) -> float:
    """How far from its side a ruler stands that crosses the other one at zero."""
    name = {"bottom": "XAxisLocation", "left": "YAxisLocation"}.get(side)
    if name is None or axes.model[name] != "origin" or not axes.home:
        return 0.0
    low, high = axes.box.viewRange()[1 if side == "bottom" else 0]
    part = min(1.0, max(0.0, (0.0 - low) / (high - low))) if high > low else 0.0
    return round(-part * area.height()) if side == "bottom" else round(part * area.width())


def place_scale(axes: AxesItem, area: QRectF) -> None:
    """Give the colour bar its place around the plot box."""
    if axes.color_scale is None:
        return
    left, above, right, below = axes.margins()
    titles = sum(
        axes.labels[name].size.height() + 2 for name in ("title", "subtitle") if name in axes.labels
    )
    beyond = {
        "west": left - 10,
        "north": above - titles - 10,
        "south": below - 10,
        "east": right - 14 if "right" in axes.rulers else 0.0,
    }
    if axes.space is not None:
        beyond = dict.fromkeys(beyond, 0.0)
    parent = axes.parentItem()
    size = axes.size() if parent is None else parent.size()
    frame = QRectF(-axes.pos(), size)
    axes.color_scale.place(area, max(0.0, beyond[axes.color_scale.side]), frame)


def scale_room(axes: AxesItem, rect: QRectF, up: float, across: float) -> tuple[float, ...]:
    """What a colour bar takes away: left, above, right, below."""
    if axes.color_scale is None or not axes.color_scale.outside:
        return 0.0, 0.0, 0.0, 0.0
    side = axes.color_scale.side
    titled = 16.0 if axes.color_scale.vertical and axes.color_scale.titled else 0.0
    room = axes.color_scale.room(
        rect.height() - up if axes.color_scale.vertical else rect.width() - across
    )
    found = {side: room}
    return (
        found.get("west", 0.0),
        found.get("north", titled),
        found.get("east", 0.0),
        found.get("south", 0.0),
    )


def inner_area(axes: AxesItem, rect: QRectF) -> QRectF | None:
    """Where the script has put the plot box itself; None where it is fitted in."""
    inner, frame = axes.model["inner"], axes.model["frame"]
    if inner is None or axes.polar or axes.space is not None:
        return None
    x, y = (inner[0] - frame[0]) / frame[2], (frame[1] + frame[3] - inner[1] - inner[3]) / frame[3]
    width, height = inner[2] / frame[2] * rect.width(), inner[3] / frame[3] * rect.height()
    return QRectF(
        round(x * rect.width()),
        round(y * rect.height()),
        max(round(width), 10),
        max(round(height), 10),
    )


def legend_room(axes: AxesItem) -> tuple[float, float, float, float]:
    """What a legend outside of the box takes away: left, above, right, below."""
    if axes.legend is None:
        return 0.0, 0.0, 0.0, 0.0
    location = str(axes.model["legend"]["Location"]).lower()
    size = axes.legend.wanted_size()
    across, down = size.width() + legend_place.GAP, size.height() + legend_place.GAP
    outside = location.endswith("outside")
    return (
        across if outside and location.startswith("west") else 0.0,
        down if outside and location == "northoutside" else 0.0,
        across if outside and ("east" in location or location.startswith("best")) else 0.0,
        down if outside and location == "southoutside" else 0.0,
    )


def place_legend(axes: AxesItem, area: QRectF) -> None:
    """Give the legend its place: where it was dragged, where the script wants it, or the best."""
    legend = axes.legend
    if legend is None:
        return
    given = legend.dragged or axes.model["legend"]["Position"]
    size = legend.wanted_size()
    if len(given) == 4:
        frame = axes.model["frame"]
        x = (given[0] - frame[0]) / frame[2] * axes.size().width()
        y = (1 - (given[1] + given[3] - frame[1]) / frame[3]) * axes.size().height()
        if legend.dragged or axes.model["legend"]["Location"] == "none":
            whole = _figure_size(axes)  # in a smaller window it may not hang over the edge
            x = max(min(x, whole.width() - axes.pos().x() - size.width()), -axes.pos().x())
            y = max(min(y, whole.height() - axes.pos().y() - size.height()), -axes.pos().y())
    elif axes.model["legend"]["Location"] == "layout":
        x, y = _beside_tiles(axes, size)
    else:
        location = str(axes.model["legend"]["Location"]).lower()
        if location == "best":
            location = legend_place.best(axes.model, axes.box, area, size)
        x, y = legend_place.corner(location, area, size, axes.margins())
        if axes.polar and location.endswith("outside") and x > area.right():
            x += ROOM
    legend.setPos(round(x), round(y))


def legend_views(axes: AxesItem) -> list[tuple[str, Frame, tuple[()]]]:
    """Where the mouse has put the legend, for the figure to know."""
    legend = axes.legend
    return [] if legend is None or legend.dragged is None else [("legend", legend.dragged, ())]


def drag_legend(axes: AxesItem) -> None:
    """The legend stands where it is now from here on, in parts of the figure."""
    legend = axes.legend
    if legend is None:
        return
    left, bottom, width, height = axes.model["frame"]
    across, up = width / axes.size().width(), height / axes.size().height()
    size, place = legend.size(), legend.pos()
    low = axes.size().height() - place.y() - size.height()
    corner = left + place.x() * across, bottom + low * up
    legend.dragged = (*corner, size.width() * across, size.height() * up)


def _figure_size(axes: AxesItem) -> QSizeF:
    parent = axes.parentItem()
    return axes.size() if parent is None else parent.size()  # type: ignore[no-any-return]


def _beside_tiles(axes: AxesItem, size: QSizeF) -> tuple[float, float]:
    """The corner of a legend that stands beside all tiles of a layout."""
    whole = _figure_size(axes)
    x, y = (whole.width() - size.width()) / 2, (whole.height() - size.height()) / 2
    match axes.model["legend"]["beside"]:
        case "east":
            x = whole.width() - size.width() - PAD
        case "west":
            x = PAD
        case "north":
            y = PAD
        case "south":
            y = whole.height() - size.height() - PAD
    return x - axes.pos().x(), y - axes.pos().y()


def own_margins(axes: AxesItem) -> Margins:
    """The room that titles, labels and rulers of axes take."""
    shown = axes.ruled
    height = {name: label.reach(name) for name, label in axes.labels.items()}
    beside = (axes.rulers["left"].thickness() if shown else 0) + PAD
    beyond = (axes.rulers["bottom"].thickness() if shown else 0) + PAD
    if shown and "ylabel" in height:
        beside += height["ylabel"] + 4
    if shown and "xlabel" in height:
        beyond += height["xlabel"] + 2
    top, over = axes.rulers["bottom"].side == "top", axes.rulers["left"].side == "right"
    left, below = PAD if over else beside, PAD + 8 if top else beyond
    above = PAD + 4 + (axes.rulers["left"].overhang() if shown else 0) + (beyond if top else 0)
    above += sum(height.get(name, 0) + 2 for name in ("title", "subtitle") if name in height)
    first, last = axes.rulers["bottom"].excess() if shown else (0.0, 0.0)
    left, right = max(left, first - 2), max(beside if over else 14.0, last + 2)
    if "right" in axes.rulers:
        right = axes.rulers["right"].thickness() + PAD + height.get("ylabel_right", 0) + 4
    left, above, right, below = map(max, (left, above, right, below), _text_room(axes))
    if axes.polar:
        return left + ROOM, above + 0.6 * ROOM, right + 0.6 * ROOM, below + 0.6 * ROOM
    return left + 4, above, right, below + 2


def _text_room(axes: AxesItem) -> Margins:
    """What texts beside the box take away: there, as much as axes of this size usually leave."""
    x, y, across, up = USUAL_PLACE
    size = axes.size()
    room = (
        x * size.width(),
        (1 - y - up) * size.height(),
        (1 - x - across) * size.width(),
        y * size.height(),
    )
    texts = [_sides(axes, child) for child in axes.model["children"] if child["kind"] == "text"]
    left, above, right, below = (
        room[side] if any(sides[side] for sides in texts) else 0.0 for side in range(4)
    )
    return left, above, right, below


def _sides(axes: AxesItem, text: Exported) -> tuple[bool, bool, bool, bool]:
    """Left of the box, above, right of and below it: where a text begins that is seen there."""
    if not text["Visible"] or text["Clipping"] or axes.space is not None or axes.polar:
        return False, False, False, False
    parts = list(text["Position"][:2])
    if not text["Units"].startswith("norm"):
        for place, letter in enumerate("XY"):
            ends = np.array([*axes.model[f"{letter}Lim"], parts[place]], dtype=float)
            low, high, at = to_axis(ends, log=axes.model[f"{letter}Scale"] == "log")
            part = float((at - low) / (high - low))
            parts[place] = 1 - part if axes.model[f"{letter}Dir"] == "reverse" else part
    across, up = parts
    near = 1 + FAR
    return -FAR < across < 0, 1 < up < near, 1 < across < near, -FAR < up < 0


def shaped(axes: AxesItem, area: QRectF) -> QRectF:
    """The part of an area with the shape that the axes ask for."""
    ratio = 0.0
    if axes.model["PlotBoxAspectRatioMode"] == "manual":
        ratio = 1.0
    elif axes.shrinks:
        (x0, x1), (y0, y1) = axes.home[0], axes.home[1]
        across, up = axes.model["DataAspectRatio"][:2]
        ratio = abs((x1 - x0) / across / ((y1 - y0) / up))
    if not ratio:
        return area
    width = round(min(area.width(), area.height() * ratio))
    height = round(min(area.height(), area.width() / ratio))
    return QRectF(
        area.left() + round((area.width() - width) / 2),
        area.top() + round((area.height() - height) / 2),
        width,
        height,
    )


def draw_labels(axes: AxesItem, painter: QPainter, area: QRectF) -> None:
    """Draw titles and labels around the plot box."""
    middle = area.center()
    ruler = axes.rulers["bottom"].thickness()
    topped = axes.rulers["bottom"].side == "top"
    line = area.top() - ruler - 3 if topped else area.bottom() + ruler + 3
    down = 1.0 if topped else 0.0
    _draw(axes, "xlabel", painter, QPointF(middle.x(), line), down)
    beside = axes.rulers["left"].thickness() + 5
    if axes.rulers["left"].side == "right":
        anchor = QPointF(area.right() + beside, middle.y())
        _draw(axes, "ylabel", painter, anchor, 0.0)
    else:
        anchor = QPointF(area.left() - beside, middle.y())
        _draw(axes, "ylabel", painter, anchor, 1.0)
    if "right" in axes.rulers:
        right = area.right() + axes.rulers["right"].thickness() + 5
        _draw(axes, "ylabel_right", painter, QPointF(right, middle.y()), 0.0)
    top = area.top() - 5 - (ROOM - 8 if axes.polar else axes.rulers["left"].overhang())
    if topped and axes.ruled:
        top -= ruler + (axes.labels["xlabel"].size.height() if "xlabel" in axes.labels else 0)
    scale = axes.color_scale
    if scale is not None and scale.outside and scale.side == "north":
        top -= scale.room(area.width())
    for name in ("subtitle", "title"):
        if name in axes.labels:
            axes.labels[name].draw(painter, QPointF(middle.x(), top), 0.5, 1.0)
            top -= axes.labels[name].size.height() + 1


def _draw(axes: AxesItem, name: str, painter: QPainter, anchor: QPointF, down: float) -> None:
    if name in axes.labels and axes.ruled:
        axes.labels[name].draw_along(name, painter, anchor, down)
