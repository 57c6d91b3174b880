"""A part of the campaign of damaged files of our own, and what it found."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from app import project, settings
from app.engine.declarations import toolboxes
from app.errors import UsageError
from app.ui.run_model.command_history import History
from app.ui.shell.session_store import SessionStore
from app.ui.shell.text_journal import TextJournal
from tests.faults.kept_campaign import Caches, Files, Frames

DEEP = (
    "a = " + "[" * 50_000,
    "a=" + "{a=" * 3000,
    "[" + ".".join("a" * 500_000) + "]",
    "a = " + "9" * 5000,
)


def test_damaged_files_of_our_own_let_the_next_start_work(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.expected = True  # type: ignore[attr-defined]
    files, choose = Files(tmp_path), random.Random(3)
    assert not [said for _ in range(60) for said in files.findings(choose)]


def test_damaged_frames_are_refused(tmp_path: Path) -> None:
    frames, choose = Frames(tmp_path), random.Random(3)
    assert not [said for _ in range(300) for said in frames.findings(choose)]


def test_damaged_caches_make_no_difference(tmp_path: Path) -> None:
    assert not list(Caches(tmp_path).findings(random.Random(3)))


@pytest.mark.parametrize("text", DEEP, ids=["lists", "tables", "names", "digits"])
def test_toml_nested_too_deeply_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "fuselab.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=r"fuselab\.toml"):
        project.read(path)


def test_what_others_keep_in_the_settings_file_survives_a_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FUSELAB_HOME", str(tmp_path))
    path = tmp_path / "config" / settings.FILE
    path.parent.mkdir()
    text = (
        'theme = "dark"\n"a b" = {c = [1, {d = 1979-05-27}], e = "\U0001f600\\u007f"}\nf = -inf\n'
    )
    path.write_text(text, encoding="utf-8")
    loaded = settings.load({})
    loaded.set("editor_font_size", 12)
    loaded.save()
    assert path.read_text(encoding="utf-8") == f"{text}editor_font_size = 12\n"
    again = settings.load({})
    assert (again.theme, again.editor_font_size) == ("dark", 12)


@pytest.mark.parametrize("raw", [float("nan"), float("inf"), 1e300, "NaN", "1e30", 10**30])
def test_settings_are_numbers_that_fit(raw: object) -> None:
    for name in ("loop_slice_ms", "memory_limit"):
        with pytest.raises(UsageError):
            settings.Settings().set(name, raw)


def test_a_list_of_toolboxes_that_is_no_text_is_put_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.expected = True  # type: ignore[attr-defined]
    monkeypatch.setenv("FUSELAB_HOME", str(tmp_path))
    toolboxes.set_added([tmp_path])
    path = tmp_path / "config" / "toolboxes.txt"
    path.write_bytes(b"\xff\xfe\x00")
    assert toolboxes.added_folders() == []
    assert [f.name for f in path.parent.iterdir()] == ["toolboxes.txt.broken-1"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
def test_pipes_in_the_place_of_files_of_our_own_are_put_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody writes to them: reading would wait for ever."""
    caplog.expected = True  # type: ignore[attr-defined]
    monkeypatch.setenv("FUSELAB_HOME", str(tmp_path))
    for name in (settings.FILE, "toolboxes.txt"):
        (tmp_path / "config").mkdir(exist_ok=True)
        os.mkfifo(tmp_path / "config" / name)
    assert "it is a pipe or a device" in settings.load({}).problems[0]
    assert toolboxes.added_folders() == []
    kept = {file.name for file in (tmp_path / "config").iterdir()}
    assert kept == {f"{settings.FILE}.broken-1", "toolboxes.txt.broken-1"}
    os.mkfifo(tmp_path / "session.json")
    assert "could not be read" in SessionStore(tmp_path).problem
    os.mkfifo(tmp_path / "text")
    with pytest.raises(OSError, match="text"):
        TextJournal(tmp_path).text("text")
    os.mkfifo(tmp_path / "history.txt")
    assert History(tmp_path / "history.txt").entries == []
