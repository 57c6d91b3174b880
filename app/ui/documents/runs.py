"""Running the sections of a document: what they give, where it belongs, what is out of date."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.engine import protocol
from app.engine.livecode.appendix import Data
from app.engine.livecode.document import LiveDocument
from app.engine.livecode.printed_text import rubbed_out
from app.engine.livecode.running import Kind, Result, spanned_sections
from app.engine.livecode.stored_results import stored_results
from app.ui.editor.code_editor import CodeEditor
from app.ui.run_model.run_model import RunModel
from app.ui.support import formats

if TYPE_CHECKING:
    from app.ui.plots.series_arrays import Exported

PATIENCE_S = 0.5
"""A run for a control is dropped for a newer value when it takes longer than this, and twice as
long as runs took so far; each run that is dropped gives the next one twice the time, so that
something comes through however fast somebody moves."""
MOST_CHARACTERS = 200_000
MOST_PARTS = 20_000
FLOOD_CHARACTERS = 50_000
CUT = "… (lines before these are not kept)"


class Phase(Enum):
    """Where a section stands."""

    NEW = "new"
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(eq=False)
class Output:
    """Something a line gave.

    Attributes:
        line: of the document, from 1; follows edits.
        kind: text, warning, error or figure.
        printed: what was printed, or the message, as far as it was put together.
        picture: a stored figure as a file's content.
        figure: a live figure's model.
        number: the live figure's.
        place: the line an error points at, 0 for none.
        kept: what the file stored for it, if no run gave it.
        old: whether a run under way has not given it yet.
    """

    line: int
    kind: Kind
    printed: str = ""
    picture: bytes = b""
    figure: Exported | None = None
    number: int = 0
    place: int = 0
    kept: Data | None = None
    old: bool = False
    _more: list[str] = field(default_factory=list)

    def add_text(self, text: str) -> None:
        """It printed more; what is beyond the most that is kept goes, in whole lines."""
        self._more.append(text)
        if len(self._more) > MOST_PARTS:
            self.printed, self._more = self.text, []

    @property
    def text(self) -> str:
        """What was printed, or the message."""
        if self._more:
            self.printed = rubbed_out("".join((self.printed, *self._more)))[0]
            self._more = []
            if len(self.printed) > MOST_CHARACTERS:
                kept = self.printed[-MOST_CHARACTERS:]
                self.printed = f"{CUT}\n{kept.partition(chr(10))[2] or kept}"
        return self.printed


@dataclass(eq=False)
class Section:
    """What is known of a section's runs.

    Attributes:
        first: the line it begins on; follows edits.
        last: its last one.
        phase: where it stands.
        stale: whether its code has changed since it ran.
        summary: kernels, time and bytes of its last run, for people.
    """

    first: int
    last: int
    phase: Phase = Phase.NEW
    stale: bool = False
    summary: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Part:
    """Sections that run at once: one alone, or all that a statement spans."""

    sections: tuple[Section, ...]

    @property
    def first(self) -> int:
        """The line it begins on."""
        return self.sections[0].first

    @property
    def last(self) -> int:
        """Its last line."""
        return self.sections[-1].last

    def enter(self, phase: Phase) -> None:
        """All of it stands there now."""
        for section in self.sections:
            section.phase = phase


class DocumentRuns(QObject):
    """Runs sections of one editor's document one after another.

    Args:
        editor: whose text it is.
        run_model: of the window.
        prepare: called before something runs; answers whether it may.

    Attributes:
        outputs: in the order of their lines.
        sections: by their first lines, in order.
    """

    outputs_changed = Signal()
    phases_changed = Signal()
    finished = Signal()

    def __init__(
        self, editor: CodeEditor, run_model: RunModel, prepare: Callable[[CodeEditor], bool]
    ) -> None:
        super().__init__(editor)
        self._editor = editor
        self._model = run_model
        self._bridge = run_model.bridge
        self._prepare = prepare
        self.outputs: list[Output] = []
        self.sections: list[Section] = []
        self.updates = 0
        self._parts: tuple[Part, ...] = ()
        self._queue: list[Part] = []
        self._active: Part | None = None
        self._listening = False
        self._only_marks = False
        self._dropped = False
        self._began = 0.0
        self._usual = 1.0
        self._newest: Callable[[], Iterable[Section]] | None = None
        self._listen(self._bridge.subscribe)
        run_model.state_changed.connect(self._run_newest)

    def _listen(self, act: Callable[..., None]) -> None:
        act(protocol.RunStarted, self._on_started)
        act(protocol.OutputText, self._on_output)
        act(protocol.FigureUpdated, self._on_figure)
        act(protocol.ErrorRaised, self._on_error)
        act(protocol.RunFinished, self._on_finished)

    def close(self) -> None:
        """Hear of no run any more; the editor closes."""
        self.stop()
        self._listen(self._bridge.unsubscribe)

    @property
    def name(self) -> str:
        """The file's name in runs and errors."""
        return str(self._editor.path or self._editor.untitled)

    @property
    def busy(self) -> bool:
        """Whether sections run or wait."""
        return self._active is not None or bool(self._queue)

    @property
    def is_flooded(self) -> bool:
        """Whether what runs has printed a long text, and goes on."""
        last = self._last_fresh()
        return last is not None and len(last.printed) > FLOOD_CHARACTERS

    @property
    def has_waiting(self) -> bool:
        """Whether sections wait behind the one that runs."""
        return bool(self._queue)

    @property
    def waits_for_engine(self) -> bool:
        """Whether a control's sections wait for the end of something else."""
        return self._active is None and self._newest is not None

    # --- what the text says ---------------------------------------------------------------

    def take_stored(self, document: LiveDocument) -> None:
        """Show what the file says its lines gave."""
        self.outputs = [_output_of_result(result) for result in stored_results(document)]
        self.outputs_changed.emit()

    def use_sections(self, places: Iterable[tuple[int, int]]) -> None:
        """The text has these sections now; what is known of those that are left stays."""
        known = {section.first: section for section in self.sections}
        self.sections = []
        for first, last in places:
            section = known.get(first) or Section(first, last)
            section.last = last
            self.sections.append(section)
        self._parts = ()
        self.phases_changed.emit()

    def forget(self) -> None:
        """Show nothing that a line gave."""
        self.outputs = []
        self.outputs_changed.emit()

    @contextmanager
    def keeping_fresh(self) -> Iterator[None]:
        """What changes the text inside changes no line of code."""
        self._only_marks = True
        try:
            yield
        finally:
            self._only_marks = False

    def shift(self, line: int, count: int) -> None:
        """The text of ``line`` (from 1) changed; so many lines came behind it, or went."""
        if self._only_marks:
            return
        for output in self.outputs:
            if output.line > line:
                output.line = max(line, output.line + count)
            if output.place > line:
                output.place = max(line, output.place + count)
        for section in self.sections:
            if section.first <= line <= section.last:
                section.stale = section.phase in (Phase.DONE, Phase.FAILED) or section.stale
            if section.first > line:
                section.first = max(line, section.first + count)
            if section.last >= line:
                section.last = max(section.first - 1, section.last + count)

    def section_of(self, line: int) -> Section | None:
        """The section that holds a line."""
        return next((s for s in reversed(self.sections) if s.first <= line), None)

    def outputs_between(self, first: int, last: int) -> list[Output]:
        """What these lines gave."""
        return [output for output in self.outputs if first <= output.line <= last]

    # --- running --------------------------------------------------------------------------

    def run(self, wanted: Iterable[Section]) -> None:
        """Run sections one after another, after those that wait already; each with those that a
        statement joins to it."""
        if not self.busy and not self._prepare(self._editor):
            return
        self._parts = ()
        self._enqueue(wanted)
        self._start_next()

    def update(self, wanted: Callable[[], Iterable[Section]]) -> None:
        """Run sections for a control: the newest value wins.

        What runs for an older one ends by itself when it is quick, and is dropped when it is not.
        While a script or a command runs, the sections wait for its end.
        ``wanted`` is asked when they may run; a newer value comes in its place until then.
        """
        if self._active is None:
            self._newest = wanted
            self._run_newest()
            return
        self._newest, self._queue = wanted, []
        spent = time.monotonic() - self._began
        if spent > max(PATIENCE_S, 2 * self._usual) and not self._dropped:
            self._dropped, self._usual = True, spent
            self._bridge.stop_run()

    def _run_newest(self) -> None:
        """Run what waits for a control, once nothing else runs."""
        if self._newest is None or self.busy or self._model.busy:
            return
        newest, self._newest = self._newest, None
        if self._prepare(self._editor):
            self._enqueue(newest())
            self._start_next()

    def toggle(self, section: Section) -> None:
        """Run a section; end it where it runs or waits already."""
        waiting = next((part for part in self._queue if section in part.sections), None)
        if self._active is not None and section in self._active.sections:
            self.stop()
            self._bridge.stop_run()
        elif waiting is not None:
            self._queue.remove(waiting)
            waiting.enter(Phase.NEW)
            self.phases_changed.emit()
        else:
            self.run([section])

    def stop(self) -> None:
        """Run nothing more of what waits."""
        self._newest = None
        self._forget_waiting()

    def _forget_waiting(self) -> None:
        for part in self._queue:
            part.enter(Phase.NEW)
        self._queue = []
        self.phases_changed.emit()

    def _enqueue(self, wanted: Iterable[Section]) -> None:
        """Let the parts that hold these sections wait; a control changes no part, only literals."""
        if not self._parts:
            self._parts = self._found_parts()
        asked = set(wanted)
        waiting = {section for part in self._queue for section in part.sections}
        for part in self._parts:
            if not asked.isdisjoint(part.sections) and waiting.isdisjoint(part.sections):
                part.enter(Phase.QUEUED)
                self._queue.append(part)
        self.phases_changed.emit()

    def _found_parts(self) -> tuple[Part, ...]:
        places = [(section.first, section.last) for section in self.sections]
        spans = spanned_sections(self._editor.text(), places)
        return tuple(
            Part(tuple(s for s in self.sections if first <= s.first <= last))
            for first, last in spans
        )

    def _start_next(self) -> None:
        if self._active is not None or not self._queue:
            return
        part = self._active = self._queue.pop(0)
        self._began, self._dropped = time.monotonic(), False
        part.enter(Phase.RUNNING)
        for section in part.sections:
            section.stale = False
        for output in self.outputs_between(part.first, part.last):
            output.old = True
        text, lines = self._editor.text(), (part.first, part.last)
        self._bridge.post(protocol.RunText(text, self.name, lines=lines, places=True))
        self.phases_changed.emit()

    # --- events -----------------------------------------------------------------------------

    def _on_started(self, event: protocol.RunStarted) -> None:
        self._listening = self._active is not None and event.name == self.name

    def _on_output(self, event: protocol.OutputText) -> None:
        if not self._listening or not event.line:
            return
        kind: Kind = "text" if event.stream == "out" else "warning"
        last = self._last_fresh()
        same = last is not None and (last.line, last.kind) == (event.line, kind)
        if last is not None and same:
            last.add_text(event.text)
            self.outputs_changed.emit()
            return
        fresh = Output(event.line, kind)
        fresh.add_text(event.text)
        self._add(fresh)

    def _on_figure(self, event: protocol.FigureUpdated) -> None:
        if not self._listening or self._active is None or not event.figure["Visible"]:
            return
        part = self._active
        for output in self.outputs_between(part.first, part.last):
            if output.number == event.number:
                output.figure, output.old, output.picture = event.figure, False, b""
                self.outputs_changed.emit()
                return
        line = self._last_code_line(part)
        self._add(Output(line, "figure", figure=event.figure, number=event.number))

    def _on_error(self, event: protocol.ErrorRaised) -> None:
        if not self._listening or self._active is None:
            return
        here = [line for _, file, line, _ in event.frames if file == self.name]
        inside = [n for n in here if self._active.first <= n <= self._active.last]
        line = inside[-1] if inside else self._active.first
        self._add(Output(line, "error", event.message, place=here[0] if here else 0))

    def _on_finished(self, event: protocol.RunFinished) -> None:
        if not self._listening or self._active is None:
            return
        part, self._active, self._listening = self._active, None, False
        dropped = event.status == "interrupted" and self._dropped
        if not dropped:
            inside = self.outputs_between(part.first, part.last)
            gone = {id(output) for output in inside if output.old}
            self.outputs = [output for output in self.outputs if id(output) not in gone]
            part.enter(Phase.DONE if event.status == "ok" else Phase.FAILED)
            for section in part.sections:
                section.summary = ()
            part.sections[0].summary = summary(event)
            self._usual = time.monotonic() - self._began
            self.updates += 1
        if event.status != "ok" and not dropped:
            self._forget_waiting()  # a newer value of a control may do better
        newest, self._newest = self._newest, None
        if newest is not None:
            self._enqueue(newest())
        self.outputs_changed.emit()
        self.phases_changed.emit()
        self._start_next()
        if not self.busy:
            self.finished.emit()

    def _last_fresh(self) -> Output | None:
        if self._active is None:
            return None
        inside = self.outputs_between(self._active.first, self._active.last)
        fresh = [output for output in inside if not output.old]
        return fresh[-1] if fresh else None

    def _add(self, made: Output) -> None:
        """A new output takes the place of an old one of its kind, so that nothing jumps."""
        if self._active is None:
            return
        inside = self.outputs_between(self._active.first, self._active.last)
        old = next((o for o in inside if o.old and o.kind == made.kind), None)
        if old is not None:
            self.outputs[self.outputs.index(old)] = made
        else:
            self.outputs.append(made)
        self.outputs.sort(key=lambda output: output.line)
        self.outputs_changed.emit()

    def _last_code_line(self, part: Part) -> int:
        lines = self._editor.lines()[part.first - 1 : part.last]
        filled = [n for n, line in enumerate(lines) if line.strip() and line.lstrip()[0] != "%"]
        return part.first + (filled[-1] if filled else 0)


def _output_of_result(result: Result) -> Output:
    return Output(result.line, result.kind, result.text, result.picture, kept=result.kept)


def summary(event: protocol.RunFinished) -> tuple[str, ...]:
    """Kernels, time on the device and bytes moved; only the time where nothing ran there."""
    counters = event.rows.counters if event.rows is not None else {}
    kernels = int(counters.get("dispatches", 0))
    if not kernels:
        return (formats.milliseconds(event.wall_ms),)
    moved = counters.get("upload_bytes", 0) + counters.get("download_bytes", 0)
    return (
        formats.plural(kernels, "kernel"),
        f"{formats.milliseconds(counters.get('device_ms', 0.0))} GPU",
        f"{formats.bytes_text(moved)} moved",
    )
