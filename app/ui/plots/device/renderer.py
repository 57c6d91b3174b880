"""Draws plot layers on the device that holds the data, and reads back only the finished picture.

One renderer per device. Data buffers are bound as they are; what goes up are a few kilobytes of
parameters, what comes down is the picture. ``lock`` is held while work is encoded and submitted,
because the engine thread uses the same device.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from app.ui.plots.device.draw_layers import (
    ContourLayer,
    ImageLayer,
    LineLayer,
    MarkerLayer,
    PairLayer,
    PolygonLayer,
    RuleLayer,
    SurfaceLayer,
)
from app.ui.plots.device.gpu_context import LAYOUTS, GpuContext
from app.ui.plots.device.grids import draw_contours, draw_image
from app.ui.plots.device.paired_series import draw_pairs, draw_rule
from app.ui.plots.device.points import PointPass
from app.ui.plots.device.polygons import PolygonPass
from app.ui.plots.device.surface_pass import SurfacePass
from app.ui.plots.series_arrays import Exported, Window

Layer = (
    LineLayer
    | MarkerLayer
    | ImageLayer
    | SurfaceLayer
    | PairLayer
    | RuleLayer
    | ContourLayer
    | PolygonLayer
)
"""Anything the renderer draws."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A finished picture.

    Attributes:
        width: pixels.
        height: pixels.
        stride: bytes from one row to the next.
        data: premultiplied red, green, blue, alpha bytes.
        points: points that were drawn.
        milliseconds: wall time from asking to having.
        coarse: whether it is rougher than it could be, to be there sooner.
    """

    width: int
    height: int
    stride: int
    data: bytes
    points: int
    milliseconds: float
    coarse: bool = False


def is_supported(data: Exported) -> bool:
    """Whether the renderer can read this element type (64-bit integers it cannot)."""
    return data["kind"] != "device" or data["dtype"] in LAYOUTS


def joined(layers: list[Layer], place: int) -> bool:
    """Whether a layer is a surface that follows another one."""
    return 0 < place < len(layers) and all(
        isinstance(layer, SurfaceLayer) for layer in layers[place - 1 : place + 1]
    )


class _Blank:
    """Zeros on the device, as if pinned: something to draw while nobody looks."""

    COUNT = 1 << 14

    def __init__(self, device: Any) -> None:
        import wgpu

        usage = wgpu.BufferUsage.STORAGE
        self.native = device.create_buffer(size=4 * self.COUNT, usage=usage, label="plot blank")

    def layers(self) -> list[Layer]:
        """A line with markers."""
        x = {"kind": "range", "start": 0.0, "step": 1.0, "count": self.COUNT}
        y = {
            "kind": "device",
            "buffer": self,
            "offset": 0,
            "shape": (self.COUNT, 1),
            "dtype": "float32",
        }
        few = {**x, "count": 4}
        ink = (0.0, 0.0, 0.0, 1.0)
        return [LineLayer(x, y, ink, 1.0), MarkerLayer(few, y, ink, ink, 0, 2.0, 1.0)]


class Renderer:
    """Draws on one device.

    Args:
        device: the wgpu device that holds the data.
        lock: held while the device is used.
        read_back: how its provider reads buffers.

    Attributes:
        device: the wgpu device that holds the data.
    """

    def __init__(
        self,
        device: Any,
        lock: AbstractContextManager[Any],
        read_back: Callable[[object, int], bytes],
    ) -> None:
        self.device = device
        self._lock = lock
        self._bench = GpuContext(device, read_back)
        self._points = PointPass(self._bench)
        self._surfaces = SurfacePass(self._bench)
        self._polygons = PolygonPass(self._bench)
        self._busy = threading.Lock()

    def render(
        self, layers: list[Layer], window: Window, margin: int = 0, *, quick: bool = False
    ) -> Frame:
        """Draw the layers over each other and read the picture back; only markers reach into a
        margin of so many pixels. A quick picture may be rougher."""
        with self._busy:
            self._bench.margin = margin
            self._points.quick, self._points.coarse = quick, False
            return self._render(layers, window)

    def _render(self, layers: list[Layer], window: Window) -> Frame:
        began = perf_counter()
        gpu_context = self._bench
        with self._lock:
            gpu_context.resize(window.width, window.height)
            points = 0
            for place, layer in enumerate(layers):
                # The first layer goes straight into the picture; surfaces one after the other
                # hide parts of each other before they are put over what is below.
                goes_on = joined(layers, place)
                if not goes_on:
                    gpu_context.target = "layer" if place else "picture"
                points += self._draw(layer, window, goes_on=goes_on)
                if gpu_context.target == "layer" and not joined(layers, place + 1):
                    gpu_context.composite()
            gpu_context.start_readback()
        data = gpu_context.finish_readback()
        elapsed = (perf_counter() - began) * 1000
        return Frame(
            window.width,
            window.height,
            gpu_context.stride,
            data,
            points,
            elapsed,
            self._points.coarse,
        )

    def closest(
        self, x: Exported, y: Exported, window: Window, spot: tuple[float, float]
    ) -> int | None:
        """The number of the point nearest to a pixel of a window; None where there is none."""
        with self._busy, self._lock:
            return self._points.closest(x, y, window, spot)

    def warm(self) -> None:
        """Compile what most plots need, so that the first picture does not wait for it; then draw
        one of nothing, because wgpu prepares for every kind of call when it is first made."""
        for job in self._points.jobs():
            with self._busy, self._lock:  # whoever computes or draws goes in between
                job()
        blank = _Blank(self.device)
        try:
            self.render(blank.layers(), Window(0, _Blank.COUNT, -1, 1, 8, 8))
        finally:
            blank.native.destroy()

    def close(self) -> None:
        """Let go of all scratch memory."""
        self._surfaces.close()
        self._polygons.close()
        self._points.close()
        self._bench.close()

    def _draw(self, layer: Layer, window: Window, *, goes_on: bool) -> int:
        match layer:
            case LineLayer():
                return self._points.line(layer, window)
            case MarkerLayer():
                return self._points.markers(layer, window)
            case PairLayer():
                return draw_pairs(self._points, layer, window)
            case RuleLayer():
                return draw_rule(self._bench, layer, window)
            case ImageLayer():
                return draw_image(self._bench, layer, window)
            case SurfaceLayer():
                return self._surfaces.draw(layer, window, goes_on=goes_on)
            case PolygonLayer():
                return self._polygons.draw(layer, window)
            case ContourLayer():
                return draw_contours(self._bench, layer, window)
