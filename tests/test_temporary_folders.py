"""Temporary folders go with their process, or with the next start where it was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app import temporary_folders
from app.temporary_folders import OwnedFolder, sweep

pytestmark = pytest.mark.skipif(os.name == "nt", reason="nothing is swept there")
HELD = """
import sys, time
from app.temporary_folders import OwnedFolder
folder = OwnedFolder("restricted")
print(folder.name, flush=True)
time.sleep(60)
"""


def _age(folder: Path) -> None:
    long_ago = time.time() - 2 * temporary_folders.YOUNG_S
    os.utime(folder, (long_ago, long_ago))


def _left(above: Path, kind: str = "confined") -> Path:
    """A folder as a killed process leaves it."""
    folder = above / f"fuselab-{kind}-abc"
    folder.mkdir(mode=0o700)
    (folder / "sub").mkdir()
    (folder / "sub" / "file").write_text("left", encoding="ascii")
    _age(folder)
    return folder


def test_what_a_killed_process_left_goes_with_the_next_start(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HELD]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as owner:
        assert owner.stdout is not None
        folder = Path(owner.stdout.readline().strip())
        _age(folder)
        assert sweep(tmp_path) == []
        assert folder.is_dir(), "its owner is alive"
        owner.send_signal(signal.SIGKILL)
        owner.wait()
    assert sweep(tmp_path) == [folder]
    assert not folder.exists()


def test_a_new_folder_makes_the_old_ones_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    left = [_left(tmp_path, kind) for kind in temporary_folders.KINDS]
    made = OwnedFolder("restricted")
    assert Path(made.name).parent == tmp_path
    assert not any(folder.exists() for folder in left)
    made.cleanup()
    assert not Path(made.name).exists()


def test_only_what_is_ours_alone_and_old_is_removed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("kept", encoding="ascii")
    link = tmp_path / "fuselab-confined-link"
    link.symlink_to(outside)
    inner = _left(tmp_path, "pool")
    (inner / "way_out").symlink_to(outside)
    _age(inner)
    young = tmp_path / "fuselab-restricted-young"
    young.mkdir(mode=0o700)
    shared = _left(tmp_path, "sound")
    shared.chmod(0o755)
    unknown = _left(tmp_path, "other")
    file = tmp_path / "fuselab-record-file"
    file.write_text("", encoding="ascii")
    assert sweep(tmp_path) == [inner]
    kept = (outside / "kept", link, young, shared, unknown, file)
    assert all(path.exists() for path in kept)


def test_folders_of_others_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = _left(tmp_path)
    monkeypatch.setattr("os.geteuid", lambda: os.getuid() + 1)
    assert sweep(tmp_path) == []
    assert folder.is_dir()


def test_a_folder_that_was_closed_to_everybody_goes_too(tmp_path: Path) -> None:
    left, outside = _left(tmp_path), tmp_path / "outside"
    outside.mkdir(mode=0o500)
    (left / "sub" / "deep").mkdir()
    (left / "sub" / "deep" / "file").write_text("left", encoding="ascii")
    (left / "sub" / "way_out").symlink_to(outside)
    for folder in (left / "sub" / "deep", left / "sub"):
        folder.chmod(0)
    _age(left)
    assert sweep(tmp_path) == [left]
    assert outside.stat().st_mode & 0o777 == 0o500
