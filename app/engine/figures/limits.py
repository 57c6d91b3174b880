"""Automatic limits: how far the data of a series reaches, and the axes around all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from app.engine.figures.box_statistics import box_extent
from app.engine.figures.dates import DATE
from app.engine.figures.derived_coordinates import derived_parts
from app.engine.figures.figure_data import ResidentData, host_table
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.schema import SERIES_KINDS
from app.engine.figures.ticks import (
    RADIUS_INTERVALS,
    Limits,
    auto_limits,
    tight_limits,
    widened_limits,
)
from app.engine.figures.transform_groups import drawn_in, moved_points, transform_of

_TIGHT_KINDS = frozenset(("image", "contour"))
_OPEN = float("inf")
SPACE_INTERVALS = 5
"""Axes in space are cut into fewer pieces."""


def _union(*extents: Limits | None) -> Limits | None:
    known = [extent for extent in extents if extent is not None]
    if not known:
        return None
    return min(e[0] for e in known), max(e[1] for e in known)


def _data_extent(series: GraphicsObject, letter: str, *, positive: bool) -> Limits | None:
    data = series[f"{letter}Data"] if series.has(f"{letter}Data") else None
    if data is not None and transform_of(series) is not None:
        data = derived_parts(series).get(f"{letter}Data") or data
    return None if data is None else data.limits(positive=positive)


def _bar_extent(series: GraphicsObject, letter: str, *, positive: bool) -> Limits | None:
    along = "Y" if series["Horizontal"] else "X"
    own = _data_extent(series, "X" if letter == along else "Y", positive=positive)
    if own is None:
        return None
    if letter == along:
        reach = max(abs(series["XOffset"]) + series["XWidth"] / 2, 0.5 * series["XWidth"])
        return own[0] - reach, own[1] + reach
    base = series["YBase"]
    floor = (series["BaseValue"],) * 2 if base is None else base.limits()
    return _union(own, None if positive else floor)


def _based_extent(series: GraphicsObject, letter: str, *, positive: bool) -> Limits | None:
    """Areas and stems stand on their base."""
    own = _data_extent(series, letter, positive=positive)
    base = series["BaseValue"]
    return _union(own, (base, base)) if letter == "Y" and not positive else own


def _histogram_extent(series: GraphicsObject, letter: str, *, positive: bool) -> Limits | None:
    along = "X" if series["Orientation"] == "vertical" else "Y"
    if letter == along:
        edges = series["BinEdges"]
        return (edges[0], edges[-1]) if edges else None
    own = None if series["Values"] is None else series["Values"].limits(positive=positive)
    return own if positive else _union(own, (0.0, 0.0))


def _scatter_extent(series: GraphicsObject, letter: str, *, positive: bool) -> Limits | None:
    """Markers where they are once they have been moved aside."""
    own = _data_extent(series, letter, positive=positive)
    if (series["XJitter"], series["YJitter"]) == ("none", "none"):
        return own
    moved = derived_parts(series).get(f"{letter}Data")
    return own if moved is None else _union(own, moved.limits(positive=positive))


def _error_extent(series: GraphicsObject, letter: str, *, positive: bool) -> Limits | None:
    own = _data_extent(series, letter, positive=positive)
    ends = [derived_parts(series).get(f"{letter}{end}") for end in ("Low", "High")]
    return _union(own, *(end.limits(positive=positive) for end in ends if end is not None))


def _image_extent(series: GraphicsObject, letter: str, *, positive: bool) -> Limits | None:
    count = series["CData"].shape[1 if letter == "X" else 0]
    if letter == "Z" or not count:
        return None
    first, last = image_ends(series, letter)
    half = abs(last - first) / (count - 1) / 2 if count > 1 else 0.5
    return min(first, last) - half, max(first, last) + half


def image_ends(series: GraphicsObject, letter: str) -> Limits:
    """Where the centres of the first and the last row or column of an image are."""
    data = series[f"{letter}Data"]
    count = series["CData"].shape[1 if letter == "X" else 0]
    if data is None or not data.size:
        return 1.0, float(count)
    numbers = data.host().reshape(-1, order="F")
    first, last = float(numbers[0]), float(numbers[-1])
    return first, last if len(numbers) > 1 else first + count - 1


def _patch_extent(series: GraphicsObject, letter: str, *, positive: bool) -> Limits | None:
    column = "XYZ".index("Y" if letter == "R" else letter)
    vertices, matrix = series["Vertices"], transform_of(series)
    if isinstance(vertices, ResidentData) and matrix is None:
        here = column < vertices.shape[1]
        data = ResidentData(vertices.source, column) if here else None
        return data.limits(positive=positive) if data else None
    vertices = host_table(vertices)
    if matrix is not None and vertices.size:
        vertices = moved_points(matrix, vertices)
    if column >= vertices.shape[1] or not vertices.size:
        return None
    values = vertices[:, column]
    kept = values[np.isfinite(values) & ((values > 0) | (not positive))]
    return (float(kept.min()), float(kept.max())) if kept.size else None


def _arrow_extent(series: GraphicsObject, letter: str, *, positive: bool) -> Limits | None:
    """Arrows from their feet to their tips."""
    parts = derived_parts(series)
    tip = parts.get(f"{letter}Tip") or parts.get(f"{letter}Stroke")
    own = _data_extent(series, letter, positive=positive)
    return _union(own, None if tip is None else tip.limits(positive=positive))


def _rectangle_extent(item: GraphicsObject, letter: str, *, positive: bool) -> Limits | None:
    if letter not in "XY":
        return None
    at = "XY".index(letter)
    start, length = item["Position"][at], item["Position"][at + 2]
    return start, start + length


def _no_extent(series: GraphicsObject, letter: str, *, positive: bool) -> Limits | None:
    """Constant lines follow the axes and never widen them."""
    return None


_EXTENTS: dict[str, Callable[..., Limits | None]] = {
    "bar": _bar_extent,
    "area": _based_extent,
    "stem": _based_extent,
    "histogram": _histogram_extent,
    "errorbar": _error_extent,
    "image": _image_extent,
    "patch": _patch_extent,
    "constantline": _no_extent,
    "quiver": _arrow_extent,
    "boxchart": box_extent,
    "scatter": _scatter_extent,
    "rectangle": _rectangle_extent,
}


def series_of(axes: GraphicsObject) -> Iterator[GraphicsObject]:
    """The visible series of axes."""
    return (c for c in drawn_in(axes) if c.kind.name in SERIES_KINDS and c["Visible"])


def _extents(axes: GraphicsObject, letter: str, side: str, *, log: bool) -> list[Limits]:
    found: list[Limits | None] = []
    boxes = (c for c in drawn_in(axes) if c.kind.name == "rectangle" and c["Visible"])
    for series in (*series_of(axes), *boxes):
        if letter == "Y" and axes.two_sided and series["YAxisSide"] != side:
            continue
        extent = _EXTENTS.get(series.kind.base, _data_extent)(series, letter, positive=log)
        found.append(_positive_part(extent) if log else extent)
    return [extent for extent in found if extent is not None]


def _positive_part(extent: Limits | None) -> Limits | None:
    """What a logarithmic axis can show of an extent: of edges beyond zero, three decades."""
    if extent is None or extent[1] <= 0:
        return None
    return (extent[0] if extent[0] > 0 else extent[1] / 1000.0), extent[1]


def _setting(axes: GraphicsObject, name: str, side: str) -> Any:
    """A ruler property of one side of the axes."""
    before, axes.side = axes.side, side
    try:
        return axes[name]
    finally:
        axes.side = before


def axis_limits(axes: GraphicsObject, letter: str, side: str = "left") -> Limits:
    """The limits of one axis: what the script set, or automatic ones."""
    low, high = _setting(axes, f"{letter}Lim", side)
    manual = _setting(axes, f"{letter}LimMode", side) == "manual"
    if manual and _OPEN not in (-low, high):
        return low, high
    found = automatic_limits(axes, letter, side)
    return (
        low if manual and low > -_OPEN else found[0],
        high if manual and high < _OPEN else found[1],
    )


def automatic_limits(axes: GraphicsObject, letter: str, side: str = "left") -> Limits:
    """Limits around the data."""
    log = _setting(axes, f"{letter}Scale", side) == "log"
    extents = _extents(axes, letter, side, log=log)
    if letter == "R":
        most = max((max(map(abs, extent)) for extent in extents), default=1.0)
        return auto_limits([(0.0, most or 1.0)], intervals=RADIUS_INTERVALS)
    method = _setting(axes, f"{letter}LimitMethod", side)
    if method == "padded":
        low, high = tight_limits(extents)
        if log and low > 0:
            part = (high / low) ** 0.07
            return low / part, high * part
        return low - 0.07 * (high - low), high + 0.07 * (high - low)
    dates = _setting(axes, f"{letter}TickFormat", side).startswith(DATE)
    if method == "tight" or dates or _is_tight(axes, letter):
        return tight_limits(extents)
    if letter == _along_bars(axes):
        return _bar_limits(extents)
    in_space = tuple(axes["View"]) != (0.0, 90.0)
    return auto_limits(extents, log=log, intervals=SPACE_INTERVALS if in_space else 10)


def _is_tight(axes: GraphicsObject, letter: str) -> bool:
    kinds = {series.kind.base for series in series_of(axes)}
    flat = letter != "Z" and axes["View"][1] == 90.0
    flat_surfaces = flat and kinds and kinds <= _TIGHT_KINDS | {"surface"}
    return bool(flat_surfaces or (kinds & _TIGHT_KINDS and letter != "Z"))


def _along_bars(axes: GraphicsObject) -> str:
    """The axis that bars stand beside each other on, in axes of bars alone."""
    shown = list(series_of(axes))
    kinds = {series.kind.name for series in shown}
    if not kinds & {"bar", "boxchart"} or not kinds <= {"bar", "boxchart", "errorbar"}:
        return ""
    first = next(series for series in shown if series.kind.name in ("bar", "boxchart"))
    lies = first["Horizontal"] if first.kind.name == "bar" else first["Orientation"] != "vertical"
    return "Y" if lies else "X"


def _bar_limits(extents: list[Limits]) -> Limits:
    """Bars have a little air on both sides."""
    low, high = tight_limits(extents)
    air = 0.1 * (high - low) / max(1.0, round(high - low))
    return low - air, high + air


def color_limits(axes: GraphicsObject) -> Limits:
    """What the two ends of the colour map stand for."""
    if axes["CLimMode"] == "manual":
        return axes["CLim"]  # type: ignore[no-any-return]
    found = [color_extent(series) for series in series_of(axes)]
    known = [extent for extent in found if extent is not None]
    return (
        widened_limits(min(e[0] for e in known), max(e[1] for e in known)) if known else (0.0, 1.0)
    )


def color_extent(series: GraphicsObject) -> Limits | None:
    """The range of a series' colour data."""
    kind = series.kind.base
    if kind == "image":
        scaled = series["CDataMapping"] == "scaled" and len(series["CData"].shape) == 2
        return series["CData"].limits() if scaled else None
    if kind == "contour":
        return _data_extent(series, "Z", positive=False)
    if kind == "surface":
        data = series["CData"] or series["ZData"]
        return data.limits() if len(data.shape) == 2 else None
    if kind == "scatter":
        return _scatter_colors(series)
    if kind == "patch" and series["FaceVertexCData"].shape[1:] == (1,):
        values = series["FaceVertexCData"]
        if isinstance(values, ResidentData):
            return values.limits()
        return float(np.nanmin(values)), float(np.nanmax(values))
    return None


def _scatter_colors(series: GraphicsObject) -> Limits | None:
    data, places = series["CData"], series["XData"]
    if data is None or places is None or data.size != places.size or data.size == 3:
        return None
    return data.limits()  # type: ignore[no-any-return]
