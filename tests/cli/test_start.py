"""What a start of a script brings in: nothing that its first line may never need."""

from __future__ import annotations

import subprocess
import sys

LATER = ("_hashlib", "socket", "scipy", "llvmlite", "wgpu", "lark", "unittest", "multiprocessing")
CODE = f"""
import sys
from app.main import main
assert main(["eval", "x = 1;"]) == 0
found = [name for name in {LATER!r} if name in sys.modules]
assert not found, found
"""


def test_an_almost_empty_script_brings_in_nothing_heavy() -> None:
    for _ in range(2):  # the first one may have to make the table of the grammar
        done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
