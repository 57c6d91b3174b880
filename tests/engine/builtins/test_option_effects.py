"""Options change something, or are refused: each line of ``option_effects.txt`` is a call that
shows it, and every option and every declared word has a line."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from app.engine.declarations import registry
from app.errors import FuselabError
from tests.engine.builtins.option_effects import Asked, lacking, lines, outcome

LINES = lines()
FEW = [line for line in LINES if zlib.crc32(line[2].encode()) % 32 == 1]
NAMES = list(registry.load_all())
FEW_NAMES = [name for name in NAMES if zlib.crc32(name.encode()) % 64 == 2]


def _shown(session: Asked, name: str, statements: str, options: str) -> str:
    """What a call shows; where it is refused, that it is."""
    try:
        return outcome(session, name, statements, options)
    except FuselabError as problem:
        if "internal" in getattr(problem, "identifier", ""):
            raise
        return f"refused: {problem}"


def _judge(name: str, statements: str, given: str, otherwise: str = "") -> None:
    session = Asked()
    found = _shown(session, name, statements, f", {given}")
    if otherwise == "refused":
        assert found.startswith("refused: ")
        return
    assert not found.startswith("refused: ")
    usual = "" if otherwise in ("", "default") else f", {otherwise}"
    without = _shown(session, name, statements, usual)
    assert _shown(session, name, statements, usual) == without
    assert (found == without) == (otherwise == "default")


@pytest.mark.parametrize("line", FEW, ids=" ".join)
def test_an_option_has_an_effect(line: list[str]) -> None:
    """Some of the lines."""
    _judge(*line)


@pytest.mark.campaign
@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_every_option_has_an_effect(line: list[str]) -> None:
    """All lines."""
    _judge(*line)


def test_an_option_that_is_ignored_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    peaks = registry.load_all()["findpeaks"]
    right = peaks._invoke
    monkeypatch.setattr(peaks, "_invoke", lambda ctx, args, n: right(ctx, args[:1], n))
    own = [line for line in LINES if line[0] == "findpeaks"]
    assert own
    for line in own:
        with pytest.raises(AssertionError):
            _judge(*line)


@pytest.mark.parametrize("name", FEW_NAMES)
def test_options_have_lines(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The options of some functions."""
    monkeypatch.chdir(tmp_path)
    assert lacking(Asked(), name) == []


@pytest.mark.campaign
@pytest.mark.parametrize("name", NAMES)
def test_all_options_have_lines(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The options of all functions."""
    monkeypatch.chdir(tmp_path)
    assert lacking(Asked(), name) == []
