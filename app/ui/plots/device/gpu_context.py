"""What drawing on a device works with: pipelines, scratch buffers, pictures, one encoder.

Scratch buffers are known by name and only ever grow. What is encoded is submitted when a buffer
must be filled again, and when the picture is read back.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from app.ui.plots.device.shader_text import array_source, number_type, shader
from app.ui.plots.series_arrays import Exported

FORMAT = "rgba8unorm"
ROW_ALIGNMENT = 256

MAXIMUM = {"operation": "max", "src_factor": "one", "dst_factor": "one"}
"""Blending within one layer of one colour, so that joints do not show."""
OVER = {"operation": "add", "src_factor": "one", "dst_factor": "one-minus-src-alpha"}
"""Blending of what lies over something else."""
LAYOUTS = {
    "float32": "f32",
    "float64": "f64",
    "int32": "i32",
    "uint32": "u32",
    "uint8": "u8",
    "int8": "i8",
    "bool": "u8",
    "uint16": "u16",
    "int16": "i16",
}
"""How elements of a buffer are read, by their type."""
Groups = tuple[int, int, int]


def layout_of(data: Exported) -> str:
    """How the elements of data are read; ``range`` where they are in no buffer."""
    return "range" if data["kind"] == "range" else LAYOUTS[data["dtype"]]


def native(data: Exported) -> Any:
    """The wgpu buffer behind exported device data."""
    return data["buffer"].native


class GpuContext:
    """The resources of one renderer.

    Args:
        device: the wgpu device.
        read_back: the first bytes of a buffer that can be mapped, as its provider reads them.

    Attributes:
        device: the wgpu device.
        target: the picture that layers are painted into: ``picture`` or ``layer``.
        targets: the pictures by name.
        scratch: the buffers by name.
        size: width and height of the pictures.
        margin: pixels along the edges that only markers are painted into.
    """

    def __init__(self, device: Any, read_back: Callable[[object, int], bytes]) -> None:
        self.device = device
        self._read_back = read_back
        self.target = "picture"
        self.targets: dict[str, Any] = {}
        self.scratch: dict[str, Any] = {}
        self.size = (0, 0)
        self.margin = 0
        self._pipelines: dict[str, Any] = {}
        self._encoder: Any = None
        self._fresh: set[str] = set()

    def close(self) -> None:
        """Let go of all scratch memory."""
        for item in (*self.scratch.values(), *self.targets.values()):
            item.destroy()
        self.scratch.clear()
        self.targets.clear()
        self._pipelines.clear()
        self.size = (0, 0)

    # --- buffers --------------------------------------------------------------------------

    def buffer(self, name: str, size: int, usage: int | None = None) -> Any:
        """A scratch buffer of at least that size."""
        import wgpu

        found = self.scratch.get(name)
        if found is None or found.size < size:
            if found is not None:
                self.flush()
                found.destroy()
            flags = wgpu.BufferUsage
            wanted = flags.STORAGE | flags.COPY_DST | flags.COPY_SRC if usage is None else usage
            size = (size + 255) // 256 * 256
            found = self.device.create_buffer(size=size, usage=wanted, label=f"plot {name}")
            self.scratch[name] = found
        return found

    def upload(self, name: str, data: bytes, *, usage: int | None = None) -> Any:
        """Fill a scratch buffer; what was encoded with its earlier content is submitted first."""
        if name in self._fresh:
            self.flush()
        self._fresh.add(name)
        buffer = self.buffer(name, len(data), usage)
        self.device.queue.write_buffer(buffer, 0, data)
        return buffer

    def uniform(self, name: str, data: bytes) -> Any:
        """Like ``upload``, for parameters that shaders read as a uniform."""
        import wgpu

        return self.upload(name, data, usage=wgpu.BufferUsage.UNIFORM | wgpu.BufferUsage.COPY_DST)

    def read_words(self, buffer: Any, count: int = 1) -> tuple[int, ...]:
        """The first four bytes of a buffer as a number, or so many fours of them; everything
        encoded runs first."""
        import wgpu

        usage = wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST
        staging = self.buffer("words", 4 * count, usage)
        self.commands().copy_buffer_to_buffer(buffer, 0, staging, 0, 4 * count)
        self.flush()
        return struct.unpack(f"<{count}I", self._mapped_bytes(staging, 4 * count))

    def _mapped_bytes(self, staging: Any, nbytes: int) -> bytes:
        try:
            return self._read_back(staging, nbytes)
        except RuntimeError:  # it may be mapped later: never to be written to again
            self.scratch = {name: b for name, b in self.scratch.items() if b is not staging}
            raise

    # --- commands -------------------------------------------------------------------------

    def commands(self) -> Any:
        """The encoder of work that is not submitted yet."""
        if self._encoder is None:
            self._encoder = self.device.create_command_encoder(label="plot")
        return self._encoder

    def flush(self) -> None:
        """Submit what was encoded."""
        encoder, self._encoder = self._encoder, None
        self._fresh.clear()
        if encoder is not None:
            self.device.queue.submit([encoder.finish()])

    def dispatch(self, pipeline: Any, bindings: dict[int, Any], groups: Groups) -> None:
        """Encode a compute pass."""
        work = self.commands().begin_compute_pass()
        work.set_pipeline(pipeline)
        work.set_bind_group(0, self.bind(pipeline, bindings))
        work.dispatch_workgroups(*groups)
        work.end()

    def paint(
        self,
        pipeline: Any,
        bindings: dict[int, Any],
        corners: int,
        instances: int,
        *,
        clear: bool,
        everywhere: bool = False,
    ) -> None:
        """Draw into the layer's picture, without its margin unless everywhere."""
        work = self._render_pass(self.target, clear=clear)
        if not everywhere:
            self.keep_inside(work)
        if instances:
            work.set_pipeline(pipeline)
            work.set_bind_group(0, self.bind(pipeline, bindings))
            work.draw(corners, instances)
        work.end()

    def keep_inside(self, work: Any) -> None:
        """Let a render pass paint inside the margin only."""
        if self.margin:
            inner = [max(1, extent - 2 * self.margin) for extent in self.size]
            work.set_scissor_rect(self.margin, self.margin, *inner)

    def paint_counted(
        self, pipeline: Any, bindings: dict[int, Any], count: Any, *, clear: bool
    ) -> None:
        """Draw as many instances as a buffer says."""
        work = self._render_pass(self.target, clear=clear)
        self.keep_inside(work)
        work.set_pipeline(pipeline)
        work.set_bind_group(0, self.bind(pipeline, bindings))
        work.draw_indirect(count, 0)
        work.end()

    def bind(self, pipeline: Any, bindings: dict[int, Any]) -> Any:
        """A bind group of whole buffers by their places."""
        entries = [
            {"binding": place, "resource": {"buffer": b, "offset": 0, "size": b.size}}
            for place, b in bindings.items()
        ]
        layout = pipeline.get_bind_group_layout(0)
        return self.device.create_bind_group(layout=layout, entries=entries)

    def _render_pass(self, target: str, *, clear: bool) -> Any:
        attachment = {
            "view": self.targets[target].create_view(),
            "store_op": "store",
            "load_op": "clear" if clear else "load",
            "clear_value": (0, 0, 0, 0),
        }
        return self.commands().begin_render_pass(color_attachments=[attachment])

    # --- pipelines ------------------------------------------------------------------------

    def compute(self, name: str, body: str, **data: Exported) -> Any:
        """A compute pipeline over x (and y), at bindings 1 and 2, with the layouts they have."""
        parts = [shader("view")]
        layouts = []
        for binding, (letter, values) in enumerate(data.items(), 1):
            layout = layout_of(values)
            layouts.append(layout)
            if layout == "range":
                parts.append(shader("range_x"))
                continue
            parts.append(array_source(letter, binding, layout))
            if name != "sorted":
                number = number_type(layout)
                parts.append(shader("place", letter=letter, number=number))
        return self.plain(" ".join([name, *layouts]), "".join([*parts, body]))

    def plain(self, name: str, source: str) -> Any:
        """A compute pipeline of a whole source."""
        if name not in self._pipelines:
            module = self.device.create_shader_module(code=source, label=f"plot {name}")
            self._pipelines[name] = self.device.create_compute_pipeline(
                layout="auto", compute={"module": module, "entry_point": "main"}
            )
        return self._pipelines[name]

    def painter(self, name: str, source: str, blend: dict[str, str]) -> Any:
        """A render pipeline of a whole source."""
        key = f"{name} {blend['operation']}"
        if key not in self._pipelines:
            module = self.device.create_shader_module(code=source, label=f"plot {name}")
            target = {"format": FORMAT, "blend": {"color": blend, "alpha": blend}}
            self._pipelines[key] = self.device.create_render_pipeline(
                layout="auto",
                vertex={"module": module, "entry_point": "vertex"},
                fragment={"module": module, "entry_point": "fragment", "targets": [target]},
                primitive={"topology": "triangle-list"},
            )
        return self._pipelines[key]

    # --- pictures -------------------------------------------------------------------------

    def resize(self, width: int, height: int) -> None:
        """Have pictures of that size."""
        import wgpu

        if self.size == (width, height):
            return
        for texture in self.targets.values():
            texture.destroy()
        flags = wgpu.TextureUsage
        usage = flags.RENDER_ATTACHMENT | flags.TEXTURE_BINDING | flags.COPY_SRC
        for name in ("layer", "picture"):
            self.targets[name] = self.device.create_texture(
                size=(width, height, 1), format=FORMAT, usage=usage, label=f"plot {name}"
            )
        self.size = width, height

    def composite(self) -> None:
        """Put the layer's picture over the whole one."""
        pipeline = self.painter("composite", shader("composite"), OVER)
        view = self.targets["layer"].create_view()
        group = self.device.create_bind_group(
            layout=pipeline.get_bind_group_layout(0), entries=[{"binding": 0, "resource": view}]
        )
        work = self._render_pass("picture", clear=False)
        work.set_pipeline(pipeline)
        work.set_bind_group(0, group)
        work.draw(3, 1)
        work.end()

    @property
    def stride(self) -> int:
        """Bytes from one row of a picture to the next, once it is read back."""
        return -(-4 * self.size[0] // ROW_ALIGNMENT) * ROW_ALIGNMENT

    def start_readback(self) -> None:
        """Encode the copy of the picture, and submit everything."""
        import wgpu

        width, height = self.size
        usage = wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST
        buffer = self.buffer("picture", self.stride * height, usage)
        self.commands().copy_texture_to_buffer(
            {"texture": self.targets["picture"]},
            {"buffer": buffer, "bytes_per_row": self.stride, "rows_per_image": height},
            (width, height, 1),
        )
        self.flush()

    def finish_readback(self) -> bytes:
        """The picture's bytes, as soon as it is drawn."""
        return self._mapped_bytes(self.scratch["picture"], self.stride * self.size[1])
