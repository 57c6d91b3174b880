"""Images and contours on the device."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from app.ui.plots.device import packing
from app.ui.plots.device.draw_layers import (
    ContourLayer,
    ImageLayer,
    SurfaceLayer,
    cells_of,
    stride_of,
)
from app.ui.plots.device.gpu_context import OVER, GpuContext, layout_of, native
from app.ui.plots.device.shader_text import array_source, arrays_source, number_type, shader
from app.ui.plots.series_arrays import Exported, Window, count_of, host_array

MOST_CELLS = 1000
"""Grids with more rows or columns are drawn with every n-th of them."""
MOST_PIECES = 1 << 20
"""Pieces of contours that are drawn at most."""


def image_source(layout: str, alphas: str = "") -> str:
    """The shader of an image whose values (and opacities) have these layouts."""
    own = "fn opacity(i: u32) -> f32 { return image.alpha; }\n"
    if alphas:
        own = array_source("alphas", 3, alphas) + shader("opacity")
    values = array_source("values", 1, layout)
    return shader("image", values=values, opacity=own, number=number_type(layout))


def contour_source(layouts: tuple[str, str, str]) -> str:
    """The pass that finds the pieces of contours, for coordinates and heights with these
    layouts. Pieces are appended; how many there are is counted where an indirect draw reads it."""
    arrays = arrays_source("xyz", (1, 2, 3), layouts)
    return shader("contour", arrays=arrays, number=number_type(layouts[2]))


def draw_image(gpu_context: GpuContext, layer: ImageLayer, window: Window) -> int:
    """Draw an image; the number of its elements."""
    parameters = gpu_context.upload("image", packing.image_bytes(layer, window))
    palette = gpu_context.upload("palette", layer.palette.tobytes())
    layout, own = layout_of(layer.values), ""
    bindings = {0: parameters, 1: native(layer.values), 2: palette}
    if layer.alphas is not None:
        there = layer.alphas["kind"] == "device"
        own = layout_of(layer.alphas) if there else "f32"
        bindings[3] = (
            native(layer.alphas)
            if there
            else gpu_context.upload("alphas", coordinates(layer.alphas))
        )
    source = image_source(layout, own)
    pipeline = gpu_context.painter(f"image {layout} {own}", source, OVER)
    gpu_context.paint(pipeline, bindings, 3, 1, clear=True)
    return count_of(layer.values)


def grid_bindings(
    gpu_context: GpuContext, layer: SurfaceLayer | ContourLayer
) -> tuple[list[Any], tuple[str, str, str]]:
    """Buffers of x, y and z, and their layouts; vectors of the host go up."""
    buffers, layouts = [], []
    for name, data in (("grid x", layer.x), ("grid y", layer.y), ("", layer.z)):
        if data["kind"] == "device":
            layouts.append(layout_of(data))
            buffers.append(native(data))
        else:
            layouts.append("f32")
            buffers.append(gpu_context.upload(name, coordinates(data)))
    return buffers, (layouts[0], layouts[1], layouts[2])


def coordinates(data: Exported) -> bytes:
    """Host coordinates as the floats that go up."""
    return host_array(data).reshape(-1, order="F").astype(np.float32).tobytes()


def draw_contours(gpu_context: GpuContext, layer: ContourLayer, window: Window) -> int:
    """Draw lines of equal height; the number of heights they were found in."""
    import wgpu

    cells = cells_of(layer, MOST_CELLS)
    capacity = max(1, min(2 * cells * len(layer.levels), MOST_PIECES))
    buffers, layouts = grid_bindings(gpu_context, layer)
    stride = stride_of(layer, MOST_CELLS)
    view = gpu_context.upload("contour", packing.contour_bytes(layer, stride, capacity))
    flags = wgpu.BufferUsage
    usage = flags.STORAGE | flags.INDIRECT | flags.COPY_DST
    drawn = gpu_context.upload("drawn", struct.pack("4I", 6, 0, 0, 0), usage=usage)
    levels = gpu_context.upload("levels", np.array(layer.levels or (0.0,), np.float32).tobytes())
    pieces = gpu_context.buffer("pieces", 32 * capacity)
    pipeline = gpu_context.plain(" ".join(("contour", *layouts)), contour_source(layouts))
    bindings = dict(enumerate([view, *buffers, pieces, drawn, levels]))
    gpu_context.dispatch(pipeline, bindings, packing.groups_of(cells, 64))
    paint = gpu_context.uniform("paint", packing.contour_paint(layer, window))
    palette = gpu_context.upload("palette", layer.palette.tobytes())
    painter = gpu_context.painter("pieces", shader("pieces"), OVER)
    gpu_context.paint_counted(painter, {0: paint, 1: pieces, 2: palette}, drawn, clear=True)
    return count_of(layer.z)
