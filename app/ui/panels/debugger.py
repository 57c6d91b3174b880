"""Panels of the debugger: call stack and breakpoints."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.engine.protocol import DebugCommand, Paused, RunState
from app.ui.editor.area import EditorArea
from app.ui.models.rows import Column, RowModel
from app.ui.panels.panel import Context, Panel
from app.ui.panels.tables import RowTable


@dataclass(frozen=True)
class Frame:
    """One frame of the paused script."""

    number: int
    name: str
    file: str
    line: int


FRAME_COLUMNS = (
    Column[Frame]("Function", lambda f: f.name, width=0, code=True),
    Column[Frame]("File", lambda f: Path(f.file).name, tint="muted", width=96,
                  tip=lambda f: f.file),
    Column[Frame]("Line", lambda f: str(f.line), numeric=True, width=48),
)  # fmt: skip


class StackPanel(Panel):
    """The call stack while a script is paused; a click shows the frame's variables."""

    empty_icon = "stack"
    empty_title = "Not paused"
    empty_text = "Click beside a line number to set a breakpoint, then press F5."

    def __init__(self, context: Context) -> None:
        self._frames: list[Frame] = []
        super().__init__(context)
        context.bridge.subscribe(Paused, self._on_paused)

    def _build(self) -> QWidget:
        self.model = RowModel(FRAME_COLUMNS, lambda f: f.number)
        self.table = RowTable(self.model, "Call stack")
        self.table.clicked.connect(self._choose)
        return self.table

    def _listen(self) -> None:
        self.account.state_changed.connect(self.invalidate)

    def _is_empty(self) -> bool:
        return self.account.state != RunState.PAUSED or not self._frames

    def _refresh(self) -> None:
        self.model.set_rows(self._frames)

    def _on_paused(self, event: Paused) -> None:
        self._frames = [
            Frame(number, name, file, line)
            for number, (name, file, line, _) in enumerate(event.frames)
        ]
        self.invalidate()

    def _choose(self) -> None:
        frame = self.table.selected()
        if frame is not None:
            self.context.open_location(frame.file, frame.line)
            self.context.post(DebugCommand("frame", frame.number))


@dataclass(frozen=True)
class Stop:
    """One breakpoint."""

    file: str
    line: int
    on: bool
    text: str


BREAKPOINT_COLUMNS = (
    Column[Stop]("Line", lambda b: f"{Path(b.file).name}:{b.line}", width=110,
                 tip=lambda b: b.file),
    Column[Stop]("Code", lambda b: b.text, tint="muted", width=0, code=True),
)  # fmt: skip


class BreakpointsPanel(Panel):
    """Every breakpoint of the open files."""

    empty_icon = "breakpoint"
    empty_title = "No breakpoints"
    empty_text = "Click beside a line number, or press F12."

    def __init__(self, context: Context, editors: EditorArea) -> None:
        self._editors = editors
        super().__init__(context)

    def _build(self) -> QWidget:
        self.model = RowModel(BREAKPOINT_COLUMNS, lambda b: (b.file, b.line))
        self.table = RowTable(self.model, "Breakpoints")
        self.table.doubleClicked.connect(self._go)
        return self.table

    def _listen(self) -> None:
        self._editors.breakpoints_changed.connect(self.invalidate)

    def _stops(self) -> list[Stop]:
        return [
            Stop(str(e.path or e.untitled), line, on, e.line_text(line - 1).strip())
            for e in self._editors.editors()
            for line, on in e.breakpoints()
        ]

    def _is_empty(self) -> bool:
        return not self._stops()

    def _refresh(self) -> None:
        self.model.set_rows(self._stops())

    def _go(self) -> None:
        stop = self.table.selected()
        if stop is not None:
            self.context.open_location(stop.file, stop.line)
