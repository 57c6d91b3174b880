"""Compiled kernels, their cache counters, and how near each came to the device's limits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QWidget

from app import paths
from app.engine.run_rows import GroupRow, KernelRow
from app.ui.panels.histogram import TimesHistogram
from app.ui.panels.panel import Panel
from app.ui.panels.roofline import Roofline
from app.ui.run_model import reason_texts
from app.ui.run_model.roofline_model import EXCEEDED, TOLERANCE, roofs_of, spots_of
from app.ui.run_model.row_model import Column, RowModel
from app.ui.support import formats
from app.ui.widgets.panel_parts import IconButton, bar, beside, column, label
from app.ui.widgets.row_table import RowTable, order


@dataclass(frozen=True)
class Traffic:
    """A kernel and what its groups moved.

    Attributes:
        bytes: what they read and wrote in all their runs.
        peak: bytes per second that streaming reaches on the device; 0 when not measured.
        kind: the kind of the first of them; empty for none.
    """

    kernel: KernelRow
    bytes: float
    peak: float
    kind: str


def _bandwidth_value(traffic: Traffic) -> float:
    """Bytes per second that the kernel moved; 0 when its time is not known."""
    spent = traffic.kernel.device_ms
    return traffic.bytes / spent * 1000 if spent else 0.0


def _bandwidth(traffic: Traffic) -> str:
    rate = _bandwidth_value(traffic)
    return f"{formats.bytes_text(rate)}/s" if rate else formats.DASH


def _bandwidth_tip(traffic: Traffic) -> str:
    peak = traffic.peak
    share = formats.percent(_bandwidth_value(traffic), peak)
    remark = f"\n{EXCEEDED}" if _is_above_roof(traffic) else ""
    return f"{share} of what streaming reaches on this device.{remark}" if peak else ""


def _is_above_roof(traffic: Traffic) -> bool:
    return 0.0 < traffic.peak * TOLERANCE < _bandwidth_value(traffic)


def _device_ms(traffic: Traffic) -> float:
    return order(traffic.kernel.device_ms)


KERNEL_COLUMNS = (
    Column[Traffic](
        "Kernel", lambda t: t.kernel.label, width=0, code=True, tip=lambda t: t.kernel.key
    ),
    Column[Traffic]("Kind", lambda t: t.kind or formats.DASH, tint="muted", width=104),
    Column[Traffic](
        "Hits",
        lambda t: formats.count(t.kernel.hits),
        lambda t: t.kernel.hits,
        numeric=True,
        width=60,
    ),
    Column[Traffic](
        "Misses",
        lambda t: formats.count(t.kernel.misses),
        lambda t: t.kernel.misses,
        numeric=True,
        width=64,
    ),
    Column[Traffic](
        "Compile",
        lambda t: formats.milliseconds(t.kernel.compile_ms) if t.kernel.misses else "cached",
        lambda t: t.kernel.compile_ms,
        numeric=True,
        width=84,
        tip=lambda t: "" if t.kernel.misses else "Compiled before this run, and kept.",
    ),
    Column[Traffic](
        "Device time",
        lambda t: formats.milliseconds(t.kernel.device_ms),
        _device_ms,
        numeric=True,
        width=92,
        tip=lambda t: (
            "" if t.kernel.device_ms is not None else "This adapter has no timestamp queries."
        ),
    ),
    Column[Traffic](
        "Bytes",
        lambda t: formats.bytes_text(t.bytes or None),
        lambda t: t.bytes,
        numeric=True,
        width=80,
        tip=lambda _: "What its groups read and wrote in all their runs.",
    ),
    Column[Traffic](
        "Bandwidth",
        lambda t: f"{_bandwidth(t)} (!)" if _is_above_roof(t) else _bandwidth(t),
        _bandwidth_value,
        numeric=True,
        width=104,
        tip=_bandwidth_tip,
        tint=lambda t: "warning" if _is_above_roof(t) else "text",
    ),
    Column[Traffic](
        "Workgroup",
        lambda t: formats.workgroup_text(t.kernel.workgroup),
        tint="muted",
        numeric=True,
        width=88,
    ),
)


def with_traffic(
    kernels: Iterable[KernelRow], groups: Iterable[GroupRow], speeds: Mapping[str, float]
) -> list[Traffic]:
    """Kernels with the bytes of the groups that ran them, and the device's streaming speed."""
    moved: dict[str | None, float] = {}
    kinds: dict[str | None, str] = {}
    for group in groups:
        kinds.setdefault(group.kernel, group.kind)
        runs = max(group.executions, 1)
        key = group.kernel
        moved[key] = moved.get(key, 0.0) + float(group.bytes) * runs
    peak = speeds.get("device bandwidth", 0.0) * 1000
    return [
        Traffic(kernel, moved.get(kernel.key, 0.0), peak, kinds.get(kernel.key, ""))
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
    of_runs = True

    def _build(self) -> QWidget:
        self.model = RowModel(KERNEL_COLUMNS, lambda t: t.kernel.key)
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
        chosen = self.table.selected()
        self.roofline.mark(chosen.kernel.key if chosen else "")
        self.histogram.show_times(self._times(chosen.kernel.key) if chosen else ())

    def _times(self, key: str) -> list[float]:
        """Milliseconds of each submission that began with a kernel, as the timeline knows them."""
        ids = {g.id for g in self.run_model.groups.values() if g.kernel == key}
        return [
            duration / 1000
            for track, _name, _start, duration, args in self.run_model.spans
            if track.startswith("Device") and args.get("flow") in ids
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
        self.context.notify(f"{len(files)} kernels deleted; they are compiled again when needed")

    def _is_empty(self) -> bool:
        return not self.run_model.kernels

    def _why_empty(self) -> str:
        why = reason_texts.idle_device(self.run_model.groups.values())
        if not why and self.run_model.wall_ms is None:
            return self.empty_text
        return f"The last run used no GPU kernel. {why or reason_texts.NOTHING_FUSED}"

    def _refresh(self) -> None:
        run_model = self.run_model
        self._show_stored()
        self.model.set_rows(
            with_traffic(
                run_model.kernels.values(), run_model.groups.values(), run_model.calibration.speeds
            )
        )
        if self.table.selected() is None and self.model.rows:
            self.table.select(max(self.model.rows, key=_device_ms).kernel.key)
        self._mark()
        spots = spots_of(run_model.kernels.values(), run_model.groups.values())
        double = any("f64" in k.label for k in run_model.kernels.values())
        self.roofline.show_spots(roofs_of(run_model.calibration.speeds, double), spots)
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
