"""Files come back as they were."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from app import textfile
from app.errors import UsageError
from app.ui.editor import file_writing
from app.ui.editor.area import EditorArea
from app.ui.editor.unsaved_dialog import Protected
from app.ui.support import dialog_folder


@pytest.mark.parametrize(
    "data",
    [
        b"x=1;\r\ny=2;\r\n",
        "%% ä\n".encode("latin-1"),
        "%% 梯度\n".encode("gb18030"),
        b"\xef\xbb\xbfa",
        "héé\n".encode(),
    ],
)
def test_encoding_and_line_ends_are_kept(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "a.m"
    file.write_bytes(data)
    file_writing.write(file, textfile.read(file))
    assert file.read_bytes() == data


def test_what_latin_1_cannot_hold_becomes_utf_8(tmp_path: Path) -> None:
    file = tmp_path / "a.m"
    written = file_writing.write(file, textfile.TextFile("α", "latin-1", "\n"))
    assert written.encoding == "utf-8"
    assert file.read_text(encoding="utf-8") == "α"


@pytest.mark.skipif(os.name == "nt", reason="no file modes there")
def test_the_mode_of_a_file_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "a.m"
    file.write_text("x")
    file.chmod(0o640)
    file_writing.write(file, textfile.read(file))
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["a.m"]


@pytest.mark.skipif(os.name == "nt", reason="no file modes there")
def test_a_protected_file_is_written_when_somebody_wants_it(qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "a.m"
    file.write_text("x")
    file.chmod(0o444)
    with pytest.raises(UsageError, match="write-protected"):
        file_writing.write(file, textfile.TextFile("y", "utf-8", "\n"))
    area, notices = EditorArea(tmp_path), []
    qtbot.addWidget(area)
    area.notice.connect(notices.append)
    editor = area.open(file)
    assert editor is not None
    editor.setText("y")
    for wanted, kept, text in ((Protected.NOTHING, True, "x"), (Protected.OVERWRITE, False, "y")):
        area.ask_about_protected = lambda _parent, _path, wanted=wanted: wanted
        area.save(editor)
        assert (editor.modified_text, file.read_text()) == (kept, text)
    assert notices == ["a.m is write-protected and was not saved"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o444
    assert area.save(editor, tmp_path / "b.m")


@pytest.mark.skipif(os.name == "nt", reason="no file modes there")
def test_a_protected_file_is_saved_under_another_name_instead(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, other = tmp_path / "a.m", tmp_path / "b.m"
    file.write_text("x")
    file.chmod(0o444)
    area = EditorArea(tmp_path)
    qtbot.addWidget(area)
    editor = area.open(file)
    assert editor is not None
    editor.setText("y")
    monkeypatch.setattr(QMessageBox, "exec", lambda _box: 0)
    monkeypatch.setattr(
        QMessageBox,
        "clickedButton",
        lambda box: next(button for button in box.buttons() if button.text() == "Save As…"),
    )
    monkeypatch.setattr(dialog_folder, "ask_where", lambda *_args: other)
    assert area.save(editor)
    assert (file.read_text(), other.read_text(), editor.path) == ("x", "y", other)
