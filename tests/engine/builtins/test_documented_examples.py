"""The most used functions do what MATLAB documents of them.

Octave has only part of these forms, so what is expected was worked out by hand. A check is a line
of ``documented/values.m`` whose last expression is true, of ``errors.txt`` (identifier, message,
statements) or of ``shown.txt`` (statements, what they print under ``format compact``).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session
from tests.support.examples import parts

HERE = Path(__file__).parent / "documented"


def lines(name: str) -> list[str]:
    """The checks of a file."""
    return (HERE / name).read_text(encoding="utf-8").splitlines()


def cases(name: str) -> pytest.MarkDecorator:
    """A test for every check of a file, called by its line."""
    checks = [pytest.param(c, id=f"line {n}") for n, c in enumerate(lines(name), 1)]
    return pytest.mark.parametrize("case", checks)


@pytest.fixture(scope="module")
def kept() -> Session:
    """One session for all of them."""
    return Session()


@pytest.fixture
def session(kept: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    """The session without variables and figures, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    kept.run("close all force; clear; format; format compact")
    return kept


@cases("values.m")
def test_value(session: Session, case: str) -> None:
    first, last = parts(case)
    if first:
        session.run(first)
    assert session.holds(last)


@cases("errors.txt")
def test_error(session: Session, case: str) -> None:
    identifier, message, code = (part.strip() for part in case.split("|", 2))
    with pytest.raises(MatlabError) as caught:
        session.run(code)
    assert caught.value.identifier == identifier
    assert caught.value.message == message.replace(r"\n", "\n")


@cases("shown.txt")
def test_shown(session: Session, case: str) -> None:
    code, _, shown = case.partition(" ==>")
    assert session.run(code).rstrip() == shown.removeprefix(" ").replace(r"\n", "\n").rstrip()
