"""Stems, bars, areas, error bars and arrows on the device: points, and where they stand."""

from __future__ import annotations

from typing import Any

from app.ui.plots.device import packing
from app.ui.plots.device.draw_layers import PairLayer, RuleLayer
from app.ui.plots.device.gpu_context import MAXIMUM, OVER, GpuContext
from app.ui.plots.device.points import CHUNK, PointPass
from app.ui.plots.device.shader_text import shader
from app.ui.plots.series_arrays import Window, count_of

_FEW = 4
"""With fewer points than this per pixel column nothing is left out."""
_CORNERS = {"stem": 6, "errorbar": 18, "arrow": 18, "bar": 6, "area": 6}


def draw_pairs(points: PointPass, layer: PairLayer, window: Window) -> int:
    """Draw the pairs; the number of points."""
    count = min(count_of(layer.x), count_of(layer.y))
    own = window.turned() if layer.swap else window
    thinned = (
        layer.kind in ("stem", "bar", "area")
        and count > _FEW * own.width
        and points.can_thin(layer.x)
    )
    if thinned:
        total, mirror = points.thin(layer.x, layer.y, own)
        if layer.floors is not None:
            points.thin(layer.foot_x or layer.x, layer.floors, own, "floors")
        _paint(points.gpu_context, layer, window, total, mirror=mirror, clear=True, thinned=True)
        return count
    step = CHUNK - 1 if layer.kind == "area" else CHUNK
    for first in range(0, count, step):
        total = min(CHUNK, count - first)
        points.transform(layer.x, layer.y, own, first, total)
        if layer.floors is not None:
            x = layer.foot_x or layer.x
            points.transform(x, layer.floors, own, first, total, "floors")
        _paint(
            points.gpu_context, layer, window, total, mirror=False, clear=first == 0, thinned=False
        )
    return count


def _paint(
    gpu_context: GpuContext,
    layer: PairLayer,
    window: Window,
    total: int,
    *,
    mirror: bool,
    clear: bool,
    thinned: bool,
) -> None:
    points = gpu_context.scratch["points"]
    floors = gpu_context.scratch["floors"] if layer.floors is not None else points
    paint = gpu_context.uniform("paint", packing.pair_bytes(layer, window, mirror=mirror))
    blend = MAXIMUM if thinned or layer.kind != "bar" else OVER
    instances = max(total - 1, 0) if layer.kind == "area" else total
    bindings = {0: paint, 1: points, 2: floors}
    gpu_context.paint(
        _painter(gpu_context, layer, blend), bindings, _CORNERS[layer.kind], instances, clear=clear
    )


def _painter(gpu_context: GpuContext, layer: PairLayer, blend: dict[str, str]) -> Any:
    if layer.kind == "bar":
        return gpu_context.painter("bars", shader("bars"), blend)
    if layer.kind == "area":
        return gpu_context.painter("areas", shader("areas"), blend)
    return gpu_context.painter("strokes", shader("strokes"), blend)


def draw_rule(gpu_context: GpuContext, layer: RuleLayer, window: Window) -> int:
    """Draw a line right across the picture."""
    paint = gpu_context.uniform("paint", packing.rule_bytes(layer, window))
    gpu_context.paint(
        gpu_context.painter("rule", shader("rule"), OVER), {0: paint}, 3, 1, clear=True
    )
    return 0
