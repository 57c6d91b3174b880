"""A diary has what is seen in the command window: commands, output, questions, errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from app import settings
from app.engine.protocol import RunText
from app.engine.session.session import Session


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
