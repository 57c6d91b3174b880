"""Figures with data on the host, and the same data on a device."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from app.accel.backends.wgpu.native_calls import read_back
from app.engine.figures.pinned_buffers import PinnedBuffer
from app.errors import Unsupported
from app.ui.plots.device.renderer import Layer, Renderer
from app.ui.plots.device.renderer_pool import close_renderers
from app.ui.plots.host.brush import Brush
from app.ui.plots.series_arrays import Window
from app.ui.plots.series_item import DRAWERS
from app.ui.plots.style import PAPER
from tests.engine.figures.conftest import Plotter
from tests.ui.plots.desk import Desk

Pixels = np.ndarray[Any, np.dtype[np.uint8]]


@pytest.fixture
def m() -> Plotter:
    """MATLAB's plotting functions."""
    return Plotter()


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    """A session on the device with a figure panel before it, cleared up afterwards."""
    made = Desk(qtbot)
    yield made
    made.close()


@pytest.fixture(scope="session")
def device() -> Any:
    """The device that the provider would open."""
    from app.accel.backends.wgpu.device import open_device

    try:
        return open_device("auto")
    except Unsupported as problem:
        pytest.fail(f"tests need an adapter; Mesa's software one will do: {problem}")


@pytest.fixture
def renderer(device: Any) -> Iterator[Renderer]:
    """A renderer of its own."""
    made = Renderer(device.native, device.lock, partial(read_back, device.native))
    yield made
    made.close()


@pytest.fixture
def put(device: Any) -> Iterator[Callable[[Any], dict[str, Any]]]:
    """Bring an array to the device, as the engine would export it."""
    import wgpu

    buffers = []

    def upload(array: Any) -> dict[str, Any]:
        flat = np.asarray(array).reshape(-1, order="F")
        raw = flat.tobytes() + bytes(-flat.nbytes % 4)
        usage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_DST
        buffers.append(device.native.create_buffer_with_data(data=raw, usage=usage))
        provider = SimpleNamespace(
            native_device=device.native,
            lock=device.lock,
            read_back=partial(read_back, device.native),
        )
        pin = PinnedBuffer(
            buffers[-1], SimpleNamespace(executor=SimpleNamespace(device=provider)), None, None
        )
        return {
            "kind": "device",
            "buffer": pin,
            "offset": 0,
            "shape": np.shape(array),
            "dtype": flat.dtype.name,
        }

    yield upload
    close_renderers()
    for buffer in buffers:
        buffer.destroy()


def on_host(series: dict[str, Any], axes: dict[str, Any], window: Window) -> Pixels:
    """What Qt draws of a series: premultiplied red, green, blue, alpha."""
    picture = QImage(window.width, window.height, QImage.Format.Format_RGBA8888_Premultiplied)
    picture.fill(0)
    painter = QPainter(picture)
    DRAWERS[series["kind"]](Brush(painter, window, PAPER, axes), series)
    painter.end()
    bits = np.frombuffer(picture.constBits(), np.uint8)
    return bits.reshape(window.height, -1, 4)[:, : window.width].copy()


def on_device(renderer: Renderer, layers: list[Layer], window: Window) -> Pixels:
    """What the device draws."""
    frame = renderer.render(layers, window)
    rows = np.frombuffer(frame.data, np.uint8).reshape(frame.height, frame.stride // 4, 4)
    return rows[:, : frame.width].copy()


def brush_for(window: Window, axes: dict[str, Any]) -> Brush:
    """A brush without a painter, for what only needs colours."""
    return Brush(QPainter(), window, PAPER, axes)


def keep(name: str, *pictures: Pixels) -> None:
    """Save pictures side by side below the system's temporary folder, to look at."""
    import tempfile
    from pathlib import Path

    sheet = np.ascontiguousarray(np.concatenate(pictures, axis=1))
    sheet[..., :3] = sheet[..., :3] + (255 - sheet[..., 3:])
    sheet[..., 3] = 255
    height, width = sheet.shape[:2]
    picture = QImage(sheet.data, width, height, 4 * width, QImage.Format.Format_RGBA8888)
    picture.save(str(Path(tempfile.gettempdir()) / f"{name}.png"))
