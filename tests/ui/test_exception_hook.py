"""What breaks is reported and seen; a second start hands its files to the first."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QMessageLogContext, QTimer, QtMsgType, qWarning
from pytestqt.qtbot import QtBot

from app import paths
from app.engine.protocol import RunText
from app.ui.shell import application, single_instance
from app.ui.shell.main_window import MainWindow
from app.ui.support.exception_hook import ExceptionHook, on_qt_message

_NOTICE = "This plugin does not support "


def test_what_escapes_is_reported(window: MainWindow, qtbot: QtBot) -> None:
    lines: list[str] = []
    guard = ExceptionHook(window, lambda text, level: lines.append(f"{level}: {text}"))
    hooks = (sys.excepthook, threading.excepthook)
    guard.install()
    try:
        sys.excepthook(ValueError, ValueError("slot"), None)
        thread = threading.Thread(target=lambda: 1 / 0)
        thread.start()
        thread.join()
        qtbot.waitUntil(lambda: len(lines) == 2)
    finally:
        guard.remove()
    assert "error: internal error" in lines[0]
    assert "ZeroDivisionError" in lines[1]
    assert len(list(paths.crash_dir().glob("crash-*.txt"))) == 2
    assert (sys.excepthook, threading.excepthook) == hooks


def test_qt_messages_reach_the_log(window: MainWindow, caplog: object) -> None:
    guard = ExceptionHook(window, lambda _text, _level: None)
    guard.install()
    try:
        qWarning("strange")
    finally:
        guard.remove()
    caplog.expected = True  # type: ignore[attr-defined]
    assert "Qt: strange" in caplog.text  # type: ignore[attr-defined]


def test_only_the_known_notices_of_the_offscreen_platform_are_dropped(caplog: object) -> None:
    for text in ("raise()", "propagateSizeHints()", "colour()"):
        on_qt_message(QtMsgType.QtDebugMsg, QMessageLogContext(), _NOTICE + text)
        on_qt_message(QtMsgType.QtWarningMsg, QMessageLogContext(), _NOTICE + text)
    caplog.expected = True  # type: ignore[attr-defined]
    assert caplog.text.count(_NOTICE) == 1  # type: ignore[attr-defined]
    assert "colour()" in caplog.text  # type: ignore[attr-defined]


def test_a_second_start_hands_its_files_over(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    assert not single_instance.hand_over([])
    file = tmp_path / "second.m"
    file.write_text("x = 1;\n")
    instance = single_instance.SingleInstance(window, window.take_files)
    assert instance.listen()
    sent: list[bool] = []
    QTimer.singleShot(0, window, lambda: sent.append(single_instance.hand_over([file])))
    qtbot.waitUntil(lambda: window.editors.editor_of(str(file)) is not None)
    assert sent == [True]
    instance.close()


def test_a_second_start_hands_over_a_folder_and_data(window: MainWindow, tmp_path: Path) -> None:
    folder, data = tmp_path / "project", tmp_path / "values.mat"
    folder.mkdir()
    data.touch()
    asked: list[object] = []
    window.bridge.posted.connect(asked.append)
    window.take_files([folder, data])
    assert window.current_folder == folder
    assert window.store.recent_folders()[0] == str(folder)
    assert [r.text for r in asked if isinstance(r, RunText)] == [f"load('{data}')"]
    assert window.editors.editor_of(str(data)) is None


def test_a_window_starts_in_the_folder_that_is_named_else_beside_the_first_file(
    tmp_path: Path,
) -> None:
    file = tmp_path / "a" / "s.m"
    file.parent.mkdir()
    assert application._start_folder([file, tmp_path], None) == tmp_path
    assert application._start_folder([file], str(tmp_path)) == file.parent
    assert application._start_folder([], str(tmp_path)) == tmp_path


def test_the_history_is_chosen_from_the_palette(window: MainWindow, qtbot: QtBot) -> None:
    for text in ("a = 1", "b = 2", "a = 1"):
        window.command_window.input.history.add(text)
    window.commands.run("view.history")
    palette = window.palettes.palette
    assert palette is not None
    assert [entry.title for entry, _ in palette._model.found] == ["a = 1", "b = 2"]
    palette._run(palette._model.index(1, 0))
    assert window.command_window.input.text() == "b = 2"


@pytest.mark.skipif(os.name != "posix", reason="sockets have paths on POSIX")
def test_the_socket_lies_where_nobody_else_can_put_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    short = Path(tempfile.mkdtemp(prefix="fl"))
    monkeypatch.setenv("FUSELAB_HOME", str(short))
    assert Path(single_instance.server_name()).parent == short / "data"
    shared = tmp_path / "run"
    shared.mkdir(mode=0o777)
    shared.chmod(0o777)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(shared))
    assert Path(single_instance.server_name()).parent == short / "data"
    monkeypatch.setenv("FUSELAB_HOME", str(tmp_path / ("long" * 30)))
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    assert single_instance.server_name() == ""
    assert not single_instance.hand_over([tmp_path])
    shutil.rmtree(short)
