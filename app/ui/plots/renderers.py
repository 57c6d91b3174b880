"""One renderer per device, shared by all figures of the window."""

from __future__ import annotations

from typing import Any

from app.ui.plots.renderer import Renderer

_renderers: dict[int, Renderer] = {}


def renderer_for(buffer: Any) -> Renderer | None:
    """The renderer of the device a pinned buffer is on; None for a buffer of a recorded event."""
    if buffer.native is None:
        return None
    device = buffer.provider.native_device
    key = id(device)
    if key not in _renderers:
        _renderers[key] = Renderer(device, buffer.provider.lock)
    return _renderers[key]


def close_renderers() -> None:
    """Release all scratch memory; call before the device is closed."""
    for renderer in _renderers.values():
        renderer.close()
    _renderers.clear()
