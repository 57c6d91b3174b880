"""The Fusion panel: groups, their operations, and their WGSL source, in step with the editor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app.ui import formats
from app.ui.editor import verdicts
from app.ui.editor.surface import WGSL, Surface, read_only
from app.ui.models.rows import Column, RowModel
from app.ui.panels import wording
from app.ui.panels.op_graph import OpGraph, chain_text, dot_text
from app.ui.panels.panel import ElidedLabel, IconButton, Panel, bar, column, label, padded
from app.ui.panels.tables import RowTable

Row = dict[str, Any]


def _side_tint(group: Row) -> str:
    return verdicts.side_of(group)


def _milliseconds(key: str) -> Any:
    return lambda group: formats.milliseconds(group.get(key))


def _order(key: str) -> Any:
    return lambda group: -1.0 if group.get(key) is None else group[key]


COLUMNS = (
    Column[Row]("Group", verdicts.label, key=lambda g: g["id"], width=52, code=True,
                tint=_side_tint),
    Column[Row]("Kind", lambda g: str(g["kind"]), width=84,
                tip=lambda g: wording.KINDS.get(g["kind"], "")),
    Column[Row]("Where", lambda g: "□ host" if g["provider"] == "host" else "■ GPU", width=64,
                tint=_side_tint),
    Column[Row]("Lines", lambda g: formats.lines_short(g["lines"]), numeric=True, width=0,
                key=lambda g: min(g["lines"] or [0]), tip=lambda g: formats.lines_text(g["lines"])),
    Column[Row]("Ops", lambda g: str(len(g["ops"])), key=lambda g: len(g["ops"]), numeric=True,
                width=42, tip=lambda g: chain_text(g["ops"])),
    Column[Row]("Measured", _milliseconds("measured_ms"), _order("measured_ms"), numeric=True,
                width=74),
    Column[Row]("GPU est.", _milliseconds("device_estimate_ms"), _order("device_estimate_ms"),
                numeric=True, tint="muted", width=72),
    Column[Row]("Host est.", _milliseconds("host_estimate_ms"), _order("host_estimate_ms"),
                numeric=True, tint="muted", width=68),
)  # fmt: skip


class FusionPanel(Panel):
    """Groups on the left, the chosen one as a picture in the middle, its kernel on the right."""

    empty_icon = "fusion"
    empty_title = "No fusion groups yet"
    empty_text = "Run a script with F5 to see which lines became one kernel, and why."
    group_selected = Signal(object)

    def _build(self) -> QWidget:
        self._shown_by_itself: int | None = None
        self.model = RowModel(COLUMNS, lambda g: g["id"])
        self.table = RowTable(self.model, "Fusion groups")
        self.graph = OpGraph()
        self._decision = label("", "muted")
        self._decision.setWordWrap(True)
        self._decision.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._graph_title = label("Operations", "caption")
        self.kernel = read_only(Surface(WGSL), "Kernel source")
        self.kernel.setMargins(1)
        self.kernel.setMarginTypeN(0, 1)
        self.kernel.setMarginWidthN(0, 30)
        self._kernel_title = ElidedLabel("caption")
        self._copy = IconButton("copy", "Copy the kernel's source", self._copy_kernel)
        self.table.selectionModel().currentRowChanged.connect(self._show_selected)
        self.table.doubleClicked.connect(self._go_to_line)
        self.table.clicked.connect(self._on_clicked)
        return self._arrange()

    def _arrange(self) -> QWidget:
        picture = QScrollArea()
        picture.setFrameShape(QScrollArea.Shape.NoFrame)
        picture.setWidgetResizable(True)
        picture.setWidget(self.graph)
        export = IconButton("save", "Save the picture (SVG) or the graph (DOT)", self._export)
        middle = column(bar(self._graph_title, None, export), picture)
        left = QWidget()
        below = QVBoxLayout(left)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(0)
        below.addWidget(self.table, 1)
        below.addWidget(padded(self._decision))
        right = column(bar(self._kernel_title, self._copy), self.kernel)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setHandleWidth(1)
        splitter.setChildrenCollapsible(False)
        for widget, stretch in ((left, 6), (middle, 3), (right, 5)):
            widget.setMinimumWidth(120)
            splitter.addWidget(widget)
            splitter.setStretchFactor(splitter.count() - 1, stretch)
        splitter.setSizes([640, 210, 310])
        return splitter

    def _is_empty(self) -> bool:
        return not self.account.groups

    def _refresh(self) -> None:
        self.model.set_rows(list(self.account.groups.values()))
        chosen = self.table.selected()
        if self.model.rows and (chosen is None or chosen["id"] == self._shown_by_itself):
            self._shown_by_itself = _most_telling(self.model.rows)["id"]
            self.table.select(self._shown_by_itself)
        self._show_selected()

    def _on_clicked(self) -> None:
        """What a person chose stays chosen."""
        self._shown_by_itself = None

    def select_line(self, line: int) -> None:
        """Show the group that holds a line of the script."""
        chosen = self.table.selected()
        if chosen is not None and line in chosen["lines"]:
            return
        for group in self.model.rows:
            if line in group["lines"]:
                self.table.select(group["id"])
                return

    def _show_selected(self) -> None:
        group = self.table.selected()
        if group is None:
            return
        kernel = self.account.kernel_of(group)
        stop = wording.stops(group, self.account.boundaries)
        self._decision.setText(f"{wording.decision(group)}\n{stop}".rstrip())
        kind = wording.KINDS.get(group["kind"], group["kind"])
        self._graph_title.setText(f"{verdicts.label(group)} · {kind}")
        self.graph.show_group(group)
        self._kernel_title.setText(_kernel_title(kernel))
        self._copy.setEnabled(kernel is not None)
        self._show_kernel(group, kernel)
        if self.isVisible():
            self.group_selected.emit(group)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks at a group any more."""
        super().hideEvent(event)
        self.group_selected.emit(None)

    def _show_kernel(self, group: Row, kernel: Row | None) -> None:
        if kernel is not None:
            text = kernel["source"]
        elif group.get("provider") == "host":
            text = "// Computed by the host: no kernel.\n"
        else:
            text = "// The source of this kernel has not arrived yet.\n"
        if self.kernel.text() != text:
            self.kernel.show_text(text)
            self.kernel.setFirstVisibleLine(main_line(text))

    def _go_to_line(self) -> None:
        group = self.table.selected()
        if group is not None and group["lines"]:
            self.context.open_location(
                group.get("file") or self.account.run_name, min(group["lines"])
            )

    def _export(self) -> None:
        group = self.table.selected()
        if group is None:
            return
        kinds = "Picture (*.svg);;Graph (*.dot)"
        name, _ = QFileDialog.getSaveFileName(
            self, "Save group", f"{verdicts.label(group)}.svg", kinds
        )
        if name:
            self.export(group, Path(name))

    def export(self, group: Row, path: Path) -> None:
        """Save a group as a picture or as a graph in DOT."""
        if path.suffix == ".dot":
            path.write_text(dot_text(group), encoding="utf-8")
        else:
            self.graph.save_svg(path)
        self.context.notify(f"Saved {path.name}")

    def _copy_kernel(self) -> None:
        QApplication.clipboard().setText(self.kernel.text())
        self.context.notify("Kernel source copied")


def _most_telling(groups: list[Row]) -> Row:
    """The group to show first: the fused group that took longest, on the device if there is one."""
    return max(
        groups,
        key=lambda g: (
            g.get("provider") != "host", len(g["ops"]) > 1, g.get("measured_ms") or 0.0
        ),
    )  # fmt: skip


def main_line(source: str) -> int:
    """The line (from 0) of a kernel's entry point, below the functions it brings along."""
    lines = source.split("\n")
    entry = next((n for n, line in enumerate(lines) if "@compute" in line), 0)
    return max(0, entry - 1)


def _kernel_title(kernel: Row | None) -> str:
    if kernel is None:
        return "Kernel"
    size = formats.workgroup_text(kernel.get("workgroup", ()))
    hits = kernel.get("hits", 0)
    return (
        f"{kernel['label']} · workgroup {size} · {hits} {'hit' if hits == 1 else 'hits'} · "
        f"compiled in {formats.milliseconds(kernel.get('compile_ms'))}"
    )
