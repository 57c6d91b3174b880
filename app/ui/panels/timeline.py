"""The Timeline: what the engine did when, on one track per kind of work."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit, QScrollArea, QWidget

from app.ui.panels.panel import Panel
from app.ui.panels.timeline_view import TimelineView, span_text
from app.ui.run_model import trace_files
from app.ui.run_model.run_model import WINDOW_TRACK
from app.ui.run_model.timeline_spans import Track
from app.ui.support import dialog_folder, formats
from app.ui.widgets.panel_parts import ElidedLabel, IconButton, bar, column


def _range_text(measured: tuple[float, float], tracks: dict[str, Track]) -> str:
    """How long a range is, and what each track did in it."""
    start, end = measured
    parts = [f"{formats.milliseconds((end - start) / 1000)} measured"]
    for name, track in tracks.items():
        busy, count = track.inside(start, end)
        if count:
            parts.append(f"{name} {formats.milliseconds(busy / 1000)} in {formats.count(count)}")
    return "  ·  ".join(parts)


class TimelinePanel(Panel):
    """The timeline of the last run with a line that sums it up."""

    empty_icon = "timeline"
    empty_title = "No events yet"
    empty_text = "Run a script with F5 to see when what ran where."
    of_runs = True
    empty_button = "Open a Saved Trace…"

    def _build(self) -> QWidget:
        self._run, self._seen = -1, 0
        self._opened = False
        self.view = TimelineView(self._lines_of)
        self.view.span_selected.connect(self._describe)
        self.view.line_wanted.connect(self._go_to_line)
        self.summary = ElidedLabel("muted")
        self.field = QLineEdit()
        self.field.setPlaceholderText("Search")
        self.field.setAccessibleName("Search the timeline")
        self.field.setFixedWidth(130)
        self.field.textChanged.connect(self.view.search)
        return column(
            bar(
                self.summary,
                self.field,
                IconButton("chevron-up", "Previous (,)", partial(self.view.step, -1)),
                IconButton("chevron-down", "Next (.)", partial(self.view.step, 1)),
                IconButton("save", "Save as a Chrome trace (opens in Perfetto)", self._save),
                IconButton("open", "Open a saved trace", self._open),
                IconButton("refresh", "Fit the whole run (F)", self.view.fit),
            ),
            self._scrolled_view(),
        )

    def _scrolled_view(self) -> QScrollArea:
        """The picture, which is taller than its panel where many workers have tracks."""
        made = QScrollArea()
        made.setFrameShape(QScrollArea.Shape.NoFrame)
        made.setWidgetResizable(True)
        made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        made.setWidget(self.view)
        return made

    def _is_empty(self) -> bool:
        told = any(track != WINDOW_TRACK for track, *_ in self.run_model.spans)
        return not told and not self._opened

    def _on_empty_button(self) -> None:
        self._open()

    def _refresh(self) -> None:
        run_model = self.run_model
        if run_model.run != self._run:
            self._run, self._seen, self._opened = run_model.run, 0, False
            self._clear()
        missing = run_model.spans_seen - self._seen
        self.view.add_spans(run_model.spans[-missing:] if missing else ())
        self._seen = run_model.spans_seen
        self._describe()

    def _clear(self) -> None:
        """Begin anew; what is searched stays."""
        self.view.clear()
        self.view.search(self.field.text())

    def _describe(self) -> None:
        """Say what is chosen, or how much time each track took."""
        if self.view.measured is not None:
            self.summary.setText(_range_text(self.view.measured, self.view.tracks))
            return
        if self.view.selected is not None:
            text = span_text(*self.view.selected)
            lines = self._lines_of(self.view.selected[1].flow)
            work = f"  ·  computes lines {formats.lines_text(lines)}" if lines else ""
            self.summary.setText(text.replace("\n", "  ·  ") + work)
            return
        parts = [
            f"{name} {formats.milliseconds(track.busy / 1000)}"
            for name, track in self.view.tracks.items()
            if track.spans
        ]
        hint = "wheel zooms, drag pans, Shift+drag measures, W A S D, F fits"
        self.summary.setToolTip("\n".join((*parts, hint)))
        self.summary.setText("  ·  ".join([*parts, hint]))

    def _save(self) -> None:
        start = dialog_folder.dialog_start("trace.json")
        target = dialog_folder.ask_where(self, "Save trace", start, "Trace (*.json)")
        if target is None:
            return
        try:
            trace_files.write(self.run_model.spans, target)
        except OSError as problem:
            self.context.notify(str(problem))
        else:
            self.context.notify(f"Saved {target.name}")

    def _open(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self, "Open trace", dialog_folder.dialog_start(), "Trace (*.json)"
        )
        if name:
            self.show_trace(Path(name))

    def show_trace(self, path: Path) -> None:
        """Show a saved trace until the next run."""
        try:
            spans = trace_files.read(path)
        except (OSError, ValueError) as problem:
            self.context.notify(f"{path.name} is no trace: {problem}")
            return
        self._run, self._seen, self._opened = self.run_model.run, self.run_model.spans_seen, True
        self._clear()
        self.view.add_spans(spans)
        self.setCurrentWidget(self.content)
        self._describe()

    def _lines_of(self, flow: int) -> Collection[int]:
        """The lines of the group that an event belongs to."""
        group = self.run_model.groups.get(flow)
        return group.lines if group is not None else ()

    def follow(self, _name: str, lines: Collection[int]) -> None:
        """Light up what the lines of a variable set off."""
        self.view.follow(lines)

    def _go_to_line(self, line: int) -> None:
        self.context.open_location(self.run_model.run_name, line)
