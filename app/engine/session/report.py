"""The account of a run: the ``--report`` file, its one-screen summary, and the rows of panels.

Everything is read off the recorder of the acceleration runtime; nothing is computed anew, so a
report says what happened, not what should have.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.accel.support.telemetry import COUNTER_NAMES
from app.errors import UsageError
from app.records import record

if TYPE_CHECKING:
    from app.accel.support.telemetry import Event, OperationRow
    from app.engine.run_rows import DeviceRow, GroupRow, RunRows
    from app.errors import MatlabError

SCHEMA = 1
Row = dict[str, Any]


@record
class Outcome:
    """How a run ended.

    Attributes:
        file: what was run.
        status: ok, error or interrupted.
        wall_ms: from the first statement to the end, without the time the debugger held it.
        startup_ms: from the start of the process to the first statement.
        error: the script's error, if it had one.
        column: column of the error, from 1; 0 when unknown.
    """

    file: str
    status: str
    wall_ms: float
    startup_ms: float
    error: MatlabError | None = None
    column: int = 0


@record
class Accounts:
    """Files that every run is accounted for in; empty names are not written.

    Attributes:
        report: the JSON report.
        trace: the Chrome trace.
    """

    report: str = ""
    trace: str = ""

    def write(self, made: RunReport, events: Iterable[Event]) -> None:
        """Write what was asked for."""
        try:
            if self.report:
                write(document(made), Path(self.report))
            if self.trace:
                from app.engine.session import perfetto_trace

                perfetto_trace.write(events, Path(self.trace))
        except OSError as problem:
            raise UsageError(f"cannot write the account of the run: {problem}") from None


NO_ACCOUNTS = Accounts()


@record
class RunReport:
    """What a run did, as typed rows; `document` is the same as in the file of ``--report``."""

    outcome: Outcome
    device: DeviceRow
    rows: RunRows


def document(report: RunReport) -> Row:
    """The report of a run, ready for JSON."""
    outcome, rows = report.outcome, report.rows
    return {
        "schema": SCHEMA,
        "file": outcome.file,
        "status": outcome.status,
        "error": error_row(outcome),
        "wall_ms": outcome.wall_ms,
        "startup_ms": outcome.startup_ms,
        "device": device_json(report.device),
        "counters": {name: rows.counters.get(name) for name in COUNTER_NAMES},
        "groups": [_group_row(group) for group in rows.groups],
        "boundaries": [_row_fields(row) for row in rows.boundaries],
        "kernels": [_row_fields(row) for row in rows.kernels],
        "transfers": [_row_fields(row) for row in rows.transfers],
        "residency": [_row_fields(row) for row in rows.residency],
        "lines": [_row_fields(row) for row in rows.lines],
    }


def error_row(outcome: Outcome) -> Row | None:
    """The report's ``error`` object."""
    error = outcome.error
    if error is None:
        return None
    top = error.stack[0] if error.stack else None
    return {
        "identifier": error.identifier,
        "message": error.message,
        "file": top.file if top else outcome.file,
        "line": top.line if top else 0,
        "column": outcome.column or (top.column if top else 0),
        "stack": [{"name": f.name, "file": f.file, "line": f.line} for f in error.stack],
    }


def device_json(device: DeviceRow) -> Row:
    """The report's ``device`` object; how it was chosen is told where it is known."""
    return {
        name: value
        for name, value in _row_fields(device).items()
        if value or name not in {"chosen", "reason"}
    }


def _row_fields(row: Any) -> Row:
    """The fields of a row by the names of the report; tuples as lists."""
    values = ((name, getattr(row, name)) for name in row.__dataclass_fields__)
    return {
        "class" if name == "class_name" else name: list(value) if type(value) is tuple else value
        for name, value in values
    }


def _group_row(group: GroupRow) -> Row:
    """A row of ``groups``; its inputs say which group made them, once it has run."""
    row = _row_fields(group)
    row["operations"] = [_operation_row(operation) for operation in group.operations]
    for side in ("inputs", "outputs"):
        row[side] = [_row_fields(array) for array in row[side]]
    for array, source in zip(row["inputs"], row.pop("sources") or (), strict=False):
        array["source"] = source
    return row


def _operation_row(operation: OperationRow) -> Row:
    row = _row_fields(operation)
    if operation.op != "carry":
        del row["back"]
    return row


def write(report: Mapping[str, Any], path: Path) -> None:
    """Write ``report`` as JSON; numbers that JSON has no word for become null.

    Halves of characters, as names of files have that are no UTF-8, are written as ``\\udcff``.
    """
    text = json.dumps(_json_value(report), indent=1, allow_nan=False, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8", errors="backslashreplace")


def _json_value(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(k): _json_value(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_json_value(v) for v in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, str | int):
        return value
    return _json_value(value.item()) if hasattr(value, "item") else str(value)


# --- the one-screen summary -----------------------------------------------------------------


def summary(report: Row) -> str:
    """Groups, kernels and transfers of a run on one screen."""
    device, counters = report["device"], report["counters"]
    lines = [
        f"{report['file']}: {report['status']} in {report['wall_ms']:.1f} ms",
        f"device   {device['name']} ({device['backend']}, {device['type']}), "
        f"double {'yes' if device['f64'] else 'no'}",
        f"captured {counters['captured_ops']} operations in {counters['groups']} groups, "
        f"{counters['dispatches']} dispatches, {counters['submits']} submits, "
        f"{counters['fallbacks']} fall-backs",
        *_section("groups", [_group_line(g) for g in report["groups"]]),
        *_section("kernels", [_kernel_line(k) for k in report["kernels"]]),
        *_section("transfers", [_transfer_line(t) for t in report["transfers"]]),
        *_why_idle(report),
    ]
    return "\n".join(lines) + "\n"


def _why_idle(report: Row) -> list[str]:
    """Why a device that is there did nothing, and how it is used all the same."""
    there = report["device"]["type"] != "none" and not report["counters"]["dispatches"]
    said = [group.get("detail") or group["reason"] for group in report["groups"]]
    if not there or not said:
        return []
    why = max(said, key=said.count)
    return [f"the device did nothing: {why}; --device gpu uses it all the same"]


def _section(title: str, lines: list[str], most: int = 10) -> list[str]:
    if not lines:
        return [f"{title}: none"]
    rest = [f"  … and {len(lines) - most} more"] if len(lines) > most else []
    return [f"{title}:", *(f"  {line}" for line in lines[:most]), *rest]


def _group_line(group: Row) -> str:
    ops = "·".join(group["ops"])
    where = "line " + ", ".join(map(str, group["lines"])) if group["lines"] else ""
    return (
        f"{group['kind']:<12} {group['provider']:<5} {group['reason']:<18} "
        f"{milliseconds(group['measured_ms']):>10}  {where:<12} {ops[:48]}"
    )


def _kernel_line(kernel: Row) -> str:
    return (
        f"{kernel['label'][:44]:<44} compile {milliseconds(kernel['compile_ms']):>10}  "
        f"hits {kernel['hits']}, misses {kernel['misses']}"
    )


def _transfer_line(transfer: Row) -> str:
    return (
        f"{transfer['direction']:<5} {size(transfer['bytes']):>10} "
        f"{milliseconds(transfer['ms']):>10}  line {transfer['line']:<5} "
        f"{transfer['cause']} {transfer['variable']}"
    ).rstrip()


def milliseconds(value: float | None) -> str:
    """A duration for people; a dash when it was not measured."""
    if value is None:
        return "–"
    return f"{value:.3f} ms" if value < 10 else f"{value:,.1f} ms"


def size(n_bytes: float) -> str:
    """A number of bytes for people."""
    for unit in ("B", "KiB", "MiB"):
        if n_bytes < 1024:
            return f"{n_bytes:.0f} {unit}" if unit == "B" else f"{n_bytes:.1f} {unit}"
        n_bytes /= 1024
    return f"{n_bytes:.2f} GiB"
