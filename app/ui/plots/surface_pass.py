"""Draws a resident surface with a depth buffer, four samples per pixel."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.ui.plots.layers import Rgba
from app.ui.plots.numbers import Exported, Window, host_array
from app.ui.plots.packing import premultiplied
from app.ui.plots.projection import Projection
from app.ui.plots.shaders_space import surface_source

MOST_CELLS = 1000
"""Grids with more rows or columns are drawn with every n-th of them."""
SAMPLES = 4


@dataclass(frozen=True, slots=True, eq=False)
class SurfaceLayer:
    """A surface over a grid.

    Attributes:
        x: column coordinates: on the host as a vector, or a matrix on the device.
        y: row coordinates, likewise.
        z: heights in a device buffer, column-major.
        projection: how it is seen, in pixels of the picture.
        palette: rows of red, green, blue, 255.
        limits: what the ends of the palette stand for.
        style: bits of ``shaders_space``.
        face: colour of faces without a value's colour.
        edge: colour of edges.
        edge_width: pixels.
        alpha: opacity of the faces.
    """

    x: Exported
    y: Exported
    z: Exported
    projection: Projection
    palette: NDArray[np.uint8]
    limits: tuple[float, float]
    style: int
    face: Rgba
    edge: Rgba
    edge_width: float
    alpha: float = 1.0


def stride_of(layer: SurfaceLayer) -> int:
    """Which rows and columns are drawn: every n-th."""
    largest = int(max(layer.z["shape"][:2]))
    return max(1, math.ceil(largest / MOST_CELLS))


def cells_of(layer: SurfaceLayer) -> int:
    """The number of cells that are drawn."""
    rows, columns = map(int, layer.z["shape"][:2])
    stride = stride_of(layer)
    return ((rows - 2) // stride + 1) * ((columns - 2) // stride + 1)


def surface_bytes(layer: SurfaceLayer, window: Window) -> bytes:
    """The parameters of the shader."""
    p = layer.projection
    rows, columns = layer.z["shape"][:2]
    vectors: list[float] = []
    for row in (*p.matrix(), p.low, p.high - p.low, p.sides):
        vectors += [*map(float, row), 0.0]
    low, high = layer.limits
    size = len(layer.palette)
    matrices = sum(1 << k for k, data in enumerate((layer.x, layer.y)) if data["kind"] == "device")
    logs = sum(1 << k for k, log in enumerate(p.log) if log)
    return struct.pack(
        "24f4f4f4f4f4I4I4f", *vectors, *p.centre, *p.scale,
        *premultiplied(layer.face), *premultiplied(layer.edge),
        window.width, window.height, low, size / (high - low),
        rows, columns, stride_of(layer), layer.z.get("offset", 0),
        size, layer.style, matrices, logs, layer.edge_width, layer.alpha, 0.0, 0.0,
    )  # fmt: skip


def coordinates(data: Exported) -> bytes:
    """Host coordinates as the floats that go up."""
    return host_array(data).reshape(-1, order="F").astype(np.float32).tobytes()


class SurfacePass:
    """The pipeline state that only surfaces need.

    Attributes:
        targets: multisampled colour and depth of the current size.
    """

    def __init__(self, device: Any, form: str) -> None:
        self._device = device
        self._form = form
        self._pipelines: dict[tuple[str, ...], Any] = {}
        self._size = (0, 0)
        self.targets: dict[str, Any] = {}

    def close(self) -> None:
        """Let go of the pictures."""
        for texture in self.targets.values():
            texture.destroy()
        self.targets.clear()
        self._size = (0, 0)

    def resize(self, width: int, height: int) -> None:
        """Have pictures of that size."""
        import wgpu

        if self._size == (width, height):
            return
        self.close()
        for name, form in (("color", self._form), ("depth", "depth32float")):
            self.targets[name] = self._device.create_texture(
                size=(width, height, 1), format=form, sample_count=SAMPLES,
                usage=wgpu.TextureUsage.RENDER_ATTACHMENT, label=f"plot surface {name}",
            )  # fmt: skip
        self._size = width, height

    def pipeline(self, layouts: tuple[str, str, str]) -> Any:
        """The pipeline for coordinates and heights with these layouts."""
        if layouts not in self._pipelines:
            module = self._device.create_shader_module(code=surface_source(layouts),
                                                       label="plot surface")  # fmt: skip
            over = {"operation": "add", "src_factor": "one", "dst_factor": "one-minus-src-alpha"}
            target = {"format": self._form, "blend": {"color": over, "alpha": over}}
            self._pipelines[layouts] = self._device.create_render_pipeline(
                layout="auto", vertex={"module": module, "entry_point": "vertex"},
                fragment={"module": module, "entry_point": "fragment", "targets": [target]},
                primitive={"topology": "triangle-list"}, multisample={"count": SAMPLES},
                depth_stencil={"format": "depth32float", "depth_write_enabled": True,
                               "depth_compare": "less"},
            )  # fmt: skip
        return self._pipelines[layouts]

    def begin(self, encoder: Any, target: Any) -> Any:
        """A render pass that resolves into ``target``."""
        color = {
            "view": self.targets["color"].create_view(), "resolve_target": target.create_view(),
            "load_op": "clear", "store_op": "discard", "clear_value": (0, 0, 0, 0),
        }  # fmt: skip
        depth = {
            "view": self.targets["depth"].create_view(), "depth_load_op": "clear",
            "depth_store_op": "discard", "depth_clear_value": 1.0,
        }  # fmt: skip
        return encoder.begin_render_pass(color_attachments=[color], depth_stencil_attachment=depth)
