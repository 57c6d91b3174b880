from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from app import main
from app.cli import window
from app.errors import UsageError

ROOT = Path(__file__).parents[2]


def test_size_is_width_by_height() -> None:
    assert window.window_size("1280x720") == (1280, 720)
    with pytest.raises(UsageError, match="WxH"):
        window.window_size("big")


def test_missing_file_opens_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["nowhere.m"]) == 2
    assert main.main(["shot", "nowhere.m", "out.png"]) == 2
    assert capsys.readouterr().err.count("there is no file nowhere.m") == 2


def test_one_folder_at_a_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    first.mkdir()
    second.mkdir()
    assert main.main([str(first), str(second)]) == 2
    assert f"one folder at a time, not {first} and {second}" in capsys.readouterr().err


def test_a_folder_alone_is_nothing_to_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(["--run", str(tmp_path)]) == 2
    assert main.main(["--run"]) == 2
    assert capsys.readouterr().err.count("--run runs the first file: name one") == 2


def test_mismatched_qt_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    versions = {"PySide6_Essentials": "6.12.0", "shiboken6": "6.12.0", "pyside6_scintilla": "5.6"}
    monkeypatch.setattr(metadata, "version", versions.__getitem__)
    with pytest.raises(UsageError, match=r"PySide6-Essentials 6\.12\.0.*do not fit together"):
        window._check_qt()


def test_missing_qt_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", version)
    with pytest.raises(UsageError, match="the window needs the package PySide6_Essentials"):
        window._check_qt()


def test_what_qt_lacks_of_the_system_is_named() -> None:
    lacking = ImportError(
        "libEGL.so.1: cannot open shared object file", path="site-packages/PySide6/QtGui.abi3.so"
    )
    with pytest.raises(UsageError, match=r"Qt cannot be loaded: libEGL"), window._loading_qt():
        raise lacking
    with pytest.raises(ImportError, match="ours"), window._loading_qt():
        raise ImportError("ours", path="app/ui/shell/application.py")


@pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="there is a display always")
def test_without_a_display_the_window_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    assert main.main([]) == main.USAGE
    assert "the window needs a display" in capsys.readouterr().err


def _shot(folder: Path, code: str, picture: str, *options: str) -> subprocess.CompletedProcess[str]:
    """``fuselab shot`` of a script in a folder, without a display."""
    (folder / "s.m").write_text(code, encoding="utf-8")
    environ = {n: v for n, v in os.environ.items() if n not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    files = [str(folder / "s.m"), str(folder / picture)]
    return subprocess.run(
        [sys.executable, "-m", "app", "shot", *files, *options],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
        timeout=90,
    )


def test_shot_saves_a_picture_of_the_window(tmp_path: Path) -> None:
    code = "x = rand(2000, 1); plot(x); disp('done')\n"
    report = tmp_path / "r.json"
    done = _shot(tmp_path, code, "out.png", "--size", "900x600", "--report", str(report))
    assert done.returncode == 0, done.stderr
    data = (tmp_path / "out.png").read_bytes()
    assert data.startswith(b"\x89PNG")
    assert struct.unpack(">II", data[16:24]) == (900, 600)
    made = json.loads(report.read_text(encoding="utf-8"))
    assert (made["status"], made["counters"]["plot_download_bytes"]) == ("ok", 0)


def test_shot_says_before_the_run_which_pictures_there_are(tmp_path: Path) -> None:
    done = _shot(tmp_path, "disp('ran')\n", "out.txt")
    assert (done.returncode, done.stdout) == (2, "")
    assert "out.txt: pictures are written as" in done.stderr
    assert ".png" in done.stderr


def test_shot_of_a_failing_script_prints_the_error(tmp_path: Path) -> None:
    done = _shot(tmp_path, "x = 1;\nerror('a:b', 'oops')\n", "out.png")
    assert (done.returncode, done.stdout) == (1, "")
    assert ":2:1: error: oops [a:b]\n" in done.stderr
    assert (tmp_path / "out.png").is_file()
