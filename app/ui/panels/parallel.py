"""The Parallel panel: the loops of ``parfor`` and how far they are, the pool and its workers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QPushButton,
    QStyleOptionViewItem,
    QWidget,
)

from app.engine.parallel_state import LoopState, WorkerState
from app.ui.panels.panel import Context, Panel
from app.ui.run_model.row_model import ROW_ROLE, Column, RowModel
from app.ui.run_model.run_model import BUSY
from app.ui.support import formats
from app.ui.support.theme import theme
from app.ui.widgets.panel_parts import ElidedLabel, IconButton, bar, column
from app.ui.widgets.row_table import RowDelegate, RowTable
from app.ui.widgets.turning_splitter import TurningSplitter

PROGRESS = 1
BAR = 6
_TINTS = {"busy": "accent", "starting": "muted", "idle": "faint"}
_GLYPHS = {"busy": "●", "starting": "◌", "idle": "○"}


def passes_text(loop: LoopState) -> str:
    """How far a loop is, in words."""
    if loop.done >= loop.passes:
        return formats.plural(loop.passes, "pass", "passes")
    return f"{formats.count(loop.done)} of {formats.count(loop.passes)}"


def device_words(worker: WorkerState) -> str:
    """What a worker computes on: the host or a card, behind the name of another machine."""
    machine, _, device = worker.device.rpartition(", ")
    number = device.partition("gpu:")[2] or "1"
    words = "host" if device in ("", "cpu") else f"card {number}"
    return f"{machine}, {words}" if machine else words


def last_printed(worker: WorkerState) -> str:
    """The last line that a worker has printed, which the command window shows without its name."""
    return next(reversed(worker.printed.split("\n")[:-1] or [worker.printed]), "").strip()


LOOP_COLUMNS = (
    Column[LoopState](
        "Loop",
        lambda r: f"{Path(r.file).stem}:{r.line}",
        lambda r: (r.file, r.line),
        width=140,
        tip=lambda r: f"{r.file}, line {r.line}\nDouble-click to go there.",
    ),
    Column[LoopState](
        "Passes",
        passes_text,
        lambda r: r.done,
        width=200,
        tip=lambda r: f"{passes_text(r)}, begun {formats.plural(r.runs, 'time')}",
    ),
    Column[LoopState](
        "Time",
        lambda r: formats.milliseconds(r.seconds * 1000),
        lambda r: r.seconds,
        numeric=True,
        width=76,
        tint="muted",
    ),
    Column[LoopState]("Where, and why", lambda r: r.where, width=0, tip=lambda r: r.where),
)
WORKER_COLUMNS = (
    Column[WorkerState](
        "",
        lambda r: _GLYPHS[r.state],
        width=26,
        tint=lambda r: _TINTS[r.state],
        tip=lambda r: r.state,
    ),
    Column[WorkerState](
        "Worker", lambda r: str(r.number), lambda r: r.number, numeric=True, width=58
    ),
    Column[WorkerState](
        "Runs",
        lambda r: r.what or r.state,
        width=0,
        tint=lambda r: "text" if r.what else "faint",
        tip=lambda r: f"computes on {device_words(r)}",
    ),
    Column[WorkerState](
        "Done", lambda r: formats.count(r.done), lambda r: r.done, numeric=True, width=58
    ),
    Column[WorkerState](
        "Sent", lambda r: formats.bytes_text(r.sent), lambda r: r.sent, numeric=True, width=80
    ),
    Column[WorkerState](
        "Received",
        lambda r: formats.bytes_text(r.received),
        lambda r: r.received,
        numeric=True,
        width=80,
    ),
    Column[WorkerState]("On", device_words, device_words, width=76, tint="muted", tip=device_words),
    Column[WorkerState](
        "Printed", last_printed, width=130, tint="muted", tip=lambda r: r.printed.rstrip()
    ),
)


class _Progress(RowDelegate):
    """A bar as long as what is done, and how many passes that is."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """The bar to the left, the words beside it."""
        loop: LoopState = index.data(ROW_ROLE)
        self.initStyleOption(option, index)
        text, option.text = option.text, ""
        style = option.widget.style()
        style.drawControl(style.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        room = QRectF(option.rect).adjusted(8, 0, -8, 0)
        groove = QRectF(room.left(), room.center().y() - BAR / 2, room.width() * 0.36, BAR)
        painter.setBrush(theme().colour("border"))
        painter.drawRoundedRect(groove, BAR / 2, BAR / 2)
        done = groove.width() * min(1.0, loop.done / max(1, loop.passes))
        if done:
            painter.setBrush(theme().colour(_bar_tint(loop)))
            painter.drawRoundedRect(
                QRectF(groove.left(), groove.top(), max(done, BAR), BAR), BAR / 2, BAR / 2
            )
        painter.setPen(theme().colour("text" if loop.running else "muted"))
        words = QRectF(
            groove.right() + 10, room.top(), room.right() - groove.right() - 10, room.height()
        )
        align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        shown = option.fontMetrics.elidedText(text, Qt.TextElideMode.ElideRight, int(words.width()))
        painter.drawText(words, align, shown)
        painter.restore()


def _bar_tint(loop: LoopState) -> str:
    if loop.running:
        return "accent"
    return "good" if loop.done >= loop.passes else "error"


class ParallelPanel(Panel):
    """Loops to the left, workers to the right; empty before there is either.

    Args:
        context: of the window.
        stop: stops what runs.
    """

    empty_icon = "layers"
    empty_title = "No parallel work yet"
    empty_text = (
        "Every parfor appears here while it runs, with where its passes run and why, "
        "beside the workers of the pool."
    )
    empty_button = "Start a Pool"

    def __init__(self, context: Context, stop: Callable[[], object]) -> None:
        self._stop = stop
        super().__init__(context)

    def _build(self) -> QWidget:
        self.loops = RowTable(
            RowModel(LOOP_COLUMNS, lambda r: (r.file, r.line)), "Loops", optional=(2,)
        )
        self.loops.setItemDelegateForColumn(PROGRESS, _Progress(self.loops))
        self.loops.doubleClicked.connect(self.go_to)
        self.workers = RowTable(
            RowModel(WORKER_COLUMNS, lambda r: r.number), "Workers", optional=(3, 5, 4, 6, 7)
        )
        self.summary = ElidedLabel("muted")
        self.pool_button = QPushButton("Start Pool")
        self.pool_button.clicked.connect(self.switch_pool)
        self.stop_button = IconButton("stop", "Stop what runs", self._stop)
        head = bar(self.summary, self.stop_button, self.pool_button)
        return column(head, TurningSplitter((self.loops, 560, 1), (self.workers, 420, 1)))

    def _listen(self) -> None:
        self.run_model.parallel_changed.connect(self.invalidate)
        self.run_model.state_changed.connect(self.invalidate)

    def _is_empty(self) -> bool:
        state = self.run_model.parallel
        return not state.workers and not state.loops

    def _refresh(self) -> None:
        state = self.run_model.parallel
        self.loops.rows_model.set_rows(list(reversed(state.loops)))
        self.workers.rows_model.set_rows(list(state.workers))
        self.workers.setVisible(bool(state.workers))
        self.summary.setText(self._words())
        self.pool_button.setText("End Pool" if state.workers else "Start Pool")
        self.pool_button.setEnabled(not self.run_model.busy)
        self.stop_button.setEnabled(self.run_model.busy)

    def _words(self) -> str:
        state = self.run_model.parallel
        busy = sum(w.state == "busy" for w in state.workers)
        running = sum(loop.running for loop in state.loops)
        parts = [
            formats.plural(len(state.workers), "worker") if state.workers else "No pool",
            f"{busy} busy" if busy else "",
            f"{formats.plural(state.waiting, 'task')} waiting" if state.waiting else "",
            f"{formats.plural(running, 'loop')} running" if running else "",
        ]
        return "  ·  ".join(filter(None, parts))

    # --- what it does ---------------------------------------------------------------------

    def _on_empty_button(self) -> None:
        self.switch_pool()

    def switch_pool(self) -> None:
        """End the pool, or start one."""
        if self.run_model.busy:
            self.context.notify(BUSY)
            return
        there = self.run_model.parallel.workers
        self.context.run_code("delete(gcp('nocreate'))" if there else "parpool;")

    def go_to(self) -> None:
        """Show the line of the chosen loop."""
        loop = self.loops.selected()
        if loop is not None:
            self.context.open_location(loop.file, loop.line)
