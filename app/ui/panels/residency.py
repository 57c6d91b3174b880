"""Where each value lives, how long device memory was held, and what can be done about it."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtWidgets import QWidget

from app.engine.protocol import VariableAction
from app.ui import formats
from app.ui.models.rows import Column, RowModel
from app.ui.panels.life_chart import LifeChart
from app.ui.panels.meter import Meter
from app.ui.panels.panel import IconButton, Panel, bar, beside, column, label
from app.ui.panels.tables import RowTable, value_of
from app.ui.panels.workspace import where_text

Row = dict[str, Any]


def _last_use(row: Row) -> str:
    """``line 7 · 12.0 ms``; a dash for what nothing has used."""
    if row.get("idle_ms") is None:
        return formats.DASH
    line = f"line {row['last_use']} · " if row.get("last_use") else ""
    return f"{line}{formats.milliseconds(row['idle_ms'])}"


RESIDENCY_COLUMNS = (
    Column[Row]("Value", lambda r: str(r["name"]), width=110, code=True),
    Column[Row]("Where", lambda r: where_text(r["where"]), width=84,
                tint=lambda r: str(r["where"]),
                tip=lambda r: formats.WHERE_SENTENCES.get(r["where"], "")),
    Column[Row]("Class", lambda r: str(r["class"]), tint="muted", width=76),
    Column[Row]("Size", lambda r: formats.size_text(r["size"]), numeric=True, width=110),
    Column[Row]("Bytes", lambda r: formats.bytes_text(r["bytes"]), value_of("bytes"), numeric=True,
                width=84),
    Column[Row]("Line", lambda r: str(r.get("line") or formats.DASH), value_of("line"),
                numeric=True, width=52, tip=lambda r: "Where the value was computed."),
    Column[Row]("Age", lambda r: formats.milliseconds(r.get("age_ms")), value_of("age_ms"),
                numeric=True, width=72, tip=lambda r: "How long ago the value was made."),
    Column[Row]("Last use", _last_use, value_of("idle_ms"), numeric=True, width=140,
                tip=lambda r: "How long ago a kernel or a download used it, and for which line."),
    Column[Row]("Pins", lambda r: str(r.get("pins") or formats.DASH), value_of("pins"),
                numeric=True, width=52),
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
        self.pool = Meter("Device memory: live, kept free, budget")
        self.pool.setMaximumWidth(220)
        self.chart = LifeChart()
        self.chart.line_wanted.connect(self._go_to_line)
        return column(bar(self.summary, None, self.pool, *buttons), beside(self.table, self.chart))

    def _is_empty(self) -> bool:
        return not self.account.residency

    def _go_to_line(self, line: int) -> None:
        self.context.open_location(self.account.run_name, line)

    def _show_memory(self) -> None:
        """The split of the pool, and the lives of the buffers."""
        memory = self.account.memory
        live, free, budget = (memory.get(name, 0) for name in ("live", "pool", "budget"))
        self.pool.setVisible(bool(memory))
        self.pool.show_parts((("live", live, "device"), ("kept free", free, "lazy")), budget)
        if budget:
            self.pool.setToolTip(f"{self.pool.text()}  ·  budget {formats.bytes_text(budget)}")
        self.chart.show_lifetimes(self.account.lifetimes, budget)

    def _refresh(self) -> None:
        self._show_memory()
        rows = list(self.account.residency.values())
        self.model.set_rows(rows)
        total = sum(r["bytes"] for r in rows if r["where"] in ("device", "both"))
        peak = self.account.counters.get("peak_device_bytes", 0)
        budget = self.account.memory.get("budget", 0)
        self.summary.setText(
            f"{formats.bytes_text(total)} on the GPU  ·  peak {formats.bytes_text(peak)}  ·  "
            f"{f'budget {formats.bytes_text(budget)}  ·  ' if budget else ''}"
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
