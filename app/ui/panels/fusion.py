"""The Fusion panel: groups, their operations, and their WGSL source, in step with the editor."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import (
    QApplication,
    QScrollArea,
    QWidget,
)

from app.engine.run_rows import GroupRow
from app.ui.editor import run_annotations
from app.ui.editor.run_annotations import GroupFocus
from app.ui.panels.kernel_view import KernelView
from app.ui.panels.op_graph import OpGraph
from app.ui.panels.panel import Panel
from app.ui.run_model import reason_texts
from app.ui.run_model.fusion_graph import dot_text
from app.ui.run_model.line_parts import Part, ops_at, parts_of
from app.ui.run_model.op_chains import chain_text
from app.ui.run_model.row_model import Column, RowModel
from app.ui.support import dialog_folder, formats
from app.ui.widgets.folded_label import FoldedLabel, ListAndWords
from app.ui.widgets.panel_parts import ElidedLabel, IconButton, bar, column
from app.ui.widgets.row_table import RowTable, order
from app.ui.widgets.turning_splitter import TurningSplitter


def _side_tint(group: GroupRow) -> str:
    return run_annotations.side_of(group)


def _measured_text(group: GroupRow) -> str:
    """The time of one run, as the estimates are, and how many there were."""
    runs = max(group.executions, 1)
    if group.measured_ms is None:
        return formats.DASH
    each = formats.milliseconds(group.measured_ms / runs)
    return f"{each} ×{runs}" if runs > 1 else each


LEAST_KIND = 84
"""The width that is left to the kinds of groups in a narrow table."""
MEASURED, DEVICE_ESTIMATE, HOST_ESTIMATE = 4, 5, 6
WIDEST_MEASURED = 150
OPTIONAL = (DEVICE_ESTIMATE, HOST_ESTIMATE)
"""What a narrow table leaves to the words below it."""

COLUMNS = (
    Column[GroupRow](
        "Group", run_annotations.label, key=lambda g: g.id, width=50, code=True, tint=_side_tint
    ),
    Column[GroupRow](
        "Kind",
        lambda g: g.kind,
        width=0,
        tip=lambda g: f"{reason_texts.KINDS.get(g.kind, '')}: {chain_text(g.ops)}",
    ),
    Column[GroupRow](
        "Where",
        lambda g: "□ host" if g.provider == "host" else "■ GPU",
        width=62,
        tint=_side_tint,
    ),
    Column[GroupRow](
        "Lines",
        lambda g: formats.lines_short(g.lines, 8),
        numeric=True,
        width=66,
        key=lambda g: min(g.lines or [0]),
        tip=lambda g: formats.lines_text(g.lines),
    ),
    Column[GroupRow](
        "Measured",
        _measured_text,
        lambda g: order(g.measured_ms),
        numeric=True,
        width=82,
        tip=reason_texts.measured_time,
    ),
    Column[GroupRow](
        "GPU est.",
        lambda g: formats.milliseconds(g.device_estimate_ms),
        lambda g: order(g.device_estimate_ms),
        numeric=True,
        tint="muted",
        width=70,
    ),
    Column[GroupRow](
        "Host est.",
        lambda g: formats.milliseconds(g.host_estimate_ms),
        lambda g: order(g.host_estimate_ms),
        numeric=True,
        tint="muted",
        width=68,
    ),
)


class FusionPanel(Panel):
    """Groups on the left, the chosen one as a graph in the middle, its kernel on the right.

    What is chosen in one of them is shown in all, and in the editor.
    """

    empty_icon = "fusion"
    empty_title = "No fusion groups yet"
    empty_text = "Run a script with F5 to see which lines became one kernel, and why."
    of_runs = True
    group_selected = Signal(object)

    def _build(self) -> QWidget:
        self._shown_by_itself: int | None = None
        self._shown: int | None = None
        self._ops: tuple[int, ...] = ()
        self._lines: list[int] = []
        self._parts: list[Part] = []
        self._groups: dict[int, GroupRow] = {}
        self.model = RowModel(COLUMNS, lambda g: g.id)
        self.table = RowTable(self.model, "Fusion groups", LEAST_KIND, OPTIONAL)
        self.graph = OpGraph()
        self.kernel = KernelView()
        self._decision = FoldedLabel("muted")
        self._graph_title = ElidedLabel("caption")
        self.table.selectionModel().currentRowChanged.connect(self._show_selected)
        self.table.doubleClicked.connect(self._go_to_line)
        self.table.clicked.connect(self._on_clicked)
        self.graph.chosen.connect(self.choose)
        self.graph.group_wanted.connect(self._on_wanted)
        self.graph.line_wanted.connect(self._go_to)
        self.kernel.chosen.connect(self.choose)
        return self._arrange()

    def _arrange(self) -> QWidget:
        self._picture = QScrollArea()
        self._picture.setFrameShape(QScrollArea.Shape.NoFrame)
        self._picture.setWidgetResizable(True)
        self._picture.setWidget(self.graph)
        export = IconButton("save", "Save the picture (SVG) or the graph (DOT)", self._export)
        middle = column(bar(self._graph_title, export), self._picture)
        left = ListAndWords(self.table, self._decision)
        for widget in (left, middle, self.kernel):
            widget.setMinimumWidth(120)
        return TurningSplitter((left, 528, 5), (middle, 306, 4), (self.kernel, 296, 5))

    def _is_empty(self) -> bool:
        return not self.run_model.groups

    def _why_empty(self) -> str:
        ran = self.run_model.wall_ms is not None
        return reason_texts.NOTHING_FUSED if ran else self.empty_text

    def _refresh(self) -> None:
        self._groups = dict(self.run_model.groups)
        self.model.set_rows(list(self._groups.values()))
        self.table.fit(MEASURED, WIDEST_MEASURED)
        chosen = self.table.selected()
        if self.model.rows and (chosen is None or chosen.id == self._shown_by_itself):
            self._shown_by_itself = _most_telling(self.model.rows).id
            self.table.select(self._shown_by_itself)
        self._show_selected()

    def _on_clicked(self) -> None:
        """What a person chose stays chosen."""
        self._shown_by_itself = None

    def _on_wanted(self, number: int) -> None:
        self._shown_by_itself = None
        self.table.select(number)

    def select_part(self, part: Part) -> None:
        """Show the group that holds a part of the script, and what of it computes that part."""
        chosen = self.table.selected()
        if chosen is None or part.line not in chosen.lines:
            chosen = next((g for g in self.model.rows if part.line in g.lines), None)
            if chosen is None:
                return
            self.table.select(chosen.id)
        exactly, rows = ops_at(chosen, part), chosen.operations
        self._light_up(exactly or tuple(row.id for row in rows if row.line == part.line), [])
        self._parts = parts_of(chosen, exactly)
        self._tint_lines(chosen)

    def choose(self, ops: Collection[int]) -> None:
        """Light operations up in the graph, in the kernel and in the editor."""
        group = self.table.selected()
        if group is None:
            return
        rows = [row for row in group.operations if row.id in ops]
        self._light_up(tuple(ops), sorted({row.line for row in rows if row.line}))
        self._parts = parts_of(group, ops)
        self._tint_lines(group)

    def _light_up(self, ops: tuple[int, ...], lines: list[int]) -> None:
        """Mark operations in graph and kernel; `lines` are those to be tinted in the editor."""
        self._ops, self._lines, self._parts = ops, lines, []
        self.graph.mark(ops)
        self.kernel.mark(ops)
        if ops:
            middle = self.graph.area_of(ops[0]).center()
            self._picture.ensureVisible(int(middle.x()), int(middle.y()))

    def _tint_lines(self, group: GroupRow) -> None:
        """Tint the chosen lines in the editor: those of the operations, or of the group."""
        if self.isVisible():
            lines, side = tuple(self._lines) or group.lines, run_annotations.side_of(group)
            self.group_selected.emit(GroupFocus(group.file, lines, side, tuple(self._parts)))

    def _show_selected(self) -> None:
        group = self.table.selected()
        if group is None:
            return
        stop = reason_texts.stops(group, self.run_model.boundaries)
        self._decision.setText(f"{reason_texts.decision(group)}\n{stop}".rstrip())
        kind = reason_texts.KINDS.get(group.kind, group.kind)
        self._graph_title.setText(f"{run_annotations.label(group)} · {kind}")
        before = self.graph.frame_of(group.id)
        self.graph.show_group(self._groups, group.id)
        self.kernel.show_kernel(group, self.run_model.kernel_of(group))
        if group.id != self._shown:
            self._shown = group.id
            self._light_up((), [])
        if self.graph.frame_of(group.id) != before:
            self._show_frame(group)
        self._tint_lines(group)

    def _show_frame(self, group: GroupRow) -> None:
        """Scroll the graph so that the group is in the middle."""
        frame = self.graph.frame_of(group.id)
        across, down = self._picture.horizontalScrollBar(), self._picture.verticalScrollBar()
        QApplication.sendPostedEvents(self._picture)
        room = self._picture.viewport().width()
        fits = frame.width() <= room
        across.setValue(int(frame.center().x()) - room // 2 if fits else int(frame.left()) - 8)
        down.setValue(int(frame.top()) - 8)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks at a group any more."""
        super().hideEvent(event)
        self.group_selected.emit(None)

    def _go_to_line(self) -> None:
        group = self.table.selected()
        if group is not None and group.lines:
            self._go_to(min(group.lines))

    def _go_to(self, line: int) -> None:
        group = self.table.selected()
        file = group.file if group is not None else ""
        self.context.open_location(file or self.run_model.run_name, line)

    def _export(self) -> None:
        group = self.table.selected()
        if group is None:
            return
        kinds = "Picture (*.svg);;Graph (*.dot)"
        start = dialog_folder.dialog_start(f"{run_annotations.label(group)}.svg")
        target = dialog_folder.ask_where(self, "Save group", start, kinds)
        if target is not None:
            self.export(group, target)

    def export(self, group: GroupRow, path: Path) -> None:
        """Save a group as a picture or as a graph in DOT."""
        if path.suffix == ".dot":
            path.write_text(dot_text(group), encoding="utf-8")
        else:
            self.graph.save_svg(path)
        self.context.notify(f"Saved {path.name}")


def _most_telling(groups: list[GroupRow]) -> GroupRow:
    """The group to show first: the fused group that took longest, on the device if there is one."""
    return max(
        groups,
        key=lambda g: (g.provider != "host", len(g.ops) > 1, g.measured_ms or 0.0),
    )
