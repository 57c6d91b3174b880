"""What a start of a script brings in: nothing that its first line may never need."""

from __future__ import annotations

import subprocess
import sys

import pytest

GRAPH = ("app.accel.runtime.runtime", "app.accel.planner.planner", "app.engine.jit.loop_version")
LOOPS = (
    "t = 0; s.a = 1; c = {}; "
    "for k = 1:40, if mod(k, 3) == 1, s.a = s.a + k; end, c{end+1} = sprintf('%d', k); end; "
    "while t < 20, t = t + 1; x = ones(3) * t; x(2, :) = []; end; n = numel(strjoin(c, ','));"
)
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


@pytest.mark.parametrize("device", ["cpu", "auto"])
def test_loops_over_little_bring_in_neither_graph_nor_compiler(device: str) -> None:
    """Asking whether a graphics card may come opened the graph: a third of a small program."""
    code = (
        "import sys; from app.main import main; "
        f"assert main(['eval', '--device', {device!r}, {LOOPS!r}]) == 0; "
        f"found = [n for n in {(*GRAPH, 'llvmlite', 'scipy')!r} if n in sys.modules]; "
        "assert not found, found"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
