"""All breakpoints of the window, also those of files that are not open; the engine gets them all.

The margin, ``dbstop`` and the Breakpoints panel are three views of this one registry.
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from app.engine.protocol import Breakpoint, BreakpointsChanged, SetBreakpoints
from app.ui.editor.area import EditorArea
from app.ui.editor.breakpoints import Stop, StoredStop
from app.ui.editor.code_editor import CodeEditor
from app.ui.support.bridge import Bridge


def name_of(editor: CodeEditor) -> str:
    """The name by which the engine knows an editor's text."""
    return str(editor.path or editor.untitled)


class BreakpointRegistry(QObject):
    """Collects, sends, and takes what the script changed.

    Attributes:
        loose: breakpoints of files that are not open, by file, as ``Breakpoints.save`` tells.
        pauses: what else pauses a script: ``error``, ``caught error``, ``warning``, ``naninf``.
        cursor_stop: one place more, where the script pauses once.
    """

    changed = Signal()

    def __init__(self, editors: EditorArea, bridge: Bridge) -> None:
        super().__init__(editors)
        self._editors = editors
        self._bridge = bridge
        self.loose: dict[str, list[StoredStop]] = {}
        self.pauses: set[str] = set()
        self.cursor_stop: Breakpoint | None = None
        self._taking = False
        editors.breakpoints_changed.connect(self.send)
        editors.editor_added.connect(self._on_added)
        editors.editor_closing.connect(self._on_closing)
        bridge.subscribe(BreakpointsChanged, self.take)

    def send(self) -> None:
        """Let the engine know all of them."""
        if not self._taking:
            self._bridge.post(
                SetBreakpoints(tuple(self._all_breakpoints()), tuple(sorted(self.pauses)))
            )
        self.changed.emit()

    def _all_breakpoints(self) -> Iterable[Breakpoint]:
        for editor in self._editors.editors():
            yield from editor.stops.to_protocol(name_of(editor))
        for file, kept in self.loose.items():
            for k in kept:
                yield Breakpoint(file, k["line"], k["condition"], k["hits"], k["log"], k["on"])
        if self.cursor_stop is not None:
            yield self.cursor_stop

    def pause_at(self, place: Breakpoint | None) -> None:
        """Let the debugger pause at one place more, once."""
        if place != self.cursor_stop:
            self.cursor_stop = place
            self.send()

    def pause_on(self, what: str, on: bool) -> None:
        """Let the debugger pause on every ``error`` or ``warning``, or the first ``naninf``."""
        if on != (what in self.pauses):
            (self.pauses.add if on else self.pauses.discard)(what)
            self.send()

    def clear(self) -> bool:
        """Take every breakpoint away; False when there was none."""
        any_set = bool(self.loose) or any(e.stops.all() for e in self._editors.editors())
        self._taking = True
        for editor in self._editors.editors():
            for line, _ in editor.stops.all():
                editor.stops.put(line, None)
        self._taking = False
        self.loose.clear()
        self.send()
        return any_set

    def take(self, event: BreakpointsChanged) -> None:
        """``dbstop`` or ``dbclear`` ran: show what is in force; those switched off stay."""
        found: dict[str, dict[int, Breakpoint]] = {}
        for b in event.breakpoints:
            if b != self.cursor_stop:
                found.setdefault(b.file, {})[b.line] = b
        self._taking = True
        for editor in self._editors.editors():
            _show(editor, found.pop(name_of(editor), {}))
        self._taking = False
        self.loose = {
            file: [_stored_breakpoint(b) for b in stops.values()] for file, stops in found.items()
        }
        self.pauses = set(event.stops)
        self.changed.emit()

    def _on_added(self, editor: CodeEditor) -> None:
        kept = self.loose.pop(name_of(editor), None)
        if kept:
            editor.stops.restore(kept)

    def _on_closing(self, editor: CodeEditor) -> None:
        kept = editor.stops.save()
        if kept and editor.path is not None:
            self.loose[str(editor.path)] = kept
        self.send()


def _show(editor: CodeEditor, wanted: dict[int, Breakpoint]) -> None:
    before = dict(editor.stops.all())
    for line, stop in before.items():
        if stop.enabled and line not in wanted:
            editor.stops.put(line, None)
    for line, b in wanted.items():
        stop = Stop(b.condition, b.hits, b.log)
        if before.get(line) != stop:
            editor.stops.put(line, stop)


def _stored_breakpoint(b: Breakpoint) -> StoredStop:
    return {"line": b.line, "condition": b.condition, "hits": b.hits, "log": b.log, "on": b.enabled}
