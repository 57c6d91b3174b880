"""Numbers that SECURITY.md states are those of the code."""

from __future__ import annotations

import os
import re
from pathlib import Path

from app import memory, sandbox, temporary_folders
from app.accel.backends.wgpu.memory import SILENCE_S
from app.cli import sandbox_attempts
from app.engine.interpreter.poll_ticker import PERIOD_S

PAGE = " ".join((Path(__file__).parents[2] / "SECURITY.md").read_text(encoding="utf-8").split())


def test_the_attempts_to_get_out_are_counted(tmp_path: Path) -> None:
    stated = re.search(r"makes (\d+) attempts to escape", PAGE)
    assert stated is not None
    assert len(sandbox_attempts.every(tmp_path, 1)) == int(stated[1])


def test_left_folders_are_removed_after_a_minute() -> None:
    assert "older than a minute" in PAGE
    assert temporary_folders.YOUNG_S == 60


def test_limits_are_those_of_the_code() -> None:
    assert "files of up to 4 GiB each" in PAGE
    assert sandbox.LARGEST_FILE == 4 << 30
    assert "a reserve of 256 MB and 16 MB for each core" in PAGE
    assert (256 << 20) + (16 << 20) * (os.cpu_count() or 1) == memory.RESERVE
    assert "no text has more than 2^30" in PAGE
    assert memory.MOST_LETTERS == 1 << 30
    assert "notice it within 50 ms" in PAGE
    assert PERIOD_S <= 0.05
    assert "does not answer for five seconds counts as lost" in PAGE
    assert SILENCE_S == 5


def test_the_environment_of_a_restricted_run_is_the_stated_one() -> None:
    assert "variables of language, time zone, terminal, search path and graphics" in PAGE
    kept = {"LANG", "LANGUAGE", "TZ", "TZDIR", "TERM", "TERMINFO", "PATH", "OPENBLAS_NUM_THREADS"}
    beginnings = {"LC", "FUSELAB", "VK", "MESA", "LP"}
    assert set(sandbox._KEPT) == kept
    assert {name.partition("_")[0] for name in sandbox._KEPT_BEGINNINGS} == beginnings
