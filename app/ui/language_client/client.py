"""Asks the language service in a thread of its own; the latest question wins."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal
from shiboken6 import isValid

from app import crash

T = TypeVar("T")


class LanguageClient(QObject):
    """Runs questions one after the other away from the UI thread.

    A question has a topic: a newer question of the same topic replaces an older one, whose
    answer is then never delivered. A question that breaks is a bug of ours: ``failed`` says so.
    """

    failed = Signal(str)
    _answered = Signal(str, int, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._executor = ThreadPoolExecutor(1, "fuselab-language")
        self._latest: dict[str, int] = {}
        self._waiting: dict[str, Future[Any]] = {}
        self._receivers: dict[str, Callable[[Any], None]] = {}
        self._closed = False
        self._answered.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def ask(self, topic: str, question: Callable[[], T], receive: Callable[[T], None]) -> None:
        """Compute ``question()`` and hand its answer to ``receive`` in the UI thread."""
        if self._closed:
            return
        number = self._latest.get(topic, 0) + 1
        self._latest[topic] = number
        self._receivers[topic] = receive
        earlier = self._waiting.get(topic)
        if earlier is not None:
            earlier.cancel()
        future = self._executor.submit(question)
        self._waiting[topic] = future
        future.add_done_callback(partial(self._emit_answer, topic, number))

    def forget(self, topic: str) -> None:
        """The answer of ``topic`` is not wanted any more."""
        self._latest[topic] = self._latest.get(topic, 0) + 1

    def close(self) -> None:
        """End the thread."""
        self._closed = True
        self._executor.shutdown(wait=True, cancel_futures=True)

    def _emit_answer(self, topic: str, number: int, future: Future[Any]) -> None:
        """In the language thread."""
        if not future.cancelled() and not self._closed:
            self._answered.emit(topic, number, future)

    def _deliver(self, topic: str, number: int, future: Future[Any]) -> None:
        if self._latest.get(topic) != number or self._closed:
            return
        if not _is_alive(self._receivers[topic]):
            return
        problem = future.exception()
        if isinstance(problem, Exception):
            self.failed.emit(crash.report(problem))
        else:
            self._receivers[topic](future.result())


def _is_alive(receive: Callable[[Any], None]) -> bool:
    """False when Qt has deleted what the answer is for, such as an editor that was closed."""
    bound = receive.args if isinstance(receive, partial) else ()
    function = receive.func if isinstance(receive, partial) else receive
    parts = (*bound, getattr(function, "__self__", None))
    return all(isValid(part) for part in parts if isinstance(part, QObject))
