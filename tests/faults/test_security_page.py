"""Two numbers that SECURITY.md states are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

from app import temporary_folders
from app.cli import sandbox_attempts

PAGE = " ".join((Path(__file__).parents[2] / "SECURITY.md").read_text(encoding="utf-8").split())


def test_the_attempts_to_get_out_are_counted(tmp_path: Path) -> None:
    stated = re.search(r"makes (\d+) attempts to get out", PAGE)
    assert stated is not None
    assert len(sandbox_attempts.every(tmp_path, 1)) == int(stated[1])


def test_left_folders_are_removed_after_a_minute() -> None:
    assert "older than a minute" in PAGE
    assert temporary_folders.YOUNG_S == 60
