"""Opacities that follow data: alpha data become places in an alpha map, as colours do.

``AlphaDataMapping`` says how: ``none`` takes the numbers as they are, ``scaled`` spreads the alpha
limits of the axes over the map, ``direct`` takes them as indices into it.
"""

from __future__ import annotations

import numpy as np

from app.engine.figures.figure_data import ResidentData, SeriesData
from app.engine.figures.limits import series_of
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.ticks import Limits, widened_limits
from app.engine.values import Array

DEFAULT_SIZE = 64
ALPHA_DATA = {
    "surface": "AlphaData",
    "image": "AlphaData",
    "scatter": "AlphaData",
    "patch": "FaceVertexAlphaData",
}
"""Where each kind of series keeps its alpha data."""


def resolved_alphamap(item: GraphicsObject) -> Array:
    """The alpha map axes use: their own, their figure's, or the default one."""
    for node in item.ancestors():
        if node.has("Alphamap") and node["Alphamap"]:
            return np.array(node["Alphamap"])
    return np.linspace(0.0, 1.0, DEFAULT_SIZE)


def is_default_alphamap(item: GraphicsObject) -> bool:
    """Whether opacities go evenly from 0 to 1."""
    return not any(node.has("Alphamap") and node["Alphamap"] for node in item.ancestors())


def alpha_limits(axes: GraphicsObject) -> Limits:
    """What the two ends of the alpha map stand for."""
    if axes["ALimMode"] == "manual":
        return axes["ALim"]  # type: ignore[no-any-return]
    known = [extent for series in series_of(axes) if (extent := _alpha_extent(series)) is not None]
    if not known:
        return 0.0, 1.0
    return widened_limits(min(e[0] for e in known), max(e[1] for e in known))


def alpha_data(series: GraphicsObject) -> SeriesData | None:
    """The alpha data of a series; None where it has none, or one number for all."""
    name = ALPHA_DATA.get(series.kind.base)
    data = series[name] if name is not None and series.has(name) else None
    return data if data is not None and data.size > 1 else None


def _alpha_extent(series: GraphicsObject) -> Limits | None:
    data = alpha_data(series)
    if data is None or series["AlphaDataMapping"] != "scaled":
        return None
    return data.limits()


def linear_opacity(series: GraphicsObject) -> tuple[float, float]:
    """What alpha data are multiplied by, and then added, where that is all: `alpha_data` on a
    device then stay there."""
    data = alpha_data(series)
    if data is None:
        return 1.0, 0.0
    if series["AlphaDataMapping"] == "none":
        kind = data.value().dtype if isinstance(data, ResidentData) else data.host().dtype
        return (1.0 / float(np.iinfo(kind).max) if kind.kind in "iu" else 1.0), 0.0
    axes = series.ancestor("axes")
    low, high = alpha_limits(axes) if axes is not None else data.limits() or (0.0, 1.0)
    return 1.0 / ((high - low) or 1.0), -low / ((high - low) or 1.0)


def opacities(series: GraphicsObject) -> Array | None:
    """The opacity of every element of the alpha data of a series, from 0 to 1.

    Returns:
        An array of the size of the alpha data; NaN has none. None without alpha data.
    """
    data = alpha_data(series)
    if data is None:
        return None
    numbers = data.host()
    mapped = numbers.astype(np.float64)
    if series["AlphaDataMapping"] == "direct":
        first = 0.0 if numbers.dtype.kind in "iub" else 1.0
        places = np.floor(mapped - first)
    else:
        scale, shift = linear_opacity(series)
        mapped = mapped * scale + shift
        if series["AlphaDataMapping"] == "none":
            return np.clip(np.nan_to_num(mapped), 0.0, 1.0)
        places = mapped * (len(resolved_alphamap(series)) - 1)
    table = resolved_alphamap(series)
    found = np.interp(np.nan_to_num(places), np.arange(len(table)), table)
    return np.where(np.isnan(places), 0.0, np.clip(found, 0.0, 1.0))
