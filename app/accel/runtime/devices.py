"""Which devices there are, and a runtime that opens the one the settings ask for."""

from __future__ import annotations

import logging
from dataclasses import asdict
from typing import TYPE_CHECKING

from app import paths
from app.accel.backends import registry
from app.accel.backends.base import cards_among
from app.accel.backends.fast_doubles import FastDoubles
from app.accel.planner import calibration, cost
from app.accel.runtime.runtime import Runtime
from app.errors import UsageError

if TYPE_CHECKING:
    from app.accel.backends.base import DeviceInfo, Provider, Tell
    from app.settings import Settings


def adapters() -> list[DeviceInfo]:
    """Every usable adapter, best first; empty where there is none."""
    return registry.adapters()


def card_count() -> int:
    """How many graphics cards there are; a software adapter counts where there is no card."""
    return len(cards_among(registry.adapters()))


def runtime(settings: Settings, script: str = "") -> Runtime:
    """A runtime as the settings say; its device opens when there is work for it."""
    made = Runtime(settings, opener=lambda name: _open(name, settings))
    made.begin(script)
    return made


def open_asked_for(runtime: Runtime) -> None:
    """Open now the device that was asked for by name. Raises Interrupted while it waits.

    UsageError, and the runtime is closed, when there is none of that name.
    """
    name = runtime.options.device
    if name in {"auto", "cpu"}:
        return
    runtime.open()
    if runtime.opening.problem and name != "gpu":
        runtime.close()
        raise UsageError(f"--device {name}: {runtime.opening.problem}")
    if runtime.opening.problem:
        logging.getLogger("fuselab.gpu").warning(
            "--device gpu: %s; everything runs on the host", runtime.opening.problem
        )


def why_none(runtime: Runtime) -> str:
    """Why there is no device; empty when there is one, or nobody has looked yet."""
    if runtime.options.device == "cpu":
        return "switched off (--device cpu)"
    return runtime.opening.problem


def speeds(runtime: Runtime) -> tuple[dict[str, float], dict[str, float]]:
    """By name the speeds that the cost model uses, and those it assumes where none is measured."""
    placer, info = runtime.placer, runtime.device_info
    known = {"host": placer.host}
    usual = {"host": cost.typical_host(runtime.executor.host.threads)}
    if info is not None:
        known["device"], usual["device"] = placer.device, cost.typical(info)
    return _by_name(known), _by_name(usual)


def _by_name(sides: dict[str, cost.Speeds]) -> dict[str, float]:
    return {
        f"{side} {name}": value
        for side, found in sides.items()
        for name, value in asdict(found).items()
    }


def recalibrate(runtime: Runtime) -> None:
    """Measure host and device again; plans are made anew with what comes out."""
    runtime.open()
    calibration.speeds_file().unlink(missing_ok=True)
    runtime.placer.host = calibration.speeds_of(runtime.executor.host)
    if runtime.executor.device is not None:
        runtime.placer.device = calibration.speeds_of(runtime.executor.device)
    runtime.forget_plans()


def _open(name: str, settings: Settings) -> Provider:
    folder = paths.cache_dir() / "kernels" if settings.kernel_cache else None
    opened = registry.open_device(name, settings, folder)
    if settings.fast_doubles and not opened.info.f64:
        return FastDoubles(opened)
    return opened


def tell_waits(runtime: Runtime, tell: Tell) -> None:
    """Say what a runtime waits for while it does; what `tell` raises ends the waiting."""
    runtime.executor.tell = runtime.opening.tell = tell
    if runtime.executor.device is not None:
        runtime.executor.device.tell_waits(tell)


def abandon(runtime: Runtime) -> None:
    """A run was interrupted: nobody waits for what the device still does."""
    runtime.executor.sent.settle_done()
    runtime.executor.sent.outstanding.clear()
