"""What is printed is handed over soon, and the thread that does so ends with the printer."""

from __future__ import annotations

import threading

import pytest

from app.cli.headless import Printer
from app.engine import protocol


class ClosedWhileCleared(threading.Event):
    """An event that is set again, by somebody who closes, just before it is cleared."""

    closed: threading.Event

    def clear(self) -> None:
        self.closed.set()
        self.set()
        super().clear()


def test_a_printer_closed_between_two_flushes_is_closed(capsys: pytest.CaptureFixture[str]) -> None:
    printer = Printer()
    printed = ClosedWhileCleared()
    printed.closed, printer._printed = printer._closed, printed
    printer.take(protocol.OutputText("words", "out"))
    flusher = printer._flusher
    assert flusher is not None
    flusher.join(10)
    assert not flusher.is_alive()
    printer.close()
    assert capsys.readouterr().out == "words"
