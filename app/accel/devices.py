"""Which devices there are, and a runtime on the one the settings ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.runtime import Runtime
from app.errors import UsageError

if TYPE_CHECKING:
    from app.accel.providers.base import DeviceInfo, Provider
    from app.settings import Settings


def adapters() -> list[DeviceInfo]:
    """Every usable adapter, best first; empty where there is none."""
    from app.accel.providers import wgpu

    return wgpu.adapters()


def open_runtime(settings: Settings, wait: bool = False) -> tuple[Runtime, str]:
    """A runtime as the settings say, and why it has no device (empty when it has or may have one).

    An adapter that was asked for is opened now, others when there is work for them, or now with
    `wait`.
    """
    runtime = Runtime(settings, opener=lambda name: _open(name, settings))
    if settings.device == "cpu":
        return runtime, "the device is switched off (cpu)"
    if not wait and settings.device == "auto":
        return runtime, ""
    runtime.open()
    problem = runtime.opening.problem
    if problem and settings.device not in {"auto", "gpu"}:
        runtime.close()
        raise UsageError(f"--device {settings.device}: {problem}")
    return runtime, problem


def _open(name: str, settings: Settings) -> Provider:
    from app.accel.kernels.tuning import Tuning
    from app.accel.providers import wgpu

    tuning = Tuning(
        workgroup=settings.elementwise_workgroup,
        reduction=settings.reduction_workgroup,
        two_pass=settings.two_pass_threshold,
    )
    provider: Provider = wgpu.open_provider(name, tuning)
    return provider
