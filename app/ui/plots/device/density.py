"""Very many markers: how many lie on every pixel, from a grid that they were counted in once.

Zoomed out, pixels are summed up from the level of the grid whose cells are a few to the pixel.
Zoomed in closer than the finest cells, the points are looked at again, but only those of the tiles
in view: the first time that is wanted, their numbers are put into the order of tiles.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary, ref

from app.ui.plots.device import packing
from app.ui.plots.device.draw_layers import MarkerLayer
from app.ui.plots.device.gpu_context import OVER, GpuContext, native
from app.ui.plots.device.shader_text import shader
from app.ui.plots.series_arrays import Exported, Window, count_of

FINEST, COARSE = 4096, 2048
"""Cells across the grid of more, and of fewer than ``MANY`` points."""
MANY = 4_000_000
BLOCK = 8
"""Pixels of the side of a block; the shaders ``occupied`` and ``is_far`` know it too."""
TILES = 128
"""Tiles across the grid."""
SHARP = 3.0
"""Cells to the pixel that pictures are summed up from, where the grid has as many."""
ROUGH = 0.25
"""The same for pictures while somebody moves the window."""
LIMIT = 1 << 25
"""More points are not put into order."""
AIR = 0.5
"""How much of a window the grid reaches beyond it on all sides, where it covers but a part."""


@dataclass(eq=False)
class Pyramid:
    """Points counted in a grid, and in coarser ones.

    Attributes:
        extent: what the grid covers; its pixels are the cells.
        whole: whether all points are inside.
        levels: the counts, the finest first.
        order: numbers of the points by tiles, and where every tile begins; once wanted.
    """

    extent: Window
    whole: bool
    levels: list[Any] = field(default_factory=list)
    order: tuple[Any, Any] | None = None

    def covers(self, window: Window) -> bool:
        """Whether everything in a window was counted."""
        return self.whole or (
            _is_inside(self.extent.left, self.extent.right, window.left, window.right)
            and _is_inside(self.extent.bottom, self.extent.top, window.bottom, window.top)
        )

    def release(self) -> None:
        """Let go of the memory."""
        for buffer in (*self.levels, *(self.order or ())):
            buffer.destroy()


def _is_inside(low: float, high: float, first: float, last: float) -> bool:
    return low <= min(first, last) and max(first, last) <= high


class DensityPass:
    """Counts points per pixel, and remembers what was counted."""

    def __init__(self, gpu_context: GpuContext) -> None:
        self._bench = gpu_context
        self._kept: WeakKeyDictionary[Any, dict[Any, Pyramid]] = WeakKeyDictionary()

    def close(self) -> None:
        """Let go of what was remembered."""
        for kept in self._kept.values():
            for pyramid in kept.values():
                pyramid.release()
        self._kept.clear()

    def jobs(self) -> Iterator[Callable[[], Any]]:
        """What compiles the pipelines a first cloud of points needs, one by one."""
        for dtype in ("float64", "float32"):
            data = {"kind": "device", "dtype": dtype}
            yield partial(self._bench.compute, "splat", shader("splat"), x=data, y=data)
        for name, source in (
            ("halve", shader("halve")),
            ("gather", shader("gather")),
            ("occupied", shader("occupied")),
            ("nearest", shader("nearest")),
        ):
            yield partial(self._bench.plain, name, source)
        yield partial(self._bench.painter, "density", shader("density"), OVER)

    def count(self, layer: MarkerLayer, window: Window, hits: Any, *, quick: bool) -> bool:
        """The points of every pixel of a picture, in a cleared buffer; whether they are rough."""
        pyramid = self._pyramid(layer, window)
        dense = min(_cells_per_pixel(pyramid.extent, window))
        if dense >= (ROUGH if quick else 1.0):
            self._gather(pyramid, window, dense / (1.0 if quick else SHARP), hits)
            return quick
        if count_of(layer.y) <= LIMIT:
            self._splat_tiles(pyramid, layer, window, hits)
        else:
            self._splat(layer.x, layer.y, window, hits)
        return False

    def nearest(self, window: Window, hits: Any, radius: float) -> tuple[Any, Any]:
        """The nearest points in the row of every pixel, and which blocks of pixels have any."""
        blocks, pixels = self._occupied_blocks(window, hits), window.width * window.height
        view = self._bench.upload(
            "nearest view", struct.pack("4I", window.width, window.height, math.ceil(radius), 0)
        )
        found = self._bench.buffer("nearest", 4 * pixels)
        pipeline = self._bench.plain("nearest", shader("nearest"))
        bindings = {0: view, 1: hits, 2: blocks, 3: found}
        self._bench.dispatch(pipeline, bindings, packing.groups_of(pixels, 64))
        return found, blocks

    def _occupied_blocks(self, window: Window, hits: Any) -> Any:
        """Which blocks of pixels have points."""
        across, down = (-(-side // BLOCK) for side in (window.width, window.height))
        view = self._bench.upload(
            "blocks", struct.pack("4I", window.width, window.height, across, down)
        )
        blocks = self._bench.buffer("occupied", 4 * across * down)
        pipeline = self._bench.plain("occupied", shader("occupied"))
        groups = packing.groups_of(across * down, 64)
        self._bench.dispatch(pipeline, {0: view, 1: hits, 2: blocks}, groups)
        return blocks

    def _pyramid(self, layer: MarkerLayer, window: Window) -> Pyramid:
        """The grid of these points, counted anew where the window has left it."""
        x, y = layer.x, layer.y
        kept = self._kept.setdefault(y["buffer"], {})
        first = ref(x["buffer"]) if x["kind"] == "device" else (x["start"], x["step"])
        key = (
            first,
            x.get("offset", 0),
            y.get("offset", 0),
            count_of(y),
            window.log_x,
            window.log_y,
        )
        known = kept.get(key)
        if known is None or not known.covers(window):
            kept[key] = self._build(layer, window, known)
        return kept[key]

    def _build(self, layer: MarkerLayer, window: Window, known: Pyramid | None) -> Pyramid:
        import wgpu

        size = FINEST if count_of(layer.y) > MANY else COARSE
        x_sides, y_sides = (window.left, window.right), (window.bottom, window.top)
        left, right, all_x = _grid_extent(layer.x, *x_sides, log=window.log_x)
        bottom, top, all_y = _grid_extent(layer.y, *y_sides, log=window.log_y)
        if known is not None:
            known.release()
        extent = Window(left, right, bottom, top, size, size, window.log_x, window.log_y)
        made = Pyramid(extent, all_x and all_y)
        flags = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_DST
        while size >= TILES:
            made.levels.append(
                self._bench.device.create_buffer(
                    size=4 * size * size, usage=flags, label="plot density"
                )
            )
            size //= 2
        self._splat(layer.x, layer.y, extent, made.levels[0])
        self._halve(made)
        return made

    def _halve(self, pyramid: Pyramid) -> None:
        """Every level from the one below it."""
        size = pyramid.extent.width
        pipeline = self._bench.plain("halve", shader("halve"))
        for fine, coarse in zip(pyramid.levels, pyramid.levels[1:], strict=False):
            size //= 2
            view = self._bench.upload(f"halve {size}", struct.pack("4I", size, 0, 0, 0))
            groups = packing.groups_of(size * size, 64)
            self._bench.dispatch(pipeline, {0: view, 1: fine, 2: coarse}, groups)

    def _gather(self, pyramid: Pyramid, window: Window, dense: float, hits: Any) -> None:
        """Sum up the pixels of a window."""
        level = min(max(0, math.floor(math.log2(dense))), len(pyramid.levels) - 1)
        size, extent = pyramid.extent.width >> level, pyramid.extent
        across, down = size / (extent.right - extent.left), size / (extent.top - extent.bottom)
        start = (window.left - extent.left) * across, (extent.top - window.top) * down
        step = across / window.x_scale, -down / window.y_scale
        view = self._bench.upload(
            "gather", struct.pack("4f4I", *start, *step, window.width, window.height, size, 0)
        )
        pipeline = self._bench.plain("gather", shader("gather"))
        bindings = {0: view, 1: pyramid.levels[level], 2: hits}
        groups = packing.groups_of(window.width * window.height, 64)
        self._bench.dispatch(pipeline, bindings, groups)

    def _splat(self, x: Exported, y: Exported, window: Window, hits: Any) -> None:
        """Count all points."""
        view = self._bench.upload("view", packing.view_bytes(x, y, window, count_of(y)))
        pipeline = self._bench.compute("splat", shader("splat"), x=x, y=y)
        groups = packing.groups_of(count_of(y), packing.GROUP)
        self._bench.dispatch(pipeline, {0: view, 4: hits, **_buffers(x, y)}, groups)

    def _splat_tiles(self, pyramid: Pyramid, layer: MarkerLayer, window: Window, hits: Any) -> None:
        """Count the points of the tiles in view."""
        gpu_context, x, y = self._bench, layer.x, layer.y
        order, starts = pyramid.order or self._point_order(pyramid, layer)
        extent = replace(pyramid.extent, width=TILES, height=TILES)
        across = sorted(
            int((side - extent.left) * extent.x_scale) for side in (window.left, window.right)
        )
        down = sorted(
            int((side - extent.top) * extent.y_scale) for side in (window.top, window.bottom)
        )
        left, right, top, bottom = (min(max(part, 0), TILES - 1) for part in (*across, *down))
        count = (right - left + 1) * (bottom - top + 1)
        tiles = gpu_context.upload("tiles", struct.pack("4I", left, top, right - left + 1, TILES))
        view = gpu_context.upload("view", packing.view_bytes(x, y, window, count_of(y)))
        pipeline = gpu_context.compute("splat tiles", shader("splat_tiles"), x=x, y=y)
        bindings = {0: view, 3: starts, 4: hits, 5: order, 6: tiles, **_buffers(x, y)}
        gpu_context.dispatch(pipeline, bindings, packing.groups_of(count, 1))

    def _point_order(self, pyramid: Pyramid, layer: MarkerLayer) -> tuple[Any, Any]:
        """The numbers of the points by tiles; made once."""
        import wgpu

        gpu_context, x, y = self._bench, layer.x, layer.y
        flags, cells = wgpu.BufferUsage.STORAGE, TILES * TILES
        order, starts = (
            gpu_context.device.create_buffer(size=4 * size, usage=flags, label="plot order")
            for size in (count_of(y), cells + 1)
        )
        cursors = gpu_context.buffer("cursors", 4 * cells)
        scan = gpu_context.plain("scan tiles", shader("scan_tiles"))
        gpu_context.dispatch(scan, {0: pyramid.levels[-1], 1: starts, 2: cursors}, (1, 1, 1))
        size = pyramid.extent.width // TILES
        view = gpu_context.upload("view", packing.view_bytes(x, y, pyramid.extent, size))
        pipeline = gpu_context.compute("order", shader("order"), x=x, y=y)
        bindings = {0: view, 3: cursors, 4: order, **_buffers(x, y)}
        groups = packing.groups_of(count_of(y), packing.GROUP)
        gpu_context.dispatch(pipeline, bindings, groups)
        pyramid.order = order, starts
        return pyramid.order


def _buffers(x: Exported, y: Exported) -> dict[int, Any]:
    found = {2: native(y)}
    if x["kind"] != "range":
        found[1] = native(x)
    return found


def _cells_per_pixel(extent: Window, window: Window) -> tuple[float, float]:
    return abs(extent.x_scale / window.x_scale), abs(extent.y_scale / window.y_scale)


def _grid_extent(
    data: Exported, first: float, last: float, *, log: bool
) -> tuple[float, float, bool]:
    """What a grid covers along one axis, and whether that is all of the data: all of it, unless
    the window shows but a small part."""
    low, high = min(first, last), max(first, last)
    limits = data.get("limits")
    if limits is not None and log:
        limits = tuple(math.log10(end) for end in limits) if limits[0] > 0 else None
    if limits is not None and limits[1] - limits[0] < 8 * (high - low):
        air = 1e-6 * (limits[1] - limits[0] or 1.0)
        return limits[0] - air, limits[1] + air, True
    air = AIR * (high - low)
    return low - air, high + air, False
