"""Halves of characters: in what scripts print, and in the names of files that are no UTF-8."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from app.digests import text_digest

ROOT = str(Path(__file__).resolve().parents[2])
SCRIPT = """s = char([97 56832 98])
c = {s}; m = mean(sin(rand(1e5, 1)));
disp(char([55357 56832]))
plot(1:3), title(s)
warning(['warned ' s])
error(['refused ' s])
"""
BYTES = os.fsdecode(b"named\xff")


def _run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
    done = subprocess.run(
        [sys.executable, "-m", "app", *arguments],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": ROOT, **variables},
    )
    assert b"internal error" not in done.stderr, done.stderr
    assert b"Traceback" not in done.stderr, done.stderr
    return done


def _script(folder: Path) -> str:
    """The script, by a name that is no UTF-8 where the system has such names."""
    file = folder / f"{BYTES}.m"
    try:
        file.write_text(SCRIPT, encoding="utf-8")
    except (OSError, UnicodeError):
        file = folder / "plain.m"
        file.write_text(SCRIPT, encoding="utf-8")
    return str(file)


def test_every_verb_takes_them(tmp_path: Path) -> None:
    file, report, document = _script(tmp_path), tmp_path / "r.json", tmp_path / "d.html"
    trace = tmp_path / "t.json"
    assert _run("run", file, "--report", str(report), "--trace", str(trace)).returncode == 1
    assert json.loads(report.read_bytes())["error"]["message"] == "refused a\ude00b"
    json.loads(trace.read_bytes())
    assert _run("export", "--run", file, str(document)).returncode == 1
    assert "refused a?b" in document.read_text(encoding="utf-8")
    assert _run("check", file, PYTHONIOENCODING="utf-8:strict").returncode == 0
    assert _run("explain", file, PYTHONIOENCODING="ascii").returncode == 1


def test_the_window_shows_them(tmp_path: Path) -> None:
    picture = tmp_path / "window.png"
    done = _run("shot", _script(tmp_path), str(picture), QT_QPA_PLATFORM="offscreen")
    assert done.returncode == 1
    assert picture.stat().st_size > 10_000


def test_digests_of_texts() -> None:
    assert text_digest("a") != text_digest("b")
    assert len(text_digest(BYTES, size=6)) == 12
