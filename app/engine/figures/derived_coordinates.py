"""Coordinates that follow from a series' properties: ends of error bars, tips of arrows.

They are computed where the data is, and again only when the series has changed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.capture import capture_session
from app.engine.figures import polygons, strokes
from app.engine.figures.data_arithmetic import column_of, combine_data
from app.engine.figures.figure_data import HostData, ResidentData, ResidentSource, SeriesData
from app.engine.figures.objects import GraphicsObject, is_polar
from app.engine.figures.pinned_buffers import pin
from app.engine.figures.series_data import device_data_of
from app.engine.figures.transform_groups import moved_data, transform_of
from app.engine.values import DeviceArray, as_array

Parts = dict[str, SeriesData | None]


def derived_parts(item: GraphicsObject) -> Parts:
    """The coordinates that follow from a series alone; empty for most kinds.

    Those that its axes have a part in are `placed_coordinates.placed_parts`.
    """
    if is_placed(item):
        return {}
    maker = _maker(item)
    key: tuple[Any, ...] = (item.revision,)
    matrix = transform_of(item)
    if maker is None and matrix is not None:
        key, maker = (item.revision, matrix.tobytes()), moved_data
    if maker is None and item.has("MarkerIndices") and item["MarkerIndices"]:
        maker = _marker_points
    return {} if maker is None else kept_parts(item, key, maker)


def is_placed(item: GraphicsObject) -> bool:
    """Whether the limits of its axes say where a series is: in polar axes, and curtains."""
    if item.has("RData") and item["RData"] is not None:
        return item.parent is not None and is_polar(item.parent)
    return is_curtain(item)


def is_curtain(item: GraphicsObject) -> bool:
    """Whether a series is a resident surface whose rows hang down to the floor."""
    rows = item.kind.name == "surface" and item["MeshStyle"] == "row"
    return rows and isinstance(item["ZData"], ResidentData)


def kept_parts(
    item: GraphicsObject, key: tuple[Any, ...], maker: Callable[[GraphicsObject], Parts]
) -> Parts:
    """The parts that were made for a key, or new ones."""
    kept = item.derived
    if kept is None or kept[0] != key:
        kept = item.derived = key, maker(item)
    found: Parts = kept[1]
    return found


def _maker(item: GraphicsObject) -> Callable[[GraphicsObject], Parts] | None:
    """What works out the parts of a series of this kind."""
    kind = item.kind.base
    if kind == "quiver":
        return _tips if item["WData"] is None else strokes.arrows
    if kind == "stem" and item["ZData"] is not None:
        return strokes.stems
    if kind == "patch" and polygons.is_resident(item):
        return polygons.outlines
    if kind == "scatter" and (item["XJitter"], item["YJitter"]) != ("none", "none"):
        return strokes.jittered_markers
    return _ends if kind == "errorbar" else None


def _marker_points(item: GraphicsObject) -> Parts:
    """The points of a resident line that have markers; nothing for one on the host."""
    y = item["YData"]
    if not isinstance(y, ResidentData):
        return {}
    wanted = [i - 1 for i in item["MarkerIndices"] if 1 <= i <= y.size]
    index = np.array(wanted, dtype=np.int64)
    found: Parts = {}
    for letter in "XYZ":
        data = item[f"{letter}Data"]
        if data is not None:
            found[f"{letter}Mark"] = _selected_elements(
                item.owner.inputs.context, y.source, data, index
            )
    return found


def _selected_elements(
    context: Any, source: ResidentSource, data: SeriesData, index: Any
) -> SeriesData:
    """Some elements of series data, in a device buffer."""
    if not isinstance(data, ResidentData):
        start = HostData(data.host().reshape(-1)[index][:, None])
        return device_data_of(context, start) or start
    runtime, places = source.array.runtime, capture_session.leaf(index[:, None])
    column = column_of(source, data)
    assert type(column) is DeviceArray
    node = runtime.apply("gather", (column.node, places), ((len(index), 1),))
    buffer = pin(runtime, node, bring=True)
    found = DeviceArray(node, runtime)
    if buffer is None:
        return HostData(as_array(found.gather("plot")))
    return ResidentData(ResidentSource(found, buffer, source.call))


def _ends(item: GraphicsObject) -> Parts:
    """Where the bars of an errorbar begin and end; None along an axis without bars."""
    found: Parts = {}
    for letter in "XY":
        centre = item[f"{letter}Data"]
        low, high = (item[f"{letter}{sign}Delta"] for sign in ("Negative", "Positive"))
        there = (low is not None and low.size) or (high is not None and high.size)
        for end, delta, name in (("Low", low, "minus"), ("High", high, "plus")):
            found[f"{letter}{end}"] = None
            if there:
                given = delta is not None and delta.size
                found[f"{letter}{end}"] = combine_data(name, centre, delta) if given else centre
    return found


def _span(data: SeriesData) -> float:
    ends = data.limits()
    return ends[1] - ends[0] if ends else 0.0


def _tips(item: GraphicsObject) -> Parts:
    """Where arrows end, scaled so that the longest one fits between its neighbours."""
    x, y, u, v = (item[name] for name in ("XData", "YData", "UData", "VData"))
    factor = 1.0
    if item["AutoScale"] and x.size:
        ends = combine_data("hypot", u, v).limits()
        longest = (ends[1] if ends else 0.0) or 1.0
        cells = max(x.size**0.5 - 1, 1.0)
        reach = float(np.hypot(_span(x), _span(y))) / cells / 2**0.5 or 1.0
        factor = item["AutoScaleFactor"] * reach / longest
    tips = [
        combine_data("plus", place, combine_data("times", way, factor))
        for place, way in ((x, u), (y, v))
    ]
    return {"XTip": tips[0], "YTip": tips[1]}
