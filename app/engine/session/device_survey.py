"""What ``fuselab device`` and the device panel tell about the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.accel.runtime import devices
from app.engine.session import report

if TYPE_CHECKING:
    from app.accel.runtime.runtime import Runtime
    from app.settings import Settings

Row = dict[str, Any]


def survey(runtime: Runtime) -> Row:
    """Adapters, the device in use and why there is none, and the speeds the cost model uses."""
    reason = devices.why_none(runtime)
    return {
        "device": report.device_row(runtime.device_info)
        | {"chosen": runtime.options.device}
        | ({"reason": reason} if reason else {}),
        "adapters": [report.device_row(info) for info in devices.adapters()],
        "calibration": calibration(runtime),
    }


def survey_machine(settings: Settings) -> Row:
    """What ``fuselab device`` prints: the survey of a freshly opened device, and all settings."""
    runtime = devices.runtime(settings)
    try:
        runtime.open()
        return survey(runtime) | {"settings": settings.rows()}
    finally:
        runtime.close()


def calibration(runtime: Runtime) -> Row:
    """The speeds the cost model uses, by name; ``assumed`` names those that nobody has measured."""
    known, usual = devices.speeds(runtime)
    return known | {"assumed": [name for name, value in known.items() if value == usual[name]]}
