"""Named pipes and devices as open files: data in both directions, and stops while they wait."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from app.engine.protocol import Event
from app.engine.session.session import Session
from app.settings import Settings
from app.source import SourceText

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    """A named pipe."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


@pytest.fixture
def session() -> Session:
    """A session."""
    events: list[Event] = []
    return Session(Settings(), events.append)


def _run(session: Session, code: str) -> str:
    session.run_source(SourceText("<test>", code))
    return session.last_status


@pytest.mark.parametrize(
    "code",
    [
        "f = fopen('{}'); t = fgetl(f);",
        "f = fopen('{}'); t = fread(f);",
        "f = fopen('{}', 'w');",
        "f = fopen('{}', 'a');",
        "f = fopen('/dev/zero'); t = fread(f);",
        "f = fopen('/dev/zero'); t = fgetl(f);",
    ],
)
def test_a_stop_ends_the_wait(session: Session, pipe: Path, code: str) -> None:
    """Where there is nobody at the other end, and where what comes has no end."""
    ended = threading.Event()

    def stop() -> None:
        while not ended.wait(0.05):
            session.cancel()

    stopping = threading.Thread(target=stop)
    stopping.start()
    assert _run(session, code.format(pipe)) == "interrupted"
    ended.set()
    stopping.join()
    session.close()


def test_what_is_written_is_read(session: Session, pipe: Path) -> None:
    said: list[str] = []
    other = threading.Thread(target=lambda: said.append(pipe.read_text(encoding="ascii")))
    other.start()
    assert _run(session, f"f = fopen('{pipe}', 'w'); fprintf(f, 'a%d\\n', 1:3); fclose(f);") == "ok"
    other.join()
    assert said == ["a1\na2\na3\n"]
    other = threading.Thread(target=lambda: pipe.write_text("one\ntwo", encoding="ascii"))
    other.start()
    code = "t = fgetl(f); u = fread(f, [1 9], '*char'); v = fgetl(f); e = feof(f); fclose(f);"
    assert _run(session, f"f = fopen('{pipe}'); {code}") == "ok"
    other.join()
    found = {name: session.value_of(name) for name in "tuve"}
    assert found == {"t": "one", "u": "two", "v": -1.0, "e": True}
    session.close()
