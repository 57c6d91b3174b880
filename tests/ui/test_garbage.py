"""Qt objects in cycles die in the UI thread, whichever thread makes the garbage."""

from __future__ import annotations

import gc
import threading

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.ui.support import gc_driver
from app.ui.support.gc_driver import due


class Ring(QObject):
    """A Qt object that refers to itself."""

    def __init__(self, ended: list[str]) -> None:
        super().__init__()
        self.me = self
        self.ended = ended

    def __del__(self) -> None:
        self.ended.append(threading.current_thread().name)


def litter() -> None:
    """Far more cycles than an automatic collection waits for."""
    for _ in range(20_000):
        ring: list[object] = []
        ring.append(ring)


def test_cycles_are_collected_in_the_ui_thread(qtbot: QtBot) -> None:
    ended: list[str] = []
    Ring(ended)
    other = threading.Thread(target=litter, name="other")
    other.start()
    other.join()
    assert not ended
    qtbot.waitUntil(lambda: bool(ended))
    assert ended == ["MainThread"]
    assert not gc.isenabled()


def test_nothing_is_collected_while_it_is_postponed(qtbot: QtBot) -> None:
    ended: list[str] = []
    with gc_driver.gc_postponed():
        Ring(ended)
        litter()
        qtbot.wait(3 * gc_driver.EVERY_MS)
        assert not ended
    qtbot.waitUntil(lambda: bool(ended))


@pytest.mark.parametrize(
    ("counts", "full", "generation"),
    [
        ((1, 1, 1), True, -1),
        ((800, 1, 1), True, 0),
        ((800, 11, 1), True, 1),
        ((800, 11, 11), True, 2),
        ((800, 11, 11), False, 1),
    ],
)
def test_the_oldest_generation_that_is_due(
    counts: tuple[int, ...], full: bool, generation: int
) -> None:
    assert due(counts, (700, 10, 10), full=full) == generation
