"""Draws a resident surface with a depth buffer, four samples per pixel."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from app.ui.plots.device import packing
from app.ui.plots.device.draw_layers import SurfaceLayer, cells_of, stride_of
from app.ui.plots.device.gpu_context import FORMAT, OVER, GpuContext, layout_of, native
from app.ui.plots.device.grids import MOST_CELLS, grid_bindings
from app.ui.plots.device.shader_text import arrays_source, shader
from app.ui.plots.host.lighting import Lighting
from app.ui.plots.series_arrays import Window, count_of

SAMPLES = 4


def surface_source(layouts: tuple[str, str, str, str]) -> str:
    """The shader for coordinates, heights and values with these layouts."""
    return shader("surface", arrays=arrays_source("xyzc", (1, 2, 3, 5), layouts))


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
    values = layer.values or layer.z
    return struct.pack(
        "24f4f4f4f4f4I4I2f2I",
        *vectors,
        *p.centre,
        *p.scale,
        *packing.premultiplied_colour(layer.face),
        *packing.premultiplied_colour(layer.edge),
        window.width,
        window.height,
        low,
        size / (high - low),
        rows,
        columns,
        stride_of(layer, MOST_CELLS),
        layer.z.get("offset", 0),
        size,
        layer.style,
        matrices,
        packing.logs_of(p),
        layer.edge_width,
        layer.alpha,
        len(layer.levels),
        values.get("offset", 0),
    ) + _light_bytes(layer.lighting)


def _light_bytes(lighting: Lighting | None) -> bytes:
    numbers = np.zeros((6, 4), np.float32)
    if lighting is not None:
        count = len(lighting.ways)
        numbers[0] = lighting.ambient, lighting.diffuse, lighting.specular, lighting.exponent
        numbers[1] = *lighting.viewer, count
        numbers[2 : 2 + count, :3] = lighting.ways
    return numbers.tobytes()


class SurfacePass:
    """The pipeline state that only surfaces need.

    Attributes:
        targets: multisampled colour and depth of the current size.
    """

    def __init__(self, gpu_context: GpuContext) -> None:
        self._bench = gpu_context
        self._pipelines: dict[tuple[str, ...], Any] = {}
        self._size = (0, 0)
        self.targets: dict[str, Any] = {}

    def close(self) -> None:
        """Let go of the pictures."""
        for texture in self.targets.values():
            texture.destroy()
        self.targets.clear()
        self._size = (0, 0)

    def draw(self, layer: SurfaceLayer, window: Window, *, goes_on: bool = False) -> int:
        """Draw a surface, among those before it if it goes on; the number of its points."""
        gpu_context = self._bench
        parameters = gpu_context.upload("surface", surface_bytes(layer, window))
        levels = np.array(layer.levels, np.float32).tobytes()
        palette = gpu_context.upload("palette", layer.palette.tobytes() + levels)
        buffers, layouts = grid_bindings(gpu_context, layer)
        self._resize(window.width, window.height)
        values = layer.values or layer.z
        pipeline = self._pipeline((*layouts, layout_of(values)))
        work = self._begin(
            gpu_context.commands(), gpu_context.targets[gpu_context.target], goes_on=goes_on
        )
        gpu_context.keep_inside(work)
        work.set_pipeline(pipeline)
        bindings = dict(enumerate([parameters, *buffers, palette, native(values)]))
        work.set_bind_group(0, gpu_context.bind(pipeline, bindings))
        work.draw(6, cells_of(layer, MOST_CELLS))
        work.end()
        return count_of(layer.z)

    def _resize(self, width: int, height: int) -> None:
        """Have pictures of that size."""
        import wgpu

        if self._size == (width, height):
            return
        self.close()
        for name, form in (("color", FORMAT), ("depth", "depth32float")):
            self.targets[name] = self._bench.device.create_texture(
                size=(width, height, 1),
                format=form,
                sample_count=SAMPLES,
                usage=wgpu.TextureUsage.RENDER_ATTACHMENT,
                label=f"plot surface {name}",
            )
        self._size = width, height

    def _pipeline(self, layouts: tuple[str, str, str, str]) -> Any:
        """The pipeline for coordinates, heights and values with these layouts."""
        if layouts not in self._pipelines:
            device = self._bench.device
            module = device.create_shader_module(code=surface_source(layouts), label="plot surface")
            target = {"format": FORMAT, "blend": {"color": OVER, "alpha": OVER}}
            self._pipelines[layouts] = device.create_render_pipeline(
                layout="auto",
                vertex={"module": module, "entry_point": "vertex"},
                fragment={"module": module, "entry_point": "fragment", "targets": [target]},
                primitive={"topology": "triangle-list"},
                multisample={"count": SAMPLES},
                depth_stencil={
                    "format": "depth32float",
                    "depth_write_enabled": True,
                    "depth_compare": "less-equal",
                },
            )
        return self._pipelines[layouts]

    def _begin(self, encoder: Any, target: Any, *, goes_on: bool) -> Any:
        """A render pass that resolves into ``target``."""
        load = "load" if goes_on else "clear"
        color = {
            "view": self.targets["color"].create_view(),
            "resolve_target": target.create_view(),
            "load_op": load,
            "store_op": "store",
            "clear_value": (0, 0, 0, 0),
        }
        depth = {
            "view": self.targets["depth"].create_view(),
            "depth_load_op": load,
            "depth_store_op": "store",
            "depth_clear_value": 1.0,
        }
        return encoder.begin_render_pass(color_attachments=[color], depth_stencil_attachment=depth)
