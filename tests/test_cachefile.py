"""Cache files: damaged, exchanged or planted ones are deleted and made again, never used."""

from __future__ import annotations

import ctypes
import os
import random
import stat
from collections.abc import Callable
from pathlib import Path
from threading import Barrier, Thread

import pytest

from app import cachefile, crash, native, paths
from app.engine.jit import background_build
from app.ui.run_model.command_history import History

SQUARE = """
define double @square(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
"""
POSIX = pytest.mark.skipif(os.name != "posix", reason="owners and modes are POSIX's")


@pytest.fixture
def place(private_home: Path, caplog: pytest.LogCaptureFixture) -> Path:
    caplog.expected = True  # type: ignore[attr-defined]
    return paths.cache_dir() / "thing"


def test_what_was_written_is_read(place: Path) -> None:
    for body in (b"", b"x", bytes(range(256)) * 1000):
        cachefile.write(place, body)
        assert cachefile.read(place) == body


def test_every_damage_is_noticed_and_cleared_away(place: Path) -> None:
    choose = random.Random(4)
    for _ in range(200):
        cachefile.write(place, b"body of some length")
        whole = bytearray(place.read_bytes())
        if choose.random() < 0.5:
            whole = whole[: choose.randrange(len(whole))]
        else:
            whole[choose.randrange(len(whole))] ^= 1 << choose.randrange(8)
        place.write_bytes(whole)
        assert cachefile.read(place) is None
        assert not place.exists()


def test_a_file_under_another_name_is_refused(place: Path) -> None:
    cachefile.write(place, b"one")
    other = place.with_name("other")
    place.replace(other)
    assert cachefile.read(other) is None


def test_another_users_key_is_another_file(place: Path) -> None:
    cachefile.write(place, b"one")
    (paths.data_dir() / "cache.key").unlink()
    cachefile._key_of.cache_clear()
    assert cachefile.read(place) is None
    cachefile.write(place, b"two")
    cachefile._key_of.cache_clear()
    assert cachefile.read(place) == b"two"


@POSIX
def test_what_others_may_write_is_refused(place: Path) -> None:
    cachefile.write(place, b"one")
    place.chmod(0o622)
    assert cachefile.read(place) is None
    target = place.with_name("target")
    cachefile.write(target, b"one")
    place.symlink_to(target)
    assert cachefile.read(place) is None


@POSIX
@pytest.mark.parametrize(
    "other", [Path.mkdir, getattr(os, "mkfifo", None), lambda p: p.symlink_to(p)]
)
@pytest.mark.parametrize("name", ["cache", "cache.key"])
def test_what_is_no_file_is_not_read(
    place: Path, caplog: pytest.LogCaptureFixture, name: str, other: Callable[[Path], None]
) -> None:
    """A folder, a pipe or a link to itself in the place of a cache, or of the secret."""
    caplog.expected = True  # type: ignore[attr-defined]
    cachefile.write(place, b"one")
    damaged = place if name == "cache" else paths.data_dir() / name
    damaged.unlink()
    other(damaged)
    cachefile._key_of.cache_clear()
    assert cachefile.read(place) is None
    cachefile.write(place, b"two")


@POSIX
def test_folders_and_files_are_private(private_home: Path) -> None:
    folder = paths.data_dir()
    folder.chmod(0o755)
    assert stat.S_IMODE(paths.data_dir().stat().st_mode) == 0o700
    paths.write_private(folder / "file", b"text")
    assert stat.S_IMODE((folder / "file").stat().st_mode) == 0o600
    assert {entry.name for entry in folder.iterdir()} == {"file", "cache.key"}


@POSIX
def test_whatever_the_mask_what_is_written_is_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Folders above the user's that were missing, and files that are written at their end."""
    home = tmp_path / "new" / "home"
    monkeypatch.setenv("FUSELAB_HOME", str(home))
    before = os.umask(0)
    try:
        History(paths.data_dir() / "history.txt").add("x = 1")
        background_build._Hints(paths.cache_dir() / "native" / "hot-loops.txt").add("abc")
        crash.report(ValueError("\ud800"))
    finally:
        os.umask(before)
    for path in (home.parent, home, *home.rglob("*")):
        wanted = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.stat().st_mode) == wanted, path
    assert len([path for path in home.rglob("*") if path.is_file()]) == 3


def test_a_write_that_fails_leaves_nothing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cachefile.write(place, b"before")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    cachefile.write(place, b"after")
    assert cachefile.read(place) == b"before"
    assert list(place.parent.iterdir()) == [place]


def test_planted_machine_code_is_not_run(place: Path) -> None:
    other = SQUARE.replace("fmul", "fadd")
    for text in (SQUARE, other):
        native.compile_assembly(text, "square")
    one, two = (native._path(text, native.THOROUGH) for text in (SQUARE, other))
    for planted in (two.read_bytes(), b"", one.read_bytes()[:-9]):
        one.write_bytes(planted)
        library = native.compile_assembly(SQUARE, "square")
        assert library.function("square", ctypes.c_double, ctypes.c_double)(5.0) == 25.0


def test_threads_of_a_fresh_home_make_one_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "data_dir", lambda: tmp_path)
    together = Barrier(8)

    def keep(n: int) -> None:
        together.wait()
        cachefile.write(tmp_path / f"{n}.kept", b"body")

    threads = [Thread(target=keep, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [cachefile.read(tmp_path / f"{n}.kept") for n in range(8)] == [b"body"] * 8
