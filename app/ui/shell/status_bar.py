"""The status bar: state, time, device, transfers, cache, precision, encoding, position."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QElapsedTimer, QSize, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QStatusBar

from app.engine.protocol import Waiting
from app.engine.run_state import COMMAND, RunState
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.file_writing import ENCODING_NAMES
from app.ui.run_model.run_model import RunModel
from app.ui.support import formats
from app.ui.widgets.busy_bar import BusyBar
from app.ui.widgets.panel_parts import ElidedLabel, IconButton, put

_STATES = {
    RunState.STARTING: ("○ starting", ""),
    RunState.ABSENT: ("○ no engine", "paused"),
    RunState.IDLE: ("● ready", "idle"),
    RunState.RUNNING: ("● running", "running"),
    RunState.PAUSED: ("● paused", "paused"),
    RunState.WAITING_INPUT: ("● waiting for input", "paused"),
}
NOTICE_MS = 8000
PATIENCE_MS = 500
TICK_MS = 250
LONG_LOOP_S = 1.0
LEAST_NOTICE, SPACING = 140, 14
"""Room for notices, and around each part."""
WAIT_MS = 900
"""What the engine waits for is shown until it has not said so for this long."""
_WAITS = {"device": "waiting for GPU", "compiling": "compiling", "opening": "opening the GPU"}


class StatusBar(QStatusBar):
    """Always tells the truth about the engine, quietly."""

    def __init__(self, run_model: RunModel, stop: Callable[[], object]) -> None:
        super().__init__()
        self.run_model = run_model
        self.setSizeGripEnabled(False)
        self._state = self._new_part("State of the engine")
        self._time = self._new_part(
            "Wall time of the last run (in a document: of the last section), and time on the GPU"
        )
        self.progress = BusyBar("A script is running")
        self.cancel = IconButton("stop", "Stop what runs", stop)
        for part in (self.progress, self.cancel):
            self.addWidget(part)
            part.hide()
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(partial(self._show_progress, on=True))
        self._notice = ElidedLabel()
        self.addWidget(self._notice, 1)
        self._transfers = self._new_part("Bytes uploaded and downloaded by the run", right=True)
        self._cache = self._new_part("Pipeline cache: hits of all lookups", right=True)
        self._device = self._new_part("The device in use", right=True)
        self._precision = self._new_part("Double precision on the device", right=True)
        self._encoding = self._new_part("Encoding and line ends of the file", right=True)
        self._position = self._new_part("Line and column of the caret", right=True)
        self._clock = QElapsedTimer()
        self._ran_ms = 0.0  # before the pause that the run stands or stood in
        self._held = False
        self._tick = QTimer(self)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self._show_time)
        self._tick.timeout.connect(self.progress.walk)
        run_model.parallel_changed.connect(self._show_passes)
        self._dispensable = (
            self._precision,
            self._device,
            self._transfers,
            self._encoding,
            self._cache,
        )
        self._stopping = False
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.timeout.connect(self._notice.clear)
        self._waited = QTimer(self)
        self._waited.setSingleShot(True)
        self._waited.setInterval(WAIT_MS)
        self._waited.timeout.connect(self._on_state)
        self._listen()
        self._on_state()

    def minimumSizeHint(self) -> QSize:
        """The window may be narrower than all that could be said."""
        return QSize(200, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow window says less."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Leave out the least important parts rather than cut all of them."""
        room = self.width() - LEAST_NOTICE
        for part in (self._state, self._time, self._position, *self._dispensable):
            room -= part.sizeHint().width() + SPACING if part.text() else 0
            if part in self._dispensable:
                told = part is self._device and bool(self.run_model.loss)
                part.setVisible(bool(part.text()) and (told or room >= 0))

    def _new_part(self, tip: str, *, right: bool = False) -> QLabel:
        label = QLabel()
        label.setToolTip(tip)
        label.setAccessibleName(tip)
        if right:
            self.addPermanentWidget(label)
        else:
            self.addWidget(label)
        return label

    def _listen(self) -> None:
        self.run_model.state_changed.connect(self._on_state)
        self.run_model.run_started.connect(self._on_run_started)
        self.run_model.run_finished.connect(self._on_run_finished)
        self.run_model.refresh_scheduler.due.connect(self._on_telemetry)
        self.run_model.device_changed.connect(self._on_device)
        self.run_model.bridge.subscribe(Waiting, self._on_waiting)
        self.run_model.bridge.stopping.connect(self._on_stopping)

    # --- what is shown ----------------------------------------------------------------

    def notify(self, text: str, level: str = "info") -> None:
        """Show one line for a while; errors are red."""
        _color(self._notice, "error" if level == "error" else "")
        self._notice.setText(text.split("\n", maxsplit=1)[0])
        self._notice.setToolTip(text)
        self._quiet.start(NOTICE_MS)

    def show_editor(self, editor: CodeEditor | None) -> None:
        """Show position and encoding of the file in front."""
        if editor is None:
            self._encoding.clear()
            self._position.clear()
            return
        ends = "CRLF" if editor.file.newline == "\r\n" else "LF"
        encoding = ENCODING_NAMES.get(editor.file.encoding, editor.file.encoding)
        self._encoding.setText(f"{encoding} {ends}")
        self._position.setText(f"Ln {editor.caret_line}, Col {editor.caret_column}")
        self._fit()

    def _on_waiting(self, event: Waiting) -> None:
        """What keeps the script waiting, while it does."""
        if self.run_model.busy and not self._stopping:
            self._say(f"● {waiting_text(event)}", "running")
            self._waited.start()

    def _on_stopping(self) -> None:
        """Shown at once; the engine ends soon, or says that it goes on."""
        if self.run_model.busy:
            self._stopping = True
            self._say("● stopping…", "paused")

    def _say(self, text: str, state: str) -> None:
        self._state.setText(text)
        _color(self._state, state)

    def _on_state(self) -> None:
        self._waited.stop()
        self._stopping = False
        text, name = _STATES[self.run_model.state]
        what = self.run_model.detail
        self._say(f"{text}: {Path(what).name}" if what not in {"", COMMAND} else text, name)
        if not self.run_model.busy:
            self._tick.stop()
        self._hold_clock(on=self.run_model.state == RunState.PAUSED)
        if self.run_model.state == RunState.RUNNING:
            self._patience.start()
        else:
            self._patience.stop()
            self._show_progress(on=False)

    def _hold_clock(self, *, on: bool) -> None:
        """A run that stands in the debugger takes no time."""
        if on and not self._held:
            self._ran_ms += self._clock.elapsed()
        elif self._held and not on:
            self._clock.start()
        self._held = on

    def _show_progress(self, *, on: bool) -> None:
        """What takes longer than half a second says so, and can be stopped beside it."""
        self.progress.setVisible(on)
        self.cancel.setVisible(on)

    def _on_run_started(self) -> None:
        self._on_device()
        self._ran_ms = 0.0
        self._clock.start()
        self._tick.start()

    def _on_run_finished(self) -> None:
        self._tick.stop()
        self.run_model.refresh_scheduler.ask()

    def _show_passes(self) -> None:
        """How far the parfor that runs is, once it has taken a second."""
        loops = [one for one in self.run_model.parallel.loops if one.running]
        known = loops and loops[-1].passes and loops[-1].seconds > LONG_LOOP_S
        self.progress.show_share(loops[-1].done / loops[-1].passes if known else None)

    def _show_time(self) -> None:
        wall = self.run_model.wall_ms
        if wall is None and self._clock.isValid():
            wall = self._ran_ms + (0.0 if self._held else self._clock.elapsed())
        text = formats.milliseconds(wall) if wall is not None else ""
        device = self.run_model.counters.get("device_ms")
        if device:
            text += f" (GPU {formats.milliseconds(device)})"
        put(self._time, text)

    def _on_telemetry(self) -> None:
        self._show_time()
        counters = self.run_model.counters
        if not counters:
            return
        up, down = counters.get("upload_bytes", 0), counters.get("download_bytes", 0)
        put(self._transfers, f"↑ {formats.bytes_text(up)}  ↓ {formats.bytes_text(down)}")
        hits, misses = counters.get("pipeline_hits", 0), counters.get("pipeline_misses", 0)
        if hits + misses:
            put(self._cache, f"cache {hits:.0f}/{hits + misses:.0f}")
        self._fit()

    def _on_device(self) -> None:
        device = self.run_model.device
        if device is None:
            return
        missing, loss = device.type == "none", self.run_model.loss
        parts = ["host only" if missing else short_name(device.name)]
        parts += [device.backend] if device.backend != "none" else []
        parts += ["device lost"] if loss else []
        self._device.setText(" · ".join(parts))
        self._device.setToolTip(loss or (device.reason or parts[0] if missing else device.name))
        _color(self._device, "error" if loss else "")
        self._precision.setText("f64 ✓" if device.f64 else "f64 on host")
        self._fit()


def _color(part: QLabel, state: str) -> None:
    """Give a part the theme's colour for a state."""
    if part.property("state") != state:
        part.setProperty("state", state)
        part.style().polish(part)


def waiting_text(event: Waiting) -> str:
    """What the engine waits for and how long, such as ``waiting for GPU (k7, 1.2 s)``."""
    kernel = f"k{event.group}" if event.group else ""
    taken = formats.milliseconds(event.seconds * 1000)
    if event.what == "compiling":
        return f"compiling {kernel or 'a kernel'} ({taken})"
    return f"{_WAITS[event.what]} ({f'{kernel}, ' if kernel else ''}{taken})"


def short_name(name: str, most: int = 28) -> str:
    """An adapter's name without what is in parentheses, cut to a decent length."""
    short = name.split("(", maxsplit=1)[0].strip() or name
    return short if len(short) <= most else short[: most - 1].rstrip() + "…"
