"""The tables of the GPU side: kernels, transfers, residency."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from PySide6.QtWidgets import QWidget

from app.engine.protocol import VariableAction
from app.ui import formats
from app.ui.models.rows import Column, RowModel
from app.ui.panels import wording
from app.ui.panels.panel import IconButton, Panel, bar, column, label
from app.ui.panels.tables import RowTable
from app.ui.panels.workspace import where_text

Row = dict[str, Any]
LEAST_RATED = 65_536


def _value(key: str) -> Any:
    return lambda row: row.get(key) if row.get(key) is not None else -1


def _bandwidth_value(kernel: Row) -> float:
    """Bytes per second that the kernel moved; 0 when its time is not known."""
    spent = kernel.get("device_ms")
    return float(kernel.get("bytes") or 0) / spent * 1000 if spent else 0.0


def _bandwidth(kernel: Row) -> str:
    rate = _bandwidth_value(kernel)
    return f"{formats.bytes_text(rate)}/s" if rate else formats.DASH


def _bandwidth_tip(kernel: Row) -> str:
    peak = kernel.get("peak") or 0.0
    share = formats.percent(_bandwidth_value(kernel), peak)
    return f"{share} of what streaming reaches on this device." if peak else ""


KERNEL_COLUMNS = (
    Column[Row]("Kernel", lambda k: str(k["label"]), width=0, code=True, tip=lambda k: k["key"]),
    Column[Row]("Hits", lambda k: formats.count(k.get("hits")), _value("hits"), numeric=True,
                width=60),
    Column[Row]("Misses", lambda k: formats.count(k.get("misses")), _value("misses"), numeric=True,
                width=64),
    Column[Row]("Compile", lambda k: formats.milliseconds(k.get("compile_ms")),
                _value("compile_ms"), numeric=True, width=84),
    Column[Row]("Device time", lambda k: formats.milliseconds(k.get("device_ms")),
                _value("device_ms"), numeric=True, width=92,
                tip=lambda k: "" if k.get("device_ms") is not None
                else "This adapter has no timestamp queries."),
    Column[Row]("Bytes", lambda k: formats.bytes_text(k.get("bytes") or None), _value("bytes"),
                numeric=True, width=80,
                tip=lambda k: "What its groups read and wrote in all their runs."),
    Column[Row]("Bandwidth", _bandwidth, _bandwidth_value, numeric=True, width=96,
                tip=_bandwidth_tip),
    Column[Row]("Workgroup", lambda k: formats.workgroup_text(k.get("workgroup", ())),
                tint="muted", numeric=True, width=88),
    Column[Row]("Lines of source", lambda k: formats.count(len(k.get("source", "").splitlines())),
                lambda k: len(k.get("source", "")), numeric=True, tint="muted", width=104),
)  # fmt: skip


def with_traffic(
    kernels: Iterable[Row], groups: Iterable[Row], calibration: Mapping[str, float]
) -> list[Row]:
    """Kernels with the bytes of the groups that ran them, and the device's streaming speed."""
    moved: dict[Any, float] = {}
    for group in groups:
        runs = group.get("executions") or 1
        key = group.get("kernel")
        moved[key] = moved.get(key, 0.0) + float(group.get("bytes") or 0) * runs
    peak = (calibration.get("device bandwidth") or 0.0) * 1000
    return [{**kernel, "bytes": moved.get(kernel["key"], 0.0), "peak": peak} for kernel in kernels]


class KernelsPanel(Panel):
    """Compiled kernels with their cache counters."""

    empty_icon = "kernel"
    empty_title = "No kernels compiled yet"
    empty_text = "Kernels appear here when a script runs on the GPU."

    def _build(self) -> QWidget:
        self.model = RowModel(KERNEL_COLUMNS, lambda k: k["key"])
        self.table = RowTable(self.model, "Kernels")
        self.summary = label("", "muted")
        return column(bar(self.summary, None), self.table)

    def _is_empty(self) -> bool:
        return not self.account.kernels

    def _refresh(self) -> None:
        account = self.account
        self.model.set_rows(
            with_traffic(account.kernels.values(), account.groups.values(), account.calibration)
        )
        c = self.account.counters
        hits, misses = c.get("pipeline_hits", 0), c.get("pipeline_misses", 0)
        self.summary.setText(
            f"Pipeline cache: {formats.count(hits)} hits, {formats.count(misses)} misses  ·  "
            f"{formats.count(c.get('kernels_compiled', 0))} compiled in "
            f"{formats.milliseconds(c.get('compile_ms', 0))}  ·  "
            f"{formats.count(c.get('dispatches', 0))} dispatches in "
            f"{formats.count(c.get('submits', 0))} submits"
        )


def _rate_value(transfer: Row) -> float:
    return float(transfer["bytes"]) / transfer["ms"] * 1000 if transfer.get("ms") else 0.0


def _rate(transfer: Row) -> str:
    """Bytes per second; of a few bytes it would only measure the waiting."""
    if not transfer.get("ms") or transfer["bytes"] < LEAST_RATED:
        return formats.DASH
    return f"{formats.bytes_text(_rate_value(transfer))}/s"


_UP: dict[str, str] = {"up": "↑ upload", "down": "↓ download"}

TRANSFER_COLUMNS = (
    Column[Row]("Direction", lambda t: _UP.get(t["direction"], ""), width=104,
                tint=lambda t: "transfer" if t["direction"] == "down" else "both"),
    Column[Row]("Bytes", lambda t: formats.bytes_text(t["bytes"]), _value("bytes"), numeric=True,
                width=84),
    Column[Row]("Time", lambda t: formats.milliseconds(t.get("ms")), _value("ms"), numeric=True,
                width=76),
    Column[Row]("Rate", _rate, _rate_value, numeric=True, tint="muted",
                width=84),
    Column[Row]("Line", lambda t: str(t.get("line") or formats.DASH), _value("line"), numeric=True,
                width=52),
    Column[Row]("Variable", lambda t: str(t.get("variable") or formats.DASH), width=92, code=True),
    Column[Row]("Cause", lambda t: wording.cause(str(t.get("cause", ""))), tint="muted",
                width=0, tip=lambda t: wording.cause(str(t.get("cause", "")))),
)  # fmt: skip


class TransfersPanel(Panel):
    """Everything that crossed the bus, and which line asked for it."""

    empty_icon = "transfers"
    empty_title = "Nothing crossed the bus"
    empty_text = "Uploads and downloads appear here with the line that caused them."

    def _build(self) -> QWidget:
        self.model = RowModel(TRANSFER_COLUMNS, lambda t: t["number"])
        self.table = RowTable(self.model, "Transfers")
        self.table.doubleClicked.connect(self._go_to_line)
        self.summary = label("", "muted")
        return column(bar(self.summary, None), self.table)

    def _is_empty(self) -> bool:
        return not self.account.transfers

    def _refresh(self) -> None:
        rows = [{**t, "number": n} for n, t in enumerate(self.account.transfers)]
        self.model.set_rows(rows)
        c = self.account.counters
        up, down, plots = (
            formats.bytes_text(c.get(f"{name}_bytes", 0))
            for name in ("upload", "download", "plot_download")
        )
        self.summary.setText(
            f"↑ {up} in {formats.count(c.get('uploads', 0))}  ·  "
            f"↓ {down} in {formats.count(c.get('downloads', 0))}  ·  for plots {plots}"
        )

    def follow(self, name: str) -> None:
        """Show the first transfer of a variable."""
        for row in self.model.rows:
            if row.get("variable") == name:
                self.table.select(row["number"])
                return

    def _go_to_line(self) -> None:
        transfer = self.table.selected()
        if transfer and transfer.get("line"):
            self.context.open_location(self.account.run_name, transfer["line"])


RESIDENCY_COLUMNS = (
    Column[Row]("Value", lambda r: str(r["name"]), width=110, code=True),
    Column[Row]("Where", lambda r: where_text(r["where"]), width=84,
                tint=lambda r: str(r["where"]),
                tip=lambda r: formats.WHERE_SENTENCES.get(r["where"], "")),
    Column[Row]("Class", lambda r: str(r["class"]), tint="muted", width=76),
    Column[Row]("Size", lambda r: formats.size_text(r["size"]), numeric=True, width=110),
    Column[Row]("Bytes", lambda r: formats.bytes_text(r["bytes"]), _value("bytes"), numeric=True,
                width=84),
    Column[Row]("Pins", lambda r: str(r.get("pins") or formats.DASH), _value("pins"), numeric=True,
                width=52),
    Column[Row]("What it means", lambda r: formats.WHERE_SENTENCES.get(r["where"], ""),
                tint="faint", width=0),
)  # fmt: skip


class ResidencyPanel(Panel):
    """Where each value lives, and what can be done about it."""

    empty_icon = "layers"
    empty_title = "No arrays on the GPU"
    empty_text = "Arrays above the capture threshold appear here with the place of their data."

    def _build(self) -> QWidget:
        self.model = RowModel(RESIDENCY_COLUMNS, lambda r: r["name"])
        self.table = RowTable(self.model, "Residency")
        self.summary = label("", "muted")
        buttons = [
            IconButton(icon, tip, partial(self._act, action))
            for icon, tip, action in (
                ("transfers", "Gather: copy the value to main memory", "gather"),
                ("trash", "Evict: take the value off the GPU", "evict"),
                ("pin", "Pin: keep the value on the GPU", "pin"),
            )
        ]
        return column(bar(self.summary, None, *buttons), self.table)

    def _is_empty(self) -> bool:
        return not self.account.residency

    def _refresh(self) -> None:
        rows = list(self.account.residency.values())
        self.model.set_rows(rows)
        total = sum(r["bytes"] for r in rows if r["where"] in ("device", "both"))
        peak = self.account.counters.get("peak_device_bytes", 0)
        self.summary.setText(
            f"{formats.bytes_text(total)} on the GPU  ·  peak {formats.bytes_text(peak)}  ·  "
            f"{formats.count(self.account.counters.get('evictions', 0))} evictions"
        )

    def follow(self, name: str) -> None:
        """Show where a variable is."""
        self.table.select(name)

    def _act(self, action: str) -> None:
        row = self.table.selected()
        if row is None:
            self.context.notify("Select a value first")
        else:
            self.context.post(VariableAction(action, row["name"]))
