"""What is remembered of the last error."""

from __future__ import annotations

import contextlib

import pytest

from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session


@pytest.mark.parametrize("text", ["[1 2] + [1 2 3]", "try, [1 2] + [1 2 3]; catch, end"])
def test_the_last_error_keeps_no_frames(text: str) -> None:
    session = Session()
    with contextlib.suppress(MatlabError):
        session.run(text)
    last = session.interpreter.last_error
    assert last is not None
    assert last.__traceback__ is None
    assert last.__context__ is None
    assert session.holds("contains(lasterr, 'sizes') || contains(lasterr, 'dimension')")


def test_the_last_error_that_nobody_caught() -> None:
    session = Session()
    assert session.holds("isempty(MException.last.message)")
    with contextlib.suppress(MatlabError):
        session.run("error('my:first', 'One.')")
    session.run("try, error('my:second', 'Two.'); catch, end")
    assert session.holds("strcmp(MException.last.identifier, 'my:first')")
    assert session.holds("strcmp(lasterr, 'Two.')")
    session.run("MException.last('reset')")
    assert session.holds("isempty(MException.last.message)")
