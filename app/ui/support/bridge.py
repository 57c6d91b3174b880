"""The only crossing between the engine thread and the window.

The engine calls ``receive`` from its plain thread: the event goes into a queue, and one wake signal
brings the UI thread to drain it, at most once per ``DRAIN_MS``. The engine owns no Qt object.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from threading import Lock
from typing import Any, Protocol, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.engine import protocol

DRAIN_MS = 16
BUDGET_S = 0.008

E = TypeVar("E")


class Engine(Protocol):
    """What the window needs of the engine (see ``app.engine.session.worker.EngineWorker``)."""

    def post(self, request: protocol.Request) -> None:
        """Take a request; never blocks."""
        ...

    def stop_run(self) -> None:
        """Interrupt what runs, from any thread."""
        ...

    def close(self) -> None:
        """Interrupt, finish and join the thread."""
        ...


@dataclass
class _Flow:
    """Output of one line that has not been fetched yet: a flood is one event by then."""

    source: tuple[str, int]
    texts: list[str]


class Bridge(QObject):
    """Queues events of the engine thread and hands them to handlers in the UI thread."""

    _wake = Signal()
    posted = Signal(object)
    """A request that was sent."""
    stopping = Signal()
    """Somebody wants what runs to end."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queue: deque[protocol.Event | _Flow] = deque()
        self._lock = Lock()
        self._awake = False
        self._handlers: dict[type[Any], list[Callable[[Any], None]]] = {}
        self._engine: Engine | None = None
        self._early: list[protocol.Request] = []
        self._last_drain = 0.0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.drain)
        self._wake.connect(self._schedule, Qt.ConnectionType.QueuedConnection)

    # --- to the engine ----------------------------------------------------------------

    def start(self, make: Callable[[Callable[[protocol.Event], None]], Engine]) -> None:
        """Make the engine with our ``receive`` and post what was asked before it was there."""
        self._engine = make(self.receive)
        for request in self._early:
            self._engine.post(request)
        self._early.clear()

    @property
    def started(self) -> bool:
        """True once there is an engine."""
        return self._engine is not None

    def post(self, request: protocol.Request) -> None:
        """Send a request to the engine; kept until there is one."""
        self.posted.emit(request)
        if self._engine is None:
            self._early.append(request)
        else:
            self._engine.post(request)

    def stop_run(self) -> None:
        """Interrupt the running script."""
        if self._engine is not None:
            self.stopping.emit()
            self._engine.stop_run()

    def close(self) -> None:
        """End the engine thread; later events are dropped."""
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()
        self._timer.stop()
        self._queue.clear()
        self._handlers.clear()

    # --- from the engine --------------------------------------------------------------

    def receive(self, event: protocol.Event) -> None:
        """Take an event; called in the engine thread."""
        with self._lock:
            last = self._queue[-1] if self._queue else None
            if not isinstance(event, protocol.OutputText):
                self._queue.append(event)
            elif isinstance(last, _Flow) and last.source == (event.stream, event.line):
                last.texts.append(event.text)
            else:
                self._queue.append(_Flow((event.stream, event.line), [event.text]))
        if not self._awake:
            self._awake = True
            self._wake.emit()

    def subscribe(self, kind: type[E], handler: Callable[[E], None]) -> None:
        """Call ``handler`` with every event of type ``kind``, in the UI thread."""
        self._handlers.setdefault(kind, []).append(handler)

    def unsubscribe(self, kind: type[E], handler: Callable[[E], None]) -> None:
        """Call ``handler`` no more."""
        handlers = self._handlers.get(kind, [])
        if handler in handlers:
            handlers.remove(handler)

    def _schedule(self) -> None:
        waited = (time.monotonic() - self._last_drain) * 1000
        self._timer.start(max(0, int(DRAIN_MS - waited)))

    def drain(self) -> None:
        """Deliver what is queued, for at most ``BUDGET_S``; the rest comes with the next turn."""
        deadline = time.monotonic() + BUDGET_S
        self._awake = False
        with self._lock:
            waiting = list(self._queue)
            self._queue.clear()
        events = coalesce(map(_event, waiting))
        delivered = 0
        for event in events:
            self._deliver(event)
            delivered += 1
            if time.monotonic() > deadline:
                break
        rest = events[delivered:]
        self._last_drain = time.monotonic()
        if rest:
            with self._lock:
                self._queue.extendleft(reversed(rest))
            self._awake = True
            self._timer.start(1)

    def _deliver(self, event: protocol.Event) -> None:
        """Tell everybody; one that fails takes nothing from the others, nor from later events."""
        for handler in tuple(self._handlers.get(type(event), ())):
            try:
                handler(event)
            except Exception:  # told as every bug in the window is
                sys.excepthook(*sys.exc_info())


def _event(waiting: protocol.Event | _Flow) -> protocol.Event:
    if isinstance(waiting, _Flow):
        return protocol.OutputText("".join(waiting.texts), *waiting.source)
    return waiting


def coalesce(events: Iterable[protocol.Event]) -> list[protocol.Event]:
    """Join what makes no difference when seen apart: runs of output, outdated workspaces."""
    result: list[protocol.Event] = []
    flow: _Flow | None = None
    for event in events:
        if isinstance(event, protocol.OutputText):
            source = (event.stream, event.line)
            if flow is not None and flow.source != source:
                result.append(_event(flow))
                flow = None
            flow = flow or _Flow(source, [])
            flow.texts.append(event.text)
            continue
        if flow is not None:
            result.append(_event(flow))
            flow = None
        if _replaces_last(event, result):
            result.pop()
        result.append(event)
    if flow is not None:
        result.append(_event(flow))
    return result


def _replaces_last(event: protocol.Event, events: list[protocol.Event]) -> bool:
    """A workspace replaces the one just before it."""
    kind = protocol.VariablesChanged
    return isinstance(event, kind) and bool(events) and isinstance(events[-1], kind)
