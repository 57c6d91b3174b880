"""Whole processes: what a user waits for from the shell, with nothing kept and once it is."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.benchmarks.workload import Workload

ROOT = Path(__file__).parents[2]
SHIM = "function {name}(x)\nt = tic; toc(t);\nend\n"
"""A clock that is read computes what is pending, and waits."""


def measure(work: Workload, n: int, device: str, repeat: int) -> dict[str, Any]:
    """Seconds of the first process of this script, and of the best later one; its result."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("keep", "wait_for"):
            Path(folder, f"{name}.m").write_text(SHIM.format(name=name), encoding="utf-8")
        script = Path(folder, "bench_whole.m")
        text = f"n = {n}; {work.setup}\n{work.code}\nfprintf('%.17g\\n', result);\n"
        script.write_text(text, encoding="utf-8")
        environ = os.environ | {"FUSELAB_HOME": str(Path(folder, "home"))}
        command = [sys.executable, "-m", "app", "run", str(script), "--device", device]
        times, result = [], 0.0
        for _ in range(1 + repeat):
            started = time.perf_counter()
            done = subprocess.run(
                command, cwd=ROOT, env=environ, capture_output=True, text=True, check=True
            )
            times.append(time.perf_counter() - started)
            result = float(done.stdout.split()[-1])
    return {"first_s": times[0], "again_s": min(times[1:]), "result": result}
