"""A diary has what is seen in the command window: commands, output, questions, errors."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from app import settings
from app.engine.builtins.session import diary_file
from app.engine.protocol import RunText
from app.engine.session.session import Session
from app.main import main


def test_a_diary_has_commands_output_questions_and_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shown.m").write_text("disp('from the file')\n")
    session = Session(
        settings.load({"FUSELAB_DEVICE": "cpu"}), lambda _: None, read_line=lambda _: "7"
    )
    try:
        for command in (
            "disp('before')",
            "diary d.txt",
            "x = 1 + 2",
            "shown",
            "n = input('How many? ');",
            "error('my:id', 'boom')",
            "diary off",
            "disp('after')",
        ):
            session.handle(RunText(command, echo=True))
        session.handle(RunText("diary on"))
        session.handle(RunText("disp('a file of the editor'), diary off"))
    finally:
        session.close()
    lines = [line for line in (tmp_path / "d.txt").read_text().splitlines() if line.strip()]
    assert lines[:2] == ["x = 1 + 2", "x = 3"] or lines[:3] == ["x = 1 + 2", "x =", "     3"]
    rest = lines[lines.index("shown") :]
    assert rest[:4] == ["shown", "from the file", "n = input('How many? ');", "How many? 7"]
    assert rest[4] == "error('my:id', 'boom')"
    assert "boom" in rest[5]
    assert rest[-2:] == ["diary off", "a file of the editor"]


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_a_diary_that_cannot_be_written_ends_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The error that it raised left the run; half a character was an error of `disp`."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")

    def refused(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    full = SimpleNamespace(closed=False, name="d.txt", write=refused, close=lambda: None)
    said: list[str] = []
    host = SimpleNamespace(
        write=said.append, write_error=lambda text, _stream="err": said.append(text)
    )
    diary_file.Diary(host, full).write("1")  # type: ignore[arg-type]
    assert said[0] == "1"
    assert "The diary 'd.txt' could not be written and ends here: No space left" in said[1]
    assert main(["eval", "diary('d.txt'); disp(char(55357)); disp('on'); diary off"]) == 0
    assert Path("d.txt").read_text() == "?\non\n"
    assert main(["eval", "diary('pipe')"]) == 1
    assert "could not be opened" in capsys.readouterr().err
