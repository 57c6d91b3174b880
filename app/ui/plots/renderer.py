"""Draws plot layers on the device that holds the data, and reads back only the finished picture.

One renderer per device. Data buffers are bound as they are; what goes up are a few kilobytes of
parameters, what comes down is the picture. ``lock`` is held while work is encoded and submitted,
because the engine thread uses the same device.
"""

from __future__ import annotations

import threading
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any
from weakref import WeakKeyDictionary

from app.ui.plots import packing, shaders, shaders_paint, surface_pass
from app.ui.plots.layers import ImageLayer, LineLayer, MarkerLayer
from app.ui.plots.numbers import Exported, Window, count_of
from app.ui.plots.surface_pass import SurfaceLayer, SurfacePass

Layer = LineLayer | MarkerLayer | ImageLayer | SurfaceLayer
"""Anything the renderer draws."""
FORMAT = "rgba8unorm"
CHUNK = 1 << 22
"""Points that are transformed at a time when none can be left out."""
DENSE = 200_000
"""More markers than this are drawn by density."""
ROW_ALIGNMENT = 256

_MAXIMUM = {"operation": "max", "src_factor": "one", "dst_factor": "one"}
_OVER = {"operation": "add", "src_factor": "one", "dst_factor": "one-minus-src-alpha"}
_LAYOUTS = {
    "float32": "f32", "float64": "f64", "int32": "i32", "uint32": "u32", "uint8": "u8",
    "int8": "i8", "bool": "u8", "uint16": "u16", "int16": "i16",
}  # fmt: skip


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
    """

    width: int
    height: int
    stride: int
    data: bytes
    points: int
    milliseconds: float


def supported(data: Exported) -> bool:
    """Whether the renderer can read this element type (64-bit integers it cannot)."""
    return data["kind"] != "device" or data["dtype"] in _LAYOUTS


class Renderer:
    """Pipelines and scratch buffers on one device.

    Attributes:
        device: the wgpu device that holds the data.
    """

    def __init__(self, device: Any, lock: AbstractContextManager[Any]) -> None:
        self.device = device
        self._lock = lock
        self._pipelines: dict[tuple[str, ...], Any] = {}
        self._scratch: dict[str, Any] = {}
        self._targets: dict[str, Any] = {}
        self._size = (0, 0)
        self._target = "picture"
        self._encoder: Any = None
        self._fresh: set[str] = set()
        self._busy = threading.Lock()
        self._surfaces = SurfacePass(device, FORMAT)
        self._sorted: WeakKeyDictionary[Any, dict[tuple[int, int], bool]] = WeakKeyDictionary()

    def render(self, layers: list[Layer], window: Window) -> Frame:
        """Draw the layers over each other and read the picture back."""
        with self._busy:
            return self._render(layers, window)

    def _render(self, layers: list[Layer], window: Window) -> Frame:
        began = perf_counter()
        with self._lock:
            self._resize(window.width, window.height)
            points = 0
            for place, layer in enumerate(layers):
                # The first layer goes straight into the picture.
                self._target = "layer" if place else "picture"
                points += self._draw(layer, window)
                if place:
                    self._composite()
            stride = self._start_readback()
            self._flush()
        data = self._finish_readback()
        elapsed = (perf_counter() - began) * 1000
        return Frame(window.width, window.height, stride, data, points, elapsed)

    def close(self) -> None:
        """Let go of all scratch memory."""
        self._surfaces.close()
        for item in (*self._scratch.values(), *self._targets.values()):
            item.destroy()
        self._scratch.clear()
        self._targets.clear()
        self._pipelines.clear()
        self._size = (0, 0)

    # --- layers ---------------------------------------------------------------------------

    def _draw(self, layer: Layer, window: Window) -> int:
        match layer:
            case LineLayer():
                return self._line(layer, window)
            case MarkerLayer():
                return self._markers(layer, window)
            case ImageLayer():
                return self._image(layer, window)
            case SurfaceLayer():
                return self._surface(layer, window)

    def _line(self, layer: LineLayer, window: Window) -> int:
        count = min(count_of(layer.x), count_of(layer.y))
        if layer.x["kind"] == "range" or self._is_sorted(layer.x):
            mirror = window.left > window.right
            forwards = replace(window, left=window.right, right=window.left) if mirror else window
            total = self._reduce(layer.x, layer.y, forwards)
            self._stroke(layer, window, total, clear=True, mirror=mirror)
            return count
        for first in range(0, count, CHUNK - 1):
            total = min(CHUNK, count - first)
            self._transform(layer.x, layer.y, window, first, total)
            self._stroke(layer, window, total, clear=first == 0)
        return count

    def _reduce(self, x: Exported, y: Exported, window: Window) -> int:
        """Four points per pixel column into the points buffer; their number."""
        view = self._upload("view", packing.view_bytes(x, y, window, window.width))
        starts = self._buffer("starts", 4 * (window.width + 1))
        points = self._buffer("points", 64 * (window.width + 2))
        if x["kind"] == "range":
            starts = self._upload("starts", packing.range_columns(x, window))
        else:
            pipeline = self._compute("starts", shaders.STARTS, x, None)
            groups = packing.groups_of(window.width + 1, 64)
            self._dispatch(pipeline, {0: view, 1: native(x), 3: starts}, groups)
        value = "f64" if y["dtype"] == "float64" else "f32"
        body = shaders.REDUCE.replace("VALUE", value)
        pipeline = self._compute("reduce", body, x, y)
        bindings = {0: view, 2: native(y), 3: starts, 4: points}
        if x["kind"] != "range":
            bindings[1] = native(x)
        self._dispatch(pipeline, bindings, (window.width + 2, 1, 1))
        return 4 * (window.width + 2)

    def _transform(self, x: Exported, y: Exported, window: Window, first: int, total: int) -> None:
        view = self._upload("view", packing.view_bytes(x, y, window, total, first))
        points = self._buffer("points", 16 * total)
        pipeline = self._compute("transform", shaders.TRANSFORM, x, y)
        bindings = {0: view, 2: native(y), 4: points}
        if x["kind"] != "range":
            bindings[1] = native(x)
        self._dispatch(pipeline, bindings, packing.groups_of(total, shaders.GROUP))

    def _stroke(
        self, layer: LineLayer, window: Window, total: int, *, clear: bool, mirror: bool = False
    ) -> None:
        points = self._scratch["points"]
        if layer.dashes:
            blank = {"kind": "range", "start": 0.0, "step": 1.0, "count": 0}
            self._upload("arc", packing.view_bytes(blank, blank, window, total))
            pipeline = self._plain("arc", shaders.VIEW + shaders.ARC)
            self._dispatch(pipeline, {0: self._scratch["arc"], 4: points}, (1, 1, 1))
        paint = self._upload(
            "paint", packing.paint_bytes(layer, window, mirror=mirror), uniform=True
        )
        pipeline = self._painter("segments", shaders_paint.SEGMENTS, _MAXIMUM)
        self._paint(pipeline, {0: paint, 1: points}, 6, max(total - 1, 0), clear=clear)

    def _markers(self, layer: MarkerLayer, window: Window) -> int:
        count = min(count_of(layer.x), count_of(layer.y))
        paint = self._upload("paint", packing.paint_bytes(layer, window), uniform=True)
        if count > DENSE and layer.values is None:
            self._density(layer, window, count, paint)
            return count
        for first in range(0, count, CHUNK):
            total = min(CHUNK, count - first)
            self._transform(layer.x, layer.y, window, first, total)
            palette = self._tint(layer, first, total)
            pipeline = self._painter("markers", shaders_paint.MARKERS, _OVER)
            bindings = {0: paint, 1: self._scratch["points"], 2: palette}
            self._paint(pipeline, bindings, 6, total, clear=first == 0)
        return count

    def _tint(self, layer: MarkerLayer, first: int, total: int) -> Any:
        """Give the points in the buffer the colours of their values; the palette."""
        if layer.values is None or layer.palette is None:
            return self._upload("palette", bytes(4))
        parameters = self._upload("tint", packing.tint_bytes(layer, first, total))
        layout = _LAYOUTS[layer.values["dtype"]]
        source = shaders.array_source("c", 1, layout) + shaders.TINT
        pipeline = self._plain(f"tint {layout}", source)
        bindings = {0: parameters, 1: native(layer.values), 4: self._scratch["points"]}
        self._dispatch(pipeline, bindings, packing.groups_of(total, shaders.GROUP))
        return self._upload("palette", layer.palette.tobytes())

    def _density(self, layer: MarkerLayer, window: Window, count: int, paint: Any) -> None:
        x, y = layer.x, layer.y
        view = self._upload("view", packing.view_bytes(x, y, window, count))
        hits = self._buffer("hits", 4 * window.width * window.height)
        self._commands().clear_buffer(hits)
        pipeline = self._compute("splat", shaders_paint.SPLAT, x, y)
        bindings = {0: view, 2: native(y), 4: hits}
        if x["kind"] != "range":
            bindings[1] = native(x)
        self._dispatch(pipeline, bindings, packing.groups_of(count, shaders.GROUP))
        painter = self._painter("density", shaders_paint.DENSITY, _OVER)
        self._paint(painter, {0: paint, 1: hits}, 3, 1, clear=True)

    def _image(self, layer: ImageLayer, window: Window) -> int:
        parameters = self._upload("image", packing.image_bytes(layer, window))
        palette = self._upload("palette", layer.palette.tobytes())
        layout = _LAYOUTS[layer.values["dtype"]]
        pipeline = self._painter(f"image {layout}", shaders_paint.image_source(layout), _OVER)
        bindings = {0: parameters, 1: native(layer.values), 2: palette}
        self._paint(pipeline, bindings, 3, 1, clear=True)
        return count_of(layer.values)

    def _surface(self, layer: SurfaceLayer, window: Window) -> int:
        parameters = self._upload("surface", surface_pass.surface_bytes(layer, window))
        palette = self._upload("palette", layer.palette.tobytes())
        buffers, layouts = [], []
        for name, data in (("surface x", layer.x), ("surface y", layer.y), ("", layer.z)):
            on_host = data["kind"] != "device"
            layouts.append("f32" if on_host else _LAYOUTS[data["dtype"]])
            buffers.append(
                self._upload(name, surface_pass.coordinates(data)) if on_host else native(data)
            )
        self._surfaces.resize(window.width, window.height)
        pipeline = self._surfaces.pipeline((layouts[0], layouts[1], layouts[2]))
        work = self._surfaces.begin(self._commands(), self._targets[self._target])
        work.set_pipeline(pipeline)
        bindings = {0: parameters, 1: buffers[0], 2: buffers[1], 3: buffers[2], 4: palette}
        work.set_bind_group(0, self._bind(pipeline, bindings))
        work.draw(6, surface_pass.cells_of(layer))
        work.end()
        return count_of(layer.z)

    def _is_sorted(self, x: Exported) -> bool:
        """Whether abscissas never fall: four bytes come down, once per buffer."""
        buffer = native(x)
        known = self._sorted.setdefault(x["buffer"], {})
        key = int(x.get("offset", 0)), count_of(x)
        if key not in known:
            window = Window(0, 1, 0, 1, 1, 1)
            view = self._upload("view", packing.view_bytes(x, x, window, 1))
            flag = self._upload("flag", bytes(4))
            pipeline = self._compute("sorted", shaders.SORTED, x, None)
            groups = packing.groups_of(count_of(x), shaders.GROUP)
            self._dispatch(pipeline, {0: view, 1: buffer, 3: flag}, groups)
            self._flush()
            known[key] = not any(self.device.queue.read_buffer(flag, 0, 4))
        return known[key]

    # --- buffers and pipelines ------------------------------------------------------------

    def _buffer(self, name: str, size: int, usage: int | None = None) -> Any:
        """A scratch buffer that only ever grows."""
        import wgpu

        found = self._scratch.get(name)
        if found is None or found.size < size:
            if found is not None:
                self._flush()
                found.destroy()
            flags = wgpu.BufferUsage
            wanted = flags.STORAGE | flags.COPY_DST | flags.COPY_SRC if usage is None else usage
            size = (size + 255) // 256 * 256
            found = self.device.create_buffer(size=size, usage=wanted, label=f"plot {name}")
            self._scratch[name] = found
        return found

    def _upload(self, name: str, data: bytes, *, uniform: bool = False) -> Any:
        """Fill a scratch buffer; what was encoded with its earlier content is submitted first."""
        import wgpu

        if name in self._fresh:
            self._flush()
        self._fresh.add(name)

        flags = wgpu.BufferUsage
        usage = flags.UNIFORM | flags.COPY_DST if uniform else None
        buffer = self._buffer(name, len(data), usage)
        self.device.queue.write_buffer(buffer, 0, data)
        return buffer

    def _commands(self) -> Any:
        """The encoder of work that is not submitted yet."""
        if self._encoder is None:
            self._encoder = self.device.create_command_encoder(label="plot")
        return self._encoder

    def _flush(self) -> None:
        """Submit what was encoded."""
        encoder, self._encoder = self._encoder, None
        self._fresh.clear()
        if encoder is not None:
            self.device.queue.submit([encoder.finish()])

    def _compute(self, name: str, body: str, x: Exported, y: Exported | None) -> Any:
        """A compute pipeline over x (and y) with the layouts they have."""
        parts = [shaders.VIEW]
        layouts = []
        for letter, data, binding in (("x", x, 1), ("y", y, 2)):
            if data is None:
                continue
            if data["kind"] == "range":
                parts.append(shaders.RANGE_X)
                layouts.append("range")
                continue
            layout = _LAYOUTS[data["dtype"]]
            layouts.append(layout)
            parts.append(shaders.array_source(letter, binding, layout))
            if name != "sorted":
                parts.append(shaders.place_source(letter, layout))
        return self._plain(" ".join([name, *layouts]), "".join([*parts, body]))

    def _plain(self, name: str, source: str) -> Any:
        if (name,) not in self._pipelines:
            module = self.device.create_shader_module(code=source, label=f"plot {name}")
            self._pipelines[name,] = self.device.create_compute_pipeline(
                layout="auto", compute={"module": module, "entry_point": "main"}
            )
        return self._pipelines[name,]

    def _painter(self, name: str, source: str, blend: dict[str, str]) -> Any:
        if (name,) not in self._pipelines:
            module = self.device.create_shader_module(code=source, label=f"plot {name}")
            target = {"format": FORMAT, "blend": {"color": blend, "alpha": blend}}
            self._pipelines[name,] = self.device.create_render_pipeline(
                layout="auto",
                vertex={"module": module, "entry_point": "vertex"},
                fragment={"module": module, "entry_point": "fragment", "targets": [target]},
                primitive={"topology": "triangle-list"},
            )
        return self._pipelines[name,]

    def _bind(self, pipeline: Any, bindings: dict[int, Any]) -> Any:
        entries = [
            {"binding": place, "resource": {"buffer": b, "offset": 0, "size": b.size}}
            for place, b in bindings.items()
        ]  # fmt: skip
        layout = pipeline.get_bind_group_layout(0)
        return self.device.create_bind_group(layout=layout, entries=entries)

    def _dispatch(
        self, pipeline: Any, bindings: dict[int, Any], groups: tuple[int, int, int]
    ) -> None:
        work = self._commands().begin_compute_pass()
        work.set_pipeline(pipeline)
        work.set_bind_group(0, self._bind(pipeline, bindings))
        work.dispatch_workgroups(*groups)
        work.end()

    def _paint(
        self, pipeline: Any, bindings: dict[int, Any], corners: int, instances: int, *, clear: bool
    ) -> None:
        """Draw into the layer's texture."""
        work = self._render_pass(self._target, clear=clear)
        if instances:
            work.set_pipeline(pipeline)
            work.set_bind_group(0, self._bind(pipeline, bindings))
            work.draw(corners, instances)
        work.end()

    def _render_pass(self, target: str, *, clear: bool) -> Any:
        attachment = {
            "view": self._targets[target].create_view(), "store_op": "store",
            "load_op": "clear" if clear else "load", "clear_value": (0, 0, 0, 0),
        }  # fmt: skip
        return self._commands().begin_render_pass(color_attachments=[attachment])

    def _composite(self) -> None:
        """Put the layer's texture over the picture."""
        pipeline = self._painter("composite", shaders_paint.COMPOSITE, _OVER)
        view = self._targets["layer"].create_view()
        group = self.device.create_bind_group(
            layout=pipeline.get_bind_group_layout(0), entries=[{"binding": 0, "resource": view}]
        )
        work = self._render_pass("picture", clear=False)
        work.set_pipeline(pipeline)
        work.set_bind_group(0, group)
        work.draw(3, 1)
        work.end()

    # --- pictures -------------------------------------------------------------------------

    def _resize(self, width: int, height: int) -> None:
        import wgpu

        if self._size == (width, height):
            return
        for texture in self._targets.values():
            texture.destroy()
        flags = wgpu.TextureUsage
        usage = flags.RENDER_ATTACHMENT | flags.TEXTURE_BINDING | flags.COPY_SRC
        for name in ("layer", "picture"):
            self._targets[name] = self.device.create_texture(
                size=(width, height, 1), format=FORMAT, usage=usage, label=f"plot {name}"
            )
        self._size = width, height

    def _start_readback(self) -> int:
        import wgpu

        width, height = self._size
        stride = -(-4 * width // ROW_ALIGNMENT) * ROW_ALIGNMENT
        usage = wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST
        buffer = self._buffer("picture", stride * height, usage)
        self._commands().copy_texture_to_buffer(
            {"texture": self._targets["picture"]},
            {"buffer": buffer, "bytes_per_row": stride, "rows_per_image": height},
            (width, height, 1),
        )
        return stride

    def _finish_readback(self) -> bytes:
        import wgpu

        buffer = self._scratch["picture"]
        width, height = self._size
        stride = -(-4 * width // ROW_ALIGNMENT) * ROW_ALIGNMENT
        buffer.map_sync(wgpu.MapMode.READ)
        try:
            return bytes(buffer.read_mapped(0, stride * height))
        finally:
            buffer.unmap()


def native(data: Exported) -> Any:
    """The wgpu buffer behind exported device data."""
    return data["buffer"].native
