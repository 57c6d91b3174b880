"""Compiled kernels, their cache counters, and how near each came to the device's limits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QWidget

from app import paths
from app.ui.panels.histogram import TimesHistogram
from app.ui.panels.panel import Panel
from app.ui.panels.roofline import Roofline
from app.ui.run_model import reason_texts
from app.ui.run_model.roofline_model import EXCEEDED, TOLERANCE, roofs_of, spots_of
from app.ui.run_model.row_model import Column, RowModel
from app.ui.support import formats
from app.ui.widgets.panel_parts import IconButton, bar, beside, column, label
from app.ui.widgets.row_table import RowTable, value_of

Row = dict[str, Any]


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
    remark = f"\n{EXCEEDED}" if _above(kernel) else ""
    return f"{share} of what streaming reaches on this device.{remark}" if peak else ""


def _above(kernel: Row) -> bool:
    peak = kernel.get("peak") or 0.0
    return 0.0 < peak * TOLERANCE < _bandwidth_value(kernel)


KERNEL_COLUMNS = (
    Column[Row]("Kernel", lambda k: str(k["label"]), width=0, code=True, tip=lambda k: k["key"]),
    Column[Row]("Kind", lambda k: str(k.get("kind") or formats.DASH), tint="muted", width=104),
    Column[Row](
        "Hits", lambda k: formats.count(k.get("hits")), value_of("hits"), numeric=True, width=60
    ),
    Column[Row](
        "Misses",
        lambda k: formats.count(k.get("misses")),
        value_of("misses"),
        numeric=True,
        width=64,
    ),
    Column[Row](
        "Compile",
        lambda k: formats.milliseconds(k.get("compile_ms")) if k.get("misses") else "cached",
        value_of("compile_ms"),
        numeric=True,
        width=84,
        tip=lambda k: "" if k.get("misses") else "Compiled before this run, and kept.",
    ),
    Column[Row](
        "Device time",
        lambda k: formats.milliseconds(k.get("device_ms")),
        value_of("device_ms"),
        numeric=True,
        width=92,
        tip=lambda k: (
            "" if k.get("device_ms") is not None else "This adapter has no timestamp queries."
        ),
    ),
    Column[Row](
        "Bytes",
        lambda k: formats.bytes_text(k.get("bytes") or None),
        value_of("bytes"),
        numeric=True,
        width=80,
        tip=lambda k: "What its groups read and wrote in all their runs.",
    ),
    Column[Row](
        "Bandwidth",
        lambda k: f"{_bandwidth(k)} (!)" if _above(k) else _bandwidth(k),
        _bandwidth_value,
        numeric=True,
        width=104,
        tip=_bandwidth_tip,
        tint=lambda k: "warning" if _above(k) else "text",
    ),
    Column[Row](
        "Workgroup",
        lambda k: formats.workgroup_text(k.get("workgroup", ())),
        tint="muted",
        numeric=True,
        width=88,
    ),
)


def with_traffic(
    kernels: Iterable[Row], groups: Iterable[Row], calibration: Mapping[str, float]
) -> list[Row]:
    """Kernels with the bytes of the groups that ran them, and the device's streaming speed."""
    moved: dict[Any, float] = {}
    kinds: dict[Any, str] = {}
    for group in groups:
        kinds.setdefault(group.get("kernel"), str(group["kind"]))
        runs = group.get("executions") or 1
        key = group.get("kernel")
        moved[key] = moved.get(key, 0.0) + float(group.get("bytes") or 0) * runs
    peak = (calibration.get("device bandwidth") or 0.0) * 1000
    return [
        {
            **kernel,
            "bytes": moved.get(kernel["key"], 0.0),
            "peak": peak,
            "kind": kinds.get(kernel["key"], ""),
        }
        for kernel in kernels
    ]


def stored_kernels() -> list[Path]:
    """The files of kernels kept for the next start."""
    folder = paths.cache_dir() / "kernels"
    return [file for file in folder.rglob("*") if file.is_file()] if folder.is_dir() else []


class KernelsPanel(Panel):
    """Compiled kernels with their cache counters."""

    empty_icon = "kernel"
    empty_title = "No kernels compiled yet"
    empty_text = "Run a script with F5: kernels appear here when it uses the GPU."

    def _build(self) -> QWidget:
        self.model = RowModel(KERNEL_COLUMNS, lambda k: k["key"])
        self.table = RowTable(self.model, "Kernels")
        self.summary = label("", "muted")
        self.roofline = Roofline()
        self.roofline.chosen.connect(self.table.select)
        self.table.selectionModel().currentRowChanged.connect(self._mark)
        self.histogram = TimesHistogram()
        self.stored = label("", "faint")
        clear = IconButton("trash", "Delete the kernels kept on disk", self.clear_stored)
        top = bar(self.summary, None, self.stored, clear)
        return column(top, beside(self.table, self.histogram, self.roofline))

    def _mark(self) -> None:
        kernel = self.table.selected()
        self.roofline.mark(kernel["key"] if kernel else "")
        self.histogram.show_times(self._times(kernel["key"]) if kernel else ())

    def _times(self, key: str) -> list[float]:
        """Milliseconds of each submission that began with a kernel, as the timeline knows them."""
        ids = {g["id"] for g in self.run_model.groups.values() if g.get("kernel") == key}
        return [
            duration / 1000
            for track, _name, _start, duration, args in self.run_model.spans
            if track == "Device" and args.get("flow") in ids
        ]

    def _show_stored(self) -> None:
        files = stored_kernels()
        size = formats.bytes_text(sum(file.stat().st_size for file in files))
        self.stored.setText(f"{formats.count(len(files))} on disk, {size}")

    def clear_stored(self) -> None:
        """Delete what was kept for the next start; the kernels in use stay."""
        files = stored_kernels()
        for file in files:
            file.unlink(missing_ok=True)
        self._show_stored()
        self.context.notify(f"{len(files)} kernels deleted; they are compiled anew when needed")

    def _is_empty(self) -> bool:
        return not self.run_model.kernels

    def _why_empty(self) -> str:
        why = reason_texts.idle_device(self.run_model.groups.values())
        return f"The last run used no GPU kernel. {why}" if why else self.empty_text

    def _refresh(self) -> None:
        run_model = self.run_model
        self._show_stored()
        self.model.set_rows(
            with_traffic(
                run_model.kernels.values(), run_model.groups.values(), run_model.calibration
            )
        )
        if self.table.selected() is None and self.model.rows:
            self.table.select(max(self.model.rows, key=value_of("device_ms"))["key"])
        self._mark()
        spots = spots_of(run_model.kernels.values(), run_model.groups.values())
        double = any("f64" in str(k["label"]) for k in run_model.kernels.values())
        self.roofline.show_spots(roofs_of(run_model.calibration, double), spots)
        c = self.run_model.counters
        hits, misses = c.get("pipeline_hits", 0), c.get("pipeline_misses", 0)
        self.summary.setText(
            f"Pipeline cache: {formats.plural(hits, 'hit')}, "
            f"{formats.plural(misses, 'miss', 'misses')}  ·  "
            f"{formats.count(c.get('kernels_compiled', 0))} compiled in "
            f"{formats.milliseconds(c.get('compile_ms', 0))}  ·  "
            f"{formats.plural(c.get('dispatches', 0), 'dispatch', 'dispatches')} in "
            f"{formats.plural(c.get('submits', 0), 'submit')}"
        )
