"""Where each value lives, how long device memory was held, and what can be done about it."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any

from PySide6.QtWidgets import QSplitter, QWidget

from app.engine.protocol import VariableAction
from app.ui.panels.life_chart import LifeChart
from app.ui.panels.panel import Panel
from app.ui.panels.workspace import where_text
from app.ui.run_model import reason_texts
from app.ui.run_model.row_model import Column, RowModel
from app.ui.support import formats
from app.ui.widgets.meter import Meter
from app.ui.widgets.panel_parts import ElidedLabel, IconButton, bar, column
from app.ui.widgets.row_table import RowTable, value_of

Row = dict[str, Any]


def _last_use(row: Row) -> str:
    """``line 7 · 12.0 ms``; a dash for what nothing has used."""
    if row.get("idle_ms") is None:
        return formats.DASH
    line = f"line {row['last_use']} · " if row.get("last_use") else ""
    return f"{line}{formats.milliseconds(row['idle_ms'])}"


def _moved(row: Row) -> str:
    """``↓ 4 B · line 33``: what crossed the bus for a value last; a dash where nothing did."""
    moved = row.get("moved")
    if moved is None:
        return formats.DASH
    way = "↓" if moved["direction"] == "down" else "↑"
    line = f" · line {moved['line']}" if moved.get("line") else ""
    return f"{way} {formats.bytes_text(moved['bytes'])}{line}"


def _moved_tip(row: Row) -> str:
    moved = row.get("moved")
    return reason_texts.cause(str(moved.get("cause", ""))) if moved else ""


OWNERS = {
    "variable": "A variable.",
    "figure": "A figure draws from it; no variable has it any more.",
    "value": "No variable has it: a result on the way, or a part of a cell or a structure.",
}


def _owner(row: Row) -> str:
    return str(row.get("owner", "variable"))


def _name(row: Row) -> str:
    """The variable, or what else holds the value."""
    return str(row["name"]) if _owner(row) == "variable" else f"({_owner(row)})"


RESIDENCY_COLUMNS = (
    Column[Row]("Value", _name, width=96, code=True, tip=lambda r: OWNERS[_owner(r)]),
    Column[Row](
        "Where",
        lambda r: where_text(r["where"]),
        width=70,
        tint=lambda r: str(r["where"]),
        tip=lambda r: formats.WHERE_SENTENCES.get(r["where"], ""),
    ),
    Column[Row]("Class", lambda r: str(r["class"]), tint="muted", width=60),
    Column[Row]("Size", lambda r: formats.size_text(r["size"]), numeric=True, width=96),
    Column[Row](
        "Bytes", lambda r: formats.bytes_text(r["bytes"]), value_of("bytes"), numeric=True, width=70
    ),
    Column[Row](
        "Line",
        lambda r: str(r.get("line") or formats.DASH),
        value_of("line"),
        numeric=True,
        width=42,
        tip=lambda r: "Where the value was computed.",
    ),
    Column[Row](
        "Age",
        lambda r: formats.milliseconds(r.get("age_ms")),
        value_of("age_ms"),
        numeric=True,
        width=74,
        tip=lambda r: "How long ago the value was made.",
    ),
    Column[Row](
        "Last use",
        _last_use,
        value_of("idle_ms"),
        numeric=True,
        width=124,
        tip=lambda r: "How long ago a kernel or a download used it, and for which line.",
    ),
    Column[Row]("Last transfer", _moved, width=0, tint="muted", tip=_moved_tip),
    Column[Row](
        "Pins",
        lambda r: str(r.get("pins") or formats.DASH),
        value_of("pins"),
        numeric=True,
        width=40,
        tip=lambda r: "Who keeps it on the GPU: figures, and you.",
    ),
)


class ResidencyPanel(Panel):
    """Where each value lives, and what can be done about it."""

    empty_icon = "layers"
    empty_title = "No arrays on the GPU"
    empty_text = "Run a script with F5: its large arrays appear here with the place of their data."

    def _build(self) -> QWidget:
        self.model = RowModel(RESIDENCY_COLUMNS, lambda r: r["name"])
        self.table = RowTable(self.model, "Residency")
        self.table.doubleClicked.connect(self._on_double_click)
        self.summary = ElidedLabel("muted")
        buttons = [
            IconButton(icon, tip, partial(self._act, action))
            for icon, tip, action in (
                ("transfers", "Gather: copy the value to main memory", "gather"),
                ("trash", "Evict: take the value off the GPU", "evict"),
                ("pin", "Pin: keep the value on the GPU; once more: let it go", "pin"),
            )
        ]
        self.pool = Meter("Device memory: live, kept free, budget")
        self.pool.setMaximumWidth(220)
        self.chart = LifeChart()
        self.chart.line_wanted.connect(self._go_to_line)
        self._pinned: set[str] = set()
        both = QSplitter()
        both.setHandleWidth(1)
        for widget, stretch in ((self.table, 3), (self.chart, 1)):
            both.addWidget(widget)
            both.setStretchFactor(both.count() - 1, stretch)
        both.setSizes([800, 320])
        return column(bar(self.summary, self.pool, *buttons), both)

    def _is_empty(self) -> bool:
        return not self.run_model.residency

    def _on_double_click(self) -> None:
        row = self.table.selected()
        if row is not None and row.get("line"):
            self._go_to_line(row["line"])

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
        variables = (r for r in self.run_model.residency.values() if _owner(r) == "variable")
        names = {row.get("line"): row["name"] for row in variables}
        self.chart.show_lifetimes(self.run_model.lifetimes, budget, names)

    def _refresh(self) -> None:
        self._show_memory()
        moved = {transfer.get("variable"): transfer for transfer in self.run_model.transfers}
        rows = [{**r, "moved": moved.get(r["name"])} for r in self.run_model.residency.values()]
        rows.sort(key=lambda r: (r["where"] not in {"device", "both"}, -r["bytes"]))
        self.model.set_rows(rows)
        total = sum(r["bytes"] for r in rows if r["where"] in ("device", "both"))
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

    def _act(self, action: str) -> None:
        row = self.table.selected()
        if row is None:
            self.context.notify("Select a value first")
            return
        if _owner(row) != "variable":
            self.context.notify(OWNERS[_owner(row)])
            return
        if action == "pin":
            self._pinned ^= {row["name"]}
            action = "pin" if row["name"] in self._pinned else "unpin"
        self.context.post(VariableAction(action, row["name"]))
