"""Fills polygons by the even-odd rule, four samples per pixel.

Of every polygon all triangles from its first corner to its sides are drawn into a stencil, each
turning over what it covers; then the colour goes where it was turned over an odd number of times.
Nobody has to know where the corners are.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from app.ui.plots.device import packing
from app.ui.plots.device.draw_layers import PolygonLayer
from app.ui.plots.device.gpu_context import FORMAT, OVER, GpuContext, layout_of, native
from app.ui.plots.device.shader_text import arrays_source, shader
from app.ui.plots.series_arrays import Window, count_of

Layouts = tuple[str, str, str]
"""How x, y and z are read."""
SAMPLES = 4
STENCIL = "depth24plus-stencil8"


def polygon_source(layouts: Layouts) -> str:
    """The shaders for coordinates with these layouts."""
    return shader("polygons", arrays=arrays_source("xyz", (1, 2, 3), layouts))


def polygon_bytes(layer: PolygonLayer, window: Window) -> bytes:
    """The parameters of the shader."""
    p = layer.projection
    vectors = [(*map(float, row), 0.0) for row in (*p.matrix()[:2], p.low, p.high - p.low, p.sides)]
    places = [0 if data is None else data["offset"] for data in (layer.x, layer.y, layer.z)]
    return struct.pack(
        "20f4f2f2I4I",
        *np.ravel(vectors),
        *p.centre,
        *p.scale,
        window.width,
        window.height,
        count_of(layer.x) // layer.faces,
        packing.logs_of(p),
        *places,
        int(layer.z is not None),
    )


class PolygonPass:
    """The pipeline state that only polygons need.

    Attributes:
        targets: multisampled colour and stencil of the current size.
    """

    def __init__(self, gpu_context: GpuContext) -> None:
        self._bench = gpu_context
        self._pipelines: dict[Layouts, tuple[Any, Any]] = {}
        self._size = (0, 0)
        self.targets: dict[str, Any] = {}

    def close(self) -> None:
        """Let go of the pictures."""
        for texture in self.targets.values():
            texture.destroy()
        self.targets.clear()
        self._size = (0, 0)

    def draw(self, layer: PolygonLayer, window: Window) -> int:
        """Draw polygons; the number of their corners."""
        gpu_context, z = self._bench, layer.z or layer.y
        rows = [packing.premultiplied_colour(color) for color in layer.colors]
        colors = np.resize(np.array(rows, np.float32), (layer.faces, 4))
        given = [
            gpu_context.upload("polygons", polygon_bytes(layer, window)),
            *map(native, (layer.x, layer.y, z)),
        ]
        ink = gpu_context.upload("polygon colors", colors.tobytes())
        self._resize(window.width, window.height)
        layouts = layout_of(layer.x), layout_of(layer.y), layout_of(z)
        stride = count_of(layer.x) // layer.faces
        work = self._begin()
        gpu_context.keep_inside(work)
        turning, painting = self._pipeline_pair(layouts)
        steps = (
            (turning, gpu_context.bind(turning, dict(enumerate(given))), 3 * (stride - 4)),
            (painting, gpu_context.bind(painting, {4: ink}), 3),
        )
        for face in range(layer.faces):
            for pipeline, group, count in steps:
                work.set_pipeline(pipeline)
                work.set_bind_group(0, group)
                work.draw(count, 1, 0, face)
        work.end()
        return count_of(layer.x) - 2 * layer.faces

    def _resize(self, width: int, height: int) -> None:
        import wgpu

        if self._size == (width, height):
            return
        self.close()
        for name, form in (("color", FORMAT), ("stencil", STENCIL)):
            self.targets[name] = self._bench.device.create_texture(
                size=(width, height, 1),
                format=form,
                sample_count=SAMPLES,
                usage=wgpu.TextureUsage.RENDER_ATTACHMENT,
                label=f"plot polygon {name}",
            )
        self._size = width, height

    def _pipeline_pair(self, layouts: Layouts) -> tuple[Any, Any]:
        """The pipelines that turn over, and that paint, for data with these layouts."""
        if layouts not in self._pipelines:
            module = self._bench.device.create_shader_module(
                code=polygon_source(layouts), label="plot polygon"
            )
            self._pipelines[layouts] = (
                self._pipeline(module, "fan", "nothing", "always", "invert", 0),
                self._pipeline(module, "cover", "paint", "not-equal", "zero", 15),
            )
        return self._pipelines[layouts]

    def _pipeline(
        self, module: Any, vertex: str, fragment: str, compare: str, turn: str, mask: int
    ) -> Any:
        side = {"compare": compare, "pass_op": turn, "fail_op": "keep", "depth_fail_op": "keep"}
        target = {"format": FORMAT, "blend": {"color": OVER, "alpha": OVER}, "write_mask": mask}
        return self._bench.device.create_render_pipeline(
            layout="auto",
            vertex={"module": module, "entry_point": vertex},
            fragment={"module": module, "entry_point": fragment, "targets": [target]},
            primitive={"topology": "triangle-list"},
            multisample={"count": SAMPLES},
            depth_stencil={
                "format": STENCIL,
                "depth_write_enabled": False,
                "depth_compare": "always",
                "stencil_front": side,
                "stencil_back": side,
            },
        )

    def _begin(self) -> Any:
        """A render pass that resolves into the layer's picture."""
        gpu_context = self._bench
        color = {
            "view": self.targets["color"].create_view(),
            "load_op": "clear",
            "store_op": "discard",
            "resolve_target": gpu_context.targets[gpu_context.target].create_view(),
            "clear_value": (0, 0, 0, 0),
        }
        stencil = {
            "view": self.targets["stencil"].create_view(),
            "depth_load_op": "clear",
            "depth_store_op": "discard",
            "depth_clear_value": 1.0,
            "stencil_load_op": "clear",
            "stencil_store_op": "discard",
            "stencil_clear_value": 0,
        }
        return gpu_context.commands().begin_render_pass(
            color_attachments=[color], depth_stencil_attachment=stencil
        )
