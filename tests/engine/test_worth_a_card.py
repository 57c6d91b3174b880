"""Functions that are composed of device steps: for how much data a graphics card is opened."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import TypeAlias

import pytest

from app.accel.backends.null import NullProvider
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.accel.support import system_cards
from app.engine.capture import capture_session
from app.engine.capture.term_arrays import MANY
from tests.engine.interpreter.running import Machine
from tests.spellings.measuring import CAPTURE

PASSES = (
    "A = ones({n}); for k = 1:9, A = 0.5 + interp2(A, 0.9 * A + 2, 1.1 * A + 2, 'linear', 0); end"
)
TURNED = "A = ones({n}); B = interp2(A, 0.9 * A + 2, 1.1 * A + 2, 'linear', 0);"

Run: TypeAlias = Callable[..., tuple[bool, bool]]
"""Runs it on arrays of a size: whether a device is open then, and whether the host was asked."""


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(system_cards, "may_have_card", lambda: True)

    def run(
        size: int, option: str = "auto", opened: bool = False, text: str = TURNED
    ) -> tuple[bool, bool]:
        options = AccelOptions(device=option, kernel_cache=False)
        made = Runtime(options, opener=lambda _: NullProvider())
        if opened:
            made.open()
        capture_session.activate(made, CAPTURE)
        try:
            Machine().run(text.format(n=size))
            details = [row.detail for row in made.recorder.boundaries.values()]
            asked = any("interp2" in said or "pass by pass" in said for said in details)
            return made.device_info is not None, asked
        finally:
            capture_session.deactivate()
            Machine()  # the latest interpreter is kept, with all its values
            gc.collect()
            made.close()

    return run


def test_a_card_is_opened_for_what_would_keep_the_host_busy(ran: Run) -> None:
    assert ran(2600) == (True, False)


def test_no_card_is_opened_for_less(ran: Run) -> None:
    assert ran(300) == (False, True)


def test_a_card_that_is_open_takes_what_is_worth_the_way(ran: Run) -> None:
    assert ran(int(MANY**0.5), opened=True) == (True, False)


def test_without_a_choice_no_card_is_asked(ran: Run) -> None:
    assert ran(2600, "cpu") == (False, True)


def test_a_loop_over_it_is_traced(ran: Run) -> None:
    """It would ask the host in every pass."""
    assert ran(2600, text=PASSES) == (True, False)
