"""Sessions of any shape let the window open; changes by others are not overwritten unasked."""

from __future__ import annotations

import json
import os
import random
import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app import paths
from app.ui.editor import unsaved_dialog
from app.ui.editor.limits import LARGE_TEXT
from app.ui.editor.marks import HISTORY_MARKERS
from app.ui.editor.unsaved_dialog import Choice
from app.ui.run_model.command_history import History
from app.ui.shell.main_window import MainWindow
from app.ui.shell.session_shape import SHAPES, sound
from app.ui.shell.session_store import SessionStore
from app.ui.support import dialog_folder
from tests.faults.file_faults import FULL, Faults
from tests.ui.conftest import make_window

ODD: list[Any] = [
    None,
    True,
    0,
    -1,
    2**70,
    1.5,
    "",
    "x",
    "\0",
    "\ud800",
    "/" + "a" * 5000,
    [],
    [[]],
    {},
    {"a": {}},
    ["x", 3],
]


def _session(folder: Path, qtbot: QtBot) -> dict[str, Any]:
    """What a window with one changed file leaves."""
    (folder / "a.m").write_text("x = 1;\n")
    store = SessionStore(folder)
    window = make_window(qtbot, store)
    store.attach(window)
    editor = window.editors.open(folder / "a.m")
    assert editor is not None
    editor.setText("x = 2;\n")
    window.editors.split.show_second(editor)
    store.save()
    store.detach()
    for one in window.editors.editors():
        one.setSavePoint()
    window.close()
    return json.loads((folder / "session.json").read_text())  # type: ignore[no-any-return]


def _damaged(state: dict[str, Any], choose: random.Random) -> Any:
    """The session with one value somewhere put in place of another."""
    made = json.loads(json.dumps(state))
    here: Any = made
    while True:
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        if here is made:
            keys = [k for k in keys if k != "schema"]
        key = choose.choice(keys)
        if choose.random() < 0.5 and isinstance(here[key], dict | list) and here[key]:
            here = here[key]
            continue
        if isinstance(here, dict) and choose.random() < 0.2:
            del here[key]
        else:
            here[key] = choose.choice(ODD)
        return made


def test_damaged_sessions_open(qtbot: QtBot, tmp_path: Path) -> None:
    state, choose = _session(tmp_path, qtbot), random.Random(8)
    for _ in range(12):
        (tmp_path / "session.json").write_text(json.dumps(_damaged(state, choose)))
        store = SessionStore(tmp_path)
        window = make_window(qtbot, store, str(store.state.get("layout") or "classic"))
        if "geometry" in store.state:
            window.setGeometry(*store.state["geometry"])
        store.restore(window)
        for name in ("classic", "gpu", "debug", "focus"):
            window.use_layout(name)
        for one in window.editors.editors():
            one.setSavePoint()
        window.close()
        window.deleteLater()


def test_names_that_no_file_can_have_do_not_stop_the_window(qtbot: QtBot, tmp_path: Path) -> None:
    odd = ["/" + "a" * 5000, "\ud800", "/tmp/\udcff.m", "", "\0"]
    for key in ("recent", "recent_folders"):
        (tmp_path / "session.json").write_text(json.dumps({"schema": 2, key: odd}))
        store = SessionStore(tmp_path)
        window = make_window(qtbot, store)
        store.restore(window)
        window.palettes.recent()
        window.close()
        window.deleteLater()


def test_what_a_damaged_session_held_is_put_aside(tmp_path: Path) -> None:
    file = {"path": "", "name": "b.m", "caret": 0, "top": 0, "breakpoints": []}
    typed = [{**file, "text": "mine"}, {**file, "text": "not to lose \ud800"}]
    for state in ({"schema": 2, "files": typed}, {"schema": 3, "files": typed}):
        path = tmp_path / "session.json"
        path.write_text(json.dumps(state))
        store = SessionStore(tmp_path)
        assert store.problem
        assert [f["text"] for f in store.state.get("files", ())] == ["mine"] * (
            state["schema"] == 2
        )
        assert any("not to lose" in f.read_text() for f in tmp_path.glob("session.json.broken*"))
        assert not SessionStore(tmp_path).problem
        for aside in tmp_path.iterdir():
            aside.unlink()


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_odd_values_are_left_out(name: str) -> None:
    for odd in ODD:
        kept, wrong = sound({"schema": 2, name: odd})
        assert (name in kept) != (name in wrong) or name == "files"
        json.dumps(kept)


@pytest.mark.parametrize(
    "body", ["", "[]", "3", "{", '{"schema": 2', "null", "[" * 20000, "\ud800"]
)
def test_what_is_no_session_is_put_aside(tmp_path: Path, body: str) -> None:
    (tmp_path / "session.json").write_bytes(body.encode(errors="surrogatepass"))
    store = SessionStore(tmp_path)
    assert store.state == {}
    assert store.problem


@pytest.mark.parametrize("choice", list(Choice))
def test_a_change_by_others_is_asked_about(qtbot: QtBot, tmp_path: Path, choice: Choice) -> None:
    path = tmp_path / "a.m"
    path.write_text("x = 1;\n")
    window = make_window(qtbot, SessionStore(None))
    editor = window.editors.open(path)
    assert editor is not None
    editor.setText("x = 2;\n")
    path.write_text("x = 3;\n")
    asked: list[str] = []

    def ask(_parent: object, about: Any) -> Choice:
        asked.append(about.name)
        return choice

    window.editors.ask_about_conflict = ask
    saved = window.editors.save(editor)
    assert asked == ["a.m"]
    assert saved == (choice is Choice.MINE)
    assert path.read_text() == ("x = 2;\n" if choice is Choice.MINE else "x = 3;\n")
    assert editor.text() == ("x = 3;\n" if choice is Choice.THEIRS else "x = 2;\n")
    texts = [one.text() for one in window.editors.editors()]
    assert any("-x = 3;" in t and "+x = 2;" in t for t in texts) == (choice is Choice.COMPARE)
    if choice is Choice.COMPARE:  # it is read and not kept
        assert not window.editors.is_unsaved(window.editors.editors()[-1])
        assert not window.editors.editors()[-1].modified_text
    if choice is Choice.MINE:
        editor.setText("x = 4;\n")
        assert window.editors.save(editor)
        assert asked == ["a.m"]
    for one in window.editors.editors():
        one.setSavePoint()
    window.close()


def test_a_journal_older_than_the_file_does_not_win_unasked(qtbot: QtBot, tmp_path: Path) -> None:
    _session(tmp_path, qtbot)
    (tmp_path / "a.m").write_text("x = 5;\n")
    os.utime(tmp_path / "a.m")
    store = SessionStore(tmp_path)
    window = make_window(qtbot, store)
    store.restore(window)
    editor = window.editors.editor_of(str(tmp_path / "a.m"))
    assert editor is not None
    assert editor.text() == "x = 2;\n"
    asked: list[object] = []

    def ask(_parent: object, about: object) -> Choice:
        asked.append(about)
        return Choice.THEIRS

    window.editors.ask_about_conflict = ask
    assert not window.editors.save(editor)
    assert asked
    assert editor.text() == "x = 5;\n"
    assert (tmp_path / "a.m").read_text() == "x = 5;\n"
    for one in window.editors.editors():
        one.setSavePoint()
    window.close()


def test_a_file_that_is_deleted_by_others_is_not_lost(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.m"
    path.write_text("x = 1;\n")
    window = make_window(qtbot, SessionStore(None))
    area = window.editors
    editor = area.open(path)
    assert editor is not None
    path.unlink()
    path.write_text("x = 2;\n")  # others replace a file by taking it away first
    qtbot.waitUntil(lambda: editor.text() == "x = 2;\n")
    path.unlink()
    qtbot.waitUntil(lambda: area.tabs.tabText(0) == "a.m (deleted)")
    monkeypatch.setattr(unsaved_dialog, "ask_about_unsaved", lambda *_args: False)
    area.close_tab(0)
    assert area.editors() == [editor]
    assert area.save(editor)
    assert path.read_text() == "x = 2;\n"
    assert area.tabs.tabText(0) == "a.m"
    area.close_tab(0)
    assert area.editors() == []
    window.close()


def test_the_text_of_a_deleted_file_is_there_after_a_restart(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "a.m"
    path.write_text("x = 1;\n")
    store = SessionStore(tmp_path / "data")
    window = make_window(qtbot, store)
    store.attach(window)
    assert window.editors.open(path) is not None
    path.unlink()
    qtbot.waitUntil(lambda: window.editors.tabs.tabText(0) == "a.m (deleted)")
    journal = tmp_path / "data" / "session.json"
    qtbot.waitUntil(lambda: journal.exists() and '"x = 1;\\n"' in journal.read_text())
    store.detach()
    window.close()
    again = SessionStore(tmp_path / "data")
    window = make_window(qtbot, again)
    again.restore(window)
    (editor,) = window.editors.editors()
    assert (editor.name, editor.text()) == ("a.m", "x = 1;\n")
    editor.setSavePoint()
    window.close()


def test_a_full_disk_is_told_once_and_commands_go_on(qtbot: QtBot, tmp_path: Path) -> None:
    store, faults = SessionStore(tmp_path), Faults()
    window = make_window(qtbot, store)
    store.attach(window)
    history, said = History(store.history_file), list[str]()
    window.notify = lambda text, level="info": said.append(text)  # type: ignore[method-assign]
    with faults.installed():
        faults.arm(1, FULL)
        store.save()
        store.save()
        history.add("x = 1")
        assert faults.happened > 2
    assert len(said) == 1
    assert "No space left" in said[0]
    assert history.entries == ["x = 1"]
    assert not [p for p in tmp_path.iterdir() if p.suffix == ".part"]
    store.save()
    assert json.loads((tmp_path / "session.json").read_text())["files"] == []
    window.close()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("x = 1;\n", "untitled1.m"),
        ("% An account\n\nclassdef Account < handle\nend\n", "Account.m"),
        ("classdef (Sealed) Point\nend\n", "Point.m"),
        ("function [a, b] = twice(x)\nend\n", "twice.m"),
        ("function show\nend\n", "show.m"),
        ("functional = 3;\n", "untitled1.m"),
    ],
)
def test_a_new_file_is_saved_in_the_current_folder_under_what_it_declares(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, name: str
) -> None:
    window = make_window(qtbot, SessionStore(None))
    window.change_folder(tmp_path)
    asked: list[str] = []

    def ask(_parent: object, _title: str, start: str, _pattern: str) -> Path:
        asked.append(start)
        return Path(start)

    monkeypatch.setattr(dialog_folder, "ask_where", ask)
    editor = window.editors.new(text)
    window.commands.run("file.save")
    assert asked == [str(tmp_path / name)]
    assert editor.path == tmp_path / name


def _end(window: MainWindow, store: SessionStore) -> None:
    """Close a window without a question, as a quit does."""
    store.save()
    store.detach()
    for one in window.editors.editors():
        one.setSavePoint()
    window.close()


def test_only_what_was_typed_is_marked_after_a_restart(qtbot: QtBot, tmp_path: Path) -> None:
    """Every line of a restored file was marked as changed."""
    (tmp_path / "a.m").write_text("x = 1;\ny = 2;\nz = 3;\n")
    store = SessionStore(tmp_path)
    window = make_window(qtbot, store)
    store.attach(window)
    editor = window.editors.open(tmp_path / "a.m")
    assert editor is not None
    editor.insertText(editor.positionFromLine(1), "k = 9; ")
    _end(window, store)
    store = SessionStore(tmp_path)
    window = make_window(qtbot, store)
    store.restore(window)
    (editor,) = window.editors.editors()
    assert editor.text() == "x = 1;\nk = 9; y = 2;\nz = 3;\n"
    changed = sum(1 << marker for marker in HISTORY_MARKERS)
    assert [bool(editor.markerGet(line) & changed) for line in range(3)] == [False, True, False]
    editor.undo()
    assert not editor.modified_text


@pytest.mark.parametrize("gone", [False, True])
def test_the_second_view_comes_back(qtbot: QtBot, tmp_path: Path, gone: bool) -> None:
    for name in ("a.m", "b.m"):
        (tmp_path / name).write_text("x = 1;\n" * 200)
    store = SessionStore(tmp_path)
    window = make_window(qtbot, store)
    store.attach(window)
    for name in ("a.m", "b.m"):
        window.editors.open(tmp_path / name)
    first, last = window.editors.editors()
    window.editors.split.toggle(last, Qt.Orientation.Horizontal)
    window.editors.split.show_second(first)
    assert window.editors.split.second is not None
    window.editors.split.second.go_to(120)
    _end(window, store)
    if gone:
        (tmp_path / "a.m").unlink()
    store = SessionStore(tmp_path)
    window = make_window(qtbot, store)
    store.restore(window)
    split = window.editors.split
    assert (split.second is None) is gone
    if split.second is not None:
        assert split.second.main is window.editors.editors()[0]
        assert split.orientation() == Qt.Orientation.Horizontal
        assert split.second.caret_line == 120


def test_a_large_unsaved_text_is_kept_in_a_file_that_a_thread_writes(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    large, writers, write = "x = 1;\n" * (LARGE_TEXT // 7 + 9), [], paths.write_private

    def noted(path: Path, body: bytes) -> None:
        writers.append((path.parent.name, threading.current_thread() is threading.main_thread()))
        write(path, body)

    monkeypatch.setattr(paths, "write_private", noted)
    (tmp_path / "a.m").write_text("y = 2;\n")
    store = SessionStore(tmp_path)
    window = make_window(qtbot, store)
    store.attach(window)
    editor = window.editors.open(tmp_path / "a.m")
    assert editor is not None
    editor.setText(large)
    store.save()
    editor.appendText(1, "z")
    _end(window, store)
    assert writers
    assert set(writers) == {("unsaved", False)}
    assert (tmp_path / "session.json").stat().st_size < 10_000

    store = SessionStore(tmp_path)
    window = make_window(qtbot, store)
    store.attach(window)
    store.restore(window)
    editor = window.editors.current()
    assert editor is not None
    assert editor.text() == large + "z"
    assert editor.modified_text
    written = len(writers)
    store.save()
    assert len(writers) == written  # what is there already is not written again
    editor.setText("y = 3;\n")
    store.save()
    assert list((tmp_path / "unsaved").iterdir()) == []
    _end(window, store)
    assert json.loads((tmp_path / "session.json").read_text())["files"][0]["text"] == "y = 3;\n"


def test_a_text_that_was_saved_after_the_session_is_not_unsaved(
    qtbot: QtBot, tmp_path: Path
) -> None:
    state = _session(tmp_path, qtbot)
    Path(state["files"][0]["path"]).write_text("x = 2; % typed, then saved\n")
    state["files"][0] |= {"text": "x = 2; % typed, then saved\n", "digest": "of the text before"}
    (tmp_path / "session.json").write_text(json.dumps(state))
    store = SessionStore(tmp_path)
    window = make_window(qtbot, store)
    store.attach(window)
    store.restore(window)
    editor = window.editors.current()
    assert editor is not None
    assert editor.text() == "x = 2; % typed, then saved\n"
    assert not editor.modified_text


@pytest.mark.parametrize("name", ["../a.m", "gone.txt", "torn.txt", "/etc/passwd"])
def test_a_text_that_cannot_be_read_is_said_and_stays(
    qtbot: QtBot, tmp_path: Path, name: str
) -> None:
    state = _session(tmp_path, qtbot)
    (tmp_path / "unsaved").mkdir()
    (tmp_path / "unsaved" / "torn.txt").write_bytes(b"x\xff")
    state["files"][0] |= {"text": None, "text_file": name}
    (tmp_path / "session.json").write_text(json.dumps(state))
    store = SessionStore(tmp_path)
    window = make_window(qtbot, store)
    store.attach(window)
    store.restore(window)
    editor = window.editors.current()
    assert editor is not None
    assert editor.text() == "x = 1;\n"
    assert "cannot be read" in window.status._notice.text()
    _end(window, store)
    torn = [file.name for file in (tmp_path / "unsaved").iterdir()]
    assert torn == (["torn.txt.broken-1"] if name == "torn.txt" else [])


def test_the_texts_of_a_damaged_session_are_kept(tmp_path: Path) -> None:
    (tmp_path / "session.json").write_text("{")
    (tmp_path / "unsaved").mkdir()
    (tmp_path / "unsaved" / "text1.txt").write_text("typed")
    SessionStore(tmp_path)
    assert (tmp_path / "unsaved.broken-1" / "text1.txt").read_text() == "typed"


def test_what_stands_at_the_prompt_and_the_room_of_panels_outlive_a_kill(
    qtbot: QtBot, tmp_path: Path
) -> None:
    store = SessionStore(tmp_path)
    window = make_window(qtbot, store)
    window.command_window.input.put("x = [1")
    qtbot.waitUntil(lambda: store.state.get("prompt") == "x = [1")
    split = window.docks.splitters["main"]
    sizes = split.sizes()
    split.setSizes([sizes[0] - 40, *sizes[1:-1], sizes[-1] + 40])
    assert split.sizes() != sizes
    split.splitterMoved.emit(0, 1)
    kept = store.kept_layout
    qtbot.waitUntil(lambda: (kept("classic") or {}).get("sizes", {}).get("main") == split.sizes())
    store.detach()
    window.close()
    store = SessionStore(tmp_path)
    window = make_window(qtbot, store)
    store.restore(window)
    assert window.command_window.input.text() == "x = [1"
    store.detach()
    window.close()
