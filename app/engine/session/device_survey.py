"""What ``fuselab device`` and the device panel tell about the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.accel.runtime import devices
from app.engine.run_rows import Calibration, DeviceRow, device_row
from app.engine.session.report import device_json
from app.records import record

if TYPE_CHECKING:
    from app.accel.runtime.runtime import Runtime
    from app.settings import Settings

Row = dict[str, Any]


@record
class Survey:
    """The device in use, all adapters, and the speeds that the cost model uses."""

    device: DeviceRow
    adapters: tuple[DeviceRow, ...]
    calibration: Calibration


def survey(runtime: Runtime) -> Survey:
    """What is known about the machine; why there is no device where there is none."""
    chosen, reason = runtime.options.device, devices.why_none(runtime) or ""
    device = device_row(runtime.device_info, chosen, reason)
    return Survey(device, tuple(map(device_row, devices.adapters())), calibration(runtime))


def survey_machine(settings: Settings) -> Row:
    """What ``fuselab device`` prints: the survey of a freshly opened device, and all settings."""
    runtime = devices.runtime(settings)
    try:
        devices.open_asked_for(runtime)
        runtime.open()
        found = survey(runtime)
        return {
            "device": device_json(found.device),
            "adapters": [device_json(adapter) for adapter in found.adapters],
            "calibration": found.calibration.speeds | {"assumed": list(found.calibration.assumed)},
            "settings": settings.rows(),
        }
    finally:
        runtime.close()


def calibration(runtime: Runtime) -> Calibration:
    """The speeds the cost model uses; assumed are those that are as usual."""
    known, usual = devices.speeds(runtime)
    return Calibration(known, tuple(name for name, n in known.items() if n == usual[name]))
