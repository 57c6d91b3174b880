"""The device provider by way of wgpu (Vulkan, Metal, Direct3D 12).

`adapters` lists what is there, `open_provider` opens one. wgpu itself is imported only in here.
"""

from __future__ import annotations

from app.accel.backends.wgpu.device import adapters, cards_among
from app.accel.backends.wgpu.provider import WgpuProvider, open_provider

__all__ = ["WgpuProvider", "adapters", "cards_among", "open_provider"]
