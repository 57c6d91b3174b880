"""Lines and markers on the device: data to pixels, thinned where many share a column, painted."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

from app.ui.plots.device import packing
from app.ui.plots.device.density import DensityPass
from app.ui.plots.device.draw_layers import LineLayer, MarkerLayer
from app.ui.plots.device.gpu_context import MAXIMUM, OVER, GpuContext, layout_of, native
from app.ui.plots.device.shader_text import array_source, number_type, shader
from app.ui.plots.host.projection import Projection
from app.ui.plots.series_arrays import Exported, Window, count_of

CHUNK = 1 << 22
"""Points that are transformed at a time when none can be left out."""
DENSE = 200_000
"""More markers than this are drawn by density."""
PILED = 1_000_000
"""Of more markers in many colours or sizes one is drawn per pixel, with their means."""
BLOCK = 128
"""Points that are reduced together, once, in lines of many points; as many blocks make a block of
the next level. The shaders ``blocks`` and ``with_blocks`` know it too."""
MOST = 16 * BLOCK
"""Longer stretches of points are rounded to blocks (and of blocks to those of the next level),
which moves their ends by less than a sixteenth of a pixel."""
NOWHERE = 0xFFFFFFFF
"""The distance of points that cannot be seen, as the bits of a number."""
Place = tuple[int, int, bool]


def _value_of(data: Exported) -> str:
    """The type that a buffer's elements are loaded as."""
    return number_type(layout_of(data))


def space_source(layouts: list[str]) -> str:
    """The pass that places points in space, for coordinates with these layouts."""
    parts = []
    for place, (letter, layout) in enumerate(zip("xyz", layouts, strict=True)):
        if layout == "range":
            value = f"view.starts[{place}] + view.steps[{place}] * f32(i)"
        else:
            parts.append(array_source(letter, place + 1, layout))
            value = f"f32(load_{letter}(i + view.{letter}_offset))"
        parts.append(f"fn at_{letter}(i: u32) -> f32 {{ return {value}; }}\n")
    return shader("space", arrays="".join(parts))


def reduce_source(number: str, *, blocks: bool) -> str:
    """The pass that reduces pixel columns, with the help of blocks or without."""
    helper = "with_blocks" if blocks else "without_blocks"
    return shader(helper, number=number) + shader("reduce", number=number)


class PointPass:
    """What has to do with points, and what is remembered of buffers that were drawn before.

    Attributes:
        bench: where it works.
        quick: whether a rougher picture will do that takes less time.
        coarse: whether the picture has become rougher for that.
    """

    def __init__(self, gpu_context: GpuContext) -> None:
        self.gpu_context = gpu_context
        self.quick = self.coarse = False
        self._counted = DensityPass(gpu_context)
        self._sorted: WeakKeyDictionary[Any, dict[Place, bool]] = WeakKeyDictionary()
        self._blocks: WeakKeyDictionary[Any, dict[Place, tuple[Any, Any]]] = WeakKeyDictionary()

    def close(self) -> None:
        """Let go of what was remembered."""
        self._counted.close()
        for kept in self._blocks.values():
            for levels in kept.values():
                for buffer in levels:
                    buffer.destroy()
        self._blocks.clear()
        self._sorted.clear()

    def jobs(self) -> Iterator[Callable[[], Any]]:
        """What compiles the pipelines a first line needs, one by one."""
        start = {"kind": "range"}
        for dtype in ("float64", "float32"):
            y = {"kind": "device", "dtype": dtype}
            yield partial(self._block_pipelines, y)
            yield partial(self._reduce_pipeline, start, y, blocks=True)
            yield partial(self._reduce_pipeline, start, y, blocks=False)
        yield from self._counted.jobs()
        yield self._segments
        yield partial(self.gpu_context.painter, "composite", shader("composite"), OVER)
        yield partial(self.gpu_context.painter, "markers", shader("markers"), OVER)

    # --- lines ----------------------------------------------------------------------------

    def line(self, layer: LineLayer, window: Window) -> int:
        """Draw a line; the number of its points."""
        count = min(count_of(layer.x), count_of(layer.y))
        if layer.projection is None and self.can_thin(layer.x):
            total, mirror = self.thin(layer.x, layer.y, window)
            self._stroke(layer, window, total, clear=True, mirror=mirror)
            return count
        for first in range(0, count, CHUNK - 1):
            total = min(CHUNK, count - first)
            self.pixels(layer, window, first, total)
            self._stroke(layer, window, total, clear=first == 0)
        return count

    def can_thin(self, x: Exported) -> bool:
        """Whether points come in the order of their abscissas."""
        return x["kind"] == "range" or self._is_sorted(x)

    def thin(
        self, x: Exported, y: Exported, window: Window, into: str = "points"
    ) -> tuple[int, bool]:
        """Four points per pixel column into a buffer; their number, and whether they have to be
        mirrored because the axis runs backwards."""
        mirror = window.left > window.right
        if mirror:
            window = replace(window, left=window.right, right=window.left)
        gpu_context, columns = self.gpu_context, window.width
        blocks = self._blocks_of(x, y, window)
        view = gpu_context.upload("view", packing.view_bytes(x, y, window, columns))
        starts = gpu_context.buffer("starts", 4 * (columns + 1))
        points = gpu_context.buffer(into, 64 * (columns + 2))
        if x["kind"] == "range":
            starts = gpu_context.upload("starts", packing.range_columns(x, window))
        else:
            pipeline = gpu_context.compute("starts", shader("starts"), x=x)
            groups = packing.groups_of(columns + 1, 64)
            gpu_context.dispatch(pipeline, {0: view, 1: native(x), 3: starts}, groups)
        bindings = {0: view, 2: native(y), 3: starts, 4: points}
        if blocks is not None:
            bindings |= {5: blocks[0], 6: blocks[1]}
        if x["kind"] != "range":
            bindings[1] = native(x)
        pipeline = self._reduce_pipeline(x, y, blocks=blocks is not None)
        gpu_context.dispatch(pipeline, bindings, packing.groups_of(columns + 2, 64))
        return 4 * (columns + 2), mirror

    def _reduce_pipeline(self, x: Exported, y: Exported, *, blocks: bool) -> Any:
        body = reduce_source(_value_of(y), blocks=blocks)
        return self.gpu_context.compute("reduce blocks" if blocks else "reduce", body, x=x, y=y)

    def _block_pipelines(self, y: Exported) -> tuple[Any, Any]:
        value = _value_of(y)
        source = shader("blocks", number=value)
        first = self.gpu_context.compute("blocks", source, x={"kind": "range"}, y=y)
        return first, self.gpu_context.plain(
            f"blocks {value}", shader("larger_blocks", number=value)
        )

    def _blocks_of(self, x: Exported, y: Exported, window: Window) -> tuple[Any, Any] | None:
        """Lowest and highest ordinate of every block of points, and of every block of blocks,
        reduced once per buffer; None where there are too few points to need them."""
        count = min(count_of(x), count_of(y))
        if count < 4 * MOST:
            return None
        kept = self._blocks.setdefault(y["buffer"], {})
        key = int(y.get("offset", 0)), count, window.log_y
        if key not in kept:
            kept[key] = self._reduced_extremes(y, window, count)
        return kept[key]

    def _reduced_extremes(self, y: Exported, window: Window, count: int) -> tuple[Any, Any]:
        import wgpu

        numbers = [-(-count // BLOCK)]
        numbers.append(-(-numbers[0] // BLOCK))
        size = 16 if _value_of(y) == "f64" else 8
        first, second = (
            self.gpu_context.device.create_buffer(
                size=size * number, usage=wgpu.BufferUsage.STORAGE, label="plot blocks"
            )
            for number in numbers
        )
        pipelines = self._block_pipelines(y)
        for level, bindings in enumerate(({2: native(y), 5: first}, {5: first, 6: second})):
            total = count if level == 0 else numbers[0]
            plain = {"kind": "range", "start": 0.0, "step": 1.0, "count": total}
            values = y if level == 0 else plain
            parameters = packing.view_bytes(plain, values, window, numbers[level])
            view = self.gpu_context.upload(f"blocks {level}", parameters)
            groups = packing.groups_of(numbers[level], 64)
            self.gpu_context.dispatch(pipelines[level], {0: view, **bindings}, groups)
        return first, second

    def pixels(
        self, layer: LineLayer | MarkerLayer, window: Window, first: int, total: int
    ) -> None:
        """Points one by one into the points buffer, on a plane or in space."""
        if layer.projection is None:
            self.transform(layer.x, layer.y, window, first, total)
        else:
            self._project(layer, layer.projection, first, total)

    def transform(
        self,
        x: Exported,
        y: Exported,
        window: Window,
        first: int,
        total: int,
        into: str = "points",
    ) -> None:
        """The pixels of the points from ``first`` on, one by one."""
        view = self.gpu_context.upload("view", packing.view_bytes(x, y, window, total, first))
        points = self.gpu_context.buffer(into, 16 * total)
        pipeline = self.gpu_context.compute("transform", shader("transform"), x=x, y=y)
        bindings = {0: view, 2: native(y), 4: points}
        if x["kind"] != "range":
            bindings[1] = native(x)
        self.gpu_context.dispatch(pipeline, bindings, packing.groups_of(total, packing.GROUP))

    def _project(
        self, layer: LineLayer | MarkerLayer, projection: Projection, first: int, total: int
    ) -> None:
        """The pixels of points in space."""
        data = layer.x, layer.y, layer.z or {"kind": "range", "start": 0.0, "step": 0.0, "count": 0}
        parameters = self.gpu_context.upload(
            "space", packing.space_bytes(projection, data, first, total)
        )
        points = self.gpu_context.buffer("points", 16 * total)
        layouts = [layout_of(item) for item in data]
        source = space_source(layouts)
        pipeline = self.gpu_context.plain(" ".join(["space", *layouts]), source)
        bindings = {0: parameters, 4: points}
        for place, item in enumerate(data, 1):
            if item["kind"] != "range":
                bindings[place] = native(item)
        self.gpu_context.dispatch(pipeline, bindings, packing.groups_of(total, packing.GROUP))

    def _segments(self) -> Any:
        return self.gpu_context.painter("segments", shader("segments"), MAXIMUM)

    def _stroke(
        self, layer: LineLayer, window: Window, total: int, *, clear: bool, mirror: bool = False
    ) -> None:
        gpu_context = self.gpu_context
        points = gpu_context.scratch["points"]
        if layer.dashes:
            self.measure(window, total, stepped=layer.stepped)
        paint = gpu_context.uniform("paint", packing.paint_bytes(layer, window, mirror=mirror))
        corners = 12 if layer.stepped else 6
        bindings = {0: paint, 1: points}
        gpu_context.paint(self._segments(), bindings, corners, max(total - 1, 0), clear=clear)

    def measure(self, window: Window, total: int, *, stepped: bool = False) -> None:
        """The length of the line up to every point, for its dashes."""
        kind = {"kind": "range", "start": 0.0, "step": 1.0, "count": 0}
        parameters = packing.view_bytes(kind, kind, window, total, int(stepped))
        arc = self.gpu_context.upload("arc", parameters)
        pipeline = self.gpu_context.plain("arc", shader("view") + shader("arc"))
        self.gpu_context.dispatch(
            pipeline, {0: arc, 4: self.gpu_context.scratch["points"]}, (1, 1, 1)
        )

    # --- markers --------------------------------------------------------------------------

    def markers(self, layer: MarkerLayer, window: Window) -> int:
        """Draw markers; their number."""
        gpu_context = self.gpu_context
        count = min(count_of(layer.x), count_of(layer.y))
        paint = gpu_context.uniform(
            "paint", packing.paint_bytes(layer, window, margin=gpu_context.margin)
        )
        if count > DENSE and layer.values is None and layer.sizes is None:
            self._density(layer, window, count, paint)
            return count
        pipeline = gpu_context.painter("markers", shader("markers"), OVER)
        if count > PILED:
            spots, palette = self._marker_per_pixel(layer, window, count)
            bindings, pixels = {0: paint, 1: spots, 2: palette}, window.width * window.height
            gpu_context.paint(pipeline, bindings, 6, pixels, clear=True, everywhere=True)
            return count
        for first, total, palette in self._tinted_parts(layer, window, count):
            bindings = {0: paint, 1: gpu_context.scratch["points"], 2: palette}
            gpu_context.paint(pipeline, bindings, 6, total, clear=first == 0, everywhere=True)
        return count

    def _tinted_parts(
        self, layer: MarkerLayer, window: Window, count: int
    ) -> Iterator[tuple[int, int, Any]]:
        """Some points after the others in the buffer, with their colours and sizes: the first
        one's number, how many they are, and the palette."""
        for first in range(0, count, CHUNK):
            total = min(CHUNK, count - first)
            self.pixels(layer, window, first, total)
            yield first, total, self._tint(layer, first, total)

    def _marker_per_pixel(self, layer: MarkerLayer, window: Window, count: int) -> tuple[Any, Any]:
        """A marker per pixel in a buffer, where there are any, and the palette."""
        gpu_context, pixels = self.gpu_context, window.width * window.height
        piles, spots = (
            gpu_context.buffer("piles", 12 * pixels),
            gpu_context.buffer("spots", 16 * pixels),
        )
        gpu_context.commands().clear_buffer(piles)
        size: Any = None
        palette: Any = None
        for _first, total, tints in self._tinted_parts(layer, window, count):
            palette = tints
            size = gpu_context.upload("size", packing.size_bytes(window, total))
            bindings = {0: size, 1: gpu_context.scratch["points"], 4: piles}
            pipeline = gpu_context.plain("pile", shader("pile", count="atomic<u32>"))
            gpu_context.dispatch(pipeline, bindings, packing.groups_of(total, packing.GROUP))
        pipeline = gpu_context.plain("spots", shader("spots", count="u32"))
        groups = packing.groups_of(pixels, packing.GROUP)
        gpu_context.dispatch(pipeline, {0: size, 1: piles, 4: spots}, groups)
        return spots, palette

    def _tint(self, layer: MarkerLayer, first: int, total: int) -> Any:
        """Give the points in the buffer the colours of their values; the palette."""
        if layer.sizes is not None:
            self._for_each_point("sizes", shader("sizes"), layer, layer.sizes, (first, total))
        if layer.values is None or layer.palette is None:
            return self.gpu_context.upload("palette", bytes(4))
        self._for_each_point("tint", shader("tint"), layer, layer.values, (first, total))
        return self.gpu_context.upload("palette", layer.palette.tobytes())

    def _for_each_point(
        self, name: str, body: str, layer: MarkerLayer, data: Exported, part: tuple[int, int]
    ) -> None:
        """Do something to every point in the buffer that depends on a number of its own."""
        gpu_context, layout = self.gpu_context, layout_of(data)
        parameters = gpu_context.upload(name, packing.tint_bytes(layer, data, *part))
        pipeline = gpu_context.plain(f"{name} {layout}", array_source("c", 1, layout) + body)
        bindings = {0: parameters, 1: native(data), 4: gpu_context.scratch["points"]}
        gpu_context.dispatch(pipeline, bindings, packing.groups_of(part[1], packing.GROUP))

    def _density(self, layer: MarkerLayer, window: Window, count: int, paint: Any) -> None:
        """Count the points of every pixel, and paint the counts."""
        gpu_context = self.gpu_context
        hits = gpu_context.buffer("hits", 4 * window.width * window.height)
        gpu_context.commands().clear_buffer(hits)
        if layer.projection is None:
            self.coarse |= self._counted.count(layer, window, hits, quick=self.quick)
        else:
            for first in range(0, count, CHUNK):
                total = min(CHUNK, count - first)
                self.pixels(layer, window, first, total)
                size = gpu_context.upload("size", packing.size_bytes(window, total))
                pipeline = gpu_context.plain("splat points", shader("splat_points"))
                bindings = {0: size, 1: gpu_context.scratch["points"], 4: hits}
                gpu_context.dispatch(pipeline, bindings, packing.groups_of(total, packing.GROUP))
        painter = gpu_context.painter("density", shader("density"), OVER)
        nearest, blocks = self._counted.nearest(window, hits, layer.radius)
        gpu_context.paint(painter, {0: paint, 1: nearest, 2: blocks}, 3, 1, clear=True)

    # --- one point ------------------------------------------------------------------------

    def closest(
        self, x: Exported, y: Exported, window: Window, spot: tuple[float, float]
    ) -> int | None:
        """The number of the point nearest to a pixel, counted from zero; None where none can be
        seen. Only eight bytes come down for every four million points."""
        gpu_context, count = self.gpu_context, min(count_of(x), count_of(y))
        firsts = range(0, count, CHUNK)
        found = gpu_context.upload("closest", b"\xff" * max(8 * len(firsts), 8))
        for part, first in enumerate(firsts):
            total = min(CHUNK, count - first)
            self.transform(x, y, window, first, total)
            place = gpu_context.upload("spot", struct.pack("2f2I", *spot, total, part))
            bindings = {0: place, 1: gpu_context.scratch["points"], 4: found}
            for step in ("closest_gap", "closest_point"):
                pipeline = gpu_context.plain(step, shader(step))
                gpu_context.dispatch(pipeline, bindings, packing.groups_of(total, packing.GROUP))
        words = gpu_context.read_words(found, 2 * len(firsts)) if firsts else ()
        gap, point, first = min(
            zip(words[::2], words[1::2], firsts, strict=True), default=(NOWHERE, 0, 0)
        )
        return None if gap == NOWHERE else first + point

    # --- order ----------------------------------------------------------------------------

    def _is_sorted(self, x: Exported) -> bool:
        """Whether abscissas never fall: four bytes come down, once per buffer."""
        known = self._sorted.setdefault(x["buffer"], {})
        key = int(x.get("offset", 0)), count_of(x), False
        if key not in known:
            window = Window(0, 1, 0, 1, 1, 1)
            view = self.gpu_context.upload("view", packing.view_bytes(x, x, window, 1))
            flag = self.gpu_context.upload("flag", bytes(4))
            pipeline = self.gpu_context.compute("sorted", shader("sorted"), x=x)
            groups = packing.groups_of(count_of(x), packing.GROUP)
            self.gpu_context.dispatch(pipeline, {0: view, 1: native(x), 3: flag}, groups)
            known[key] = not any(self.gpu_context.read_words(flag))
        return known[key]
