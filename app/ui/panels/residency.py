"""Where each value lives, how long device memory was held, and what can be done about it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial

from PySide6.QtWidgets import QWidget

from app.engine.protocol import VariableAction
from app.engine.run_rows import ResidencyRow, TransferRow
from app.ui.panels.life_chart import LifeChart
from app.ui.panels.panel import Panel
from app.ui.panels.workspace import where_text
from app.ui.run_model import reason_texts
from app.ui.run_model.row_model import Column, RowModel
from app.ui.support import formats
from app.ui.widgets.meter import Meter
from app.ui.widgets.panel_parts import ElidedLabel, IconButton, bar, column
from app.ui.widgets.row_table import RowTable, order
from app.ui.widgets.turning_splitter import TurningSplitter


@dataclass(frozen=True)
class Held:
    """A value, and what crossed the bus for it last."""

    value: ResidencyRow
    moved: TransferRow | None


def _last_use(row: ResidencyRow) -> str:
    """``line 7 · 12.0 ms``; a dash for what nothing has used."""
    if row.idle_ms is None:
        return formats.DASH
    line = f"line {row.last_use} · " if row.last_use else ""
    return f"{line}{formats.milliseconds(row.idle_ms)}"


def _moved_text(moved: TransferRow | None) -> str:
    """``↓ 4 B · line 33``: what crossed the bus for a value last; a dash where nothing did."""
    if moved is None:
        return formats.DASH
    way = "↓" if moved.direction == "down" else "↑"
    line = f" · line {moved.line}" if moved.line else ""
    return f"{way} {formats.bytes_text(moved.bytes)}{line}"


OWNERS = {
    "variable": "A variable.",
    "figure": "A figure draws from it; no variable holds it any more.",
    "value": "No variable holds it: an intermediate result, or part of a cell or structure.",
}


def _name(row: ResidencyRow) -> str:
    """The variable, or what else holds the value."""
    return row.name if row.owner == "variable" else f"({row.owner})"


RESIDENCY_COLUMNS = (
    Column[Held](
        "Value", lambda h: _name(h.value), width=96, code=True, tip=lambda h: OWNERS[h.value.owner]
    ),
    Column[Held](
        "Where",
        lambda h: where_text(h.value.where),
        width=70,
        tint=lambda h: h.value.where,
        tip=lambda h: formats.WHERE_SENTENCES.get(h.value.where, ""),
    ),
    Column[Held]("Class", lambda h: h.value.class_name, tint="muted", width=60),
    Column[Held]("Size", lambda h: formats.size_text(h.value.size), numeric=True, width=96),
    Column[Held](
        "Bytes",
        lambda h: formats.bytes_text(h.value.bytes),
        lambda h: h.value.bytes,
        numeric=True,
        width=70,
    ),
    Column[Held](
        "Line",
        lambda h: str(h.value.line or formats.DASH),
        lambda h: h.value.line,
        numeric=True,
        width=42,
        tip=lambda _: "Where the value was computed.",
    ),
    Column[Held](
        "Age",
        lambda h: formats.milliseconds(h.value.age_ms),
        lambda h: order(h.value.age_ms),
        numeric=True,
        width=74,
        tip=lambda _: "How long ago the value was made.",
    ),
    Column[Held](
        "Last use",
        lambda h: _last_use(h.value),
        lambda h: order(h.value.idle_ms),
        numeric=True,
        width=124,
        tip=lambda _: "How long ago a kernel or a download used it, and for which line.",
    ),
    Column[Held](
        "Last transfer",
        lambda h: _moved_text(h.moved),
        width=0,
        tint="muted",
        tip=lambda h: reason_texts.cause(h.moved.cause) if h.moved else "",
    ),
    Column[Held](
        "Pins",
        lambda h: str(h.value.pins or formats.DASH),
        lambda h: h.value.pins,
        numeric=True,
        width=40,
        tip=lambda _: "Who keeps it on the GPU: figures, and you.",
    ),
)


class ResidencyPanel(Panel):
    """Where each value lives, and what can be done about it."""

    empty_icon = "layers"
    empty_title = "No arrays on the GPU"
    empty_text = "Run a script with F5: its large arrays appear here with the place of their data."
    of_runs = True

    def _build(self) -> QWidget:
        self.model = RowModel(RESIDENCY_COLUMNS, lambda h: h.value.name)
        self.table = RowTable(self.model, "Residency")
        self.table.doubleClicked.connect(self._on_double_click)
        self.summary = ElidedLabel("muted")
        buttons = [
            IconButton(icon, tip, partial(self._act_on_selected, action))
            for icon, tip, action in (
                ("transfers", "Gather: copy the value to main memory", "gather"),
                ("trash", "Evict: remove the value from the GPU", "evict"),
                ("pin", "Pin: keep the value on the GPU; again: release it", "pin"),
            )
        ]
        self.pool = Meter("Device memory: live, kept free, budget")
        self.pool.setMaximumWidth(220)
        self.chart = LifeChart()
        self.chart.line_wanted.connect(self._go_to_line)
        self._pinned: set[str] = set()
        both = TurningSplitter((self.table, 800, 3), (self.chart, 320, 1))
        return column(bar(self.summary, self.pool, *buttons), both)

    def _is_empty(self) -> bool:
        return not self.run_model.residency

    def _on_double_click(self) -> None:
        held = self.table.selected()
        if held is not None and held.value.line:
            self._go_to_line(held.value.line)

    def _go_to_line(self, line: int) -> None:
        self.context.open_location(self.run_model.run_name, line)

    def _show_memory(self) -> None:
        """The split of the pool, and the lives of the buffers."""
        memory = self.run_model.memory
        live, free, budget = (memory.get(name, 0) for name in ("live", "pool", "budget"))
        self.pool.setVisible(bool(memory))
        self.pool.show_parts((("live", live, "device"), ("kept free", free, "lazy")), budget)
        if budget:
            self.pool.setToolTip(f"{self.pool.text()}  ·  budget {formats.bytes_text(budget)}")
        variables = (r for r in self.run_model.residency.values() if r.owner == "variable")
        names = {row.line: row.name for row in variables}
        self.chart.show_lifetimes(self.run_model.lifetimes, budget, names)

    def _refresh(self) -> None:
        self._show_memory()
        moved = {transfer.variable: transfer for transfer in self.run_model.transfers}
        values = self.run_model.residency.values()
        held = [Held(value, moved.get(value.name)) for value in values]
        held.sort(key=lambda h: (h.value.where not in {"device", "both"}, -h.value.bytes))
        self.model.set_rows(held)
        total = sum(value.bytes for value in values if value.where in ("device", "both"))
        peak = self.run_model.counters.get("peak_device_bytes", 0)
        kept, budget = (self.run_model.memory.get(name, 0) for name in ("pool", "budget"))
        parts = [
            f"{formats.bytes_text(total)} on the GPU",
            f"peak {formats.bytes_text(peak)}",
            f"{formats.bytes_text(kept)} kept free" if kept else "",
            f"budget {formats.bytes_text(budget)}" if budget else "",
            formats.plural(self.run_model.counters.get("evictions", 0), "eviction"),
        ]
        self.summary.setText("  ·  ".join(part for part in parts if part))

    def follow(self, name: str, _lines: Collection[int]) -> None:
        """Show where a variable is, and its bars."""
        self.table.select(name)
        self.chart.follow(name)

    def _act_on_selected(self, action: str) -> None:
        held = self.table.selected()
        if held is None:
            self.context.notify("Select a value first")
            return
        name, owner = held.value.name, held.value.owner
        if owner != "variable":
            self.context.notify(OWNERS[owner])
            return
        if action == "pin":
            self._pinned ^= {name}
            action = "pin" if name in self._pinned else "unpin"
        self.context.post(VariableAction(action, name))
