"""What stands around the plot box of axes: rulers, legend, colour bar, and the room they take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSizeF

from app.ui.plots import legend_place
from app.ui.plots.polar_frame import ROOM

if TYPE_CHECKING:
    from app.ui.plots.axes_item import AxesItem

PAD = 6.0


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
    """Give the legend its place, unless it was dragged."""
    legend = axes.legend
    if legend is None or legend.moved:
        return
    given = axes.model["legend"]["Position"]
    size = legend.wanted_size()
    if len(given) == 4:
        frame = axes.model["frame"]
        x = (given[0] - frame[0]) / frame[2] * axes.size().width()
        y = (1 - (given[1] + given[3] - frame[1]) / frame[3]) * axes.size().height()
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


def _beside_tiles(axes: AxesItem, size: QSizeF) -> tuple[float, float]:
    """The corner of a legend that stands beside all tiles of a layout."""
    parent = axes.parentItem()
    whole = axes.size() if parent is None else parent.size()
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
