"""Whether the data of a series belong together: what does not is not drawn, as in MATLAB.

Scripts change data one by one, so sizes differ in between, and may go on differing.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine.figures.figure_data import HostData, ResidentData, SeriesData, host_table
from app.engine.figures.objects import GraphicsObject, is_polar

_BY_DATA = frozenset(("flat", "interp", "texturemap"))
_OPACITIES = ("FaceAlpha", "EdgeAlpha", "MarkerFaceAlpha", "MarkerEdgeAlpha")


def fits(item: GraphicsObject) -> bool:
    """Whether a series can be drawn."""
    rule = _RULES.get(item.kind.base)
    return rule is None or rule(item)


def fitting_colors(surface: GraphicsObject) -> SeriesData | None:
    """The colours of a surface as many as its points; None for heights, and where none are used."""
    colors, heights = surface["CData"], surface["ZData"]
    if colors is None or tuple(colors.shape[:2]) == tuple(heights.shape):
        return colors  # type: ignore[no-any-return]
    if surface["FaceColor"] != "texturemap" or not colors.size:
        return None
    array = host_table(colors if isinstance(colors, ResidentData) else colors.array)
    places = (
        np.linspace(0, there - 1, here).round().astype(np.intp)
        for there, here in zip(array.shape[:2], heights.shape, strict=True)
    )
    return HostData(array[np.ix_(*places)])


def follows_alpha_data(series: GraphicsObject) -> bool:
    """Whether a word ('flat', 'interp') makes the opacity of a series follow its alpha data."""
    return any(series.has(name) and isinstance(series[name], str) for name in _OPACITIES)


def _sizes(item: GraphicsObject, *names: str) -> list[int]:
    return [item[name].size for name in names if item.has(name) and item[name] is not None]


def _equal(*names: str) -> Callable[[GraphicsObject], bool]:
    """As many numbers in each of these as there are in any."""
    return lambda item: len(set(_sizes(item, *names))) <= 1


def _grid(item: GraphicsObject) -> bool:
    """Heights in a matrix, with coordinates for each or for its columns and rows."""
    heights = item["ZData"]
    if heights is None or len(heights.shape) != 2:
        return False
    shape = tuple(heights.shape)
    return all(
        item[name] is None or tuple(item[name].shape) == shape or item[name].size == count
        for name, count in (("XData", shape[1]), ("YData", shape[0]))
    )


def _surface(item: GraphicsObject) -> bool:
    if not _grid(item):
        return False
    colors = item["CData"]
    if colors is None or tuple(colors.shape[:2]) == tuple(item["ZData"].shape):
        return colors is None or len(colors.shape) == 2 or colors.shape[2:] == (3,)
    if item["FaceColor"] == "texturemap":
        return colors.size > 0 and (len(colors.shape) == 2 or colors.shape[2:] == (3,))
    return not {item["FaceColor"], item["EdgeColor"]} & _BY_DATA


def _errorbar(item: GraphicsObject) -> bool:
    ends = [f"{letter}{side}Delta" for letter in "XY" for side in ("Negative", "Positive")]
    count = _sizes(item, "YData")
    given = {size for size in _sizes(item, *ends) if size}
    return _equal("XData", "YData")(item) and given <= set(count)


def _scatter(item: GraphicsObject) -> bool:
    count = max(_sizes(item, "XData", "YData"), default=0)
    colors = item["CData"]
    if colors is not None and colors.size not in (3, count, 3 * count):
        return False
    return all(size in (1, count) for size in _sizes(item, "SizeData"))


def _quiver(item: GraphicsObject) -> bool:
    across = item["UData"]
    if across is None or not _equal("UData", "VData", "WData")(item):
        return False
    if (item["ZData"] is None) != (item["WData"] is None):
        return False
    return set(_sizes(item, "XData", "YData", "ZData")) <= {across.size}


def _patch(item: GraphicsObject) -> bool:
    vertices, faces, colors = item["Vertices"], item["Faces"], item["FaceVertexCData"]
    if not vertices.size or not faces.size:
        return True
    if len(vertices.shape) != 2 or vertices.shape[1] not in (2, 3) or len(faces.shape) != 2:
        return False
    if colors.size and (len(colors.shape) != 2 or colors.shape[1] not in (1, 3)):
        return False
    if colors.size and colors.shape[0] not in (1, vertices.shape[0], faces.shape[0]):
        return False
    if isinstance(faces, ResidentData):
        return True
    corners = np.asarray(faces, np.float64)
    first = corners[:, 0]
    inside = (corners >= 1) & (corners <= vertices.shape[0])
    return bool(np.isfinite(first).all() and (inside | np.isnan(corners)).all())


def _image(item: GraphicsObject) -> bool:
    ends = [item[name] for name in ("XData", "YData") if item[name] is not None]
    return bool(item["CData"] is not None and item["CData"].size) and all(
        isinstance(one, ResidentData) or not one.size or np.isfinite(one.value()).all()
        for one in ends
    )


def _line(item: GraphicsObject) -> bool:
    polar = item.parent is not None and is_polar(item.parent)
    return not polar or _equal("ThetaData", "RData")(item)


_RULES: dict[str, Callable[[GraphicsObject], bool]] = {
    "line": _line,
    "scatter": lambda item: _line(item) and _scatter(item),
    "bar": _equal("XData", "YData", "YBase"),
    "area": _equal("XData", "YData", "YBase"),
    "stair": _equal("XData", "YData"),
    "stem": _equal("XData", "YData", "ZData"),
    "errorbar": _errorbar,
    "surface": _surface,
    "contour": _grid,
    "quiver": _quiver,
    "patch": _patch,
    "image": _image,
    "text": lambda item: len(item["Position"]) in (2, 3),
    "histogram": lambda item: bool(np.isfinite(item["BinEdges"]).all()),
}
