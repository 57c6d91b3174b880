"""What a run did, as rows that cross to the window and that reports are written from.

Frozen snapshots: the recorder of `accel.support.telemetry` goes on counting in rows of its own.
Names are those of the ``--report`` file, except that its ``class`` is ``class_name`` here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field, fields, replace
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar, cast

from app.accel.support.telemetry import ArrayRow, OperationRow, TransferRow
from app.records import record

if TYPE_CHECKING:
    from app.accel.backends.base import DeviceInfo
    from app.accel.support import telemetry

__all__ = [
    "NO_DEVICE",
    "ArrayRow",
    "BoundaryRow",
    "Calibration",
    "DeviceRow",
    "GroupRow",
    "KernelRow",
    "LineRow",
    "OperationRow",
    "ResidencyRow",
    "RunRows",
    "TransferRow",
    "all_rows",
    "counters_of",
    "device_row",
    "rows_of",
]

R = TypeVar("R")


@record
class GroupRow:
    """One fusion group as planned, with what its executions measured; see `telemetry.GroupRow`."""

    id: int
    kind: str
    provider: str
    reason: str
    ops: tuple[str, ...]
    lines: tuple[int, ...]
    inputs: tuple[ArrayRow, ...] = ()
    outputs: tuple[ArrayRow, ...] = ()
    host_estimate_ms: float | None = None
    device_estimate_ms: float | None = None
    bytes: int = 0
    kernel: str | None = None
    file: str = ""
    detail: str = ""
    executions: int = 0
    dispatches: int = 0
    measured_ms: float | None = None
    native_runs: int = 0
    native_detail: str = ""
    operations: tuple[OperationRow, ...] = ()
    stored: tuple[int | None, ...] = ()
    units: int = 0
    work_inflation: float = 1.0
    sources: tuple[int, ...] | None = None


@record
class BoundaryRow:
    """Where fusion or laziness stopped, and why."""

    line: int
    reason: str
    detail: str = ""
    file: str = ""


@record
class KernelRow:
    """One compiled kernel."""

    key: str
    label: str
    source: str
    workgroup: tuple[int, ...]
    compile_ms: float
    hits: int = 0
    misses: int = 0
    device_ms: float | None = None


@record
class LineRow:
    """What one source line cost; see `telemetry.LineRow`."""

    file: str
    line: int
    count: int = 0
    host_ms: float = 0.0
    device_ms: float = 0.0
    upload_bytes: int = 0
    download_bytes: int = 0
    waited_ms: float = 0.0


@record
class ResidencyRow:
    """Where a value is.

    Attributes:
        name: the variable; ``#1`` and so on for what no variable has.
        owner: ``variable``, ``figure`` or ``value``.
        where: host, device, both or lazy.
        pins: who keeps it on the device.
        line: where it was computed; 0 when unknown.
        age_ms: how long ago it was made; None when unknown.
        idle_ms: how long ago a kernel or a download used it; None when nothing has.
        last_use: the line of that; 0 when unknown.
    """

    name: str
    class_name: str
    size: tuple[int, ...]
    bytes: int
    where: str
    pins: int = 0
    owner: str = "variable"
    line: int = 0
    age_ms: float | None = None
    idle_ms: float | None = None
    last_use: int = 0


@record
class DeviceRow:
    """An adapter, or the device in use.

    Attributes:
        provider: what computes there: ``wgpu``, or ``host`` where there is no device.
        chosen: the setting that led to it; empty for one of the adapters.
        reason: why there is no device; empty where there is one.
    """

    name: str = "host"
    vendor: str = ""
    backend: str = "none"
    type: str = "none"
    driver: str = ""
    f64: bool = True
    max_buffer_bytes: int = 0
    max_binding_bytes: int = 0
    features: tuple[str, ...] = ()
    provider: str = "host"
    chosen: str = ""
    reason: str = ""


NO_DEVICE = DeviceRow()


@record
class Calibration:
    """The speeds that the cost model uses, by side and name; ``assumed`` are those not measured."""

    speeds: dict[str, float] = field(default_factory=dict)
    assumed: tuple[str, ...] = ()


@record
class RunRows:
    """Rows of everything that a run did, or did since it was last told.

    Attributes:
        counters: totals by name; those that nobody measured are not there.
    """

    counters: dict[str, float] = field(default_factory=dict)
    groups: tuple[GroupRow, ...] = ()
    kernels: tuple[KernelRow, ...] = ()
    transfers: tuple[TransferRow, ...] = ()
    boundaries: tuple[BoundaryRow, ...] = ()
    residency: tuple[ResidencyRow, ...] = ()
    lines: tuple[LineRow, ...] = ()


def rows_of(kind: type[R], counted: Iterable[Any]) -> tuple[R, ...]:
    """Snapshots of the recorder's rows; reasons become their names."""
    fields_of = _fields_of(kind)  # type: ignore[arg-type]
    return tuple([kind(*fields_of(row)) for row in counted])


@cache
def _fields_of(kind: type[object]) -> Callable[[object], tuple[object, ...]]:
    """What reads a row's fields off a row of the recorder."""
    names = [f.name for f in fields(kind)]  # type: ignore[arg-type]
    return attrgetter(*["reason.value" if name == "reason" else name for name in names])


def device_row(info: DeviceInfo | None, chosen: str = "", reason: str = "") -> DeviceRow:
    """What is told about a device; about the host where there is none."""
    if info is None:
        return replace(NO_DEVICE, chosen=chosen, reason=reason)
    return DeviceRow(
        info.name,
        info.vendor,
        info.backend,
        info.type,
        info.driver,
        info.f64,
        info.max_buffer_bytes,
        info.max_binding_bytes,
        info.features,
        info.provider,
        chosen,
        reason,
    )


def counters_of(recorder: telemetry.Recorder) -> dict[str, float]:
    """The totals that somebody measured."""
    found = recorder.counters_json()
    if found["device_ms"] is None:
        del found["device_ms"]
    return cast("dict[str, float]", found)


def all_rows(recorder: telemetry.Recorder, residency: tuple[ResidencyRow, ...]) -> RunRows:
    """Everything that a recorder knows."""
    return RunRows(
        counters_of(recorder),
        rows_of(GroupRow, recorder.groups.values()),
        rows_of(KernelRow, recorder.kernels.values()),
        tuple(recorder.transfers),
        rows_of(BoundaryRow, recorder.boundaries.values()),
        residency,
        rows_of(LineRow, recorder.lines.values()),
    )
