"""Which devices there are, and a runtime on the one the settings ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.runtime import AccelOptions, Runtime
from app.errors import Unsupported, UsageError

if TYPE_CHECKING:
    from app.accel.providers.base import DeviceInfo, Provider
    from app.settings import Settings


def adapters() -> list[DeviceInfo]:
    """Every usable adapter, best first; empty where there is none."""
    from app.accel.providers import wgpu

    return wgpu.adapters()


def open_runtime(settings: Settings) -> tuple[Runtime, str]:
    """A runtime as the settings say, and why it has no device (empty when it has one)."""
    options = AccelOptions(
        device=settings.device,
        memory_budget=settings.memory_budget,
        host_threads=settings.host_threads,
        calibration=settings.calibration,
        verify=settings.verify,
    )
    if settings.device == "cpu":
        return Runtime(options), "the device is switched off (cpu)"
    try:
        provider = _open(settings)
    except Unsupported as problem:
        if settings.device not in {"auto", "gpu"}:
            raise UsageError(f"--device {settings.device}: {problem}") from problem
        return Runtime(options), str(problem)
    return Runtime(options, provider), ""


def _open(settings: Settings) -> Provider:
    from app.accel.kernels.tuning import Tuning
    from app.accel.providers import wgpu

    tuning = Tuning(
        workgroup=settings.elementwise_workgroup,
        reduction=settings.reduction_workgroup,
        two_pass=settings.two_pass_threshold,
    )
    provider: Provider = wgpu.open_provider(settings.device, tuning)
    return provider
