"""What ``fuselab device`` and the device panel tell about the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.accel import devices
from app.engine import report

if TYPE_CHECKING:
    from app.accel.runtime import Runtime
    from app.settings import Settings

Row = dict[str, Any]


def survey(settings: Settings) -> Row:
    """Adapters, the device that would be used, its calibration, and all settings."""
    runtime, reason = devices.open_runtime(settings, wait=True)
    try:
        return {
            "device": report.device_row(runtime.device_info),
            "reason": reason,
            "adapters": adapters(),
            "calibration": calibration(runtime),
            "settings": settings.rows(),
        }
    finally:
        runtime.close()


def adapters() -> list[Row]:
    """Every adapter as a report's ``device`` object."""
    return [report.device_row(info) for info in devices.adapters()]


def calibration(runtime: Runtime) -> Row:
    """The speeds the cost model uses, by name."""
    from dataclasses import asdict

    placer = runtime.placer
    sides = {"host": placer.host, "device": placer.device}
    return {
        f"{side} {name}": value
        for side, speeds in sides.items()
        if side == "host" or runtime.device_info is not None
        for name, value in asdict(speeds).items()
    }
