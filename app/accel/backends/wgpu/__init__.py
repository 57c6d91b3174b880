"""The device provider by way of wgpu (Vulkan, Metal, Direct3D 12).

`adapters` lists what is there, `open_provider` opens one. wgpu itself is imported only in here.
"""

from __future__ import annotations

from pathlib import Path

from app.accel.backends.base import DeviceInfo
from app.accel.backends.wgpu.device import adapters
from app.accel.backends.wgpu.provider import WgpuProvider, open_provider
from app.accel.codegen.wgsl.tuning import Tuning
from app.settings import Settings

__all__ = ["BACKEND", "WgpuProvider", "adapters", "open_provider"]


class WgpuBackend:
    """wgpu's devices, as `backends.registry` knows them."""

    name = "wgpu"

    def adapters(self) -> list[DeviceInfo]:
        """Every usable adapter, best first."""
        return adapters()

    def open(self, name: str, settings: Settings | None, folder: Path | None) -> WgpuProvider:
        """An adapter with the sizes that the settings say. Raises Unsupported."""
        tuning = None if settings is None else _tuning(settings)
        return open_provider(name, tuning, folder)


def _tuning(settings: Settings) -> Tuning:
    return Tuning(
        workgroup=settings.elementwise_workgroup,
        reduction=settings.reduction_workgroup,
        two_pass=settings.two_pass_threshold,
        loop_steps=settings.loop_slice_ms * 1e9,
        fast_maths=settings.fast_maths,
        tile=settings.matmul_tile,
    )


BACKEND = WgpuBackend()
