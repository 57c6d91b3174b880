from __future__ import annotations

import os
import sys
from pathlib import Path

import platformdirs
import pytest

from app import paths


def test_a_file_in_the_place_of_crash_reports_is_put_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FUSELAB_HOME", str(tmp_path))
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "crashes").write_text("x")
    assert paths.crash_dir().is_dir()
    assert (tmp_path / "data" / "crashes.broken-1").is_file()


def test_examples_are_found() -> None:
    assert paths.resource("examples/quickstart.m").is_file()


def test_user_folders_are_below_the_home_that_is_set(private_home: Path) -> None:
    assert paths.config_dir() == private_home / "config"
    assert paths.crash_dir() == private_home / "data" / "crashes"


@pytest.mark.skipif(sys.platform != "linux", reason="the rule of other systems is platformdirs'")
@pytest.mark.parametrize("kind", ["config", "cache", "data"])
@pytest.mark.parametrize("base", [None, "", "  ", "elsewhere", "with space"])
def test_user_folders_are_where_platformdirs_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, base: str | None
) -> None:
    monkeypatch.delenv("FUSELAB_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv(f"XDG_{kind.upper()}_HOME", raising=False)
    if base is not None:
        place = str(tmp_path / base) if base.strip() else base
        monkeypatch.setenv(f"XDG_{kind.upper()}_HOME", place)
    expected = getattr(platformdirs, f"user_{kind}_path")("fuselab", appauthor=False)
    assert getattr(paths, f"{kind}_dir")() == expected


def test_set_aside_never_overwrites(tmp_path: Path) -> None:
    names = []
    for _ in range(2):
        broken = tmp_path / "cache"
        broken.write_text("?")
        names.append(paths.set_aside(broken).name)
    assert names == ["cache.broken-1", "cache.broken-2"]


def test_a_home_that_cannot_be_made_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("FUSELAB_HOME", str(tmp_path / "file"))
    caplog.expected = True  # type: ignore[attr-defined]
    instead = paths.cache_dir()
    assert instead.is_dir()
    assert paths.cache_dir() == instead
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_set_aside_twice_at_once_is_no_failure(tmp_path: Path) -> None:
    assert paths.set_aside(tmp_path / "gone") == tmp_path / "gone"


def test_a_file_that_may_not_be_written_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "a"
    place.write_bytes(b"old")
    monkeypatch.setattr(os, "access", lambda path, _mode: Path(path) != place)
    with paths.written_whole(place) as part:
        assert part == place  # and the system refuses to open it


def test_an_error_names_the_file_that_was_to_be_written(tmp_path: Path) -> None:
    with (
        pytest.raises(OSError, match="the disk") as told,
        paths.written_whole(tmp_path / "a") as part,
    ):
        raise OSError(28, "the disk", str(part))
    assert told.value.filename == str(tmp_path / "a")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
@pytest.mark.parametrize("linked", [False, True])
def test_a_pipe_that_takes_a_files_place_after_the_check_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, linked: bool
) -> None:
    """It was waited for, as nobody writes to it."""
    path, pipe = tmp_path / "a.txt", tmp_path / "pipe"
    path.write_text("x")
    os.mkfifo(pipe)

    def checked(_: Path) -> None:
        path.unlink()
        if linked:
            path.symlink_to(pipe)
        else:
            pipe.rename(path)

    assert paths.content(path) == b"x"
    monkeypatch.setattr(paths, "check_file", checked)
    with pytest.raises(OSError, match=r"a\.txt"):
        paths.content(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
def test_a_pipe_that_nobody_reads_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="pipe"):
        paths.put_whole(pipe, b"x")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    paths.put_whole(pipe, b"x")
    assert os.read(reader, 9) == b"x"
    os.close(reader)
