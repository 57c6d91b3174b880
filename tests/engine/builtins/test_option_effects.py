"""Options change something: each line of ``option_effects.txt`` is a call that shows it."""

from __future__ import annotations

import zlib

import pytest

from tests.engine.builtins.engine_session import Session
from tests.engine.builtins.option_effects import lines, outcome

LINES = lines()
FEW = [line for line in LINES if zlib.crc32(line[2].encode()) % 16 == 1]


def _judge(name: str, statements: str, given: str) -> None:
    session = Session()
    without = outcome(session, name, statements)
    assert outcome(session, name, statements) == without
    assert outcome(session, name, statements, f", {given}") != without


@pytest.mark.parametrize(("name", "statements", "given"), FEW)
def test_an_option_has_an_effect(name: str, statements: str, given: str) -> None:
    """A sixteenth of all lines."""
    _judge(name, statements, given)


@pytest.mark.campaign
@pytest.mark.parametrize(("name", "statements", "given"), LINES)
def test_every_option_has_an_effect(name: str, statements: str, given: str) -> None:
    """All lines."""
    _judge(name, statements, given)
