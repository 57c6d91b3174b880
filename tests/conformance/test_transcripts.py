"""Every ``TOPIC/NAME.m`` prints exactly what its ``.out`` says.

The expected texts were compared with Octave, whitespace aside; a first line ``% oracle: …`` says
where MATLAB's documented rule differs.
"""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from app.engine.interpreter.interpreter import Interpreter
from app.engine.jit.entry_points import NATIVE
from app.errors import MatlabError
from app.settings import Settings
from app.source import SourceText
from tests.support.conformance import FOLDER, transcript_name, transcripts


class Recorder:
    """Takes the output of a script."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        self.text += text

    def write_error(self, text: str, stream: str = "err") -> None:
        """Warnings take no part."""

    def poll(self) -> None:
        """Nobody interrupts."""


def printed(path: Path) -> str:
    """What the script prints; an error that leaves it is printed too."""
    settings = Settings()
    settings.octave = "% dialect: matlab" not in path.read_text(encoding="utf-8")
    host = Recorder()
    interpreter = Interpreter(settings, None, host, NATIVE)
    interpreter.path.set_current(str(FOLDER))
    try:
        interpreter.run(SourceText(str(path), path.read_text(encoding="utf-8")))
    except MatlabError as problem:
        host.text += f"error: {problem.message}\n"
    return host.text


def on_big_stack(path: Path) -> str:
    """Run on a thread whose stack holds deep recursion, as a session does."""
    found: list[str] = []
    old = threading.stack_size(256 * 1024 * 1024)
    try:
        thread = threading.Thread(target=lambda: found.append(printed(path)))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(old)
    return found[0]


def test_every_transcript_has_a_topic() -> None:
    assert [path.name for path in FOLDER.iterdir() if path.suffix in {".m", ".out"}] == []


@pytest.mark.parametrize("path", transcripts(), ids=transcript_name)
def test_prints_what_matlab_prints(path: Path) -> None:
    assert on_big_stack(path) == path.with_suffix(".out").read_text(encoding="utf-8")
