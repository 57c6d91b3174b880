"""Processes of our own load no module from the current folder, which may be anybody's."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from app import helpers

TOP = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One with modules that say that they were loaded."""
    for name in ("app", "json", "logging", "numpy"):
        (tmp_path / f"{name}.py").write_text("print('theirs')\nraise SystemExit(9)\n")
    return tmp_path


@pytest.mark.parametrize("path", ["", ":", ".", ":/nowhere"])
def test_the_current_folder_has_no_modules_for_us(
    folder: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(helpers._ENVIRONMENT, "PYTHONPATH", path)
    done = subprocess.run(
        helpers.module_command("app", "eval", "disp(numel(num2str(pi)))"),
        cwd=folder,
        env=helpers.python_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.strip()) == (0, "6"), done.stderr


def test_workers_start_in_such_a_folder(folder: Path) -> None:
    done = subprocess.run(
        helpers.module_command("app", "eval", "f = parfeval(@cos, 1, 0); disp(fetchOutputs(f))"),
        cwd=folder,
        env=helpers.python_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "theirs" not in done.stdout + done.stderr
    assert (done.returncode, done.stdout.strip()) == (0, "1"), done.stderr


def test_modules_of_ours_are_started_in_one_way() -> None:
    """By `helpers.module_command`."""
    texts = {path: path.read_text(encoding="utf-8") for path in (TOP / "app").rglob("*.py")}
    direct = [
        str(path.relative_to(TOP)) for path, text in texts.items() if 'sys.executable, "-m"' in text
    ]
    assert not direct, f"{direct}, of {sys.executable}"
