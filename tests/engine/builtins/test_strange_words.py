"""A word that means nothing is refused: every builtin's first example with one word more.

The calls are made from the declared examples. ``words_taken.txt`` lists the functions that take any
text as data (names, patterns, labels), and those that still overlook a word; it may only shrink.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.engine.declarations import registry
from app.errors import FuselabError
from tests.engine.builtins.engine_session import Session
from tests.engine.builtins.example_calls import call_of, calls_of

TAKEN = frozenset((Path(__file__).parent / "words_taken.txt").read_text().split())
_STRANGE = ("'zzbogus'", "'zzbogus', 7")


CALLS = {
    b.name: calls_of(b.name)[0]
    for b in registry.load_all().values()
    if b.cases and calls_of(b.name)[:1] == [call_of(b.name, b.cases[0])]
}
FEW = [name for name in CALLS if zlib.crc32(name.encode()) % 64 == 1]


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    monkeypatch.chdir(tmp_path)
    made = Session()
    made.run(f"cd('{tmp_path}');")
    yield made
    made.run("fclose all; clear all;")


def _accepted(session: Session, name: str) -> list[str]:
    """The calls with a strange word that ran."""
    before, call = CALLS[name]
    comma = "" if call.endswith("(") else ", "
    made = [f"{before} {call}{comma}{words});" for words in _STRANGE]
    return [text for text in made if _runs(session, text)]


def _runs(session: Session, text: str) -> bool:
    try:
        session.run("close all force; clear; " + text)
    except FuselabError as problem:
        if "internal" in getattr(problem, "identifier", ""):
            raise
        return False
    return True


def test_the_words_of_a_signature_are_options() -> None:
    """A text behind the required inputs that a signature shows is one that is taken."""
    refused = [
        f"{b.name}: {word}"
        for b in registry.load_all().values()
        if b.words is not None
        for signature in b.signatures
        for given in signature.rpartition("(")[2].rstrip(")").split(",")[b.min_args :]
        for word in re.findall(r"^\s*'([^']+)'\s*$", given)
        if word.lower() not in b.words
    ]
    assert refused == []


def _judge(session: Session, name: str) -> None:
    accepted = _accepted(session, name)
    if name in TAKEN:
        assert accepted, f"{name} refuses strange words: take it out of words_taken.txt"
    else:
        assert not accepted


@pytest.mark.parametrize("name", FEW)
def test_a_strange_word_is_refused(session: Session, name: str) -> None:
    """A sixty-fourth of all functions."""
    _judge(session, name)


@pytest.mark.campaign
@pytest.mark.parametrize("name", CALLS)
def test_strange_words_are_refused_everywhere(session: Session, name: str) -> None:
    """All functions."""
    _judge(session, name)
