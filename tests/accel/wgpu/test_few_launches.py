"""Plans of few launches do not load the compiler that many are recorded with."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys, time
from app import settings
from app.engine.session.session import Session
from app.source import SourceText

session = Session(settings.load({{"FUSELAB_DEVICE": "gpu"}}), lambda event: None, (".",))
session.run_source(SourceText("s.m", "x = rand(64000, 1, 'single');"))
for _ in range(12):
    session.run_source(SourceText("w.m", {work!r}))
    assert session.last_status == "ok", session.last_report["error"]
until = time.monotonic() + {seconds}  # it is loaded beside the script
while "llvmlite" not in sys.modules and time.monotonic() < until:
    time.sleep(0.02)
print("llvmlite" in sys.modules)
session.close()
"""


@pytest.mark.parametrize(
    ("work", "loaded", "seconds"),
    [
        ("r = sum(x(:) .* 3 + 9); s = gather(r);", "False", 0.3),
        ("y = x; for k = 1:60, y = cumsum(y / 2) + k; end, s = gather(sum(y));", "True", 30),
    ],
)
def test_the_compiler_is_loaded_for_many_launches(work: str, loaded: str, seconds: float) -> None:
    made = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(work=work, seconds=seconds)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    assert made.stdout.strip() == loaded
