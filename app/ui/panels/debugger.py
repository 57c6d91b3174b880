"""Panels of the debugger: call stack and breakpoints."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QScrollArea, QVBoxLayout, QWidget

from app.engine.protocol import DebugCommand
from app.engine.run_state import RunState
from app.ui.editor.area import EditorArea
from app.ui.editor.breakpoint_registry import BreakpointRegistry
from app.ui.editor.breakpoints import Stop, describe
from app.ui.editor.code_editor import CodeEditor
from app.ui.panels.panel import Context, Panel
from app.ui.run_model.row_model import Column, RowModel
from app.ui.widgets.panel_parts import column, label, padded_widget
from app.ui.widgets.row_table import RowTable


@dataclass(frozen=True)
class Frame:
    """One frame of the paused script."""

    number: int
    name: str
    file: str
    line: int


FRAME_COLUMNS = (
    Column[Frame]("Function", lambda f: f.name, width=0, code=True),
    Column[Frame]("Line", lambda f: str(f.line), numeric=True, width=44),
    Column[Frame](
        "File", lambda f: Path(f.file).name, tint="muted", width=96, tip=lambda f: f.file
    ),
)


NARROW = 64
"""What the names of functions and the code of lines keep in a slim column of panels."""
REASONS = {
    "breakpoint": "Paused at a breakpoint",
    "step": "Paused after a step",
    "keyboard": "Paused by keyboard",
    "pause": "Paused on request",
}


class StackPanel(Panel):
    """The call stack while a script is paused; a click shows the frame's variables."""

    empty_icon = "stack"
    empty_title = "Not paused"
    empty_text = "Click beside a line number to set a breakpoint, then press F5."

    def _build(self) -> QWidget:
        self.model = RowModel(FRAME_COLUMNS, lambda f: f.number)
        self.table = RowTable(self.model, "Call stack", NARROW)
        self.table.clicked.connect(self._choose)
        self.reason = label("", "pause")
        self.reason.setWordWrap(True)
        self.reason.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return column(padded_widget(self.reason), self.table)

    def _listen(self) -> None:
        self.run_model.state_changed.connect(self.invalidate)

    def _is_empty(self) -> bool:
        return self.run_model.state != RunState.PAUSED or not self.run_model.stack

    def _refresh(self) -> None:
        stack = self.run_model.stack
        self.model.set_rows([Frame(n, f[0], f[1], f[2]) for n, f in enumerate(stack)])
        self.table.select(self.run_model.frame)
        self.reason.setText(REASONS.get(self.run_model.detail, self.run_model.detail))

    def _choose(self) -> None:
        frame = self.table.selected()
        if frame is not None:
            self.run_model.frame = frame.number
            self.context.open_location(frame.file, frame.line)
            self.context.post(DebugCommand("frame", frame.number))


@dataclass(frozen=True)
class Row:
    """One breakpoint of one file; ``editor`` is None when the file is not open."""

    editor: CodeEditor | None
    file: str
    line: int
    stop: Stop
    text: str


BREAKPOINT_COLUMNS = (
    Column[Row](
        "Line",
        lambda b: str(b.line),
        lambda b: (b.file, b.line),
        numeric=True,
        width=44,
        tint=lambda b: "text" if b.stop.enabled else "faint",
    ),
    Column[Row](
        "Code",
        lambda b: describe(b.stop) or b.text,
        tint="muted",
        width=0,
        code=True,
        tip=lambda b: b.text,
    ),
    Column[Row]("File", lambda b: Path(b.file).name, tint="muted", width=84, tip=lambda b: b.file),
)
_PAUSES = (
    ("error", "Errors"),
    ("caught error", "Errors that are caught"),
    ("warning", "Warnings"),
    ("naninf", "First NaN or Inf"),
)


class BreakpointsPanel(Panel):
    """Every breakpoint, also of files that are not open."""

    empty_icon = "breakpoint"
    empty_title = "No breakpoints"
    empty_text = "Click beside a line number, or press F12."

    def __init__(
        self, context: Context, editors: EditorArea, breakpoints: BreakpointRegistry
    ) -> None:
        self._editors = editors
        self._book = breakpoints
        super().__init__(context)

    def _build(self) -> QWidget:
        self.model = RowModel(BREAKPOINT_COLUMNS, lambda b: (b.file, b.line))
        self.table = RowTable(self.model, "Breakpoints", NARROW)
        self.table.doubleClicked.connect(self._edit)
        self.table.clicked.connect(self._open_selected)
        return self.table

    def _listen(self) -> None:
        self._editors.breakpoints_changed.connect(self.invalidate)
        self._book.changed.connect(self.invalidate)

    def _rows(self) -> list[Row]:
        rows = [
            Row(e, str(e.path or e.untitled), line, stop, e.line_text(line - 1).strip())
            for e in self._editors.editors()
            for line, stop in e.stops.all()
        ]
        for file, kept in self._book.loose.items():
            for k in kept:
                stop = Stop(k["condition"], k["hits"], k["log"], k["on"])
                rows.append(Row(None, file, k["line"], stop, ""))
        return rows

    def _is_empty(self) -> bool:
        return not self._rows()

    def _refresh(self) -> None:
        self.model.set_rows(self._rows())

    def _open_selected(self) -> None:
        row = self.table.selected()
        if row is not None:
            self.context.open_location(row.file, row.line)

    def _edit(self) -> None:
        row = self.table.selected()
        if row is not None and row.editor is not None:
            from app.ui.editor.breakpoint_dialog import BreakpointDialog

            BreakpointDialog(row.editor, row.line).open()


class BreakpointsDock(QScrollArea):
    """The breakpoints, and below them what else pauses a script."""

    def __init__(
        self, context: Context, editors: EditorArea, breakpoints: BreakpointRegistry
    ) -> None:
        super().__init__()
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setWidgetResizable(True)
        self._book = breakpoints
        self.panel = BreakpointsPanel(context, editors, breakpoints)
        self.boxes: dict[str, QCheckBox] = {}
        for name, title in _PAUSES:
            self.boxes[name] = QCheckBox(title)
            self.boxes[name].toggled.connect(partial(breakpoints.pause_on, name))
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        pauses = padded_widget(
            column(label("Pause on", "caption"), *self.boxes.values(), spacing=6)
        )
        self.panel.setMinimumHeight(1)  # it gives way, the boxes do not
        layout.addWidget(self.panel, 1)
        layout.addWidget(pauses)
        self.setWidget(inside)  # where there is no room for the boxes, they scroll
        breakpoints.changed.connect(self._show_pauses)
        self._show_pauses()

    def _show_pauses(self) -> None:
        for name, box in self.boxes.items():
            box.setChecked(name in self._book.pauses)
