"""Data tips that a script puts on points of a chart: objects inside the chart."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from app.engine.figures import limits
from app.engine.figures.objects import ByProperty, Getter, GraphicsObject, Setter
from app.engine.figures.properties import number_of
from app.engine.figures.ruler_values import values_on_ruler
from app.engine.values import Array, Value, as_array
from app.errors import MatlabError

TIP = "datatip"
_ASIDE = 1e-9
_CHARTS = frozenset("line scatter stair stem errorbar bar area histogram surface image".split())


def check_chart(item: GraphicsObject) -> None:
    """Refuse what has no points that a tip can stand on."""
    if item.kind.base not in _CHARTS:
        known = ", ".join(sorted(_CHARTS))
        text = f"Data tips stand on points of charts ({known}), not of a {item.kind.name}."
        raise MatlabError("MATLAB:graphics:datatip:UnsupportedTarget", text)


def _points(chart: GraphicsObject) -> dict[str, Array]:
    """The coordinates of all points in the order of their indices, by letter."""
    if chart.kind.base == "image":
        rows, columns = chart["CData"].shape[:2]
        x, y = (
            np.linspace(*limits.image_ends(chart, s), n)
            for s, n in zip("XY", (columns, rows), strict=True)
        )
        return {"X": np.repeat(x, rows), "Y": np.tile(y, columns)}
    if chart.kind.base == "histogram":
        edges, values = (as_array(chart.get(n)).reshape(-1) for n in ("BinEdges", "Values"))
        return {"X": (edges[1:] + edges[:-1]) / 2, "Y": values.astype(np.float64)}
    kept = {s: chart[f"{s}Data"] for s in "XYZ" if chart.has(f"{s}Data")}
    found = {s: data.host("data tip") for s, data in kept.items() if data is not None and data.size}
    if chart.kind.base == "surface":
        shape = found["Z"].shape
        for s, row in (("X", (1, -1)), ("Y", (-1, 1))):
            if found[s].shape != shape:
                found[s] = np.broadcast_to(found[s].reshape(row), shape)
    return {s: values.reshape(-1, order="F").astype(np.float64) for s, values in found.items()}


def nearest_point(chart: GraphicsObject, wanted: Mapping[str, float], chiefly: str = "") -> int:
    """The index (from 1) of the point nearest to coordinates, as far apart as the axes show it.

    ``chiefly`` is the coordinate that counts where the others only choose among equals.
    """
    points, axes = _points(chart), chart.ancestor("axes")
    gaps = np.zeros(len(points["X"]))
    for letter, value in wanted.items():
        if letter not in points:
            raise MatlabError(
                "MATLAB:graphics:datatip:NoSuchCoordinate", f"This chart has no {letter}Data."
            )
        low, high = limits.axis_limits(axes, letter) if axes is not None else (0.0, 1.0)
        weight = 1.0 if chiefly in ("", letter) else _ASIDE
        gaps += weight * ((points[letter] - value) / ((high - low) or 1.0)) ** 2
    if not np.isfinite(gaps).any():
        raise MatlabError("MATLAB:graphics:datatip:NoPoint", "The chart has no point there.")
    return int(np.nanargmin(gaps)) + 1


def coordinate(chart: GraphicsObject, letter: str, value: Value) -> float:
    """A number, or a date or category, as a number of the ruler it belongs to."""
    axes, context = chart.ancestor("axes"), chart.owner.inputs.context
    if axes is not None and context is not None:
        value = chart.owner.rules.numbers_on(context, axes, letter, value)
    return number_of(value)


def _chart_of(tip: GraphicsObject) -> GraphicsObject:
    if tip.parent is None:
        raise MatlabError("MATLAB:class:InvalidHandle", "Invalid or deleted object.")
    return tip.parent


def _get(letter: str) -> Getter:
    def get(tip: GraphicsObject) -> Value:
        chart = _chart_of(tip)
        points = _points(chart)
        if letter not in points:
            raise tip.unknown(letter)
        value, axes = float(points[letter][int(tip["DataIndex"]) - 1]), chart.ancestor("axes")
        context = tip.owner.inputs.context
        if axes is None or context is None:
            return value
        return values_on_ruler(context, axes, letter, value)

    return get


def _set(letter: str) -> Setter:
    def put(tip: GraphicsObject, value: Value) -> None:
        chart = _chart_of(tip)
        here = {s: float(p[int(tip["DataIndex"]) - 1]) for s, p in _points(chart).items()}
        wanted = here | {letter: coordinate(chart, letter, value)}
        tip["DataIndex"] = float(nearest_point(chart, wanted, chiefly=letter))

    return put


def _set_index(tip: GraphicsObject, value: Value) -> None:
    count, wanted = len(_points(_chart_of(tip))["X"]), number_of(value)
    if not (wanted == int(wanted) and 1 <= wanted <= count):
        text = f"DataIndex must be a whole number from 1 to {count}."
        raise MatlabError("MATLAB:graphics:datatip:InvalidIndex", text)
    tip["DataIndex"] = wanted


def _set_location(tip: GraphicsObject, value: Value) -> None:
    tip["Location"], tip["LocationMode"] = tip.parsed("Location", value), "manual"


GETTERS: ByProperty[Getter] = {(TIP, letter.lower()): _get(letter) for letter in "XYZ"}
SETTERS: ByProperty[Setter] = {
    **{(TIP, letter.lower()): _set(letter) for letter in "XYZ"},
    (TIP, "dataindex"): _set_index,
    (TIP, "location"): _set_location,
}


def pinned_tips(chart: GraphicsObject) -> list[dict[str, object]]:
    """What is shown of the tips of a chart: the index (from 0), and where the box stands."""
    tips = (tip for tip in chart.children if tip.kind.name == TIP and tip["Visible"])
    return [
        {
            "index": int(tip["DataIndex"]) - 1,
            "location": tip["Location"] if tip["LocationMode"] == "manual" else "",
        }
        for tip in tips
    ]
